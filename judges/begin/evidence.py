"""Measures a response against its knowledge, by words and by NLI."""

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
    """The share of the response's words that occur in the knowledge."""
    content: float
    """The share of the response's content words that occur in the knowledge, compared by stem."""
    new: int
    """The number of different content words that do not occur in the knowledge."""
    words: int
    """The number of different content words of the response."""
    topical: float
    """The share of the different content words that occur in the knowledge or in the previous turn."""


def overlap(response: str, knowledge: str, previous: str = "") -> Overlap:
    known = {words.stem(word) for word in _WORD.findall(knowledge.lower())}
    before = known | {words.stem(word) for word in _WORD.findall(previous.lower())}
    response_stems = [
        words.stem(word) for word in _WORD.findall(untokenised(response).lower().replace("'", " "))
    ]
    if not response_stems:
        return Overlap(0.0, 0.0, 0, 0, 0.0)
    content = [word for word in response_stems if word not in words.STOP]
    distinct = set(content)
    return Overlap(
        share=sum(word in known for word in response_stems) / len(response_stems),
        content=sum(word in known for word in content) / len(content) if content else 0.0,
        new=len(distinct - known),
        words=len(distinct),
        topical=len(distinct & before) / len(distinct) if distinct else 0.0,
    )


def retold(response: str, knowledge: str) -> bool:
    """Whether all content words of the response occur in the knowledge in the same order, not necessarily adjacent."""
    response_words, known = (
        [words.stem(w) for w in _WORD.findall(text.lower()) if w not in words.STOP]
        for text in (response, knowledge)
    )
    return common(response_words, known) == len(response_words)


def common(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two lists of words."""
    best = [0] * (len(second) + 1)
    for word in first:
        diagonal = 0
        for column, other in enumerate(second):
            above = best[column + 1]
            best[column + 1] = diagonal + 1 if word == other else max(above, best[column])
            diagonal = above
    return best[-1]


def pieces(knowledge: str) -> list[str]:
    """Split the knowledge into premises of limited length, at the ends of sentences if possible."""
    statements: list[str] = []
    for sentence in sentences(untokenised(knowledge)):
        split = sentence.split()
        for start in range(0, len(split), LONGEST):
            part = split[start : start + LONGEST]
            if statements and len(statements[-1].split()) + len(part) <= LONGEST // 2:
                statements[-1] += " " + " ".join(part)
            else:
                statements.append(" ".join(part))
    return statements or [knowledge]


@dataclass(frozen=True, slots=True)
class Support:
    """How strongly the knowledge entails the response, and how strongly it contradicts the response."""

    entailment: float
    contradiction: float


def support(rows: Sequence[Sequence[float]]) -> Support:
    """Combine the NLI probabilities of all pieces of the knowledge.

    Entailment is the highest of all pieces. Contradiction is that of the piece with the least neutral probability.
    """
    nearest = max(rows, key=lambda row: row[0] + row[2])
    return Support(max(float(row[0]) for row in rows), float(nearest[2]))
