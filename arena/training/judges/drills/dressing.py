"""Makes answers ramble, and writes replies that do not answer."""

from __future__ import annotations

import random
import re

from arena.training.judges.drills.base import lines
from arena.training.judges.kinds import listed, parts


class Dressing:
    """Adds chat around answers, and writes replies that do not answer."""

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.before, self.after, self.empty = (parts(line) for line in lines("chatter"))
        evasive = [text for line in lines("refusals") for text in parts(line)]
        self.plain = [text for text in evasive if "{t}" not in text] + listed("evasions")
        self.topics = frozenset(name for line in lines("topics") for name in line.split())
        self.on_topic = [text for text in evasive if "{t}" in text]

    def rambling(self, answer: str) -> str:
        pick = self.source
        parts = [answer if answer[-1] in ".!?" else f"{answer}."]
        if pick.random() < 0.7:
            parts.insert(0, pick.choice(self.before))
        if pick.random() < 0.7 or len(parts) == 1:
            parts += pick.sample(self.after, pick.choice([1, 1, 2]))
        return " ".join(parts)

    def evasive(self, question: str) -> str:
        pick = self.source
        topics = [name for name in re.findall(r"[a-z]+", question.lower()) if name in self.topics]
        draw = pick.random()
        if draw < 0.4 and topics:
            text = pick.choice(self.on_topic).replace("{t}", pick.choice(topics))
            return text[:1].upper() + text[1:]
        if draw < 0.55:
            return " ".join(pick.sample(self.before + self.empty, 2))
        return pick.choice(self.plain)
