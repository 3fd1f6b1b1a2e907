"""Drills, which generate cases that the kinds of facts do not cover."""

from __future__ import annotations

import random
from dataclasses import replace

from arena.training.judges.drills.base import Drill
from arena.training.judges.drills.clock import clock
from arena.training.judges.drills.dressing import Dressing
from arena.training.judges.drills.life import life
from arena.training.judges.drills.machine import machine
from arena.training.judges.drills.places import places, sorts
from arena.training.judges.drills.several import several
from arena.training.judges.drills.tense import tense
from arena.training.judges.drills.work import jobs
from arena.training.judges.pairs import NEUTRAL
from arena.training.judges.style import sloppy
from arena.training.judges.triples import Triple

DRILLS: dict[str, tuple[Drill, int]] = {
    "jobs": (jobs, 19), "life": (life, 24), "tense": (tense, 10), "places": (places, 4), "sorts": (sorts, 4),
    "clock": (clock, 8), "machine": (machine, 13), "several": (several, 18),
}  # fmt: skip
"""The drills and their shares in per cent."""


def drills(source: random.Random, held: bool, number: int) -> list[Triple]:
    """Return about this many cases. Each drill has its share; some answers ramble, and some questions are evaded."""
    dressing, triples = Dressing(source), []
    for name, (drill, share) in DRILLS.items():
        endless, last = drill(source, held), ""
        for _ in range(number * share // 100):
            statement, question, answer, label, *flags = next(endless)
            if source.random() < 0.12:
                answer = dressing.rambling(answer)
            single = flags[0] if flags else None
            case = Triple(
                sloppy(statement, source), question, sloppy(answer, source), label, "drill", name, single
            )
            triples.append(case)
            if question != last and source.random() < 0.15:
                triples.append(
                    replace(case, answer=dressing.evasive(question), label=NEUTRAL, case="evasion")
                )
            last = question
    return triples
