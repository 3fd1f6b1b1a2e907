"""The values that the repository returns: stored dialogues, tournaments, judges, and pending work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.core.types import (
    NOTHING,
    Case,
    Check,
    Collapse,
    Facts,
    Inquiry,
    Label,
    Message,
    MessageVerdict,
    OnLoop,
    Status,
    Verdict,
)


class JudgeRow(NamedTuple):
    """A judge with verdicts in a tournament. `row` is the judge's number in this database."""

    row: int
    name: str
    revision: str
    tau: float


class CheckRow(NamedTuple):
    """A check of messages by a judge in a tournament.

    `method` is the version of the method that chose the statements to compare.
    """

    check: Check
    row: int
    name: str
    revision: str
    tau: float
    method: int


class Place(NamedTuple):
    """A dialogue's place in a tournament's schedule, which is sorted by place."""

    speaker: str
    tested: str
    number: int


class Neighbours(NamedTuple):
    """The keys of the previous and the next dialogue in the schedule. None at the schedule's ends."""

    before: str | None
    after: str | None


class Ended(NamedTuple):
    """The number of dialogues that have ended, and how many of them failed."""

    dialogues: int
    failed: int


@dataclass(frozen=True, slots=True)
class Pending:
    """An unfinished dialogue of a schedule."""

    id: int
    key: str
    speaker: str
    tested: str
    number: int
    lease: float | None = None  # when a process's claim expires


@dataclass(frozen=True, slots=True)
class Record:
    """One stored dialogue as part of a tournament."""

    key: str
    speaker: str
    tested: str
    speaker_identity: str
    tested_identity: str
    number: int
    opener: str
    seed: int
    turns: int
    inquirer: str
    status: Status
    reason: str | None
    refused: Mapping[str, int]
    facts: Facts
    seconds: float | None
    messages: tuple[Message, ...]
    inquiries: tuple[Inquiry, ...]
    verdicts: tuple[Verdict, ...]
    labels: tuple[Label, ...]
    on_loop: OnLoop = OnLoop.KEEP
    personas: tuple[str | None, str | None] = (None, None)
    collapse: Collapse | None = None
    message_verdicts: tuple[MessageVerdict, ...] = ()


@dataclass(frozen=True, slots=True)
class Unjudged:
    """An inquiry without the judge's verdict."""

    inquiry: int
    case: Case


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A dialogue with messages that still need a judge's verdict under one check."""

    dialogue: int
    messages: tuple[Message, ...]
    wanted: frozenset[int]  # indices of the messages to be judged
    persona: str | None  # as stored with the dialogue; for older dialogues only in the settings
    knowledge: str | None
    settings: Facts = NOTHING  # of the bot under test
    number: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    planned: int
    done: int
    failed: int
    running: int
    inquiries: int
    replies: int
    failures: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class StoredTournament:
    id: str
    release: str
    config_hash: str
    seed: int
    config: Facts
    created: float
    bots: Mapping[str, str]  # name to identity, in the file's order

    @property
    def judges(self) -> Sequence[Mapping[str, Any]]:
        """The judges of the resolved configuration. Empty for imported tournaments."""
        judges: Sequence[Mapping[str, Any]] = self.config.get("judges", ())
        return judges
