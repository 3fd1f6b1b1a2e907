"""Every failure a user can meet, as one sentence with the cure.

ArenaError
├── InputError        the user's input is wrong (exit code 2)
├── MissingPart       something is not installed, not downloaded or not reachable (exit code 2)
├── StoreError        the database refused (exit code 2)
│   └── StoreLost     … for now: it is locked, restarting or out of reach
├── BotError          a bot failed to answer
│   └── BotRefused    … and asking again would not help
└── BudgetSpent       the tournament's budget is used up
"""

from __future__ import annotations


class ArenaError(Exception):
    """Base of all errors that reach a user as one sentence."""

    exit_code = 2

    def __init__(self, message: str = "") -> None:
        super().__init__(_plain(message))


class InputError(ArenaError):
    """What the user gave is wrong."""


class MissingPart(ArenaError):
    """A package, model or file that is needed is not there."""


class StoreError(ArenaError):
    """The database cannot be used as asked."""


class StoreLost(StoreError):
    """The database is not there for now; asking again may help."""


class BotError(ArenaError):
    """A bot failed; `reason` is the short name under which the failure is counted."""

    def __init__(self, message: str, reason: str = "error", retry_after: float | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.retry_after = retry_after


class BotRefused(BotError):
    """A bot failed in a way that no retry mends."""


class BudgetSpent(ArenaError):
    """The tournament's budget is used up."""


def _plain(text: str) -> str:
    """What a sentence quotes may hold a control character that swallows the rest of it on a terminal."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text
    )
