"""Tournaments of language models that several measures play, in a database that a later call goes on with."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from arena.config.resolve import parse
from arena.core.types import TESTED
from arena.play.options import Options
from arena.play.runner import run
from db import Repository, connect
from db.records import Record

T = TypeVar("T")
FOLDER = Path(os.environ.get("ARENA_MEASURES", "measured"))
HALF, LARGE, SMALL = "embedded:qwen2.5-coder-0.5b", "embedded:qwen2.5-coder-1.5b", "embedded:smollm2-135m"
FOUR_BEFORE, FOUR_NOW = ("nurse", "teacher", "baker", "student"), ("large", "cooler", "half", "small")
WRITING = "decoding: {top_p: 0.9}"
BARE = f"adapter: hf, frame: none, {WRITING}"
BEFORE = f"""
  - {{name: nurse, {BARE}, model: "{LARGE}", persona: "You are Sam, a nurse from Boston."}}
  - {{name: teacher, {BARE}, model: "{LARGE}", persona: "You are Rita, a teacher from Ohio."}}
  - {{name: baker, {BARE}, model: "{HALF}", persona: "You are Jo, a baker from Leeds."}}
  - {{name: student, {BARE}, model: "{SMALL}", persona: "You are Kim, a student."}}
"""
NOW = "decoding: {temperature: 0.9, top_p: 0.9, repetition_penalty: 1.05, max_new_tokens: 50}"
COOLER = NOW.replace("0.9", "0.7", 1)
AT_ONCE = 16  # dialogues, so that a run that is cut off has stored most of its work
ASKING = "{entities: stanza, questions: rules}"
DEFAULTS = f"""
  - {{name: large, adapter: hf, model: "{LARGE}", persona: library, {NOW}}}
  - {{name: half, adapter: hf, model: "{HALF}", persona: library, {NOW}}}
  - {{name: small, adapter: hf, model: "{SMALL}", persona: library, {NOW}}}
"""
# The same models as in BEFORE, as a user who changes nothing would set them
FOUR = (
    DEFAULTS.rstrip()
    + f"""
  - {{name: cooler, adapter: hf, model: "{LARGE}", persona: library, {COOLER}}}
"""
)
# As docs/conversations.md recommends for models that talk with each other
SELF_PLAY = FOUR.replace("persona: library", "persona: library, frame: person-with-subjects").replace(
    "max_new_tokens: 50", "max_new_tokens: 50, context_block_ngram: 6, redraws: 3"
)


def tournament(
    release: str,
    bots: str,
    pairs: str,
    dialogues: int,
    turns: int = 15,
    more: str = "on_loop: end",
    inquirer: str = ASKING,
    seed: int = 11,
) -> list[Record]:
    """Plays what is not stored yet, without judges, and gives the dialogues that are done."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    store = Repository(connect(f"sqlite:///{FOLDER / 'conversations.db'}"))
    text = (
        f"release: {release}\nseed: {seed}\nturns: {turns}\ndialogues_per_pair: {dialogues}\npairs: {pairs}\n"
        f"bots:{bots}inquirer: {inquirer}\njudges: [lexical]\n{more}\n"
    )
    info = parse(text, name=release)
    run(store, info, Options(judge=False, concurrency=AT_ONCE))
    return list(needed([r for r in store.records(info.info.id) if r.status == "done"]))


def needed(records: Sequence[Record]) -> Sequence[Record]:
    """The dialogues, or an end: figures over nothing would look like figures."""
    if not records:
        sys.exit("No dialogue was played to its end: see above why.")
    return records


def rates(records: Sequence[T], measure: Callable[[Sequence[T]], float]) -> tuple[float, float, float]:
    """A figure over dialogues with a 95% interval by resampling whole dialogues."""
    draw = random.Random(0)
    again = sorted(measure(draw.choices(records, k=len(records))) for _ in range(500))
    return measure(records), again[12], again[487]


def share(part: int, whole: int) -> str:
    """A share of independent items with Wilson's 95% interval."""
    if not whole:
        return "of nothing"
    rate, z = part / whole, 1.96
    centre = (rate + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z * (rate * (1 - rate) / whole + z * z / (4 * whole**2)) ** 0.5 / (1 + z * z / whole)
    return f"{rate:.2f} ({centre - half:.2f} to {centre + half:.2f}), {part} of {whole}"


def shown(name: str, figure: tuple[float, float, float], unit: str = "") -> None:
    print(f"   {name}: {figure[0]:.1f}{unit} ({figure[1]:.1f} to {figure[2]:.1f})", flush=True)


def replies(record: Record) -> list[str]:
    """What the bot under test said."""
    return [message.text for message in record.messages if message.seat == TESTED]


def transcript(record: Record) -> str:
    return " ¶ ".join(
        f"{'AB'[message.seat]}{place // 2 + 1}: {' '.join(message.text.split())}"
        for place, message in enumerate(record.messages)
    )


def reading(name: str, header: Sequence[str], rows: Sequence[Sequence[str]], key: Sequence[str]) -> None:
    """Writes texts for somebody who reads without knowing the source; the sources go into a file of their own."""
    order = list(range(len(rows)))
    random.Random(name).shuffle(order)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / f"reading-{name}.tsv").open("w", encoding="utf-8") as out:
        out.write("\t".join(("item", *header)) + "\n")
        for number, place in enumerate(order):
            cells = (" ".join(cell.split()) for cell in rows[place])
            out.write("\t".join((str(number), *cells)) + "\n")
    with (FOLDER / f"sources-{name}.tsv").open("w", encoding="utf-8") as out:
        out.writelines(f"{number}\t{key[place]}\n" for number, place in enumerate(order))
    print(f"   to be read without the sources: {FOLDER}/reading-{name}.tsv ({len(rows)} items)", flush=True)


def ring(names: Sequence[str]) -> str:
    """Every bot with itself and with the next one, as a list of pairs."""
    nexts: Iterator[tuple[str, str]] = zip(names, (*names[1:], names[0]), strict=True)
    return str([[i, j] for i, j in nexts] + [[i, i] for i in names]).replace("'", "")
