"""The repository: all operations on a database that playing, judging and reading need."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from sqlalchemy import Connection, Engine, select

from arena.core.errors import InputError
from arena.core.types import BotSpec, DialoguePlan, OnLoop, Status, TournamentInfo
from db.checking import Checking
from db.judging import Judging
from db.playing import Playing
from db.reading import Reading
from db.records import StoredTournament
from db.rows import bot_row
from db.session import reading, writing
from db.tables import BOTS, CHUNK, DIALOGUES, SCHEDULE, TOURNAMENT_BOTS, TOURNAMENTS, batched, insert_new


def insert_tournament(connection: Connection, info: TournamentInfo, created: float) -> None:
    """Stores the tournament and its bots if they are new."""
    insert_new(connection, BOTS, [bot_row(bot) for bot in info.bots])
    row = {
        "id": info.id,
        "release": info.release,
        "config_hash": info.config_hash,
        "seed": info.seed,
        "config": dict(info.config),
        "created": created,
    }
    insert_new(connection, TOURNAMENTS, [row])
    members = [
        {"tournament": info.id, "name": bot.name, "position": position, "identity": bot.identity}
        for position, bot in enumerate(info.bots)
    ]
    insert_new(connection, TOURNAMENT_BOTS, members)


class Repository(Playing, Judging, Checking, Reading):
    """All reads and writes on one database."""

    def __init__(self, engine: Engine, note: Callable[[str], None] = lambda _: None) -> None:
        """Opens the repository. `note` is called with remarks for the user."""
        super().__init__(engine)
        self._note = note

    def add_tournament(self, info: TournamentInfo, created: float) -> None:
        with writing(self.engine) as connection:
            insert_tournament(connection, info, created)

    def schedule(self, tournament: str, plans: Iterable[DialoguePlan]) -> None:
        """Adds the dialogues that do not exist yet, and links all dialogues to the tournament."""
        for batch in batched(plans, CHUNK):
            with writing(self.engine) as connection:
                rows = [
                    {
                        "key": plan.key,
                        "speaker": plan.speaker.identity,
                        "tested": plan.tested.identity,
                        "opener": plan.opener,
                        "seed": plan.seed,
                        "turns": plan.turns,
                        "inquirer": plan.inquirer,
                        "on_loop": None if plan.on_loop is OnLoop.KEEP else plan.on_loop.value,
                        "status": Status.PLANNED.value,
                    }
                    for plan in batch
                ]
                insert_new(connection, DIALOGUES, rows)
                stored = connection.execute(
                    select(DIALOGUES.c.key, DIALOGUES.c.id).where(
                        DIALOGUES.c.key.in_([r["key"] for r in rows])
                    )
                )
                ids = {row.key: row.id for row in stored}
                entries = [
                    {
                        "tournament": tournament,
                        "dialogue": ids[plan.key],
                        "speaker": plan.speaker.name,
                        "tested": plan.tested.name,
                        "number": plan.number,
                    }
                    for plan in batch
                ]
                insert_new(connection, SCHEDULE, entries)

    def tournaments(self) -> list[StoredTournament]:
        """Returns all tournaments, newest first."""
        with reading(self.engine) as connection:
            rows = connection.execute(
                select(TOURNAMENTS).order_by(TOURNAMENTS.c.created.desc(), TOURNAMENTS.c.id)
            ).all()
            members = connection.execute(
                select(TOURNAMENT_BOTS).order_by(TOURNAMENT_BOTS.c.tournament, TOURNAMENT_BOTS.c.position)
            ).all()
        bots: dict[str, dict[str, str]] = defaultdict(dict)
        for member in members:
            bots[member.tournament][member.name] = member.identity
        return [
            StoredTournament(
                row.id, row.release, row.config_hash, row.seed, row.config, row.created, bots[row.id]
            )
            for row in rows
        ]

    def find(self, name: str) -> StoredTournament:
        """Finds a tournament by id, unique prefix of an id, or release tag.

        If several tournaments have the release, returns the newest, with a note.
        """
        stored = self.tournaments()
        for tournament in stored:
            if tournament.id == name:
                return tournament
        tagged = [t for t in stored if t.release == name]
        if tagged:
            if len(tagged) > 1:
                others = ", ".join(t.id for t in tagged[1:])
                self._note(
                    f"The release '{name}' has {len(tagged)} tournaments; this is the newest, {tagged[0].id} "
                    f"(the others, newest first: {others})."
                )
            return tagged[0]
        begun = [t for t in stored if name and t.id.startswith(name)]
        if len(begun) == 1:
            return begun[0]
        if begun:
            ids = ", ".join(t.id for t in begun)
            raise InputError(
                f"'{name}' is the beginning of several ids; give more of one (newest first): {ids}."
            )
        known = ", ".join(f"{t.id} ({t.release})" for t in stored[:5])
        cure = f"known are {known}." if known else "the database holds none yet; 'arena demo' makes one."
        raise InputError(f"There is no tournament '{name}': {cure}")

    def bots(self, tournament: str) -> list[BotSpec]:
        statement = (
            select(TOURNAMENT_BOTS.c.name, BOTS)
            .join(BOTS, BOTS.c.identity == TOURNAMENT_BOTS.c.identity)
            .where(TOURNAMENT_BOTS.c.tournament == tournament)
            .order_by(TOURNAMENT_BOTS.c.position)
        )
        with reading(self.engine) as connection:
            return [BotSpec(r.name, r.adapter, r.settings, r.identity) for r in connection.execute(statement)]
