"""Rules for properties of the speaker's people, animals and things: names, favourites, colours, dreams."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.objects import OWNERS, sort_of
from inquirer.grammar.reading import FAVORITE, Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed
from inquirer.language.phrases import BEARERS, apposed
from inquirer.language.tagger import seen
from inquirer.language.text import Text

RULES = Rules()
IDENTIFYING = listed("identifying")
DATED = {"anniversary", "appointment", "birthday", "exam", "wedding"}
SHADES = w.COLORS | {"and", "a", "very", "dark", "light", "bright"}
INDEFINITE = {"different", "same", "ready", "good", "great", "bad", "important", "unique"}
CALLED = {"named", "called"}
JOINING = {"and", ",", "&", "the"}
NUMBERS = ("zero", "one", "two", "three", "four", "five")


def _value(r: Reading) -> Phrase | None:
    """Returns the phrase after `be` if the subject belongs to the speaker or a named person, else None."""
    owned = r.subject[0] in OWNERS or (r.subject[-1] == "name" and "'s" in r.subject)
    first = r.stated
    if not owned or first is None or set(r.low(first)) & {"you", "your"}:
        return None
    return None if r.clause.tags[first.start] == "PRP" and first.kind == "np" else first


def _one(r: Reading) -> bool:
    return not {r.core, r.subject[-1]} & listed("several-valued")


@RULES.add(
    "favorite",
    "my favourite thing is …, or … is my favourite thing",
    single=True,
    examples={
        "my favorite color is green": "What is your favorite color?",
        "my favorite singer is adele": "Who is your favorite singer?",
        "pizza is my favorite food": "What is your favorite food?",
    },
)
def favorite(r: Reading) -> Iterator[Asked]:
    first = _value(r)
    if first is not None and r.favorite and r.subject[-1] not in listed("unnamed") - FAVORITE:
        if r.subject[-1] in FAVORITE:
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
        yield r.write(place, f"What is {your} {thing}?", f"what {your} {thing} is", True)


def _reversed(r: Reading) -> Iterator[Asked]:
    """Asks for the subject of a clause such as "pizza is my favorite food"."""
    first, (start, end) = r.stated, r.clause.subject
    if first is None or first.kind != "np" or end <= start or set(r.subject) & w.PERSONS:
        return
    low = r.low(first)
    if low[0] not in {"my", "our"} or r.subject[0] in OWNERS or set(r.subject) & listed("vague"):
        return
    place = r.place(Phrase("np", start, end, start))
    if len(low) == 2 and low[1] in FAVORITE:
        if r.alone and r.clause.phrases[-1].kind != "rest":  # not: cookies are my favorite to bake
            yield from _unnamed(r, Phrase("np", start, end, start))
        return
    if (low[1] not in FAVORITE and low[-1] not in IDENTIFYING) or low[-1] in listed("unnamed"):
        return
    be = "are" if low[-1].endswith("s") else "is"
    word, text = "Who" if low[-1] in w.PERSON_NOUNS else "What", r.say(first.start, first.end)
    single = low[1] in FAVORITE and be == "is"
    yield r.write(place, f"{word} {be} {text}?", f"{word.lower()} {text} {be}", single)


@RULES.add(
    "color",
    "a part or possession of somebody has a colour",
    single=True,
    examples={
        "my hair is purple": "What color is your hair?",
        "i have a shiny red helmet": "What color is your helmet?",
    },
)
def color(r: Reading) -> Iterator[Asked]:
    first = _value(r)
    plain = r.core not in IDENTIFYING and not r.favorite
    if first is not None and plain and set(r.low(first)) <= SHADES and r.low(first)[-1] in w.COLORS:
        yield r.be("What color", r.place(first))
    first = r.first
    if (
        r.verb == "have"
        and not r.chained
        and (r.own or r.person)
        and first is not None
        and first.kind == "np"
    ):
        yield from _colored(r, first)


def _colored(r: Reading, first: Phrase) -> Iterator[Asked]:
    """Asks for the color in clauses such as "i have blue eyes" or "i have a shiny red helmet"."""
    low, thing = r.low(first), r.low(first)[-1]
    at = [k for k, x in enumerate(low) if x in w.COLORS - {"gold", "silver"}]
    one = thing in {"hair", "eyes"} or low[0] in {"a", "an"}
    whose = r.voice.your if r.own else f"{r.subject_text}'s" if len(r.subject) > 1 else ""
    if at and at[-1] == len(low) - 2 and one and thing not in w.PEOPLE | w.FOODS and whose:
        be = "are" if thing == "eyes" else "is"
        place = (first.start + at[0], first.start + at[-1] + 1)
        yield r.write(place, f"What color {be} {whose} {thing}?", f"what color {whose} {thing} {be}")


@RULES.add(
    "attribute",
    "somebody's name, hobby, dream, birthday … is something",
    single=None,
    examples={
        "my dog's name is rex": "What is your dog's name?",
        "my dream is to travel the world": "What is your dream?",
        "my birthday is in may": "When is your birthday?",
    },
)
def attribute(r: Reading) -> Iterator[Asked]:
    owned = r.subject[0] in OWNERS or r.subject[-1] == "name"
    if not owned or r.favorite or not r.clause.copular or r.clause.auxiliaries:
        return
    if r.chained:
        yield from _aim(r)
    elif r.first is not None and _is_date(r, r.first):
        yield r.be("When", r.place(r.first), single=True)
    else:
        first = _value(r)
        if first is not None and r.subject[-1] in IDENTIFYING and not set(r.low(first)) & INDEFINITE:
            yield r.be("What", r.place(first), single=_one(r))


def _is_date(r: Reading, first: Phrase) -> bool:
    near = r.low(first)[-1] in {"today", "tomorrow", "tonight"}
    return r.core in DATED and (first.kind == "pp" or near or bool(r.time(first)))


def _aim(r: Reading) -> Iterator[Asked]:
    """Asks for the aim in a clause such as "my dream is to travel"."""
    start, end = r.clause.chain
    if r.subject[-1] in IDENTIFYING | {"goal", "plan"}:
        reach = max([p.end for p in r.clause.phrases if p.kind in {"np", "pp", "adj"}][:2], default=end)
        place = (start + (r.clause.words[start].lower == "to"), max(end, reach))
        be, text = "is" if r.verb_word == "'s" else r.verb_word, r.subject_text
        yield r.write(place, f"What {be} {text}?", f"what {text} {be}", _one(r))


@RULES.add(
    "pet-name",
    "a pet, child or friend with a name",
    single=True,
    examples={
        "i have a dog named max": "What is your dog's name?",
        "i walk with my dog brownie": "What is your dog's name?",
        "i have two dogs , max and bella": "What are your dogs' names?",
        "my cat is called tiger": "What is your cat's name?",
    },
)
def pet_name(r: Reading) -> Iterator[Asked]:
    words, lemma = r.clause.words, r.clause.lemma
    if lemma in CALLED | {"name", "call"}:
        yield from _was_called(r)
        return
    spans = [(p.body, p.end) for p in r.phrases if p.kind in {"np", "pp"}]
    for start, end in spans if lemma != "use" else ():  # i used to have a cat named luna
        bearer, owner = words[end - 1].lower, words[start].lower
        ours = r.own and (r.verb in {"have", "own", "get", "adopt"} or owner in {"my", "our"})
        names = _names(r, end + 1) if end < r.clause.end and words[end].lower in CALLED else None
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
    names, be = ("names", "are") if several else ("name", "is")
    return r.write(place, f"What {be} {whose} {names}?", f"what {whose} {names} {be}")


def _names(r: Reading, start: int) -> tuple[int, int] | None:
    """Returns the position of the names that begin at `start`, if there are any."""
    words, tags, end = r.clause.words, r.clause.tags, start
    while end < r.clause.end and (tags[end][:2] in {"NN", "JJ"} or words[end].lower in JOINING):
        end += 1
    while end > start and words[end - 1].lower in JOINING | {"a", "an", "my"}:
        end -= 1
    return (start, end) if end > start else None


def _listed(r: Reading) -> Iterator[Asked]:
    """Asks for the names in `i have two dogs, tater and tot`."""
    if r.verb != "have" or not r.own or r.first is None or r.first.kind != "np":
        return
    words, tags = r.clause.words, r.clause.tags
    comma = next((i for i in range(r.first.start, r.clause.end) if words[i].text == ","), 0)
    names = [i for i in range(comma + 1, r.clause.end) if words[i].lower not in JOINING]
    if not comma or words[comma - 1].lower not in BEARERS or not 0 < len(names) < 6:
        return
    count, bearer = words[comma - 2].lower, words[comma - 1].lower
    counted = len(names) > 1 and count in {str(len(names)), NUMBERS[len(names) % len(NUMBERS)]}
    nouns = {tags[i] for i in names} <= {"NNP", "NN"}
    if _are_names({words[i].lower for i in names}, nouns, counted):
        several = bearer.endswith("s") or bearer == "children"
        yield _asked(r, (names[0], names[-1] + 1), f"{r.voice.your} {bearer}", several)


def _are_names(low: set[str], nouns: bool, counted: bool) -> bool:
    """Whether all words are names. If they are as many as the bearers, unlisted singular nouns are names, too."""
    plain = counted and all(x.isalpha() and not x.endswith("s") for x in low)
    return low <= w.NAMES or (nouns and not BEARERS & low and (plain or not any(map(seen, low))))


def _was_called(r: Reading) -> Iterator[Asked]:
    """Asks for the name in `my cat is called tiger` and `we named our dog rex`.

    The name is the whole first phrase, a phrase behind it, or its last word.
    """
    first, second = [*r.phrases, None, None][:2]
    if first is None or first.kind != "np" or first.end - first.start > 3:
        return
    if r.mine and r.helpers in (["is"], ["'s"], ["was"]) and r.verb_word in CALLED:
        yield _asked(r, r.place(first), r.subject_text)
    if not r.own or r.helpers or r.low(first)[0] not in {"my", "our"}:
        return
    behind = second is not None and second.kind == "np" and second.end - second.start < 4
    within = second is None and first.end - first.start == 3 and r.low(first)[1] in BEARERS
    place = (second.start, second.end) if second else (first.end - 1, first.end)
    if behind or within:
        you, thing = r.voice.you, r.say(first.start, first.end - within)
        yield r.write(place, f"What did {you} name {thing}?", f"what {you} named {thing}")
