"""Budgets: the money spent, the calls in progress, and replies that are paid for but not stored yet.

All processes and hosts of a tournament share one account. Before a call is made, the most that it can cost is
reserved. The transaction that stores the reply also settles the call. If a process dies, its calls in progress
count as lost, and their reserved amounts as spent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, select, update

from arena.core.amounts import NOTHING_SPENT, Amount, Ceiling
from db import models as m
from db.ledger_records import Answer, Balance, Changes, Lost, PaidReply, Settled, Spent, Wanted
from db.session import Database, reading, writing
from db.tables import chunks, insert_new, members, table

ACCOUNTS = table(m.AccountRow)
HOLDERS = table(m.AccountHolderRow)
CALLS = table(m.PaidCallRow)
REPLIES = table(m.PaidReplyRow)
TURNS = table(m.RateTurnRow)
LEASE = 600.0  # seconds after which a silent process loses its reservations

__all__ = ["Answer", "Balance", "Changes", "Ledger", "Lost", "PaidReply", "Settled", "Spent", "Wanted"]


class Ledger:
    """The accounts of one database."""

    def __init__(self, store: Database) -> None:
        self.store = store
        self.engine = store.engine

    def open(self, account: str, tournament: str, is_dead: Callable[[str], bool]) -> Lost:
        """Opens the account and settles the calls of dead processes.

        A new account begins with the cost of the tournament's stored dialogues.
        """
        with writing(self.engine) as connection:
            known = connection.execute(select(ACCOUNTS.c.id).where(ACCOUNTS.c.id == account)).first()
            if known is None:
                before = _stored(connection, tournament)
                row = {"id": account, "tokens": before.tokens, "cost": before.cost}
                zero = {"calls": 0, "seconds": 0.0, "lost_calls": 0, "lost_cost": 0.0}
                insert_new(connection, ACCOUNTS, [{**row, **zero}])
        return self.settle_for_the_dead(account, is_dead)

    def settle_for_the_dead(self, account: str, is_dead: Callable[[str], bool]) -> Lost:
        """Counts calls in progress as lost and as spent if their processes are dead."""
        with writing(self.engine) as connection:
            own = ACCOUNTS.c.id == account
            connection.execute(select(ACCOUNTS.c.id).where(own).with_for_update()).one()
            owners = connection.scalars(select(HOLDERS.c.owner).where(HOLDERS.c.account == account)).all()
            gone = [owner for owner in owners if is_dead(owner)]
            return _bury(connection, account, HOLDERS.c.owner.in_(gone)) if gone else Lost()

    def exchange(self, account: str, owner: str, changes: Changes, ceiling: Ceiling) -> Balance:
        """Counts everything that has ended and answers all requests, in one transaction."""
        now = time.time()
        with writing(self.engine) as connection:
            own = ACCOUNTS.c.id == account
            connection.execute(select(ACCOUNTS.c.id).where(own).with_for_update()).one()
            _bury(connection, account, and_(HOLDERS.c.until < now, HOLDERS.c.owner != owner))
            row = connection.execute(select(ACCOUNTS).where(own)).one()
            state = _State.read(connection, account, owner, row)
            state.count(changes)
            _ended(connection, account, owner, changes, state)
            keys = [wanted.key for wanted in changes.calls if wanted.key is not None]
            kept = _kept(connection, keys)
            elsewhere = _under_way(connection, account, keys, now, state)
            calls, begun = [], []
            for wanted in changes.calls:
                answer = state.answer(wanted, ceiling, kept, elsewhere)
                calls.append(answer)
                if answer is Answer.GRANTED and wanted.key is not None:
                    elsewhere.add(wanted.key)
                    begun.append(_call_row(account, owner, wanted, now))
            dialogues = [state.dialogue(expected, ceiling) for expected in changes.dialogues]
            state.write(connection, account, owner, now + LEASE)
            insert_new(connection, CALLS, begun)
        return Balance(state.spent, state.seconds, calls, dialogues, state.crossed, kept)

    def leave(self, account: str, owner: str) -> None:
        """Books every amount that this process still reserves as spent."""
        with writing(self.engine) as connection:
            _bury(connection, account, HOLDERS.c.owner == owner)

    def spent(self, account: str) -> Spent | None:
        with reading(self.engine) as connection:
            row = connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.id == account)).first()
        if row is None:
            return None
        return Spent(row.calls, row.tokens, row.cost, row.seconds, Lost(row.lost_calls, row.lost_cost))

    def replies(self, account: str) -> dict[str, Mapping[str, Any]]:
        """Returns the replies of unfinished dialogues that are already paid for."""
        statement = select(REPLIES.c.key, REPLIES.c.reply).where(REPLIES.c.account == account)
        with reading(self.engine) as connection:
            return {row.key: row.reply for row in connection.execute(statement)}

    def forget(self, account: str, dialogues: Sequence[str] | None = None) -> None:
        """Deletes the replies of these dialogues, which are now stored. Without a list, deletes all replies."""
        with writing(self.engine) as connection:
            own = REPLIES.c.account == account
            if dialogues is None:
                connection.execute(delete(REPLIES).where(own))
            for some in chunks(dialogues or ()):
                connection.execute(delete(REPLIES).where(own, REPLIES.c.dialogue.in_(some)))

    def turn(self, name: str, gap: float) -> float:
        """Returns the seconds until this caller may start.

        Callers with the same name start one by one, `gap` seconds apart.
        """
        with writing(self.engine) as connection:
            insert_new(connection, TURNS, [{"name": name, "next": 0.0}])
            mine = TURNS.c.name == name
            next = float(connection.execute(select(TURNS.c.next).where(mine).with_for_update()).scalar_one())
            now = time.time()
            go = min(max(now, next), now + 3600.0)  # a clock that was set back must not stop all processes
            connection.execute(update(TURNS).where(mine).values(next=go + gap))
        return go - now


@dataclass
class _State:
    """The state of the account during one transaction."""

    spent: Amount
    seconds: float
    mine: Amount  # reserved for calls of this process
    others: Amount
    begun: int  # dialogues of all processes
    mine_begun: int
    mine_expected: Amount
    others_expected: Amount
    known: bool
    lost: Lost
    crossed: str | None = None

    @classmethod
    def read(cls, connection: Connection, account: str, owner: str, row: Row[Any]) -> _State:
        mine, others, expected, mine_expected = (NOTHING_SPENT,) * 4
        begun = mine_begun = 0
        known = False
        for holder in connection.execute(select(HOLDERS).where(HOLDERS.c.account == account)):
            reserved = Amount(holder.calls, holder.tokens, holder.cost)
            due = Amount(holder.expected_calls, holder.expected_tokens, holder.expected_cost)
            begun += holder.dialogues
            if holder.owner == owner:
                known, mine, mine_expected, mine_begun = True, reserved, due, holder.dialogues
            else:
                others, expected = others + reserved, expected + due
        spent = Amount(row.calls, row.tokens, row.cost)
        lost = Lost(row.lost_calls, row.lost_cost)
        return cls(spent, row.seconds, mine, others, begun, mine_begun, mine_expected, expected, known, lost)

    def count(self, changes: Changes) -> None:
        self.seconds += changes.seconds
        for one in changes.settled:
            # Without a row, another process has taken this one for dead and counted its reservations.
            self.spent += one.actual if self.known else one.actual - one.reserved
            self.mine = self.mine - one.reserved if self.known else self.mine
        for expected in changes.ended:
            if self.known:
                self.mine_begun, self.begun = self.mine_begun - 1, self.begun - 1
                self.mine_expected -= expected
        if not self.mine.calls:  # floating-point sums are not exact
            self.mine = NOTHING_SPENT
        if not self.mine_begun:
            self.mine_expected = NOTHING_SPENT

    def answer(
        self, wanted: Wanted, ceiling: Ceiling, kept: Mapping[str, Any], elsewhere: set[str]
    ) -> Answer:
        if wanted.key in kept:
            return Answer.KEPT
        return Answer.ELSEWHERE if wanted.key in elsewhere else self.call(wanted.most, ceiling)

    def call(self, most: Amount, ceiling: Ceiling) -> Answer:
        with_it = self.spent + most
        if crossed := ceiling.crossed(with_it + self.mine + self.others, self.seconds):
            self.crossed = crossed
            alone = ceiling.crossed(with_it, self.seconds)
            return Answer.SPENT if alone or not (self.mine.calls or self.others.calls) else Answer.WAIT
        self.mine += most
        return Answer.GRANTED

    def dialogue(self, expected: Amount, ceiling: Ceiling) -> Answer:
        """Reserves room for a dialogue. Dialogues that have begun come first.

        If no dialogue has begun in any process, one dialogue may begin even if the budget may not suffice to finish
        it.
        """
        if crossed := ceiling.used_up(self.spent + self.mine + self.others, self.seconds):
            self.crossed = crossed
            return Answer.WAIT if self.mine.calls or self.others.calls else Answer.SPENT
        planned = self.spent + self.mine + self.others + self.mine_expected + self.others_expected
        if self.begun and ceiling.crossed(planned + expected, self.seconds):
            return Answer.WAIT
        self.begun, self.mine_begun = self.begun + 1, self.mine_begun + 1
        self.mine_expected += expected
        return Answer.GRANTED

    def write(self, connection: Connection, account: str, owner: str, until: float) -> None:
        connection.execute(
            update(ACCOUNTS)
            .where(ACCOUNTS.c.id == account)
            .values(
                calls=self.spent.calls,
                tokens=self.spent.tokens,
                cost=self.spent.cost,
                seconds=self.seconds,
                lost_calls=self.lost.calls,
                lost_cost=self.lost.cost,
            )
        )
        row = {
            "calls": self.mine.calls,
            "tokens": self.mine.tokens,
            "cost": max(0.0, self.mine.cost),
            "dialogues": self.mine_begun,
            "expected_calls": self.mine_expected.calls,
            "expected_tokens": self.mine_expected.tokens,
            "expected_cost": max(0.0, self.mine_expected.cost),
            "until": until,
        }
        insert_new(connection, HOLDERS, [{"account": account, "owner": owner, **row}])
        if self.known:
            own = and_(HOLDERS.c.account == account, HOLDERS.c.owner == owner)
            connection.execute(update(HOLDERS).where(own).values(**row))


def _ended(connection: Connection, account: str, owner: str, changes: Changes, state: _State) -> None:
    """Stores replies and removes ended calls.

    A call that other processes counted as lost is no longer lost if it ended after all.
    """
    rows = [
        {"key": r.key, "account": account, "dialogue": r.dialogue, "reply": dict(r.value)}
        for r in changes.replies
    ]
    insert_new(connection, REPLIES, rows)
    ended = {one.key: one.reserved for one in changes.settled if one.key is not None}
    held: set[str] = set()
    for some in chunks(list(ended)):
        mine = and_(CALLS.c.account == account, CALLS.c.owner == owner, CALLS.c.key.in_(some))
        held.update(connection.scalars(select(CALLS.c.key).where(mine)))
        connection.execute(delete(CALLS).where(mine))
    for key in ended.keys() - held:
        state.lost = Lost(max(0, state.lost.calls - 1), max(0.0, state.lost.cost - ended[key].cost))


def _kept(connection: Connection, keys: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    kept: dict[str, Mapping[str, Any]] = {}
    for some in chunks(keys):
        rows = connection.execute(select(REPLIES.c.key, REPLIES.c.reply).where(REPLIES.c.key.in_(some)))
        kept.update({row.key: row.reply for row in rows})
    return kept


def _under_way(
    connection: Connection, account: str, keys: Sequence[str], now: float, state: _State
) -> set[str]:
    """Returns the calls with these keys that any process has in progress.

    Calls that must have ended by now count as lost.
    """
    result: set[str] = set()
    for some in chunks(keys):
        theirs = and_(CALLS.c.account == account, CALLS.c.key.in_(some))
        overdue = and_(theirs, CALLS.c.until < now)
        for cost in connection.scalars(select(CALLS.c.cost).where(overdue)).all():
            state.lost = Lost(state.lost.calls + 1, state.lost.cost + cost)
        connection.execute(delete(CALLS).where(overdue))
        result.update(connection.scalars(select(CALLS.c.key).where(theirs)))
    return result


def _call_row(account: str, owner: str, wanted: Wanted, now: float) -> dict[str, Any]:
    row = {"account": account, "key": wanted.key, "owner": owner, "cost": wanted.most.cost}
    return row | {"until": now + wanted.seconds}


def _bury(connection: Connection, account: str, whose: Any) -> Lost:
    """Counts the calls in progress of these processes as spent."""
    theirs = and_(HOLDERS.c.account == account, whose)
    owners = connection.scalars(select(HOLDERS.c.owner).where(theirs)).all()
    if not owners:
        return Lost()
    sums = [func.coalesce(func.sum(HOLDERS.c[name]), 0) for name in ("calls", "tokens", "cost")]
    calls, tokens, cost = connection.execute(select(*sums).where(theirs)).one()
    own_calls = and_(CALLS.c.account == account, CALLS.c.owner.in_(owners))
    number = func.count(), func.coalesce(func.sum(CALLS.c.cost), 0.0)
    lost = Lost(*connection.execute(select(*number).where(own_calls)).one())
    if calls or tokens or cost:
        connection.execute(
            update(ACCOUNTS)
            .where(ACCOUNTS.c.id == account)
            .values(
                calls=ACCOUNTS.c.calls + int(calls),
                tokens=ACCOUNTS.c.tokens + int(tokens),
                cost=ACCOUNTS.c.cost + float(cost),
                lost_calls=ACCOUNTS.c.lost_calls + lost.calls,
                lost_cost=ACCOUNTS.c.lost_cost + float(lost.cost),
            )
        )
    connection.execute(delete(CALLS).where(own_calls))
    connection.execute(delete(HOLDERS).where(theirs))
    return lost


def _stored(connection: Connection, tournament: str) -> Amount:
    """Returns the cost that is recorded in the stored dialogues."""
    from db.tables import DIALOGUES

    facts = connection.scalars(
        select(DIALOGUES.c.facts).where(
            DIALOGUES.c.id.in_(members(tournament)), DIALOGUES.c.facts.is_not(None)
        )
    )
    total = NOTHING_SPENT
    for each in facts:
        tokens = int(each.get("tokens_in", 0)) + int(each.get("tokens_out", 0))
        total += Amount(0, tokens, float(each.get("cost", 0.0)))
    return total
