"""The tournament's budget: one account shared by all its processes, and the rule for starting new dialogues."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from arena.config.tournament import Tournament, without_budget
from arena.core.amounts import Amount
from arena.core.hashing import digest
from arena.core.types import BotSpec, Dialogue, DialoguePlan
from arena.play.purse import Purse
from db.ledger import Ledger
from db.repository import Repository

UNBOUNDED = 2048  # assumed tokens of a reply if no setting limits them
SPARE = 1.25  # factor by which the next dialogue may cost more than the average


class Admission:
    """Lets a dialogue begin only if the budget is enough for it and for all dialogues in progress."""

    def __init__(self, purse: Purse | None, tournament: Tournament) -> None:
        self._purse = purse
        self._questions = 0
        if tournament.inquirer is not None:
            self._questions = 1 if tournament.per_turn == "all" else int(tournament.per_turn)
        self._ended = self._actual = self._expected = 0.0

    @asynccontextmanager
    async def dialogue(self, plan: DialoguePlan) -> AsyncIterator[None]:
        if self._purse is None:
            yield
            return
        expected = self._estimate(plan)
        await self._purse.begin(expected)
        try:
            yield
        finally:
            self._purse.end(expected)

    def learn(self, plan: DialoguePlan, played: Dialogue) -> None:
        """Record a dialogue's real cost and its highest possible cost, so that later estimates are scaled by their
        ratio.
        """
        facts = played.facts
        if self._purse is None or played.reason is not None:
            return
        at_most = at_most_for(plan, self._questions)
        by_tokens = self._purse.ceiling.max_cost is None
        tokens = float(facts.get("tokens_in", 0)) + float(facts.get("tokens_out", 0))
        self._actual += tokens if by_tokens else float(facts.get("cost", 0.0))
        self._expected += at_most.tokens if by_tokens else at_most.cost

    def _estimate(self, plan: DialoguePlan) -> Amount:
        at_most = at_most_for(plan, self._questions)
        if self._expected <= 0 or self._actual <= 0:
            return at_most
        share = min(1.0, SPARE * self._actual / self._expected)
        scaled = at_most.scaled(share)
        return Amount(at_most.calls, scaled.tokens, scaled.cost)


def at_most_for(plan: DialoguePlan, questions: int) -> Amount:
    """The highest possible cost of a dialogue, if every reply has the maximum length."""
    total = Amount()
    for spec, replies, asked in (
        (plan.speaker, plan.turns - 1, 0),
        (plan.tested, plan.turns, plan.turns * questions),
    ):
        longest = reply_tokens(spec)
        written = (replies + asked) * longest
        # The history grows by two messages each turn. An inquiry reads as much as the reply before it.
        read = sum(2 * turn * longest for turn in range(1, plan.turns + 1)) * (1 + bool(asked) * questions)
        price_in, price_out = prices(spec)
        total += Amount(replies + asked, read + written, (read * price_in + written * price_out) / 1e6)
    return total


def reply_tokens(spec: BotSpec) -> int:
    decoding = spec.settings.get("decoding")
    longest = (
        decoding.get("max_tokens", decoding.get("max_new_tokens")) if isinstance(decoding, Mapping) else None
    )
    return longest if isinstance(longest, int) else UNBOUNDED


def prices(spec: BotSpec) -> tuple[float, float]:
    """Return two prices: per million tokens read, and per million tokens written."""
    return float(spec.settings.get("price_in") or 0.0), float(spec.settings.get("price_out") or 0.0)


def entries(tournament: Tournament) -> Iterator[Mapping[str, Any]]:
    """The settings of every bot of the tournament, including those used by judges and question writers."""
    for bot in tournament.bots:
        yield bot.settings
    for place in (*(judge.settings for judge in tournament.judges), tournament.inquirer or {}):
        yield from _nested(place)


def _nested(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        for item in value.values():
            yield from _nested(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _nested(item)


def purse_for(repository: Repository, tournament: Tournament, owner: str) -> Purse | None:
    """Return the tournament's account; None if it has no budget, no prices and no shared rate limit, so nothing is
    counted.
    """
    settings = list(entries(tournament))
    priced = any(each.get("price_in") or each.get("price_out") for each in settings)
    shared = any(each.get("rate_limit_shared") for each in settings)
    if not (tournament.ceiling.given or priced or shared):
        return None
    account = digest("budget", without_budget(tournament.info.config))[:32]
    return Purse(Ledger(repository), account, tournament.ceiling, owner)


def keeps_replies(tournament: Tournament) -> bool:
    """Whether replies are kept until their dialogue is stored. They are kept if there is a budget or a price."""
    priced = (each.get("price_in") or each.get("price_out") for each in entries(tournament))
    return tournament.ceiling.given or any(priced)
