"""Draws questions for a person to read, one per utterance, as a dialogue would ask them.

The input file holds one utterance per line. The output is a table with an empty column for the verdict.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from arena.core.types import Kind
from inquirer.build import build
from inquirer.inquirer import Inquirer
from inquirer.selection import select

BATCH = 256
COLUMNS = ("number", "utterance", "entity", "question", "appropriate", "why not")


@dataclass(frozen=True, slots=True)
class Row:
    utterance: str
    entity: str
    question: str


def drawn(utterances: Sequence[str], count: int, random: Random, inquirer: Inquirer) -> list[Row]:
    """Return the requested number of rows, from utterances in random order."""
    order = list(dict.fromkeys(" ".join(text.split()) for text in utterances if text.strip()))
    random.shuffle(order)
    rows: list[Row] = []
    for first in range(0, len(order), BATCH):
        if len(rows) >= count:
            break
        for inquest in asyncio.run(inquirer.inquire(order[first : first + BATCH], [Kind.WH])):
            for chosen in select(inquest, [Kind.WH], [0], 1, frozenset(), random):
                question = chosen.question
                rows.append(Row(inquest.utterance, question.entity.text, question.text))
    return rows[:count]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--entities", default="stanza", help="which extractor: stanza, rules, spacy")
    given = parser.parse_args(arguments)
    inquirer = build({"entities": given.entities})
    lines = given.file.read_text(encoding="utf-8").splitlines()
    print("\t".join(COLUMNS))
    for number, row in enumerate(drawn(lines, given.count, Random(given.seed), inquirer)):
        print("\t".join([str(number), row.utterance, row.entity, row.question, "", ""]))


if __name__ == "__main__":
    main()
