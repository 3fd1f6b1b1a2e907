"""A drill on facts of which one person may have several. Another value is no contradiction, but denying the
stated value is.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from arena.training.judges.drills.base import Case, kept
from arena.training.judges.kinds import Kind, Value, fill, has_one_answer, kinds
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL

_BESIDE = (
    "I also like {o}.", "I love {o}, and {v} too.", "{v} and {o}.", "I enjoy {o} and {v}.",
    "{o}, {v}, things like that.",
)  # fmt: skip
_INSTEAD = (
    "Not {v}, but {o}.", "I like {o}, but I can't stand {v}.", "{o}. I never liked {v}.", "Only {o}, nothing else.",
    "Just {o}, and certainly not {v}.", "I love {o}. {v} is not for me.",
)  # fmt: skip


LIKED = re.compile(r"\b(love|like|enjoy|favorite|fan|into|fond|crazy|prefer)\b")


def listed(names: Sequence[str], source: random.Random) -> str:
    """Join two or more things as in speech."""
    if len(names) == 1:
        return names[0]
    joiner = source.choice([" and ", " and ", ", and ", " or "])
    return ", ".join(names[:-1]) + joiner + names[-1]


def _open(kind: Kind) -> bool:
    return kind.open and not (kind.held or kind.once or kind.loose or kind.numbers) and len(kind.values) > 6


def several(source: random.Random, held: bool) -> Iterator[Case]:
    pick = source
    able = [kind for kind in kinds() if _open(kind)]
    while True:
        kind = pick.choice(able)
        values: Sequence[Value] = kept(kind.values, held)
        if len(values) < 5:
            continue
        own, *others = (value.names[0] for value in pick.sample(list(values), 5))
        slots = {name: pick.choice(options) for name, options in kind.slots.items()}
        stated = listed([own, *others[:1]], pick) if pick.random() < 0.15 else own
        statement, question = (
            fill(pick.choice(kind.say), stated, slots),
            fill(pick.choice(kind.ask), own, slots),
        )
        single = has_one_answer(kind, statement, question)
        other = listed(others[1 : pick.choice([2, 2, 3, 4])], pick)
        form = pick.choice(kind.say) if pick.random() < 0.7 else pick.choice(kind.short)
        draw = pick.random()
        if draw < 0.42:
            answer = fill(form, other, slots)
            if single is False:
                yield statement, question, answer, NEUTRAL, single
            elif single and stated == own:
                yield statement, question, answer, CONTRADICTION, single
        elif draw < 0.58:
            names = [own, *others[2 : pick.choice([3, 4])]]
            pick.shuffle(names)
            if not single:
                yield statement, question, fill(form, listed(names, pick), slots), ENTAILMENT, single
        elif draw < 0.66:
            if not single and LIKED.search(statement):
                yield statement, question, _filled(pick.choice(_BESIDE), own, other), ENTAILMENT, single
        elif draw < 0.84 and LIKED.search(statement):
            yield statement, question, _filled(pick.choice(_INSTEAD), own, other), CONTRADICTION, single
        else:
            yield statement, question, fill(pick.choice(kind.none), own, slots), CONTRADICTION, single


def _filled(template: str, value: str, other: str) -> str:
    text = template.replace("{v}", value).replace("{o}", other)
    return text[:1].upper() + text[1:]
