#!/usr/bin/env python3
"""Writes the hashes of every published file of each pinned package.

`python .ci/lock.py` reads the pins of the files below and writes them again, with the hashes that the package index
gives. To change a pin, edit its version (`name==version`) and run it. `--check` changes nothing and fails if a file
would change. It needs the package index that pip is set up for (PIP_INDEX_URL, or pip's own configuration).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from urllib.request import Request, urlopen

ROOT = Path(__file__).parents[1]
HEADS = {
    "requirements.lock": (
        "# Every package with the hashes of all its published files; written by .ci/lock.py.\n"
        "# Installed with --require-hashes. torch is in requirements-torch.txt, the project itself comes apart.\n"
    ),
    "requirements-spacy.lock": (
        "# What the extra `spacy` adds, with hashes; written by .ci/lock.py. `make install` leaves it out.\n"
    ),
    "requirements-torch.txt": (
        "# torch with the hashes of every platform's build, and of the CPU build for Linux;\n"
        "# written by .ci/lock.py. A CUDA build wants NVIDIA's libraries beside it, which are not locked.\n"
    ),
}
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s\\;]+)")
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
FILE = re.compile(r"#sha256=([0-9a-f]{64})")


def index() -> str:
    """The address of the package index that pip would ask on this machine."""
    from pip._internal.models.index import PyPI

    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    address = (
        os.environ.get("PIP_INDEX_URL") or subprocess.run(command, capture_output=True, text=True).stdout
    )
    return (address.strip() or PyPI.simple_url).rstrip("/")


class Links(HTMLParser):
    """File names and hashes of an index page."""

    def __init__(self) -> None:
        super().__init__()
        self.files: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href") if tag == "a" else None
        if href and (match := FILE.search(href)):
            self.files.append((unquote(href.partition("#")[0].rpartition("/")[2]), match[1]))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def version_of(file: str, name: str) -> str | None:
    """The version in the name of a wheel or source archive."""
    stem = re.sub(r"\.(tar\.gz|tar\.bz2|zip|whl|egg)$", "", file)
    for cut in range(len(stem)):
        if stem[cut] == "-" and normal(stem[:cut]) == normal(name):
            return stem[cut + 1 :].split("-")[0] if file.endswith(".whl") else stem[cut + 1 :]
    return None


def published(name: str, version: str) -> set[str]:
    request = Request(f"{index()}/{normal(name)}/", headers={"Accept": "text/html"})
    with urlopen(request, timeout=60) as answer:
        page = Links()
        page.feed(answer.read().decode())
    # A local part (2.13.0+cpu) is another build of the same version.
    return {hash for file, hash in page.files if (version_of(file, name) or "").partition("+")[0] == version}


def locked(path: Path) -> str:
    """The file's new text. Hashes that the index does not know (builds of other indexes) stay, for the same version."""
    text = path.read_text()
    blocks = re.split(r"\n(?=[A-Za-z0-9])", "\n" + re.sub(r"(?m)^#.*\n", "", text).lstrip("\n"))
    entries = []
    for block in filter(None, map(str.strip, blocks)):
        pin = PIN.match(block)
        if pin is None:
            sys.exit(f"{path.name}: '{block[:60]}' is not a pin such as click==8.5.1")
        name, version = pin[1], pin[2]
        kept = HASH.findall(block) if path.name == "requirements-torch.txt" else []
        hashes = published(name, version) | set(kept)
        if not hashes:
            sys.exit(f"{path.name}: the index has no file of {name}=={version}")
        lines = [f"{name}=={version}", *(f"    --hash=sha256:{hash}" for hash in sorted(hashes))]
        entries.append((normal(name), " \\\n".join(lines)))
    return HEADS[path.name] + "\n".join(entry for _, entry in sorted(entries)) + "\n"


def main() -> None:
    changed = []
    for name in HEADS:
        path = ROOT / name
        new = locked(path)
        if new != path.read_text():
            changed.append(name)
            if "--check" not in sys.argv:
                path.write_text(new)
    print(f"changed: {', '.join(changed) or 'nothing'}")
    if changed and "--check" in sys.argv:
        sys.exit(1)


if __name__ == "__main__":
    main()
