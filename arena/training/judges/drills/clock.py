"""A drill on amounts, times, dates, ages and frequencies: answers give them in other words, or give another value."""

from __future__ import annotations

import random
from collections.abc import Iterator

from arena.training.judges.drills.base import Case
from arena.training.judges.numbers import word
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT
from arena.training.judges.replies import no, yes

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_ORDINAL = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
]
_ENDS = {1: "st", 2: "nd", 3: "rd"}
_THINGS = (
    (
        "I have {n} {x}.",
        "How many {x} do you have?",
        "plants scars cameras bikes suits tattoos piercings medals jobs bosses",
    ),
    (
        "There were {n} {x} at the party.",
        "How many {x} were there?",
        "guests strangers cousins dogs colleagues waiters",
    ),
    (
        "I've been to {n} {x} this year.",
        "How many {x} have you been to?",
        "concerts weddings countries funerals museums",
    ),
    ("We sold {n} {x}.", "How many {x} did you sell?", "tickets paintings houses cakes lamps chairs"),
    ("I ate {n} {x}.", "How many {x} did you eat?", "pancakes tacos apples dumplings cookies"),
)


_SUMS = (
    ("son", "daughters", "children", "I have"),
    ("boy", "girls", "kids", "My wife and I have"),
    ("brother", "sisters", "siblings", "I grew up with"),
    ("cat", "dogs", "pets", "We have"),
    ("grandson", "granddaughters", "grandchildren", "I've got"),
)


def clock(source: random.Random, held: bool) -> Iterator[Case]:  # noqa: ARG001
    """Yield times, dates, amounts, ages and frequencies in other words or with another value."""
    pick = source
    while True:
        yield from pick.choice((_counts, _hours, _dates, _ages, _money, _often))(pick)


def _counts(pick: random.Random) -> Iterator[Case]:
    template, asked, things = pick.choice(_THINGS)
    thing = pick.choice(things.split())
    value = pick.choice([2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 12, 12, 15, 20, 25, 30, 40, 50, 100])
    other = pick.choice([n for n in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 20, 30, 60, 90) if n != value])
    statement = template.replace("{n}", _before_noun(value, pick)).replace("{x}", thing)
    question = asked.replace("{x}", thing)
    form = pick.choice(
        ["{n}", "{n}.", "{n} of them", "{n}, I think", "about {n}", "{n} {x}", "just {n}", "{n} in all"]
    )
    for number, label in ((value, ENTAILMENT), (other, CONTRADICTION)):
        many = _before_noun(number, pick) if "{x}" in form else pick.choice(_names(number))
        yield statement, question, form.replace("{n}", many).replace("{x}", thing), label
    if pick.random() < 0.3 and value not in (9, 10, 12):
        sure = f"Is it more than {pick.choice(_names(10))}?"
        right, wrong = (yes, no) if value > 10 else (no, yes)
        yield statement, f"{question} {sure}", right("Is", pick), ENTAILMENT
        yield statement, f"{question} {sure}", wrong("Is", pick), CONTRADICTION
    if pick.random() < 0.2:
        yield (
            statement,
            question,
            pick.choice(["None.", "Not a single one.", "zero", "none at all"]),
            CONTRADICTION,
        )
    if pick.random() < 0.2:
        few, more = sorted(pick.sample(range(1, 6), 2))
        one, many, both, verb = pick.choice(_SUMS)
        text = f"{verb} {word(few)} {one if few == 1 else one + 's'} and {word(more)} {many}."
        asked = f"How many {both} do you have?"
        yield text, asked, pick.choice(_names(few + more)), ENTAILMENT
        yield text, asked, pick.choice(_names(few + more + pick.choice([1, 2, 3]))), CONTRADICTION
        asked = f"How many {many} do you have?"
        yield text, asked, pick.choice(_names(more)), ENTAILMENT
        yield text, asked, pick.choice(_names(few)), CONTRADICTION


def _before_noun(number: int, pick: random.Random) -> str:
    return pick.choice([name for name in _names(number) if name not in ("a pair", "a couple", "just one")])


