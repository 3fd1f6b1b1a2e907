"""The interfaces of bots and adapters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from arena.core.types import NOTHING, Facts

if TYPE_CHECKING:
    from bots.accounts import Account

COMMON = ("persona", "knowledge", "resources", "isolate")  # settings that every bot may carry
INCIDENTAL = ("resources", "isolate")  # the place where a bot runs is not part of its identity


@dataclass(frozen=True, slots=True)
class Line:
    """One message from the point of view of the bot that is asked."""

    text: str
    mine: bool


@dataclass(frozen=True, slots=True)
class ReplyRequest:
    """A request with the whole visible history. The last line is the line to answer.

    `dialogue` names the conversation and the seat, so that an adapter may keep a cache for them. `fork` marks an
    inquiry: the bot must not remember anything of it.
    """

    dialogue: str
    history: tuple[Line, ...]
    seed: int
    fork: bool = False
    knowledge: str | None = None
    persona: str | None = None  # for this dialogue only; a fixed persona is in the bot's settings

    @property
    def grounds(self) -> str | None:
        """Knowledge and persona of this dialogue as one text, for adapters that treat both alike."""
        return "\n".join(part for part in (self.knowledge, self.persona) if part) or None


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply. If a single request of a batch fails, its `error` is set and no exception is raised."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    dropped: int = 0  # oldest messages left out to fit the context length
    facts: Facts = NOTHING
    error: Exception | None = None

    def without_error(self) -> dict[str, Any]:
        """Returns the fields that JSON can hold."""
        return {
            "text": self.text,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "cost": self.cost,
            "dropped": self.dropped,
            "facts": dict(self.facts),
        }


@runtime_checkable
class Bot(Protocol):
    """A conversation partner. Dropping its caches only affects speed."""

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        """Returns one reply per request, in order."""
        ...

    async def close(self) -> None:
        """Frees models and connections."""
        ...


class Adapter(Protocol):
    """The object behind an entry point of the group `arena.bots`. The registry creates bots from it.

    `Settings` is a pydantic model (`extra="forbid"`). Its keys are those of the adapter's entries, without `name`,
    `adapter` and the keys of `COMMON`. `revision` must be cheap and only hashes files. `incidental` names settings
    that do not affect replies and so are not part of a bot's identity. `bounded` is true if the bots limit the time
    of a call and repeat failed calls themselves.

    `pays_by_call` is true if the bots report each call to the account and keep its reply there (`PaysItself`). If
    there is a budget, such bots run in a process that outlives a killed run.
    """

    Settings: type[Any]
    incidental: tuple[str, ...]
    bounded: bool
    pays_by_call: bool

    def revision(self, settings: Mapping[str, Any]) -> str:
        """Returns what identifies the bot besides its settings.

        This is a hash of the weights, or the version of a served model or script.
        """
        ...

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:
        """Whether a bot with these settings can work here, with one sentence: what it is, or what to do.

        Without settings, tells whether any bot of the adapter can work here. Nothing is loaded. Commands in the
        sentence are in quotation marks.
        """
        ...

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns facts for `arena bots describe`."""
        ...

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> Bot:
        """Creates the bot and loads its model, which may be slow. Called once per distinct identity."""
        ...


class AdapterDefaults:
    """Defaults for adapters.

    All settings are part of the identity, and the arena is responsible for time limits, retries and payment.
    """

    incidental: tuple[str, ...] = ()
    bounded: bool = False
    pays_by_call: bool = False


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of the run. They do not belong to a bot and are not part of any identity."""

    deterministic: bool = False
    batch: int = 32
    wait: float = 0.005
    cache_bytes: int = 2 << 30
    account: Account | None = None  # the account that pays for calls
    keep_replies: bool = False  # whether replies are kept until their dialogue is stored
