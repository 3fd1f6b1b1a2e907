"""Stores dialogues that were played elsewhere. Existing dialogues stay as they are."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, insert, select, update

from arena.core.errors import InputError
from arena.core.types import NOTHING, MessageVerdict, OnLoop, Status, TournamentInfo, Verdict
from db.label_rows import row_of as label_row
from db.records import Record
from db.repository import Repository, insert_tournament
from db.rows import inquiry_row, judgement_columns, message_row, played_columns, texts_code
from db.session import writing
from db.tables import (
    DIALOGUES,
    INQUIRIES,
    JUDGES,
    LABELS,
    MESSAGE_VERDICTS,
    MESSAGES,
    SCHEDULE,
    TOURNAMENTS,
    VERDICTS,
    chunks,
    insert_new,
)

# columns that are set when a dialogue is played
PLAYED = ("status", "reason", "refused", "facts", "texts", "personas", "collapsed_turn", "collapsed_seat")


class Importing:
    """Adds the records of one tournament, a chunk per transaction. A second import changes nothing."""

    def __init__(self, repository: Repository) -> None:
        self._engine = repository.engine

    def add(self, info: TournamentInfo, records: Sequence[Record]) -> int:
        """Stores the records and returns how many of their dialogues were new."""
        new = 0
        for some in chunks(records, 100):
            with writing(self._engine) as connection:
                self._tournament(connection, info)
                new += self._dialogues(connection, info.id, some)
        return new

    @staticmethod
    def _tournament(connection: Connection, info: TournamentInfo) -> None:
        insert_tournament(connection, info, time.time())
        held = connection.scalar(select(TOURNAMENTS.c.release).where(TOURNAMENTS.c.id == info.id))
        if held != info.release:
            raise InputError(
                f"The tournament {info.id} is in the database already, with the release {held} instead of "
                f"{info.release}; import into another --db."
            )

    def _dialogues(self, connection: Connection, tournament: str, records: Sequence[Record]) -> int:
        keys = [record.key for record in records]
        stored = connection.execute(
            select(DIALOGUES.c.key, DIALOGUES.c.status).where(DIALOGUES.c.key.in_(keys))
        )
        states = {row.key: Status(row.status) for row in stored}
        insert_new(connection, DIALOGUES, [_dialogue(record) for record in records])
        rows = connection.execute(select(DIALOGUES.c.key, DIALOGUES.c.id).where(DIALOGUES.c.key.in_(keys)))
        ids = {row.key: row.id for row in rows}
        insert_new(connection, SCHEDULE, [_entry(tournament, ids[r.key], r) for r in records])
        self._placed(connection, tournament, ids, records)
        fresh = [record for record in records if _brings_content(record, states.get(record.key))]
        self._own(connection, fresh)
        for record in fresh:
            if record.key in states:  # planned here, and played elsewhere
                columns = _dialogue(record)
                played = {name: columns[name] for name in PLAYED}
                this = DIALOGUES.c.id == ids[record.key]
                connection.execute(update(DIALOGUES).where(this).values(**played, owner=None, lease=None))
        self._content(connection, ids, fresh)
        self._verdicts(connection, records)
        self._message_verdicts(connection, ids, records)
        now = time.time()
        insert_new(
            connection, LABELS, [label_row(label, now) for record in records for label in record.labels]
        )
        return len(fresh)

    @staticmethod
    def _content(connection: Connection, ids: Mapping[str, int], records: Sequence[Record]) -> None:
        """Stores the messages and inquiries of dialogues."""
        messages = [message_row(ids[r.key], m) for r in records for m in r.messages]
        inquiries = [inquiry_row(ids[r.key], n, i) for r in records for n, i in enumerate(r.inquiries)]
        if messages:
            connection.execute(insert(MESSAGES), messages)
        if inquiries:
            connection.execute(insert(INQUIRIES), inquiries)

    @staticmethod
    def _placed(
        connection: Connection, tournament: str, ids: dict[str, int], records: Sequence[Record]
    ) -> None:
        """Checks that no two dialogues have the same place in the schedule."""
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
        """Checks that each inquiry belongs to a single dialogue."""
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
            inquiries = connection.execute(
                select(INQUIRIES.c.key, INQUIRIES.c.id).where(INQUIRIES.c.key.in_(set(some)))
            )
            ids.update({row.key: row.id for row in inquiries})
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
    """Returns the rows of the judges that gave these verdicts. Missing judges are added."""
    judges: dict[tuple[str, str], int] = {}
    for name, revision, tau in sorted({(v.judge, v.revision, v.tau) for v in verdicts}):
        insert_new(connection, JUDGES, [{"name": name, "revision": revision, "tau": tau}])
        this = and_(JUDGES.c.name == name, JUDGES.c.revision == revision)
        judges[name, revision] = int(connection.execute(select(JUDGES.c.id).where(this)).scalar_one())
    return judges


def _brings_content(record: Record, stored: Status | None) -> bool:
    """Whether the record has a played dialogue that is not yet in this database.

    `stored` is the dialogue's status in this database.
    """
    return stored is None or (_to_play(stored) and not _to_play(record.status))


def _to_play(status: Status) -> bool:
    return status in (Status.PLANNED, Status.RUNNING)


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
        "status": record.status.value,
        "reason": record.reason,
        "refused": dict(record.refused or NOTHING) or None,
        "facts": dict(record.facts or NOTHING) or None,
        "on_loop": None if record.on_loop is OnLoop.KEEP else record.on_loop.value,
        **played_columns(record.personas, record.collapse),
        "texts": texts_code(record.messages),
    }
