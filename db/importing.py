"""Stores dialogues that were made elsewhere; what is there already stays as it is."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, insert, select, update

from arena.core.errors import InputError
from arena.core.types import NOTHING, BotSpec, MessageVerdict, OnLoop, Status, TournamentInfo, Verdict
from db.checking import judgement_columns
from db.records import Record
from db.repository import Repository
from db.rows import inquiry_row, message_row, played_columns, texts_code
from db.session import writing
from db.tables import (
    BOTS,
    DIALOGUES,
    INQUIRIES,
    JUDGES,
    LABELS,
    MESSAGE_VERDICTS,
    MESSAGES,
    SCHEDULE,
    TOURNAMENT_BOTS,
    TOURNAMENTS,
    VERDICTS,
    chunks,
    insert_new,
)

# what a dialogue row holds once the dialogue was played
PLAYED = ("status", "reason", "refused", "facts", "texts", "personas", "collapsed_turn", "collapsed_seat")


class Importing:
    """Adds one tournament's records, a chunk a transaction; doing it twice changes nothing."""

    def __init__(self, repository: Repository) -> None:
        self._engine = repository.engine

    def add(self, info: TournamentInfo, records: Sequence[Record]) -> int:
        """How many of the dialogues were new."""
        new = 0
        for some in chunks(records, 100):
            with writing(self._engine) as connection:
                self._tournament(connection, info)
                new += self._dialogues(connection, info.id, some)
        return new

    @staticmethod
    def _tournament(connection: Connection, info: TournamentInfo) -> None:
        insert_new(connection, BOTS, [_bot(bot) for bot in info.bots])
        row = {
            "id": info.id,
            "release": info.release,
            "config_hash": info.config_hash,
            "seed": info.seed,
            "config": dict(info.config),
            "created": time.time(),
        }
        insert_new(connection, TOURNAMENTS, [row])
        members = [
            {"tournament": info.id, "name": bot.name, "position": position, "identity": bot.identity}
            for position, bot in enumerate(info.bots)
        ]
        insert_new(connection, TOURNAMENT_BOTS, members)
        held = connection.scalar(select(TOURNAMENTS.c.release).where(TOURNAMENTS.c.id == info.id))
        if held != info.release:
            raise InputError(
                f"The tournament {info.id} is in the database already, with the release {held} instead of "
                f"{info.release}; import into another --db."
            )

    def _dialogues(self, connection: Connection, tournament: str, records: Sequence[Record]) -> int:
        keys = [record.key for record in records]
        found = connection.execute(
            select(DIALOGUES.c.key, DIALOGUES.c.status).where(DIALOGUES.c.key.in_(keys))
        )
        states: dict[str, str] = {row.key: row.status for row in found}
        insert_new(connection, DIALOGUES, [_dialogue(record) for record in records])
        rows = connection.execute(select(DIALOGUES.c.key, DIALOGUES.c.id).where(DIALOGUES.c.key.in_(keys)))
        ids = {row.key: row.id for row in rows}
        insert_new(connection, SCHEDULE, [_entry(tournament, ids[r.key], r) for r in records])
        self._placed(connection, tournament, ids, records)
        fresh = [
            r for r in records if r.key not in states or (_to_play(states[r.key]) and not _to_play(r.status))
        ]
        self._own(connection, fresh)
        for record in fresh:
            if record.key in states:  # planned here, and played elsewhere
                played = {name: _dialogue(record)[name] for name in PLAYED}
                this = DIALOGUES.c.id == ids[record.key]
                connection.execute(update(DIALOGUES).where(this).values(**played, owner=None, lease=None))
        messages = [message_row(ids[r.key], m) for r in fresh for m in r.messages]
        inquiries = [inquiry_row(ids[r.key], n, i) for r in fresh for n, i in enumerate(r.inquiries)]
        if messages:
            connection.execute(insert(MESSAGES), messages)
        if inquiries:
            connection.execute(insert(INQUIRIES), inquiries)
        self._verdicts(connection, records)
        self._message_verdicts(connection, ids, records)
        now = time.time()
        labels = [
            {
                "subject": label.subject,
                "subject_type": label.subject_type,
                "schema": label.schema,
                "person": label.person,
                "values": dict(label.values),
                "note": label.note,
                "seconds": label.seconds,
                "drawn": label.drawn,
                "created": now,
            }
            for record in records
            for label in record.labels
        ]
        insert_new(connection, LABELS, labels)
        return len(fresh)

    @staticmethod
    def _placed(
        connection: Connection, tournament: str, ids: dict[str, int], records: Sequence[Record]
    ) -> None:
        """Two dialogues cannot have one place in a schedule."""
        here = set(
            connection.scalars(
                select(SCHEDULE.c.dialogue).where(
                    SCHEDULE.c.tournament == tournament, SCHEDULE.c.dialogue.in_(ids.values())
                )
            )
        )
        for record in records:
            if ids[record.key] not in here:
                raise InputError(
                    f"The tournament {tournament} holds another dialogue {record.number} of {record.speaker} and "
                    f"{record.tested} than {record.key}; import into another --db."
                )

    @staticmethod
    def _own(connection: Connection, records: Sequence[Record]) -> None:
        """An inquiry hangs on one dialogue."""
        for some in chunks([inquiry.id for record in records for inquiry in record.inquiries]):
            taken = connection.scalar(select(INQUIRIES.c.key).where(INQUIRIES.c.key.in_(some)))
            if taken is not None:
                raise InputError(
                    f"The inquiry {taken} is in the database already, on another dialogue; import into another --db."
                )

    @staticmethod
    def _verdicts(connection: Connection, records: Sequence[Record]) -> None:
        verdicts = [verdict for record in records for verdict in record.verdicts]
        judges = _judges(connection, verdicts)
        ids: dict[str, int] = {}
        for some in chunks([verdict.inquiry for verdict in verdicts]):
            found = connection.execute(
                select(INQUIRIES.c.key, INQUIRIES.c.id).where(INQUIRIES.c.key.in_(set(some)))
            )
            ids.update({row.key: row.id for row in found})
        rows = [
            {
                "judge": judges[v.judge, v.revision],
                "inquiry": ids[v.inquiry],
                **judgement_columns(v.judgement),
            }
            for v in verdicts
            if v.inquiry in ids
        ]
        insert_new(connection, VERDICTS, rows)

    @staticmethod
    def _message_verdicts(connection: Connection, ids: Mapping[str, int], records: Sequence[Record]) -> None:
        judges = _judges(connection, [v for record in records for v in record.message_verdicts])
        rows = [
            {
                "judge": judges[v.judge, v.revision],
                "check_name": v.check.value,
                "method": v.method,
                "dialogue": ids[record.key],
                "message": v.message,
                **judgement_columns(v.judgement),
            }
            for record in records
            for v in record.message_verdicts
        ]
        insert_new(connection, MESSAGE_VERDICTS, rows)


