"""What somebody's pet, child or car is called."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
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
    yield from _so_called(r)
    yield from _beside(r)
    yield from _listed(r)
    yield from _is_called(r)


def _so_called(r: Reading) -> Iterator[Asked]:
    """a dog named max"""
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
    """my dog brownie"""
    places = [r.clause.subject, *((p.body, p.end) for p in r.phrases if p.kind in {"np", "pp"})]
    for start, end in places:
        if r.clause.lemma in {"name", "call"} or not apposed(r.clause.words, r.clause.tags, start, end):
            continue
        if not r.clause.words[end - 2].lower.endswith("s"):
            yield _asked(r, (end - 1, end), r.say(start, end - 1))


def _listed(r: Reading) -> Iterator[Asked]:
    """i have two dogs , tater and tot"""
    if r.verb != "have" or not r.own or r.first is None or r.first.kind != "np":
        return
    words, tags = r.clause.words, r.clause.tags
    comma = next((i for i in range(r.first.start, r.clause.end) if words[i].text == ","), None)
    if comma is None or words[comma - 1].lower not in BEARERS:
        return
    names = [i for i in range(comma + 1, r.clause.end) if words[i].lower not in {"and", ",", "&"}]
    count, bearer = words[comma - 2].lower, words[comma - 1].lower
    strange = all(
        words[i].lower in w.NAMES or (tags[i] in {"NNP", "NN"} and not seen(words[i].lower)) for i in names
    )
    plain = all(
        words[i].text.isalpha() and tags[i][:2] == "NN" and not words[i].lower.endswith("s") for i in names
    )
    known = w.PEOPLE | w.BREEDS | w.PETS
    counted = plain and len(names) > 1 and count in {str(len(names)), NUMBERS[len(names) % len(NUMBERS)]}
    counted = counted and not known & {words[i].lower for i in names}
    if names and len(names) < 6 and (strange or counted):
        several = bearer.endswith("s") or bearer == "children"
        yield _asked(r, (names[0], names[-1] + 1), f"{r.voice.your} {bearer}", several)


def _is_called(r: Reading) -> Iterator[Asked]:
    """my cat is called tiger, we named our dog rex"""
    first = r.first
    if (
        r.clause.lemma not in {"name", "call"}
        or first is None
        or first.kind != "np"
        or first.end - first.start > 3
    ):
        return
    you = r.voice.you
    if r.mine and r.helpers in (["is"], ["'s"], ["was"]) and r.clause.words[r.clause.verb].lower in CALLED:
        yield _asked(r, r.place(first), r.subject_text)
    elif r.own and not r.helpers and r.clause.lemma == "name" and len(r.phrases) > 1:
        second = r.phrases[1]
        if r.low(first)[0] in {"my", "our"} and second.kind == "np" and second.end - second.start < 4:
            thing = r.say(first.start, first.end)
            yield r.write(
                (second.start, second.end), f"What did {you} name {thing}?", f"what {you} named {thing}"
            )
        return
    named = r.own and not r.helpers and r.clause.lemma == "name" and first.end - first.start == 3
    if named and r.low(first)[0] in {"my", "our"} and r.low(first)[1] in BEARERS:  # we named our dog rex
        thing = r.say(first.start, first.end - 1)
        yield r.write(
            (first.end - 1, first.end), f"What did {you} name {thing}?", f"what {you} named {thing}"
        )


@RULES.add(
    "nickname",
    matches="somebody is called something by others",
    asks="What do your friends call you?",
    single=None,
    examples={"my friends call me rex": "What do your friends call you?"},
)
def nickname(r: Reading) -> Iterator[Asked | None]:
    if (
        r.clause.lemma != "call"
        or r.helpers
        or len(r.phrases) < 2
        or not (r.mine or r.subject[0] in {"people"})
    ):
        return
    whom, what = r.phrases[:2]
    if r.low(whom) == ["me"] and what.kind == "np" and what.end - what.start < 4:
        yield r.ask("What", what, [what])
