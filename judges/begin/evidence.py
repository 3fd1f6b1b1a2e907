"""What rules and NLI see of a response beside its knowledge."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judges import words
from judges.q2.text import sentences, untokenised

_WORD = re.compile(r"[a-z0-9]+")
LONGEST = 60  # words of one premise; longer knowledge is read in pieces


@dataclass(frozen=True, slots=True)
class Overlap:
    share: float
    """Of all words of the response, how many the knowledge has."""
    content: float
    """The same of the words that carry content, by stem."""
    new: int
    """How many such words are new."""
    said: int
    """How many different words of content there are at all."""
    topical: float
    """Share of those that the knowledge or the previous turn has."""


def overlap(response: str, knowledge: str, previous: str = "") -> Overlap:
    known = {words.stem(word) for word in _WORD.findall(knowledge.lower())}
    before = known | {words.stem(word) for word in _WORD.findall(previous.lower())}
    said = [words.stem(word) for word in _WORD.findall(untokenised(response).lower().replace("'", " "))]
    if not said:
        return Overlap(0.0, 0.0, 0, 0, 0.0)
    content = [word for word in said if word not in words.STOP]
    distinct = set(content)
    return Overlap(
        share=sum(word in known for word in said) / len(said),
        content=sum(word in known for word in content) / len(content) if content else 0.0,
        new=len(distinct - known),
        said=len(distinct),
        topical=len(distinct & before) / len(distinct) if distinct else 0.0,
    )


def retold(response: str, knowledge: str) -> bool:
    """Whether the response says nothing but words of the knowledge in the knowledge's order."""
    said, known = (
        [words.stem(w) for w in _WORD.findall(text.lower()) if w not in words.STOP]
        for text in (response, knowledge)
    )
    return common(said, known) == len(said)


def common(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence: the same words in the same order."""
    best = [0] * (len(second) + 1)
    for word in first:
        diagonal = 0
        for place, other in enumerate(second):
            above = best[place + 1]
            best[place + 1] = diagonal + 1 if word == other else max(above, best[place])
            diagonal = above
    return best[-1]


def pieces(knowledge: str) -> list[str]:
    """Knowledge as premises of readable length, whole sentences where possible."""
    found: list[str] = []
    for sentence in sentences(untokenised(knowledge)):
        split = sentence.split()
        for start in range(0, len(split), LONGEST):
            part = split[start : start + LONGEST]
            if found and len(found[-1].split()) + len(part) <= LONGEST // 2:
                found[-1] += " " + " ".join(part)
            else:
                found.append(" ".join(part))
    return found or [knowledge]


@dataclass(frozen=True, slots=True)
class Support:
    """The most that any piece of the knowledge entails or contradicts the response."""

    entailment: float
    contradiction: float


def support(rows: Sequence[Sequence[float]]) -> Support:
    """From the NLI rows of all pieces; contradiction counts where the knowledge comes closest."""
    nearest = max(rows, key=lambda row: row[0] + row[2])
    return Support(max(float(row[0]) for row in rows), float(nearest[2]))
