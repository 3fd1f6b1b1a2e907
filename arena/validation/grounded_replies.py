"""Evaluates ordinary replies of bots with knowledge, by judges of groundedness (Q², BEGIN)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

import numpy as np

from arena.core.types import TESTED, Case, Judgement
from arena.stats import metrics
from arena.validation.base import Cell, Table
from arena.validation.scoring import consistency
from db.records import Record
from judges.grounding import replies


@dataclass(frozen=True, slots=True)
class Reply:
    bot: str
    dialogue: str
    index: int
    case: Case


def collect(records: Iterable[Record]) -> list[Reply]:
    """Collect the replies of bots under test from the dialogues in which they had knowledge."""
    return [
        Reply(record.tested, record.key, index, case)
        for record in records
        if (knowledge := record.facts.get("knowledge"))
        for index, case in replies(record.messages, TESTED, str(knowledge))
    ]


def summary(given: Sequence[Reply], judged: Sequence[Judgement], rounds: int, seed: int) -> dict[str, Any]:
    """For each bot, summarise how well its replies follow from its knowledge. Intervals resample whole dialogues."""
    document: dict[str, Any] = {}
    for bot in sorted({reply.bot for reply in given}):
        own = [(r, j) for r, j in zip(given, judged, strict=True) if r.bot == bot]
        scored = [(r.dialogue, score) for r, j in own if (score := consistency(j)) is not None]
        values = np.array([score for _, score in scored], dtype=float)
        estimate = metrics.interval(
            _mean, np.zeros(len(values)), values, groups=[key for key, _ in scored], rounds=rounds, seed=seed
        )
        document[bot] = {
            "replies": len(own),
            "dialogues": len({reply.dialogue for reply, _ in own}),
            "score": estimate.value if len(values) else None,
            "ci_low": estimate.low if len(values) else None,
            "ci_high": estimate.high if len(values) else None,
            "classes": _classes([judgement.classes for _, judgement in own]),
            "unjudged": dict(sorted(Counter(j.reason for _, j in own if j.reason).items())),
        }
    return document


def _mean(_: Any, values: Any) -> float:
    return float(np.mean(values)) if len(values) else float("nan")


def _classes(given: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The share of replies for which each class is the most likely class."""
    named = [max(each, key=lambda name: each[name]) for each in given if each]
    names = dict.fromkeys(name for each in given for name in each)
    return {name: named.count(name) / len(named) for name in names} if named else {}


def table(judge: str, document: Mapping[str, Any]) -> Table:
    classes = list(dict.fromkeys(name for row in document.values() for name in row["classes"]))
    rows: list[tuple[Cell, ...]] = [
        (
            bot,
            *(row[key] for key in ("replies", "dialogues", "score", "ci_low", "ci_high")),
            *(row["classes"].get(name) for name in classes),
            ", ".join(f"{count} × {reason}" for reason, count in row["unjudged"].items()) or None,
        )
        for bot, row in document.items()
    ]
    heads = ("bot", "replies", "dialogues", "score", "low", "high", *classes, "not judged")
    return Table(f"Replies beside their knowledge, judge {judge}", heads, tuple(rows))


def write(judge: str, given: Sequence[Reply], judged: Sequence[Judgement], out: TextIO) -> None:
    """Write one JSON line per reply, with the judge's evidence."""
    for reply, judgement in zip(given, judged, strict=True):
        row = {
            "judge": judge,
            "bot": reply.bot,
            "dialogue": reply.dialogue,
            "index": reply.index,
            "previous": reply.case.context[-1] if reply.case.context else "",
            "reply": reply.case.answer,
            "knowledge": reply.case.knowledge,
            "score": consistency(judgement),
            "contradiction": judgement.contradiction,
            "classes": dict(judgement.classes),
            "evidence": dict(judgement.evidence),
            "reason": judgement.reason,
        }
        out.write(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n")
