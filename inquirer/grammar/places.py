"""Rules for places: where somebody lives, works, comes from or goes."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.jobs import is_machine, works
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed

RULES = Rules()
TASTES = listed("tastes")
PLACING = {"in", "at", "on", "near", "to", "around", "outside", "through"}
INSIDE = {"in", "at", "near", "on", "of", "outside"}
GOING = {"go", "travel", "head", "drive", "fly", "walk"}
NOT_VISITED = (
    w.PEOPLE | w.JOBS | w.FREE_ENDS | listed("not-places") | listed("idiom-objects") | listed("not-visited")
)


def _reach(r: Reading, phrase: Phrase) -> tuple[list[Phrase], int]:
    """Returns all phrases of a place and where its last phrase ends, for example "in a small town, in ohio"."""
    others = [
        p for p in r.phrases if p is not phrase and p.kind == "pp" and r.low(p)[0] in INSIDE and r.is_place(p)
    ]
    end = phrase.end
    for other in others:
        if other.start == end:
            end = other.end
    return [phrase, *others], end


@RULES.add(
    "home",
    matches="somebody lives somewhere",
    asks="Where do you live?",
    single=True,
    examples={
        "i live in a small town in texas": "Where do you live?",
        "i live in ohio with my dog": "Where do you live?",
    },
)
def home(r: Reading) -> Iterator[Asked | None]:
    if r.verb not in {"live", "reside"}:
        return
    for phrase in r.phrases:
        if phrase.kind == "pp" and r.low(phrase)[0] in INSIDE and r.is_place(phrase):
            if r.noun(phrase).core in listed("not-homes"):
                return
            others = [p for p in r.clause.phrases if p.kind in {"adv", "pp"} and not r.time(p)]
            _, end = _reach(r, phrase)
            near = r.low(phrase)[0] in {"outside", "near"}  # the answer has the preposition: outside the city
            start = phrase.start if near else r.place(phrase)[0]
            yield r.ask("Where", (start, end), others, single=r.clause.lemma == "live" or None)
            return


@RULES.add(
    "origin",
    matches="somebody is, moved or got back from somewhere",
    asks="Where are you from?",
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
        introduced = r.is_be and r.own and phrase is r.phrases[-1]  # i'm chrissy from minnesota
        if not leaving or (any(p.kind in {"adj", "np"} for p in r.phrases) and not introduced):
            continue
        if introduced and phrase is not r.first:
            you, are = r.voice.you, r.voice.are
            yield r.write(r.place(phrase), f"Where {are} {you} from?", f"where {you} {are} from")
            return
        ends = [p for p in r.phrases if p.kind == "pp" and r.low(p)[0] in {"to", "in", "at", "near"}]
        yield r.ask("Where", phrase, [phrase, *ends], kept=(phrase, "from"))
        return


@RULES.add(
    "location",
    matches="somebody was born or raised somewhere, or something of the speaker's is somewhere",
    asks="Where were you born? Where is your house?",
    single=True,
    examples={
        "i'm in ohio": "Where are you?",
        "i was born in france": "Where were you born?",
        "our house is in boston": "Where is your house?",
    },
)
def location(r: Reading) -> Iterator[Asked | None]:
    born = r.clause.words[r.clause.verb].lower in {"born", "raised"} and bool(r.helpers)
    first = r.first
    stands = r.is_be and r.mine and not r.person
    stands |= r.is_be and r.own and not r.past and _is_named(r)
    if (
        not (born or stands)
        or first is None
        or first.kind != "pp"
        or r.low(first)[0] not in {"in", "at", "near", "on"}
    ):
        return
    if r.is_place(first) and not r.time(first) and (r.own or r.person or r.mine):
        covered, end = _reach(r, first)
        yield r.ask("Where", (r.place(first)[0], end), covered)


def _is_named(r: Reading) -> bool:
    """Whether the clause only says that somebody is in a place with a name, for example "i'm in ohio"."""
    first = r.first
    if first is None or first.kind != "pp" or r.low(first)[0] != "in" or len(r.phrases) > 1:
        return False
    return bool({r.noun(first).core, r.low(first)[-1]} & w.CITIES)


@RULES.add(
    "grade",
    matches="somebody is in a grade or year of school",
    asks="What grade are you in?",
    single=True,
    examples={"i am in the third grade": "What grade are you in?"},
)
def grade(r: Reading) -> Iterator[Asked]:
    first = r.first
    if not r.is_be or first is None or first.kind != "pp" or r.low(first)[0] != "in" or r.past:
        return
    low = r.low(first)[1:]
    unit = next((x for x in ("grade", "year") if x == low[-1]), "")
    if unit and any(x in w.ORDINALS - {"next", "last"} or x[0].isdigit() or x in w.NUMBERS for x in low):
        yield r.be(f"What {unit}", r.place(first), "in")


@RULES.add(
    "place",
    matches="somebody does something somewhere",
    asks="Where do you work? Where did you move?",
    single=None,
    examples={
        "my husband works at a bank": "Where does your husband work?",
        "i moved to chicago in 2010": "Where did you move in 2010?",
        "i go to concerts": "Where do you go?",
        "i go to school in manhattan": "Where do you go to school?",
        "i grew up on a farm": "Where did you grow up?",
    },
)
def place(r: Reading) -> Iterator[Asked | None]:
    if (
        r.clause.copular
        or r.verb in {"live", "reside", "have", "feel"}
        or r.verb in TASTES | {"want", "need"}
    ):
        return
    for phrase in r.phrases:
        if phrase.kind == "sub":
            return
        if phrase.kind != "pp" or r.time(phrase) or not _is_there(r, phrase):
            continue
        covered, end = _reach(r, phrase)
        if r.low(phrase)[-1] in listed("attended") and any(p.start == phrase.end for p in r.phrases):
            if len(covered) < 2:
                return
            covered, phrase = covered[1:], covered[1]  # i go to school in manhattan
            end = covered[-1].end
        first = min(covered, key=lambda p: p.start)
        yield r.ask("Where", (r.place(first)[0], max(end, first.end)), covered, single=_single(r))
        return


def _is_there(r: Reading, phrase: Phrase) -> bool:
    preposition, thing = r.low(phrase)[0], r.noun(phrase)
    if r.clause.tags[phrase.body] in {"PRP", "VBG"} or preposition not in PLACING:
        return False
    before = [p for p in r.phrases if p.start < phrase.start]
    if any(p.kind in {"adj", "inf", "ger", "rest"} for p in before):
        return False
    if preposition == "to":
        visited = r.verb in GOING and thing.last not in NOT_VISITED
        moved = r.verb in {"move", "relocate", "come", "return", "be", "commute"}
        return (visited or moved) and (r.is_place(phrase) or visited) and not before
    spot = preposition == "at" and r.low(phrase)[1:2] in (["a"], ["an"], ["the"]) and (r.own or r.person)
    spot = spot and thing.core not in listed("not-spots") | listed("not-places") | listed("idiom-objects")
    return (r.is_place(phrase) or spot) and not (
        r.verb in {"look", "come", "get", "put", "keep", "take"} and not before
    )


def _single(r: Reading) -> bool | None:
    """Whether the fact has only one place. People are born in one place, but may like to walk in many places."""
    if r.chained:
        return False
    settled = r.verb in {
        "work",
        "study",
        "bear",
        "raise",
        "grow",
        "move",
        "attend",
        "graduate",
        "teach",
        "stay",
    }
    return True if settled or (r.past and r.clause.lemma != "use") else False if r.verb in GOING else None


@RULES.add(
    "workplace",
    matches="`I am` with a job and a place",
    asks="Where are you a nurse?",
    single=True,
    examples={"i'm a nurse at a local hospital": "Where are you a nurse?"},
)
def workplace(r: Reading) -> Iterator[Asked | None]:
    if not r.is_be or len(r.phrases) < 2 or r.phrases[0].kind != "np" or r.phrases[1].kind != "pp":
        return
    first, spot = r.phrases[:2]
    core = r.noun(first).core
    trade = works(core, core) and not is_machine(r.clause, first)
    last = all(r.time(p) or p.kind in {"rest", "sub"} for p in r.phrases[2:])
    if (r.own or r.person) and trade and last and r.low(spot)[0] in {"in", "at"} and r.is_place(spot):
        yield r.ask("Where", spot, [spot])


@RULES.add(
    "been-to",
    matches="somebody has been to a place",
    asks="Where have you been?",
    single=False,
    examples={"i've been to paris": "Where have you been?"},
)
def been_to(r: Reading) -> Iterator[Asked | None]:
    if r.clause.words[r.clause.verb].lower != "been" or not r.helpers or r.first is None:
        return
    if r.first.kind == "pp" and r.low(r.first)[0] == "to" and r.is_place(r.first):
        yield r.ask("Where", r.first, [r.first])
