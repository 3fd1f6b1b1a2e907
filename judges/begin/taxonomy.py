"""The taxonomy of grounded responses: five classes, which can be reduced to the three classes of NLI."""

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


def collapsed(label: str) -> str:
    """Map hallucination, off-topic and generic to neutral."""
    return label if label in THREE else "neutral"


def collapsed_classes(classes: Mapping[str, float]) -> dict[str, float]:
    """Convert the probabilities of the five classes into probabilities of the three NLI classes."""
    classes_of_three = dict.fromkeys(THREE, 0.0)
    for label, probability in classes.items():
        classes_of_three[collapsed(label)] += probability
    return classes_of_three
