"""Decides whether a question can ask for a direct object.

The object must not be a time or part of an idiom, and no word may depend on the object.
"""

from __future__ import annotations

from inquirer.grammar.fitness import taken_as_known
from inquirer.grammar.noun import Noun, ending, opening
from inquirer.grammar.reading import Reading
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed
from inquirer.language.verb_groups import BECOMING
from inquirer.language.verbs import known

TASTES = listed("tastes")
ALL_AND_MORE = {"every", "each", "too", "so", "much", "many", "more", "enough", "less"}
POINTERS = {"no", "its", "alot", "that", "this", "those", "lots", "another"}
NOWHERE = {"outdoors", "outside", "indoors", "inside", "home", "abroad", "online", "little"}
INTENTIONS = {"decision", "choice", "effort", "attempt", "plan", "promise"}
DOING = w.HOBBIES | listed("doing-objects")
TAKEN = {"bus", "train", "subway", "pills", "medication", "vitamins", "lessons", "classes"}


def is_askable(r: Reading, thing: Noun) -> bool:
    """Whether the phrase is the only object of an active verb and a question can ask for it."""
    return not (
        _adverbial(thing, r.verb)
        or thing.low[0] in POINTERS
        or _foreign(thing, r.verb)
        or _passive(r)
        or _attributed(thing, r.verb)
        or _beside(thing)
        or _linked(thing)
        or is_idle(thing, r.verb)
        or (r.verb in TASTES and taken_as_known(r, thing.phrase))
        or ("and" in _chain(r) and "try" not in _chain(r))
    )


def is_idle(thing: Noun, verb: str) -> bool:
    """Whether verb and object together carry little information, for example "take part", "do things", "have fun"."""
    if {thing.last, thing.core} & listed("idiom-objects"):
        return True
    if verb == "do":
        return thing.core not in DOING
    if verb == "take":
        return thing.core not in TAKEN
    return verb in listed("light-verbs") - {"make", "bring", "find", "get", "have", "see"}


def _adverbial(thing: Noun, verb: str) -> bool:
    """Whether the noun phrase says when or how much, for example "every day", "christmas", "my time"."""
    return (
        thing.last in w.TIME_UNITS
        or thing.low[0] in ALL_AND_MORE
        or thing.core in w.TIMES
        or (thing.last in NOWHERE and verb not in TASTES)
        or (verb == "spend" and thing.low[0] in {"time", "my", "most", "hours"})
    )


def _foreign(thing: Noun, verb: str) -> bool:
    """Whether the verb cannot have such an object, which means that the following words were misread."""
    clause = thing.clause
    chained = clause.chain[1] > clause.chain[0]
    return (
        verb in listed("no-objects")
        or (chained and clause.words[clause.chain[1] - 1].lower in BECOMING)
        or verb not in known()
        or (verb == "get" and (clause.tags[thing.start] == "VBN" or thing.low == ("work",)))
        or (verb == "help" and thing.core not in w.PEOPLE)
        or (verb in {"name", "call"})
        or (thing.phrase.end < clause.end and clause.tags[thing.phrase.end] in {"VBG", "VB", "VBP", "VBN"})
    )


def _chain(r: Reading) -> list[str]:
    """Returns the words of the verb chain after the first verb.

    In "like to relax and watch films", it is unclear which verbs have the object. In "try and catch", it is clear.
    """
    return [x.lower for x in r.clause.words[r.clause.chain[0] : r.clause.chain[1]]]


def _passive(r: Reading) -> bool:
    being = {"am", "'m", "is", "are", "was", "were", "been", "'re"} & set(r.helpers)
    return bool(being) and r.clause.tags[r.clause.verb] in {"VBN", "VBD"}


def _attributed(thing: Noun, verb: str) -> bool:
    """Whether the object alone would be an incomplete answer: "make me happy", "made the decision to go"."""
    clause, phrase, following = thing.clause, thing.phrase, thing.following
    if any(p.kind == "adj" and p.end <= phrase.start for p in clause.phrases):
        return True
    causing = {"VB", "VBP", "VBD", "JJ", "VBN", "NN", "JJR"}
    made_to = phrase.end < clause.end and clause.tags[phrase.end] in causing
    if verb == "make" and (made_to or (len(thing.low) > 1 and thing.last in known())):
        return True  # the cold makes my joints hurt
    if not following:
        return False
    if following[0].kind == "inf" and thing.core in INTENTIONS:
        return True
    compared = ending(clause, following[0]) in {"more", "most", "better", "best"}
    return following[0].kind == "adj" and not compared


def _linked(thing: Noun) -> bool:
    """Whether the object joins two activities, for example "eating cheeseburgers and watching films"."""
    return "and" in thing.low and "VBG" in thing.tags[thing.low.index("and") :]


def _beside(thing: Noun) -> bool:
    """Whether another noun phrase follows the object: "give my dog a bone", "like fruits, especially apples"."""
    clause, following = thing.clause, thing.following
    if not following:
        return False
    if following[0].kind == "np" and following[0].start == thing.phrase.end:
        end = ending(clause, following[0])
        return end not in {"best", "most", "least", "ago"} | w.TIME_UNITS | w.TIMES | w.DAYS | w.SEASONS
    return opening(clause, following[0]) in {"especially", "specially"}


def object_of(r: Reading) -> Phrase | None:
    """Returns the direct object of the clause."""
    for phrase in r.clause.phrases:
        if phrase.kind == "np" and not r.time(phrase):
            return phrase if r.clause.tags[phrase.start] != "PRP" else None
        if phrase.kind not in {"adv"} and not r.time(phrase):
            return None
    return None
