"""Budgets: what was spent, what is under way, and replies that were paid for and not stored elsewhere yet.

All processes and hosts of a tournament share one account. A call is reserved before it is made, with the most it can
cost, and settled afterwards. What a process that died had under way counts as if it had cost all of that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from sqlalchemy import Connection, Engine, Row, and_, delete, func, select, update

from arena.core.amounts import NOTHING_SPENT, Amount, Ceiling
from db import models as m
from db.session import reading, writing
from db.tables import chunks, insert_new, members, table

ACCOUNTS = table(m.AccountRow)
HOLDERS = table(m.AccountHolderRow)
REPLIES = table(m.PaidReplyRow)
TURNS = table(m.RateTurnRow)
LEASE = 600.0  # seconds for which a process may say nothing and still hold what it reserved


class Answer(Enum):
    """What becomes of a reservation."""

    GRANTED = "granted"
    WAIT = "wait"  # other calls may turn out cheaper than reserved
    SPENT = "spent"


@dataclass(frozen=True, slots=True)
class Settled:
    """A call that ended: what had been reserved for it, and what it cost."""

    reserved: Amount
    actual: Amount


@dataclass(frozen=True, slots=True)
class PaidReply:
    key: str
    dialogue: str
    value: Mapping[str, Any]


@dataclass
class Changes:
    """All that one process has to say to the account at a time."""

    settled: list[Settled] = field(default_factory=list)
    replies: list[PaidReply] = field(default_factory=list)
    ended: list[Amount] = field(
        default_factory=list
    )  # dialogues that are over, with what was expected of them
    calls: list[Amount] = field(default_factory=list)  # wanted, with the most each can cost
    dialogues: list[Amount] = field(default_factory=list)  # wanted, with what each is expected to cost
    seconds: float = 0.0

    def __bool__(self) -> bool:
        return bool(self.settled or self.replies or self.ended or self.calls or self.dialogues)


@dataclass(frozen=True, slots=True)
class Balance:
    """The account after a change, and the answers to what was wanted."""

    spent: Amount
    seconds: float
    calls: Sequence[Answer]
    dialogues: Sequence[Answer]
    crossed: str | None  # the limit that stands in the way


@dataclass(frozen=True, slots=True)
class Spent:
    calls: int
    tokens: int
    cost: float
    seconds: float


class Ledger:
    """The accounts of one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def open(self, account: str, tournament: str, is_dead: Callable[[str], bool]) -> None:
        """Begins with what the tournament's stored dialogues have cost; settles for processes that died."""
        with writing(self.engine) as connection:
            known = connection.execute(select(ACCOUNTS.c.id).where(ACCOUNTS.c.id == account)).first()
            if known is None:
                before = _stored(connection, tournament)
                row = {"id": account, "tokens": before.tokens, "cost": before.cost}
                insert_new(connection, ACCOUNTS, [{**row, "calls": 0, "seconds": 0.0}])
            owners = connection.scalars(select(HOLDERS.c.owner).where(HOLDERS.c.account == account)).all()
            for owner in owners:
                if is_dead(owner):
                    _bury(connection, account, HOLDERS.c.owner == owner)

    def exchange(self, account: str, owner: str, changes: Changes, ceiling: Ceiling) -> Balance:
        """One transaction: everything that ended is counted, everything that is wanted is answered."""
        now = time.time()
        with writing(self.engine) as connection:
            own = ACCOUNTS.c.id == account
            connection.execute(select(ACCOUNTS.c.id).where(own).with_for_update()).one()
            _bury(connection, account, and_(HOLDERS.c.until < now, HOLDERS.c.owner != owner))
            row = connection.execute(select(ACCOUNTS).where(own)).one()
            state = _State.read(connection, account, owner, row)
            state.count(changes)
            calls = [state.call(most, ceiling) for most in changes.calls]
            dialogues = [state.dialogue(expected, ceiling) for expected in changes.dialogues]
            state.write(connection, account, owner, now + LEASE)
            insert_new(
                connection,
                REPLIES,
                [
                    {"key": r.key, "account": account, "dialogue": r.dialogue, "reply": dict(r.value)}
                    for r in changes.replies
                ],
            )
        return Balance(state.spent, state.seconds, calls, dialogues, state.crossed)

    def leave(self, account: str, owner: str) -> None:
        """What this process still holds is settled as if it had cost all of it."""
        with writing(self.engine) as connection:
            _bury(connection, account, HOLDERS.c.owner == owner)

    def spent(self, account: str) -> Spent | None:
        with reading(self.engine) as connection:
            row = connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.id == account)).first()
        return None if row is None else Spent(row.calls, row.tokens, row.cost, row.seconds)

    def replies(self, account: str) -> dict[str, Mapping[str, Any]]:
        """Replies that were paid for, of dialogues that are not over."""
        statement = select(REPLIES.c.key, REPLIES.c.reply).where(REPLIES.c.account == account)
        with reading(self.engine) as connection:
            return {row.key: row.reply for row in connection.execute(statement)}

    def forget(self, account: str, dialogues: Sequence[str] | None = None) -> None:
        """The replies of dialogues that are stored now; without a list, all."""
        with writing(self.engine) as connection:
            own = REPLIES.c.account == account
            if dialogues is None:
                connection.execute(delete(REPLIES).where(own))
            for some in chunks(dialogues or ()):
                connection.execute(delete(REPLIES).where(own, REPLIES.c.dialogue.in_(some)))

    def turn(self, name: str, gap: float) -> float:
        """Seconds until this caller may go; all callers of that name go one after the other, `gap` apart."""
        with writing(self.engine) as connection:
            insert_new(connection, TURNS, [{"name": name, "next": 0.0}])
            mine = TURNS.c.name == name
            next = float(connection.execute(select(TURNS.c.next).where(mine).with_for_update()).scalar_one())
            now = time.time()
            go = min(max(now, next), now + 3600.0)  # a clock that was set back must not stop everybody
            connection.execute(update(TURNS).where(mine).values(next=go + gap))
        return go - now


