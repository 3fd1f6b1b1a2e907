"""Rules for places: where somebody lives, works, comes from or goes."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.identity import is_machine, is_trade
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import rule
from inquirer.language import words as w
from inquirer.language.clause import Phrase

UNPLACED = w.NOT_PLACES | w.IDIOM_OBJECTS
NOT_VISITED = w.PEOPLE | w.JOBS | w.FREE_ENDS | w.NOT_VISITED | UNPLACED


@rule("place", single=None)
def place(r: Reading) -> Iterator[Asked | None]:
    """Somebody lives, works, was born, or does something else somewhere."""
    for phrase in r.phrases:
        if phrase.kind == "sub":
            return
        if phrase.kind != "pp" or r.low(phrase)[0] == "from" or r.time(phrase) or not _is_where(r, phrase):
            continue
        covered, end = _reach(r, phrase)
        if not r.is_be and r.low(phrase)[-1] in w.ATTENDED and any(p.start == phrase.end for p in r.phrases):
            if len(covered) < 2:
                return
            covered, phrase = covered[1:], covered[1]  # i go to school in manhattan
            end = covered[-1].end
        first = min(covered, key=lambda p: p.start)
        outside = r.low(phrase)[0] in {"outside", "near"}  # outside the city
        start = first.start if outside else r.place(first)[0]
        if r.verb in w.LIVING:
            covered = [p for p in r.clause.phrases if p.kind in {"adv", "pp"} and not r.time(p)]
        yield r.ask("Where", (start, max(end, first.end)), covered, single=_single(r))
        return


def _is_where(r: Reading, phrase: Phrase) -> bool:
    """Whether the phrase says where somebody is or does something."""
    preposition, first = r.low(phrase)[0], r.phrases[0]
    if r.verb in w.LIVING:
        homely = r.noun(phrase).core not in w.NOT_HOMES
        return preposition in w.INSIDE and r.is_place(phrase) and homely
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
        return r.own or r.person
    if r.own:  # i'm in ohio
        city = {r.noun(first).core, r.low(first)[-1]} & w.CITIES
        return not r.past and r.low(first)[0] == "in" and len(r.phrases) == 1 and bool(city)
    return r.mine and not r.person and not r.favorite  # our house is in boston


def _is_there(r: Reading, phrase: Phrase) -> bool:
    preposition, thing = r.low(phrase)[0], r.noun(phrase)
    if r.verb in w.TASTES | {"want", "need", "have", "feel"} or preposition not in w.PLACING:
        return False
    before = [p for p in r.phrases if p.start < phrase.start]
    kinds = {p.kind for p in before}
    if r.clause.tags[phrase.body] in {"PRP", "VBG"} or {"adj", "inf", "ger", "rest"} & kinds:
        return False
    if preposition == "to":
        visited = r.verb in w.GOING and thing.last not in NOT_VISITED
        return not before and (visited or (r.verb in w.MOVING and r.is_place(phrase)))
    if not before and r.verb in {"look", "come", "get", "put", "keep", "take"}:
        return False
    spot = preposition == "at" and r.low(phrase)[1:2] in (["a"], ["an"], ["the"]) and (r.own or r.person)
    return r.is_place(phrase) or (spot and thing.core not in w.NOT_SPOTS | UNPLACED)


def _reach(r: Reading, phrase: Phrase) -> tuple[list[Phrase], int]:
    """Returns all phrases of a place and where its last phrase ends, for example "in a small town, in ohio"."""
    places = [p for p in r.phrases if p.kind == "pp" and r.low(p)[0] in w.INSIDE and r.is_place(p)]
    others = [p for p in places if p is not phrase]
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
        return None if r.verb in w.LIVING else False
    if r.is_be or r.verb in w.SETTLED | w.LIVING or (r.past and r.clause.lemma != "use"):
        return True
    return False if r.verb in w.GOING else None


@rule("origin", single=True)
def origin(r: Reading) -> Iterator[Asked | None]:
    """Somebody is, moved or got back from somewhere."""
    for phrase in r.phrases:
        if phrase.kind != "pp" or r.low(phrase)[0] != "from" or not r.is_place(phrase):
            continue
        leaving = r.clause.copular or r.verb in w.LEAVING - {"have", "be", "go"}
        alone = all(p.kind == "np" for p in r.phrases[:-1])
        introduced = r.is_be and r.own and phrase is r.phrases[-1] and alone  # i'm chrissy from minnesota
        if not leaving or (any(p.kind in {"adj", "np"} for p in r.phrases) and not introduced):
            continue
        others = [p for p in r.phrases if r.low(p)[0] in {"to", "in", "at", "near"} or introduced]
        yield r.ask("Where", phrase, [phrase, *others], kept=(phrase, "from"))
        return


@rule("grade", single=True)
def grade(r: Reading) -> Iterator[Asked]:
    """Somebody is in a grade or year of school."""
    first = r.first
    if first is None or not r.is_be or r.past:
        return
    low, counted = r.low(first), w.ORDINALS - {"next", "last"} | w.NUMBERS
    if low[0] == "in" and low[-1] in {"grade", "year"} and any(x in counted or x[0].isdigit() for x in low):
        yield r.be(f"What {low[-1]}", r.place(first), "in")
