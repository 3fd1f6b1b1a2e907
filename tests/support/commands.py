"""Runs the program's commands within the test's process."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from arena.cli import main


@dataclass
class Finished:
    code: int
    stdout: str
    stderr: str


def run(folder: Path, *arguments: str) -> Finished:
    """A command as a shell sees it."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main([*arguments, "--db", f"sqlite:///{folder / 'arena.db'}"])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
    return Finished(code, out.getvalue(), err.getvalue())
