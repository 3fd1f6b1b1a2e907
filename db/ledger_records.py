"""The messages to an account of the ledger, and the account's answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from arena.core.amounts import Amount


class Answer(Enum):
    """The answer to a reservation."""

    GRANTED = "granted"
    WAIT = "wait"  # other calls may turn out cheaper than reserved
    SPENT = "spent"
    KEPT = "kept"  # the call was paid for before, and its reply is known
    ELSEWHERE = "elsewhere"  # another process is making the same call


@dataclass(frozen=True, slots=True)
class PaidReply:
    key: str
    dialogue: str
    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A request for a call, with the most that it can cost.

    A call with a key is made only once, by a single process, and its reply is kept.
    """

    most: Amount
    key: str | None = None
    seconds: float = 600.0  # time after which the call must have ended


@dataclass(frozen=True, slots=True)
class Settled:
    """A call that has ended, with its reserved amount and its cost."""

    reserved: Amount
    actual: Amount
    key: str | None = None


@dataclass
class Changes:
    """Everything that a process reports to the account at once."""

    settled: list[Settled] = field(default_factory=list)
    replies: list[PaidReply] = field(default_factory=list)
    ended: list[Amount] = field(default_factory=list)  # expected costs of dialogues that have ended
    calls: list[Wanted] = field(default_factory=list)
    dialogues: list[Amount] = field(default_factory=list)  # expected costs of dialogues that ask to begin
    seconds: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.settled or self.replies or self.ended or self.calls or self.dialogues)


@dataclass(frozen=True, slots=True)
class Balance:
    """The account after a change, with the answers to the requests."""

    spent: Amount
    seconds: float
    calls: Sequence[Answer]
    dialogues: Sequence[Answer]
    crossed: str | None  # the limit that prevents a call or dialogue
    kept: Mapping[str, Mapping[str, Any]]  # the replies of calls that were paid for before


@dataclass(frozen=True, slots=True)
class Lost:
    """Calls whose process died before it knew their replies, and the most that they can have cost."""

    calls: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Spent:
    calls: int
    tokens: int
    cost: float
    seconds: float
    lost: Lost
