"""Checks a judge's output before it is stored, and retries with half the batch when memory runs out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from arena.core.errors import ArenaError
from arena.core.safe_text import storable
from arena.core.types import Case, Judgement
from judges.base import Judge


class JudgeFailed(ArenaError):
    """A judge failed during a run; its judgements before the failure are stored."""


async def judged(judge: Judge, cases: Sequence[Case]) -> list[Judgement]:
    """Return one valid judgement per case. A case for which memory runs out gets a reason instead of a score."""
    try:
        judgements = await judge.judge(cases)
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
    if len(judgements) != len(cases):
        raise JudgeFailed(
            f"The judge '{judge.name}' gave {len(judgements)} judgements for {len(cases)} cases; fix or replace it."
        )
    return [sound(one) for one in judgements]


def sound(judgement: Judgement) -> Judgement:
    """Make sure that a judgement has a score from 0 to 1, or a reason. No database can store NaN.

    Evidence that no database can store is left out, because it would break every later export.
    """
    if judgement.evidence and not storable(dict(judgement.evidence)):
        judgement = replace(judgement, evidence={})
    if any(not math.isfinite(value) for value in judgement.classes.values()):
        judgement = replace(
            judgement, classes={k: v for k, v in judgement.classes.items() if math.isfinite(v)}
        )
    if judgement.contradiction is None:
        return judgement if judgement.reason else replace(judgement, reason="no_number")
    if not 0.0 <= judgement.contradiction <= 1.0:
        return replace(judgement, contradiction=None, reason="no_number")
    return judgement


def out_of_memory(error: BaseException) -> bool:
    """Recognise torch's various out-of-memory errors without importing torch."""
    message = f"{type(error).__name__}: {error}".lower()
    return isinstance(error, MemoryError) or "outofmemory" in message or "allocate memory" in message
