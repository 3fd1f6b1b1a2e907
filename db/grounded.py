"""The labelling desk for replies based on knowledge: BEGIN's form is about a message, not an inquiry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select

from arena.core.types import SPEAKER, TESTED, Status
from db.desks import Messages
from db.label_items import MOST, Waiting
from db.session import Database, reading
from db.tables import DIALOGUES, MESSAGES, SCHEDULE, chunks


@dataclass(frozen=True, slots=True)
class Response:
    """What a labeller sees: the document, the previous turn, the response; no names, no verdicts."""

    subject: str
    knowledge: str
    previous: str
    text: str


class Responses(Messages):
    """Hands out replies of bots under test that had knowledge; a subject is `DIALOGUE:INDEX`."""

    def __init__(self, store: Database, schema: str = "begin") -> None:
        super().__init__(store, schema)

    def any(self, tournament: str) -> bool:
        """Whether any dialogue of the tournament had knowledge."""
        with reading(self.engine) as connection:
            return connection.execute(_grounded(tournament).limit(1)).first() is not None

    def waiting(self, tournament: str, most: int = MOST) -> list[Waiting]:
        """The replies that may be labelled; if there are many, those in the first dialogues of each pair."""
        statement = (
            _grounded(tournament)
            .add_columns(MESSAGES.c.index)
            .join(MESSAGES, MESSAGES.c.dialogue == DIALOGUES.c.id)
            .where(MESSAGES.c.seat == TESTED)
            .order_by(SCHEDULE.c.number, DIALOGUES.c.id, MESSAGES.c.index)
            .limit(most)
        )
        with reading(self.engine) as connection:
            return [
                Waiting(f"{key}:{place}", speaker, tested, str(dialogue))
                for dialogue, key, speaker, tested, place in connection.execute(statement)
            ]

    def response(self, subject: str) -> Response | None:
        return next(iter(self.responses([subject])), None)

    def responses(self, subjects: Sequence[str]) -> list[Response]:
        """The subjects that are replies with knowledge."""
        keys = sorted({subject.rpartition(":")[0] for subject in subjects})
        wanted = set(subjects)
        result: list[Response] = []
        with reading(self.engine) as connection:
            for some in chunks(keys):
                dialogues = connection.execute(
                    select(DIALOGUES.c.id, DIALOGUES.c.key, DIALOGUES.c.facts).where(
                        DIALOGUES.c.key.in_(some)
                    )
                ).all()
                for dialogue in dialogues:
                    knowledge = (dialogue.facts or {}).get("knowledge")
                    if not knowledge:
                        continue
                    messages = connection.execute(
                        select(MESSAGES.c.index, MESSAGES.c.seat, MESSAGES.c.text)
                        .where(MESSAGES.c.dialogue == dialogue.id)
                        .order_by(MESSAGES.c.index)
                    ).all()
                    result += _replies(dialogue.key, str(knowledge), messages, wanted)
        return result


def _grounded(tournament: str) -> Select[Any]:
    return (
        select(DIALOGUES.c.id, DIALOGUES.c.key, SCHEDULE.c.speaker, SCHEDULE.c.tested)
        .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
        .where(
            SCHEDULE.c.tournament == tournament,
            DIALOGUES.c.status == Status.DONE.value,
            DIALOGUES.c.facts["knowledge"].as_string().is_not(None),
        )
    )


def _replies(key: str, knowledge: str, messages: Sequence[Any], wanted: set[str]) -> list[Response]:
    result = []
    previous = ""
    for row in messages:
        index, seat, text = row
        subject = f"{key}:{index}"
        if seat == SPEAKER:
            previous = text
        elif subject in wanted:
            result.append(Response(subject, knowledge, previous, text))
    return result
