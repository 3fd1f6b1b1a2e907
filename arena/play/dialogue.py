"""Plays one dialogue as a coroutine. Inquiries are asked in forks of the conversation, after messages of the bot
under test.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from arena.core.errors import BotError
from arena.core.hashing import digest, generator, message_hash, seed_for
from arena.core.types import (
    SPEAKER,
    TESTED,
    Collapse,
    Dialogue,
    DialoguePlan,
    Facts,
    Inquiry,
    InquiryReport,
    Kind,
    Message,
    OnLoop,
)
from arena.play.guard import Guard
from bots.base import Line, Reply, ReplyRequest
from bots.persona import dealt_persona, knowledge_of, persona_of
from bots.repetition import LoopWatch, flags
from bots.subjects import change_of_subject
from inquirer.selection import Chosen, PerTurn, Prefer, duplicates, select

Inquire = Callable[[str], Awaitable[InquiryReport]]


@dataclass(frozen=True)
class InquiryPlan:
    """How inquiries are made in a dialogue. A dialogue without a plan has no inquiries."""

    inquire: Inquire
    kinds: tuple[Kind, ...]
    distances: tuple[int, ...]
    per_turn: PerTurn
    prefer: Prefer = "any"


@dataclass
class _Due:
    """A question that will be asked later."""

    chosen: Chosen
    source: int
    turn: int
    number: int
    first: tuple[int, str | None, str | None] | None = None  # ask_twice: after, answer, reason


@dataclass
class _Play:
    """The state of a dialogue while it is played."""

    plan: DialoguePlan
    guards: tuple[Guard, Guard]
    knowledge: tuple[str | None, str | None]
    dealt: tuple[str | None, str | None]  # personas that were dealt for this dialogue only
    asking: InquiryPlan | None
    messages: list[Message] = field(default_factory=list)
    views: tuple[list[Line], list[Line]] = field(default_factory=lambda: ([], []))
    inquiries: dict[int, Inquiry] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    totals: defaultdict[str, float] = field(default_factory=lambda: defaultdict(int))
    asked: set[str] = field(default_factory=set)
    due: defaultdict[int, list[_Due]] = field(default_factory=lambda: defaultdict(list))
    chosen: int = 0
    watch: LoopWatch = field(default_factory=LoopWatch)
    collapse: Collapse | None = None
    looping: bool = False  # a loop was seen since the last change of subject

    # ── the conversation ──────────────────────────────────────────────────────────────────────

    async def turns(self) -> None:
        self._say(SPEAKER, self.plan.opener, {})
        for turn in range(self.plan.turns):
            if turn and self.looping and self.plan.on_loop is OnLoop.NUDGE:
                self._nudge(turn)
            elif turn:
                await self._speak(SPEAKER, turn)
            await self._speak(TESTED, turn)
            if self.asking is not None:
                await self._inquire(self.asking, turn)
            if self.looping and self.plan.on_loop is OnLoop.END:
                return

    def _nudge(self, turn: int) -> None:
        """Make the speaker change the subject, whichever bot was looping. The program never speaks for the bot
        under test.
        """
        used = {message.text for message in self.messages}
        line = change_of_subject(generator(self.plan.seed, turn, "nudge"), used)
        self.watch.forget_staleness()
        self.looping = False
        self._say(SPEAKER, line, {"nudge": True})

    async def _speak(self, seat: int, turn: int) -> None:
        reply = await self._ask(seat, tuple(self.views[seat]), (turn, seat), fork=False)
        self._say(seat, reply.text, reply.facts)

    async def _ask(
        self, seat: int, history: tuple[Line, ...], purpose: tuple[object, ...], fork: bool
    ) -> Reply:
        request = ReplyRequest(
            dialogue=f"{self.plan.key}:{seat}",
            history=history,
            seed=seed_for(self.plan.seed, *purpose),
            fork=fork,
            knowledge=self.knowledge[seat],
            persona=self.dealt[seat],
        )
        reply = await self.guards[seat].ask(request, self._fault)
        for name in ("tokens_in", "tokens_out", "dropped", "cost"):
            self.totals[name] += getattr(reply, name)
        return reply

    def _fault(self, reason: str) -> None:
        self.faults[reason] += 1

    def _say(self, seat: int, text: str, facts: Facts) -> None:
        parent = self.messages[-1].hash if self.messages else None
        self.messages.append(
            Message(len(self.messages), seat, text, message_hash(parent, seat, text), parent, facts)
        )
        for view in (SPEAKER, TESTED):
            self.views[view].append(Line(text, mine=view == seat))
        if self.watch.hear(seat, text) is not None:
            self.looping = True
            if self.collapse is None:
                self.collapse = Collapse((len(self.messages) + 1) // 2, seat)

    # ── the inquiries ─────────────────────────────────────────────────────────────────────────

    async def _inquire(self, asking: InquiryPlan, turn: int) -> None:
        own = await asking.inquire(self.messages[-1].text)
        partner = await asking.inquire(self.messages[-2].text) if Kind.ABOUT_PARTNER in asking.kinds else None
        self.refused.update(own.refused)
        again = duplicates(own, asking.kinds, self.asked, partner)
        if again:
            self.refused["duplicate"] += again
        draw = generator(self.plan.seed, turn, "select")
        for chosen in select(
            own,
            asking.kinds,
            asking.distances,
            asking.per_turn,
            self.asked,
            draw,
            partner,
            prefer=asking.prefer,
        ):
            self.asked.add(chosen.key)
            back = 2 if chosen.kind is Kind.ABOUT_PARTNER else 1
            due = _Due(chosen, len(self.messages) - back, turn, self.chosen)
            self.chosen += 1
            if chosen.kind is Kind.ASK_TWICE:
                answer, reason, _ = await self._fork(due, "first")
                due.first = (len(self.messages) - 1, answer, reason)
            self.due[turn + chosen.distance].append(due)
        for due in self.due.pop(turn, ()):
            answer, reason, facts = await self._fork(due, "inquiry")
            self._record(due, answer, reason, facts)

    async def _fork(self, due: _Due, purpose: str) -> tuple[str | None, str | None, Facts]:
        """Ask a question after the last message. Question and answer do not become part of the conversation."""
        question = Line(due.chosen.question.text, mine=False)
        history = (*self.views[TESTED], question)
        try:
            reply = await self._ask(TESTED, history, (due.turn, purpose, due.number), fork=True)
        except BotError as error:
            return None, error.reason, {}
        return reply.text, None, reply.facts

    def _record(self, due: _Due, answer: str | None, reason: str | None, facts: Facts) -> None:
        question = due.chosen.question
        reference = None
        if due.first is not None:
            first_after, reference, first_reason = due.first
            facts = {**facts, "first_after": first_after}
            if first_reason is not None:
                answer, reason = None, reason or first_reason
        after = len(self.messages) - 1
        self.inquiries[due.number] = Inquiry(
            id=digest(self.plan.key, due.number, due.source, question.text)[:24],
            after=after,
            source=due.source,
            entity=question.entity.text,
            entity_type=question.entity.type,
            question=question.text,
            kind=due.chosen.kind,
            distance=due.chosen.distance,
            answer=answer,
            reason=reason,
            expected=question.expected,
            reference=reference,
            facts=facts,
            rule=question.rule,
            score=question.score,
            single_answer=question.single_answer,
            clause=question.clause,
            span=question.span,
        )

    def past_end(self) -> None:
        """Record the questions that were due after the last turn as not asked."""
        for turn in sorted(self.due):
            for due in self.due[turn]:
                self._record(due, None, "past_end", {})

    def _persona(self, seat: int) -> str | None:
        bot = (self.plan.speaker, self.plan.tested)[seat]
        return persona_of(bot.settings, self.plan.number, self.plan.drawn[seat])

    # ── the result ────────────────────────────────────────────────────────────────────────────

    def dialogue(self, reason: str | None, seconds: float) -> Dialogue:
        facts: dict[str, Any] = {name: value for name, value in self.totals.items() if value}
        if self.faults:
            facts["faults"] = dict(self.faults)
        if reason is not None:
            return Dialogue(self.plan.key, (), (), {}, reason, facts, seconds)
        degenerate = {
            seat: flags([m.text for m in self.messages if m.seat == seat]) for seat in (SPEAKER, TESTED)
        }
        for seat, name in ((SPEAKER, "speaker"), (TESTED, "tested")):
            if degenerate[seat]:
                facts[f"{name}_degenerate"] = list(degenerate[seat])
        if self.knowledge[TESTED]:
            facts["knowledge"] = self.knowledge[TESTED]
        inquiries = tuple(self.inquiries[number] for number in sorted(self.inquiries))
        return Dialogue(
            self.plan.key,
            tuple(self.messages),
            inquiries,
            dict(self.refused),
            None,
            facts,
            seconds,
            (self._persona(SPEAKER), self._persona(TESTED)),
            self.collapse,
        )


async def play(
    plan: DialoguePlan,
    speaker: Guard,
    tested: Guard,
    asking: InquiryPlan | None,
    clock: Callable[[], float] = time.perf_counter,
) -> Dialogue:
    """Play one dialogue to its end.

    If a bot fails permanently, a failed dialogue is returned instead of raising an exception.
    """
    about = (plan.speaker.settings, plan.tested.settings)
    state = _Play(
        plan,
        (speaker, tested),
        (knowledge_of(about[SPEAKER], plan.number), knowledge_of(about[TESTED], plan.number)),
        (
            dealt_persona(about[SPEAKER], plan.number, plan.drawn[SPEAKER]),
            dealt_persona(about[TESTED], plan.number, plan.drawn[TESTED]),
        ),
        asking,
    )
    start = clock()
    reason = None
    try:
        await state.turns()
        state.past_end()
    except BotError as error:
        reason = error.reason
    return state.dialogue(reason, clock() - start)
