"""Facts with questions and answers that do not repeat their words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from arena.training.judges.drills.base import Case, kept, lines
from arena.training.judges.kinds import parts
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT


def _fits(question: str, answer: str) -> bool:
    """Whether the answer fits the question: "yes" or "no" fits only a yes/no question."""
    asks = re.match(r"(?i)(do|does|did|are|is|was|were|can|have|has|should|would|will)\b", question)
    return bool(asks) or not re.match(r"(?i)(yes|no|nope|yep|sure|of course|absolutely|not at all)\b", answer)


def life(source: random.Random, held: bool) -> Iterator[Case]:
    """Facts with questions and answers that do not repeat their words."""
    pick = source
    blocks: list[tuple[str, list[tuple[str, str, str]]]] = []
    for line in lines("life"):
        if line[0] not in "?+-":
            blocks.append((line, []))
        elif line[0] == "?":
            blocks[-1][1].append((line[1:], "", ""))
        else:
            asked, agreeing, denying = blocks[-1][1].pop()
            filled = (asked, line[1:], denying) if line[0] == "+" else (asked, agreeing, line[1:])
            blocks[-1][1].append(filled)
    chosen = kept(blocks, held)
    while True:
        stated, groups = pick.choice(chosen)
        asked, agreeing, denying = pick.choice(groups)
        statement, question = pick.choice(parts(stated)), pick.choice(parts(asked))
        for answers, label in ((agreeing, ENTAILMENT), (denying, CONTRADICTION)):
            fitting = [answer for answer in parts(answers) if _fits(question, answer)]
            yield statement, question, pick.choice(fitting), label
