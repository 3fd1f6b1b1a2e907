"""Rules for numbers: how many, and how much money."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import rule
from inquirer.language import words as w
from inquirer.language.tokens import Token

PLURAL = ("s", "kids", "children", "people", "men", "women", "fish", "mice", "geese", "sheep")
YEAR = re.compile("[0-9]{4}")
NONE: tuple[list[str], ...] = ([], ["a"], ["an"], ["any"])  # words before what somebody does not have
PACKED = (["pairs", "of"], ["pieces", "of"], ["bottles", "of"])


@rule("number", single=True, pointed=True)
def number(r: Reading) -> Iterator[Asked | None]:
    """A number of things that somebody has, owns, knows …, or of hours or money."""
    first = r.first
    if first is None:
        return
    low, tags = r.low(first), r.clause.tags[first.start : first.end]
    money = low[0] == "$" or low[-1] in {"dollars", "bucks", "grand"} or re.fullmatch(r"\d+k", low[-1])
    if first.kind == "np" and r.verb in w.PAYING and money and "CD" in tags:
        yield r.ask("How much", first, [first])
        return
    yield from _rate(r)
    for phrase in r.phrases[:2]:
        leads = phrase.kind == "np" and phrase is first and (not r.clause.copular or r.subject == ["there"])
        takes = r.low(phrase)[0] in {"in", "of", "to", "with", "for"}  # fluent in three languages
        placed = phrase is first or first.kind == "adj"
        behind = phrase.kind == "pp" and placed and takes and not r.time(phrase)
        counted = _counted(r, *r.place(phrase)) if leads or behind else None
        if counted:
            place, things = counted
            kept = (phrase, r.low(phrase)[0]) if behind else None
            yield r.ask(f"How many {things}", place, [phrase], kept=kept)
            return


@rule("none", single=True, denied=True, pointed=True)
def none(r: Reading) -> Iterator[Asked]:
    """Children, siblings or pets that somebody does not have."""
    first = r.had
    if first is None or not r.own or r.past or r.chained:
        return
    low, you = r.low(first), r.voice.you
    denied = r.denied and r.verb_word == "have" and set(r.helpers) <= {"do"}
    if not r.alone or len(low) > 2 or (low[0] == "no") == denied or (denied and low[:-1] not in NONE):
        return
    things = _plural(low[-1])
    if things and (denied or low[0] == "no"):
        start = r.clause.verb if r.clause.negation is None else r.clause.negation - 1
        asked = f"How many {things}"
        yield r.write((start, first.end), f"{asked} do {you} have?", f"{asked} {you} have")


def _plural(word: str) -> str | None:
    """Returns the plural of a word for a child, sibling or pet, or None if it is another word."""
    counted = w.COUNTED_KIN | w.PETS
    if word.endswith(("child", "children")):
        return f"{word.removesuffix('ren')}ren"
    if word.endswith("s"):
        return word if {word, word[:-1]} & counted else None
    plurals = {"puppy": "puppies", "bunny": "bunnies", "fish": "fish"}
    return plurals.get(word, f"{word}s") if word in counted else None


def _rate(r: Reading) -> Iterator[Asked | None]:
    """Asks for the number in "sixty hours a week"."""
    for amount, per in pairwise(r.clause.phrases):
        place, rate, unit = r.place(amount), r.low(per), r.low(amount)[-1]
        rated = per.kind == "np" and rate[0] in w.RATES and len(rate) == 2
        if rated and amount.kind == "np" and unit in w.TIME_UNITS and r.clause.tags[place[0]] == "CD":
            text = f"How many {unit} {r.say(per.start, per.end)}"
            yield r.ask(text, (place[0], place[0] + 1), [amount, per])


def _counted(r: Reading, start: int, end: int) -> tuple[tuple[int, int], str] | None:
    """Returns the position of the number, and the counted things: "sisters" of "three sisters and a brother"."""
    words, tags = r.clause.words, r.clause.tags
    stop = next((i for i in range(start, end) if _ends_count(words, tags, i, end)), end)
    last = start
    while last < stop and tags[last] == "CD":
        last += 1
    low = [x.lower for x in words[start:stop]]
    parts = "of" in low and low[1:3] not in PACKED
    if last in (start, stop) or parts or words[start].text == "$" or low[-1] in w.TIME_UNITS:
        return None
    things, had = r.say(last, stop), r.verb == "have"
    if low[0] in {"one", "1"}:
        idle = low[-1] in w.IDIOM_OBJECTS or low[-1].endswith(("s", "y"))
        things += "ren" if low[-1] == "child" else "s"
        countable = had and stop == end and not idle
    else:
        countable = low[-1].endswith(PLURAL) and (had or not YEAR.fullmatch(low[0]))
    return ((start, last), things) if countable else None


def _ends_count(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> bool:
    """Whether the `and` ends the count: "three sisters and a brother", but not "sixteen brothers and sisters"."""
    joined = words[i].lower == "and" and i + 2 == end and tags[i - 1] == tags[i + 1] == "NNS"
    return words[i].lower in {"and", "or", ","} and not joined
