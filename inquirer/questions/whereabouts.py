"""Questions whose answer is a place: where do you live, come back from, go?"""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import LEAVING, WHOLE_IDIOMS
from inquirer.questions.noun import Noun, ending, noun, opening
from inquirer.questions.rule import rule
from inquirer.questions.singles import of_whereabouts
from inquirer.questions.stranding import ATTENDED, stranded
from inquirer.questions.times import LOCATIVE, NOT_PLACES, is_place, time_word
from inquirer.questions.voice import Voice

GOING = {"go", "travel", "head", "drive", "fly", "walk"}
OUTINGS = w.SPORTS | {
    "break", "class", "hike", "jog", "lesson", "lessons", "practice", "ride", "run", "shift", "swim", "tour", "trip",
    "vacation", "walk", "workout",
}  # fmt: skip
NOT_HOMES = {"love", "fear", "peace", "hope", "poverty", "moment", "past", "present", "edge", "world"}
NOT_VISITED = w.PEOPLE | w.JOBS | w.FREE_ENDS | NOT_PLACES | WHOLE_IDIOMS | {"bed", "sleep", "war", "work"}
NOT_SPOTS = NOT_PLACES | {
    "stake",
    "age",
    "end",
    "beginning",
    "point",
    "moment",
    "top",
    "rate",
    "price",
    "cost",
}
PLACING = {"in", "at", "on", "near", "to", "around", "outside", "through"}


def of_home(thing: Noun, voice: Voice) -> list[Asked] | None:
    """live close to my school in philadelphia: one question, whatever else is said of the place."""
    clause, phrase = thing.clause, thing.phrase
    living = clause.deepest == "live" and thing.opener in {"in", "at", "near", "on"}
    if not living or thing.core in NOT_HOMES or not _is_place(thing):
        return None
    others = [
        p
        for p in clause.phrases
        if p is not phrase
        and (p.kind == "adv" or (p.kind == "pp" and opening(clause, p) != "with"))
        and not time_word(clause, p)
    ]
    places = [phrase, *(p for p in others if p.kind == "pp")]
    reach = phrase.end
    for other in places:
        if other.start == reach and opening(clause, other) in {"in", "near", "at", "on", "of"}:
            reach = other.end
    return _where(thing, voice, 0.9, others, reach)


@rule("origin", True)
def of_return(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i just got back from maine."""
    clause, body = thing.clause, thing.phrase.body
    if thing.opener != "from" or clause.deepest not in {"get", "come", "return"}:
        return None
    turned = any(opening(clause, p) in {"back", "home"} for p in clause.phrases)
    last = all(
        time_word(clause, p) or p.kind == "adv" for p in clause.phrases if p.start > thing.phrase.start
    )
    counted = clause.tags[body] == "CD" and [x.lower for x in clause.words[body + 1 : body + 2]] != ["of"]
    if not turned or not last or counted or thing.gerund or thing.low[0].endswith("ing"):
        return None
    return stranded(thing, voice, "What" if thing.last in OUTINGS else "Where", 0.75)


@rule("place", of_whereabouts)
def of_place(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i work at a bank, in a small town, in ohio: one place told twice."""
    clause, phrase, preposition, before = thing.clause, thing.phrase, thing.opener, thing.before
    if preposition not in PLACING or not _is_place(thing):
        return None
    if clause.deepest in {"love", "like", "want", "need", "hate", "feel"}:
        return []
    if clause.deepest == "have" and any(p.kind == "np" and ending(clause, p) in w.PEOPLE for p in before):
        return []  # i have a son in high school
    if clause.deepest in {"keep", "put", "store", "tend"} and not before:
        return []  # a collection that i keep in the back of my yacht
    if clause.deepest == "get" and preposition == "through":
        return []
    later = [p for p in clause.phrases if p.start >= phrase.end and p.kind in {"inf", "pp"}]
    if clause.deepest == "go" and thing.last in {"school", "college", "university"} and later:
        return []  # to school to be a vet, to school at yale
    if any(p.kind == "adj" or opening(clause, p) == "forward" for p in before):
        return []
    if preposition == "to" and clause.deepest == "come":
        return []
    if preposition == "to" and clause.deepest == "get":  # back to the playground; i just got to work
        return stranded(thing, voice, "Where", 0.7) if before else []
    headed = any(
        p.kind == "pp" and opening(clause, p) == "to" and ending(clause, p) not in ATTENDED for p in before
    )
    if headed and preposition in {"at", "in", "on"}:
        return []
    if before and ending(clause, before[-1]) in ATTENDED and preposition in {"in", "at"}:
        return _where(thing, voice, 0.9)
    others = _further_places(thing)
    attended = preposition == "to" and thing.last in ATTENDED - {"church"}
    if attended and (others or clause.deepest in {"take", "bring"}):
        return []
    if any(p.start < phrase.start for p in others):
        return []
    told = [phrase, *others]
    reach = max(p.end for p in told)
    whole = reach - phrase.start == sum(p.end - p.start for p in told)
    usual = clause.deepest in LOCATIVE or clause.tags[clause.verb] == "VBD"
    return _where(thing, voice, 0.9 if usual else 0.7, others, reach if whole else phrase.end)


@rule("origin", True)
def of_origin(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i moved to ohio from texas."""
    clause = thing.clause
    if thing.opener != "from" or not _is_place(thing):
        return None
    directed = all(p.kind == "adv" or opening(clause, p) == "to" for p in thing.before)
    described = any(p.kind == "adj" for p in clause.phrases)
    if clause.deepest not in LEAVING - {"have"} or not directed or described:
        return []
    if clause.deepest == "go" and thing.last == "home":
        return []  # i go to school from home
    ends = [p for p in clause.phrases if p.kind == "pp" and opening(clause, p) in {"to", "in", "at"}]
    return stranded(thing, voice, "Where", 0.85, ends)


def of_outing(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i go to concerts: what one goes to and what is no deed."""
    going = thing.opener == "to" and thing.adjacent and thing.clause.deepest in GOING
    nominal = set(thing.tags) <= {"NN", "NNS", "NNP", "JJ", "DT", "PRP$", "POS"}
    return _where(thing, voice, 0.75) if going and nominal and thing.last not in NOT_VISITED else None


def of_spot(thing: Noun, voice: Voice) -> list[Asked] | None:
    """i met him at a fair."""
    clause = thing.clause
    somebody = voice.own(clause) or clause.subject_words[-1].lower in w.PEOPLE | {"he", "she", "they"}
    opened = clause.words[thing.phrase.body].lower in {"a", "an", "the"}
    if thing.opener != "at" or not somebody or not opened or thing.core in NOT_SPOTS:
        return None
    return _where(thing, voice, 0.75)


def _is_place(thing: Noun) -> bool:
    return is_place(thing.clause, *thing.place, thing.opener)


def _further_places(thing: Noun) -> list[Phrase]:
    clause = thing.clause
    return [
        p
        for p in clause.phrases
        if p is not thing.phrase
        and p.kind == "pp"
        and opening(clause, p) in {"in", "at", "near", "on", "outside"}
        and _is_place(noun(clause, p))
    ]


@rule("place", of_whereabouts)
def _where(
    thing: Noun, voice: Voice, score: float, besides: Sequence[Phrase] = (), reach: int | None = None
) -> list[Asked]:
    """`besides` is left out of the question, `reach` is where the answer ends."""
    place = (thing.start, reach or thing.phrase.end)
    made = ask(thing.clause, voice, "Where", place, [thing.phrase, *besides], score)
    return [made] if made else []
