"""A bot that interviews its partner: it asks for facts, follows up on the answers, and changes the subject.

It has no model and keeps no state: what it asked before is read from the history. Its questions, its
reactions and the facts about itself are in `interview.yaml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from arena.core.hashing import generator
from bots.base import Bot, Line, Reply, ReplyRequest, RunOptions
from bots.hearing import hear
from bots.interview import Interview, Question, load, revision
from bots.repetition import LoopWatch
from bots.simple import SimpleAdapter
from bots.subjects import change_of_subject

REVISION = "2"
FOLLOWS = 2  # consecutive questions about one fact
FOLLOW_UP = 0.75  # probability of a follow-up question if there is one
OWN = 0.2  # probability of an unasked statement about itself
EARLY = 4  # number of first messages, in which simple questions are preferred


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    come_back: int | None = Field(
        None, ge=1, description="after how many turns it asks for a fact again, in other words"
    )
    interview: str | None = Field(
        None, description="a YAML file of facts and reactions instead of the shipped one"
    )


class Interviewer:
    """A bot whose replies depend only on the history and the seed."""

    def __init__(self, interview: Interview, come_back: int | None) -> None:
        self._interview = interview
        self._come_back = come_back

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return [self._one(request) for request in requests]

    async def close(self) -> None:
        """Does nothing."""

    def _one(self, request: ReplyRequest) -> Reply:
        turn = _Turn(self._interview, request.history, generator(request.seed, "interviewer"))
        text, facts = turn.message(self._come_back)
        return Reply(text, facts=facts)


class _Turn:
    """One message of the interviewer, made from the history."""

    def __init__(self, interview: Interview, history: Sequence[Line], draw: Random) -> None:
        self._interview = interview
        self._draw = draw
        self._mine = [line.text for line in history if line.mine]
        self._theirs = [line.text for line in history if not line.mine]
        self._asked = [interview.asked(text) for text in self._mine]
        self._heard = hear(self._theirs[-1] if self._theirs else "", self._last_fact() == "name")
        self._loops = _repeats(history)

    def message(self, come_back: int | None) -> tuple[str, dict[str, Any]]:
        """Returns the next message.

        It has a reaction, sometimes a fact about the interviewer, and the next question.
        """
        if not self._theirs:
            question = self._new_subject()
            return question.text, {"fact": question.fact}
        leave = self._loops or self._heard.machine
        question, lead = self._next(come_back, leave)
        text = question.text
        if lead.endswith((",", ":")) and not text.startswith(("I ", "I'")):
            text = text[0].lower() + text[1:]
        parts = [self._reaction(), self._answer(), lead, text]
        facts: dict[str, Any] = {"fact": question.fact}
        if question.again:
            facts["again"] = True
        return " ".join(part for part in parts if part), facts

    # ── what to ask ───────────────────────────────────────────────────────────────────────────

    def _next(self, come_back: int | None, leave: bool) -> tuple[Question, str]:
        """Returns the next question and the words that introduce it."""
        if not leave and (question := self._follow_up()):
            return question, ""
        if come_back is not None and not leave and (question := self._old(come_back)):
            return question, self._fresh(self._interview.back)
        question = self._new_subject()
        turning = leave or (self._following() >= FOLLOWS and self._draw.random() < 0.5)
        return question, self._fresh(self._interview.leads) if turning else ""

    def _follow_up(self) -> Question | None:
        """Returns a question that follows from the last answer.

        None if there were enough questions on the subject.
        """
        fact = self._last_fact()
        if fact is None or self._heard.empty or self._following() > FOLLOWS:
            return None
        if self._draw.random() >= FOLLOW_UP or not self._interview.answers(fact, self._theirs[-1]):
            return None
        fitting = self._unused(self._interview.follow_ups(fact, self._theirs[-1], self._heard.refuses))
        return self._draw.choice(fitting) if fitting else None

    def _old(self, come_back: int) -> Question | None:
        """Returns a question for a fact that was asked for long enough ago, in words that were not used yet.

        At most one in three messages is such a question.
        """
        recent = self._asked[-3:]
        if any(asked is not None and asked.again for asked in recent):
            return None
        due: list[Question] = []
        again = {asked.fact for asked in self._asked if asked is not None and asked.again}
        for turn, asked in enumerate(self._asked):
            if asked is None or asked.follow or asked.fact in again or len(self._mine) - turn < come_back:
                continue
            if (fact := self._interview.fact(asked.fact)) is None or fact.once:
                continue
            due += [question.repeated() for question in self._unused(self._interview.questions(asked.fact))]
        return self._draw.choice(due) if due else None

    def _new_subject(self) -> Question:
        """Returns a question for a fact that was neither asked for nor stated yet.

        Simple facts come first, and the topic changes if possible.
        """
        over = {asked.fact for asked in self._asked if asked is not None}
        messages = " \n ".join(self._theirs)
        left = [fact for fact in self._interview.facts if fact.id not in over and not fact.is_known(messages)]
        left = left or [fact for fact in self._interview.facts if fact.id not in over]
        topic = self._interview.topic(self._last_fact())
        elsewhere = [fact for fact in left if fact.topic != topic] or left
        early = [fact for fact in elsewhere if fact.early]
        pool = early if early and len(self._mine) < EARLY and self._draw.random() < 0.7 else elsewhere
        if not pool:
            return Question("", change_of_subject(self._draw, set(self._mine)))
        fact = self._draw.choice(pool)
        return self._draw.choice(self._unused(fact.questions) or fact.questions)

    def _unused(self, questions: Iterable[Question]) -> list[Question]:
        return [q for q in questions if not any(q.text[1:] in text for text in self._mine)]

    def _last_fact(self) -> str | None:
        last = self._asked[-1] if self._asked else None
        return None if last is None else last.fact

    def _following(self) -> int:
        """Returns how many of the last messages asked about the same fact."""
        number = 0
        for asked in reversed(self._asked):
            if asked is None or asked.fact != self._last_fact():
                break
            number += 1
        return number

    # ── what to say first ─────────────────────────────────────────────────────────────────────

    def _reaction(self) -> str:
        """Returns a reaction to the partner's message, if possible with words from that message."""
        kind, words = self._heard.reaction()
        if self._loops or (kind == "echo" and self._draw.random() < 0.25):
            kind = "plain"
        lines = [_filled(line, words) for line in self._interview.reactions[kind]]
        if kind == "plain" and (self._loops or self._draw.random() < 0.3):
            return ""
        return self._fresh(lines)

    def _answer(self) -> str:
        """Returns a statement of the interviewer about itself, or an empty text.

        The interviewer answers the partner's questions, and sometimes talks about itself unasked.
        """
        if self._heard.machine:
            return ""
        if self._heard.asks:
            fact = self._interview.meant(self._heard.question)
            if fact is None and self._heard.asks_back:
                fact = self._interview.fact(self._last_fact())
            if fact is not None and not self._has_said(fact.mine):
                return fact.mine
            return self._fresh(self._interview.deflect)
        fact = self._interview.fact(self._last_fact())
        if fact is None or self._heard.empty or self._has_said(fact.mine) or self._draw.random() >= OWN:
            return ""
        return fact.mine if self._interview.answers(fact.id, self._theirs[-1]) else ""

    def _has_said(self, sentence: str) -> bool:
        return any(sentence in text for text in self._mine)

    def _fresh(self, lines: Sequence[str]) -> str:
        """Returns a line that was not used yet, or any line if all were used."""
        left = [line for line in lines if not self._has_said(line)]
        return self._draw.choice(left or list(lines))


def _filled(line: str, words: str) -> str:
    return line.replace("{x}", words).replace("{X}", words[:1].upper() + words[1:])


def _repeats(history: Sequence[Line]) -> bool:
    """Whether the partner's last message only repeats earlier messages."""
    watch = LoopWatch()
    for line in history:
        watch.hear(int(line.mine), line.text)
    return bool(watch.stale) and watch.stale[-1] is not None


class InterviewerAdapter(SimpleAdapter):
    what = "gets to know its partner: asks for facts, follows up, changes the subject; needs no model"
    Settings = Settings

    def revision(self, settings: Mapping[str, Any]) -> str:
        return f"{REVISION}:{revision(settings.get('interview'))}"

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> Bot:  # noqa: ARG002
        own = Settings.model_validate({k: settings[k] for k in Settings.model_fields if k in settings})
        return Interviewer(load(own.interview), own.come_back)


adapter = InterviewerAdapter()
