"""Measures the verdicts per second of the embedded judge as a tournament uses it, of its bare network, and of
judging one pair at a time.
"""

from __future__ import annotations

import time
from typing import Any

SOURCES = (
    "I went to {} last summer with my sister and we stayed for two weeks near the sea.",
    "My favourite place is {}, although I never lived there.",
    "I work as a nurse in {} and I like it a lot.",
)
ANSWERS = (
    "{}, I think.",
    "I have never been to {}.",
    "It was {} where we stayed, in a small hotel by the sea.",
    "No.",
)
PLACES = ("Rome", "Paris", "Lisbon", "Oslo", "Vienna", "Prague", "Athens", "Dublin", "Madrid", "Bern")


async def verdicts(quick: bool) -> dict[str, Any]:
    """Measure the three in turn, on a third of the pairs at a time."""
    from arena.core.types import Case
    from judges import registry
    from judges.embedded import embedded, hypothesis

    cases = [
        Case(source.format(city), "Where did you go?", answer.format(other))
        for source in SOURCES
        for city in PLACES
        for other in PLACES[: 3 if quick else 10]
        for answer in ANSWERS
    ]
    judge, network = registry.create("nli", "nli"), embedded()
    pairs = [(case.source, hypothesis(case.question, case.answer)) for case in cases]
    network.score(pairs[:8])
    spent = {"judge": 0.0, "bare": 0.0, "loop": 0.0}
    counts = dict.fromkeys(spent, 0)
    for part in range(3):
        some, few = slice(part, None, 3), slice(part, None, 30)
        began = time.perf_counter()
        counts["judge"] += len(await judge.judge(cases[some]))
        spent["judge"] += time.perf_counter() - began
        began = time.perf_counter()
        counts["bare"] += len(network.score(pairs[some]))
        spent["bare"] += time.perf_counter() - began
        began = time.perf_counter()
        for pair in pairs[few]:
            counts["loop"] += len(network.score([pair]))
        spent["loop"] += time.perf_counter() - began
    rate = {name: round(counts[name] / spent[name], 1) for name in spent}
    return {
        "pairs_per_second": rate["judge"],
        "bare_pairs_per_second": rate["bare"],
        "loop_pairs_per_second": rate["loop"],
    }


def stability_seconds(quick: bool) -> float:
    """Measure how long the stability curve takes for a tournament simulated from AIH's published table."""
    import numpy as np

    from arena.stats.simulate import AIH_BOTS, AIH_HUMAN, AIH_QUESTIONS, tournament
    from arena.stats.stability import stability

    dialogues = 50 if quick else 200
    counts = tournament(AIH_BOTS, AIH_HUMAN, AIH_QUESTIONS, dialogues, 0.05, np.random.default_rng(0))
    began = time.perf_counter()
    stability(counts)
    return round(time.perf_counter() - began, 2)
