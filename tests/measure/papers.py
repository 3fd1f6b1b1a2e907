"""Q² over the published responses: all at once against the same models called one pair at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from judges.q2.judge import Q2Settings, parts
from judges.q2.parts import Options, Parts, Span, Text
from judges.q2.pipeline import scored
from judges.validation import q2

ALONE = 40  # responses that are also scored one by one


class OneByOne:
    """The same part, a call for each pair."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.revision = inner.revision

    def find(self, texts: Sequence[str]) -> list[Any]:
        return [self.inner.find([text])[0] for text in texts]

    def ask(self, tasks: Sequence[tuple[str, Span]], most: int) -> list[Any]:
        return [self.inner.ask([task], most)[0] for task in tasks]

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Any]:
        return [self.inner.read([pair])[0] for pair in pairs]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Any]:
        return [self.inner.score([pair])[0] for pair in pairs]


def main() -> None:
    data = Path(os.environ.get("ARENA_DATA") or Path(__file__).parents[3] / "shared" / "data") / "q2"
    if not data.is_dir():
        print(f"   no data in {data}: set ARENA_DATA")
        return
    items = q2.load(data).items
    texts = [Text(item.response, item.knowledge) for item in items]
    made = parts(Q2Settings())
    slow = Parts(*(OneByOne(part) for part in (made.finder, made.asker, made.reader, made.inference)))
    scored(texts[:8], made, Options())  # weights are read outside the clock
    together, cpu_together, values = timed(texts, made)
    alone, cpu_alone, again = timed(texts[:ALONE], slow)
    same = sum(a == b for a, b in zip(values, again, strict=False))
    print(f"   all at once: {len(texts)} responses in {together:.1f} s ({cpu_together:.1f} s of processor)")
    each, each_cpu = alone / ALONE, cpu_alone / ALONE
    print(f"   one pair at a time: {each:.2f} s a response ({each_cpu:.2f} s of processor)")
    clock, processor = each * len(texts) / together, each_cpu * len(texts) / cpu_together
    print(f"   ratio {clock:.1f} by the clock, {processor:.1f} by processor")
    print(f"   equal scores: {same} of {ALONE}")


def timed(texts: Sequence[Text], made: Parts) -> tuple[float, float, list[float | None]]:
    wall, cpu = time.perf_counter(), time.process_time()
    found = [score.value for score in scored(texts, made, Options())]
    return time.perf_counter() - wall, time.process_time() - cpu, found
