"""Detects another distribution's `bots`, `db`, `inquirer`, `judges` or `ui` in place of the arena's own.

These names are common; for example, a terminal library is also called `inquirer`. Two distributions with the
same top-level package overwrite each other's files when they are installed into one environment, and a folder
of that name next to a script hides the installed package. Each of the arena's packages therefore carries a
marker in its `__init__.py`.
"""

from __future__ import annotations

from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

from arena.core.errors import MissingPart

PACKAGES = ("bots", "db", "inquirer", "judges", "ui")
MARKER = "Part of Consistency Arena."
OWN = "consistency-arena"


def problem(package: str) -> str | None:
    """Return a sentence if `import package` would import something else than the arena's package, else None.

    Nothing is imported.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return f"The arena's package '{package}' is missing: install consistency-arena again."
    file = Path(spec.origin)
    if MARKER in file.read_text(encoding="utf-8", errors="replace"):
        return None
    others = [name for name in packages_distributions().get(package, []) if name != OWN]
    owner = f"the distribution '{others[0]}'" if others else f"{file.parent}"
    return (
        f"The package '{package}' of {owner} hides the arena's own package of that name: "
        "install consistency-arena into an environment of its own and start it from another folder."
    )


def check() -> None:
    """Raise an error if another package hides one of the arena's packages."""
    for package in PACKAGES:
        sentence = problem(package)
        if sentence is not None:
            raise MissingPart(sentence)
