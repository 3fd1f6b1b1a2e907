"""A judge that asks a bot of the arena: a fixed prompt with the two statements, in both orders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from arena.core.errors import ArenaError, BotError
from arena.core.hashing import digest, seed_for
from arena.core.types import NOTHING, BotSpec, Case, Facts, Judgement, Kind
from bots import naming
from bots import registry as bots
from bots.base import Bot, Line, Reply, ReplyRequest, RunOptions
from judges.base import CLASSES, Defaults, FactoryDefaults
from judges.revisions import of
from judges.settings import Settings
from judges.words import readable

CODE = 1
PROMPT = 1  # increase with every change of the words below
ASKED = (
    "Two things were said by the same person.\n"
    "FIRST: {first}\n"
    "SECOND: {second}\n"
    "Can both be true of that person at the same time?\n"
    "Answer with one word and nothing else: CONTRADICTION if they cannot both be true, AGREEMENT if they say "
    "the same or one follows from the other, NEITHER if one says nothing about the other or gives no answer."
)
ANSWERED = '{answer} (the answer to "{question}")'
LONGEST = 1500  # characters of one statement; more could push the question out of a short context
_SAID = {
    "neutral": re.compile(
        r"\b(?:neither|neutral|unrelated|unclear|no(?:t a)? contradiction (?:and|or) no agreement)\b"
    ),
    "entailment": re.compile(
        r"\b(?:agree(?:ment|s)?|entail(?:ment|s|ed)?|consistent|no contradictions?|not (?:a )?contradict\w*|"
        r"n[o']t contradict)\b"
    ),
    "contradiction": re.compile(
        r"(?<!no )(?<!not a )(?<!not )\b(?:contradict\w*|inconsistent|disagree\w*)\b"
    ),
}


class LlmSettings(Settings):
    """`bot` is a name or entry that `bots.naming` understands, or the name of another bot of the same tournament."""

    bot: dict[str, Any] | str
    both: bool = True
    batch: int = Field(64, ge=1)


@dataclass
class Llm(Defaults):
    name: str
    revision: str
    bot: BotSpec
    both: bool = True
    batch: int = 64
    tau: float = 0.5
    cacheable: bool = True
    run: RunOptions = field(default_factory=RunOptions, repr=False, compare=False)
    _bot: Bot | None = field(default=None, repr=False)

    def key(self, case: Case) -> Sequence[Any]:
        return statements(case)

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        asked: list[tuple[int, str]] = []
        for index, case in enumerate(cases):
            if case.answer.strip() and case.source.strip():
                first, second = statements(case)
                asked.append((index, ASKED.format(first=first, second=second)))
                if self.both:
                    asked.append((index, ASKED.format(first=second, second=first)))
        replies: dict[int, list[Reply]] = {}
        for start in range(0, len(asked), self.batch):
            some = asked[start : start + self.batch]
            for (index, _), reply in zip(some, await self._ask([text for _, text in some]), strict=True):
                replies.setdefault(index, []).append(reply)
        return [_judgement(replies.get(index), case) for index, case in enumerate(cases)]

    async def _ask(self, texts: Sequence[str]) -> list[Reply]:
        if self._bot is None:
            self._bot = bots.create(self.bot, self.run)
        requests = [
            ReplyRequest(
                f"judge:{digest(text)[:24]}", (Line(text, False),), seed_for(self.revision, text), fork=True
            )
            for text in texts
        ]
        try:
            replies = await self._bot.reply(requests)
        except Exception as error:  # a bot may raise anything
            replies = [Reply("", error=error) for _ in requests]
        for reply in replies:
            if isinstance(reply.error, ArenaError) and not isinstance(reply.error, BotError):
                raise reply.error  # a used-up budget or a missing part ends the run
        return replies

    def use(self, run: RunOptions) -> None:
        self.run = run

    async def close(self) -> None:
        bot, self._bot = self._bot, None
        if bot is not None:
            await bot.close()


def statements(case: Case) -> tuple[str, str]:
    """The two statements for the prompt: the source and the answer, each on one line."""
    later = ANSWERED.format(answer=_line(case.answer), question=_line(case.question))
    if case.kind is Kind.ASK_TWICE:
        return ANSWERED.format(answer=_line(case.source), question=_line(case.question)), later
    return _line(case.source), later


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST]


def parsed(text: str) -> str | None:
    """The class that a reply names; None if the reply names no class or several classes."""
    lowered = " ".join(text.lower().split())
    names = [name for name, pattern in _SAID.items() if pattern.search(lowered)]
    return names[0] if len(names) == 1 else None


def _judgement(replies: Sequence[Reply] | None, case: Case) -> Judgement:
    if replies is None:
        return Judgement(None, reason="empty_source" if case.answer.strip() else "empty_answer")
    failed = [reply.error for reply in replies if reply.error is not None]
    if failed:
        return Judgement(None, reason=failed[0].reason if isinstance(failed[0], BotError) else "error")
    opinions = [parsed(reply.text) for reply in replies]
    votes = Counter(one for one in opinions if one is not None)
    evidence = {
        "replies": [readable(reply.text[:200]) for reply in replies],
        "unparsable": opinions.count(None),
    }
    if not votes:
        return Judgement(None, evidence=evidence, reason="unparsable")
    classes = {name: votes[name] / votes.total() for name in CLASSES}
    return Judgement(classes["contradiction"], classes, evidence | {"orders_agree": len(votes) == 1})


class LlmFactory(FactoryDefaults):
    Settings = LlmSettings
    shorthand = "bot"

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        return True, "needs a bot: any adapter of `arena bots list`"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {
            "what": "a bot asked whether both statements can be true, in both orders",
            "prompt_version": PROMPT,
            "prompt": ASKED,
            "classes": list(CLASSES),
            "limits": "a bot's words in the prompt may influence it; other replies than the three words are unusable",
            "settings": dict(settings),
        }

    def create(self, name: str, settings: Mapping[str, Any]) -> Llm:
        chosen = LlmSettings.model_validate(settings)
        spec = naming.spec(chosen.bot, f"the judge '{name}'", label=name)
        revision = of("llm", CODE, PROMPT, spec.identity, chosen.both)
        return Llm(name, revision, spec, chosen.both, chosen.batch)


judge = LlmFactory()
