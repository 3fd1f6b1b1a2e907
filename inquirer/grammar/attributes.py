"""Rules for properties of the speaker's people, animals and things: names, favourites, colours, dreams."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.objects import sort_of
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import rule
from inquirer.language import words as w
from inquirer.language.clause import Phrase, Text
from inquirer.language.phrases import BEARERS, apposed
from inquirer.language.tagger import seen

SHADES = w.COLORS | {"and", "a", "very", "dark", "light", "bright"}
NUMBERS = ("zero", "one", "two", "three", "four", "five")


def _value(r: Reading) -> Phrase | None:
    """Returns the phrase after `be` if the subject belongs to the speaker or a named person, else None."""
    first = r.stated
    pronoun = first is not None and r.clause.tags[first.start] == "PRP" and first.kind == "np"
    return None if pronoun or r.subject[0] not in w.OWNERS else first


@rule("favorite", single=True)
def favorite(r: Reading) -> Iterator[Asked]:
    """My favourite thing is …, or … is my favourite thing."""
    first = _value(r)
    if first is not None and r.favorite and r.subject[-1] not in w.UNNAMED - w.FAVORITE:
        if r.subject[-1] in w.FAVORITE:
            yield from _unnamed(r, first)
        else:
            person = r.core in w.PERSON_NOUNS | w.JOBS
            yield r.be("Who" if person else "What", r.place(first), single=not r.subject[-1].endswith("s"))
    yield from _reversed(r)


def _unnamed(r: Reading, answer: Phrase) -> Iterator[Asked]:
    """Asks what the speaker's favorite is if the clause does not name its kind: "pizza is my favorite"."""
    place, your = r.place(answer), f"{r.voice.your} favorite"
    thing = sort_of(r.clause, *place) or (r.voice.topic if answer.kind == "np" else "")
    if thing:
        yield r.asked_of(place, "What", "is", f"{your} {thing}", True)


def _reversed(r: Reading) -> Iterator[Asked]:
    """Asks for the subject of a clause such as "pizza is my favorite food"."""
    first, (start, end) = r.stated, r.clause.subject
    if first is None or first.kind != "np" or end <= start or set(r.subject) & w.PERSONS:
        return
    low, subject = r.low(first), Phrase("np", start, end, start)
    if low[0] not in {"my", "our"} or r.subject[0] in w.OWNERS:
        return
    if len(low) == 2 and low[1] in w.FAVORITE:
        if r.alone and r.clause.phrases[-1].kind != "rest":  # not: cookies are my favorite to bake
            yield from _unnamed(r, subject)
    elif (low[1] in w.FAVORITE or low[-1] in w.IDENTIFYING) and low[-1] not in w.UNNAMED:
        be, word = "are" if low[-1].endswith("s") else "is", "Who" if low[-1] in w.PERSON_NOUNS else "What"
        single = low[1] in w.FAVORITE and be == "is"
        yield r.asked_of(r.place(subject), word, be, r.say(first.start, first.end), single)


@rule("color", single=True)
def color(r: Reading) -> Iterator[Asked]:
    """A part or possession of somebody has a colour."""
    first = _value(r)
    plain = r.core not in w.IDENTIFYING and not r.favorite
    if first is not None and plain and set(r.low(first)) <= SHADES and r.low(first)[-1] in w.COLORS:
        yield r.be("What color", r.place(first))
    if r.had and not r.chained:
        yield from _colored(r, r.had)


def _colored(r: Reading, first: Phrase) -> Iterator[Asked]:
    """Asks for the color in clauses such as "i have blue eyes" or "i have a shiny red helmet"."""
    low, thing = r.low(first), r.low(first)[-1]
    at = [k for k, x in enumerate(low) if x in w.COLORS - {"gold", "silver"}]
    one = thing in {"hair", "eyes"} or low[0] in {"a", "an"}
    whose = r.voice.your if r.own else f"{r.subject_text}'s" if len(r.subject) > 1 else ""
    if at and at[-1] == len(low) - 2 and one and whose:
        place = (first.start + at[0], first.start + at[-1] + 1)
        yield r.asked_of(place, "What color", "are" if thing == "eyes" else "is", f"{whose} {thing}")