def _names(number: int) -> list[str]:
    names = [str(number), word(number)] if number < 100 else [str(number), "a hundred", "one hundred"]
    names += {
        2: ["a pair", "a couple"],
        6: ["half a dozen"],
        12: ["a dozen"],
        1: ["just one", "a single one"],
    }.get(number, [])
    return names


def _hours(pick: random.Random) -> Iterator[Case]:
    template, asked = pick.choice(
        [
            ("I start work at {t}.", "When do you start work?"),
            ("I get up at {t}.", "What time do you get up?"),
            ("My train leaves at {t}.", "When does your train leave?"),
            ("We eat dinner at {t}.", "When do you eat?"),
            ("The shop opens at {t}.", "What time does the shop open?"),
            ("i go to bed at {t}", "when do you go to bed"),
        ]
    )
    hour, quarter = pick.randint(1, 12), pick.choice([0, 0, 30, 30, 15, 45])
    away = (hour + pick.randint(2, 6) - 1) % 12 + 1
    statement = template.replace("{t}", pick.choice(_times(hour, quarter)))
    form = pick.choice(["{t}", "At {t}.", "at {t}", "{t}.", "{t} sharp", "around {t}"])
    yield statement, asked, form.replace("{t}", pick.choice(_times(hour, quarter))), ENTAILMENT
    yield (
        statement,
        asked,
        form.replace("{t}", pick.choice(_times(away, pick.choice([0, 15, 30])))),
        CONTRADICTION,
    )


def _times(hour: int, minutes: int) -> list[str]:
    following = hour % 12 + 1
    if minutes == 0:
        return [f"{hour}:00", f"{word(hour)} o'clock", word(hour), str(hour)]
    if minutes == 30:
        return [f"{hour}:30", f"half past {word(hour)}", f"{word(hour)} thirty"]
    if minutes == 15:
        return [f"{hour}:15", f"quarter past {word(hour)}", f"a quarter past {word(hour)}"]
    return [f"{hour}:45", f"quarter to {word(following)}", f"a quarter to {word(following)}"]


def _dates(pick: random.Random) -> Iterator[Case]:
    template, asked = pick.choice(
        [
            ("My birthday is on {d}.", "When is your birthday?"),
            ("We got married on {d}.", "When did you get married?"),
            ("My exam is on {d}.", "When is your exam?"),
            ("The baby was born on {d}.", "When was the baby born?"),
        ]
    )
    month, other = pick.sample(_MONTHS, 2)
    day = pick.randint(1, 14)
    forms = [f"the {_ORDINAL[day - 1]} of {month}", f"{month} {day}{_ENDS.get(day, 'th')}", f"{month} {day}"]
    first, again = pick.sample(forms, 2)
    right = pick.choice([again, again, f"In {month}.", f"on {again}", month])
    wrong = pick.choice([f"In {other}.", other, f"{other} {day}{_ENDS.get(day, 'th')}", f"on {other} {day}"])
    yield template.replace("{d}", first), asked, right, ENTAILMENT
    yield template.replace("{d}", first), asked, wrong, CONTRADICTION


def _ages(pick: random.Random) -> Iterator[Case]:
    age = pick.randint(15, 79)
    other = pick.choice([n for n in range(15, 90, 3) if abs(n - age) > 11])
    who, asked, are, he = pick.choice(
        [
            ("I'm {n}.", "How old are you?", "Are you", "I'm"),
            ("I turned {n} this year.", "How old are you?", "Are you", "I'm"),
            ("My wife is {n}.", "How old is your wife?", "Is she", "she's"),
            ("im {n} years old", "how old r u", "Are you", "I'm"),
            ("My grandpa died at {n}.", "How old did your grandpa get?", "Was he", "he was"),
            ("My boss just turned {n}.", "How old is your boss?", "Is he", "he's"),
        ]
    )
    statement = who.replace("{n}", pick.choice([str(age), word(age)]))
    for number, label in ((age, ENTAILMENT), (other, CONTRADICTION)):
        tens = f"{word(number // 10 * 10)[:-1]}ies" if number >= 20 else "teens"
        exact = [str(number), word(number), f"{number} years old", f"{word(number)} years old"]
        answer = pick.choice(exact)
        if number // 10 != age // 10 or label == ENTAILMENT:
            draw = pick.random()
            if draw < 0.15:
                their = {"I'm": "my", "she's": "her"}.get(he, "his")
                answer = f"{he} in {their} {tens}"
            elif draw < 0.22 and he == "he was":
                answer = f"He made it to {number}."
        yield statement, asked, answer, label
    bound = pick.choice([18, 20, 30, 40, 50, 60, 65])
    if abs(bound - age) > 2 and pick.random() < 0.5:
        question = f"{are} over {pick.choice([str(bound), word(bound)])}?"
        right, wrong = (yes, no) if age > bound else (no, yes)
        yield statement, question, right(question, pick), ENTAILMENT
        yield statement, question, wrong(question, pick), CONTRADICTION