def _judges(
    connection: Connection, verdicts: Sequence[Verdict | MessageVerdict]
) -> dict[tuple[str, str], int]:
    """The rows of the judges that say something."""
    judges: dict[tuple[str, str], int] = {}
    for name, revision, tau in sorted({(v.judge, v.revision, v.tau) for v in verdicts}):
        insert_new(connection, JUDGES, [{"name": name, "revision": revision, "tau": tau}])
        this = and_(JUDGES.c.name == name, JUDGES.c.revision == revision)
        judges[name, revision] = int(connection.execute(select(JUDGES.c.id).where(this)).scalar_one())
    return judges


def _to_play(status: str) -> bool:
    return status in (Status.PLANNED.value, Status.RUNNING.value)


def _bot(bot: BotSpec) -> dict[str, Any]:
    return {"identity": bot.identity, "adapter": bot.adapter, "settings": dict(bot.settings)}


def _entry(tournament: str, dialogue: int, record: Record) -> dict[str, Any]:
    return {
        "tournament": tournament,
        "dialogue": dialogue,
        "speaker": record.speaker,
        "tested": record.tested,
        "number": record.number,
    }


def _dialogue(record: Record) -> dict[str, Any]:
    return {
        "key": record.key,
        "speaker": record.speaker_identity,
        "tested": record.tested_identity,
        "opener": record.opener,
        "seed": record.seed,
        "turns": record.turns,
        "inquirer": record.inquirer,
        "status": record.status,
        "reason": record.reason,
        "refused": dict(record.refused or NOTHING) or None,
        "facts": dict(record.facts or NOTHING) or None,
        "on_loop": None if record.on_loop is OnLoop.KEEP else record.on_loop.value,
        **played_columns(record.personas, record.collapse),
        "texts": texts_code(record.messages),
    }
