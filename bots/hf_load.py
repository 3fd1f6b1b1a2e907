"""Weights and tokenizer: where they lie, which bytes they are, how they get into memory."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Any

from arena.core.errors import InputError, MissingPart
from bots import models

PICKLES = (".bin", ".pt", ".pth")
SAFE = ".safetensors"
READ = (".json", ".jinja", ".txt", ".model")  # configuration and tokenizer files, which decide replies too


@dataclass(frozen=True, slots=True)
class Source:
    """Where a model comes from: a folder, a GGUF file (in a folder), or a hub name."""

    folder: str
    gguf: str | None = None
    hub: bool = False
    embedded: str | None = None


def locate(model: str) -> Source:
    """Reads the `model` key: `embedded:NAME`, a GGUF file, a folder or a hub name."""
    if model.startswith(models.PREFIX):
        name = model.removeprefix(models.PREFIX)
        path = models.need_gguf(name)
        return Source(str(path.parent), path.name, embedded=name)
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


def weights_revision(source: Source, revision: str | None) -> str:
    """Which bytes they are: a hash of the files, or the hub's commit."""
    if source.embedded:
        return models.embedded(source.embedded).sha256
    if source.gguf:
        return _hash_of(str(Path(source.folder) / source.gguf))
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
        kept = folder / "refs" / revision
        if kept.is_file():  # offline: what was fetched before is what will be loaded
            return kept.read_text().strip()
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
            total.update(f"{path.name}\0{_hash_of(str(path))}\0".encode())
    return total.hexdigest()


def _hash_of(path: str) -> str:
    stat = Path(path).stat()
    return _hash_once(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=256)
def _hash_once(path: str, _size: int, _changed: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def converted(source: Source) -> Path:
    """The GGUF file as a safetensors folder, made once however many processes ask at the same time."""
    from filelock import FileLock

    assert source.gguf is not None
    origin = Path(source.folder) / source.gguf
    known = _hash_of(str(origin))
    if source.embedded and known != models.embedded(source.embedded).sha256:
        raise MissingPart(
            f"The file of the model '{source.embedded}' is damaged (its hash is wrong): "
            f"fetch it again with `arena models fetch {source.embedded}`."
        )
    folder = models.cache_folder() / "converted" / known[:24]
    if (folder / "config.json").is_file():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not (folder / "config.json").is_file():
            for left in folder.parent.glob(f"draft-{folder.name[:8]}-*"):  # of a process that was killed
                shutil.rmtree(left, ignore_errors=True)
            _convert(source, folder)
    return folder


def _convert(source: Source, folder: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    space = shutil.disk_usage(folder.parent).free
    if space < 8 * (Path(source.folder) / str(source.gguf)).stat().st_size:
        raise MissingPart(
            f"Too little room to convert '{source.gguf}': free some disk space at {folder.parent}, "
            "or set ARENA_CACHE to a folder that has it."
        )
    draft = Path(tempfile.mkdtemp(prefix=f"draft-{folder.name[:8]}-", dir=folder.parent))
    try:
        with quiet(), redirect_stderr(StringIO()):
            # without dequantize the weights stay packed, several times slower in batches
            model = AutoModelForCausalLM.from_pretrained(
                source.folder, gguf_file=source.gguf, quantization_config=GgufConfig(dequantize=True)
            )
            tokenizer = AutoTokenizer.from_pretrained(source.folder, gguf_file=source.gguf)
            model.save_pretrained(draft)
            tokenizer.save_pretrained(draft)
        draft.replace(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


class quiet:
    """Silences transformers' progress bars and warnings."""

    def __enter__(self) -> None:
        from transformers.utils import logging

        self._level = logging.get_verbosity()
        self._bars = logging.is_progress_bar_enabled()
        logging.set_verbosity_error()
        logging.disable_progress_bar()

    def __exit__(self, *_: object) -> None:
        from transformers.utils import logging

        logging.set_verbosity(self._level)
        if self._bars:
            logging.enable_progress_bar()


@dataclass(slots=True, weakref_slot=True, eq=False)
class Loaded:
    """A model ready to run; `shape` is that of its caches once the fast engine has tried it."""

    model: Any
    tokenizer: Any
    device: str
    dtype: str
    seq2seq: bool
    bytes: int
    name: str
    shape: Any = None


def _eight_bits(model: Any) -> Any:
    """Linear layers with 8-bit weights; activations are scaled by the whole batch, so replies depend on it."""
    import warnings

    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch wants its users to move to another package
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
    """bf16 where the hardware computes in it; elsewhere it would be slower than fp32."""
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
    """Configuration and tokenizer, without the weights (a GGUF file is converted first)."""
    from transformers import AutoConfig, AutoTokenizer

    folder, common = _place(settings)
    with _told(settings), quiet():
        return AutoConfig.from_pretrained(folder, **common), AutoTokenizer.from_pretrained(folder, **common)


def _place(settings: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    source = locate(settings["model"])
    common: dict[str, Any] = {"trust_remote_code": bool(settings.get("trust_remote_code"))}
    if source.hub and settings.get("revision"):
        common["revision"] = settings["revision"]
    return str(converted(source)) if source.gguf else source.folder, common


@contextmanager
def _told(settings: Mapping[str, Any]) -> Iterator[None]:
    """What goes wrong in loading, as one sentence."""
    try:
        yield
    except Exception as error:  # loaders raise what they like
        first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        cure = "check the name and the files"
        if "trust_remote_code" in str(error):
            cure = "if you trust its authors, set `trust_remote_code: true` for this bot"
        raise MissingPart(f"The model '{settings['model']}' cannot be loaded: {first} ({cure}).") from error


@contextmanager
def _mended(folder: str) -> Iterator[None]:
    """A conversion that does not load is thrown away, so that the next run converts anew."""
    try:
        yield
    except Exception:
        if Path(folder).is_relative_to(models.cache_folder() / "converted"):
            shutil.rmtree(folder, ignore_errors=True)
        raise


def load(settings: Mapping[str, Any], device: str, dtype: str) -> Loaded:
    """Model and tokenizer in memory, in evaluation mode."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

    folder, common = _place(settings)
    weights: dict[str, Any] = {"weights_only": True}
    if any(Path(folder).glob(f"*{SAFE}")):
        weights["use_safetensors"] = True
    with _told(settings), _mended(folder), quiet():
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
    return Loaded(model, tokenizer, device, dtype, seq2seq, size, settings["model"])
