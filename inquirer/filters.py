"""Filters for questions that should not be asked."""

from __future__ import annotations

import re
from collections import Counter

from arena.core.types import Kind, Question

WORDS = re.compile(r"[^\W_]+")
STOP = {"a", "an", "the", "my", "your", "i", "you", "of", "to", "in", "and", "is", "are"}
AGREEMENT = 0.5  # lowest token F1 at which the reader's answer counts as the entity


def well_formed(question: Question) -> str | None:
    """Returns why the question's wording is unsuitable, or None if it is suitable."""
    text = question.text.strip()
    words = WORDS.findall(text.lower())
    asked = text.endswith("?") and text.count("?") == 1 and text.isprintable()
    if not asked or not 8 <= len(text) <= 200 or len(words) < 2:
        return "malformed"
    if question.kind in (Kind.WH, Kind.ASK_TWICE, Kind.PARAPHRASE, Kind.ABOUT_PARTNER):
        answer = [w for w in WORDS.findall(question.entity.text.lower()) if w not in STOP]
        if answer and not set(answer) - set(words):
            return "gives_itself_away"
    return None


def overlap(a: str, b: str) -> float:
    """Returns the token F1 score, ignoring articles."""
    left = Counter(w for w in WORDS.findall(a.lower()) if w not in STOP)
    right = Counter(w for w in WORDS.findall(b.lower()) if w not in STOP)
    common = sum((left & right).values())
    return 2 * common / (sum(left.values()) + sum(right.values())) if common else 0.0
