"""Extracts entities with word lists and a small grammar, and merges them with the spans of a tagger."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from arena.core.types import Entity
from inquirer.base import Part, complete
from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase, Text
from inquirer.language.clauses import clauses
from inquirer.language.phrases import noun_phrase, trimmed
from inquirer.language.sentences import Sentence, statements
from inquirer.language.tagger import tag
from inquirer.language.tokens import LONGEST_TEXT, LONGEST_WORD, Token

REVISION = "rules-9"
DATES = w.TIME_UNITS | w.MONTHS | w.DAYS | w.TIMES
OFTEN = w.TIMES | {"daily", "weekly"}
YEAR = re.compile("(?:18|19|20)[0-9]{2}")
Span = tuple[int, int, str]  # first word, end, and type


class Rules:
    """The extractor that needs no model."""

    revision = REVISION

    async def extract(self, utterances: Sequence[str]) -> list[list[Entity]]:
        return [entities(text) for text in utterances]


def _rules(settings: Mapping[str, Any]) -> Rules:
    complete("entity extractor 'rules'", settings)
    return Rules()


create = Part(_rules, "the grammar alone; nothing to install")


def entities(text: str) -> list[Entity]:
    """Returns everything in the text's statements that a question could be about."""
    found: dict[tuple[int, int], Entity] = {}
    for sentence in statements(text):
        for words, (start, end, name) in _spans(sentence):
            place = words[start].start, words[end - 1].end
            lone = end == start + 1 and words[start].lower in w.PERSONS | w.EMPTY_HEADS
            named = words[start].lower == "us" and start > 0 and words[start - 1].lower == "the"
            counting = words[start].lower == "one" and end < len(words) and words[end].text.isalpha()
            has_word = any(word.text[0].isalnum() for word in words[start:end])
            if has_word and (not lone or named or (counting and name == "CARDINAL")):
                entity = Entity(text[slice(*place)], name, *place, sentence.start, sentence.end)
                found.setdefault(place, entity)
    return sorted(found.values(), key=lambda e: (e.start, e.end))


def _spans(sentence: Sentence) -> Iterator[tuple[Sequence[Token], Span]]:
    """Finds spans in the sentence's words, which may have a subject that was left out."""
    read, s = clauses(sentence.words), Text(sentence.words, tuple(tag(sentence.words)))
    for cause, effect in pairwise(read):
        if effect.joiner == "so":
            start = cause.subject[0] if cause.subject[1] > cause.subject[0] else cause.verb
            end = cause.end - (cause.words[cause.end - 1].text == ",")
            yield cause.words, (start, end, "REASON")
    for clause in read:
        yield from ((clause.words, span) for span in _of_clause(clause))
    yield from ((s.words, span) for span in (*_names(s), *_outside(s, read)))


def _of_clause(clause: Clause) -> Iterator[Span]:
    words = clause.words
    start, end = clause.subject
    if end > start:
        yield trimmed(words, start, end), end, kind_of(words[start:end])
    if clause.joiner in w.REASONS | {"so", "as"} and clause.start + 1 < clause.end:
        yield clause.start + 1, clause.end, "REASON"
    if clause.chained:
        inner = clause.chain[0] + {"to": 1, "how": 2}.get(words[clause.chain[0]].lower, 0)
        yield inner, _reach(clause, clause.chain[1]), "ACTIVITY"
    elif not clause.copular:
        yield clause.verb, _reach(clause, clause.verb + 1), "ACTIVITY"
    for phrase in clause.phrases:
        yield from _of_phrase(clause, phrase)


def _of_phrase(clause: Clause, phrase: Phrase) -> Iterator[Span]:
    words = clause.words
    if phrase.kind in {"np", "pp"}:
        body = trimmed(words, phrase.body, phrase.end)
        yield body, phrase.end, kind_of(words[body : phrase.end])
        yield from _halves(clause, body, phrase.end)
    elif phrase.kind == "adj" and words[phrase.start].lower not in {"named", "called"}:
        yield phrase.start, phrase.end, "STATE"
    elif phrase.kind in {"ger", "bare", "inf", "ing"}:
        yield phrase.body, phrase.end, "ACTIVITY"
    elif phrase.kind == "sub" or (phrase.kind == "adv" and words[phrase.start].lower in OFTEN):
        yield phrase.start, phrase.end, "DATE"


