"""For rules that ask several things: which of their questions ask for a fact with one right answer.

One value: name, age, home, job, number, a favourite, what somebody's thing is. Several: what one likes, does or has.
"""

from __future__ import annotations

import re

ONE = re.compile(
    r"How (old|tall|much|many|long)\b|Where (is|are|were|was)\b|.*\b(name|favorite|gender|nationality|religion|"
    r"relationship status|major|employment status)\b|What do (you|I) do for a living|What (color|year|grade|team)\b"
)
SETTLED = re.compile(r"\b(live|work|study|born|grow|grew|raised|from|job|school|college|graduate)\b")


def of_oneself(question: str) -> bool | None:
    """Name, age, job, home: one; what one is a fan of or good at: several."""
    if ONE.match(question) or "for a living" in question:
        return True
    return False if re.match(r"(What|Who) (are|am) (you|I) |How would", question) else None


def of_attribute(question: str) -> bool | None:
    """What your dog's name is: one; what your hobby is: several."""
    if re.search(r"\b(hobb(y|ies)|interests?|passions?|hobbies|things?|goals?|dreams?)\b", question):
        return False
    return None if question.startswith("How ") and "old" not in question else True


def of_favorite(question: str) -> bool | None:
    return "favorite" in question


def of_wish(question: str) -> bool | None:
    return "for a living" in question


def of_whereabouts(question: str) -> bool | None:
    """Where one lives, works or went that once: one place; where one likes to go: several."""
    if question.startswith("What are you into"):
        return False
    if not question.startswith(("Where", "What kind of school")):
        return None
    settled = SETTLED.search(question) is not None
    return settled or question.startswith(("Where did", "Where are", "Where is", "Where were"))


def of_what_is_owned(question: str) -> bool | None:
    if question.startswith(("What color", "Where did", "What is", "What was")):
        return True
    return None if re.match(r"What kind of (car|job|house|apartment)\b", question) else False


def of_company_kept(question: str) -> bool | None:
    """Whom one works for: one; what one listens to: several."""
    return question.endswith("work for?") or question.startswith(("Where", "When"))
