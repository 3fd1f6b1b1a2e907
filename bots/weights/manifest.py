"""Hashes files, keeps a manifest of a folder's hashes, and writes files that survive a power failure."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

NAME = "manifest.json"


def hash_of(path: Path) -> str:
    """Returns the file's sha256.

    The hash is cached in this process as long as the file's size and modification time stay the same.
    """
    stat = path.stat()
    return _hash_once(str(path), stat.st_size, stat.st_mtime_ns, stat.st_ino)


@lru_cache(maxsize=256)
def _hash_once(path: str, _size: int, _changed: int, _inode: int) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(folder: Path, facts: Mapping[str, Any]) -> None:
    """Writes the manifest of a folder's files and syncs everything to disk."""
    files = {path.name: hash_of(path) for path in _files(folder)}
    target = folder / NAME
    target.write_text(json.dumps({**facts, "files": files}, indent=1) + "\n", encoding="utf-8")
    for path in (*_files(folder), target):
        sync(path)
    sync(folder)


def read(folder: Path) -> dict[str, Any]:
    """Returns the manifest. It is empty if the file is missing or unreadable."""
    if not (folder / NAME).is_file():  # opening a pipe would wait for whoever writes into it
        return {}
    try:
        facts = json.loads((folder / NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return facts if isinstance(facts, dict) and isinstance(facts.get("files"), dict) else {}


def damaged(folder: Path, chosen: Callable[[str], bool] = lambda _: True) -> str | None:
    """Returns the first file that is missing, changed or not in the manifest. None if all files are intact."""
    wanted = read(folder).get("files")
    if not wanted:
        return NAME
    here = {
        path.name for path in folder.iterdir() if path.name != NAME
    }  # folders too, because libraries read them
    for name in sorted(here ^ set(wanted)):
        return name
    return next(
        (name for name in sorted(wanted) if chosen(name) and not _intact(folder / name, wanted[name])), None
    )


def _intact(path: Path, sha256: object) -> bool:
    """Whether this is a file with that hash. A folder, a pipe or a link to nothing is not."""
    try:
        return path.is_file() and hash_of(path) == sha256
    except OSError:
        return False


def sync(path: Path) -> None:
    """Syncs the file or folder to disk, so that a later rename never exposes an empty file."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:  # some file systems cannot sync a folder
        if path.is_file():
            raise
    finally:
        os.close(handle)


def _files(folder: Path) -> Iterable[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file() and path.name != NAME)
