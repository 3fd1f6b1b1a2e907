"""The checks of messages: they choose pairs of sentences that could contradict each other, and score the message.

The check `history` compares the statements of a message with the bot's earlier statements. `persona` compares
them with the bot's persona. `knowledge` compares the whole message with the knowledge that it should rest on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.types import TESTED, Case, Check, Judgement
from bots import machine_talk
from bots.persona import persona_of
from db.records import Unchecked
from judges.assertions import assertions, near_copies, of_persona
from judges.base import Scale

METHODS = {Check.HISTORY: 6, Check.PERSONA: 6, Check.KNOWLEDGE: 1}
"""The version of each check's method, which is stored with its verdicts. Raise it whenever the same messages and
weights would get other scores.
"""
NEAREST = 6
"""The number of pairs that are judged per message. The pairs nearest in meaning are chosen, because judging takes
most of the time.
"""
PERSON_AND_MACHINE = 2
"""So many of these pairs are of a person's statement and a machine's, if there are any: a claim to be a machine is
near in meaning to nothing, but contradicts a home or a family.
"""
NO_STATEMENT, NOTHING_BEFORE = "no_statement", "nothing_before"
"""The reasons why a message has nothing to check. Such messages are not counted in any denominator."""

Similarity = Callable[[Sequence[str], Sequence[str]], Any]
"""Returns the cosine similarity of each text in the first sequence to each text in the second, as an array."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences to be judged. `where` is the index of the message that holds the earlier sentence; None for a
    persona.
    """

    earlier: str
    later: str
    where: int | None
    case: Case


@dataclass(frozen=True, slots=True)
class Material:
    """One message under one check: its pairs, or the reason why it has no pairs."""

    dialogue: int
    message: int
    pairs: tuple[Pair, ...]
    reason: str | None = None


def material(work: Sequence[Unchecked], check: Check, similarity: Similarity) -> list[Material]:
    """The messages of these dialogues that are to be checked. Dialogues that have nothing to compare with yield no
    messages.
    """
    if check is Check.KNOWLEDGE:
        return [one for talk in work if talk.knowledge for one in _knowledge(talk, talk.knowledge)]
    if check is Check.PERSONA:
        return [
            one
            for talk in work
            if (persona := _persona_of(talk))
            for one in _persona(talk, persona, similarity)
        ]
    return [one for talk in work for one in _history(talk, similarity)]


def nearest(pairs: Sequence[Pair], similarity: Similarity) -> tuple[Pair, ...]:
    """Return the NEAREST pairs whose sentences are closest in meaning, in their original order. The first places are
    for pairs of a person's and a machine's statement.
    """
    if len(pairs) <= NEAREST:
        return tuple(pairs)
    earlier, later = (
        list(dict.fromkeys(texts)) for texts in zip(*((p.earlier, p.later) for p in pairs), strict=True)
    )
    near = similarity(earlier, later)
    cosine = [near[earlier.index(pair.earlier), later.index(pair.later)] for pair in pairs]
    order = sorted(range(len(pairs)), key=lambda index: -cosine[index])
    first = [index for index in order if _person_and_machine(pairs[index])][:PERSON_AND_MACHINE]
    kept = [*first, *(index for index in order if index not in first)][:NEAREST]
    return tuple(pairs[index] for index in sorted(kept))


def _person_and_machine(pair: Pair) -> bool:
    return machine_talk.claims(pair.earlier) != machine_talk.claims(pair.later)


def _history(talk: Unchecked, similarity: Similarity) -> list[Material]:
    before: list[tuple[int, str]] = []
    rows = []
    for message in talk.messages:
        if message.seat != TESTED:
            continue
        statements = assertions(message.text)
        if message.index in talk.wanted:
            rows.append(_against(talk, message.index, statements, before, similarity))
        known = {text for _, text in before}
        before += [(message.index, text) for text in statements if text not in known]
    return rows


def _against(
    talk: Unchecked,
    index: int,
    statements: Sequence[str],
    before: Sequence[tuple[int, str]],
    similarity: Similarity,
) -> Material:
    if not statements or not before:
        return Material(talk.dialogue, index, (), NO_STATEMENT if not statements else NOTHING_BEFORE)
    pairs = [
        Pair(earlier, later, where, _case(earlier, later))
        for later in statements
        for where, earlier in before
        if not near_copies(earlier, later)
    ]
    return Material(talk.dialogue, index, nearest(pairs, similarity))


def _persona_of(talk: Unchecked) -> str | None:
    return talk.persona or persona_of(talk.settings, talk.number)


def _persona(talk: Unchecked, persona: str, similarity: Similarity) -> list[Material]:
    facts = of_persona(persona)
    rows = []
    for message in talk.messages:
        if message.index not in talk.wanted:
            continue
        statements = assertions(message.text)
        pairs = [
            Pair(fact, text, None, _case(fact, text))
            for text in statements
            for fact in facts
            if not near_copies(fact, text)
        ]
        reason = NO_STATEMENT if not statements else NOTHING_BEFORE if not facts else None
        rows.append(
            Material(talk.dialogue, message.index, () if reason else nearest(pairs, similarity), reason)
        )
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
    """The judgement of the message: the highest score among its pairs, calibrated for the number of pairs."""
    if one.reason is not None:
        return Judgement(None, reason=one.reason)
    if not one.pairs:  # the message only repeats earlier statements
        return Judgement(0.0, evidence={"pairs": 0})
    scored = [
        (verdict.contradiction, -index)
        for index, verdict in enumerate(judged)
        if verdict.contradiction is not None
    ]
    if not scored:
        return Judgement(
            None, reason=next((verdict.reason for verdict in judged if verdict.reason), "no_number")
        )
    score, index = max(scored)
    top, pair = judged[-index], one.pairs[-index]
    if check is Check.KNOWLEDGE:
        return top
    evidence: dict[str, Any] = {"earlier": pair.earlier, "later": pair.later, "pairs": len(one.pairs)}
    if pair.where is not None:
        evidence["message"] = pair.where
    evidence["score"] = round(score, 6)
    return Judgement(round(scale.of(score, len(one.pairs)), 6), top.classes, evidence)


def cosines(vectors: Callable[[Sequence[str]], Any]) -> Similarity:
    """Return a function that compares sentences by their unit vectors; each text is encoded only once."""
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
