"""Loads the language model that the embedded question writer builds on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.core.errors import MissingPart


def base_model(name: str) -> tuple[Any, Any]:
    """Tokenizer and model: a folder in the usual layout, or an embedded model by name."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = Path(name).expanduser()
    if folder.is_dir():
        tokenizer = AutoTokenizer.from_pretrained(folder)
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    else:
        from transformers import GgufConfig

        from bots.models import need_gguf

        path = need_gguf(name)
        try:
            tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
            model = AutoModelForCausalLM.from_pretrained(
                path.parent,
                gguf_file=path.name,
                quantization_config=GgufConfig(dequantize=True),
                dtype=torch.float32,
            )
        except (OSError, ValueError) as error:
            raise MissingPart(
                f"The model '{name}' does not load: {' '.join(str(error).split())[:160]}."
            ) from error
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer, model
