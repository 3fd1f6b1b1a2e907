"""A drill on facts of the present, the past and the future, and on facts that never were."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from arena.training.judges.drills.base import Case, kept, lines
from arena.training.judges.drills.places import atlas
from arena.training.judges.kinds import parts
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT

_YEARS = (
    "two years ago",
    "last spring",
    "in 2015",
    "when I moved",
    "years ago",
    "after school",
    "last month",
)
_SOON = ("next year", "in June", "next month", "this fall", "after the summer", "soon", "in two weeks")
_KEPT = (
    "Not anymore.",
    "No, not anymore.",
    "I used to.",
    "No, I stopped {y}.",
    "not since {y}",
    "I did, but not now.",
    "No, I gave that up.",
    "that's in the past",
    "I don't now.",
    "No, I quit {y}.",
)
_STILL = (
    "Yes.",
    "Yes, still.",
    "I still do.",
    "Yes, I {v}.",
    "Yes, I still {v}.",
    "yep, to this day",
    "I {v}, yes.",
    "Yes, I do, and I don't plan to stop.",
    "Sure I do.",
    "I {v} these days.",
)
_EVER = (
    "Yes.",
    "Yes, I did.",
    "Yes, I {p} for years.",
    "I did, for quite some time.",
    "Yeah, back then I {p}.",
    "Yes, long ago.",
    "I {p}, yes.",
    "once, yes",
    "Yes, but that's over.",
)
_NEVER = ("Never.", "No, never.", "I never {p}.", "No, I've never done that in my life.", "not once", "No.",
          "No, I never {p}.", "Not ever.")  # fmt: skip
_NOT_YET = (
    "Not yet.",
    "No, not yet.",
    "Not yet, but {s}.",
    "No, I start {s}.",
    "That's {s}.",
    "soon, not yet",
    "No, that comes {s}.",
    "I will {s}.",
)
_LONG_DONE = (
    "Yes, for years.",
    "Yes, I already do.",
    "I have been {g} for ten years.",
    "Yes, I've been {g} forever.",
    "I started long ago.",
    "Yes, and I have for a long time.",
)


def tense(source: random.Random, held: bool) -> Iterator[Case]:
    """Yield cases about what is, what was and is no longer, what will be, and what never was."""
    pick = source
    verbs = kept([parts(line)[0] for line in lines("verbs")], held)
    cities = [city for _, members in atlas() for city in members]
    while True:
        base, past, ing = (
            form.strip() for form in pick.choice(verbs).replace("{city}", pick.choice(cities)).split("/")
        )
        you, yours = re.sub(r"\bmy\b", "your", base), re.sub(r"\bmy\b", "your", ing)

        def say(forms: Sequence[str], base: str = base, past: str = past, ing: str = ing) -> str:
            filled = pick.choice(forms).replace("{v}", base).replace("{p}", past).replace("{g}", ing)
            return filled.replace("{y}", pick.choice(_YEARS)).replace("{s}", pick.choice(_SOON))

        now = pick.choice([f"Do you {you}?", f"Do you still {you}?", f"do you {you} these days"])
        plain = pick.choice([f"Do you {you}?", f"Are you {yours} now?", f"do you {you}"])
        ever = pick.choice(
            [f"Did you ever {you}?", f"Did you {you} in the past?", f"Have you ever been {yours}?"]
        )
        begun = pick.choice([f"Have you started {yours}?", f"Do you {you} already?", f"Do you {you}?"])
        later = pick.choice([f"Will you {you}?", f"Are you going to {you}?", f"Do you plan to {you}?"])
        draw = pick.random()
        if draw < 0.38:
            statement = say(
                (
                    "I used to {v}.",
                    "I used to {v} but I stopped {y}.",
                    "I {p} for years, then I quit.",
                    "I stopped {g} {y}.",
                    "I gave up {g} {y}.",
                    "When I was younger I {p}, not anymore.",
                    "I quit {g}, best decision ever.",
                    "I no longer {v}.",
                    "i {p} until last year",
                    "Back in the day I {p}; these days I don't.",
                    "I used to {v}, but that was years ago.",
                )
            )
            yield statement, now, say(_KEPT), ENTAILMENT
            yield statement, now, say(_STILL), CONTRADICTION
            yield statement, ever, say(_EVER), ENTAILMENT
            yield statement, ever, say(_NEVER), CONTRADICTION
        elif draw < 0.60:
            statement = say(
                (
                    "I'm going to {v} {s}.",
                    "I will {v} {s}.",
                    "I'm planning to {v} {s}.",
                    "I start {g} {s}.",
                    "{s} I'm finally going to {v}.",
                    "I can't wait to start {g} {s}.",
                    "I'll {v} {s}.",
                )
            )
            statement = statement[:1].upper() + statement[1:]
            yield statement, begun, say(_NOT_YET), ENTAILMENT
            yield statement, begun, say(_LONG_DONE), CONTRADICTION
            if pick.random() < 0.5:
                yield statement, later, say(("Yes.", "Yes, {s}.", "That's the plan.", "I will.")), ENTAILMENT
                yield (
                    statement,
                    later,
                    say(("No, never.", "No.", "I have no plans to.", "I won't.")),
                    CONTRADICTION,
                )
        elif draw < 0.85:
            statement = say(
                (
                    "I {v}.",
                    "I still {v}.",
                    "I {v}, and I have for years.",
                    "These days I {v}.",
                    "I've been {g} since I was young.",
                    "I started {g} {y} and never stopped.",
                )
            )
            yield statement, plain, say(_STILL), ENTAILMENT
            yield statement, now, say((*_KEPT, "Not yet.", "No, never.")), CONTRADICTION
            if pick.random() < 0.4:
                yield statement, ever, say(_NEVER), CONTRADICTION
                yield statement, ever, say(("Yes.", "Yes, and I still do.", "I still {v}.")), ENTAILMENT
        else:
            statement = say(("I never {p}, not even once in my life.", "I never {p}.",
                        "I never {p} and never will."))  # fmt: skip
            yield statement, ever, say(_NEVER), ENTAILMENT
            yield statement, ever, say(_EVER), CONTRADICTION
            yield statement, plain, say(_STILL), CONTRADICTION
