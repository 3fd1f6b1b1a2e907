"""The account of a budget, on both databases: what is granted, what waits, and what the dead leave behind."""

from __future__ import annotations

import asyncio
import time

import pytest
from sqlalchemy import delete, update

from arena.core.amounts import Amount, Ceiling
from arena.play.purse import Purse
from bots import registry
from bots.base import Line, ReplyRequest, RunOptions
from db import Database, connect
from db.ledger import ACCOUNTS, HOLDERS, Answer, Changes, Ledger, Lost, PaidReply, Settled, Wanted
from db.session import writing
from tests.bots.local_server import Answer as Reply
from tests.bots.local_server import Call, completion, serve
from tests.bots.test_limits import busiest

CALL = Amount(1, 100, 0.1)
HALF = Ceiling(max_cost=0.5)
GRANTED, WAIT, SPENT = Answer.GRANTED, Answer.WAIT, Answer.SPENT


@pytest.fixture
def ledger(database: str) -> Ledger:
    opened = Ledger(Database(connect(database)))
    opened.open("a", "no tournament", lambda _: False)
    return opened


def want(ledger: Ledger, owner: str, *calls: Amount, ceiling: Ceiling = HALF) -> list[Answer]:
    return list(ledger.exchange("a", owner, Changes(calls=[Wanted(call) for call in calls]), ceiling).calls)


def settle(ledger: Ledger, owner: str, *pairs: tuple[Amount, Amount]) -> None:
    ledger.exchange("a", owner, Changes(settled=[Settled(*pair) for pair in pairs]), HALF)


def test_reservations_of_all_processes_stay_below_the_ceiling(ledger: Ledger) -> None:
    assert want(ledger, "one", CALL, CALL, CALL) == [GRANTED] * 3
    assert want(ledger, "two", CALL, CALL, CALL) == [GRANTED, GRANTED, WAIT]
    settle(ledger, "one", (CALL, Amount(1, 10, 0.01)), (CALL, CALL))
    assert want(ledger, "two", CALL) == [WAIT]  # 0.11 spent, 0.3 under way
    settle(ledger, "one", (CALL, Amount(1, 0, 0.0)))
    assert want(ledger, "two", CALL) == [GRANTED]
    settle(ledger, "two", (CALL, CALL), (CALL, CALL), (CALL, CALL))
    assert want(ledger, "two", CALL) == [SPENT]  # nothing is under way that could still be cheaper
    assert want(ledger, "two", Amount(1, 1, 0.05)) == [GRANTED]
    spent = ledger.spent("a")
    assert spent is not None and spent.cost == pytest.approx(0.41) and spent.calls == 6


@pytest.mark.parametrize(
    "ceiling", [Ceiling(max_calls=2), Ceiling(max_tokens=250), Ceiling(max_cost=0.2)], ids=str
)
def test_each_ceiling_holds_alone(ledger: Ledger, ceiling: Ceiling) -> None:
    assert want(ledger, "one", CALL, CALL, CALL, ceiling=ceiling) == [GRANTED, GRANTED, WAIT]


def test_seconds_add_up(ledger: Ledger) -> None:
    ceiling = Ceiling(max_seconds=10)
    for owner in ("one", "two"):
        assert ledger.exchange("a", owner, Changes(seconds=4.0, calls=[Wanted(CALL)]), ceiling).calls == [
            GRANTED
        ]
    balance = ledger.exchange("a", "one", Changes(seconds=4.0, calls=[Wanted(CALL)]), ceiling)
    assert balance.calls == [SPENT] and balance.crossed == "max_seconds" and balance.seconds == 12.0


def test_what_the_dead_had_under_way_counts_as_spent(ledger: Ledger) -> None:
    assert want(ledger, "dead", CALL, CALL) == [GRANTED] * 2
    assert want(ledger, "gone", CALL) == [GRANTED]
    ledger.open("a", "no tournament", lambda owner: owner == "dead")
    with writing(ledger.engine) as connection:
        connection.execute(update(HOLDERS).values(until=time.time() - 1))  # "gone" has said nothing for long
    assert want(ledger, "alive", CALL, CALL, CALL) == [GRANTED, GRANTED, WAIT]
    spent = ledger.spent("a")
    assert spent is not None and (spent.calls, spent.cost) == (3, pytest.approx(0.3))
    settle(ledger, "gone", (CALL, Amount(1, 10, 0.02)))  # it was alive after all
    spent = ledger.spent("a")
    assert spent is not None and (spent.calls, spent.cost) == (3, pytest.approx(0.22))


def test_begun_dialogues_come_before_new_ones(ledger: Ledger) -> None:
    def begin(owner: str, *expected: float) -> list[Answer]:
        amounts = [Amount(0, 0, cost) for cost in expected]
        return list(ledger.exchange("a", owner, Changes(dialogues=amounts), HALF).dialogues)

    assert begin("one", 9.0) == [GRANTED]  # the only one, even if it may not end
    assert begin("two", 0.01) == [WAIT]
    ledger.exchange("a", "one", Changes(ended=[Amount(0, 0, 9.0)]), HALF)
    assert begin("two", 0.2, 0.2, 0.2) == [GRANTED, GRANTED, WAIT]
    assert want(ledger, "two", CALL, CALL, CALL, CALL, CALL) == [GRANTED] * 5  # their calls may
    settle(ledger, "two", *[(CALL, CALL)] * 5)
    assert begin("one", 0.0) == [SPENT]


