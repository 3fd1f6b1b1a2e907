"""Clauses of written, third-person English: subject, verbs, rest; on the inquirer's word lists and tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from inquirer.language.tagger import tag
from inquirer.language.tokens import Token, tokens


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


BE = _set("be is are was were am 's 're 'm been being")
HAVE = _set("have has had 've")
DO = _set("do does did")
MODAL = _set("can could will would should might may must shall 'll cannot")
FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "CD"})
SPLITS = _set("but because although though while whereas since when if so unless")
RELATIVE = _set("who which that")
NEGATION = frozenset({"not", "n't", "never"})
SAYING = _set("know think believe guess hear heard read say said bet feel suppose")
_STOPS = frozenset(".!?;…")


@dataclass(frozen=True, slots=True)
class Clause:
    """`words[:verb]` is the subject, `words[verb:rest]` the verbs."""

    words: tuple[Token, ...]
    tags: tuple[str, ...]
    verb: int
    rest: int

    @property
    def auxiliary(self) -> bool:
        """Whether the first verb can come before the subject."""
        first = self.words[self.verb].lower
        return first in BE or first in MODAL or (first in HAVE | DO and self.rest > self.verb + 1)


def sentences(text: str) -> list[list[Token]]:
    """Tokens up to each stop; quotation marks and brackets left out."""
    found: list[list[Token]] = [[]]
    for token in tokens(text):
        if token.text in _STOPS or token.text.startswith(".."):
            found.append([])
        elif token.text not in '"“”()[]*' and not re.fullmatch(r"['‘’`]+", token.text):
            found[-1].append(token)
    return [words for words in found if words]


def tagged(words: Sequence[Token]) -> list[str]:
    """The inquirer's tags; a past tense behind another finite verb of its clause is a participle (`a band formed
    in 1965`), and an -ing form where a noun would stand is one."""
    tags = tag(words)
    finite = False
    for place, word in enumerate(words):
        before = tags[place - 1] if place else "^"
        if word.lower in SPLITS | RELATIVE or tags[place] in {",", "CC", ":"}:
            finite = False
        elif tags[place] == "VBD" and finite and before in NOUNS:
            tags[place] = "VBN"
        elif tags[place] == "VBG" and before in {"^", "IN", "DT", ",", "JJ", "PRP$", "NN", "CC"}:
            tags[place] = "NN"
        finite = finite or tags[place] in FINITE
    return tags


def clauses(words: Sequence[Token], tags: Sequence[str]) -> list[Clause]:
    """The clauses of a sentence that have a subject and a finite verb."""
    found: list[Clause] = []
    bounds = _bounds(words, tags)
    subject: list[int] = []
    for start, end in bounds:
        places = list(range(start, end))
        verb = next((at for at in places if tags[at] in FINITE), None)
        if verb is None:
            continue
        own = [at for at in places if at < verb]
        while own and (tags[own[0]] in {"RB", "CC", ",", "UH"} or words[own[0]].lower in SPLITS):
            own = own[1:]
        if own and words[own[0]].lower in RELATIVE:
            said = words[start - 1].lower in SAYING if start else False
            own = own[1:] if said or len(own) > 1 else _antecedent(tags, start)
        elif not own:
            own = subject
        if not own:
            continue
        subject = own
        order = [*own, *range(verb, end)]
        at = rest = len(own)
        while rest < len(order) and _verbal(words, tags, order[rest]):
            rest += 1
        found.append(
            Clause(tuple(words[i] for i in order), tuple(tags[i] for i in order), at, max(rest, at + 1))
        )
        found += _reduced(words, tags, range(verb, end))
    return found


def _reduced(words: Sequence[Token], tags: Sequence[str], places: range) -> list[Clause]:
    """`a band formed in 1965`: the band was formed in 1965."""
    found = []
    for place in places[1:]:
        if tags[place] != "VBN" or tags[place - 1] not in NOUNS:
            continue
        subject = _antecedent(tags, place)
        was = Token("were" if tags[place - 1] == "NNS" else "was", "was", -1, -1)
        head = [words[i] for i in subject]
        if head and tags[subject[0]] != "DT":
            head, subject = [Token("the", "the", -1, -1), *head], [subject[0], *subject]
        elif head and head[0].lower in {"a", "an"}:
            head[0] = Token("the", "the", -1, -1)
        rest = [words[i] for i in range(place, places.stop)]
        kinds = [*(tags[i] for i in subject), "VBD", *(tags[i] for i in range(place, places.stop))]
        found.append(Clause((*head, was, *rest), tuple(kinds), len(head), len(head) + 2))
    return found


def _verbal(words: Sequence[Token], tags: Sequence[str], place: int) -> bool:
    return tags[place] in FINITE | {"VBN", "VBG", "VB", "RB"} or words[place].lower in NEGATION | BE


def _bounds(words: Sequence[Token], tags: Sequence[str]) -> list[tuple[int, int]]:
    cuts = [0]
    for place in range(1, len(words)):
        low = words[place].lower
        relative = low in RELATIVE and _finite_soon(tags, place + 1)
        stated = _said(words, tags, place - 1) and _new_clause(words, tags, place)
        if low in SPLITS or relative or stated:
            cuts.append(place)
        elif low in {",", "and", "or", "-", ":"} and _new_clause(words, tags, place + 1):
            cuts.append(place + 1)
    ends = [cut - (words[cut - 1].lower in {",", "and", "or", "-", ":"}) for cut in cuts[1:]] + [len(words)]
    return [(start, end) for start, end in zip(cuts, ends, strict=True) if end > start]


def _said(words: Sequence[Token], tags: Sequence[str], place: int) -> bool:
    return words[place].lower in SAYING and tags[place][0] == "V"


def _finite_soon(tags: Sequence[str], place: int) -> bool:
    return any(t in FINITE for t in tags[place : place + 6])


def _new_clause(words: Sequence[Token], tags: Sequence[str], place: int) -> bool:
    """A verb at once, or a short subject and then one."""
    if place >= len(words):
        return False
    first = place + 1 if tags[place] == "RB" and place + 1 < len(words) else place
    if tags[first] in FINITE:
        return True
    for at in range(place, min(place + 6, len(words))):
        if tags[at] in FINITE:
            return at > place
        if tags[at] not in {"DT", "PRP", "PRP$", "NN", "NNS", "NNP", "JJ", "RB", "EX"}:
            return False
    return False


def _antecedent(tags: Sequence[str], place: int) -> list[int]:
    """The noun phrase that ends before a relative pronoun."""
    end = place
    while end and tags[end - 1] == ",":
        end -= 1
    start = end
    while start and tags[start - 1] in NOUNS | {"DT", "JJ", "PRP$", "POS", "JJS", "JJR"}:
        start -= 1
    return list(range(start, end))


def noun_phrases(words: Sequence[Token], tags: Sequence[str]) -> list[tuple[int, int]]:
    """Maximal noun phrases, determiners left out."""
    found = []
    place = 0
    inside = NOUNS | {"JJ", "JJS", "JJR", "RBS", "POS"}
    while place < len(words):
        if tags[place] not in inside or (tags[place] == "POS"):
            place += 1
            continue
        end = place
        while end < len(words) and (tags[end] in inside or _joins(words, tags, end)):
            end += 1
        last = end
        while last > place and tags[last - 1] not in NOUNS:
            last -= 1
        if last > place:
            found.append((place, last))
        elif words[end - 1].lower not in {"sure", "more", "most"} and place and tags[place - 1][0] == "V":
            found.append((place, end))  # a predicate adjective
        place = max(end, place + 1)
    return found


def _joins(words: Sequence[Token], tags: Sequence[str], place: int) -> bool:
    """`june of 2007`, `2 - 3`: one expression."""
    around = (tags[place - 1 : place], tags[place + 1 : place + 2])
    numbers = around == (["CD"], ["CD"])
    return numbers and words[place].lower in {"-", "–", "to"}
