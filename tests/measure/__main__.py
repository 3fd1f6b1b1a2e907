"""What is too long for the tests: python -m tests.measure [NAME …]. Each module prints its figures.

NAME:SIZE makes a measure smaller where its module says so.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import time

import tests.measure


def main() -> None:
    known = [m.name for m in pkgutil.iter_modules(tests.measure.__path__) if not m.name.startswith("_")]
    wanted = sys.argv[1:] or known
    for name, _, argument in (one.partition(":") for one in wanted):
        if name not in known:
            sys.exit(f"There is no measurement '{name}'; known are {', '.join(known)}.")
        begun = time.perf_counter()
        print(f"── {name}", flush=True)
        importlib.import_module(f"tests.measure.{name}").main(*filter(None, [argument]))
        print(f"   {time.perf_counter() - begun:.0f} s", flush=True)


main()
