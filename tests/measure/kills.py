"""100 SIGKILLs at random instants of one tournament."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.support.killing import kill_and_resume


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(kill_and_resume(Path(folder), kills=100, dialogues=600))
