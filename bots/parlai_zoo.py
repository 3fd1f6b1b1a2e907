"""Finds the files of a ParlAI model before ParlAI touches any folder."""

from __future__ import annotations

import difflib
import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arena.core.errors import InputError, MissingPart
from bots import parlai_compat
from bots.weights.store import cache_folder

ZOO = ("zoo:", "models:")
RESULTS = (".trainstats", ".valid", ".test")  # files from training that do not affect replies


@dataclass(frozen=True, slots=True)
class Source:
    """A model file, or the name of an agent that needs no file."""

    file: Path | None
    agent: str | None


def installed() -> str:
    """Returns ParlAI's version. If ParlAI is missing, raises MissingPart with the command that installs it."""
    for package, name in (
        ("parlai", f"parlai=={parlai_compat.VERSION}"),
        ("iopath", "iopath"),
        ("sklearn", "scikit-learn"),
    ):
        if find_spec(package) is None:
            # ParlAI's version pins conflict with the arena's libraries, but it runs with them.
            how = "--no-deps " if package == "parlai" else ""
            raise MissingPart(f"The package '{package}' is missing: pip install {how}{name}.")
    try:
        return version("parlai")
    except PackageNotFoundError:
        return "unknown"


def datapath() -> Path:
    """Returns the folder of zoo models: PARLAI_DATAPATH as in ParlAI, else a folder in the arena's cache."""
    chosen = os.environ.get("PARLAI_DATAPATH")
    return Path(chosen).expanduser() if chosen else cache_folder() / "parlai"


def locate(model: str) -> Source:
    """Returns the files of a model. A missing zoo model is fetched; if that fails, an error says where to get it."""
    for prefix in ZOO:
        if model.startswith(prefix):
            return Source(_zoo(model.removeprefix(prefix)), None)
    file = Path(model).expanduser()
    if _complete(file):
        return Source(file.resolve(), None)
    name, _, variant = model.partition("/")
    folder = Path(str(find_spec("parlai").origin)).parent / "agents"  # type: ignore[union-attr]
    if ":" in model or (
        (folder / name).is_dir() and (not variant or (folder / name / f"{variant}.py").is_file())
    ):
        return Source(None, model)
    if file.exists():
        raise InputError(
            f"The model file {model} has no {file.name}.opt beside it: give a model that ParlAI saved."
        )
    if len(file.parts) > 2 or file.suffix or model.startswith((".", "/", "~")):
        raise InputError(f"There is no model file {model}: check the path.")
    raise InputError(f"ParlAI has no agent '{model}'{_near(model, list(_agents(folder)))}")


def _agents(folder: Path) -> Iterator[str]:
    for file in folder.glob("*/*.py"):
        name, variant = file.parent.name, file.stem
        if variant in (name, "agents"):
            yield name
        elif not variant.startswith("_"):
            yield f"{name}/{variant}"


def _near(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f": did you mean '{near[0]}'?" if near else ", and there is no such file: check the name."


def _complete(file: Path) -> bool:
    return file.with_name(file.name + ".opt").is_file()


def _zoo(name: str) -> Path:
    file = datapath() / "models" / name
    if _complete(file):  # whatever its `.built` says: ParlAI's own check could delete it
        return file
    parlai_compat.apply()
    from parlai.core.build_data import modelzoo_path

    try:
        with parlai_compat.hushed():
            file = Path(modelzoo_path(str(datapath()), f"zoo:{name}"))
    except ImportError as error:
        from parlai.zoo.model_list import model_list

        known = [str(entry["path"]).removeprefix("zoo:") for entry in model_list]
        if name not in known:
            raise InputError(f"ParlAI's zoo has no model '{name}'{_near(name, known)}") from error
        raise MissingPart(
            f"The zoo model '{name}' needs code that ParlAI's package leaves out ({error}): choose another."
        ) from error
    if not _complete(file):
        raise MissingPart(
            f"The folder {file.parent} says that the zoo model '{name}' is there, but {file.name}.opt is not: "
            "remove its file .built, or put the model's unpacked files there."
        )
    return file


def revision(source: Source, options: Mapping[str, Any]) -> str:
    """Returns ParlAI's version with a hash of every file that affects the replies."""
    total = hashlib.sha256()
    files = [*(_belonging(source.file) if source.file else ())]
    for value in options.values():
        if isinstance(value, str) and (path := Path(value).expanduser()).exists():
            files += sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    for path in files:
        stat = path.stat()
        total.update(f"{path.name}\0{_hash(path, stat.st_size, stat.st_mtime_ns)}\0".encode())
    return f"parlai {installed()} {total.hexdigest()}"


def _belonging(file: Path) -> list[Path]:
    return sorted(
        path
        for path in file.parent.glob(f"{file.name}*")
        if path.is_file()
        and path.name[len(file.name) :].startswith((".", "-")) | (path == file)
        and not path.name.endswith(RESULTS)
        and ".checkpoint" not in path.name
    )


@lru_cache(maxsize=512)
def _hash(path: Path, size: int, changed: int) -> str:  # noqa: ARG001
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
