"""The whole suite, slow tests included, and the share of our lines that it runs, commands' own processes too."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict

PACKAGES = ("arena", "bots", "inquirer", "judges", "db", "ui")


def main() -> None:
    tests = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadscope", "-q"]
    options = [*(f"--cov={name}" for name in PACKAGES), "--cov-report=term"]
    output = subprocess.run([*tests, *options], capture_output=True, text=True)
    answers = [line.split() for line in output.stdout.splitlines() if line.rstrip().endswith("%")]
    lines: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, statements, missed, _ in (row for row in answers if len(row) == 4):
        package = "all" if name == "TOTAL" else name.split("/")[0]
        lines[package][0] += int(statements)
        lines[package][1] += int(missed)
    for package, (statements, missed) in lines.items():
        print(f"   {package}: {1 - missed / max(1, statements):.1%} of {statements} lines")
    print("\n".join(f"   {line}" for line in output.stdout.splitlines()[-6:]))
