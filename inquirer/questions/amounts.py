"""Questions whose answer is an amount: how many, how long."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import PLURAL, WHOLE_IDIOMS
from inquirer.questions.noun import Noun, lower, opening
from inquirer.questions.rule import rule
from inquirer.questions.voice import Voice


def count_of(clause: Clause, start: int, end: int, voice: Voice) -> tuple[tuple[int, int], str] | None:
    """(the number's place, the counted things) of `three sisters and a brother`."""
    words = clause.words
    stop = next((i for i in range(start, end) if words[i].lower in {"and", "or", ","}), end)
    last = start
    while last < stop and clause.tags[last] == "CD":
        last += 1
    low = [x.lower for x in words[start:stop]]
    measured = "of" in low and low.index("of") == last - start + 1 and low[last - start].endswith("s")
    if last in (start, stop) or ("of" in low and not measured) or words[start].text == "$":
        return None
    thing = voice.say(words[last:stop])
    if low[0] == "one" or low[0] == "1":
        if clause.lemma != "have" or stop != end or low[-1] in WHOLE_IDIOMS or low[-1].endswith(("s", "y")):
            return None
        thing += "ren" if low[-1] == "child" else "s"
    elif not (low[-1].endswith(PLURAL) or measured) or low[-1] in {"years", "months", "s"}:
        return None
    if len(low[0]) == 4 and low[0].isdigit() and clause.lemma != "have":
        return None
    return (start, last), thing


@rule("number", True)
def of_number(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i have three sisters, two of them: how many? None where the object is no number of things."""
    clause, phrase = thing.clause, thing.phrase
    counted = count_of(clause, *thing.place, voice)
    if counted:
        made = ask(clause, voice, f"How many {counted[1]}", counted[0], [phrase], 0.95)
        return [made] if made else []
    following = thing.following
    alike = bool(following) and lower(clause, following[0]) == ["of", "them"]
    if alike and thing.tags == ("CD",):
        made = ask(clause, voice, "How many of them", thing.place, [phrase, following[0]], 0.75)
        return [made] if made else []
    priced = clause.words[phrase.start].text == "$"
    if "CD" in thing.tags and (priced or not {"NN", "NNS", "NNP"} & set(thing.tags)):
        return []
    return None


@rule("price", True)
def of_pay(thing: Noun, voice: Voice) -> Iterator[Asked]:
    """i make 30k a year: how much do you make a year?"""
    clause, per = thing.clause, next(iter(thing.following), None)
    money = clause.words[thing.phrase.start].text == "$" or thing.last in {"dollars", "bucks", "grand"}
    money |= re.fullmatch(r"\d+k", thing.last) is not None
    if clause.deepest not in {"make", "earn", "pay", "charge"} or not money or "CD" not in thing.tags:
        return
    if (
        per is None
        or lower(clause, per)[0] not in {"a", "an", "per", "every", "each"}
        or len(thing.following) > 1
    ):
        return
    made = ask(clause, voice, "How much", thing.place, [thing.phrase], 0.85)
    if made:
        yield made


@rule("duration", True)
def of_time(thing: Noun, voice: Voice) -> Iterator[Asked]:
    """i work sixty hours a week, i have two weeks before the birth."""
    clause, phrase, low = thing.clause, thing.phrase, thing.low
    per = next(iter(thing.following), None)
    if per is None or thing.last not in w.TIME_UNITS or not thing.last.endswith("s"):
        return
    made: Asked | None = None
    number = clause.tags[thing.start] == "CD"
    if clause.deepest in {"work", "sleep", "study", "practice", "train", "drive", "read"}:
        rate = per.kind == "np" and opening(clause, per) in {"a", "per", "each", "every"}
        if rate and per.end - per.start == 2 and number:
            unit = f"{thing.last} {voice.say(clause.words[per.start : per.end])}"
            place = (thing.start, thing.start + 1)
            made = ask(clause, voice, f"How many {unit}", place, [phrase, per], 0.85)
    elif clause.deepest == "have" and (number or low[0] in {"couple", "few"}):
        left = per.kind in {"pp", "sub"} and opening(clause, per) in {"before", "until", "till"}
        if left or (per.kind == "inf" and low[0] != "couple" and "more" in low):
            made = ask(clause, voice, "How long", thing.place, [phrase], 0.75)
    if made:
        yield made
