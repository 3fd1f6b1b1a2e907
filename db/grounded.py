"""The desk for replies based on knowledge. People label them with the questions of BEGIN."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select

from arena.core.types import SPEAKER
from db.desks import Messages, done_dialogues
from db.session import Database, reading
from db.tables import DIALOGUES, MESSAGES, chunks


@dataclass(frozen=True, slots=True)
class Response:
    """What a labeller sees of a reply: the document, the previous turn and the reply, but no names and no verdicts."""

    subject: str
    knowledge: str
    previous: str
    text: str


class Responses(Messages):
    """Hands out replies of bots under test that had knowledge. A subject is `DIALOGUE:INDEX`."""

    def __init__(self, store: Database, schema: str = "begin") -> None:
        super().__init__(store, schema)

    def _dialogues(self, tournament: str) -> Select[Any]:
        """Selects the dialogues in which the bot under test had knowledge."""
        return done_dialogues(tournament).where(DIALOGUES.c.facts["knowledge"].as_string().is_not(None))

    def response(self, subject: str) -> Response | None:
        return next(iter(self.responses([subject])), None)

    def responses(self, subjects: Sequence[str]) -> list[Response]:
        """Returns the replies with these subjects. Replies without knowledge are left out."""
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
