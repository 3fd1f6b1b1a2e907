"""Recognises speakers that say they are a machine."""

from __future__ import annotations

import re

_CLAIMS = re.compile(
    r"\bas an? (?:ai|artificial|computer|virtual|digital|chat ?bot|machine|language model)\b|language model|"
    r"artificial intelligence|don't have personal|do not have personal|not able to (?:have|feel)|"
    r"\bi(?:'m| am) (?:just |only |simply )?an? (?:(?:ai|computer|chat ?bot)\b|"
    r"(?:virtual|digital|chat) (?:assistant|entity|being|program|agent)\b)",
    re.IGNORECASE,
)
_OFFERS = re.compile(
    r"\bhow (?:can|may) i (?:help|assist)|\bassist you\b|help you with|"
    r"\b(?:can't|cannot|unable to) (?:assist|help) (?:you )?with",
    re.IGNORECASE,
)


def claims(text: str) -> bool:
    """Whether the speaker says that it is a machine, or has nothing that a person has."""
    return _CLAIMS.search(text) is not None


def sounds(text: str) -> bool:
    """Whether the speaker claims to be a machine, or offers help as assistants do."""
    return claims(text) or _OFFERS.search(text) is not None
