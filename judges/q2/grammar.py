"""Splits written, third-person English into clauses: subject, verbs and rest.

It uses the word lists and the tagger of the inquirer.
"""

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
    """A clause: `words[:verb]` is the subject, `words[verb:rest]` are the verbs."""

    words: tuple[Token, ...]
    tags: tuple[str, ...]
    verb: int
    rest: int

    @property
    def auxiliary(self) -> bool:
        """Whether the first verb is an auxiliary, which comes before the subject in a question."""
        first = self.words[self.verb].lower
        return first in BE or first in MODAL or (first in HAVE | DO and self.rest > self.verb + 1)


def sentences(text: str) -> list[list[Token]]:
    """Split a text into sentences, each a list of tokens without quotation marks and brackets."""
    sentences_of: list[list[Token]] = [[]]
    for token in tokens(text):
        if token.text in _STOPS or token.text.startswith(".."):
            sentences_of.append([])
        elif token.text not in '"“”()[]*' and not re.fullmatch(r"['‘’`]+", token.text):
            sentences_of[-1].append(token)
    return [words for words in sentences_of if words]


def tagged(words: Sequence[Token]) -> list[str]:
    """Return the inquirer's part-of-speech tags, with two corrections.

    A past tense after another finite verb of the same clause becomes a participle, for example in `a band formed in
    1965`. An -ing form in the position of a noun becomes a noun.
    """
    tags = tag(words)
    finite = False
    for index, word in enumerate(words):
        before = tags[index - 1] if index else "^"
        if word.lower in SPLITS | RELATIVE or tags[index] in {",", "CC", ":"}:
            finite = False
        elif tags[index] == "VBD" and finite and before in NOUNS:
            tags[index] = "VBN"
        elif tags[index] == "VBG" and before in {"^", "IN", "DT", ",", "JJ", "PRP$", "NN", "CC"}:
            tags[index] = "NN"
        finite = finite or tags[index] in FINITE
    return tags


def clauses(words: Sequence[Token], tags: Sequence[str]) -> list[Clause]:
    """The clauses of a sentence that have a subject and a finite verb."""
    result: list[Clause] = []
    bounds = _bounds(words, tags)
    subject: list[int] = []
    for start, end in bounds:
        places = list(range(start, end))
        verb = next((at for at in places if tags[at] in FINITE), None)
        if verb is None:
            continue
        own = _own_subject(words, tags, places[: places.index(verb)])
        own = subject if own is None else own
        if not own:
            continue
        subject = own
        order = [*own, *range(verb, end)]
        at = rest = len(own)
        while rest < len(order) and _verbal(words, tags, order[rest]):
            rest += 1
        result.append(
            Clause(tuple(words[i] for i in order), tuple(tags[i] for i in order), at, max(rest, at + 1))
        )
        result += _reduced(words, tags, range(verb, end))
    return result


def _own_subject(words: Sequence[Token], tags: Sequence[str], before_verb: Sequence[int]) -> list[int] | None:
    """The subject of a clause: the words before the verb, or the antecedent of a relative pronoun; None without any."""
    own = list(before_verb)
    while own and (tags[own[0]] in {"RB", "CC", ",", "UH"} or words[own[0]].lower in SPLITS):
        own = own[1:]
    if own and words[own[0]].lower in RELATIVE:
        start = before_verb[0]
        after_saying = words[start - 1].lower in SAYING if start else False
        return own[1:] if after_saying or len(own) > 1 else _antecedent(tags, start)
    return own or None


