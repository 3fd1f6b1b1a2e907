"""Prepositions left behind at the end of a question: who do you work for?"""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import LIGHT, TASTES, WHOLE_IDIOMS
from inquirer.questions.noun import Noun, ending
from inquirer.questions.times import time_word
from inquirer.questions.voice import Voice

ATTENDED = {"school", "college", "university", "church", "work"}
ON_IDIOMS = {
    "tv", "weekends", "own", "occasion", "computer", "line", "internet", "phone", "average", "purpose",
    "vacation", "way",
}  # fmt: skip


def stranded(
    thing: Noun, voice: Voice, word: str, score: float, besides: Sequence[Phrase] = ()
) -> list[Asked]:
    """The question that ends in the thing's preposition, without what it says `besides`."""
    phrase = thing.phrase
    made = ask(thing.clause, voice, word, thing.place, [phrase, *besides], score, (phrase, thing.opener))
    return [made] if made else []


def who_or_what(thing: Noun) -> str:
    return "Who" if thing.core in w.PEOPLE else "What"


def may_be_stranded(thing: Noun) -> bool:
    """Whether any verb may leave this preposition behind."""
    verb, preposition = thing.clause.deepest, thing.opener
    if verb not in {"serve", "spend"} and any(
        p.kind == "np" and ending(thing.clause, p) in WHOLE_IDIOMS for p in thing.before
    ):
        return False  # got time in jail
    if verb in TASTES | {"need", "live"} or (verb in LIGHT and not _studying(thing)):
        return False
    if verb in {"run", "walk", "drive"} and preposition != "for":
        return False
    if preposition == "for" and thing.last in w.TIME_UNITS | w.FREE_ENDS:
        return False
    if preposition == "on" and (thing.low[0] in {"each", "all"} or thing.last in ON_IDIOMS):
        return False
    return thing.last not in {"self", "most", "least", "ways"}


def _studying(thing: Noun) -> bool:
    """i go to school for nursing."""
    clause = thing.clause
    attended = any(ending(clause, p) in ATTENDED for p in clause.phrases if p.kind == "pp")
    return (clause.deepest, thing.opener) == ("go", "for") and attended


def is_closing(thing: Noun) -> bool:
    """Whether an object stands before it and only times behind it."""
    clause, before = thing.clause, thing.before
    behind = clause.phrases[len(before) + 1 :]
    things = [p for p in before if p.kind == "np" and clause.tags[p.start] != "PRP"]
    plain = all(p.kind in {"np", "adv"} for p in before) and len(things) == 1 and before[-1].kind == "np"
    plain |= len(before) == 1 and before[0].kind == "pp" and ending(clause, before[0]) in ATTENDED
    return plain and all(time_word(clause, p) or p.kind == "adv" for p in behind)
