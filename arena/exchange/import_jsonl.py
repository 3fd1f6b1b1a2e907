"""Reads exported JSONL, and turns each line back into the values that the database stores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from arena.core.errors import InputError
from arena.core.hashing import message_hash
from arena.core.safe_text import unstorable
from arena.core.types import (
    Check,
    Collapse,
    Inquiry,
    Judgement,
    Kind,
    Label,
    Message,
    MessageVerdict,
    OnLoop,
    Status,
    Verdict,
)
from arena.exchange.jsonl import parse
from arena.labelling.queue import is_random
from arena.labelling.schemas import SCHEMAS, Schema, checked
from db.records import Record


class Loose(BaseModel):
    """The base of the models of a line.

    Unknown fields are accepted. Known fields must be valid, and any database must be able to store them.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


Key = Annotated[str, Field(min_length=1, max_length=64)]
Short = Annotated[str, Field(max_length=64)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Count = Annotated[int, Field(ge=0, lt=2**31)]
Share = Annotated[float, Field(ge=0, le=1)]


class LabelLine(Loose):
    schema_: str
    person: str
    values: dict[str, Any]
    note: str = ""
    seconds: float | None = None
    drawn_by_lot: bool | None = None

    model_config = ConfigDict(alias_generator=lambda name: name.rstrip("_"))


class VerdictLine(Loose):
    judge: Name
    revision: Name
    tau: Share = 0.5
    contradiction: Share | None
    classes: dict[str, float] = {}
    evidence: dict[str, Any] = {}
    reason: Key | None = None

    @model_validator(mode="after")
    def _either(self) -> Self:
        if (self.contradiction is None) == (self.reason is None):
            raise ValueError("a verdict has either a contradiction or a reason")
        return self


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
    id: Key
    after: Count
    source: Count
    entity: str
    entity_type: Short = ""
    question: str
    kind: Kind
    distance: Count
    answer: str | None
    reason: Key | None = None
    expected: str | None = None
    reference: str | None = None
    rule: Short | None = None
    score: float | None = None
    single_answer: bool | None = None
    clause: tuple[Count, Count] | None = None
    span: tuple[Count, Count] | None = None
    facts: dict[str, Any] = {}
    verdicts: list[VerdictLine] = []
    labels: list[LabelLine] = []

    @model_validator(mode="after")
    def _once(self) -> Self:
        if (self.answer is None) == (self.reason is None):
            raise ValueError("an inquiry has either an answer or a reason")
        seen = {(verdict.judge, verdict.revision) for verdict in self.verdicts}
        if len(seen) < len(self.verdicts):
            raise ValueError("a judge says something of it twice")
        return self


class PersonasLine(Loose):
    speaker: str | None = None
    tested: str | None = None


class CollapsedLine(Loose):
    turn: Annotated[int, Field(ge=1, lt=2**31)]
    seat: Literal[0, 1]


class MessageVerdictLine(VerdictLine):
    method: Annotated[int, Field(ge=1, lt=2**31)] = 1


class FindingLine(Loose):
    check: Literal[Check.HISTORY, Check.PERSONA, Check.KNOWLEDGE]
    message: Count
    verdicts: list[MessageVerdictLine] = []
    labels: list[LabelLine] = []

    @model_validator(mode="after")
    def _once(self) -> Self:
        if len({(v.judge, v.revision, v.method) for v in self.verdicts}) < len(self.verdicts):
            raise ValueError("a judge says something of it twice")
        return self


class DialogueLine(Loose):
    dialogue: Key
    speaker: Name
    tested: Name
    speaker_identity: Short = ""
    tested_identity: Short = ""
    release: Name
    tournament: Annotated[str, Field(max_length=32)] = ""
    number: Count = 0
    opener: str = ""
    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)]
    turns: Count = 0
    inquirer: Short = ""
    on_loop: OnLoop = OnLoop.KEEP
    personas: PersonasLine = PersonasLine()
    collapsed: CollapsedLine | None = None
    status: Status = Status.DONE
    reason: Short | None = None
    refused: dict[str, int] = {}
    facts: dict[str, Any] = {}
    labels: list[LabelLine] = []
    messages: list[MessageLine]
    inquiries: list[InquiryLine]
    findings: list[FindingLine] = []

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if bool(self.messages) != (self.status in (Status.OPEN, Status.DONE)):
            raise ValueError(
                f"a dialogue that is {self.status} has {'no' if self.messages else 'some'} messages"
            )
        return self


