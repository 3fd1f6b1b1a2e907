"""Whether models keep to their personas: replies beside the persona, for a reader, with and without the frame.

`make measure ONLY=persona:8` plays 8 interviews per form instead of 20, `persona:8:person` only those of one form.
"""

from __future__ import annotations

from bots.hearing import hear
from db.records import Record
from tests.measure import _conversations as c


def machine(records: list[Record]) -> float:
    """Share of replies that speak as a machine or an assistant."""
    sentence = [text for record in records for text in c.replies(record)]
    return 100 * sum(hear(text).machine for text in sentence) / max(1, len(sentence))


def main(size: str = "20") -> None:
    number, *forms = size.split(":")
    rows: list[tuple[str, str, str]] = []
    key: list[str] = []
    for frame in forms or ("none", "person"):
        bots = f'\n  - {{name: {frame}, adapter: hf, model: "{c.LARGE}", frame: {frame}, persona: library, {c.NOW}}}\n'
        records = c.tournament(f"persona-{frame}", bots, "interviews", int(number), turns=10)
        c.shown(
            f"frame {frame}: replies that speak as a machine",
            c.rates(records, lambda r: machine(list(r))),
            "%",
        )
        for record in records:
            for place, message in enumerate(record.messages):
                if message.seat == 1 and record.personas[1]:
                    before = record.messages[place - 1].text
                    rows.append((record.personas[1].replace("\n", " / "), before, message.text))
                    key.append(frame)
    c.reading("persona", ("persona", "heard", "reply"), rows, key)
