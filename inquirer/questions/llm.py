"""Writes questions by any bot of the arena, with one fixed prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.errors import BudgetSpent, InputError
from arena.core.hashing import seed_for
from arena.core.types import Question
from bots.base import Bot, Line, ReplyRequest, RunOptions
from inquirer.base import Part, Task, complete
from inquirer.build import fingerprint
from inquirer.questions.generated import questions, wanted

REVISION = "llm-1"  # also identifies the prompt
PROMPT = (
    "Somebody said: «{utterance}»\n"
    "Write one short question to that person, in the second person, whose answer is «{answer}». "
    "The question must not contain the answer. Write the question only, ending in a question mark."
)


class Asking:
    """A writer that asks a bot, which is created at the first use. Replies without a question are dropped."""

    def __init__(self, bot: str | Mapping[str, Any]) -> None:
        from bots import naming

        self._spec = naming.spec(bot, "the question writer 'llm'", label="question writer")
        self.revision = f"{REVISION}-{fingerprint({'prompt': PROMPT})}-{self._spec.identity}"
        self._bot: Bot | None = None
        self._run = RunOptions()

    def use(self, run: RunOptions) -> None:
        self._run = run

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        if self._bot is None:
            from bots import registry

            self._bot = registry.create(self._spec, self._run)
        result: list[list[Question]] = [[] for _ in tasks]
        places = wanted(tasks)
        requests = [_request(tasks[i].utterance, e.text) for i, e in places]
        replies = await self._bot.reply(requests) if requests else []
        for (i, entity), reply in zip(places, replies, strict=True):
            if isinstance(reply.error, BudgetSpent):
                raise reply.error
            if reply.error is None:
                result[i] += questions(tasks[i], entity, [(reply.text, 0.5)])
        return result

    async def close(self) -> None:
        if self._bot is not None:
            await self._bot.close()
            self._bot = None


def _request(utterance: str, answer: str) -> ReplyRequest:
    text = PROMPT.format(utterance=_quoted(utterance), answer=_quoted(answer))
    seed = seed_for("question", utterance, answer)
    return ReplyRequest(f"question-{seed:x}", (Line(text, mine=False),), seed)


def _quoted(text: str) -> str:
    """Returns the text without characters that could close the quotation around it."""
    return " ".join(text.replace("«", "<").replace("»", ">").split())[:1000]


def _asking(settings: Mapping[str, Any]) -> Asking:
    """Creates the writer. `bot` is the name of a bot, in any form that `bots.naming` reads."""
    bot = complete("question writer 'llm'", settings, {"bot": None})["bot"]
    if not isinstance(bot, str | Mapping):
        raise InputError(
            "The question writer 'llm' needs 'bot': an adapter, a model, or a mapping as under bots."
        )
    return Asking(bot)


create = Part(_asking, "any bot, with a fixed prompt")
