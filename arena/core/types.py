"""The arena's basic types, as frozen values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Facts = Mapping[str, Any]


class _Nothing(Mapping[str, Any]):
    """An empty, hashable mapping that can be a dataclass default."""

    def __getitem__(self, key: str) -> Any:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __hash__(self) -> int:
        return 0


NOTHING: Facts = _Nothing()

SPEAKER, TESTED = 0, 1  # the two seats of a dialogue: i opens, j is under test


class Kind(StrEnum):
    """The kind of an inquiry. It is an experimental factor."""

    WH = "wh"
    YES_NO_TRUE = "yes_no_true"
    YES_NO_FALSE = "yes_no_false"
    ASK_TWICE = "ask_twice"
    PARAPHRASE = "paraphrase"
    ABOUT_PARTNER = "about_partner"


class OnLoop(StrEnum):
    """What happens to a dialogue in which a bot only repeats itself or copies its partner."""

    END = "end"
    NUDGE = "nudge"
    KEEP = "keep"


class Check(StrEnum):
    """A way to detect contradictions."""

    INQUIRY = "inquiry"  # an answer, compared with what the bot said before
    HISTORY = "history"  # a message, compared with the bot's earlier messages
    PERSONA = "persona"  # a message, compared with the bot's persona
    KNOWLEDGE = "knowledge"  # a message, compared with the knowledge that should support it


MESSAGE_CHECKS = (
    Check.HISTORY,
    Check.PERSONA,
    Check.KNOWLEDGE,
)  # one finding per message of the bot under test


class Status(StrEnum):
    PLANNED = "planned"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    OPEN = "open"  # an unfinished chat, which no run may play or release


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot of the resolved configuration."""

    name: str
    adapter: str
    settings: Facts
    identity: str  # hash over adapter, settings and weights revision, without the name


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance; `parent` is the hash of the message before it."""

    index: int
    seat: int
    text: str
    hash: str
    parent: str | None
    facts: Facts = NOTHING


@dataclass(frozen=True, slots=True)
class Entity:
    """A span worth asking about, with its clause (character offsets into the utterance)."""

    text: str
    type: str
    start: int
    end: int
    clause_start: int
    clause_end: int


Offsets = tuple[int, int]  # where a text begins and ends in an utterance, in characters


@dataclass(frozen=True, slots=True)
class Question:
    """A possible question, and how it was made.

    `single_answer` is true if the question has exactly one right answer (a name, an age, yes or no), false if it may
    have several (what somebody likes), and None if no rule decides.
    """

    text: str
    entity: Entity
    kind: Kind
    score: float = 0.0  # the writer's own ranking, higher is better
    expected: str | None = None  # the answer that the utterance gives, if the writer knows it
    rule: str | None = None
    single_answer: bool | None = None
    clause: Offsets | None = None  # the clause that the question is about
    span: Offsets | None = None  # the answer in that clause


@dataclass(frozen=True, slots=True)
class InquiryReport:
    """The questions about one utterance, and the number of refused questions by reason."""

    utterance: str
    entities: tuple[Entity, ...]
    questions: tuple[Question, ...]
    refused: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question that is asked in a fork of the dialogue after message `after`; it is about message `source`.

    Exactly one of `answer` and `reason` is set; `reason` says why there is no answer (`past_end`, `timeout` …).
    `reference` is the text with which the answer is compared, if it is not the source. For `ask_twice`, it is the first
    answer.
    """

    id: str
    after: int
    source: int
    entity: str
    entity_type: str
    question: str
    kind: Kind
    distance: int
    answer: str | None
    reason: str | None = None
    expected: str | None = None
    reference: str | None = None
    facts: Facts = NOTHING
    rule: str | None = None  # the rule that made the question, as in `Question`
    score: float | None = None
    single_answer: bool | None = None
    clause: Offsets | None = None
    span: Offsets | None = None


@dataclass(frozen=True, slots=True)
class DialoguePlan:
    """A dialogue to be played, with everything that determines its content."""

    speaker: BotSpec
    tested: BotSpec
    opener: str
    seed: int
    turns: int
    inquirer: str
    number: int  # number among the pair's dialogues; not part of the key
    on_loop: OnLoop = OnLoop.KEEP
    drawn: tuple[str | None, str | None] = (None, None)  # personas drawn for this dialogue, by seat

    @property
    def key(self) -> str:
        """A hash that equal dialogues share.

        Fields that were added later enter the hash only if they are used, so that old hashes stay valid.
        """
        from arena.core.hashing import digest

        parts: list[Any] = [
            self.speaker.identity,
            self.tested.identity,
            self.opener,
            self.seed,
            self.turns,
            self.inquirer,
        ]
        if self.on_loop is not OnLoop.KEEP or any(self.drawn):
            parts.append({"on_loop": self.on_loop.value, "drawn": list(self.drawn)})
        return digest(*parts)[:32]


@dataclass(frozen=True, slots=True)
class Collapse:
    """Where a dialogue began to loop: the turn (from 1), and the seat of the bot that looped."""

    turn: int
    seat: int


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One conversation as it was played."""

    key: str
    messages: tuple[Message, ...]
    inquiries: tuple[Inquiry, ...]
    refused: Mapping[str, int] = NOTHING  # number of questions that could not be asked, by reason
    reason: str | None = None  # why the dialogue failed, if it did
    facts: Facts = NOTHING  # degenerate replies, truncations, retries, tokens, cost
    seconds: float = 0.0
    personas: tuple[str | None, str | None] = (None, None)  # of the speaker and the bot under test
    collapse: Collapse | None = None

    @property
    def status(self) -> Status:
        return Status.FAILED if self.reason else Status.DONE


@dataclass(frozen=True, slots=True)
class Case:
    """The input of a judge for one inquiry."""

    source: str
    question: str
    answer: str
    kind: Kind = Kind.WH
    expected: str | None = None
    context: tuple[str, ...] = ()  # the messages before the fork, oldest first
    knowledge: str | None = None
    facts: Facts = NOTHING  # what a scripted bot recorded of its own answer
    single_answer: bool | None = None  # whether the question has exactly one right answer


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judge's output for one case. Exactly one of `contradiction` and `reason` is set."""

    contradiction: float | None
    classes: Mapping[str, float] = NOTHING
    evidence: Facts = NOTHING
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    inquiry: str
    judge: str
    revision: str
    judgement: Judgement
    tau: float = 0.5  # the judge's own threshold
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class MessageVerdict:
    """A judge's opinion of one message under one check; `method` is the version of the check."""

    check: Check
    message: int
    judge: str
    revision: str
    method: int
    judgement: Judgement
    tau: float = 0.5
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """A person's label of one subject (an inquiry, a message …) in one schema."""

    subject: str
    subject_type: str  # "inquiry", "message", "dialogue" or "finding"
    schema: str
    person: str
    values: Facts
    note: str = ""
    seconds: float | None = None
    drawn: bool | None = field(default=None, compare=False)  # whether the item was drawn at random


@dataclass(frozen=True, slots=True)
class JudgeSpec:
    name: str
    judge: str
    settings: Facts
    tau: float | None = None
    resources: Facts = NOTHING  # not part of the judge's identity


@dataclass(frozen=True, slots=True)
class TournamentInfo:
    id: str
    release: str
    config_hash: str
    seed: int
    config: Facts
    bots: Sequence[BotSpec] = field(default_factory=tuple)
