"""Writes yes/no questions. A question either agrees with the utterance or has one word exchanged."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from inquirer.grammar.fitness import taken_as_known
from inquirer.grammar.frame import Asked, helper, sentence, tail
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import EXAMPLES as STATEMENTS
from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase

NAME = "yes-no"
MATCHES = "a clause about the speaker, or what is the speaker's"
EXAMPLES = STATEMENTS[NAME]
TOLD = {"np", "pp", "adj", "ing"}
OBJECTS = {"np", "adj", "ing", "ger", "inf", "bare"}
MOST = 11  # words that may follow the verb


def questions(r: Reading) -> Iterator[Asked]:
    """Yields up to two questions: one that repeats the statement, and one with a word exchanged.

    The right answer to the repeated statement is yes, or no if the statement is negated. The right answer to the
    question with the exchanged word is no.
    """
    if not _states(r) or _half_told(r):
        return
    r = replace(r, clause=_first_of_lists(r.clause))
    clause = r.clause
    named = {x for p in clause.phrases if p.kind not in {"rest", "adv"} for x in r.low(p)}
    behind = tail(clause, [], r.voice, most=MOST)
    if named & (w.VAGUE | w.POINTING) or behind is None or not (behind or r.chained):
        return
    first, verb = helper(clause, r.voice)
    place = _place(r)
    if all(clause.tags[i] == "CD" for i in range(*place)) and r.verb != "be":
        return  # i have two
    if clause.negation is not None:
        positive = " ".join("some" if x == "no" else x for x in behind.split() if x != "either")
        yield _asked(place, sentence(first, r.subject_text, verb, positive), False)
        return
    yield _asked(place, sentence(first, r.subject_text, verb, behind), True)
    exchanged = _exchanged(r, behind)
    if exchanged:
        yield _asked(exchanged[:2], sentence(first, r.subject_text, verb, exchanged[2]), False)


def _asked(place: tuple[int, int], text: str, true: bool) -> Asked:
    return Asked(*place, text, text, NAME, single=True, true=true)


def _states(r: Reading) -> bool:
    """Whether the clause says more about the speaker than that they are glad or sure."""
    unnamed = w.UNNAMED - {"thing", "things", "one"} | w.UNASKABLE_SUBJECTS
    if not _is_own(r) or r.subject[-1] in unnamed:
        return False
    whole = r.clause.start == 0 and r.clause.end == len(r.clause.words)  # as in an answer to "why?"
    if (r.clause.joiner == "because" and not whole) or (r.clause.joiner == "since" and r.past and r.is_be):
        return False  # since i was a kid
    pleasing = r.is_be and bool(r.phrases) and r.low(r.phrases[0])[-1] in w.SAID_TO_PLEASE
    return not pleasing and bool(r.clause.phrases or r.chained)


def _is_own(r: Reading) -> bool:
    """Whether the clause is about the speaker or something of the speaker's: "my dog is a boxer"."""
    named = r.is_be and r.first is not None and r.low(r.first)[0] in {"my", "our"}
    return bool(w.SPEAKER_WORDS & set(r.subject)) or (named and not set(r.subject) & w.PERSONS)


def _half_told(r: Reading) -> bool:
    """Whether the question would lack an object, half of a comparison, or the words that say which thing is meant."""
    phrases = [p for p in r.phrases if p.kind not in {"rest", "sub"} and not r.time(p)]
    last = max((p.end for p in r.clause.phrases if p.kind not in {"rest", "sub"}), default=0)
    liked = phrases[:1] if r.verb in w.TASTES else []
    other = any(p.kind == "rest" and r.low(p)[0] == "or" for p in r.phrases)  # i read a book or watch a film
    return (
        other
        or _without_object(r, phrases)
        or (last > 1 and _breaks_off(r.clause, last))
        or any(p.kind == "np" and taken_as_known(r, p) for p in liked)
        or any(_told_apart_later(r, p) for p in phrases if p.kind == "np" or p in (phrases[0], phrases[-1]))
    )


def _without_object(r: Reading, phrases: Sequence[Phrase]) -> bool:
    """Whether a verb that needs an object has none: "i have always wanted to visit", "i learned a lot in my life"."""
    if r.verb == "be" and r.own and r.phrases and all(r.time(p) for p in r.phrases):
        return True  # i have been here four months
    if r.is_be and any(r.low(p) == ["here"] for p in r.clause.phrases):
        return True  # i am here for the tour
    if r.verb == "play":
        return not r.phrases
    objects = OBJECTS & {p.kind for p in phrases}
    taken = any(p.kind == "pp" and r.low(p)[0] in w.OBJECT_PREPOSITIONS for p in phrases)
    passive = r.clause.tags[r.clause.verb] == "VBN" and not r.chained
    return r.verb in w.NEEDS_OBJECT and not objects and not taken and not passive


