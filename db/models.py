"""The tables. Database constraints guarantee that no dialogue, verdict or label exists twice."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, Float, ForeignKey, Integer, MetaData, String, Text, UniqueConstraint
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

Json = JSON().with_variant(postgresql.JSONB(), "postgresql")
Id = BigInteger().with_variant(Integer(), "sqlite")  # SQLite numbers rows only in an INTEGER key


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {dict[str, Any]: Json, list[Any]: Json}  # noqa: RUF012


class BotRow(Base):
    __tablename__ = "bots"
    identity: Mapped[str] = mapped_column(String(64), primary_key=True)
    adapter: Mapped[str] = mapped_column(String(64))
    settings: Mapped[dict[str, Any]]


class TournamentRow(Base):
    __tablename__ = "tournaments"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    release: Mapped[str] = mapped_column(String(200), index=True)
    config_hash: Mapped[str] = mapped_column(String(64), unique=True)
    seed: Mapped[int] = mapped_column(BigInteger)
    config: Mapped[dict[str, Any]]
    created: Mapped[float] = mapped_column(Float)


class TournamentBotRow(Base):
    __tablename__ = "tournament_bots"
    tournament: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    position: Mapped[int]
    identity: Mapped[str] = mapped_column(ForeignKey("bots.identity"))


class DialogueRow(Base):
    """A dialogue. `owner` names the process that is playing it, and `lease` says until when."""

    __tablename__ = "dialogues"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    key: Mapped[str] = mapped_column(String(64), unique=True)
    speaker: Mapped[str] = mapped_column(ForeignKey("bots.identity"), index=True)
    tested: Mapped[str] = mapped_column(ForeignKey("bots.identity"), index=True)
    opener: Mapped[str] = mapped_column(Text)
    seed: Mapped[int] = mapped_column(BigInteger)
    turns: Mapped[int]
    inquirer: Mapped[str] = mapped_column(String(64))
    on_loop: Mapped[str | None] = mapped_column(String(8))  # None: keep
    personas: Mapped[list[Any] | None]  # of speaker and tested
    collapsed_turn: Mapped[int | None]  # counted from 1; None if the dialogue did not loop
    collapsed_seat: Mapped[int | None]  # who looped
    status: Mapped[str] = mapped_column(String(16), index=True)
    reason: Mapped[str | None] = mapped_column(String(64))
    refused: Mapped[dict[str, Any] | None]
    facts: Mapped[dict[str, Any] | None]
    seconds: Mapped[float | None]
    texts: Mapped[int | None] = mapped_column(BigInteger)  # equal for dialogues with equal messages
    owner: Mapped[str | None] = mapped_column(String(100))
    lease: Mapped[float | None]


class EntryRow(Base):
    """A place in a tournament's schedule. Several tournaments may share a dialogue."""

    __tablename__ = "schedule"
    tournament: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    dialogue: Mapped[int] = mapped_column(ForeignKey("dialogues.id"), primary_key=True, index=True)
    speaker: Mapped[str] = mapped_column(String(200))
    tested: Mapped[str] = mapped_column(String(200))
    number: Mapped[int]
    __table_args__ = (UniqueConstraint("tournament", "speaker", "tested", "number"),)


class MessageRow(Base):
    __tablename__ = "messages"
    dialogue: Mapped[int] = mapped_column(ForeignKey("dialogues.id"), primary_key=True)
    index: Mapped[int] = mapped_column(primary_key=True)
    seat: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    hash: Mapped[str] = mapped_column(String(64))
    parent: Mapped[str | None] = mapped_column(String(64))
    facts: Mapped[dict[str, Any] | None]


class InquiryRow(Base):
    __tablename__ = "inquiries"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    key: Mapped[str] = mapped_column(String(64), unique=True)
    dialogue: Mapped[int] = mapped_column(ForeignKey("dialogues.id"))
    number: Mapped[int]
    after: Mapped[int]
    source: Mapped[int]
    entity: Mapped[str] = mapped_column(Text)
    entity_type: Mapped[str] = mapped_column(String(64))
    question: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(String(32))
    distance: Mapped[int]
    answer: Mapped[str | None] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(String(64))
    expected: Mapped[str | None] = mapped_column(Text)
    reference: Mapped[str | None] = mapped_column(Text)
    facts: Mapped[dict[str, Any] | None]
    rule: Mapped[str | None] = mapped_column(String(64))
    score: Mapped[float | None]
    single_answer: Mapped[bool | None]
    clause_start: Mapped[int | None]
    clause_end: Mapped[int | None]
    span_start: Mapped[int | None]
    span_end: Mapped[int | None]
    __table_args__ = (UniqueConstraint("dialogue", "number"),)


