"""An hour of spoilt inputs for every parser, two seconds at most for each input. FUZZ_MINUTES changes the hour."""

from __future__ import annotations

import os
import time
from pathlib import Path

from tests.fuzz.parsers import run


def main() -> None:
    minutes = float(os.environ.get("FUZZ_MINUTES", "60"))
    seed = int(os.environ.get("FUZZ_SEED", str(int(time.time()))))
    figures = run(minutes * 60, seed, keep=Path("build/fuzz"))
    print(f"seed {seed}")
    for name, figure in figures.items():
        print(f"{name}: {figure['inputs']:.0f} inputs, the longest took {figure['longest']:.3f} s")
