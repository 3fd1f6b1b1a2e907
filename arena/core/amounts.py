"""The cost of calls (their number, tokens and money), and the limits on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Amount:
    """A number of calls, a number of tokens (read and written), and a cost in the unit of the bots' prices."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.calls + other.calls, self.tokens + other.tokens, self.cost + other.cost)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.calls - other.calls, self.tokens - other.tokens, self.cost - other.cost)

    def scaled(self, factor: float) -> Amount:
        return Amount(round(self.calls * factor), round(self.tokens * factor), self.cost * factor)

    def at_least(self, other: Amount) -> Amount:
        """Return the maximum of both amounts, field by field."""
        return Amount(
            max(self.calls, other.calls), max(self.tokens, other.tokens), max(self.cost, other.cost)
        )

    def exceeds(self, other: Amount) -> bool:
        """Whether the tokens or the cost are higher than those of the other amount."""
        return self.tokens > other.tokens or self.cost > other.cost + 1e-12


NOTHING_SPENT = Amount()


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The limits of a tournament. None stands for no limit."""

    max_cost: float | None = None
    max_calls: int | None = None
    max_tokens: int | None = None
    max_seconds: float | None = None

    @classmethod
    def of(cls, budget: Mapping[str, Any]) -> Ceiling:
        return cls(**{name: budget.get(name) for name in cls.__slots__})

    @property
    def given(self) -> bool:
        return any(getattr(self, name) is not None for name in self.__slots__)

    def crossed(self, spent: Amount, seconds: float = 0.0) -> str | None:
        """Return the first limit that `spent` or `seconds` exceeds, as its key under `budget`, or None."""
        for key, most, now in (
            ("max_cost", self.max_cost, spent.cost - 1e-9),
            ("max_calls", self.max_calls, spent.calls),
            ("max_tokens", self.max_tokens, spent.tokens),
        ):
            if most is not None and now > most:
                return key
        if self.max_seconds is not None and seconds >= self.max_seconds:
            return "max_seconds"
        return None

    def used_up(self, spent: Amount, seconds: float) -> str | None:
        """Return the limit that does not allow even a minimal further call, as its key under `budget`, or None."""
        return self.crossed(spent + Amount(1, 1 if self.max_tokens is not None else 0, 0.0), seconds) or (
            "max_cost" if self.max_cost is not None and spent.cost >= self.max_cost else None
        )
