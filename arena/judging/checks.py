"""The checks of messages: which pairs of sentences could contradict each other, and what that makes of a message.

`history` holds the statements of a message against the bot's earlier ones, `persona` against its persona, and
`knowledge` the whole message against the knowledge it should rest on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.types import TESTED, Case, Check, Judgement
from bots.persona import persona_of
from db.records import Unchecked
from judges.assertions import assertions, near_copies, of_persona
from judges.base import Scale

METHODS = {Check.HISTORY: 2, Check.PERSONA: 2, Check.KNOWLEDGE: 1}
"""Raised whenever equal messages and weights would get other scores: part of what a verdict belongs to."""
NEAREST = 8
"""Earlier statements that each new one is held against, the nearest in meaning."""
NO_STATEMENT, NOTHING_BEFORE = "no_statement", "nothing_before"
UNCHECKABLE = frozenset((NO_STATEMENT, NOTHING_BEFORE))
"""Messages that have nothing to be checked; they are in no denominator."""

Similarity = Callable[[Sequence[str], Sequence[str]], Any]
"""How near in meaning each text of the first row is to each of the second, as an array of cosines."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences to be judged; `where` is the message that the earlier one stands in, None in a persona."""

    earlier: str
    later: str
    where: int | None
    case: Case


@dataclass(frozen=True, slots=True)
class Material:
    """One message under one check: its pairs, or why there are none."""

    dialogue: int
    message: int
    pairs: tuple[Pair, ...]
    reason: str | None = None


def material(work: Sequence[Unchecked], check: Check, similarity: Similarity) -> list[Material]:
    """All wanted messages of some dialogues; a dialogue that lacks what is checked against has none."""
    if check is Check.KNOWLEDGE:
        return [one for talk in work if talk.knowledge for one in _knowledge(talk, talk.knowledge)]
    if check is Check.PERSONA:
        return [one for talk in work if (persona := _persona_of(talk)) for one in _persona(talk, persona)]
    return [one for talk in work for one in _history(talk, similarity)]


def _history(talk: Unchecked, similarity: Similarity) -> list[Material]:
    before: list[tuple[int, str]] = []
    rows = []
    for message in talk.messages:
        if message.seat != TESTED:
            continue
        said = assertions(message.text)
        if message.index in talk.wanted:
            rows.append(_against(talk, message.index, said, before, similarity))
        known = {text for _, text in before}
        before += [(message.index, text) for text in said if text not in known]
    return rows


def _against(
    talk: Unchecked,
    index: int,
    said: Sequence[str],
    before: Sequence[tuple[int, str]],
    similarity: Similarity,
) -> Material:
    if not said or not before:
        return Material(talk.dialogue, index, (), NO_STATEMENT if not said else NOTHING_BEFORE)
    pairs = []
    near = similarity(said, [text for _, text in before]) if len(before) > NEAREST else None
    for row, later in enumerate(said):
        places = range(len(before)) if near is None else sorted((-near[row]).argsort()[:NEAREST])
        for place in places:
            where, earlier = before[place]
            if not near_copies(earlier, later):
                pairs.append(Pair(earlier, later, where, _case(earlier, later)))
    return Material(talk.dialogue, index, tuple(pairs))


def _persona_of(talk: Unchecked) -> str | None:
    return talk.persona or persona_of(talk.settings, talk.number)


def _persona(talk: Unchecked, persona: str) -> list[Material]:
    told = of_persona(persona)
    rows = []
    for message in talk.messages:
        if message.index not in talk.wanted:
            continue
        said = assertions(message.text)
        pairs = tuple(
            Pair(fact, text, None, _case(fact, text))
            for text in said
            for fact in told
            if not near_copies(fact, text)
        )
        reason = NO_STATEMENT if not said else NOTHING_BEFORE if not told else None
        rows.append(Material(talk.dialogue, message.index, () if reason else pairs, reason))
    return rows


def _knowledge(talk: Unchecked, knowledge: str) -> list[Material]:
    texts = [message.text for message in talk.messages]
    rows = []
    for message in talk.messages:
        if message.index in talk.wanted:
            case = Case(
                knowledge, "", message.text, context=tuple(texts[: message.index]), knowledge=knowledge
            )
            pair = Pair(knowledge, message.text, None, case)
            rows.append(Material(talk.dialogue, message.index, (pair,)))
    return rows


def _case(earlier: str, later: str) -> Case:
    return Case(source=earlier, question="", answer=later, context=(earlier,))


def judgement(one: Material, judged: Sequence[Judgement], check: Check, scale: Scale) -> Judgement:
    """What the pairs make of the message: the highest score, calibrated for how many pairs there were."""
    if one.reason is not None:
        return Judgement(None, reason=one.reason)
    if not one.pairs:  # it only repeats what was said
        return Judgement(0.0, evidence={"pairs": 0})
    scored = [
        (said.contradiction, -place) for place, said in enumerate(judged) if said.contradiction is not None
    ]
    if not scored:
        return Judgement(None, reason=next((said.reason for said in judged if said.reason), "no_number"))
    score, place = max(scored)
    top, pair = judged[-place], one.pairs[-place]
    if check is Check.KNOWLEDGE:
        return top
    evidence: dict[str, Any] = {"earlier": pair.earlier, "later": pair.later, "pairs": len(one.pairs)}
    if pair.where is not None:
        evidence["message"] = pair.where
    evidence["score"] = round(score, 6)
    return Judgement(round(scale.of(score, len(one.pairs)), 6), top.classes, evidence)


def cosines(vectors: Callable[[Sequence[str]], Any]) -> Similarity:
    """Similarity by unit vectors of sentences; each text is read once."""
    memory: dict[str, Any] = {}

    def similarity(first: Sequence[str], second: Sequence[str]) -> Any:
        import numpy as np

        new = list(dict.fromkeys(text for text in (*first, *second) if text not in memory))
        if len(memory) > 50_000:
            memory.clear()
            new = list(dict.fromkeys((*first, *second)))
        if new:
            memory.update(zip(new, vectors(new), strict=True))
        return np.stack([memory[text] for text in first]) @ np.stack([memory[text] for text in second]).T

    return similarity
