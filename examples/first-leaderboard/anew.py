"""Holds dialogues that were played anew against the published ones.

`python examples/first-leaderboard/anew.py ANEW PUBLISHED` takes two databases and prints both rates of each bot.
They agree if the difference is within its 95% interval, a dialogue counting as one observation.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import arena


def table(anew: str, published: str, release: str = "first-leaderboard") -> list[str]:
    boards = [arena.open(release, db=db).leaderboard(judge="nli").frame for db in (anew, published)]
    lines = ["| bot | anew | inquiries | published | inquiries | agrees |", "|---|---|---|---|---|---|"]
    for name, old in boards[1].iterrows():
        if not old.inquiries or name not in boards[0].index:
            continue
        new = boards[0].loc[name]
        if not new.inquiries:
            lines.append(f"| `{name}` | – | 0 | {old.contradiction_rate:.3f} | {old.inquiries} | – |")
            continue
        low, high = interval(new, old)
        cells = (
            f"{new.contradiction_rate:.3f}",
            new.inquiries,
            f"{old.contradiction_rate:.3f}",
            old.inquiries,
        )
        agrees = "yes" if low <= 0 <= high else "no"
        lines.append(f"| `{name}` | " + " | ".join(map(str, cells)) + f" | {agrees} |")
    return lines


def interval(new: object, old: object) -> tuple[float, float]:
    """Of the difference, from the two intervals (Newcombe's hybrid score interval)."""
    a, a_low, a_high = bounds(new)
    b, b_low, b_high = bounds(old)
    delta = a - b
    return delta - math.hypot(a - a_low, b_high - b), delta + math.hypot(a_high - a, b - b_low)


def bounds(bot: object) -> tuple[float, float, float]:
    return bot.contradiction_rate, bot.ci_low, bot.ci_high  # type: ignore[attr-defined]


def main(words: Sequence[str]) -> int:
    if len(words) != 2:
        print(__doc__)
        return 2
    lines = table(*words)
    print("\n".join(lines))
    return 1 if any(line.endswith("| no |") for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
