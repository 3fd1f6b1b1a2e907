"""Releases, stopping, stability."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from arena.stats import simulate
from arena.stats.comparison import Verdict, compare
from arena.stats.counts import Counts
from arena.stats.sequential import StoppingPlan, decide
from arena.stats.stability import stability
from tests.measure._statistics.rates import unranked, with_openers
from tests.stats import trials

Figures = dict[str, Any]

# (rate a, rate b, inquiries a, inquiries b, dialogues a, dialogues b, correlation, paired)
UNCHANGED_RATES = (
    (0.25, 0.25, 4, 4, 20, 20, 0.1, True),
    (0.25, 0.25, 4, 4, 20, 60, 0.1, True),
    (0.25, 0.25, 4, 4, 40, 40, 0.1, False),
    (0.25, 0.25, 4, 1, 20, 100, 0.3, True),
    (0.25, 0.25, 1, 6, 60, 20, 0.3, False),
    (0.25, 0.25, 6, 1, 20, 100, 0.5, False),
    (0.02, 0.02, 4, 4, 20, 20, 0.1, True),
    (0.02, 0.02, 4, 1, 20, 100, 0.1, False),
    (0.02, 0.02, 4, 4, 100, 100, 0.3, True),
)
CHANGED_RATES = (
    (0.25, 0.35, 4, 4, 40, 40, 0.1, True),
    (0.25, 0.35, 4, 4, 20, 20, 0.1, True),
    (0.25, 0.30, 4, 4, 100, 100, 0.1, True),
    (0.02, 0.05, 4, 4, 100, 100, 0.1, True),
    (0.0, 0.02, 4, 4, 100, 100, 0.1, True),
)


def _sides(rng: np.random.Generator, row: tuple[Any, ...]) -> tuple[Counts, Counts]:
    rate_a, rate_b, asked_a, asked_b, many_a, many_b, correlation, _ = row
    names = ("a", "b", "c", "d")
    flat = np.full((4, 4), 0.25)
    flat[:, 0] = rate_a
    a = simulate.tournament(names, flat, np.full((4, 4), float(asked_a)), many_a, correlation, rng)
    moved = flat.copy()
    moved[:, 0] = rate_b
    return a, simulate.tournament(names, moved, np.full((4, 4), float(asked_b)), many_b, correlation, rng)


def releases(times: int) -> Iterator[Figures]:
    """Four bots, one of them changed; the other three play the very same dialogues in both releases."""
    for kind, rows in (("type I", UNCHANGED_RATES), ("power", CHANGED_RATES)):
        for number, row in enumerate(rows):
            rng = np.random.default_rng([number, len(rows)])
            tests = count = same = held = others = undecided = 0
            for _ in range(times):
                a, b = _sides(rng, row)
                changes = compare(
                    trials.release("a", a), trials.release("b", b, (0,), 0 if row[-1] else 10_000)
                ).changes
                first = changes[0]
                tests += first.p_value <= 0.05
                count += first.verdict in (Verdict.BETTER, Verdict.WORSE)
                same += first.verdict is Verdict.SAME
                undecided += not np.isfinite(first.p_value)
                held += first.low <= row[1] - row[0] <= first.high
                others += any(c.verdict in (Verdict.BETTER, Verdict.WORSE) for c in changes[1:])
            yield {
                "row": f"{kind}: {row[0]} → {row[1]}, inquiries {row[2]}/{row[3]}, dialogues {row[4]}/{row[5]}, "
                f"correlation {row[6]}, {'paired' if row[7] else 'unpaired'}",
                "p_at_most_.05": tests / times,
                "better_or_worse": count / times,
                "same": same / times,
                "coverage": held / times,
                "unchanged_bots_told_apart": others / times,
                "withheld": undecided / times,
            }


# (name, rates, inquiries by bot under test, correlation, openers)
STOPPING = (
    ("usual", (0.25,) * 4, (4.0,) * 4, 0.1, 0),
    ("rate 0.02", (0.02,) * 4, (4.0,) * 4, 0.2, 0),
    ("asked 0.3, 0.3, 4, 4 per dialogue", (0.25,) * 4, (0.3, 0.3, 4.0, 4.0), 0.1, 0),
    ("asked 0.3, 0.3, 4, 4 per dialogue, rate 0.05", (0.05,) * 4, (0.3, 0.3, 4.0, 4.0), 0.1, 0),
    ("two bots, correlation 0.5", (0.25,) * 2, (4.0,) * 2, 0.5, 0),
    ("50 weak openers of their own", (0.25,) * 4, (4.0,) * 4, 0.0, 50),
)


def stopping(times: int) -> Iterator[Figures]:
    """Equal bots under --until-stable 0.95: any claim at any look is wrong; then bots that differ."""
    for name, rates, asked, correlation, openers in STOPPING:
        n = len(rates)
        rng = np.random.default_rng(
            [n, int(100 * correlation), openers, int(10 * asked[0]), int(100 * rates[0])]
        )
        wrong, withheld = 0, 0.0
        for _ in range(times):
            if openers:
                counts = with_openers(np.array(rates), openers, 200, rng)
            else:
                counts = simulate.tournament(
                    tuple(f"b{k}" for k in range(n)), np.broadcast_to(rates, (n, n)),
                    np.broadcast_to(asked, (n, n)), 200, correlation, rng,
                )  # fmt: skip
            wrong += bool(decide(counts, np.ones((n, n), bool), StoppingPlan(200)).claims.any())
            withheld += unranked(counts) / times
        yield {"row": f"equal bots: {name}", "wrong": wrong / times, "withheld": withheld}
    for correlation in (0.0, 0.2):
        saved = trials.savings(times, correlation)
        yield {
            "row": f"AIH's bots, correlation {correlation}",
            "used": float(saved.used),
            "right_order": float(saved.right),
            "settled": float(saved.settled),
        }


def curves(times: int) -> Iterator[Figures]:
    """Two bots, 100 dialogues per pair: how often "95% from" is given, and what fresh tournaments of that size give."""
    for gap in (0.0, 0.01, 0.05, 0.10):
        rng = np.random.default_rng([3, int(100 * gap)])
        given, right, withheld = 0, [], 0.0
        for trial in range(times):
            rates = np.array([[0.3, 0.3 + gap]] * 2)
            counts = simulate.tournament(("a", "b"), rates, np.full((2, 2), 4.0), 100, 0.1, rng)
            measured = stability(counts, rounds=400, seed=trial)
            size = measured.curve.stable_at()
            given += size is not None
            withheld += unranked(counts) / times
            if size is not None and gap:
                m, c = simulate.play(rates, np.full((2, 2), 4.0), size, 0.1, rng, rounds=200)
                fresh = (c.sum(3) / np.maximum(m.sum(3), 1)).mean(1)
                right.append(float(np.mean((fresh[:, 0] < fresh[:, 1]) == (measured.reference[0] == "a"))))
        yield {
            "row": f"two bots, {gap:g} apart",
            "given": given / times,
            "withheld": withheld,
            "fresh_tournaments_of_that_size_agree": float(np.mean(right)) if right else None,
        }


ROWS = {"releases": (releases, 1000), "stopping": (stopping, 500), "curves": (curves, 500)}
