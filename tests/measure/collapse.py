"""Dialogues played to their end whatever happens, for a reader to say where they collapse; and what the detector says.

`make measure ONLY=collapse:12` plays 12 dialogues instead of 60. A file `read-collapse.tsv` beside the texts, with the
item and the turn (empty where it does not collapse), is compared with the detector.
"""

from __future__ import annotations

from tests.measure import _conversations as c


def main(size: str = "60") -> None:
    number = int(size)
    more = "on_loop: keep"
    records = [
        *c.tournament(
            "collapse-before", c.BEFORE, c.ring(("nurse", "baker", "student")), -(-number // 12), more=more
        ),
        *c.tournament(
            "collapse-now", c.DEFAULTS, c.ring(("large", "half", "small")), -(-number // 12), more=more
        ),
    ]
    said = [f"{r.key}\t{r.collapse.turn if r.collapse else ''}" for r in records]
    c.reading("collapse", ("dialogue",), [(c.transcript(r),) for r in records], said)
    print(f"   detector: {sum(r.collapse is not None for r in records)} of {len(records)} dialogues loop")
    file = c.FOLDER / "read-collapse.tsv"
    if not file.is_file():
        print("   not read yet: precision and recall are not measured")
        return
    sources = dict(line.split("\t")[::2] for line in _lines(c.FOLDER / "sources-collapse.tsv"))
    reader = dict(line.split("\t")[:2] for line in _lines(file))
    pairs = [(bool(sources[item]), bool(turn.strip())) for item, turn in reader.items()]
    both = sum(a and b for a, b in pairs)
    precision, recall = both / max(1, sum(a for a, _ in pairs)), both / max(1, sum(b for _, b in pairs))
    print(f"   precision {precision:.2f}, recall {recall:.2f}")


def _lines(file: object) -> list[str]:
    from pathlib import Path

    return [line for line in Path(str(file)).read_text(encoding="utf-8").splitlines() if line]
