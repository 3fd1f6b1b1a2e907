"""Planning: the planned number of dialogues has the power that it was planned for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from arena.stats import simulate
from arena.stats.planning import Assumed, Size, detectable, needed, observed
from arena.stats.ranks import ranks
from tests.measure._statistics.rates import unranked, with_openers

Figures = dict[str, Any]


def planned(times: int) -> Iterator[Figures]:
    """Two bots so far apart, the others halfway between them; the plan knows rate, inquiries and correlation."""
    for bots, rate, difference, asked, correlation in (
        (2, 0.25, 0.10, 4.0, 0.1),
        (4, 0.25, 0.10, 4.0, 0.1),
        (4, 0.10, 0.06, 4.0, 0.2),
        (8, 0.30, 0.08, 4.0, 0.1),
        (4, 0.25, 0.15, 1.0, 0.3),
    ):
        rng = np.random.default_rng([bots, int(100 * rate), int(100 * difference)])
        bias = (asked + 1 - asked / 15) / asked  # binomially many inquiries of 15
        assumed = Assumed(rate, asked, correlation, 0.0, bias)
        size = Size(bots, bots, 20, 1, False)
        number = needed(difference, assumed, size)
        assert number is not None
        rates = np.full(bots, rate)
        rates[0], rates[1] = rate - difference / 2, rate + difference / 2
        result, withheld = 0, 0.0
        for _ in range(times):
            counts = simulate.tournament(
                tuple(f"b{k}" for k in range(bots)), np.broadcast_to(rates, (bots, bots)),
                np.full((bots, bots), asked), number, correlation, rng,
            )  # fmt: skip
            result += bool(ranks(counts).below[0, 1])
            withheld += unranked(counts) / times
        yield {
            "row": f"{bots} bots, rate {rate}, {difference} apart, {asked:g} inquiries, correlation {correlation}",
            "dialogues_per_pair": number,
            "power": result / times,
            "withheld": withheld,
            "detectable_at_that_size": detectable(assumed, Size(bots, bots, number, 1, False)),
        }


def components(times: int) -> Iterator[Figures]:
    """Variance components of simulated tournaments against those that they were made with."""
    rng = np.random.default_rng(12)
    result = [observed(with_openers(np.full(4, 0.25), 20, 100, rng))[0] for _ in range(times)]
    yield {
        "row": "20 openers, sd 0.6 on the logit scale: all of the correlation comes from openers",
        "correlation": float(np.mean([one.correlation for one in result])),
        "opener_share": float(np.mean([one.opener_share for one in result])),
    }
    names = tuple("abcd")
    for correlation in (0.0, 0.1, 0.4):
        played = [
            simulate.tournament(names, np.full((4, 4), 0.25), np.full((4, 4), 4.0), 50, correlation, rng)
            for _ in range(times)
        ]
        yield {
            "row": f"correlation {correlation}",
            "correlation": float(np.mean([observed(one)[0].correlation for one in played])),
        }


ROWS = {"planned": (planned, 500), "components": (components, 100)}
