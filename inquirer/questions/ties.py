"""Questions about what a preposition ties to the verb: what do you listen to? who were you raised by?"""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.questions.categories import category_of
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import BEHIND_OBJECT, LIGHT, PREPOSITIONAL_VERBS, STRANDED, TASTES
from inquirer.questions.noun import Noun, ending
from inquirer.questions.stranding import ATTENDED, is_closing, may_be_stranded, stranded, who_or_what
from inquirer.questions.voice import Voice

TEAMS = {"band", "choir", "club", "orchestra", "team"}
HANDING = {"get", "give", "show", "find"}


def of_likeness(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i look like my mom."""
    verb = thing.clause.deepest
    felt = verb == "feel" and thing.clause.tags[thing.phrase.body] == "DT"
    if thing.opener != "like" or not (verb in {"look", "sound", "smell", "taste"} or felt):
        return None
    return [] if thing.before else stranded(thing, voice, who_or_what(thing), 0.7)


def of_namesake(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i named my dog after my uncle."""
    before = thing.before
    if thing.opener != "after" or thing.clause.deepest != "name" or not before or before[0].kind != "np":
        return None
    return stranded(thing, voice, who_or_what(thing), 0.8)


def of_studies(thing: Noun, voice: Voice) -> list[Asked]:
    """i go to school for nursing."""
    schooled = thing.previous is not None and ending(thing.clause, thing.previous) in ATTENDED
    if thing.opener != "for" or thing.clause.deepest != "go" or not schooled or len(thing.low) > 1:
        return []
    return stranded(thing, voice, "What", 0.7)


def of_verb(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i listen to jazz, i work for boeing: the verb is known to take this preposition."""
    clause, preposition = thing.clause, thing.opener
    pair = (clause.deepest, preposition)
    if preposition not in STRANDED or not thing.adjacent or pair not in PREPOSITIONAL_VERBS:
        return None
    joined = thing.core in TEAMS and preposition in {"for", "with", "to"}
    person = joined or thing.core in w.PEOPLE or pair == ("work", "for")
    if not person and preposition == "at" and clause.deepest in {"work", "study", "teach"}:
        made = ask(clause, voice, "Where", thing.place, [thing.phrase], 0.85)
        return [made] if made else []
    if thing.tags == ("CD",):
        return []
    if person:
        word = "Who"
    elif pair == ("listen", "to") and (
        thing.last in w.GENRES or (thing.core == "music" and len(thing.low) > 1)
    ):
        word = "What kind of music"
    else:
        word = category_of(clause, *thing.place, clause.deepest)
    somebody = preposition == "with" and thing.tags == ("NNP", "NNP")
    somebody |= preposition in {"with", "for"} and thing.low[0] in w.NAMES
    return stranded(thing, voice, word or ("Who" if somebody else "What"), 0.85)


def of_expectation(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i am looking forward to retirement."""
    ahead = [p for p in thing.before if ending(thing.clause, p) == "forward"]
    if thing.clause.deepest != "look" or thing.opener != "to" or not ahead:
        return None
    return stranded(thing, voice, "What", 0.8)


def of_leaving(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i dropped out of school."""
    out = thing.previous is not None and ending(thing.clause, thing.previous) == "out"
    if thing.opener != "of" or not out or thing.clause.deepest not in {"run", "drop", "move", "grow", "kick"}:
        return None
    return stranded(thing, voice, "What", 0.75)


def of_participle(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i am obsessed with horses."""
    clause = thing.clause
    being = [clause.words[i].lower for i in clause.auxiliaries]
    if (
        thing.opener not in {"with", "from", "for", "into", "about"}
        or len(being) != 1
        or being[0] not in {"is", "are", "was", "were", "am", "'m", "'re"}
        or clause.tags[clause.verb] != "VBN"
        or not thing.adjacent
        or thing.core in w.PLACES | w.FREE_ENDS
    ):
        return None
    return stranded(thing, voice, who_or_what(thing), 0.65)


def of_doer(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i was raised by my aunt."""
    clause = thing.clause
    passive = bool(clause.auxiliaries) and clause.tags[clause.verb] == "VBN"
    if thing.opener != "by" or not passive or not thing.adjacent:
        return None
    named = thing.low[0] in w.NAMES or thing.tags[0] == "NNP"
    return stranded(thing, voice, "Who" if named else who_or_what(thing), 0.75)


def of_complement(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i volunteer with refugees: any verb with a preposition that may be left behind."""
    free = thing.adjacent and thing.opener in {"to", "for", "about", "from", "on", "with"}
    if not free or thing.tags[0] == "CD" or thing.core in w.PLACES or not may_be_stranded(thing):
        return None
    return stranded(thing, voice, who_or_what(thing), 0.6)


def of_use(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i spend my money on shoes."""
    known = (thing.clause.deepest, thing.opener) in BEHIND_OBJECT
    if not known or thing.previous is None or thing.previous.kind != "np":
        return None
    return stranded(thing, voice, "What", 0.75)


def of_purpose(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i write songs for bands: behind an object."""
    clause, verb, preposition = thing.clause, thing.clause.deepest, thing.opener
    if (
        preposition not in {"for", "to", "on", "from", "with"}
        or not is_closing(thing)
        or thing.core in w.PLACES | w.FREE_ENDS
        or thing.tags[0] == "CD"
    ):
        return None
    schooled = verb == "go" and thing.previous is not None and ending(clause, thing.previous) in ATTENDED
    if verb in LIGHT - HANDING | TASTES | {"want", "need", "ask", "wait"} and not schooled:
        return None
    if verb not in HANDING and not may_be_stranded(thing):
        return None
    if preposition == "with" and {"my", "our"} & set(thing.low[1:]):
        return []
    somebody = preposition in {"with", "for", "to"} and thing.tags == ("NNP", "NNP")
    return stranded(thing, voice, "Who" if somebody else "What", 0.6)


def of_quality(thing: Noun, voice: Voice) -> list[Asked] | None:
    """it made me afraid of dogs."""
    if thing.opener != "of" or thing.previous is None or thing.previous.kind != "adj":
        return None
    return stranded(thing, voice, "What", 0.7)