def records(
    lines: Iterable[str], name: str, known: Mapping[str, Schema] = SCHEMAS
) -> Iterator[tuple[DialogueLine, Record]]:
    """Yield every dialogue of an export. The first broken line raises an error that names it.

    Labels must be of the `known` schemas.
    """
    seen: dict[tuple[str, ...], int] = {}
    named: dict[tuple[str, ...], tuple[str, int]] = {}
    owners: dict[str, str] = {}
    for number, text in enumerate(lines, 1):
        if text.strip():
            place = f"{name}, line {number}"
            line, record = _record(parse(text, place), place, known)
            _once(seen, line, place, number)
            _same(named, record, line, place, number)
            for inquiry in line.inquiries:
                if owners.setdefault(inquiry.id, line.dialogue) != line.dialogue:
                    raise InputError(
                        f"{place}: the inquiry {inquiry.id} belongs to the dialogue {owners[inquiry.id]} "
                        "already; keep one of the two."
                    )
            yield line, record


def _once(seen: dict[tuple[str, ...], int], line: DialogueLine, place: str, number: int) -> None:
    """Check that each dialogue and each position in the schedule occurs only once per tournament."""
    where = (line.tournament, line.release)
    seat = (*where, line.speaker, line.tested, str(line.number))
    for key in ((*where, line.dialogue), seat):
        if seen.setdefault(key, number) != number:
            raise InputError(
                f"{place}: dialogue {line.number} of {line.speaker} and {line.tested} ({line.dialogue}) is there "
                f"a second time (first in line {seen[key]}); keep one of the two lines."
            )


def _same(
    named: dict[tuple[str, ...], tuple[str, int]], record: Record, line: DialogueLine, place: str, number: int
) -> None:
    """Check that a tournament has only one release tag, and that each name stands for only one bot."""
    facts: list[tuple[tuple[str, ...], str]] = []
    if line.tournament:
        facts.append(((line.tournament,), line.release))
    bots = ((record.speaker, record.speaker_identity), (record.tested, record.tested_identity))
    facts += [((line.tournament, line.release, name), identity) for name, identity in bots]
    for key, value in facts:
        known, first = named.setdefault(key, (value, number))
        if known != value:
            what = f"the bot {key[-1]}" if len(key) == 3 else f"the release of the tournament {key[-1]}"
            raise InputError(
                f"{place}: {what} is {value} here and {known} in line {first}; fix one of the two lines."
            )


def is_ours(line: Mapping[str, Any]) -> bool:
    return "dialogue" in line and "inquiries" in line


def _line(value: Mapping[str, Any], place: str) -> DialogueLine:
    bad = unstorable(value)
    if bad is not None:
        raise InputError(f"{place}: {bad} cannot be stored; remove it.")
    try:
        return DialogueLine.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        what = first["msg"].removeprefix("Value error, ")
        raise InputError(
            f"{place}, {where or 'dialogue'}: {what[0].lower()}{what[1:]}; export the file again or fix the line."
        ) from None


def _inside(line: DialogueLine, last: int, place: str) -> None:
    """Check that inquiries and findings refer to messages of the dialogue, and that each occurs only once."""
    for inquiry in line.inquiries:
        if not (0 <= inquiry.source < last and 0 <= inquiry.after < last):
            raise InputError(f"{place}: the inquiry {inquiry.id} points outside its dialogue; fix the line.")
    if any(finding.message >= last for finding in line.findings):
        raise InputError(f"{place}: a finding points outside its dialogue; fix the line.")
    if len({(f.check, f.message) for f in line.findings}) < len(line.findings):
        raise InputError(f"{place}: a finding occurs twice; fix the line.")
    if len({inquiry.id for inquiry in line.inquiries}) < len(line.inquiries):
        raise InputError(f"{place}: an inquiry occurs twice; fix the line.")


