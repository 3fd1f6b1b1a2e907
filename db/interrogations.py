"""Stores a bot's answers to benchmark samples one by one, so that a killed run can be resumed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Table, and_, delete, select

from db import models as m
from db.session import Database, reading, writing
from db.tables import chunks, insert_new

ANSWERS: Table = m.InterrogationRow.__table__  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. Either the text or the reason is set."""

    text: str | None
    reason: str | None = None


class Interrogations:
    """All answers of one bot in one context."""

    def __init__(self, store: Database, bot: str, context: str) -> None:
        self._engine = store.engine
        self._bot = bot
        self._context = context

    def answers(self, samples: Sequence[str]) -> dict[str, Answer]:
        """Returns the stored answers to these samples."""
        answers: dict[str, Answer] = {}
        with reading(self._engine) as connection:
            for part in chunks(list(samples)):
                query = select(ANSWERS.c.sample, ANSWERS.c.answer, ANSWERS.c.reason).where(
                    and_(
                        ANSWERS.c.bot == self._bot,
                        ANSWERS.c.context == self._context,
                        ANSWERS.c.sample.in_(part),
                    )
                )
                answers.update(
                    {sample: Answer(text, reason) for sample, text, reason in connection.execute(query)}
                )
        return answers

    def store(self, answers: Mapping[str, Answer]) -> None:
        """Stores answers in one transaction. Existing answers are kept."""
        rows = [
            {
                "bot": self._bot,
                "sample": sample,
                "context": self._context,
                "answer": answer.text,
                "reason": answer.reason,
            }
            for sample, answer in answers.items()
        ]
        with writing(self._engine) as connection:
            for part in chunks(rows):
                insert_new(connection, ANSWERS, part)

    def forget_failures(self) -> int:
        """Deletes failed answers, so that their samples are asked again."""
        where = and_(
            ANSWERS.c.bot == self._bot, ANSWERS.c.context == self._context, ANSWERS.c.reason.is_not(None)
        )
        with writing(self._engine) as connection:
            return int(connection.execute(delete(ANSWERS).where(where)).rowcount)