def _reach(clause: Clause, end: int) -> int:
    """Returns the end of the verb's complements, counting at most two phrases."""
    kinds = {"np", "pp", "adv", "adj", "ing", "ger", "bare"}
    timely = w.TIME_UNITS | w.TIMES | {"ago", "too", "also", "though", "so"}
    ends = [p.end for p in clause.phrases if p.kind in kinds and clause.low(p.end - 1) not in timely]
    return max([end, *ends[:2]])


def _halves(clause: Clause, start: int, end: int) -> Iterator[Span]:
    """Splits a phrase at `and`, `of` and the like, because each part may be the relevant name."""
    words = clause.words
    first = start
    for i in range(start, end + 1):
        if i == end or words[i].lower in {"and", "or", ",", "of", "for"}:
            if i > first and (first > start or i < end):
                body = trimmed(words, first, i)
                yield body, i, kind_of(words[body:i])
            first = i + 1


def _names(s: Text) -> Iterator[Span]:
    """Finds runs of numbers and of proper nouns. The released AIH code also adds such runs to the named entities."""
    for wanted in ({"CD"}, {"NNP", "NNPS"}):
        i = 0
        while i < len(s):
            end = s.after(i, wanted)
            if end > i:
                yield i, end, "CARDINAL" if "CD" in wanted else kind_of(s.words[i:end])
            i = max(end, i + 1)


def _outside(s: Text, read: Sequence[Clause]) -> Iterator[Span]:
    """Finds noun phrases outside clauses, for example short answers or the ends of tangled sentences."""
    inside = {i for c in read for p in c.phrases if p.kind != "rest" for i in range(p.start, p.end)}
    inside |= {i for c in read for i in range(*c.subject)}
    i = 0
    while i < len(s):
        end = noun_phrase(s, i) if i not in inside else i
        if end > i:
            body = trimmed(s.words, i, end)
            yield body, end, kind_of(s.words[body:end])
        i = max(end, i + 1)


def kind_of(words: Sequence[Token]) -> str:
    """Returns the OntoNotes entity type if the word lists know the phrase, else `NP`."""
    low = [word.lower for word in words]
    last = low[-1]
    alone = len(low) == 1
    if last in DATES or (alone and YEAR.fullmatch(last)):
        return "DATE"
    if alone and last in w.COLORS:
        return "COLOR"
    if all(word in w.NUMBERS or word[0].isdigit() for word in low):
        return "CARDINAL"
    for known, name in ((w.CITIES, "GPE"), (w.JOBS, "JOB"), (w.PEOPLE, "PERSON"), (w.PETS, "PET")):
        if last in known:
            return name
    if words[0].text[0].isupper() and low[0] != "i":
        return "NAME"
    return "NP"


def safe(text: str) -> str:
    """Replaces unprintable characters and overlong words by blanks for the tagger. Positions stay the same."""
    text = "".join(c if c.isprintable() else " " for c in text[:LONGEST_TEXT])
    words = text.split(" ")
    return " ".join(word if len(word) <= LONGEST_WORD else " " * len(word) for word in words)


def merged(text: str, spans: Iterable[tuple[int, int, str]]) -> list[Entity]:
    """Returns the grammar's entities with the tagger's types, and the spans that only the tagger found."""
    by_place = {(e.start, e.end): e for e in entities(text)}
    bounds = [(s.start, s.end) for s in statements(text)]
    for first, last, kind in spans:
        start, end = _trimmed(text, first, last)
        inside = [b for b in bounds if b[0] <= start and end <= b[1]]
        if end <= start or not inside or text[start:end].lower() in w.PERSONS | w.EMPTY_HEADS:
            continue
        known = by_place.get((start, end))
        if known is None or known.type == "NP" or kind in w.ENTITY_TYPES:
            by_place[start, end] = Entity(text[start:end], kind, start, end, *inside[0])
    return sorted(by_place.values(), key=lambda e: (e.start, e.end))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without quotation and punctuation marks around it."""
    while start < end and not text[start].isalnum() and text[start] not in "$€£#@":
        start += 1
    while end > start and not text[end - 1].isalnum() and text[end - 1] not in "%.":
        end -= 1
    return start, end
