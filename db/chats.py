"""Chats between a person and a bot. They are stored message by message, in the same tables as other dialogues."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, delete, func, insert, select, update

from arena.core.errors import InputError
from arena.core.types import BotSpec, DialoguePlan, Message, Status, TournamentInfo
from db.repository import Repository
from db.rows import message, message_row, played_columns
from db.session import reading, writing
from db.tables import BOTS, DIALOGUES, MESSAGES, SCHEDULE, TOURNAMENT_BOTS, insert_new

OPEN, DONE = Status.OPEN, Status.DONE


@dataclass(frozen=True, slots=True)
class Chat:
    """One chat.

    When the chat is closed and its number of turns is known, its key is replaced by a dialogue's key.
    """

    key: str
    tournament: str
    person: str
    bot: str
    bot_identity: str
    seed: int
    mode: str
    status: Status
    messages: tuple[Message, ...]
    seconds: float | None = None


class Chats:
    def __init__(self, store: Repository) -> None:
        self.store = store
        self.engine = store.engine

    def open(
        self,
        info: TournamentInfo,
        plan: DialoguePlan,
        key: str,
        mode: str,
        first: Message,
        now: float,
        persona: str | None = None,
    ) -> None:
        """Creates the chat with its first message and the bot's persona.

        A second call for the same chat changes nothing.
        """
        self.store.add_tournament(info, now)
        person, bot = plan.speaker, plan.tested
        with writing(self.engine) as connection:
            if connection.scalar(select(DIALOGUES.c.id).where(DIALOGUES.c.key == key)) is not None:
                return
            insert_new(
                connection,
                BOTS,
                [
                    {"identity": b.identity, "adapter": b.adapter, "settings": dict(b.settings)}
                    for b in (person, bot)
                ],
            )
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql(
                    "SELECT pg_advisory_xact_lock(4802)"
                )  # numbers are assigned one after the other
            position = connection.scalar(
                select(func.count())
                .select_from(TOURNAMENT_BOTS)
                .where(TOURNAMENT_BOTS.c.tournament == info.id)
            )
            insert_new(
                connection,
                TOURNAMENT_BOTS,
                [
                    {
                        "tournament": info.id,
                        "name": person.name,
                        "position": position,
                        "identity": person.identity,
                    }
                ],
            )
            pair = and_(
                SCHEDULE.c.tournament == info.id,
                SCHEDULE.c.speaker == person.name,
                SCHEDULE.c.tested == bot.name,
            )
            number = connection.scalar(select(func.max(SCHEDULE.c.number)).where(pair))
            row = {
                "key": key,
                **played_columns((None, persona), None),
                "speaker": person.identity,
                "tested": bot.identity,
                "opener": plan.opener,
                "seed": plan.seed,
                "turns": 0,
                "inquirer": plan.inquirer,
                "status": OPEN.value,
                "facts": {"chat": mode},
            }
            id = connection.execute(insert(DIALOGUES).values(**row)).inserted_primary_key[0]  # type: ignore[index]
            entry = {
                "tournament": info.id,
                "dialogue": id,
                "speaker": person.name,
                "tested": bot.name,
                "number": 0 if number is None else number + 1,
            }
            connection.execute(insert(SCHEDULE).values(**entry))
            connection.execute(insert(MESSAGES).values(**message_row(id, first)))

    def add(self, key: str, message: Message) -> bool:
        """Adds a message and returns whether it was added. An existing message stays as it is."""
        with writing(self.engine) as connection:
            row = connection.execute(
                select(DIALOGUES.c.id, DIALOGUES.c.status).where(DIALOGUES.c.key == key)
            ).one_or_none()
            if row is None or row.status != OPEN.value:
                raise InputError("This chat is over; start a new one.")
            before = connection.scalar(
                select(MESSAGES.c.hash)
                .where(MESSAGES.c.dialogue == row.id)
                .order_by(MESSAGES.c.index.desc())
                .limit(1)
            )
            if before != message.parent:
                return False
            connection.execute(insert(MESSAGES).values(**message_row(row.id, message)))
        return True

    def close(self, key: str, final: str, turns: int, seconds: float) -> None:
        """Turns the chat into a dialogue with this number of turns. A last message without an answer is dropped."""
        with writing(self.engine) as connection:
            id = connection.scalar(
                select(DIALOGUES.c.id).where(DIALOGUES.c.key == key, DIALOGUES.c.status == OPEN.value)
            )
            if id is None:
                return
            connection.execute(
                delete(MESSAGES).where(MESSAGES.c.dialogue == id, MESSAGES.c.index >= 2 * turns)
            )
            connection.execute(
                update(DIALOGUES)
                .where(DIALOGUES.c.id == id)
                .values(key=final, status=DONE.value, turns=turns, seconds=seconds)
            )

    def drop(self, key: str) -> None:
        """Deletes a chat in which the bot never answered."""
        with writing(self.engine) as connection:
            id = connection.scalar(
                select(DIALOGUES.c.id).where(DIALOGUES.c.key == key, DIALOGUES.c.status == OPEN.value)
            )
            if id is not None:
                connection.execute(delete(MESSAGES).where(MESSAGES.c.dialogue == id))
                connection.execute(delete(SCHEDULE).where(SCHEDULE.c.dialogue == id))
                connection.execute(delete(DIALOGUES).where(DIALOGUES.c.id == id))

    def get(self, key: str) -> Chat | None:
        with reading(self.engine) as connection:
            rows = connection.execute(_chats().where(DIALOGUES.c.key == key)).all()
            return next(iter(_with_messages(connection, rows)), None)

    def of(
        self, tournament: str, *, person: str | None = None, status: Status | None = None, limit: int = 1000
    ) -> list[Chat]:
        """Returns the chats of a chat tournament, newest first."""
        where = [SCHEDULE.c.tournament == tournament]
        if person is not None:
            where.append(SCHEDULE.c.speaker == person)
        if status is not None:
            where.append(DIALOGUES.c.status == status.value)
        with reading(self.engine) as connection:
            rows = connection.execute(
                _chats().where(*where).order_by(DIALOGUES.c.id.desc()).limit(limit)
            ).all()
            return _with_messages(connection, rows)

    def numbers(self, tournament: str, mode: str) -> dict[str, int]:
        """Returns the number of chats per bot in this mode, including open chats."""
        statement = (
            select(SCHEDULE.c.tested, DIALOGUES.c.facts)
            .join(DIALOGUES, DIALOGUES.c.id == SCHEDULE.c.dialogue)
            .where(SCHEDULE.c.tournament == tournament)
        )
        counts: dict[str, int] = {}
        with reading(self.engine) as connection:
            for tested, facts in connection.execute(statement):
                if (facts or {}).get("chat") == mode:
                    counts[tested] = counts.get(tested, 0) + 1
        return counts

    def participant(self, tournament: str, name: str) -> BotSpec | None:
        """Returns a bot in the form in which the tournament stores it."""
        return next((bot for bot in self.store.bots(tournament) if bot.name == name), None)


def _chats() -> Any:
    return select(
        DIALOGUES.c.id,
        DIALOGUES.c.key,
        DIALOGUES.c.tested.label("identity"),
        DIALOGUES.c.seed,
        DIALOGUES.c.status,
        DIALOGUES.c.facts,
        DIALOGUES.c.seconds,
        SCHEDULE.c.tournament,
        SCHEDULE.c.speaker,
        SCHEDULE.c.tested,
    ).join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)


def _with_messages(connection: Any, rows: Sequence[Any]) -> list[Chat]:
    messages: dict[int, list[Message]] = {row.id: [] for row in rows}
    statement = (
        select(MESSAGES)
        .where(MESSAGES.c.dialogue.in_(messages))
        .order_by(MESSAGES.c.dialogue, MESSAGES.c.index)
    )
    for m in connection.execute(statement):
        messages[m.dialogue].append(message(m))
    return [
        Chat(
            row.key,
            row.tournament,
            row.speaker,
            row.tested,
            row.identity,
            row.seed,
            str((row.facts or {}).get("chat", "")),
            Status(row.status),
            tuple(messages[row.id]),
            row.seconds,
        )
        for row in rows
    ]
