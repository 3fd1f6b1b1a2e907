"""Converts GGUF files to safetensors folders, which load in a second instead of a minute.

The converted copy is verified at each load.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

from arena.core.errors import MissingPart
from bots.quiet import quiet
from bots.weights import gguf_header, manifest, store
from bots.weights.catalogue import Entry, by_hash

log = logging.getLogger("arena")

VERSION = 1  # increase when the same GGUF file is converted into other bytes
SHARDS = ".safetensors"
BYTES = {"float32": 8, "bfloat16": 5}  # disk space per byte of the file (at least 4.5 bits per number)


def converted(origin: Path | None, sha256: str, *, weights: bool = True) -> Path:
    """Returns the converted folder for this GGUF file.

    It is converted only once, even if several processes ask at the same time. A damaged folder is converted again.
    `weights=False` skips the verification of the large files, for callers that only need the configuration or the
    tokenizer.
    """
    from filelock import FileLock

    folder = _folder(sha256)
    if _unusable(folder, sha256, weights) is None:
        return folder
    with store.writing(folder.parent), FileLock(f"{folder}.lock"):
        reason = _unusable(folder, sha256, weights)
        if reason is None:
            return folder
        if folder.exists() or folder.is_symlink():
            log.warning("The converted model in %s is converted again: %s.", folder, reason)
        if origin is None or manifest.hash_of(origin) != sha256:
            raise MissingPart(_no_origin(folder, sha256, origin))
        _remove(folder)
        for left in folder.parent.glob(f"draft-{folder.name[:8]}-*"):  # drafts of processes that were killed
            shutil.rmtree(left, ignore_errors=True)
        _convert(origin, sha256, folder)
    return folder


def ready(entry: Entry) -> bool:
    """Whether a converted copy exists. Its large files are not read."""
    facts = manifest.read(_folder(entry.main.sha256))
    return facts.get("converter") == VERSION and facts.get("source") == entry.main.sha256


def _folder(sha256: str) -> Path:
    return store.cache_folder() / "converted" / sha256[:24]


def _remove(folder: Path) -> None:
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)


def _unusable(folder: Path, sha256: str, weights: bool) -> str | None:
    facts = manifest.read(folder)
    if facts.get("converter") != VERSION:
        return "an earlier version made it"
    if facts.get("source") != sha256:
        return "it was made of another file"
    name = manifest.damaged(folder, lambda name: weights or not name.endswith(SHARDS))
    return f"its file {name} is damaged" if name else None


def _no_origin(folder: Path, sha256: str, origin: Path | None) -> str:
    entry = by_hash(sha256)
    if entry is not None:
        what = "is not on this machine" if origin is None else "is damaged (its hash is wrong)"
        return (
            f"The file of the model '{entry.name}' {what}: fetch it with `arena models fetch {entry.name}`."
        )
    return f"The file {origin} changed while it was read for {folder}: try again."


def _convert(origin: Path, sha256: str, folder: Path) -> None:
    entry = by_hash(sha256)
    stored = entry.stored if entry else "float32"
    space = shutil.disk_usage(folder.parent).free
    if space < BYTES[stored] * origin.stat().st_size:
        raise MissingPart(
            f"Too little room to convert '{origin.name}': free some disk space at {folder.parent}, "
            "or set ARENA_CACHE to a folder that has it."
        )
    draft = Path(tempfile.mkdtemp(prefix=f"draft-{folder.name[:8]}-", dir=folder.parent))
    try:
        model, tokenizer = _read(origin, stored)
        _check_numbers(model, origin)
        if entry and entry.ends:
            model.generation_config.eos_token_id = tokenizer.convert_tokens_to_ids(list(entry.ends))
        with quiet(), redirect_stderr(StringIO()):
            model.save_pretrained(draft)
            tokenizer.save_pretrained(draft)
        draft.chmod(0o755)
        for path in draft.iterdir():
            path.chmod(0o644)  # the writer makes some files private
        manifest.write(draft, {"converter": VERSION, "source": sha256, "stored": stored})
        draft.replace(folder)
        manifest.sync(folder.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _read(origin: Path, stored: str) -> tuple[Any, Any]:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    try:
        gguf_header.check(origin)
        with quiet(), redirect_stderr(StringIO()):
            # without dequantize the weights stay packed, several times slower in batches
            model = AutoModelForCausalLM.from_pretrained(
                origin.parent,
                gguf_file=origin.name,
                quantization_config=GgufConfig(dequantize=True),
                dtype=getattr(torch, stored),
            )
            return model, AutoTokenizer.from_pretrained(origin.parent, gguf_file=origin.name)
    except Exception as error:  # readers may raise any error for a broken file
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise MissingPart(
            f"The file '{origin.name}' cannot be converted ({lines[0][:200]}): "
            "get it again from its publisher, or name a folder in transformers' own format."
        ) from error


def _check_numbers(model: Any, origin: Path) -> None:
    """Refuses weights with NaN, because such a model cannot answer."""
    import torch

    for name, parameter in model.named_parameters():
        if not torch.isfinite(parameter).all():
            raise MissingPart(
                f"The weights in '{origin.name}' are not finite (NaN or infinity in {name}): "
                "get the file again from its publisher."
            )