def _record(value: Mapping[str, Any], place: str, known: Mapping[str, Schema]) -> tuple[DialogueLine, Record]:
    line = _line(value, place)
    messages = tuple(_messages(line, place))
    _inside(line, len(messages), place)
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
        status=Status.PLANNED if line.status is Status.RUNNING else line.status,
        reason=line.reason,
        refused=line.refused,
        facts=line.facts,
        seconds=None,
        messages=messages,
        inquiries=tuple(_inquiry(i) for i in line.inquiries),
        verdicts=tuple(_verdict(i.id, v) for i in line.inquiries for v in i.verdicts),
        labels=tuple(_labels(line, place, known)),
        on_loop=line.on_loop,
        personas=(line.personas.speaker, line.personas.tested),
        collapse=Collapse(line.collapsed.turn, line.collapsed.seat) if line.collapsed else None,
        message_verdicts=tuple(_message_verdict(f, v) for f in line.findings for v in f.verdicts),
    )
    return line, record


def _messages(line: DialogueLine, place: str) -> Iterator[Message]:
    parent = None
    for index, m in enumerate(line.messages):
        seat = m.seat if m.seat is not None else index % 2
        fits = m.index == index and m.parent == parent and m.hash == message_hash(parent, seat, m.text)
        if not fits or seat not in (0, 1):
            raise InputError(
                f"{place}: the chain breaks at message {index}; the file was changed or cut short; export it again."
            )
        parent = m.hash
        yield Message(m.index, seat, m.text, m.hash, m.parent, m.facts)


def _inquiry(i: InquiryLine) -> Inquiry:
    return Inquiry(**i.model_dump(exclude={"verdicts", "labels"}))


def _verdict(inquiry: str, v: VerdictLine) -> Verdict:
    return Verdict(
        inquiry, v.judge, v.revision, Judgement(v.contradiction, v.classes, v.evidence, v.reason), v.tau
    )


def _message_verdict(finding: FindingLine, v: MessageVerdictLine) -> MessageVerdict:
    judgement = Judgement(v.contradiction, v.classes, v.evidence, v.reason)
    return MessageVerdict(finding.check, finding.message, v.judge, v.revision, v.method, judgement, v.tau)


def _labels(line: DialogueLine, place: str, known: Mapping[str, Schema]) -> Iterator[Label]:
    seen: set[tuple[str, ...]] = set()

    def labels_of(subject: str, kind: str, labels: list[LabelLine]) -> Iterator[Label]:
        for x in labels:
            try:
                # Earlier exports lack this field; it then follows from the subject, as it did at that time
                drawn = x.drawn_by_lot if "drawn_by_lot" in x.model_fields_set else is_random(0, subject)
                label = Label(subject, kind, x.schema_, x.person, x.values, x.note, x.seconds, drawn)
                yield checked(label, known, whole=False)  # exports include unfinished labels
            except InputError as error:
                raise InputError(f"{place}: {error}") from None
            if (subject, x.schema_, x.person) in seen:
                raise InputError(f"{place}: '{x.person}' labels {subject} a second time; keep one label.")
            seen.add((subject, x.schema_, x.person))

    yield from labels_of(line.dialogue, "dialogue", line.labels)
    for message in line.messages:
        yield from labels_of(f"{line.dialogue}:{message.index}", "message", message.labels)
    for inquiry in line.inquiries:
        yield from labels_of(inquiry.id, "inquiry", inquiry.labels)
    for finding in line.findings:
        subject = f"{line.dialogue}:{finding.message}:{finding.check.value}"
        yield from labels_of(subject, "finding", finding.labels)
