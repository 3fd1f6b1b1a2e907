"""Self-play that goes on whatever happens, for a reader to say where it collapses; and what the detector says.

`make measure ONLY=collapse:20` plays 20 dialogues instead of 60, `collapse:20:alone` one part of them. A file
`read-collapse.tsv` beside the texts, with the item and the turn (empty where it does not collapse), is compared with
the detector.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from db.records import Record
from tests.measure import _conversations as c

TURNS = 10
HALVES = ("before", "now", "alone")


def played(number: int, halves: Sequence[str] = HALVES) -> dict[str, list[Record]]:
    """Dialogues without inquiries, which leave no trace: as before, with today's defaults, and the large model alone.

    Each fifth of the number plays `before` and `now` twice, and `alone` once; a dialogue of two halves is played once.
    """
    each = max(1, round(number / 20))
    settings = {
        "before": (c.BEFORE, c.ring(c.FOUR_BEFORE), each, "openers: [hello]\n"),
        "now": (c.FOUR, c.ring(c.FOUR_NOW), each, ""),
        "alone": (c.FOUR, "[[large, large], [cooler, cooler], [large, cooler]]", round(7 / 3 * each), ""),
    }
    return {
        half: c.tournament(
            f"collapse-{half}", bots, pairs, per_pair, TURNS, f"{openers}on_loop: keep", inquirer="false"
        )
        for half, (bots, pairs, per_pair, openers) in settings.items()
        if half in halves
    }


def main(size: str = "60") -> None:
    number, *halves = size.split(":")
    stored = played(int(number), halves or HALVES)
    records = list({record.key: record for half in stored.values() for record in half}.values())
    collapses = [
        f"{r.key}\t{r.speaker}\t{r.tested}\t{r.collapse.turn if r.collapse else ''}\t{_side(r)}"
        for r in records
    ]
    c.reading("collapse", ("dialogue",), [(c.transcript(r),) for r in records], collapses)
    print(f"   detector: {sum(r.collapse is not None for r in records)} of {len(records)} dialogues loop")
    file = c.FOLDER / "read-collapse.tsv"
    if not file.is_file():
        print("   not read yet: precision and recall are not measured")
        return
    sources = {cells[0]: cells[4] for cells in _cells(c.FOLDER / "sources-collapse.tsv")}
    pairs = [(bool(sources[item]), bool(turn.strip())) for item, turn, *_ in _cells(file)]
    both = sum(a and b for a, b in pairs)
    precision, recall = both / max(1, sum(a for a, _ in pairs)), both / max(1, sum(b for _, b in pairs))
    print(f"   precision {precision:.2f}, recall {recall:.2f}")


def _side(record: Record) -> str:
    return "AB"[record.collapse.seat] if record.collapse else ""


def _cells(file: Path) -> list[list[str]]:
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines() if line]
