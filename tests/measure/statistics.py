"""The simulations behind docs/measurements/statistics.md: python -m tests.measure statistics.

Each row is a line of JSON in the file that MEASURE_STATISTICS names (default: statistics.jsonl in the folder of
temporary files); rows that are there already are not run again, so that a long study can be made in pieces:
python -m tests.measure.statistics NAME … runs some of them.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from arena.stats import simulate
from arena.stats.stability import stability
from tests.measure import millions
from tests.measure._statistics import comparing, labels, planning, rates, thin
from tests.stats import trials

Row = Callable[[int], Iterator[dict[str, Any]]]
ROWS: dict[str, tuple[Row, int]] = {
    **rates.ROWS,
    **thin.ROWS,
    **labels.ROWS,
    **comparing.ROWS,
    **planning.ROWS,
}


def main(times: float = 1.0, *, big: bool = True, names: list[str] | None = None) -> None:
    """All rows; `times` scales the numbers of repetitions."""
    file = Path(os.environ.get("MEASURE_STATISTICS") or Path(tempfile.gettempdir()) / "statistics.jsonl")
    done = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    known = {(row["study"], row["times"]) for row in done if row.get("end")}
    for name in names or list(ROWS):
        run, usual = ROWS[name]
        repetitions = max(2, round(usual * times))
        if (name, repetitions) not in known:
            before = {row["place"] for row in done if row["study"] == name and row["times"] == repetitions}
            begun = time.perf_counter()
            with file.open("a") as out:
                for place, figures in enumerate(run(repetitions)):
                    if place not in before:
                        row = {"study": name, "times": repetitions, "place": place, **figures}
                        out.write(json.dumps(row) + "\n")
                        out.flush()
                seconds = round(time.perf_counter() - begun)
                out.write(
                    json.dumps(
                        {"study": name, "times": repetitions, "place": -1, "end": True, "seconds": seconds}
                    )
                    + "\n"
                )
        for row in (json.loads(line) for line in file.read_text().splitlines()):
            if row["study"] == name and row["times"] == repetitions:
                print(f"  {name}: {_shown(row)}", flush=True)
    if names is None:
        figure_2(round(1000 * times))
        speed()
        if big:
            print("a leaderboard of millions")
            millions.main()


def figure_2(times: int) -> None:
    """AIH's Figure 2: dialogues per pair at which 95% of tournaments have the experts' ranking."""
    for correlation in (0.0, 0.1, 0.2):
        reached = {
            bot or "all": trials.reaches(trials.reproduced(times, correlation, bot))
            for bot in ("", "DialoGPT", "DialoFlow", "Plato", "Blender")
        }
        print(f"  the experts' ranking, correlation {correlation}: {reached}", flush=True)


def speed() -> None:
    """4 bots x 200 dialogues x all sizes x 1,000 rounds."""
    played = simulate.tournament(
        trials.BOTS, trials.AUTO, trials.QUESTIONS, 200, 0.1, np.random.default_rng(1)
    )
    stability(played, rounds=10)
    best = {"wall": np.inf, "cpu": np.inf}
    for _ in range(5):
        wall, cpu = time.perf_counter(), time.process_time()
        stability(played, simulate.AIH_EXPERTS)
        best["wall"] = min(best["wall"], time.perf_counter() - wall)
        best["cpu"] = min(best["cpu"], time.process_time() - cpu)
    print(f"stability curve, 4 bots x 200 dialogues x all sizes x 1,000 rounds: {_shown(best)} s, best of 5")


def _shown(facts: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}"
        for name, value in facts.items()
    )


if __name__ == "__main__":
    main(names=sys.argv[1:] or None)
