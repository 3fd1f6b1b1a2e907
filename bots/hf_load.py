"""Loads weights and tokenizer: locates the files, identifies their content and brings them into memory."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from arena.core.errors import ArenaError, InputError, MissingPart
from bots.hf_pack import pack
from bots.quiet import quiet
from bots.weights import convert, store
from bots.weights.catalogue import PREFIX, entries, find
from bots.weights.manifest import hash_of

PICKLES = (".bin", ".pt", ".pth")
SAFE = ".safetensors"
READ = (".json", ".jinja", ".txt", ".model")  # configuration and tokenizer files, which also affect replies


@dataclass(frozen=True, slots=True)
class Source:
    """The place of a model: a folder, a GGUF file (in a folder), or a hub name."""

    folder: str
    gguf: str | None = None
    hub: bool = False
    embedded: str | None = None


def locate(model: str) -> Source:
    """Resolves the `model` key: `embedded:NAME`, a GGUF file, a folder or a hub name."""
    if model.startswith(PREFIX):
        return _embedded(model.removeprefix(PREFIX))
    path = Path(model).expanduser()
    if model.endswith(".gguf"):
        if not path.is_file():
            raise InputError(f"There is no GGUF file at '{model}': check the path.")
        return Source(str(path.parent), path.name)
    if path.is_dir():
        if not (path / "config.json").is_file():
            raise InputError(
                f"The folder '{model}' holds no config.json: give the folder of a Hugging Face model."
            )
        return Source(str(path))
    if model.startswith((".", "/", "~")) or model.count("/") > 1:
        raise InputError(f"There is no model folder at '{model}': check the path.")
    return Source(model, hub=True)


def _embedded(name: str) -> Source:
    entry = find(name)
    if not entry.gguf:
        known = ", ".join(one.name for one in entries().values() if one.gguf)
        raise InputError(f"'{name}' is an encoder for judges and cannot reply: name one of {known}.")
    path = store.located(entry, entry.main)
    if path is not None:
        return Source(str(path.parent), path.name, embedded=name)
    if convert.ready(entry):  # the file itself is no longer needed
        return Source(str(store.folder(entry)), entry.main.name, embedded=name)
    raise MissingPart(
        f"The model '{name}' is not on this machine: fetch it with `arena models fetch {name}`."
    )


def weights_revision(source: Source, revision: str | None) -> str:
    """Returns the identity of the weights: a hash of the files, or the hub's commit."""
    if source.embedded:
        return find(source.embedded).main.sha256
    if source.gguf:
        return hash_of(Path(source.folder) / source.gguf)
    if not source.hub:
        return _folder_hash(Path(source.folder))
    return _hub_commit(source.folder, revision or "main")


def _hub_commit(name: str, revision: str) -> str:
    from huggingface_hub import HfApi, constants

    if len(revision) == 40 and all(c in "0123456789abcdef" for c in revision):
        return revision
    folder = Path(constants.HF_HUB_CACHE) / ("models--" + name.replace("/", "--"))
    try:
        return str(HfApi().model_info(name, revision=revision, timeout=10).sha)
    except Exception as error:  # the hub's client changes its network library, and with it its errors
        reference = folder / "refs" / revision
        if reference.is_file():  # offline, the files that were fetched before are loaded
            return reference.read_text().strip()
        raise MissingPart(
            f"The model '{name}' is not in the local hub cache and the hub cannot be asked "
            f"({type(error).__name__}): "
            "check the name and the connection, or give a local folder."
        ) from error


def _folder_hash(folder: Path) -> str:
    files = sorted(p for p in folder.iterdir() if p.is_file() and p.suffix in (SAFE, *PICKLES, *READ))
    safe = any(p.suffix == SAFE for p in files)
    total = hashlib.sha256()
    for path in files:
        if not (safe and path.suffix in PICKLES):
            total.update(f"{path.name}\0{hash_of(path)}\0".encode())
    return total.hexdigest()


def converted(source: Source, *, weights: bool = True) -> Path:
    """Returns the GGUF file as a safetensors folder; see `bots.weights.convert`."""
    if source.embedded:
        entry = find(source.embedded)
        return convert.converted(store.located(entry, entry.main), entry.main.sha256, weights=weights)
    origin = Path(source.folder) / str(source.gguf)
    return convert.converted(origin, hash_of(origin), weights=weights)


