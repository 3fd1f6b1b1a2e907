"""Rules for places: where somebody lives, works, comes from or goes."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.jobs import is_machine, is_trade
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed

RULES = Rules()
LIVING = {"live", "reside"}
PLACING = {"in", "at", "on", "near", "to", "around", "outside", "through"}
INSIDE = {"in", "at", "near", "on", "of", "outside"}
GOING = {"go", "travel", "head", "drive", "fly", "walk"}
MOVING = {"move", "relocate", "come", "return", "be", "commute"}
SETTLED = {"work", "study", "bear", "raise", "grow", "move", "attend", "graduate", "teach", "stay"}
UNPLACED = listed("not-places") | listed("idiom-objects")
NOT_VISITED = w.PEOPLE | w.JOBS | w.FREE_ENDS | listed("not-visited") | UNPLACED


@RULES.add(
    "place",
    "somebody lives, works, was born, or does something else somewhere",
    single=None,
    examples={
        "i live in a small town in texas": "Where do you live?",
        "my husband works at a bank": "Where does your husband work?",
        "i moved to chicago in 2010": "Where did you move in 2010?",
        "i was born in france": "Where were you born?",
        "our house is in boston": "Where is your house?",
        "i'm a nurse at a local hospital": "Where are you a nurse?",
        "i've been to paris": "Where have you been?",
    },
)
def place(r: Reading) -> Iterator[Asked | None]:
    for phrase in r.phrases:
        if phrase.kind == "sub":
            return
        if phrase.kind != "pp" or r.low(phrase)[0] == "from" or r.time(phrase) or not _is_where(r, phrase):
            continue
        covered, end = _reach(r, phrase)
        if (
            not r.is_be
            and r.low(phrase)[-1] in listed("attended")
            and any(p.start == phrase.end for p in r.phrases)
        ):
            if len(covered) < 2:
                return
            covered, phrase = covered[1:], covered[1]  # i go to school in manhattan
            end = covered[-1].end
        first = min(covered, key=lambda p: p.start)
        start = (
            first.start if r.low(phrase)[0] in {"outside", "near"} else r.place(first)[0]
        )  # outside the city
        if r.verb in LIVING:
            covered = [p for p in r.clause.phrases if p.kind in {"adv", "pp"} and not r.time(p)]
        yield r.ask("Where", (start, max(end, first.end)), covered, single=_single(r))
        return


def _is_where(r: Reading, phrase: Phrase) -> bool:
    """Whether the phrase says where somebody is or does something."""
    preposition, first = r.low(phrase)[0], r.phrases[0]
    if r.verb in LIVING:
        homely = r.noun(phrase).core not in listed("not-homes")
        return preposition in INSIDE and r.is_place(phrase) and homely
    if r.verb_word == "been" and r.helpers and preposition == "to":
        return phrase is first and r.is_place(phrase)
    if r.is_be or r.verb_word in {"born", "raised"}:
        within = preposition in {"in", "at", "near", "on"} and r.is_place(phrase)
        return within and _is_placed(r, phrase, first)
    return not r.clause.copular and _is_there(r, phrase)


def _is_placed(r: Reading, phrase: Phrase, first: Phrase) -> bool:
    """Whether the clause tells the place of a birth, a home, a thing or a job."""
    if first.kind == "np":  # i'm a nurse at a local hospital
        trade = is_trade(r.noun(first)) and not is_machine(r, first)
        last = all(r.time(p) or p.kind in {"rest", "sub"} for p in r.phrases[2:])
        return trade and (r.own or r.person) and phrase is r.phrases[1] and last
    if phrase is not first:
        return False
    if not r.is_be:
        return bool(r.helpers) and (r.own or r.person or r.mine)
    if r.own:  # i'm in ohio
        city = {r.noun(first).core, r.low(first)[-1]} & w.CITIES
        return not r.past and r.low(first)[0] == "in" and len(r.phrases) == 1 and bool(city)
    return r.mine and not r.person and not r.favorite  # our house is in boston


def _is_there(r: Reading, phrase: Phrase) -> bool:
    preposition, thing = r.low(phrase)[0], r.noun(phrase)
    if r.verb in listed("tastes") | {"want", "need", "have", "feel"} or preposition not in PLACING:
        return False
    before = [p for p in r.phrases if p.start < phrase.start]
    if r.clause.tags[phrase.body] in {"PRP", "VBG"} or {"adj", "inf", "ger", "rest"} & {
        p.kind for p in before
    }:
        return False
    if preposition == "to":
        visited = r.verb in GOING and thing.last not in NOT_VISITED
        return not before and (visited or (r.verb in MOVING and r.is_place(phrase)))
    if not before and r.verb in {"look", "come", "get", "put", "keep", "take"}:
        return False
    spot = preposition == "at" and r.low(phrase)[1:2] in (["a"], ["an"], ["the"]) and (r.own or r.person)
    return r.is_place(phrase) or (spot and thing.core not in listed("not-spots") | UNPLACED)


def _reach(r: Reading, phrase: Phrase) -> tuple[list[Phrase], int]:
    """Returns all phrases of a place and where its last phrase ends, for example "in a small town, in ohio"."""
    others = [p for p in r.phrases if p is not phrase and p.kind == "pp" and r.low(p)[0] in INSIDE]
    others = [p for p in others if r.is_place(p)]
    end, words = phrase.end, r.clause.words
    for other in others:
        end = other.end if other.start == end else end
    if end < r.clause.end and words[end].lower in {"called", "named"}:
        end += 1
        while end < r.clause.end and r.clause.tags[end].startswith("NN"):
            end += 1
    return [phrase, *others], end


def _single(r: Reading) -> bool | None:
    """Whether the fact has only one place. People are born in one place, but may like to walk in many places."""
    if r.chained or r.verb_word == "been":
        return None if r.verb in LIVING else False
    if r.is_be or r.verb in SETTLED | LIVING or (r.past and r.clause.lemma != "use"):
        return True
    return False if r.verb in GOING else None


@RULES.add(
    "origin",
    "somebody is, moved or got back from somewhere",
    single=True,
    examples={
        "i'm from ohio": "Where are you from?",
        "my family is originally from italy": "Where is your family originally from?",
    },
)
def origin(r: Reading) -> Iterator[Asked | None]:
    for phrase in r.phrases:
        if phrase.kind != "pp" or r.low(phrase)[0] != "from" or not r.is_place(phrase):
            continue
        leaving = r.clause.copular or r.verb in listed("leaving") - {"have", "be", "go"}
        alone = all(p.kind == "np" for p in r.phrases[:-1])
        introduced = r.is_be and r.own and phrase is r.phrases[-1] and alone  # i'm chrissy from minnesota
        if not leaving or (any(p.kind in {"adj", "np"} for p in r.phrases) and not introduced):
            continue
        others = [p for p in r.phrases if r.low(p)[0] in {"to", "in", "at", "near"} or introduced]
        yield r.ask("Where", phrase, [phrase, *others], kept=(phrase, "from"))
        return


@RULES.add(
    "grade",
    "somebody is in a grade or year of school",
    single=True,
    examples={"i am in the third grade": "What grade are you in?"},
)
def grade(r: Reading) -> Iterator[Asked]:
    first = r.first
    if first is None or not r.is_be or r.past:
        return
    low, counted = r.low(first), w.ORDINALS - {"next", "last"} | w.NUMBERS
    if low[0] == "in" and low[-1] in {"grade", "year"} and any(x in counted or x[0].isdigit() for x in low):
        yield r.be(f"What {low[-1]}", r.place(first), "in")
