"""Size limits: no function over a complexity of 20, no file over 350 lines, in the program and in its tests.

`python -m tests.limits` prints what breaks a limit. `tests/limits.txt` lists the exceptions: a folder (`path/`) is
left alone, a file may be long, a function (`path:name`) may be complex. An exception that is no longer needed
has to be deleted, so the list only gets shorter.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from radon.complexity import cc_visit
from radon.visitors import Class

ROOT = Path(__file__).parents[1]
FOLDERS = ("arena", "bots", "db", "docs", "examples", "inquirer", "judges", "tests", "ui")
COMPLEXITY, LINES = 20, 350


def breaches(path: str, source: str) -> Iterator[tuple[str, str]]:
    """What breaks a limit in one file: the name that the list of exceptions would use, and the sentence."""
    lines = source.count("\n")
    if lines > LINES:
        yield path, f"{path}: {lines} lines, at most {LINES} are allowed"
    for block in cc_visit(source):
        if not isinstance(block, Class) and block.complexity > COMPLEXITY:
            name = f"{path}:{block.fullname}"
            yield name, f"{name}: complexity {block.complexity}, at most {COMPLEXITY} is allowed"


def problems(files: Iterable[tuple[str, str]], exceptions: Iterable[str]) -> list[str]:
    """Breaches that are not listed, and listed exceptions that nothing needs."""
    listed = set(exceptions)
    folders = tuple(name for name in listed if name.endswith("/"))
    used, result = set(), []
    for path, source in files:
        for name, sentence in breaches(path, source):
            folder = next((folder for folder in folders if path.startswith(folder)), None)
            if folder or name in listed:
                used.add(folder or name)
            else:
                result.append(sentence)
    return result + [
        f"tests/limits.txt: {name} breaks no limit; delete the line" for name in sorted(listed - used)
    ]


def sources(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Every Python file of the project, by its path from the root."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def exceptions(root: Path = ROOT) -> list[str]:
    lines = (root / "tests" / "limits.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


if __name__ == "__main__":
    broken = problems(sources(), exceptions())
    print("\n".join(broken) or "No file and no function is over its limit.")
    sys.exit(1 if broken else 0)
