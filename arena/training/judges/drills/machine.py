"""A drill on bots that break character: denials "as an AI", refusals, and polite words around an answer."""

from __future__ import annotations

import random
from collections.abc import Iterator

from arena.training.judges.drills.base import Case, kept, lines
from arena.training.judges.kinds import fill, kinds, parts
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL

_THINGS = {
    "job": "a job", "workplace": "a workplace", "city": "a home", "home_type": "a home", "pet_kind": "pets",
    "own_name": "a name", "age": "an age", "favorite_color": "a favorite color", "favorite_food": "a favorite food",
    "favorite_music": "personal preferences", "instrument": "hands to play an instrument",
    "sport": "a body to do sports",
    "hobby": "hobbies or personal interests", "language": "a native language", "car": "a car", "fear": "fears",
    "kids_number": "{x}", "pets_number": "{x}", "relative_job": "a family", "relative_name": "a family",
    "marital": "personal relationships", "health": "health problems", "dislike": "personal preferences",
    "movie_kind": "personal preferences", "reading": "personal preferences", "want_be": "dreams", "season": "feelings",
}  # fmt: skip


def machine(source: random.Random, held: bool) -> Iterator[Case]:
    """Yield cases with such answers. A denial contradicts even "as an AI", a refusal states nothing, and
    politeness changes nothing.
    """
    pick = source
    denials, plain, refusals = (kept(parts(line), held) for line in lines("machine"))
    before, after = (kept(parts(line), held) for line in lines("polite"))
    able = [kind for kind in kinds() if kind.name in _THINGS and not kind.held]
    while True:
        kind = pick.choice(able)
        slots = {name: pick.choice(options) for name, options in kind.slots.items()}
        names = (
            [str(number) for number in range(2, 9)]
            if kind.numbers
            else [value.names[0] for value in kept(kind.values, held) or kind.values]
        )
        value = pick.choice(names)
        statement = fill(pick.choice(kind.say), value, slots)
        question = fill(pick.choice(kind.ask), value, slots)
        draw = pick.random()
        if draw < 0.35:
            thing = _THINGS[kind.name].replace("{x}", slots.get("x", ""))
            bare = thing.removeprefix("a ").removeprefix("an ")
            denial = pick.choice(denials).replace("any {x}", f"any {bare}").replace("no {x}", f"no {bare}")
            denial = denial.replace("{x}", thing)
            yield statement, question, denial, CONTRADICTION
        elif draw < 0.45:
            yield statement, question, pick.choice(plain), CONTRADICTION
        elif draw < 0.62:
            yield statement, question, pick.choice(refusals), NEUTRAL
        else:
            if draw < 0.82:
                answer, label = fill(pick.choice(kind.say), value, slots), ENTAILMENT
            else:
                answer, label = fill(pick.choice(kind.none), value, slots), CONTRADICTION
            sentences = [answer if answer[-1] in ".!?" else f"{answer}."]
            sentences[:0] = [pick.choice(before)] if pick.random() < 0.6 else []
            sentences += pick.sample(after, pick.choice([0, 1, 1, 2]))
            yield statement, question, " ".join(sentences), label
