"""What a judge says, checked before anybody keeps it; too little memory halves the batch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from arena.core.errors import ArenaError
from arena.core.types import Case, Judgement
from judges.base import Judge


class JudgeFailed(ArenaError):
    """A judge broke off; what it judged before is stored."""


async def judged(judge: Judge, cases: Sequence[Case]) -> list[Judgement]:
    """One sound judgement a case: what a model could not say has a reason."""
    try:
        found = await judge.judge(cases)
    except ArenaError:
        raise
    except Exception as error:
        if not out_of_memory(error):
            raise JudgeFailed(
                f"The judge '{judge.name}' failed ({type(error).__name__}: {error}); what it judged before is stored: "
                "fix it and run the same command again."
            ) from error
        if len(cases) == 1:
            return [Judgement(None, reason="out_of_memory")]
        half = len(cases) // 2
        return [*await judged(judge, cases[:half]), *await judged(judge, cases[half:])]
    if len(found) != len(cases):
        raise JudgeFailed(
            f"The judge '{judge.name}' gave {len(found)} judgements for {len(cases)} cases; fix or replace it."
        )
    return [sound(one) for one in found]


def sound(said: Judgement) -> Judgement:
    """A number from 0 to 1 or a reason; NaN is none, and no database keeps it."""
    if any(not math.isfinite(value) for value in said.classes.values()):
        said = replace(said, classes={k: v for k, v in said.classes.items() if math.isfinite(v)})
    if said.contradiction is None:
        return said if said.reason else replace(said, reason="no_number")
    if not 0.0 <= said.contradiction <= 1.0:
        return replace(said, contradiction=None, reason="no_number")
    return said


def out_of_memory(error: BaseException) -> bool:
    """torch says it in several ways, and is not imported to ask."""
    said = f"{type(error).__name__}: {error}".lower()
    return isinstance(error, MemoryError) or "outofmemory" in said or "allocate memory" in said
