"""Extracts entities with word lists and a small grammar: numbers, names, noun phrases, predicates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from arena.core.types import Entity
from inquirer.base import Part, refuse_settings
from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.clauses import clauses
from inquirer.language.phrases import noun_phrase, trimmed
from inquirer.language.sentences import Sentence, statements
from inquirer.language.tagger import tag
from inquirer.language.text import Text
from inquirer.language.tokens import Token

REVISION = "rules-9"
DATES = w.TIME_UNITS | w.MONTHS | w.DAYS | w.TIMES
YEAR = re.compile("(?:18|19|20)[0-9]{2}")
Span = tuple[int, int, str]  # first word, end, and type


class Rules:
    """The extractor that needs no model."""

    revision = REVISION

    async def extract(self, utterances: Sequence[str]) -> list[list[Entity]]:
        return [entities(text) for text in utterances]


def _rules(settings: Mapping[str, Any]) -> Rules:
    refuse_settings("The entity extractor 'rules'", settings)
    return Rules()


create = Part(_rules, "the grammar alone; nothing to install")


def entities(text: str) -> list[Entity]:
    """Returns everything in the text's statements that a question could be about."""
    spans: dict[tuple[int, int], Entity] = {}
    for sentence in statements(text):
        read, s = clauses(sentence.words), Text(sentence.words, tuple(tag(sentence.words)))
        for cause, effect in pairwise(read):
            if effect.joiner == "so":
                start = cause.subject[0] if cause.subject[1] > cause.subject[0] else cause.verb
                end = cause.end - (cause.words[cause.end - 1].text == ",")
                _add(spans, text, cause.words, (start, end, "REASON"), _bounds(cause))
        for clause in read:
            for span in _of_clause(clause):
                _add(spans, text, clause.words, span, _bounds(clause))
        for span in (*_names(s), *_outside(s, read)):
            _add(spans, text, s.words, span, _around(sentence, read, span[0]))
    return sorted(spans.values(), key=lambda e: (e.start, e.end))


def _add(
    spans: dict[tuple[int, int], Entity],
    text: str,
    words: Sequence[Token],
    span: Span,
    bounds: tuple[int, int],
) -> None:
    start, end, name = span
    if not any(word.text[0].isalnum() for word in words[start:end]):
        return
    first, last = words[start].start, words[end - 1].end
    lone = end == start + 1 and words[start].lower in w.PERSONS | w.EMPTY_HEADS
    named = words[start].lower == "us" and start > 0 and words[start - 1].lower == "the"
    counting = words[start].lower == "one" and end < len(words) and words[end].text.isalpha()
    if not lone or named or (counting and name == "CARDINAL"):
        spans.setdefault((first, last), Entity(text[first:last], name, first, last, *bounds))


def _bounds(clause: Clause) -> tuple[int, int]:
    return clause.words[0].start, clause.words[-1].end


def _around(sentence: Sentence, read: Sequence[Clause], start: int) -> tuple[int, int]:
    place = sentence.words[start].start
    for clause in read:
        low, high = _bounds(clause)
        if low <= place < high:
            return low, high
    return sentence.start, sentence.end


def _of_clause(clause: Clause) -> Iterator[Span]:
    words = clause.words
    start, end = clause.subject
    if end > start:
        yield trimmed(words, start, end), end, kind_of(words[start:end])
    if clause.joiner in w.REASONS | {"so", "as"} and clause.start + 1 < clause.end:
        yield clause.start + 1, clause.end, "REASON"
    if clause.chain[1] > clause.chain[0]:
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
    elif phrase.kind == "sub" or (
        phrase.kind == "adv" and words[phrase.start].lower in w.TIMES | {"daily", "weekly"}
    ):
        yield phrase.start, phrase.end, "DATE"


def _reach(clause: Clause, end: int) -> int:
    """Returns the end of the verb's complements, counting at most two phrases."""
    kinds = {"np", "pp", "adv", "adj", "ing", "ger", "bare"}
    timely = w.TIME_UNITS | w.TIMES | {"ago", "too", "also", "though", "so"}
    ends = [p.end for p in clause.phrases if p.kind in kinds and clause.words[p.end - 1].lower not in timely]
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