@rule("attribute", single=None)
def attribute(r: Reading) -> Iterator[Asked]:
    """Somebody's name, hobby, dream, birthday … is something."""
    owned = r.subject[0] in w.OWNERS or r.subject[-1] == "name"
    if not owned or r.favorite or not r.clause.copular or r.clause.auxiliaries:
        return
    one = not {r.core, r.subject[-1]} & w.SEVERAL_VALUED
    if r.chained and r.subject[-1] in w.IDENTIFYING | {"goal", "plan"}:  # my dream is to travel
        start, end = r.clause.chain
        reach = max([p.end for p in r.clause.phrases if p.kind in {"np", "pp", "adj"}][:2], default=end)
        place = (start + (r.clause.low(start) == "to"), max(end, reach))
        yield r.asked_of(place, "What", r.verb_word, r.subject_text, one)
    if r.chained or r.first is None:
        return
    near = r.low(r.first)[-1] in {"today", "tomorrow", "tonight"}
    if r.core in w.DATED and (r.first.kind == "pp" or near or r.time(r.first)):
        yield r.be("When", r.place(r.first), single=True)
        return
    first = _value(r)
    if first is not None and r.subject[-1] in w.IDENTIFYING and not set(r.low(first)) & w.INDEFINITE:
        yield r.be("What", r.place(first), single=one)


@rule("pet-name", single=True)
def pet_name(r: Reading) -> Iterator[Asked]:
    """A pet, child or friend with a name."""
    words, lemma = r.clause.words, r.clause.lemma
    if lemma in w.CALLED | {"name", "call"}:
        yield from _was_called(r)
        return
    spans = [(p.body, p.end) for p in r.phrases if p.kind in {"np", "pp"}]
    for start, end in spans if lemma != "use" else ():  # i used to have a cat named luna
        bearer, owner = words[end - 1].lower, words[start].lower
        ours = r.own and (r.verb in {"have", "own", "get", "adopt"} or owner in {"my", "our"})
        names = _names(r, end + 1) if end < r.clause.end and words[end].lower in w.CALLED else None
        if names and ours and bearer in BEARERS:
            yield _asked(r, names, f"{r.voice.your} {bearer}", bearer.endswith("s"))
    if lemma != "use":
        yield from _listed(r)
    for start, end in (r.clause.subject, *spans):  # my dog brownie
        named = apposed(Text(words, r.clause.tags), start, end)
        if named and not words[end - 2].lower.endswith("s"):
            yield _asked(r, (end - 1, end), r.say(start, end - 1))


def _asked(r: Reading, place: tuple[int, int], bearer: str, several: bool = False) -> Asked:
    whose = f"{bearer}'" if bearer.endswith("s") else f"{bearer}'s"
    return r.asked_of(place, "What", *(("are", f"{whose} names") if several else ("is", f"{whose} name")))


def _names(r: Reading, start: int) -> tuple[int, int] | None:
    """Returns the position of the names that begin at `start`, if there are any."""
    words, tags, end = r.clause.words, r.clause.tags, start
    while end < r.clause.end and (tags[end][:2] in {"NN", "JJ"} or words[end].lower in w.JOINING):
        end += 1
    while end > start and words[end - 1].lower in w.JOINING | {"a", "an", "my"}:
        end -= 1
    return (start, end) if end > start else None


def _listed(r: Reading) -> Iterator[Asked]:
    """Asks for the names in `i have two dogs, tater and tot`."""
    if not r.had or not r.own:
        return
    words, tags = r.clause.words, r.clause.tags
    comma = next((i for i in range(r.had.start, r.clause.end) if words[i].text == ","), 0)
    names = [i for i in range(comma + 1, r.clause.end) if words[i].lower not in w.JOINING]
    if not comma or words[comma - 1].lower not in BEARERS or not 0 < len(names) < 6:
        return
    count, bearer = words[comma - 2].lower, words[comma - 1].lower
    counted = len(names) > 1 and count in {str(len(names)), NUMBERS[len(names) % len(NUMBERS)]}
    nouns, low = {tags[i] for i in names} <= {"NNP", "NN"}, {words[i].lower for i in names}
    # if they are as many as the bearers, unlisted nouns are names, too
    if low <= w.NAMES or (nouns and not BEARERS & low and (counted or not any(map(seen, low)))):
        yield _asked(r, (names[0], names[-1] + 1), f"{r.voice.your} {bearer}", bearer.endswith("s"))


def _was_called(r: Reading) -> Iterator[Asked]:
    """Asks for the name, the first or second phrase, in `my cat is called tiger` and `we named our dog rex`."""
    first, second = [*r.phrases, None, None][:2]
    if first is None or first.kind != "np" or first.end - first.start > 3:
        return
    if r.mine and r.helpers in (["is"], ["'s"], ["was"]) and r.verb_word in w.CALLED:
        yield _asked(r, r.place(first), r.subject_text)
    if not r.own or r.helpers or r.low(first)[0] not in {"my", "our"}:
        return
    behind = second is not None and second.kind == "np" and second.end - second.start < 4
    within = second is None and first.end - first.start == 3 and r.low(first)[1] in BEARERS
    place = (second.start, second.end) if second else (first.end - 1, first.end)
    if behind or within:
        you, thing = r.voice.you, r.say(first.start, first.end - within)
        yield r.write(place, f"What did {you} name {thing}?", f"what {you} named {thing}")
