"""Claims dialogues for playing, stores played dialogues, and counts progress."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, func, insert, or_, select, update

from arena.core.types import Dialogue, Status
from db.records import Ended, Pending, Progress
from db.rows import inquiry_row, message_row, played_columns, texts_code
from db.session import Database, reading, writing
from db.tables import DIALOGUES, INQUIRIES, MESSAGES, OVER, SCHEDULE, members


class Playing(Database):
    """The part of the repository that runs use."""

    def pending(self, tournament: str) -> list[Pending]:
        """Returns unfinished dialogues, in rounds over the pairs so that a stopped run is balanced.

        Dialogues that follow each other have different bots in both seats, so that a slow bot does not delay the
        others.
        """
        statement = (
            select(
                DIALOGUES.c.id,
                DIALOGUES.c.key,
                SCHEDULE.c.speaker,
                SCHEDULE.c.tested,
                SCHEDULE.c.number,
                DIALOGUES.c.lease,
            )
            .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
            .where(SCHEDULE.c.tournament == tournament, DIALOGUES.c.status.not_in(OVER))
        )
        with reading(self.engine) as connection:
            waiting = [Pending(*row) for row in connection.execute(statement)]
        names = sorted({name for one in waiting for name in (one.speaker, one.tested)})
        positions = {name: n for n, name in enumerate(names)}

        def diagonal(one: Pending) -> tuple[int, int, int]:
            speaker = positions[one.speaker]
            return one.number, (positions[one.tested] - speaker) % len(names), speaker

        return sorted(waiting, key=diagonal)

    def claim(self, ids: Sequence[int], owner: str, now: float, until: float) -> set[int]:
        """Claims those of the dialogues that no other process is playing, and returns them."""
        free = or_(
            DIALOGUES.c.status == Status.PLANNED.value,
            and_(DIALOGUES.c.status == Status.RUNNING.value, DIALOGUES.c.lease < now),
        )
        with writing(self.engine) as connection:
            taken = set(
                connection.scalars(
                    select(DIALOGUES.c.id)
                    .where(DIALOGUES.c.id.in_(ids), free)
                    .with_for_update(skip_locked=True)
                )
            )
            if taken:
                connection.execute(
                    update(DIALOGUES)
                    .where(DIALOGUES.c.id.in_(taken))
                    .values(status=Status.RUNNING.value, owner=owner, lease=until)
                )
        return taken

    def renew(self, owner: str, until: float) -> None:
        self._set(and_(DIALOGUES.c.owner == owner, DIALOGUES.c.status == Status.RUNNING.value), lease=until)

    def release(self, dead: Callable[[str], bool]) -> None:
        """Releases the claims of processes that are known to be dead."""
        with writing(self.engine) as connection:
            running = DIALOGUES.c.status == Status.RUNNING.value
            owners = connection.scalars(select(DIALOGUES.c.owner).where(running).distinct()).all()
            gone = [owner for owner in owners if owner is None or dead(owner)]
            if gone:
                connection.execute(
                    update(DIALOGUES)
                    .where(running, or_(DIALOGUES.c.owner.in_(gone), DIALOGUES.c.owner.is_(None)))
                    .values(status=Status.PLANNED.value, owner=None, lease=None)
                )

    def retry_failed(self, tournament: str) -> int:
        """Makes a tournament's failed dialogues playable again. A failed dialogue has only its reason stored."""
        failed = and_(DIALOGUES.c.id.in_(members(tournament)), DIALOGUES.c.status == Status.FAILED.value)
        return self._set(
            failed, status=Status.PLANNED.value, reason=None, refused=None, facts=None, owner=None, lease=None
        )

    def _set(self, where: ColumnElement[bool], **values: Any) -> int:
        with writing(self.engine) as connection:
            return connection.execute(update(DIALOGUES).where(where).values(**values)).rowcount

    def finish(self, played: Sequence[tuple[int, Dialogue]], owner: str) -> int:
        """Stores finished dialogues in one transaction.

        A dialogue that another process has finished is left as it is.
        """
        stored = 0
        with writing(self.engine) as connection:
            messages: list[dict[str, Any]] = []
            inquiries: list[dict[str, Any]] = []
            for id, dialogue in played:
                changed = connection.execute(
                    update(DIALOGUES)
                    .where(
                        DIALOGUES.c.id == id,
                        DIALOGUES.c.status == Status.RUNNING.value,
                        DIALOGUES.c.owner == owner,
                    )
                    .values(
                        status=dialogue.status.value,
                        reason=dialogue.reason,
                        refused=dict(dialogue.refused) or None,
                        facts=dict(dialogue.facts) or None,
                        seconds=dialogue.seconds,
                        **played_columns(dialogue.personas, dialogue.collapse),
                        texts=texts_code(dialogue.messages),
                        owner=None,
                        lease=None,
                    )
                ).rowcount
                if changed:
                    stored += 1
                    messages += [message_row(id, message) for message in dialogue.messages]
                    inquiries += [inquiry_row(id, n, inquiry) for n, inquiry in enumerate(dialogue.inquiries)]
            if messages:
                connection.execute(insert(MESSAGES), messages)
            if inquiries:
                connection.execute(insert(INQUIRIES), inquiries)
        return stored

    def give_back(self, owner: str) -> None:
        """Releases dialogues that this process claimed and will not play."""
        held = and_(DIALOGUES.c.owner == owner, DIALOGUES.c.status == Status.RUNNING.value)
        self._set(held, status=Status.PLANNED.value, owner=None, lease=None)

    def over(self, tournament: str) -> Ended:
        """Returns how many dialogues have ended, and how many of them failed."""
        statement = (
            select(DIALOGUES.c.status, func.count())
            .where(DIALOGUES.c.id.in_(members(tournament)), DIALOGUES.c.status.in_(OVER))
            .group_by(DIALOGUES.c.status)
        )
        with reading(self.engine) as connection:
            states: dict[str, int] = dict(connection.execute(statement).tuples().all())
        return Ended(sum(states.values()), states.get(Status.FAILED.value, 0))

    def cost(self, tournament: str) -> float:
        """Returns what paid services have cost for the tournament's dialogues."""
        statement = select(DIALOGUES.c.facts).where(
            DIALOGUES.c.id.in_(members(tournament)), DIALOGUES.c.facts.is_not(None)
        )
        with reading(self.engine) as connection:
            return sum(float((facts or {}).get("cost", 0.0)) for facts in connection.scalars(statement))

    def progress(self, tournament: str) -> Progress:
        mine = DIALOGUES.c.id.in_(members(tournament))
        with reading(self.engine) as connection:
            states: dict[str, int] = defaultdict(int)
            failures: dict[str, int] = {}
            for status, reason, number in connection.execute(
                select(DIALOGUES.c.status, DIALOGUES.c.reason, func.count())
                .where(mine)
                .group_by(DIALOGUES.c.status, DIALOGUES.c.reason)
            ):
                states[status] += number
                if status == Status.FAILED.value:
                    failures[reason or "unknown"] = number
            inquiries = connection.scalar(
                select(func.count())
                .select_from(INQUIRIES)
                .where(INQUIRIES.c.dialogue.in_(members(tournament)))
            )
            answers = connection.scalar(
                select(func.count(INQUIRIES.c.answer)).where(INQUIRIES.c.dialogue.in_(members(tournament)))
            )
            replies = connection.scalar(
                select(func.count())
                .select_from(MESSAGES)
                .where(MESSAGES.c.dialogue.in_(members(tournament)), MESSAGES.c.index > 0)
            )
        return Progress(
            planned=sum(states.values()),
            done=states[Status.DONE.value],
            failed=states[Status.FAILED.value],
            running=states[Status.RUNNING.value],
            inquiries=inquiries or 0,
            replies=(replies or 0) + (answers or 0),
            failures=failures,
        )
