"""Judges a single answer that belongs to no tournament."""

from __future__ import annotations

from typing import Any

from arena.core.types import Case, JudgeSpec
from judges import registry
from judges.sound import judged


async def judge_case(spec: JudgeSpec, case: Case) -> dict[str, Any]:
    """The facts that `arena judges try --json` prints."""
    judge = registry.from_spec(spec)
    try:
        judgement = (await judged(judge, [case]))[0]
    finally:
        await judge.close()
    return {
        "judge": judge.name,
        "revision": judge.revision,
        "tau": judge.tau,
        "contradiction": judgement.contradiction,
        "classes": dict(judgement.classes),
        "evidence": dict(judgement.evidence),
        "reason": judgement.reason,
    }
