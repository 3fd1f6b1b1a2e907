"""Merges a tagger's spans with the grammar's spans."""

from __future__ import annotations

from collections.abc import Iterable

from arena.core.types import Entity
from inquirer.entities import rules
from inquirer.language import words as w
from inquirer.language.sentences import statements
from inquirer.language.tokens import LONGEST_TEXT, LONGEST_WORD

NAMED = {
    "PERSON", "NORP", "FAC", "ORG", "GPE", "LOC", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE", "DATE",
    "TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL",
}  # fmt: skip


def safe(text: str) -> str:
    """Replaces unprintable characters and overlong words by blanks for the tagger. Positions stay the same."""
    text = "".join(c if c.isprintable() else " " for c in text[:LONGEST_TEXT])
    words = text.split(" ")
    return " ".join(word if len(word) <= LONGEST_WORD else " " * len(word) for word in words)


def merged(text: str, spans: Iterable[tuple[int, int, str]]) -> list[Entity]:
    """Returns the grammar's entities with the tagger's types, and the spans that only the tagger found."""
    by_place = {(e.start, e.end): e for e in rules.entities(text)}
    bounds = [(s.start, s.end) for s in statements(text)]
    clauses = sorted({(e.clause_start, e.clause_end) for e in by_place.values()}, key=lambda b: b[1] - b[0])
    for first, last, kind in spans:
        start, end = _trimmed(text, first, last)
        inside = [b for b in bounds if b[0] <= start and end <= b[1]]
        if end <= start or not inside or text[start:end].lower() in w.PERSONS | w.EMPTY_HEADS:
            continue
        place = (start, end)
        known = by_place.get(place)
        if known is not None:
            if kind in NAMED or known.type == "NP":
                by_place[place] = Entity(known.text, kind, start, end, known.clause_start, known.clause_end)
            continue
        around = next((c for c in clauses if c[0] <= start and end <= c[1]), inside[0])
        by_place[place] = Entity(text[start:end], kind, start, end, *around)
    return sorted(by_place.values(), key=lambda e: (e.start, e.end))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without quotation and punctuation marks around it."""
    while start < end and not text[start].isalnum() and text[start] not in "$€£#@":
        start += 1
    while end > start and not text[end - 1].isalnum() and text[end - 1] not in "%.":
        end -= 1
    return start, end
