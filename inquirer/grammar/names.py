"""Rules for names of the speaker's pets, children and cars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.phrases import BEARERS, apposed
from inquirer.language.tagger import seen

RULES = Rules()
NUMBERS = ("zero", "one", "two", "three", "four", "five")
CALLED = {"named", "called"}


def _asked(r: Reading, place: tuple[int, int], bearer: str, several: bool = False) -> Asked:
    whose = f"{bearer}'" if bearer.endswith("s") else f"{bearer}'s"
    names, be = ("names", "are") if several else ("name", "is")
    return r.write(place, f"What {be} {whose} {names}?", f"what {whose} {names} {be}")


@RULES.add(
    "pet-name",
    matches="a pet, child or friend with a name",
    asks="What is your dog's name?",
    single=True,
    examples={
        "i have a dog named max": "What is your dog's name?",
        "i walk with my dog brownie": "What is your dog's name?",
        "i have two dogs , max and bella": "What are your dogs' names?",
        "my cat is called tiger": "What is your cat's name?",
    },
)
def pet_name(r: Reading) -> Iterator[Asked]:
    if r.clause.lemma != "use":  # i used to have a cat named luna
        yield from _so_called(r)
        yield from _listed(r)
    yield from _beside(r)
    yield from _is_called(r)


def _so_called(r: Reading) -> Iterator[Asked]:
    """Asks for the name in `a dog named max`."""
    words, tags = r.clause.words, r.clause.tags
    for phrase in r.phrases:
        start = phrase.end + 1
        if phrase.kind not in {"np", "pp"} or start >= r.clause.end or words[phrase.end].lower not in CALLED:
            continue
        bearer = words[phrase.end - 1].lower
        end = start
        joined = {"and", ",", "the"}
        while end < r.clause.end and (
            tags[end] in {"NNP", "NN", "NNS", "NNPS", "JJ"} or words[end].lower in joined
        ):
            end += 1
        while end > start and (words[end - 1].lower in joined or words[end - 1].lower in {"a", "an", "my"}):
            end -= 1
        ours = r.own and (
            r.verb in {"have", "own", "get", "adopt"} or words[phrase.body].lower in {"my", "our"}
        )
        if end > start and ours and bearer in BEARERS:
            yield _asked(r, (start, end), f"{r.voice.your} {bearer}", bearer.endswith("s"))


def _beside(r: Reading) -> Iterator[Asked]:
    """Asks for the name in `my dog brownie`."""
    places = [r.clause.subject, *((p.body, p.end) for p in r.phrases if p.kind in {"np", "pp"})]
    for start, end in places:
        if r.clause.lemma in {"name", "call"} or not apposed(r.clause.words, r.clause.tags, start, end):
            continue
        if not r.clause.words[end - 2].lower.endswith("s"):
            yield _asked(r, (end - 1, end), r.say(start, end - 1))


def _listed(r: Reading) -> Iterator[Asked]:
    """Asks for the names in `i have two dogs, tater and tot`."""
    if r.verb != "have" or not r.own or r.first is None or r.first.kind != "np":
        return
    words, tags = r.clause.words, r.clause.tags
    comma = next((i for i in range(r.first.start, r.clause.end) if words[i].text == ","), None)
    if comma is None or words[comma - 1].lower not in BEARERS:
        return
    names = [i for i in range(comma + 1, r.clause.end) if words[i].lower not in {"and", ",", "&"}]
    count, bearer = words[comma - 2].lower, words[comma - 1].lower
    counted = len(names) > 1 and count in {str(len(names)), NUMBERS[len(names) % len(NUMBERS)]}
    strange = all(
        words[i].lower in w.NAMES or (tags[i] in {"NNP", "NN"} and not seen(words[i].lower)) for i in names
    )
    if 0 < len(names) < 6 and (strange or (counted and _plain(r, names))):
        several = bearer.endswith("s") or bearer == "children"
        yield _asked(r, (names[0], names[-1] + 1), f"{r.voice.your} {bearer}", several)


def _plain(r: Reading, places: Sequence[int]) -> bool:
    """Whether all words at these places are unknown singular nouns."""
    words = [r.clause.words[i] for i in places]
    nouns = all(r.clause.tags[i][:2] == "NN" for i in places)
    alike = all(x.text.isalpha() and not x.lower.endswith("s") for x in words)
    return nouns and alike and not (w.PEOPLE | w.BREEDS | w.PETS) & {x.lower for x in words}


def _is_called(r: Reading) -> Iterator[Asked]:
    """Asks for the name in `my cat is called tiger` and `we named our dog rex`."""
    first = r.first
    if (
        r.clause.lemma not in {"name", "call"}
        or first is None
        or first.kind != "np"
        or first.end - first.start > 3
    ):
        return
    if r.mine and r.helpers in (["is"], ["'s"], ["was"]) and r.clause.words[r.clause.verb].lower in CALLED:
        yield _asked(r, r.place(first), r.subject_text)
    elif r.own and not r.helpers and r.clause.lemma == "name" and r.low(first)[0] in {"my", "our"}:
        yield from _was_named(r, first)


def _was_named(r: Reading, first: Phrase) -> Iterator[Asked]:
    """Asks for the name in "we named our dog rex".

    The name is a separate phrase, or the last word of the first phrase.
    """
    second = r.phrases[1] if len(r.phrases) > 1 else None
    if second is not None:
        place, end = (second.start, second.end), first.end
        short = second.kind == "np" and second.end - second.start < 4
    else:
        place, end = (first.end - 1, first.end), first.end - 1
        short = first.end - first.start == 3 and r.low(first)[1] in BEARERS
    if short:
        you, thing = r.voice.you, r.say(first.start, end)
        yield r.write(place, f"What did {you} name {thing}?", f"what {you} named {thing}")
