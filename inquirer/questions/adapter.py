"""Loads a language model with a trained adapter (LoRA)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bots import hf_load
from bots.quiet import quiet
from bots.weights.catalogue import PREFIX

WEIGHTS = "adapter_model.safetensors"
SETTINGS = "adapter_config.json"


def source(name: str) -> hf_load.Source:
    """Returns where the model is: a folder in the usual layout, or an embedded model."""
    return hf_load.locate(name if Path(name).expanduser().is_dir() else f"{PREFIX}{name}")


def base_model(name: str) -> tuple[Any, Any]:
    """Returns tokenizer and model, from a folder in the usual layout or by an embedded model's name."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = Path(name).expanduser()
    if not folder.is_dir():
        folder = hf_load.converted(source(name))
    with quiet():
        tokenizer = AutoTokenizer.from_pretrained(folder)
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer, model


def adapted(name: str, folder: Path) -> tuple[Any, Any]:
    """Returns tokenizer and model, with the adapter's low-rank matrices added to the model's weights."""
    import torch
    from safetensors.torch import load_file

    tokenizer, model = base_model(name)
    settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
    scale = settings["lora_alpha"] / settings["r"]
    weights = load_file(folder / WEIGHTS)
    with torch.no_grad():
        for key, down in weights.items():
            if ".lora_A." in key:
                up = weights[key.replace(".lora_A.", ".lora_B.")]
                part = key.removeprefix("base_model.model.").split(".lora_A.")[0]
                model.get_submodule(part).weight += scale * (up.float() @ down.float())
    return tokenizer, model.eval()
