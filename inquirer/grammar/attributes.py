"""Rules for properties of the speaker's things: names, favourites, colours, dreams."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked, have_got
from inquirer.grammar.kinds import class_of
from inquirer.grammar.reading import FAVORITE, Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed

RULES = Rules()
IDENTIFYING = listed("identifying")
SEVERAL = listed("several-valued")
DATED = {"anniversary", "appointment", "birthday", "exam", "wedding"}
OWNERS = {"my", "our", "his", "her", "their"}


def _value(r: Reading) -> Phrase | None:
    """Returns the phrase after `be` if the subject belongs to the speaker or a named person, else None."""
    owned = r.subject[0] in OWNERS or (r.subject[-1] == "name" and "'s" in r.subject)
    first = r.first
    if not owned or not r.is_be or first is None or first.kind not in {"np", "adj", "ing"}:
        return None
    low = set(r.low(first))
    if low & {"you", "your"} or (r.clause.tags[first.start] == "PRP" and first.kind == "np"):
        return None
    return first


def _one(r: Reading) -> bool:
    return not (r.core in SEVERAL or r.subject[-1] in SEVERAL)


@RULES.add(
    "favorite",
    matches="my favourite thing is …, or … is my favourite thing",
    asks="What is your favorite color?",
    single=True,
    examples={
        "my favorite color is green": "What is your favorite color?",
        "my favorite singer is adele": "Who is your favorite singer?",
        "pizza is my favorite food": "What is your favorite food?",
    },
)
def favorite(r: Reading) -> Iterator[Asked]:
    first = _value(r)
    if first is not None and r.favorite and r.subject[-1] not in {"part", "parts", "thing", "things", "one"}:
        if r.subject[-1] not in FAVORITE:
            person = r.core in w.PERSON_NOUNS | w.JOBS
            yield r.be("Who" if person else "What", r.place(first), single=not r.subject[-1].endswith("s"))
        else:
            yield from _unnamed(r, first)
    yield from _reversed(r)


def _unnamed(r: Reading, answer: Phrase) -> Iterator[Asked]:
    """Asks what the speaker's favorite is if the clause does not name its kind: "pizza is my favorite"."""
    place, your = r.place(answer), f"{r.voice.your} favorite"
    thing = class_of(r.clause, *place) or (r.voice.topic if answer.kind == "np" else "")
    if thing:
        yield r.write(place, f"What is {your} {thing}?", f"what {your} {thing} is", True)


def _reversed(r: Reading) -> Iterator[Asked]:
    """Asks for the subject of a clause such as "pizza is my favorite food"."""
    first = r.first
    start, end = r.clause.subject
    if not r.is_be or first is None or first.kind != "np" or end <= start or set(r.subject) & w.PERSONS:
        return
    low = r.low(first)
    if low[0] not in {"my", "our"} or r.subject[0] in OWNERS or set(r.subject) & listed("vague"):
        return
    what = low[1:]
    if len(what) == 1 and what[0] in FAVORITE:
        if r.alone and r.clause.phrases[-1].kind != "rest":  # not: cookies are my favorite to bake
            yield from _unnamed(r, Phrase("np", start, end, start))
        return
    if not (what[0] in FAVORITE and len(what) > 1) and low[-1] not in IDENTIFYING:
        return
    if low[-1] in {"thing", "things", "part", "one"}:
        return
    be = "are" if low[-1].endswith("s") else "is"
    person = low[-1] in w.PERSON_NOUNS
    text = r.say(first.start, first.end)
    word = "Who" if person else "What"
    place = r.place(Phrase("np", start, end, start))
    single = what[0] in FAVORITE and be == "is"
    yield r.write(place, f"{word} {be} {text}?", f"{word.lower()} {text} {be}", single)


@RULES.add(
    "color",
    matches="a part or possession of somebody has a colour",
    asks="What color is your hair?",
    single=True,
    examples={
        "my hair is purple": "What color is your hair?",
        "i have blue eyes": "What color are your eyes?",
        "i have a shiny red helmet": "What color is your helmet?",
    },
)
def color(r: Reading) -> Iterator[Asked]:
    first = _value(r)
    if first is not None and set(r.low(first)) <= w.COLORS | {"and", "a", "very", "dark", "light", "bright"}:
        if r.low(first)[-1] in w.COLORS and r.core not in IDENTIFYING and not r.favorite:
            yield r.be("What color", r.place(first))
    elif r.verb == "have" and not r.chained and (not r.helpers or have_got(r.clause)) and (r.own or r.person):
        yield from _colored(r, r.first) if r.first is not None and r.first.kind == "np" else ()


def _colored(r: Reading, first: Phrase) -> Iterator[Asked]:
    """Asks for the color in clauses such as "i have blue eyes" or "i wear a shiny red helmet"."""
    low = r.low(first)
    at = [k for k, x in enumerate(low) if x in w.COLORS - {"gold", "silver"}]
    thing = low[-1]
    bodily = thing in {"hair", "eyes"}
    if (
        not at
        or at[-1] != len(low) - 2
        or not (bodily or low[0] in {"a", "an"})
        or thing in w.PEOPLE | w.FOODS
    ):
        return
    whose = r.voice.your if r.own else f"{r.subject_text}'s" if len(r.subject) > 1 else ""
    if whose:
        be = "are" if thing == "eyes" else "is"
        place = (first.start + at[0], first.start + at[-1] + 1)
        yield r.write(place, f"What color {be} {whose} {thing}?", f"what color {whose} {thing} {be}")


@RULES.add(
    "attribute",
    matches="somebody's name, hobby, dream, birthday … is something",
    asks="What is your dog's name? What is your dream?",
    single=None,
    examples={
        "my dog's name is rex": "What is your dog's name?",
        "my name is sarah": "What is your name?",
        "my dream is to travel the world": "What is your dream?",
        "my birthday is in may": "When is your birthday?",
    },
)
def attribute(r: Reading) -> Iterator[Asked]:
    if r.subject[0] not in OWNERS and "name" not in r.subject[-1:]:
        return
    if r.favorite or not r.clause.copular or r.clause.auxiliaries:
        return
    if r.chained:
        yield from _aim(r)
        return
    last = r.low(r.first)[-1] if r.first is not None else ""
    near = {"today", "tomorrow", "tonight"}
    dated = (
        r.first is not None and r.core in DATED and (r.first.kind == "pp" or r.time(r.first) or last in near)
    )
    if r.first is not None and dated:
        yield r.be("When", r.place(r.first), single=True)
        return
    first = _value(r)
    if first is None or r.subject[-1] not in IDENTIFYING:
        return
    if set(r.low(first)) & {"different", "same", "ready", "good", "great", "bad", "important", "unique"}:
        return
    yield r.be("What", r.place(first), single=_one(r))


def _aim(r: Reading) -> Iterator[Asked]:
    """Asks for the aim in a clause such as "my dream is to travel"."""
    start, end = r.clause.chain
    if r.subject[-1] in IDENTIFYING | {"goal", "plan"}:
        reach = max([p.end for p in r.clause.phrases if p.kind in {"np", "pp", "adj"}][:2], default=end)
        place = (start + (r.clause.words[start].lower == "to"), max(end, reach))
        be = {"'s": "is"}.get(r.clause.words[r.clause.verb].lower, r.clause.words[r.clause.verb].lower)
        text = r.subject_text
        yield r.write(place, f"What {be} {text}?", f"what {text} {be}", _one(r))
