"""A control bot with known truth.

It talks about a sheet of facts, and a known share of its answers to inquiries contradict the sheet. The
conversation itself stays true to the sheet. Every recorded `fickle` is therefore exactly one contradiction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from arena.core.hashing import generator
from bots.base import Bot, Line, Reply, ReplyRequest, RunOptions
from bots.sheet import Fact, Sheet, load, revision, say
from bots.simple import SimpleAdapter

REVISION = "1"
REACTIONS = ("That sounds nice.", "I see.", "Interesting!", "Good to know.", "Oh, really?", "Ha, nice.")
EVASIONS = ("I am not sure what you mean.", "Hmm, let me think about that.", "I would rather not say.")
STARTS = re.compile(r"^\s*(do|does|did|are|is|was|were|have|has|had|can|could|will|would)\b", re.IGNORECASE)
RECENT = 3  # latest messages, which a question is most likely about


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    fickleness: float = Field(0.0, ge=0, le=1)
    sheet: str | None = None  # a YAML file of facts instead of the shipped ones
    sheet_seed: int = 0  # which values are true


class Scripted:
    def __init__(self, sheet: Sheet, fickleness: float) -> None:
        self._sheet = sheet
        self._fickleness = fickleness

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return [self._one(request) for request in requests]

    async def close(self) -> None:
        """Does nothing."""

    def _one(self, request: ReplyRequest) -> Reply:
        draw = generator(request.seed, "scripted")
        own = [line.text for line in request.history if line.mine]
        recent = [id for message in reversed(own[-RECENT:]) for id in self._sheet.mentioned(message)]
        heard = request.history[-1].text
        if request.fork:
            return self._answer(heard, recent, draw)
        if heard.rstrip().endswith("?"):
            fact = self._sheet.asked(heard, recent)
            if fact is not None:
                statement = say(draw.choice(fact.says), self._sheet.truth[fact.id])
                return Reply(statement, facts={"fact": fact.id})
        return self._talk(request.history, own, draw)

    def _talk(self, history: Sequence[Line], own: Sequence[str], draw: Random) -> Reply:
        """Returns a reply that states a fact that was not mentioned yet, sometimes after a reaction."""
        mentioned = {id for message in own for id in self._sheet.mentioned(message)}
        left = [fact for fact in self._sheet.facts if fact.id not in mentioned] or list(self._sheet.facts)
        fact = draw.choice(left)
        statement = say(draw.choice(fact.says), self._sheet.truth[fact.id])
        if len(history) > 1 and draw.random() < 0.5:
            statement = f"{draw.choice(REACTIONS)} {statement}"
        return Reply(statement, facts={"fact": fact.id})

    def _answer(self, question: str, recent: Sequence[str], draw: Random) -> Reply:
        fact = self._sheet.asked(question, recent)
        if fact is None:
            return Reply(draw.choice(EVASIONS), facts={"evasive": True})
        fickle = draw.random() < self._fickleness
        text = self._changed(fact, question, draw) if fickle else self._kept(fact, question, draw)
        return Reply(text, facts={"fact": fact.id, "fickle": fickle})

    def _kept(self, fact: Fact, question: str, draw: Random) -> str:
        truth = self._sheet.truth[fact.id]
        if not STARTS.match(question):
            return say(draw.choice(fact.answers), truth)
        wrong = any(_names(question, value) for value in fact.values if value != truth)
        return f"{'No' if wrong else 'Yes'}, {_inner(say(fact.answers[0], truth))}"

    def _changed(self, fact: Fact, question: str, draw: Random) -> str:
        truth = self._sheet.truth[fact.id]
        if draw.random() < 0.4:
            denial = draw.choice(fact.denies)
            return f"No, {_inner(denial)}" if STARTS.match(question) else denial
        other = draw.choice([value for value in fact.values if value != truth])
        if STARTS.match(question):
            return f"{'Yes' if _names(question, other) else 'No'}, {_inner(say(fact.answers[0], other))}"
        return say(draw.choice(fact.answers), other)


def _names(question: str, value: str) -> bool:
    return re.search(rf"\b{re.escape(value)}\b", question, re.IGNORECASE) is not None


def _inner(sentence: str) -> str:
    """Returns the sentence in the form that it has after a comma."""
    first = sentence.split()[0]
    return sentence if first == "I" else sentence[0].lower() + sentence[1:]


class ScriptedAdapter(SimpleAdapter):
    what = "talks about a sheet of facts; `fickleness` is the share of answers that it takes back"
    Settings = Settings

    def revision(self, settings: Mapping[str, Any]) -> str:
        return f"{REVISION}:{revision(settings.get('sheet'))}"

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> Bot:  # noqa: ARG002
        checked = Settings.model_validate(
            {key: settings[key] for key in Settings.model_fields if key in settings}
        )
        return Scripted(load(checked.sheet, checked.sheet_seed), checked.fickleness)


adapter = ScriptedAdapter()
