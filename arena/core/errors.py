"""The errors that a user can meet; each is one sentence that also says what to do.

ArenaError
├── InputError        the user's input is wrong (exit code 2)
├── MissingPart       something is not installed, not downloaded or not reachable (exit code 2)
├── StoreError        the database cannot be used (exit code 2)
│   └── StoreLost     the database is locked, restarting or out of reach; a retry may help
├── BotError          a bot failed to answer
│   └── BotRefused    a bot failed to answer, and a retry would not help
└── BudgetSpent       the tournament's budget is used up
"""

from __future__ import annotations

from pathlib import Path


class ArenaError(Exception):
    """Base of all errors that reach a user as one sentence."""

    exit_code = 2

    def __init__(self, message: str = "") -> None:
        super().__init__(_plain(_short(message)))


class InputError(ArenaError):
    """The user's input is wrong."""


class MissingPart(ArenaError):
    """A package, model or file that is needed is missing."""


class StoreError(ArenaError):
    """The database cannot be used as requested."""


class StoreLost(StoreError):
    """The database is temporarily unavailable; a retry may help."""


class BotError(ArenaError):
    """A bot failed to answer. Failures are counted by the short name in `reason`."""

    def __init__(self, message: str, reason: str = "error", retry_after: float | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.retry_after = retry_after


class BotRefused(BotError):
    """A bot failed in a way that a retry cannot fix."""


class BudgetSpent(ArenaError):
    """The tournament's budget is used up."""


def unreadable(path: str | Path, error: OSError | UnicodeDecodeError) -> InputError:
    """Return the sentence about a text file that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return InputError(f"There is no file {path}; check the path.")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path} is a folder; name a file in it.")
    if isinstance(error, OSError):
        return InputError(f"{path} cannot be read ({error.strerror or error}); check path and permissions.")
    with Path(path).open("rb") as lines:  # the error has only the position within a chunk
        line = next((n for n, each in enumerate(lines, 1) if not _decodes(each)), 1)
    return InputError(
        f"{path}, line {line}: this is not UTF-8 text; save the file as UTF-8, or name another."
    )


def _decodes(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


LONGEST = 2000  # characters of a sentence; what it quotes may be a megabyte


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 500]} … {text[-400:]}"


def _plain(text: str) -> str:
    """Remove control characters from quoted text, which could hide the rest of the sentence on a terminal."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text
    )
