"""The background process of a run: `python -m arena.cli.detached FOLDER`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from arena.cli import main
from arena.play.launch import read_json, record_process, write_json


def work(folder: Path) -> int:
    """Write the process id to the folder, run the tournament, and write its exit code to the folder."""
    record_process(folder, os.getpid())
    arguments = read_json(folder / "run.json").get("arguments", [])
    code: Any = 1
    try:
        main(["run", str(folder / "tournament.yaml"), *arguments])
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    finally:
        write_json(folder / "exit.json", {"code": code, "at": time.time()})
    return int(code)


if __name__ == "__main__":
    sys.exit(work(Path(sys.argv[1])))