def _breaks_off(clause: Clause, last: int) -> bool:
    """Whether the clause ends too early: "i like baseball better", "i spend my days watching the sunrise over"."""
    words, end = clause.words, clause.low(last - 1)
    if end in w.COMPARED or (end == "much" and words[last - 2].lower == "as"):
        return "than" not in {x.lower for x in words}
    return last == len(words) and clause.tags[last - 2].startswith("NN") and end in w.UNFINISHED


def _told_apart_later(r: Reading, phrase: Phrase) -> bool:
    """Whether the noun means little without the words after it: "a city that never sleeps", "bands like these"."""
    tags, end = r.clause.tags, phrase.end
    low, following = r.low(phrase), r.clause.low(end)
    if low[0] == "by":
        return False  # by the way
    if low[-1] in {"things", "stuff"} or (phrase.kind == "np" and following in {"like", "such"}):
        return True
    named = any(t.startswith(("NNP", "CD", "JJ")) for t in tags[phrase.body : end])
    bare = end - phrase.body < 3 and not named
    ends = not any(p.start >= end and p.kind not in {"rest", "sub", "adv"} for p in r.phrases)
    if low[-1] in w.PARTIAL and tags[end - 2].startswith(("JJ", "DT")) and ends:
        return True
    later = following in {"that", "which", "where", "whose"} and r.verb not in w.TASTES
    people = following == "who" and tags[end - 1] == "NNS"
    return bare and (later or people or (low[-1] in w.EMPTY_ALONE and ends))


def _first_of_lists(clause: Clause) -> Clause:
    """Cuts a list after its first item: "i like tea, milk and beer" is asked as "do you like tea?"."""
    phrases: list[Phrase] = []
    for phrase in clause.phrases:
        comma = next((i for i in range(phrase.body, phrase.end) if clause.words[i].text == ","), None)
        noun = comma is not None and clause.tags[comma - 1] not in {"JJ", "RB"}  # a young, ambitious man
        if comma is None or phrase.kind not in TOLD or not (noun or phrase.kind == "adj"):
            phrases.append(phrase)
            continue
        phrases += [replace(phrase, end=comma), Phrase("rest", comma, clause.end, comma)]
        break
    return replace(clause, phrases=tuple(phrases))


def _place(r: Reading) -> tuple[int, int]:
    likely = [p for p in r.clause.phrases if p.kind in TOLD and r.clause.tags[p.body] != "PRP"]
    if likely:
        return r.place(likely[0])
    start, end = r.clause.chain if r.chained else (r.clause.verb, r.clause.verb + 1)
    return start + (r.chained and r.clause.low(start) == "to"), end


def _exchanged(r: Reading, behind: str) -> tuple[int, int, str] | None:
    """Returns the start and end of the replaced word, and the words after the verb with the replacement."""
    clause, tags = r.clause, r.clause.tags
    shared = {clause.deepest, clause.lemma} & w.SHARED_VERBS
    for phrase in clause.phrases:
        if phrase.kind == "rest" or clause.low(phrase.start) == "for":
            continue
        for i in range(phrase.body, phrase.end):
            low = clause.low(i)
            counted = clause.deepest in w.COUNTED_OBJECTS and tags[i] == "CD"
            colored = low in w.COLORS and clause.lemma == "have"
            happened = phrase.kind == "pp" and tags[clause.verb] == "VBD"
            dated = happened and low in w.MONTHS | w.DAYS | w.SEASONS
            text = _replaced(behind, low) if counted or colored or dated or not shared else None
            if text:
                return i, i + 1, text
    return None


def _replaced(behind: str, word: str) -> str | None:
    other = _other(word)
    pieces = behind.split(" ")
    at = [k for k, piece in enumerate(pieces) if piece.lower() == word]
    if not other or len(at) != 1:
        return None
    pieces[at[0]] = other.capitalize() if pieces[at[0]][:1].isupper() else other
    if at[0] and pieces[at[0] - 1] in {"a", "an"}:
        pieces[at[0] - 1] = "an" if other[0] in "aeio" else "a"
    return " ".join(pieces)


def _other(word: str) -> str | None:
    """Returns another word of the same group. The choice depends only on the word."""
    spin = int(hashlib.sha256(word.encode("utf-8", "surrogatepass")).hexdigest()[:6], 16)
    if word.isascii() and word.isdigit() and 1 < int(word[:9]) < 3000:
        value = int(word)
        return str(value + (5 if value > 12 else 2))
    for group in _groups():
        if word in group:
            return group[(group.index(word) + 1 + spin % (len(group) - 1)) % len(group)]
    return None


@cache
def _groups() -> list[list[str]]:
    return [[word.replace("_", " ") for word in row.split()] for (row,) in w.rows("exchange.tsv")]
