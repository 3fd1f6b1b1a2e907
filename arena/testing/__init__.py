"""Conformance checks for plug-ins: `check_bot`, `check_judge`, `check_writer`.

Each takes the object behind the entry point, uses it as a tournament would, and raises an AssertionError that
lists everything that would go wrong. They belong in the plug-in's own tests; `docs/extending.md` shows three.
"""

from arena.testing.bots import check_bot
from arena.testing.judges import check_judge
from arena.testing.writers import check_writer

__all__ = ["check_bot", "check_judge", "check_writer"]
