"""Finds the inquiries that match a filter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, Select, String, and_, cast, func, or_, select, tuple_

from db.records import Place
from db.tables import DIALOGUES, INQUIRIES, JUDGES, LABELS, MESSAGE_VERDICTS, MESSAGES, SCHEDULE, VERDICTS


@dataclass(frozen=True, slots=True)
class Wanted:
    """A filter for inquiries. None accepts any value."""

    speaker: str | None = None
    tested: str | None = None
    kind: str | None = None
    entity_type: str | None = None
    judge: int | None = None  # a judge's row, for `above` and `below`
    above: float | None = None  # the contradiction score is above this value
    below: float | None = None  # the contradiction score is not above this value
    unjudged: bool = False
    disagreed: bool = False  # two judges disagree, each by its own τ
    text: str | None = None  # occurs in the statement, question or answer
    labelled: bool | None = None  # whether anybody has labelled it
    check: str | None = None  # None finds inquiries, a check finds messages


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result: an inquiry, or a finding with the earlier statement and the statement compared with it."""

    dialogue: str
    speaker: str
    tested: str
    number: int
    inquiry: str
    kind: str
    distance: int
    entity: str
    entity_type: str
    source: str | None  # the message that the question is about
    question: str
    answer: str | None
    reason: str | None
    contradiction: float | None
    labels: int  # people who have labelled it


@dataclass(frozen=True, slots=True)
class Matches:
    """One page of hits.

    `next` is the place to continue from, or None at the end; `last` is the key of the dialogue there. `looked` is the
    number of dialogues searched.
    """

    hits: tuple[Hit, ...]
    next: Place | None
    looked: int
    last: str = ""


def window(
    tournament: str,
    speaker: str | None,
    tested: str | None,
    start: Place | None,
    inclusive: bool = False,
    backwards: bool = False,
) -> Select[Any]:
    """Selects the dialogues after `start`, in the schedule's order; with `backwards`, those before it in reverse."""
    columns = (SCHEDULE.c.speaker, SCHEDULE.c.tested, SCHEDULE.c.number)
    where: list[ColumnElement[bool]] = [SCHEDULE.c.tournament == tournament]
    if speaker is not None:
        where.append(SCHEDULE.c.speaker == speaker)
    if tested is not None:
        where.append(SCHEDULE.c.tested == tested)
    if start is not None:
        order, here = tuple_(*columns), tuple_(*start)
        where.append(order < here if backwards else order >= here if inclusive else order > here)
    return (
        select(
            DIALOGUES.c.id,
            DIALOGUES.c.key,
            DIALOGUES.c.status,
            DIALOGUES.c.reason,
            DIALOGUES.c.seconds,
            SCHEDULE.c.speaker,
            SCHEDULE.c.tested,
            SCHEDULE.c.number,
        )
        .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
        .where(*where)
        .order_by(*(column.desc() if backwards else column for column in columns))
    )


def matching_findings(dialogues: Sequence[int] | Select[tuple[int]], wanted: Wanted) -> Select[Any]:
    """Selects messages with two statements that the judge has compared, by the judge's newest method."""
    verdict = MESSAGE_VERDICTS
    newest = (
        select(func.max(verdict.c.method))
        .where(verdict.c.judge == wanted.judge, verdict.c.check_name == wanted.check)
        .scalar_subquery()
    )
    earlier, later = (verdict.c.evidence[name].as_string() for name in ("earlier", "later"))
    subject = DIALOGUES.c.key.concat(":").concat(cast(verdict.c.message, String)).concat(f":{wanted.check}")
    labels = (
        select(func.count(LABELS.c.person.distinct()))
        .where(LABELS.c.subject == subject, LABELS.c.subject_type == "finding")
        .scalar_subquery()
    )
    where = [
        verdict.c.dialogue.in_(dialogues),
        verdict.c.judge == wanted.judge,
        verdict.c.check_name == wanted.check,
        verdict.c.method == newest,
    ]
    if wanted.unjudged:
        where.append(verdict.c.contradiction.is_(None))
    else:
        where.append(
            earlier.is_not(None) if wanted.check != "knowledge" else verdict.c.contradiction.is_not(None)
        )
    if wanted.above is not None:
        where.append(verdict.c.contradiction > wanted.above)
    if wanted.below is not None:
        where.append(verdict.c.contradiction <= wanted.below)
    if wanted.text:
        pattern = f"%{_escaped(wanted.text)}%"
        where.append(or_(*(text.ilike(pattern, escape="\\") for text in (earlier, later, MESSAGES.c.text))))
    if wanted.labelled is not None:
        where.append(labels > 0 if wanted.labelled else labels == 0)
    same_message = and_(MESSAGES.c.dialogue == verdict.c.dialogue, MESSAGES.c.index == verdict.c.message)
    return (
        select(
            verdict.c.dialogue,
            subject.label("key"),
            earlier.label("earlier"),
            func.coalesce(later, MESSAGES.c.text).label("later"),
            verdict.c.contradiction,
            verdict.c.reason,
            labels.label("labels"),
        )
        .join(DIALOGUES, DIALOGUES.c.id == verdict.c.dialogue)
        .join(MESSAGES, same_message)
        .where(*where)
        .order_by(verdict.c.dialogue, verdict.c.message)
    )


