"""How many questions self-play gives: as before, and with today's defaults.

It asks about the dialogues that `make measure ONLY=collapse` has played; no inquiry ever enters a conversation, so
that the bots' answers are not needed to count the questions. `make measure ONLY=yields:16` takes as many as
`collapse:16`, `yields:16:now` or `yields:16:large` one part of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from arena.core.hashing import generator
from arena.core.types import InquiryReport, Kind
from bots.repetition import LoopWatch
from db.records import Record
from inquirer.build import build
from inquirer.selection import Chosen, Prefer, select
from tests.measure import _conversations as c
from tests.measure.collapse import EARLY, early, loop_of, played


@dataclass(frozen=True)
class Draw:
    """What is asked about a reply, and where a dialogue ends."""

    kinds: tuple[Kind, ...]
    prefer: Prefer
    min_score: float
    ends: bool  # after the turn that completes a loop


OLD = Draw((Kind.WH,), "any", 0.0, ends=False)
NEW = Draw((Kind.WH, Kind.YES_NO_TRUE), "single", 0.75, ends=True)


@dataclass(frozen=True)
class Asked:
    """One dialogue: its replies up to its end, and the questions about them."""

    record: Record
    replies: int
    questions: tuple[tuple[int, Chosen], ...]  # with the number of the message that each is about

    @property
    def own(self) -> int:
        """Questions that do not only repeat the partner's own last one."""
        return sum(not self._repeats(after, chosen.question.text) for after, chosen in self.questions)

    def _repeats(self, after: int, question: str) -> bool:
        heard = self.record.messages[after - 1].text.lower() if after else ""
        return question.lower().rstrip("?") in heard


def ask(records: Sequence[Record], draw: Draw) -> list[Asked]:
    """Questions as a run draws them, from the stored replies."""
    spoken = {record.key: _until_end(record, draw.ends) for record in records}
    texts = sorted({text for messages in spoken.values() for _, text in messages})
    inquirer = build({"entities": "stanza", "questions": "rules", "min_score": draw.min_score})

    async def reports() -> Sequence[InquiryReport]:
        return [
            r for i in range(0, len(texts), 64) for r in await inquirer.inquire(texts[i : i + 64], draw.kinds)
        ]

    reports_by_text = dict(zip(texts, asyncio.run(reports()), strict=True))
    return [_asked(record, spoken[record.key], reports_by_text, draw) for record in records]


def _asked(
    record: Record, spoken: Sequence[tuple[int, str]], reports: dict[str, InquiryReport], draw: Draw
) -> Asked:
    before: set[str] = set()
    questions: list[tuple[int, Chosen]] = []
    for turn, (index, text) in enumerate(spoken):
        random = generator(record.seed, turn, "select")
        for chosen in select(reports[text], draw.kinds, (0,), 1, before, random, prefer=draw.prefer):
            before.add(chosen.key)
            questions.append((index, chosen))
    return Asked(record, len(spoken), tuple(questions))


def _until_end(record: Record, ends: bool) -> list[tuple[int, str]]:
    """The replies under test, up to the end of the turn in which a loop is complete where loops end dialogues."""
    watch, spoken, over = LoopWatch(), [], False
    for message in record.messages:
        over = watch.hear(message.seat, message.text) is not None or over
        if message.seat == 1:
            spoken.append((message.index, message.text))
            if over and ends:
                break
    return spoken


def per_reply(asked: Sequence[Asked]) -> float:
    return 100 * sum(a.own for a in asked) / max(1, sum(a.replies for a in asked))


def per_planned(asked: Sequence[Asked]) -> float:
    return 100 * sum(a.own for a in asked) / max(1, sum(a.record.turns for a in asked))


def single(asked: Sequence[Asked]) -> float:
    every = [chosen.question for a in asked for _, chosen in a.questions]
    return 100 * sum(question.single_answer is True for question in every) / max(1, len(every))


def main(size: str = "60") -> None:
    number, *parts = size.split(":")
    stored = played(int(number), parts or ("before", "now"))
    for name, part, draw in (
        ("as before", "before", OLD),
        ("as before, with today's questions", "before", NEW),
        ("defaults", "now", NEW),
        ("the large model with itself", "large", NEW),
        ("the half model with itself", "half", NEW),
    ):
        if part not in stored:
            continue
        asked = ask(stored[part], draw)
        print(f"   {name}: {len(asked)} dialogues, {sum(a.replies for a in asked)} replies under test")
        c.shown("inquiries per 100 replies played", c.rates(asked, per_reply))
        c.shown("inquiries per 100 replies planned", c.rates(asked, per_planned))
        c.shown("of these with one right answer", c.rates(asked, single), "%")
        print(f"   dialogues collapsed before turn {EARLY}: {early([a.record for a in asked])}")
        for bot in sorted({a.record.tested for a in asked}):
            own = [a for a in asked if a.record.tested == bot]
            turns = sorted(loop.turn for loop in (loop_of(a.record) for a in own) if loop)
            looped = f"{len(turns)} of {len(own)} collapsed, at turns {turns}"
            print(f"      {bot}: {per_reply(own):.0f} per 100 replies, {looped}")
        rows = [
            (a.record.messages[i].text, q.question.text, q.question.entity.text)
            for a in asked
            for i, q in a.questions
        ]
        c.reading(
            f"questions-{part}-{'today' if draw is NEW else 'then'}",
            ("message", "question", "answer"),
            rows,
            [name] * len(rows),
        )