def test_an_account_that_vanished_is_no_silence(ledger: Ledger) -> None:
    with writing(ledger.engine) as connection:
        connection.execute(delete(ACCOUNTS))
    with pytest.raises(Exception, match="No row"):
        want(ledger, "one", CALL)


def test_replies_are_kept_until_their_dialogue_is_over(ledger: Ledger) -> None:
    kept = [PaidReply(f"k{n}", f"d{n % 2}:1", {"text": str(n)}) for n in range(4)]
    for _ in range(2):
        ledger.exchange("a", "one", Changes(replies=kept), HALF)
    assert set(ledger.replies("a")) == {"k0", "k1", "k2", "k3"} and not ledger.replies("b")
    ledger.forget("a", ["d0:1"])
    assert ledger.replies("a") == {"k1": {"text": "1"}, "k3": {"text": "3"}}
    ledger.forget("a")
    assert not ledger.replies("a")


async def test_processes_that_share_a_rate_keep_to_it_together(database: str) -> None:
    stores = [Database(connect(database)) for _ in range(3)]
    Ledger(stores[0]).open("a", "no tournament", lambda _: False)

    async def kind(_: Call) -> Reply:
        return completion("hi")

    async with serve(kind) as server:
        settings = {"model": "m", "base_url": f"{server.url}/v1", "rate_limit": 20, "rate_limit_shared": True}
        spec = registry.spec("served", "openai", settings)
        bots = [
            registry.create(spec, RunOptions(account=Purse(Ledger(store), "a", Ceiling(), f"p{n}")))
            for n, store in enumerate(stores)
        ]
        calls = [
            [ReplyRequest(f"d{n}", (Line("hello", False),), 12 * p + n) for n in range(12)] for p in range(3)
        ]
        replies = await asyncio.gather(*(bot.reply(some) for bot, some in zip(bots, calls, strict=True)))
        for bot in bots:
            await bot.close()
    assert all(reply.error is None for some in replies for reply in some)
    assert len(server.arrivals) == 36 and busiest(server.arrivals) <= 20
    for store in stores:
        store.close()


ONCE = Wanted(CALL, "k", seconds=100)
REPLY = PaidReply("k", "d:1", {"text": "yes"})


def test_a_call_with_a_key_is_made_once(ledger: Ledger) -> None:
    def ask(owner: str, *settled: Settled, replies: tuple[PaidReply, ...] = ()) -> list[Answer]:
        changes = Changes(calls=[ONCE], settled=list(settled), replies=list(replies))
        balance = ledger.exchange("a", owner, changes, HALF)
        assert balance.calls != [Answer.KEPT] or balance.kept == {"k": {"text": "yes"}}
        return list(balance.calls)

    assert ask("one") == [GRANTED]
    assert ask("two") == [Answer.ELSEWHERE] and ask("one") == [Answer.ELSEWHERE]
    assert ask("one", Settled(CALL, CALL, "k")) == [GRANTED]  # it failed: there is nothing to keep
    assert ask("two") == [Answer.ELSEWHERE]
    assert ask("one", Settled(CALL, CALL, "k"), replies=(REPLY,)) == [Answer.KEPT]
    assert ask("two") == [Answer.KEPT]
    spent = ledger.spent("a")
    assert spent is not None and spent.calls == 2 and spent.lost == Lost()


def test_calls_that_die_with_their_process_are_lost_one_by_one(ledger: Ledger) -> None:
    wanted = [ONCE, Wanted(CALL, "other"), Wanted(Amount(1, 10, 0.02))]  # the last is not kept by anybody
    assert ledger.exchange("a", "dead", Changes(calls=wanted), HALF).calls == [GRANTED] * 3
    assert ledger.open("a", "no tournament", lambda owner: owner == "dead") == Lost(2, pytest.approx(0.2))
    assert ledger.open("a", "no tournament", lambda owner: owner == "dead") == Lost()
    assert ledger.exchange("a", "alive", Changes(calls=[ONCE]), HALF).calls == [GRANTED]
    spent = ledger.spent("a")
    assert spent is not None and (spent.calls, spent.lost.calls) == (3, 2)
    ended = Changes(settled=[Settled(CALL, Amount(1, 1, 0.01), "other")])
    ledger.exchange("a", "dead", ended, HALF)  # it was alive after all
    spent = ledger.spent("a")
    assert spent is not None and spent.cost == pytest.approx(0.13) and spent.lost.calls == 1


def test_a_call_that_is_overdue_is_lost_and_made_again(ledger: Ledger) -> None:
    late = Wanted(CALL, "k", seconds=-1)
    assert ledger.exchange("a", "gone", Changes(calls=[late]), HALF).calls == [GRANTED]
    assert ledger.exchange("a", "two", Changes(calls=[ONCE]), HALF).calls == [GRANTED]
    spent = ledger.spent("a")
    assert spent is not None and spent.lost == Lost(1, pytest.approx(0.1))
    assert ledger.exchange("a", "one", Changes(calls=[ONCE]), HALF).calls == [Answer.ELSEWHERE]


def test_a_rate_that_is_not_shared_is_not_stored() -> None:
    """Tournaments of earlier versions keep their hash."""
    settings = {"model": "m", "base_url": "http://h/v1"}
    assert "rate_limit_shared" not in registry.settle("openai", settings)
    assert registry.settle("openai", settings | {"rate_limit_shared": True})["rate_limit_shared"] is True
    shared = registry.spec("s", "openai", settings | {"rate_limit_shared": True})
    assert shared.identity == registry.spec("s", "openai", settings).identity