def matching(dialogues: Sequence[int], wanted: Wanted) -> Select[Any]:
    return (
        selected(wanted)
        .where(INQUIRIES.c.dialogue.in_(dialogues))
        .order_by(INQUIRIES.c.dialogue, INQUIRIES.c.number)
    )


def selected(wanted: Wanted) -> Select[Any]:
    """Selects the matching inquiries with their source, the judge's score and the number of their labels."""
    verdict = VERDICTS
    joined = and_(verdict.c.inquiry == INQUIRIES.c.id, verdict.c.judge == wanted.judge)
    source = and_(MESSAGES.c.dialogue == INQUIRIES.c.dialogue, MESSAGES.c.index == INQUIRIES.c.source)
    labels = _people()
    return (
        select(
            INQUIRIES, verdict.c.contradiction, MESSAGES.c.text.label("source_text"), labels.label("labels")
        )
        .outerjoin(verdict, joined)
        .outerjoin(MESSAGES, source)
        .where(*_conditions(wanted, labels))
    )


def _people() -> ScalarSelect[int]:
    """Counts the people who have labelled an inquiry."""
    return (
        select(func.count(LABELS.c.person.distinct()))
        .where(LABELS.c.subject == INQUIRIES.c.key, LABELS.c.subject_type == "inquiry")
        .scalar_subquery()
    )


def _conditions(wanted: Wanted, labels: ScalarSelect[int]) -> list[ColumnElement[bool]]:
    contradiction = VERDICTS.c.contradiction
    where: list[ColumnElement[bool]] = []
    if wanted.kind is not None:
        where.append(INQUIRIES.c.kind == wanted.kind)
    if wanted.entity_type is not None:
        where.append(INQUIRIES.c.entity_type == wanted.entity_type)
    if wanted.above is not None:
        where.append(contradiction > wanted.above)
    if wanted.below is not None:
        where.append(contradiction <= wanted.below)
    if wanted.unjudged:
        where.append(contradiction.is_(None))
    if wanted.disagreed:
        where += [_somebody(contradicts=True), _somebody(contradicts=False)]
    if wanted.text:
        pattern = f"%{_escaped(wanted.text)}%"
        columns = (MESSAGES.c.text, INQUIRIES.c.question, INQUIRIES.c.answer)
        where.append(or_(*(column.ilike(pattern, escape="\\") for column in columns)))
    if wanted.labelled is not None:
        where.append(labels > 0 if wanted.labelled else labels == 0)
    return where


def _escaped(text: str) -> str:
    """Escapes the wildcards of LIKE in a text."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _somebody(*, contradicts: bool) -> ColumnElement[bool]:
    judge, verdict = JUDGES.alias(), VERDICTS.alias()
    return (
        select(verdict.c.judge)
        .join(judge, judge.c.id == verdict.c.judge)
        .where(
            verdict.c.inquiry == INQUIRIES.c.id,
            verdict.c.contradiction > judge.c.tau if contradicts else verdict.c.contradiction <= judge.c.tau,
        )
        .exists()
    )


def finding_hit(dialogue: str, entry: Any, row: Any, check: str) -> Hit:
    return Hit(
        dialogue=dialogue,
        speaker=entry.speaker,
        tested=entry.tested,
        number=entry.number,
        inquiry=row.key,
        kind=check,
        distance=0,
        entity="",
        entity_type="",
        source=row.earlier,
        question="",
        answer=row.later,
        reason=row.reason,
        contradiction=row.contradiction,
        labels=row.labels,
    )


def hit(dialogue: str, entry: Any, row: Any) -> Hit:
    return Hit(
        dialogue=dialogue,
        speaker=entry.speaker,
        tested=entry.tested,
        number=entry.number,
        inquiry=row.key,
        kind=row.kind,
        distance=row.distance,
        entity=row.entity,
        entity_type=row.entity_type,
        source=row.source_text,
        question=row.question,
        answer=row.answer,
        reason=row.reason,
        contradiction=row.contradiction,
        labels=row.labels,
    )