@dataclass
class _State:
    """The account inside a transaction."""

    spent: Amount
    seconds: float
    mine: Amount  # reserved for calls of this process
    others: Amount
    begun: int  # dialogues of all processes
    mine_begun: int
    mine_expected: Amount
    others_expected: Amount
    known: bool
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
        return cls(spent, row.seconds, mine, others, begun, mine_begun, mine_expected, expected, known)

    def count(self, changes: Changes) -> None:
        self.seconds += changes.seconds
        for one in changes.settled:
            # Without a row the others took this process for dead and counted all that it held.
            self.spent += one.actual if self.known else one.actual - one.reserved
            self.mine = self.mine - one.reserved if self.known else self.mine
        for expected in changes.ended:
            if self.known:
                self.mine_begun, self.begun = self.mine_begun - 1, self.begun - 1
                self.mine_expected -= expected
        if not self.mine.calls:  # sums of fractions leave crumbs
            self.mine = NOTHING_SPENT
        if not self.mine_begun:
            self.mine_expected = NOTHING_SPENT

    def call(self, most: Amount, ceiling: Ceiling) -> Answer:
        with_it = self.spent + most
        if crossed := ceiling.crossed(with_it + self.mine + self.others, self.seconds):
            self.crossed = crossed
            alone = ceiling.crossed(with_it, self.seconds)
            return Answer.SPENT if alone or not (self.mine.calls or self.others.calls) else Answer.WAIT
        self.mine += most
        return Answer.GRANTED

    def dialogue(self, expected: Amount, ceiling: Ceiling) -> Answer:
        """Begun dialogues come first. With none begun anywhere one may begin, even if it may not end."""
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
                calls=self.spent.calls, tokens=self.spent.tokens, cost=self.spent.cost, seconds=self.seconds
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


def _bury(connection: Connection, account: str, whose: Any) -> None:
    """Counts what these processes had under way as spent."""
    theirs = and_(HOLDERS.c.account == account, whose)
    sums = [func.coalesce(func.sum(HOLDERS.c[name]), 0) for name in ("calls", "tokens", "cost")]
    calls, tokens, cost = connection.execute(select(*sums).where(theirs)).one()
    if calls or tokens or cost:
        connection.execute(
            update(ACCOUNTS)
            .where(ACCOUNTS.c.id == account)
            .values(
                calls=ACCOUNTS.c.calls + int(calls),
                tokens=ACCOUNTS.c.tokens + int(tokens),
                cost=ACCOUNTS.c.cost + float(cost),
            )
        )
    connection.execute(delete(HOLDERS).where(theirs))


def _stored(connection: Connection, tournament: str) -> Amount:
    """What the stored dialogues say that they cost."""
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
