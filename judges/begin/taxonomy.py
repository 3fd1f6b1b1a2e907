"""The taxonomy of grounded responses, five-way and collapsed to NLI's three."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Label(StrEnum):
    ENTAILMENT = "entailment"
    HALLUCINATION = "hallucination"
    OFF_TOPIC = "off-topic"
    GENERIC = "generic"
    CONTRADICTION = "contradiction"


FIVE = tuple(Label)
THREE = ("entailment", "neutral", "contradiction")
RELEASE_2 = ("Fully attributable", "Not fully attributable", "Generic")


def collapsed(label: str) -> str:
    """Hallucination, off-topic and generic are all neutral to NLI."""
    return label if label in THREE else "neutral"


def collapsed_classes(classes: Mapping[str, float]) -> dict[str, float]:
    """Probabilities of five classes as probabilities of three."""
    found = dict.fromkeys(THREE, 0.0)
    for label, probability in classes.items():
        found[collapsed(label)] += probability
    return found
