"""Converts values to rows of the database, and rows to values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.core.hashing import seed_for
from arena.core.types import (
    NOTHING,
    BotSpec,
    Case,
    Collapse,
    Inquiry,
    Judgement,
    Kind,
    Message,
    MessageVerdict,
    Verdict,
)


def bot_row(bot: BotSpec) -> dict[str, Any]:
    return {"identity": bot.identity, "adapter": bot.adapter, "settings": dict(bot.settings)}


def texts_code(messages: Sequence[Message]) -> int | None:
    """Returns a number that is equal for dialogues with equal texts.

    The last message's hash covers all messages before it.
    """
    return seed_for("texts", messages[-1].hash) if messages else None


def message_row(dialogue: int, message: Message) -> dict[str, Any]:
    return {
        "dialogue": dialogue,
        "index": message.index,
        "seat": message.seat,
        "text": message.text,
        "hash": message.hash,
        "parent": message.parent,
        "facts": dict(message.facts) or None,
    }


def played_columns(personas: Sequence[str | None], collapse: Collapse | None) -> dict[str, Any]:
    """Returns the columns of a dialogue row about personas and loops."""
    return {
        "personas": list(personas) if any(personas) else None,
        "collapsed_turn": collapse.turn if collapse else None,
        "collapsed_seat": collapse.seat if collapse else None,
    }


def collapse_of(row: Any) -> Collapse | None:
    return None if row.collapsed_turn is None else Collapse(row.collapsed_turn, row.collapsed_seat)


def personas_of(row: Any) -> tuple[str | None, str | None]:
    speaker, tested = row.personas or (None, None)
    return speaker, tested


def inquiry_row(dialogue: int, number: int, inquiry: Inquiry) -> dict[str, Any]:
    return {
        "key": inquiry.id,
        "dialogue": dialogue,
        "number": number,
        "after": inquiry.after,
        "source": inquiry.source,
        "entity": inquiry.entity,
        "entity_type": inquiry.entity_type,
        "question": inquiry.question,
        "kind": inquiry.kind.value,
        "distance": inquiry.distance,
        "answer": inquiry.answer,
        "reason": inquiry.reason,
        "expected": inquiry.expected,
        "reference": inquiry.reference,
        "rule": inquiry.rule,
        "score": inquiry.score,
        "single_answer": inquiry.single_answer,
        "clause_start": inquiry.clause[0] if inquiry.clause else None,
        "clause_end": inquiry.clause[1] if inquiry.clause else None,
        "span_start": inquiry.span[0] if inquiry.span else None,
        "span_end": inquiry.span[1] if inquiry.span else None,
        "facts": dict(inquiry.facts) or None,
    }


def case(row: Any, texts: Sequence[str]) -> Case:
    return Case(
        source=row.reference if row.reference is not None else texts[row.source],
        question=row.question,
        answer=row.answer,
        kind=Kind(row.kind),
        expected=row.expected,
        context=tuple(texts[: row.after + 1]),
        knowledge=(row.dialogue_facts or {}).get("knowledge"),
        facts=row.facts or NOTHING,
        single_answer=row.single_answer,
    )


def message(row: Any) -> Message:
    return Message(row.index, row.seat, row.text, row.hash, row.parent, row.facts or NOTHING)


def inquiry(row: Any) -> Inquiry:
    return Inquiry(
        id=row.key,
        after=row.after,
        source=row.source,
        entity=row.entity,
        entity_type=row.entity_type,
        question=row.question,
        kind=Kind(row.kind),
        distance=row.distance,
        answer=row.answer,
        reason=row.reason,
        expected=row.expected,
        reference=row.reference,
        facts=row.facts or NOTHING,
        rule=row.rule,
        score=row.score,
        single_answer=row.single_answer,
        clause=None if row.clause_start is None else (row.clause_start, row.clause_end),
        span=None if row.span_start is None else (row.span_start, row.span_end),
    )


def finding(dialogue: str, verdict: MessageVerdict) -> str:
    """Returns the subject of a label on a finding: the dialogue's key, the message, the check."""
    return f"{dialogue}:{verdict.message}:{verdict.check.value}"


def judgement_columns(judgement: Judgement) -> dict[str, Any]:
    return {
        "contradiction": judgement.contradiction,
        "classes": dict(judgement.classes) or None,
        "evidence": dict(judgement.evidence) or None,
        "reason": judgement.reason,
    }


def verdict(row: Any) -> Verdict:
    judgement = Judgement(row.contradiction, row.classes or NOTHING, row.evidence or NOTHING, row.reason)
    return Verdict(row.key, row.name, row.revision, judgement, row.tau, row.seconds)
