"""Whether an object is one to ask for: no time, no part of an idiom, nothing that other words hang on."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.language.verb_groups import BECOMING
from inquirer.language.verbs import known
from inquirer.questions.lists import LIGHT, TASTES, WHOLE_IDIOMS
from inquirer.questions.noun import Noun, ending, opening

ACTIVITIES = w.HOBBIES | {
    "yoga",
    "pilates",
    "karate",
    "crossfit",
    "crosswords",
    "puzzles",
    "ballet",
    "chores",
}
INTRANSITIVE = {"live", "go", "come", "arrive", "die", "jam", "major", "sit", "stay", "lets"}
PREPOSITIONAL = {"work", "listen", "look", "wait", "end", "graduate"}
RECEIVING = {"give", "call", "name", "teach", "offer", "ask"}
INTENTIONS = {"decision", "choice", "effort", "attempt", "plan", "promise"}
QUANTIFIERS = {"every", "each", "too", "so", "much", "many", "more", "enough", "less"}
POINTERS = {"no", "its", "ye", "alot", "that", "this", "those"}
NOWHERE = {"outdoors", "outside", "indoors", "inside", "home", "abroad", "online"}


def is_askable(thing: Noun, verb: str) -> bool:
    """Whether the verb has this object, and no other, in the active voice."""
    return not (
        _adverbial(thing, verb)
        or thing.low[0] in POINTERS
        or thing.low == ("lots",)
        or _foreign(thing, verb)
        or _passive(thing)
        or _attributed(thing, verb)
        or _beside(thing)
    )


def is_idle(thing: Noun, verb: str) -> bool:
    """Whether verb and object say little: take part, do things, have fun."""
    if thing.core == "job" and thing.low[0] == "my" and verb in TASTES:
        return False
    if {thing.last, thing.core} & WHOLE_IDIOMS:
        return True
    light = verb in LIGHT - {"make", "bring", "find", "get", "have"}
    return light and not _weighty(thing, verb)


def _adverbial(thing: Noun, verb: str) -> bool:
    """every day, christmas, my time: when or how much, and not what."""
    return (
        thing.last in w.TIME_UNITS
        or thing.low[0] in QUANTIFIERS
        or thing.core in w.TIMES
        or (thing.last in NOWHERE and verb not in TASTES)
        or (thing.last == "little" and verb not in TASTES)
        or (verb == "spend" and thing.low[0] in {"time", "my", "most", "hours"})
    )


def _foreign(thing: Noun, verb: str) -> bool:
    """Whether the verb takes no such object: what stands behind it was misread."""
    clause, tag = thing.clause, thing.clause.tags[thing.start]
    return (
        verb in INTRANSITIVE | PREPOSITIONAL
        or (clause.chain[1] > clause.chain[0] and clause.words[clause.chain[1] - 1].lower in BECOMING)
        or clause.deepest not in known()
        or (verb in {"name", "call"} and len(thing.following) == len(clause.phrases) - 1)
        or (verb == "get" and (tag == "VBN" or thing.low == ("work",)))
        or (verb == "help" and tag in {"NN", "NNS", "VB"} and thing.core not in w.PEOPLE)
    )


def _passive(thing: Noun) -> bool:
    clause = thing.clause
    helped = any(
        clause.words[i].lower in {"am", "'m", "is", "are", "was", "were", "been", "'re"}
        for i in clause.auxiliaries
    )
    return helped and clause.tags[clause.verb] in {"VBN", "VBD"} and clause.deepest not in RECEIVING


def _attributed(thing: Noun, verb: str) -> bool:
    """make me happy, make people laugh, made the decision to go: the object alone is not the answer."""
    clause, phrase, following = thing.clause, thing.phrase, thing.following
    if any(p.kind == "adj" and p.end <= phrase.start for p in clause.phrases):
        return True
    causing = {"VB", "VBP", "VBD", "JJ", "VBN", "NN", "JJR"}
    if verb == "make" and phrase.end < clause.end and clause.tags[phrase.end] in causing:
        return True
    if not following:
        return False
    if following[0].kind == "inf" and thing.core in INTENTIONS:
        return True
    compared = ending(clause, following[0]) in {"more", "most", "better", "best"}
    coloring = verb in {"make", "paint", "dye", "keep", "find"}
    return following[0].kind == "adj" and not compared and not coloring


def _beside(thing: Noun) -> bool:
    """Whether another thing follows: give my dog a bone, like fruits, especially apples."""
    clause, following = thing.clause, thing.following
    if not following:
        return False
    end = ending(clause, following[0])
    degree = {"best", "most", "least", "myself", "ourselves"}
    if following[0].kind == "np" and following[0].start == thing.phrase.end:
        return end not in degree | w.TIME_UNITS | w.TIMES | w.DAYS | {"ago"} or _listed(thing)
    return _listed(thing)


def _listed(thing: Noun) -> bool:
    following = thing.following
    special = opening(thing.clause, following[0]) in {"especially", "specially"}
    return special and len(following) > 1 and following[1].kind == "np"


def _weighty(thing: Noun, verb: str) -> bool:
    """Light verbs with an object that says something: do yoga, take the bus, gave me a comic."""
    clause, core = thing.clause, thing.core
    if verb == "do":
        return core in ACTIVITIES and len(clause.phrases) > 1
    if verb == "take":
        return core in {"bus", "train", "subway", "pills", "medication", "vitamins", "lessons", "classes"}
    if verb == "know":
        return core not in {"way", "answer", "feeling", "word", "reason", "truth", "deal", "name"}
    if verb in {"give", "show"}:
        receiver = thing.previous
        return receiver is not None and receiver.kind == "np" and clause.tags[receiver.start] == "PRP"
    return False