def _money(pick: random.Random) -> Iterator[Case]:
    template, asked = pick.choice(
        [
            ("I make {m} a year.", "How much do you make?"),
            ("My car cost {m}.", "How much was your car?"),
            ("We owe the bank {m}.", "How much do you owe?"),
            ("I won {m} in the lottery.", "How much did you win?"),
        ]
    )
    much, other = pick.sample([5, 10, 15, 20, 30, 40, 50, 70, 80, 90], 2)

    def forms(number: int) -> list[str]:
        return [
            f"{number},000 dollars",
            f"${number},000",
            f"{number}k",
            f"{word(number)} thousand dollars",
            f"{word(number)} grand",
        ]

    form = pick.choice(["{m}", "About {m}.", "{m} or so", "roughly {m}", "{m}."])
    yield (
        template.replace("{m}", pick.choice(forms(much))),
        asked,
        form.replace("{m}", pick.choice(forms(much))),
        ENTAILMENT,
    )
    wrong = pick.choice([*forms(other), "a few bucks", "millions"])
    yield template.replace("{m}", pick.choice(forms(much))), asked, form.replace("{m}", wrong), CONTRADICTION


_HOW_OFTEN = (
    (
        "every day",
        "every single day",
        "daily",
        "each morning",
        "seven days a week",
        "every evening",
        "every night",
    ),
    ("once a week", "every Sunday", "each Friday", "weekly", "on Mondays"),
    ("twice a week", "two times a week", "on Tuesdays and Thursdays"),
    ("once a month", "monthly", "every month", "twelve times a year"),
    ("once a year", "every Christmas", "each summer", "yearly", "annually"),
    ("hardly ever", "rarely", "almost never", "seldom", "very rarely"),
    ("never", "not once", "not at all", "never ever"),
)
_DOINGS = (
    ("I call my brother {o}.", "How often do you call your brother?"),
    ("I go running {o}.", "How often do you run?"),
    ("I eat pizza {o}.", "How often do you eat pizza?"),
    ("We go to the theater {o}.", "How often do you go to the theater?"),
    ("I clean my room {o}.", "How often do you clean your room?"),
    ("I cook {o}.", "How often do you cook?"),
    ("i play cards with friends {o}", "how often do you play cards"),
    ("I water the plants {o}.", "How often do you water them?"),
    ("I visit my aunt {o}.", "How often do you see your aunt?"),
    ("I donate blood {o}.", "How often do you donate blood?"),
)


def _often(pick: random.Random) -> Iterator[Case]:
    template, asked = pick.choice(_DOINGS)
    first, other = pick.sample(range(len(_HOW_OFTEN)), 2)
    seldom = {5, 6}
    if first == 6:
        first = 0 if other else 1
    statement = template.replace("{o}", pick.choice(_HOW_OFTEN[first]))
    if first == 5:
        statement = (
            template.replace(" {o}", "").replace("I ", "I hardly ever ", 1).replace("We ", "We rarely ", 1)
        )
        statement = statement.replace("i play", "i almost never play")
    form = pick.choice(["{o}", "{O}.", "{O}.", "{O}, I'd say.", "Oh, {o}."])

    def filled(row: int) -> str:
        often = pick.choice(_HOW_OFTEN[row])
        return form.replace("{o}", often).replace("{O}", often[0].upper() + often[1:])

    yield statement, asked, filled(first), ENTAILMENT
    if not {first, other} <= seldom:
        yield statement, asked, filled(other), CONTRADICTION
