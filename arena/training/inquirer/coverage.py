"""Measures for how many of ConsisTest's history facts the inquirer finds a span and asks a question.

A fact counts as found if the token F1 of a candidate span and the fact's short answer is at least 0.5. It
counts as asked about if such a span is the answer to a question. Facts of even and odd dialogues are also
counted separately, so that rules can be developed on one half and measured on the other half.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.core.types import Kind
from inquirer.build import build
from inquirer.filters import AGREEMENT, overlap
from inquirer.inquirer import Inquirer


@dataclass(frozen=True, slots=True)
class Fact:
    dialogue: int
    utterance: str
    answer: str


@dataclass(frozen=True, slots=True)
class Coverage:
    facts: int
    matched: int
    asked: int

    def shares(self) -> dict[str, float]:
        whole = max(self.facts, 1)
        return {
            "facts": self.facts,
            "found": round(self.matched / whole, 4),
            "asked": round(self.asked / whole, 4),
        }


def facts(dialogues: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[Fact]:
    """Return the facts with a wh-question in `history_qas.json`."""
    return [
        Fact(int(number), row["c"], row["a"])
        for number, rows in dialogues.items()
        for row in rows
        if row["type"] == "wh"
    ]


def coverage(chosen: Sequence[Fact], inquirer: Inquirer) -> Coverage:
    inquests = asyncio.run(inquirer.inquire([fact.utterance for fact in chosen], [Kind.WH]))
    recognised = asked = 0
    for fact, inquest in zip(chosen, inquests, strict=True):
        recognised += any(overlap(e.text, fact.answer) >= AGREEMENT for e in inquest.entities)
        asked += any(overlap(q.entity.text, fact.answer) >= AGREEMENT for q in inquest.questions)
    return Coverage(len(chosen), recognised, asked)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with history_qas.json")
    parser.add_argument("--entities", default="stanza", help="which extractor: stanza, rules, spacy")
    given = parser.parse_args(arguments)
    known = facts(json.loads((given.data / "history_qas.json").read_text()))
    inquirer = build({"entities": given.entities})
    parts = {
        "all": known,
        "even": [fact for fact in known if fact.dialogue % 2 == 0],
        "odd": [fact for fact in known if fact.dialogue % 2 == 1],
    }
    print(json.dumps({name: coverage(part, inquirer).shares() for name, part in parts.items()}))


if __name__ == "__main__":
    main()