class JudgeRow(Base):
    """One revision of a judge. Every verdict belongs to such a row."""

    __tablename__ = "judges"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(200))
    revision: Mapped[str] = mapped_column(String(200))
    tau: Mapped[float]
    __table_args__ = (UniqueConstraint("name", "revision"),)


class VerdictRow(Base):
    __tablename__ = "verdicts"
    judge: Mapped[int] = mapped_column(ForeignKey("judges.id"), primary_key=True)
    inquiry: Mapped[int] = mapped_column(ForeignKey("inquiries.id"), primary_key=True, index=True)
    contradiction: Mapped[float | None]
    classes: Mapped[dict[str, Any] | None]
    evidence: Mapped[dict[str, Any] | None]
    reason: Mapped[str | None] = mapped_column(String(64))
    seconds: Mapped[float | None]  # its share of the batch's time


class MessageVerdictRow(Base):
    """A verdict on one message of the bot under test. The verdicts on inquiries are in `verdicts`."""

    __tablename__ = "message_verdicts"
    judge: Mapped[int] = mapped_column(ForeignKey("judges.id"), primary_key=True)
    check_name: Mapped[str] = mapped_column(String(16), primary_key=True)
    method: Mapped[int] = mapped_column(primary_key=True)
    dialogue: Mapped[int] = mapped_column(ForeignKey("dialogues.id"), primary_key=True, index=True)
    message: Mapped[int] = mapped_column(primary_key=True)
    contradiction: Mapped[float | None]
    classes: Mapped[dict[str, Any] | None]
    evidence: Mapped[dict[str, Any] | None]
    reason: Mapped[str | None] = mapped_column(String(64))
    seconds: Mapped[float | None]


class JudgementRow(Base):
    """The judges' cache: equal texts go through a model only once."""

    __tablename__ = "judgement_cache"
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[dict[str, Any]]


class SummaryRow(Base):
    """All of a judge's scores in a block of dialogues, packed for leaderboards of millions of dialogues.

    The row is computed from the verdicts. `dialogues` has one 8-byte integer per dialogue. `lengths` has one 4-byte
    integer per dialogue: the number of its 8-byte floats in `scores`. `evasive` has one byte per score, as in
    `db.arrays`. `unjudged` lists [dialogue, reason, number] as JSON.
    """

    __tablename__ = "summaries"
    judge: Mapped[int] = mapped_column(ForeignKey("judges.id"), primary_key=True)
    block: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    kind: Mapped[str] = mapped_column(String(32), primary_key=True)
    distance: Mapped[int] = mapped_column(primary_key=True)
    dialogues: Mapped[bytes]
    lengths: Mapped[bytes]
    scores: Mapped[bytes]
    evasive: Mapped[bytes]
    unjudged: Mapped[str | None] = mapped_column(Text)


class SummaryStateRow(Base):
    """The numbers of rows from which a judge's summaries were computed.

    If the numbers have changed since, the summaries are stale.
    """

    __tablename__ = "summary_states"
    judge: Mapped[int] = mapped_column(ForeignKey("judges.id"), primary_key=True)
    verdicts: Mapped[int] = mapped_column(BigInteger)
    inquiries: Mapped[int] = mapped_column(BigInteger)
    last: Mapped[int | None] = mapped_column(BigInteger)  # id of the inquiry stored last


class LabelRow(Base):
    """A label.

    The subject is an inquiry's key, a dialogue's key, DIALOGUE:INDEX for a message, or DIALOGUE:INDEX:CHECK for a
    finding.
    """

    __tablename__ = "labels"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    subject: Mapped[str] = mapped_column(String(100))
    subject_type: Mapped[str] = mapped_column(String(16))
    schema: Mapped[str] = mapped_column(String(32))
    person: Mapped[str] = mapped_column(String(200), index=True)
    values: Mapped[dict[str, Any]]
    note: Mapped[str] = mapped_column(Text, default="")
    seconds: Mapped[float | None]
    drawn: Mapped[bool | None]  # whether the subject was drawn at random when it was handed out
    created: Mapped[float]
    __table_args__ = (UniqueConstraint("subject", "subject_type", "schema", "person"),)


