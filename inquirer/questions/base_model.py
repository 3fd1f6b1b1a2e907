"""Loads the language model that the embedded question writer builds on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bots import hf_load
from bots.weights.catalogue import PREFIX


def base_model(name: str) -> tuple[Any, Any]:
    """Returns tokenizer and model, from a folder in the usual layout or by an embedded model's name."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = Path(name).expanduser()
    if not folder.is_dir():
        folder = hf_load.converted(hf_load.locate(f"{PREFIX}{name}"))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer, model
