"""Decides whether a question can ask for a direct object.

The object must not be a time or part of an idiom, and no word may depend on the object.
"""

from __future__ import annotations

from inquirer.grammar.fitness import taken_as_known
from inquirer.grammar.reading import Noun, Reading
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed
from inquirer.language.verb_groups import BECOMING
from inquirer.language.verbs import known

TASTES = listed("tastes")
CAUSED = {"VB", "VBP", "VBD", "JJ", "VBN", "NN", "JJR"}
COMPARED = {"more", "most", "better", "best"}


def is_askable(r: Reading, thing: Noun) -> bool:
    """Whether the phrase is the only object of an active verb and a question can ask for it."""
    chain = {x.lower for x in r.clause.words[slice(*r.clause.chain)]}
    return not (
        thing.low[0] in listed("no-answers")
        or _is_adverbial(r, thing)
        or _is_foreign(r, thing)
        or _is_part(r, thing)
        or is_idle(thing, r.verb)
        or (r.verb in TASTES and taken_as_known(r, thing.phrase))
        or ("and" in chain and "try" not in chain)  # "relax and watch films": of which verb?
    )


def is_idle(thing: Noun, verb: str) -> bool:
    """Whether verb and object together carry little information, for example "take part", "do things", "have fun"."""
    if {thing.last, thing.core} & listed("idiom-objects"):
        return True
    if verb in {"do", "take"}:
        return thing.core not in w.HOBBIES | listed("doing-objects")
    return verb in listed("light-verbs") - {"make", "bring", "find", "get", "have", "see"}


def _is_adverbial(r: Reading, thing: Noun) -> bool:
    """Whether the noun phrase says when, where or how much, for example "every day", "christmas", "my time"."""
    nowhere = thing.last in listed("nowhere") and r.verb not in TASTES
    spent = r.verb == "spend" and thing.low[0] in {"time", "my", "most", "hours"}
    return thing.last in w.TIME_UNITS or thing.core in w.TIMES or nowhere or spent


def _is_foreign(r: Reading, thing: Noun) -> bool:
    """Whether the verb cannot have such an object, which means that the words were misread."""
    clause, end = r.clause, thing.phrase.end
    passive = {"am", "'m", "is", "are", "was", "were", "been", "'re"} & set(r.helpers)
    return (
        r.verb in listed("no-objects")
        or r.verb not in known()
        or (bool(passive) and clause.tags[clause.verb] in {"VBN", "VBD"})
        or (r.chained and clause.words[clause.chain[1] - 1].lower in BECOMING)
        or (r.verb == "get" and (clause.tags[thing.start] == "VBN" or thing.low == ("work",)))
        or (r.verb == "help" and thing.core not in w.PEOPLE)
        or (end < clause.end and clause.tags[end] in {"VBG", "VB", "VBP", "VBN"})
    )


def _is_part(r: Reading, thing: Noun) -> bool:
    """Whether the object alone would be an incomplete answer.

    For example "make me happy", "give my dog a bone", "eating cake and watching films", "like fruits, especially
    apples".
    """
    clause, phrase, following = r.clause, thing.phrase, thing.following
    if "and" in thing.low and "VBG" in thing.tags[thing.low.index("and") :]:
        return True
    caused = phrase.end < clause.end and clause.tags[phrase.end] in CAUSED
    if r.verb == "make" and (caused or (len(thing.low) > 1 and thing.last in known())):
        return True  # the cold makes my joints hurt
    if any(p.kind == "adj" and p.end <= phrase.start for p in clause.phrases):
        return True
    if not following:
        return False
    behind = following[0]
    end = clause.words[behind.end - 1].lower
    if behind.kind == "np" and behind.start == phrase.end:
        return end not in {"best", "most", "least", "ago"} | w.TIME_UNITS | w.TIMES | w.DAYS | w.SEASONS
    aimed = behind.kind == "inf" and thing.core in listed("intentions")
    return aimed or (behind.kind == "adj" and end not in COMPARED) or r.low(behind)[0] == "especially"


def object_of(r: Reading) -> Phrase | None:
    """Returns the direct object of the clause."""
    for phrase in r.clause.phrases:
        if phrase.kind == "np" and not r.time(phrase):
            return phrase if r.clause.tags[phrase.start] != "PRP" else None
        if phrase.kind not in {"adv"} and not r.time(phrase):
            return None
    return None
