"""Rules for possessions: pets, cars, illnesses, collections."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.askable import object_of
from inquirer.grammar.frame import Asked
from inquirer.grammar.noun import Noun
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.lists import listed

RULES = Rules()
OWNING = listed("owning")
BUILT = {"car", "truck", "bike", "motorcycle", "suv", "van"}
FARMED = {"cow", "donkey", "goat", "sheep", "pig", "chicken"}
NOT_ASKED = {"my", "our", "no", "his", "her", "their", "another", "any", "more", "enough"}
LOOSE_KINDS = listed("plain-adjectives") | {"few", "some", "several", "many", "couple"}
PLENTY = (
    {"a", "lot", "of"},
    {"a", "ton", "of"},
    {"a", "bunch", "of"},
    {"lots", "of"},
    {"tons", "of"},
    {"plenty", "of"},
)


@RULES.add(
    "kind",
    matches="somebody has a pet, a car, or a thing of a kind",
    asks="What kind of pet do you have? What kind of car do you drive?",
    single=None,
    examples={
        "i have a dog named max": "What kind of pet do you have?",
        "i have a golden retriever": "What kind of pet do you have?",
        "i drive a honda": "What kind of car do you drive?",
        "i have a cat and a dog": "What pets do you have?",
    },
)
def kind(r: Reading) -> Iterator[Asked | None]:
    phrase = object_of(r)
    if phrase is None or r.verb not in OWNING or r.low(phrase)[0] in NOT_ASKED or "of" in r.low(phrase):
        return
    thing = r.noun(phrase)
    covered = [phrase, *(p for p in thing.following if p.kind in {"np", "rest", "pp"} and not r.time(p))]
    low = thing.low
    if "and" in low or "," in low:
        heads = {low[k - 1] for k in range(1, len(low) + 1) if k == len(low) or low[k] in {"and", ","}}
        if heads <= w.PETS | w.BREEDS | {"sheep", "bull", "and", ","} and r.verb in {"have", "own"}:
            yield r.ask("What pets", phrase, covered)
        return
    sort = _kind(r, thing)
    if sort and r.clause.tags[thing.start] != "CD":
        yield r.ask(f"What kind of {sort}", phrase, covered, single=None if sort == "car" else False)


def _kind(r: Reading, thing: Noun) -> str:
    """Returns the kind of the thing, or an empty text if a question for the kind makes no sense."""
    core, low = thing.core, thing.low
    if core in w.BREEDS and r.verb != "want":
        return "pet"
    if core in w.PETS - listed("pets-misread"):
        return _kind_of_pet(thing)
    if set(low) & w.BRANDS or (core in listed("vehicles") - BUILT and r.verb in {"have", "drive", "own"}):
        return "car"
    apart = (
        len(low) > 1
        and low[-2] not in LOOSE_KINDS
        and r.clause.tags[thing.phrase.end - 2] in {"NN", "JJ", "NNP"}
    )
    if core in BUILT and apart:
        return core
    plain = core in w.PEOPLE | listed("idiom-objects") | listed("leanings") | w.ILLNESSES | w.TIME_UNITS
    specific = apart and core == low[-1] and r.verb in {"have", "own"} and len(low) <= 3 and not plain
    return core if specific and thing.tags[-1] in {"NN", "NNS"} and not set(low) & w.COLORS else ""


def _kind_of_pet(thing: Noun) -> str:
    """Returns the kind of a pet. For example, a brown dog is a kind of dog, and a dog is a kind of pet."""
    core, low = thing.core, thing.low
    if core in {"pet", "pets"} and (len(low) < 2 or low[-2] in LOOSE_KINDS):
        return ""
    specific = len(low) > 1 and low[-2] not in LOOSE_KINDS | {"pet"} | w.COLORS
    if specific and core in listed("common-pets"):
        return core
    sort = "animal" if core.removesuffix("s") in FARMED else "pet"
    return f"{sort}s" if core.endswith("s") else sort


@RULES.add(
    "age-of",
    matches="somebody has a child or a pet of so many years",
    asks="How old is your daughter?",
    single=True,
    examples={"i have a seven year old daughter": "How old is your daughter?"},
)
def age_of(r: Reading) -> Iterator[Asked]:
    phrase = object_of(r)
    if phrase is None or r.verb != "have" or not r.own:
        return
    low = r.low(phrase)
    years = {"year", "years", "month", "months", "week", "weeks"}
    at = next((k for k in range(len(low) - 2) if low[k + 1] in years and low[k + 2] == "old"), None)
    if low[-1] not in w.PEOPLE | w.PETS or low[0] not in {"a", "an", "my"}:
        return
    if at is not None:
        place = (phrase.start + at, phrase.start + at + 3)
    elif len(low) > 1 and low[-2].endswith(("year-old", "yr-old", "years-old")):
        place = (phrase.end - 2, phrase.end - 1)
    else:
        return
    whom = f"{r.voice.your} {low[-1]}"
    be = "are" if low[-1].endswith("s") else "is"
    yield r.write(place, f"How old {be} {whom}?", f"how old {whom} {be}")


@RULES.add(
    "leaning",
    matches="somebody has a fear, a degree, a passion …",
    asks="What do you have a fear of?",
    single=False,
    examples={"i have a fear of heights": "What do you have a fear of?"},
)
def leaning(r: Reading) -> Iterator[Asked | None]:
    phrase = object_of(r)
    if phrase is None or r.verb != "have" or r.noun(phrase).core not in listed("leanings"):
        return
    thing = r.noun(phrase)
    low = r.low(phrase)
    if "and" in low:
        return
    if "of" in low or "for" in low:
        at = next(i for i in range(phrase.start, phrase.end) if r.clause.words[i].lower in {"of", "for"})
        answer = (at + 1, phrase.end)
        asked = r.ask(
            "What", answer, [phrase], single=thing.core in {"degree", "phd", "masters", "major"} or None
        )
        if asked:
            lead = r.say(phrase.start, at + 1)
            yield r.write(
                answer, f"{asked.direct[:-1]} {lead}?", asked.indirect[18:-1] + f" {lead}", asked.single
            )
        return
    tie = next((p for p in thing.following if p.kind == "pp"), None)
    if tie and tie.start == phrase.end and r.low(tie)[0] in {"of", "for", "to", "in", "with", "on"}:
        single = thing.core in {"degree", "phd", "masters", "bachelors", "major"} or None
        yield r.ask("What", tie, [tie], kept=(tie, r.low(tie)[0]), single=single)


@RULES.add(
    "having",
    matches="somebody has something in a place",
    asks="What do you have in your backyard?",
    single=False,
    examples={"i have a small garden in my backyard": "What do you have in your backyard?"},
)
def having(r: Reading) -> Iterator[Asked | None]:
    phrase = object_of(r)
    if phrase is None or r.verb != "have" or not (r.own or r.person) or r.low(phrase)[0] in NOT_ASKED:
        return
    thing = r.noun(phrase)
    place = next((p for p in thing.following if p.kind == "pp"), None)
    if (
        place is None
        or place.start != phrase.end
        or thing.core in w.PEOPLE | w.TIME_UNITS | listed("idiom-objects")
    ):
        return
    if (
        r.low(place)[0] in {"in", "at", "on"}
        and r.is_place(place)
        and not r.time(place)
        and "CD" not in thing.tags
    ):
        yield r.ask("What", phrase, [phrase])
