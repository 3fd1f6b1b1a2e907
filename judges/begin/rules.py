"""A classifier without training: a hand-made combination of word overlap, NLI and genericness.

Its weights are round numbers, chosen so that each class has the highest probability where its definition applies.
"""

from __future__ import annotations

import math
import re

from judges.begin.evidence import Overlap, Support
from judges.begin.taxonomy import Label

_PERSONAL = re.compile(r"\b(?:i|i'm|i've|my|me|mine|we|our)\b", re.IGNORECASE)
_EMPTY = re.compile(
    r"\b(?:(?:don'?t|do not|not) (?:know|sure)|no idea|that'?s|that is|sounds?|cool|great|nice|interesting|"
    r"wow|true|agree|thanks?|lol|haha|tell me|what about|how about|yes|yeah|sure)\b",
    re.IGNORECASE,
)


def attributable(seen: Overlap, support: Support | None) -> float:
    """How well the knowledge supports the response, in [0, 1]; only the order is meaningful."""
    lexical = (seen.share + seen.content) / 2 - 0.05 * min(seen.new, 6)
    value = lexical if support is None else 0.8 * lexical + 0.2 * support.entailment
    return min(1.0, max(0.0, value))


def generic(response: str, seen: Overlap) -> float:
    """How well the response would fit into any dialogue: high if it has few content words or is a stock phrase."""
    little = 1.0 / (1.0 + math.exp(1.5 * (seen.words - 2.5)))
    stock = min(1.0, 0.3 * len(_EMPTY.findall(response)))
    return min(1.0, little + 0.5 * stock * (1.0 - seen.content))


def classes(response: str, seen: Overlap, support: Support | None) -> dict[str, float]:
    """Probabilities of the five classes: entailment comes first, and the other four classes share the rest."""
    empty = generic(response, seen)
    entailed = 1.0 / (1.0 + math.exp(-14.0 * (attributable(seen, support) - 0.75)))
    if seen.words == 0:
        entailed *= 0.1
    left = 1.0 - entailed
    shares = {Label.ENTAILMENT: entailed}
    personal = bool(_PERSONAL.search(response))
    parts = {
        Label.GENERIC: empty,
        Label.OFF_TOPIC: (1.0 - empty) * (1.0 - seen.topical) ** 2 * (0.5 if personal else 1.0),
        Label.CONTRADICTION: 0.0 if support is None else (1.0 - empty) * support.contradiction * seen.content,
        Label.HALLUCINATION: (1.0 - empty) * (0.5 + (0.3 if personal else 0.0)),
    }
    whole = sum(parts.values()) or 1.0
    shares |= {label: left * part / whole for label, part in parts.items()}
    return {str(label): shares[label] for label in Label}
