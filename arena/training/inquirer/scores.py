"""Counts correct, predicted and expected spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Span = tuple[int, int, str]


def spans(tags: Sequence[str]) -> set[Span]:
    """Return the spans (start, end, type) that BIO tags mark."""
    result: set[Span] = set()
    start, kind = 0, ""
    for i, tag in enumerate([*tags, "O"]):
        inside = tag[:1] == "I" and tag[2:] == kind
        if kind and not inside:
            result.add((start, i, kind))
            kind = ""
        if tag != "O" and not inside:
            start, kind = i, tag[2:]
    return result


@dataclass
class Tally:
    """Counts of correct, predicted and expected spans by type."""

    right: Counter[str] = field(default_factory=Counter)
    given: Counter[str] = field(default_factory=Counter)
    wanted: Counter[str] = field(default_factory=Counter)

    def add(self, wanted: Iterable[Span], given: Iterable[Span]) -> None:
        wanted, given = set(wanted), set(given)
        for counter, spans in ((self.right, wanted & given), (self.given, given), (self.wanted, wanted)):
            for span in spans:
                counter[span[2]] += 1
                counter["all"] += 1

    def table(self) -> dict[str, dict[str, float]]:
        rows = {}
        for kind in sorted(self.wanted):
            precision = self.right[kind] / self.given[kind] if self.given[kind] else 0.0
            recall = self.right[kind] / self.wanted[kind]
            f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
            rows[kind] = {
                "precision": round(precision, 3), "recall": round(recall, 3), "f1": round(f1, 3),
                "wanted": self.wanted[kind],
            }  # fmt: skip
        return rows