class LabelHistoryRow(Base):
    """An earlier version of a label that was changed or undone."""

    __tablename__ = "label_history"
    id: Mapped[int] = mapped_column(Id, primary_key=True)
    subject: Mapped[str] = mapped_column(String(100), index=True)
    subject_type: Mapped[str] = mapped_column(String(16))
    schema: Mapped[str] = mapped_column(String(32))
    person: Mapped[str] = mapped_column(String(200))
    values: Mapped[dict[str, Any]]
    note: Mapped[str] = mapped_column(Text, default="")
    seconds: Mapped[float | None]
    drawn: Mapped[bool | None]
    created: Mapped[float]
    replaced: Mapped[float]


class LeaseRow(Base):
    """A subject that is reserved for a person until it expires."""

    __tablename__ = "leases"
    subject: Mapped[str] = mapped_column(String(100), primary_key=True)
    subject_type: Mapped[str] = mapped_column(String(16), primary_key=True)
    schema: Mapped[str] = mapped_column(String(32), primary_key=True)
    person: Mapped[str] = mapped_column(String(200), primary_key=True)
    until: Mapped[float]
    drawn: Mapped[bool | None]


class InterrogationRow(Base):
    """A bot's answer to one sample of a benchmark, in one context and with one reply seed."""

    __tablename__ = "interrogations"
    bot: Mapped[str] = mapped_column(String(64), primary_key=True)
    sample: Mapped[str] = mapped_column(String(64), primary_key=True)
    context: Mapped[str] = mapped_column(String(32), primary_key=True)
    answer: Mapped[str | None] = mapped_column(Text)
    reason: Mapped[str | None] = mapped_column(String(64))


class LabelTaskRow(Base):
    """The organiser's decisions for a tournament: people per item, the seed of the order, the random share."""

    __tablename__ = "label_tasks"
    tournament: Mapped[str] = mapped_column(ForeignKey("tournaments.id"), primary_key=True)
    schema: Mapped[str] = mapped_column(String(32), primary_key=True)
    wanted: Mapped[int]
    seed: Mapped[int] = mapped_column(BigInteger)
    share: Mapped[float]
    dialogues: Mapped[int | None]  # of each pair; None means all


class LabelSchemaRow(Base):
    """A user's own label schema: its questions, answers and keys as read from a file."""

    __tablename__ = "label_schemas"
    name: Mapped[str] = mapped_column(String(32), primary_key=True)
    definition: Mapped[dict[str, Any]]
    created: Mapped[float]


class AccountRow(Base):
    """What all processes of a tournament have spent.

    The account's name does not contain the budget, because the budget may be raised.
    """

    __tablename__ = "budget_accounts"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    calls: Mapped[int] = mapped_column(BigInteger)
    tokens: Mapped[int] = mapped_column(BigInteger)
    cost: Mapped[float]
    seconds: Mapped[float]
    lost_calls: Mapped[int] = mapped_column(BigInteger)  # calls whose process died before it knew the reply
    lost_cost: Mapped[float]


class AccountHolderRow(Base):
    """The calls and dialogues that a process has in progress, with the most that they can cost."""

    __tablename__ = "budget_holders"
    account: Mapped[str] = mapped_column(ForeignKey("budget_accounts.id"), primary_key=True)
    owner: Mapped[str] = mapped_column(String(100), primary_key=True)
    calls: Mapped[int] = mapped_column(BigInteger)
    tokens: Mapped[int] = mapped_column(BigInteger)
    cost: Mapped[float]
    dialogues: Mapped[int]
    expected_calls: Mapped[int] = mapped_column(BigInteger)
    expected_tokens: Mapped[int] = mapped_column(BigInteger)
    expected_cost: Mapped[float]
    until: Mapped[float]


class PaidCallRow(Base):
    """A call in progress. The row prevents other processes from making the same call."""

    __tablename__ = "paid_calls"
    account: Mapped[str] = mapped_column(ForeignKey("budget_accounts.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(100))
    cost: Mapped[float]
    until: Mapped[float]


class PaidReplyRow(Base):
    """A reply of a dialogue that is not stored yet. The row prevents a second payment for the reply."""

    __tablename__ = "paid_replies"
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    account: Mapped[str] = mapped_column(ForeignKey("budget_accounts.id"), index=True)
    dialogue: Mapped[str] = mapped_column(String(100), index=True)
    reply: Mapped[dict[str, Any]]


class RateTurnRow(Base):
    """The time at which the next call to a service may leave, for bots that share their rate limit."""

    __tablename__ = "rate_turns"
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    next: Mapped[float]
