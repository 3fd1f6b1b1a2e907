"""What the arena finds per minute, with the bot and settings of docs/measurements/alternatives.md.

SmolLM2 with the library's characters talks with itself: side by side as usual, then one reply at a time.
`make measure ONLY=alternatives:20` plays 20 dialogues of each kind instead of 50; `alternatives:20:one` and
`alternatives:20:many` play one kind only. Minutes are those of the clock and those of one core, without loading the
language model. On a machine that does other work, set OMP_NUM_THREADS=1.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from arena.config.resolve import parse
from arena.config.tournament import Tournament
from arena.play.options import Options
from arena.play.progress import Silent
from arena.play.runner import play
from bots import registry
from db import Repository, connect
from db.records import Record
from tests.measure import _conversations as c

WORDS_PER_MINUTE = 240  # how fast a person reads, as the case study assumes
KINDS = {"many": 32, "one": 1}  # the most replies that are computed together
TEXT = """
release: alternatives
seed: 22
turns: 8
dialogues_per_pair: {dialogues}
pairs: all
on_loop: keep
bots:
  - name: smollm2
    adapter: hf
    model: embedded:smollm2-135m
    persona: library
    decoding: {{temperature: 0.7, repetition_penalty: 1.05}}
checks: [inquiry]
judges: [nli]
"""


async def minutes(store: Repository, tournament: Tournament, options: Options) -> tuple[float, float]:
    """Plays and judges everything. Returns the minutes by the clock and those of the processor."""
    bot = registry.create(tournament.bots[0])  # holds the weights, which the run then shares
    try:
        began = time.perf_counter(), time.process_time()
        await play(store, tournament, options, Silent())
        return (time.perf_counter() - began[0]) / 60, (time.process_time() - began[1]) / 60
    finally:
        await bot.close()


def to_read(record: Record) -> list[int]:
    """The number of words of each judged inquiry that counts as a contradiction."""
    asked = {inquiry.id: inquiry for inquiry in record.inquiries}
    flagged = [
        asked[v.inquiry]
        for v in record.verdicts
        if v.judgement.contradiction is not None and v.judgement.contradiction > v.tau
    ]
    texts = [(record.messages[i.source].text, i.question, i.answer or "") for i in flagged]
    return [len(" ".join(parts).split()) for parts in texts]


def shown(kind: str, records: Sequence[Record], clock: float, core: float) -> None:
    judged = sum(v.judgement.contradiction is not None for r in records for v in r.verdicts)
    flagged = [words for record in records for words in to_read(record)]
    counts = {"dialogues": len(records), "judged inquiries": judged, "flagged": len(flagged)}
    print(f"   {kind}: " + ", ".join(f"{n} {name}" for name, n in counts.items()), flush=True)
    for name, n in counts.items():
        print(
            f"      {name} per minute: {n / clock:.2f} by the clock, {n / core:.2f} of one core", flush=True
        )
    if flagged:
        per_minute = WORDS_PER_MINUTE * len(flagged) / sum(flagged)
        print(f"      flagged per minute of reading them: {per_minute:.2f}", flush=True)


def main(size: str = "50") -> None:
    number, *kinds = size.split(":")
    tournament = parse(TEXT.format(dialogues=number), name="alternatives")
    c.FOLDER.mkdir(parents=True, exist_ok=True)
    for kind in kinds or KINDS:
        file = c.FOLDER / f"alternatives-{kind}.db"
        file.unlink(missing_ok=True)  # for a rate, all dialogues have to be played now
        store = Repository(connect(f"sqlite:///{file}"))
        clock, core = asyncio.run(minutes(store, tournament, Options(batch=KINDS[kind])))
        done = c.needed([r for r in store.records(tournament.info.id) if r.status == "done"])
        shown(kind, done, clock, core)
