"""The contents of a leaderboard: one line per bot, one cell per pair, and notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.stats.intervals import Method, Weighting
from arena.stats.ranks import Difference

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Group:
    """The rate within one kind, one distance or one entity type."""

    rate: float
    inquiries: int
    contradictions: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's line of the leaderboard. Rates are nan if nothing was judged; ranks are 0 if the bot has no rank."""

    bot: str
    rank: int
    rank_low: int
    rank_high: int
    tied: bool
    enough: bool
    comparable: bool
    rate: float
    low: float
    high: float
    pooled_rate: float  # every inquiry has the same weight
    induced_rate: float  # mean rate of the bots it spoke with (AIH's row average)
    inquiries: int
    contradictions: int
    dialogues: int
    distinct_dialogues: int  # copies counted once
    failed_dialogues: int
    replies: int  # 0 if they were not counted
    asked: int  # inquiries of the headline's kinds and distance, judged or not
    evasion_rate: float
    non_evasive_rate: float
    bounds: tuple[float, float]  # the rate if no evasion, or every evasion, were a contradiction
    relevant_rate: float
    unjudged: Mapping[str, int]
    by_kind: Mapping[str, Group]
    by_distance: Mapping[int, Group]
    by_entity_type: Mapping[str, Group]
    not_asked_with: tuple[str, ...] = ()  # speakers with too few inquiries for a comparison

    @property
    def tested(self) -> bool:
        """Whether the bot was ever under test. An interviewer, for example, only speaks."""
        return bool(self.dialogues or self.failed_dialogues)

    @property
    def inquiries_per_dialogue(self) -> float:
        return self.inquiries / self.dialogues if self.dialogues else NAN

    @property
    def contradictions_per_dialogue(self) -> float:
        return self.contradictions / self.dialogues if self.dialogues else NAN

    @property
    def asked_share(self) -> float:
        """The share of the bot's replies about which a question was asked."""
        return min(1.0, self.asked / self.replies) if self.replies else NAN


@dataclass(frozen=True, slots=True)
class Cell:
    rate: float
    low: float
    high: float
    inquiries: int
    contradictions: int
    dialogues: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The leaderboard: bots by rank, then by rate, with bots without a rank last. `matrix[speaker][tested]` holds
    the pairs that were played.
    """

    standings: tuple[Standing, ...]
    matrix: Mapping[str, Mapping[str, Cell]]
    tau: float
    level: float
    method: Method
    weighting: Weighting
    notes: tuple[str, ...]
    differences: tuple[Difference, ...] = ()
    openers: int = 0  # number of openers of the dialogues; 0 if unknown
    personas: int = 0  # number of drawn personas
    scope: str = field(default="")  # what the intervals generalise to

    @property
    def order(self) -> tuple[str, ...]:
        return tuple(s.bot for s in self.standings)

    @property
    def enough(self) -> bool:
        return all(s.enough for s in self.standings if s.tested)
