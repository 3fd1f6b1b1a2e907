"""The attacks that were once found, by commands and short programs, on this revision and on an older one.

OLD=/path/to/an/older/checkout adds the older one; ATTACKS=h1,m6 takes only those whose names begin so. Each line says
whether the attack works there and here.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.measure import _attacks, _attacks_by_models, _attacks_by_programs
from tests.measure._attacked import ROOT, Attacked

ATTACKS: dict[str, Callable[[Attacked], bool]] = {
    name.replace("_", " "): function
    for module in (_attacks, _attacks_by_models, _attacks_by_programs)
    for name, function in vars(module).items()
    if name.split("_")[0]
    in ("h1", "h2", "h3", "h4", "h5", "h6", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "low")
}


@contextmanager
def _folder(revision: Path) -> Iterator[Attacked]:
    folder = Path(tempfile.mkdtemp())
    try:
        yield Attacked(revision, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    revisions = [Path(os.environ["OLD"])] if os.environ.get("OLD") else []
    wanted = tuple(filter(None, os.environ.get("ATTACKS", "").split(",")))
    for name, attack in ATTACKS.items():
        if wanted and not name.startswith(wanted):
            continue
        collected = []
        for revision in (*revisions, ROOT):
            with _folder(revision) as at:
                collected.append("works" if attack(at) else "fails")
        print(f"{name}: {' there, '.join(collected)} here", flush=True)
