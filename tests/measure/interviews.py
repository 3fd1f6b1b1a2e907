"""Interviews for a reader: whether the interviewer's turns fit what was said before, how many facts come out.

`make measure ONLY=interviews:6` plays 6 interviews per model instead of 20.
"""

from __future__ import annotations

from collections.abc import Sequence

from bots.repetition import LoopWatch
from db.records import Record
from tests.measure import _conversations as c


def asked_twice(records: Sequence[Record]) -> float:
    """Share of the interviewer's messages that repeat one of its own."""
    stale = total = 0
    for record in records:
        watch = LoopWatch()
        for message in record.messages:
            if message.seat == 0:
                watch.hear(0, message.text)
        stale += sum(how is not None for how in watch.stale)
        total += len(watch.stale)
    return 100 * stale / max(1, total)


def main(size: str = "60") -> None:
    per_model = -(-int(size) // 3)
    records = c.tournament("interviews", c.DEFAULTS, "interviews", per_model, turns=10)
    c.shown("messages of the interviewer that repeat an earlier one", c.rates(records, asked_twice), "%")
    rows = [(c.transcript(r),) for r in records]
    c.reading("interviews", ("dialogue",), rows, [r.tested for r in records])
