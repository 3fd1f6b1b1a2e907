"""What one has or gets: its kind, its colour, its name, how old it is."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.phrases import head
from inquirer.questions.clean import modified
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import DRIVEN, WHOLE_IDIOMS
from inquirer.questions.noun import Noun, ending, opening
from inquirer.questions.rule import rule
from inquirer.questions.singles import of_what_is_owned
from inquirer.questions.voice import Voice

OWNING = {"have", "own", "get", "adopt", "drive", "buy", "want", "keep"}
BUILT = {"car", "truck", "bike", "motorcycle", "suv", "van"}
FARMED = {"cow", "donkey", "goat", "sheep"}
AMBIGUOUS = {"chicken", "fish", "pig", "pup", "boxer"}
COMMON_PETS = {"dog", "cat", "horse", "bird", "dogs", "cats"}
ONLY_PLAIN = {
    "pet", "cute", "new", "little", "big", "old", "small", "few", "some", "several", "many", "couple",
}  # fmt: skip
MEALS = {"breakfast", "lunch", "dinner", "dessert"}


@rule("name", True)
def of_name(thing: Noun, voice: Voice) -> Iterator[Asked]:
    """a pit bull named duke."""
    clause, words, start = thing.clause, thing.clause.words, thing.phrase.end + 1
    if start >= clause.end or words[start - 1].lower not in {"named", "called"} or not voice.own(clause):
        return
    end = start
    while end < clause.end and (
        clause.tags[end] in {"NNP", "NN", "NNS", "CC", "JJ", "NNPS"}
        or words[end].lower in {"and", ",", "the"}
    ):
        end += 1
    if end == start or clause.deepest not in {"have", "own", "get", "adopt"}:
        return
    bearer = head(words, thing.phrase.start, thing.phrase.end)
    several = bearer.endswith("s")
    names, be, possessive = ("names", "are", "'") if several else ("name", "is", "'s")
    whose = f"{voice.your} {bearer}{possessive}"
    stated = f"Could you tell me what {whose} {names} {be}?"
    yield Asked(start, end, f"What {be} {whose} {names}?", stated, 0.95, clause)


@rule("age", True)
def of_age(thing: Noun, voice: Voice) -> Iterator[Asked]:
    """i have a seven year old daughter: how old is your daughter?"""
    clause, phrase, low = thing.clause, thing.phrase, thing.said
    mine = clause.deepest == "have" and voice.own(clause) and low[0] in {"a", "an", "my"}
    if not mine or low[-1] not in w.PEOPLE | w.PETS:
        return
    at = next(
        (k for k in range(len(low) - 2) if low[k + 1] in {"year", "month"} and low[k + 2] == "old"), None
    )
    if at is not None:
        place = (phrase.start + at, phrase.start + at + 3)
    elif low[-2].endswith(("year-old", "yr-old")):
        place = (phrase.end - 2, phrase.end - 1)
    else:
        return
    be = "are" if low[-1].endswith("s") else "is"
    whom = f"{voice.your} {low[-1]}"
    yield Asked(*place, f"How old {be} {whom}?", f"Could you tell me how old {whom} {be}?", 0.95, clause)


@rule("kind", of_what_is_owned)
def of_kind(thing: Noun, verb: str, voice: Voice) -> Iterator[Asked]:
    """Pets and cars: what kind; everything else owned is no natural question."""
    clause, phrase, low = thing.clause, thing.phrase, thing.said
    if low[0] in {"my", "our", "no", "his", "her", "their", "another"}:
        return
    made: Asked | None = None
    if "and" in low:
        if _only_pets(low):
            made = ask(clause, voice, "What pets", thing.place, [phrase], 0.85)
    elif thing.core in {"hair", "eyes"} and set(low) & w.COLORS:
        at = phrase.start + next(k for k, x in enumerate(low) if x in w.COLORS)
        made = ask(clause, voice, f"What color {thing.core}", (at, at + 1), _left_out(thing, verb), 0.9)
    elif kind := _kind(thing, verb):
        made = ask(clause, voice, f"What kind of {kind}", thing.place, _left_out(thing, verb), 0.85)
    if made:
        yield made


@rule("meal")
def of_meal(thing: Noun, voice: Voice) -> Iterator[Asked]:
    """i had eggs with bacon for breakfast."""
    clause, phrase = thing.clause, thing.phrase
    dish = [phrase, *[p for p in thing.following if p.kind == "pp" and opening(clause, p) == "with"][:1]]
    made = ask(clause, voice, "What", (thing.start, dish[-1].end), dish, 0.8)
    if made:
        yield made


def is_meal(thing: Noun) -> bool:
    """Whether what one had was eaten or drunk at a time that the clause tells."""
    core = head(thing.clause.words, thing.phrase.start, thing.phrase.end)
    when = {ending(thing.clause, p) for p in thing.following}
    return bool({thing.last, core} & (w.FOODS | w.DRINKS) and when & (MEALS | w.TIME_UNITS | w.TIMES))


def is_mere(thing: Noun, verb: str) -> bool:
    """Whether nothing but its kind is worth asking: `what do you have?` is no natural question."""
    clause, following = thing.clause, thing.following
    tag = clause.tags[clause.verb]
    if verb == "have":
        return tag != "VBG"
    got = tag != "VBD" or bool(clause.auxiliaries) or modified(clause, thing.phrase)
    sourced = bool(following) and opening(clause, following[0]) in {"for", "from"}
    return verb == "get" and got and not sourced


def _only_pets(low: list[str]) -> bool:
    heads = {low[k - 1] for k in range(1, len(low) + 1) if k == len(low) or low[k] in {"and", ","}}
    return heads <= w.PETS | w.BREEDS | {"sheep", "bull", "and", ","}


def _kind(thing: Noun, verb: str) -> str:
    """What it is a kind of, where that is worth asking."""
    core, low = thing.core, thing.said
    if core not in AMBIGUOUS and ((core in w.PETS and verb != "want") or core in w.BREEDS):
        return _kind_of_pet(thing)
    if core in BUILT and len(low) > 2:
        return core
    if set(low) & w.BRANDS or (core in DRIVEN - BUILT and verb in {"have", "drive", "own"}):
        return "car"
    told = modified(thing.clause, thing.phrase) and core == low[-1] and verb in {"have", "get", "win"}
    return core if told and core not in w.PEOPLE | WHOLE_IDIOMS else ""


def _kind_of_pet(thing: Noun) -> str:
    """A brown dog is a kind of dog, a dog a kind of pet."""
    core, low = thing.core, thing.said
    tagged = thing.clause.tags[thing.phrase.end - 2] in {"NN", "JJ", "NNP"}
    if core in {"pet", "pets"} and (len(low) < 2 or low[-2] in ONLY_PLAIN | {"a", "the"}):
        return ""  # a few pets
    if len(low) > 2 and core in COMMON_PETS and tagged and low[-2] not in ONLY_PLAIN:
        return core
    kind = "animal" if core.removesuffix("s") in FARMED else "pet"
    return f"{kind}s" if core.endswith("s") else kind


def _left_out(thing: Noun, verb: str) -> list[Phrase]:
    """The object, and what is told of it; where it is stays in the question."""
    clause, phrase = thing.clause, thing.phrase
    behind = [p for p in clause.phrases if p.start > phrase.end and p.kind in {"np", "rest", "pp"}]
    told = behind and verb in {"have", "get", "want"} and opening(clause, behind[0]) not in {"in", "at"}
    return [phrase, *behind] if told else [phrase]
