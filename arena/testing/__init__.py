"""Conformance checks for plug-ins: `check_bot`, `check_judge`, `check_writer`.

Each check takes the object behind the entry point and uses it as a tournament would. It raises an
AssertionError that lists every problem. The checks belong in the plug-in's own tests; `docs/extending.md` shows
three examples.
"""

from arena.testing.bots import check_bot
from arena.testing.judges import check_judge
from arena.testing.writers import check_writer

__all__ = ["check_bot", "check_judge", "check_writer"]
