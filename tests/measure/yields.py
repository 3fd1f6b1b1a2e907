"""How many questions conversations give: as before, with today's defaults, in interviews.

`make measure ONLY=yields:8` plays 8 dialogues per setting instead of 60.
"""

from __future__ import annotations

from collections.abc import Sequence

from db.records import Record
from tests.measure import _conversations as c


def asked(record: Record) -> int:
    """Inquiries that do not only repeat the partner's own last question."""
    return sum(not _repeats(record, i.after, i.question) for i in record.inquiries if i.reason != "past_end")


def _repeats(record: Record, after: int, question: str) -> bool:
    heard = record.messages[after - 1].text.lower() if after else ""
    return question.lower().rstrip("?") in heard


def per_reply(records: Sequence[Record]) -> float:
    return 100 * sum(map(asked, records)) / max(1, sum(len(c.replies(r)) for r in records))


def per_planned(records: Sequence[Record]) -> float:
    return 100 * sum(map(asked, records)) / max(1, sum(r.turns for r in records))


def single(records: Sequence[Record]) -> float:
    every = [i for r in records for i in r.inquiries]
    return 100 * sum(i.single_answer is True for i in every) / max(1, len(every))


def collapsed(records: Sequence[Record]) -> float:
    return 100 * sum(r.collapse is not None and r.collapse.turn < 8 for r in records) / max(1, len(records))


def main(size: str = "60") -> None:
    number = int(size)
    four = ("nurse", "teacher", "baker", "student")
    three = ("large", "half", "small")
    settings = (
        ("as before", c.BEFORE, c.ring(four), -(-number // 8), "on_loop: keep\nopeners: [hello]"),
        ("defaults", c.DEFAULTS, c.ring(three), -(-number // 6), "on_loop: end"),
        ("interviews", c.DEFAULTS, "interviews", -(-number // 3), "on_loop: end"),
    )
    for name, bots, pairs, dialogues, more in settings:
        records = c.tournament(f"yield-{name.replace(' ', '-')}", bots, pairs, dialogues, more=more)
        print(
            f"   {name}: {len(records)} dialogues, {sum(len(c.replies(r)) for r in records)} replies under test"
        )
        c.shown("inquiries per 100 replies played", c.rates(records, per_reply))
        c.shown("inquiries per 100 replies planned", c.rates(records, per_planned))
        c.shown("of these with one right answer", c.rates(records, single), "%")
        c.shown("dialogues collapsed before turn 8", c.rates(records, collapsed), "%")
        for bot in sorted({r.tested for r in records}):
            own = [r for r in records if r.tested == bot]
            turns = sorted(r.collapse.turn for r in own if r.collapse)
            looped = f"{len(turns)} of {len(own)} collapsed, at turns {turns}"
            print(f"      {bot}: {per_reply(own):.0f} per 100 replies, {looped}")
        rows = [
            (r.messages[i.source].text, i.question) for r in records for i in r.inquiries if i.reason is None
        ]
        c.reading(f"questions-{name.replace(' ', '-')}", ("message", "question"), rows, [name] * len(rows))