@dataclass(slots=True, weakref_slot=True, eq=False)
class Loaded:
    """A loaded model. `shape` is the shape of its caches, known after the fast engine was tried."""

    model: Any
    tokenizer: Any
    device: str
    dtype: str
    seq2seq: bool
    bytes: int
    name: str
    shape: Any = None


def _eight_bits(model: Any) -> Any:
    """Converts linear layers to 8-bit weights.

    Activations are scaled over the whole batch, so a reply also depends on the other requests in its batch.
    """
    import warnings

    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch recommends another package
        return torch.ao.quantization.quantize_dynamic(
            model, {torch.nn.Linear}, dtype=torch.qint8, inplace=True
        )


def choose_device(asked: str) -> str:
    import torch

    if asked != "auto":
        return asked
    if torch.cuda.is_available():
        return "cuda"
    if torch.backends.mps.is_available():
        return "mps"
    return "cpu"


def choose_dtype(asked: str, device: str) -> str:
    """Returns bf16 if the hardware supports it. On other hardware, bf16 would be slower than fp32."""
    if asked != "auto":
        return asked
    if device == "cuda":
        import torch

        return "bfloat16" if torch.cuda.is_bf16_supported() else "float16"
    if device == "mps":
        return "float16"
    return "bfloat16" if _cpu_has_bf16() else "float32"


@lru_cache
def _cpu_has_bf16() -> bool:
    import torch

    capabilities = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return bool(capabilities.get("avx512_bf16") or capabilities.get("amx_bf16") or capabilities.get("bf16"))


def peek(settings: Mapping[str, Any]) -> tuple[Any, Any]:
    """Loads the configuration and tokenizer without the weights. A GGUF file is converted first."""
    from transformers import AutoConfig, AutoTokenizer

    with _in_one_sentence(settings), quiet():
        folder, common = _place(settings, weights=False)
        return AutoConfig.from_pretrained(folder, **common), AutoTokenizer.from_pretrained(folder, **common)


def _place(settings: Mapping[str, Any], *, weights: bool = True) -> tuple[str, dict[str, Any]]:
    source = locate(settings["model"])
    common: dict[str, Any] = {"trust_remote_code": bool(settings.get("trust_remote_code"))}
    if source.hub and settings.get("revision"):
        common["revision"] = settings["revision"]
    return str(converted(source, weights=weights)) if source.gguf else source.folder, common


def _reason(error: Exception) -> tuple[str, str]:
    """Returns what is wrong and what to do.

    torch's own advice is not shown, because following it would run the code in a pickle.
    """
    text = str(error).strip()
    if "trust_remote_code" in text:
        return text.splitlines()[0], "if you trust its authors, set `trust_remote_code: true` for this bot"
    if isinstance(error, UnpicklingError | EOFError) or "zip archive" in text or text.isdigit():
        return "its pickled weights are damaged, or hold more than weights", "get them as safetensors"
    return text.splitlines()[0] if text else type(error).__name__, "check the name and the files"


@contextmanager
def _in_one_sentence(settings: Mapping[str, Any]) -> Iterator[None]:
    """Turns any error of a loader into one sentence."""
    try:
        yield
    except ArenaError:
        raise
    except Exception as error:  # loaders may raise any error
        first, remedy = _reason(error)
        raise MissingPart(f"The model '{settings['model']}' cannot be loaded: {first} ({remedy}).") from error


def load(settings: Mapping[str, Any], device: str, dtype: str, *, packed: bool = False) -> Loaded:
    """Loads model and tokenizer in evaluation mode. `packed` reorders bf16 weights for a CPU."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

    weights: dict[str, Any] = {"weights_only": True}
    with _in_one_sentence(settings), quiet():
        folder, common = _place(settings)
        if any(Path(folder).glob(f"*{SAFE}")):
            weights["use_safetensors"] = True
        config = AutoConfig.from_pretrained(folder, **common)
        seq2seq = bool(config.is_encoder_decoder)
        kind = AutoModelForSeq2SeqLM if seq2seq else AutoModelForCausalLM
        number = getattr(torch, "float32" if dtype == "int8" else dtype)
        model = kind.from_pretrained(folder, dtype=number, **weights, **common)
        tokenizer = AutoTokenizer.from_pretrained(folder, **common)
    model = model.to(device).eval()
    model.requires_grad_(False)
    if dtype == "int8":
        model = _eight_bits(model)
    size = sum(p.numel() * p.element_size() for p in model.parameters())
    if packed and device == "cpu":
        size += pack(model)
    return Loaded(model, tokenizer, device, dtype, seq2seq, size, settings["model"])
