"""Answers that agree or disagree with a statement without sharing its words."""

from __future__ import annotations

import random
import re

from arena.training.judges.kinds import FACTS, parts
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT
from arena.training.judges.style import sloppy
from arena.training.judges.triples import Triple


def implied(source: random.Random, held: bool) -> list[Triple]:
    """Return facts that answer a question without repeating its words. Every fifth block is held out."""
    blocks: list[list[str]] = []
    current: list[str] = []
    for line in (FACTS / "implied.txt").read_text(encoding="utf-8").strip().splitlines():
        if line[0] not in "?+-" and current:
            blocks.append(current)
            current = []
        current.append(line)
    blocks.append(current)
    pairs = []
    for index, (statements, asked, agreeing, denying) in enumerate(blocks):
        if (index % 5 == 4) != held:
            continue
        for statement in parts(statements):
            for question in parts(asked[1:]):
                if source.random() < 0.3:
                    question = ""
                for answers, label in ((agreeing, ENTAILMENT), (denying, CONTRADICTION)):
                    for answer in parts(answers[1:]):
                        # A bare yes or no fits only some of the questions.
                        if len(answer.split()) < 4 and not question:
                            continue
                        if re.match(r"(?i)(yes|no)\b", answer) and question.split()[:1] not in (
                            ["Do"],
                            ["Are"],
                            ["Can"],
                            ["Did"],
                        ):
                            continue
                        if re.match(r"(?i)(yes|no)\W*(i am|i do|i'm|i can)?\W*$", answer):
                            continue
                        pairs.append(
                            Triple(statement, question, sloppy(answer, source), label, "implied", "implied")
                        )
    return pairs
