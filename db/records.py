"""What the repository hands out: stored dialogues with their verdicts and labels, and work to be judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.types import (
    NOTHING,
    Case,
    Collapse,
    Facts,
    Inquiry,
    Label,
    Message,
    MessageVerdict,
    OnLoop,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class Pending:
    """A dialogue of a schedule that is not over yet."""

    id: int
    key: str
    speaker: str
    tested: str
    number: int
    lease: float | None = None  # until when somebody holds it


@dataclass(frozen=True, slots=True)
class Record:
    """One stored dialogue as a tournament shows it."""

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
    status: str
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
    """An inquiry that a judge has not seen yet."""

    inquiry: int
    case: Case


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A dialogue with messages that a judge has not seen under one check."""

    dialogue: int
    messages: tuple[Message, ...]
    wanted: frozenset[int]  # of those, the ones to be judged
    persona: str | None  # as it was stored with the dialogue; older ones have it in the settings alone
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
        """The judges of the file as resolved; none for what was imported."""
        judges: Sequence[Mapping[str, Any]] = self.config.get("judges", ())
        return judges