def _reduced(words: Sequence[Token], tags: Sequence[str], indices: range) -> list[Clause]:
    """Expand reduced relative clauses: `a band formed in 1965` gives the clause `the band was formed in 1965`."""
    reduced = []
    for index in indices[1:]:
        if tags[index] != "VBN" or tags[index - 1] not in NOUNS:
            continue
        subject = _antecedent(tags, index)
        was = Token("were" if tags[index - 1] == "NNS" else "was", "was", -1, -1)
        head = [words[i] for i in subject]
        if head and tags[subject[0]] != "DT":
            head, subject = [Token("the", "the", -1, -1), *head], [subject[0], *subject]
        elif head and head[0].lower in {"a", "an"}:
            head[0] = Token("the", "the", -1, -1)
        rest = [words[i] for i in range(index, indices.stop)]
        kinds = [*(tags[i] for i in subject), "VBD", *(tags[i] for i in range(index, indices.stop))]
        reduced.append(Clause((*head, was, *rest), tuple(kinds), len(head), len(head) + 2))
    return reduced


def _verbal(words: Sequence[Token], tags: Sequence[str], index: int) -> bool:
    return tags[index] in FINITE | {"VBN", "VBG", "VB", "RB"} or words[index].lower in NEGATION | BE


def _bounds(words: Sequence[Token], tags: Sequence[str]) -> list[tuple[int, int]]:
    cuts = [0]
    for index in range(1, len(words)):
        low = words[index].lower
        relative = low in RELATIVE and _finite_soon(tags, index + 1)
        stated = _said(words, tags, index - 1) and _new_clause(words, tags, index)
        if low in SPLITS or relative or stated:
            cuts.append(index)
        elif low in {",", "and", "or", "-", ":"} and _new_clause(words, tags, index + 1):
            cuts.append(index + 1)
    ends = [cut - (words[cut - 1].lower in {",", "and", "or", "-", ":"}) for cut in cuts[1:]] + [len(words)]
    return [(start, end) for start, end in zip(cuts, ends, strict=True) if end > start]


def _said(words: Sequence[Token], tags: Sequence[str], index: int) -> bool:
    return words[index].lower in SAYING and tags[index][0] == "V"


def _finite_soon(tags: Sequence[str], index: int) -> bool:
    return any(t in FINITE for t in tags[index : index + 6])


def _new_clause(words: Sequence[Token], tags: Sequence[str], index: int) -> bool:
    """Whether a new clause begins here: with a verb, or with a short subject and a verb."""
    if index >= len(words):
        return False
    first = index + 1 if tags[index] == "RB" and index + 1 < len(words) else index
    if tags[first] in FINITE:
        return True
    for at in range(index, min(index + 6, len(words))):
        if tags[at] in FINITE:
            return at > index
        if tags[at] not in {"DT", "PRP", "PRP$", "NN", "NNS", "NNP", "JJ", "RB", "EX"}:
            return False
    return False


def _antecedent(tags: Sequence[str], index: int) -> list[int]:
    """The noun phrase right before a relative pronoun or participle."""
    end = index
    while end and tags[end - 1] == ",":
        end -= 1
    start = end
    while start and tags[start - 1] in NOUNS | {"DT", "JJ", "PRP$", "POS", "JJS", "JJR"}:
        start -= 1
    return list(range(start, end))


def noun_phrases(words: Sequence[Token], tags: Sequence[str]) -> list[tuple[int, int]]:
    """The longest possible noun phrases, without determiners."""
    phrases = []
    index = 0
    inside = NOUNS | {"JJ", "JJS", "JJR", "RBS", "POS"}
    while index < len(words):
        if tags[index] not in inside or (tags[index] == "POS"):
            index += 1
            continue
        end = index
        while end < len(words) and (tags[end] in inside or _joins(words, tags, end)):
            end += 1
        last = end
        while last > index and tags[last - 1] not in NOUNS:
            last -= 1
        if last > index:
            phrases.append((index, last))
        elif words[end - 1].lower not in {"sure", "more", "most"} and index and tags[index - 1][0] == "V":
            phrases.append((index, end))  # a predicate adjective
        index = max(end, index + 1)
    return phrases


def _joins(words: Sequence[Token], tags: Sequence[str], index: int) -> bool:
    """Whether a word joins two numbers into one expression, for example in `2 - 3`."""
    around = (tags[index - 1 : index], tags[index + 1 : index + 2])
    numbers = around == (["CD"], ["CD"])
    return numbers and words[index].lower in {"-", "–", "to"}
