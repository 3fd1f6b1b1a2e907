"""Reads what `exchange` wrote: each line back into the values that the database stores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from pydantic import BaseModel, ConfigDict, ValidationError

from arena.errors import InputError
from arena.hashing import message_hash
from arena.report.exchange import parse
from arena.types import Inquiry, Judgement, Kind, Label, Message, Verdict
from db.records import Record


class Loose(BaseModel):
    """More fields may come; those named must be right."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class LabelLine(Loose):
    schema_: str
    person: str
    values: dict[str, Any]
    note: str = ""
    seconds: float | None = None

    model_config = ConfigDict(extra="ignore", alias_generator=lambda name: name.rstrip("_"))


class VerdictLine(Loose):
    judge: str
    revision: str
    tau: float = 0.5
    contradiction: float | None
    classes: dict[str, float] = {}
    evidence: dict[str, Any] = {}
    reason: str | None = None


class MessageLine(Loose):
    index: int
    bot: str
    seat: int | None = None
    text: str
    hash: str
    parent: str | None
    facts: dict[str, Any] = {}
    labels: list[LabelLine] = []


class InquiryLine(Loose):
    id: str
    after: int
    source: int
    entity: str
    entity_type: str = ""
    question: str
    kind: Kind
    distance: int
    answer: str | None
    reason: str | None = None
    expected: str | None = None
    reference: str | None = None
    facts: dict[str, Any] = {}
    verdicts: list[VerdictLine] = []
    labels: list[LabelLine] = []


class DialogueLine(Loose):
    dialogue: str
    speaker: str
    tested: str
    speaker_identity: str = ""
    tested_identity: str = ""
    release: str
    tournament: str = ""
    number: int = 0
    opener: str = ""
    seed: int
    turns: int = 0
    inquirer: str = ""
    status: str = "done"
    reason: str | None = None
    refused: dict[str, int] = {}
    facts: dict[str, Any] = {}
    labels: list[LabelLine] = []
    messages: list[MessageLine]
    inquiries: list[InquiryLine]


def records(lines: TextIO, name: str) -> Iterator[tuple[DialogueLine, Record]]:
    """Every dialogue of an export; the first broken line stops it and is named."""
    for number, text in enumerate(lines, 1):
        if text.strip():
            place = f"{name}, line {number}"
            yield _record(parse(text, place), place)


def is_ours(line: Mapping[str, Any]) -> bool:
    return "dialogue" in line and "inquiries" in line


def _record(value: Mapping[str, Any], place: str) -> tuple[DialogueLine, Record]:
    try:
        line = DialogueLine.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"{place}, {where}: {first['msg']}; export the file again or mend the line."
        ) from None
    messages = tuple(_messages(line, place))
    last = len(messages)
    for inquiry in line.inquiries:
        if not (0 <= inquiry.source < last and 0 <= inquiry.after < last):
            raise InputError(f"{place}: the inquiry {inquiry.id} points outside its dialogue; mend the line.")
    record = Record(
        key=line.dialogue,
        speaker=line.speaker,
        tested=line.tested,
        speaker_identity=line.speaker_identity or f"imported:{line.speaker}"[:64],
        tested_identity=line.tested_identity or f"imported:{line.tested}"[:64],
        number=line.number,
        opener=line.opener or (messages[0].text if messages else ""),
        seed=line.seed,
        turns=line.turns or sum(m.seat for m in messages),
        inquirer=line.inquirer or "imported",
        status=line.status,
        reason=line.reason,
        refused=line.refused,
        facts=line.facts,
        seconds=None,
        messages=messages,
        inquiries=tuple(_inquiry(i) for i in line.inquiries),
        verdicts=tuple(_verdict(i.id, v) for i in line.inquiries for v in i.verdicts),
        labels=tuple(_labels(line)),
    )
    return line, record


def _messages(line: DialogueLine, place: str) -> Iterator[Message]:
    parent = None
    for index, m in enumerate(line.messages):
        seat = m.seat if m.seat is not None else index % 2
        fits = m.index == index and m.parent == parent and m.hash == message_hash(parent, seat, m.text)
        if not fits or seat not in (0, 1):
            raise InputError(
                f"{place}: the chain breaks at message {index}; the file was changed or cut short."
            )
        parent = m.hash
        yield Message(m.index, seat, m.text, m.hash, m.parent, m.facts)


def _inquiry(i: InquiryLine) -> Inquiry:
    return Inquiry(
        id=i.id,
        after=i.after,
        source=i.source,
        entity=i.entity,
        entity_type=i.entity_type,
        question=i.question,
        kind=i.kind,
        distance=i.distance,
        answer=i.answer,
        reason=i.reason,
        expected=i.expected,
        reference=i.reference,
        facts=i.facts,
    )


def _verdict(inquiry: str, v: VerdictLine) -> Verdict:
    return Verdict(
        inquiry, v.judge, v.revision, Judgement(v.contradiction, v.classes, v.evidence, v.reason), v.tau
    )


def _labels(line: DialogueLine) -> Iterator[Label]:
    def made(subject: str, kind: str, labels: list[LabelLine]) -> Iterator[Label]:
        for x in labels:
            yield Label(subject, kind, x.schema_, x.person, x.values, x.note, x.seconds)

    yield from made(line.dialogue, "dialogue", line.labels)
    for message in line.messages:
        yield from made(f"{line.dialogue}:{message.index}", "message", message.labels)
    for inquiry in line.inquiries:
        yield from made(inquiry.id, "inquiry", inquiry.labels)
