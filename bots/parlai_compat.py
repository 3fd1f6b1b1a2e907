"""Patches that let ParlAI 1.7.2 (the last release) run with current libraries, and that restrict what it does.

`apply` has to run before the first import of ParlAI. Each patch says why it is there.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import io
import logging
import os
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from arena.core.errors import InputError, MissingPart

VERSION = "1.7.2"
_loading = threading.RLock()  # patches and redirections during loading affect the whole process
log = logging.getLogger("arena.bots.parlai")


def offline() -> bool:
    """Whether downloads are switched off, as in the Hugging Face libraries."""
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE")


def apply() -> None:
    """Applies all patches, once per process."""
    with _loading:
        _apply()


@functools.cache
def _apply() -> None:
    _resources()
    _plateau()
    with hushed():  # some of its modules print on import
        importlib.import_module("parlai.core.agents")
    _quiet()
    _gpt2_cache()
    _downloads()
    _sampling()


def _resources() -> None:
    """Replaces `pkg_resources`, which setuptools 82 removed. ParlAI uses two of its functions."""
    if importlib.util.find_spec("pkg_resources") is not None:
        return
    from importlib import resources

    stand_in = types.ModuleType("pkg_resources")

    def resource_filename(package: str, name: str) -> str:
        return str(resources.files(package).joinpath(name))

    def resource_exists(package: str, name: str) -> bool:
        return Path(resource_filename(package, name)).exists()

    stand_in.__dict__.update(resource_filename=resource_filename, resource_exists=resource_exists)
    sys.modules["pkg_resources"] = stand_in


def _plateau() -> None:
    """Makes ReduceLROnPlateau accept an argument that torch 2.7 removed. ParlAI passes it (training only)."""
    from torch.optim.lr_scheduler import ReduceLROnPlateau

    original = ReduceLROnPlateau.__init__
    if "verbose" in inspect.signature(original).parameters:
        return

    @functools.wraps(original)
    def init(self: Any, *args: Any, **more: Any) -> None:
        more.pop("verbose", None)
        original(self, *args, **more)

    ReduceLROnPlateau.__init__ = init


def _gpt2_cache() -> None:
    """Reorders the Cache object of transformers 5. ParlAI's GPT-2 expects a tuple of layers."""
    try:
        from parlai.agents.hugging_face.gpt2 import HFGPT2Model
    except ImportError:
        return
    original = HFGPT2Model.reorder_decoder_incremental_state

    def reorder(self: Any, state: Any, order: Any) -> Any:
        if not hasattr(state, "reorder_cache"):
            return original(self, state, order)
        state.reorder_cache(order)
        return state

    HFGPT2Model.reorder_decoder_incremental_state = reorder


class _OwnChance:
    """Replaces torch in ParlAI's generator module. `multinomial` draws from this thread's generator."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self._local = threading.local()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._torch, name)

    def multinomial(self, weights: Any, number: int, *args: Any, **more: Any) -> Any:
        more.setdefault("generator", getattr(self._local, "generator", None))
        return self._torch.multinomial(weights, number, *args, **more)

    @contextmanager
    def drawing(self, generator: Any) -> Iterator[None]:
        self._local.generator = generator
        try:
            yield
        finally:
            self._local.generator = None


def _sampling() -> None:
    """Makes ParlAI draw from our generators.

    Otherwise it draws from torch's global generator, which all threads and all rows of a batch share.
    """
    import torch
    from parlai.core import torch_generator_agent

    torch_generator_agent.torch = _OwnChance(torch)


class _Forward(logging.Handler):
    """Forwards ParlAI's log to the arena's: messages at level debug, errors as warnings."""

    def emit(self, record: logging.LogRecord) -> None:
        log.log(
            logging.WARNING if record.levelno >= logging.ERROR else logging.DEBUG, "%s", record.getMessage()
        )


def _quiet() -> None:
    """Silences ParlAI's logging to stdout, because `--json` must print a single document there."""
    from parlai.utils.logging import logger

    logger.handlers[:] = [_Forward()]


def _downloads() -> None:
    """Patches ParlAI's downloads.

    A failed download raises an error at once and leaves no partial file. Nothing is deleted, and nothing is written
    outside the model's folder.
    """
    from parlai.core import build_data

    unpack = build_data._untar

    def download(url: str, path: str, fname: str, redownload: bool = False, **_: object) -> None:
        target = Path(path) / fname
        if not target.exists() or redownload:
            fetch(url, target)

    def keep(path: str) -> None:
        # ParlAI empties a folder whose `.built` names another version, including any other files.
        raise MissingPart(
            f"ParlAI wants to delete {path}, because its file .built names another version of the model: "
            "move that folder away, or put the model's unpacked files into it and remove .built."
        )

    @functools.wraps(unpack)
    def untar(path: str, fname: str, *args: Any, **more: Any) -> None:
        _check_archive(Path(path), fname)
        unpack(path, fname, *args, **more)

    build_data.download = download
    build_data.remove_dir = keep
    build_data._untar = untar


def _check_archive(folder: Path, name: str) -> None:
    """Checks the paths of an archive's members, because ParlAI writes to any path that they name."""
    import tarfile

    root = folder.resolve()
    try:
        with tarfile.open(folder / name) as archive:
            inside = all((root / member).resolve().is_relative_to(root) for member in archive.getnames())
    except (tarfile.TarError, EOFError, OSError) as error:
        raise MissingPart(f"The archive {folder / name} is damaged ({error}): fetch it again.") from error
    if not inside:
        raise InputError(f"The archive {folder / name} wants to write outside its folder: do not use it.")


def fetch(url: str, target: Path) -> None:
    """Downloads the complete file at once, or raises an error that says where to put it."""
    import httpx

    secure = url.replace("http://parl.ai/", "https://parl.ai/", 1)
    missing = f"The file {target.name} of a ParlAI zoo model is missing: get {secure} and put it at {target}"
    if offline():
        raise MissingPart(f"{missing} (downloads are switched off by HF_HUB_OFFLINE).")
    part = target.with_name(target.name + ".part")
    log.warning("fetching %s", secure)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with (
            httpx.stream("GET", secure, follow_redirects=True, timeout=10.0) as response,
            part.open("wb") as file,
        ):
            response.raise_for_status()
            for chunk in response.iter_bytes():
                file.write(chunk)
        part.replace(target)
    except (httpx.HTTPError, OSError) as error:
        part.unlink(missing_ok=True)
        raise MissingPart(f"{missing} ({type(error).__name__} while fetching it).") from error


@contextmanager
def hushed() -> Iterator[None]:
    """Redirects what ParlAI prints to the log. Only one thread at a time may do this."""
    with _loading:
        yield from _hushed()


def _hushed() -> Iterator[None]:
    printed = io.StringIO()
    datapath = os.environ.get("PARLAI_DATAPATH")
    try:
        with redirect_stdout(printed):
            yield
    finally:
        if printed.getvalue():
            log.debug("%s", printed.getvalue())
        # ParlAI's parser writes its data path into the environment, where it would outlive the bot.
        if datapath is None:
            os.environ.pop("PARLAI_DATAPATH", None)
        else:
            os.environ["PARLAI_DATAPATH"] = datapath
