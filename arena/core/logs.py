"""Logging to standard error."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping

from arena.core.errors import InputError
from arena.core.safe_text import terminal

VARIABLE = "ARENA_LOG"
LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
ROOTS = ("arena", "bots", "db", "inquirer", "judges")


class _Formatter(logging.Formatter):
    """Removes terminal control characters from log lines."""

    def format(self, record: logging.LogRecord) -> str:
        return terminal(super().format(record), lines=True)


def configure(verbose: bool, environment: Mapping[str, str] = os.environ) -> None:
    """Set up logging. `--verbose` shows level info, ARENA_LOG any level; without both, Python's default applies."""
    chosen = environment.get(VARIABLE, "").strip().lower() or ("info" if verbose else "")
    if not chosen:
        return
    if chosen not in LEVELS:
        raise InputError(f"{VARIABLE} is '{chosen}': give one of {', '.join(LEVELS)}.")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%H:%M:%S"))
    for name in ROOTS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(LEVELS[chosen])
        logger.propagate = False
