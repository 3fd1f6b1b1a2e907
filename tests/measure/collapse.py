"""Self-play that goes on whatever happens, for a reader to say where it collapses; and what the detector says.

`make measure ONLY=collapse:20` plays a third of the dialogues of `collapse:60`, `collapse:20:large` one part of them.
A file `read-collapse.tsv` beside the texts (item, loops: y or n, turn, side: A, B or both) is compared with the
detector.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.core.types import Collapse
from bots.repetition import LoopWatch
from db.records import Record
from tests.measure import _conversations as c

TURNS = {"before": 10, "now": 10, "large": 15, "half": 15}
EARLY = 8  # a dialogue that loops before this turn gives little to ask about
PARTS = ("before", "now", "large", "half")


def played(number: int, parts: Sequence[str] = PARTS) -> dict[str, list[Record]]:
    """Dialogues without inquiries, which leave no trace: as before, with today's defaults, one model with itself.

    The large and the half model talk with themselves as `docs/conversations.md` recommends.
    """
    each = max(1, round(number / 20))
    settings = {
        "before": (c.BEFORE, c.ring(c.FOUR_BEFORE), each, "openers: [hello]\n"),
        "now": (c.FOUR, c.ring(c.FOUR_NOW), each, ""),
        "large": (c.SELF_PLAY, "[[large, large]]", 4 * each, ""),
        "half": (c.SELF_PLAY, "[[half, half]]", 8 * each, ""),
    }
    return {
        part: c.tournament(
            f"collapse-{part}",
            bots,
            pairs,
            per_pair,
            TURNS[part],
            f"{openers}on_loop: keep",
            inquirer="false",
            seed=11 if part in ("before", "now") else 13,  # the recommendation was chosen with 11 and 12
        )
        for part, (bots, pairs, per_pair, openers) in settings.items()
        if part in parts
    }


def main(size: str = "60") -> None:
    number, *parts = size.split(":")
    stored = played(int(number), parts or PARTS)
    records = [record for part in stored.values() for record in part]
    loops = [loop_of(r) for r in records]
    collapses = [
        f"{r.key}\t{r.speaker}\t{r.tested}\t{loop.turn if loop else ''}\t{'AB'[loop.seat] if loop else ''}"
        for r, loop in zip(records, loops, strict=True)
    ]
    c.reading("collapse", ("dialogue",), [(c.transcript(r),) for r in records], collapses)
    print(f"   detector: {sum(loop is not None for loop in loops)} of {len(records)} dialogues loop")
    for part, some in stored.items():
        print(f"   {part}: looped before turn {EARLY}: {early(some)}")
    file = c.FOLDER / "read-collapse.tsv"
    if not file.is_file():
        print("   not read yet: precision and recall are not measured")
        return
    compare(_cells(c.FOLDER / "sources-collapse.tsv"), _cells(file))


def loop_of(record: Record) -> Collapse | None:
    """The first loop by today's detector, which may differ from the one that watched the dialogue."""
    watch = LoopWatch()
    for place, message in enumerate(record.messages):
        if watch.hear(message.seat, message.text) is not None:
            return Collapse(place // 2 + 1, message.seat)
    return None


def early(records: Sequence[Record]) -> str:
    """The share of dialogues that loop before turn EARLY. Resampling would claim that none of few means never."""
    loops = [loop is not None and loop.turn < EARLY for loop in map(loop_of, records)]
    return c.share(sum(loops), len(loops))


def compare(sources: Sequence[Sequence[str]], read: Sequence[Sequence[str]]) -> None:
    """Prints how far the detector and the reader agree on whether, where and by which side a dialogue loops."""
    detected = {item: (turn, side) for item, _, _, _, turn, side in sources}
    seen = {item: (turn, side) for item, loops, turn, side in read if loops == "y"}
    loops = {item for item, (turn, _) in detected.items() if turn}
    both = sorted(loops & seen.keys())
    print(f"   precision {c.share(len(both), len(loops))}, recall {c.share(len(both), len(seen))}")
    same = sum(seen[item][1] in ("both", detected[item][1]) for item in both)
    later = sorted(int(detected[item][0]) - int(seen[item][0]) for item in both)
    print(f"   same side {c.share(same, len(both))}; the detector's turn less the reader's: {later}")


def _cells(file: Path) -> list[list[str]]:
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()]
