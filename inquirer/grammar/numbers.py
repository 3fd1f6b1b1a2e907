"""Rules for numbers: how many, how much, how old."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.lists import listed
from inquirer.language.tokens import Token

RULES = Rules()
PLURAL = ("s", "kids", "children", "people", "men", "women", "fish", "mice", "geese", "sheep")
MEASURES = {"feet", "ft", "foot", "inches", "pounds", "lbs", "tall"}
YEAR = re.compile("[0-9]{4}")
LOOSELY = {"about", "almost", "only", "over", "now", "just"}


def is_age(clause: Clause, first: Phrase) -> bool:
    """Whether the number is an age. It either stands alone ("26") or is followed by `old` ("26 years old")."""
    low = [x.lower for x in clause.words[first.start : first.end]]
    tags = clause.tags[first.start : first.end]
    if "CD" not in tags or MEASURES & set(low):
        return False
    if low[-1] == "old":
        return True
    rest = [x for x, tag in zip(low, tags, strict=True) if tag != "CD" and x not in LOOSELY]
    following = [p for p in clause.phrases if p.start >= first.end and p.kind != "sub"][:1]
    number = low[-1].rstrip("s").isdigit() or low[-1] in w.NUMBERS
    return number and not rest and (not following or following[0].kind in {"adv", "rest"})


@RULES.add(
    "number",
    matches="a number of things that somebody has, owns, knows …",
    asks="How many dogs do you have?",
    single=True,
    examples={
        "i've got three dogs": "How many dogs do you have?",
        "there are five people in my family": "How many people are there in your family?",
        "i have one brother": "How many brothers do you have?",
        "i am fluent in three languages": "How many languages are you fluent in?",
    },
    pointed=True,
)
def number(r: Reading) -> Iterator[Asked | None]:
    for phrase in r.phrases[:2]:
        leads = phrase.kind == "np" and phrase is r.first and (not r.clause.copular or r.subject == ["there"])
        behind = (
            phrase.kind == "pp"
            and r.low(phrase)[0] in {"in", "of", "to", "with", "for"}
            and (phrase is r.first or r.phrases[0].kind == "adj")
            and not r.time(phrase)
        )
        counted = _counted(r, *r.place(phrase)) if leads or behind else None
        if counted:
            place, things = counted
            kept = (phrase, r.low(phrase)[0]) if behind else None
            yield r.ask(f"How many {things}", place, [phrase], kept=kept)
            return


def _counted(r: Reading, start: int, end: int) -> tuple[tuple[int, int], str] | None:
    """Returns the position of the number, and the counted things.

    In "three sisters and a brother", the things are "sisters".
    """
    words, tags = r.clause.words, r.clause.tags
    stop = next((i for i in range(start, end) if _ends_count(words, tags, i, end)), end)
    last = start
    while last < stop and tags[last] == "CD":
        last += 1
    low = [x.lower for x in words[start:stop]]
    parts = "of" in low and low[1:3] not in (["pairs", "of"], ["pieces", "of"], ["bottles", "of"])
    if last in (start, stop) or parts or words[start].text == "$" or low[-1] in w.TIME_UNITS:
        return None
    things, had = r.say(last, stop), r.verb == "have"
    if low[0] in {"one", "1"}:
        idle = low[-1] in listed("idiom-objects") or low[-1].endswith(("s", "y"))
        things += "ren" if low[-1] == "child" else "s"
        countable = had and stop == end and not idle
    else:
        countable = low[-1].endswith(PLURAL) and (had or not YEAR.fullmatch(low[0]))
    return ((start, last), things) if countable else None


def _ends_count(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> bool:
    """Whether the word at `i` ends the counted things.

    The `and` does in "three sisters and a brother", but not in "sixteen brothers and sisters".
    """
    joined = words[i].lower == "and" and i + 2 == end and tags[i - 1] == tags[i + 1] == "NNS"
    return words[i].lower in {"and", "or", ","} and not joined


@RULES.add(
    "price",
    matches="somebody makes, earns or pays so much money; something costs it",
    asks="How much do you make a year?",
    single=True,
    examples={"i make 30k a year": "How much do you make a year?"},
    pointed=True,
)
def price(r: Reading) -> Iterator[Asked | None]:
    first = r.first
    if first is None or first.kind != "np" or r.verb not in {"make", "earn", "pay", "charge", "cost"}:
        return
    low, tags = r.low(first), r.clause.tags[first.start : first.end]
    money = low[0] == "$" or low[-1] in {"dollars", "bucks", "grand"} or re.fullmatch(r"\d+k", low[-1])
    if money and "CD" in tags:
        yield r.ask("How much", first, [first])


@RULES.add(
    "hours",
    matches="so many hours or days in a week",
    asks="How many hours a week do you work?",
    single=True,
    examples={"i work sixty hours a week": "How many hours a week do you work?"},
)
def hours(r: Reading) -> Iterator[Asked | None]:
    for amount, per in zip(r.clause.phrases, r.clause.phrases[1:], strict=False):
        rate = (
            per.kind == "np" and r.low(per)[0] in {"a", "per", "each", "every"} and per.end - per.start == 2
        )
        unit = r.low(amount)[-1]
        place = r.place(amount)
        if rate and amount.kind == "np" and unit in w.TIME_UNITS and r.clause.tags[place[0]] == "CD":
            text = f"How many {unit} {r.say(per.start, per.end)}"
            yield r.ask(text, (place[0], place[0] + 1), [amount, per])
