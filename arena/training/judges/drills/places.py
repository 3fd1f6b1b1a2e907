"""A drill on general and specific terms: towns and their countries, things and their categories."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from arena.training.judges.drills.base import Case, kept, lines
from arena.training.judges.kinds import article, parts
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_CONTRADICTION
from arena.training.judges.replies import no, yes


def atlas() -> list[tuple[str, tuple[str, ...]]]:
    return [
        (country, parts(cities, ",")) for country, cities in (line.split(": ", 1) for line in lines("places"))
    ]


_WHERE = (
    ("I live in {p}.", "Where do you live?", "Do you live in {p}?"),
    ("I live in {p}, not far from the station.", "Which country do you live in?", "Do you live in {p}?"),
    ("I was born in {p}.", "Where were you born?", "Were you born in {p}?"),
    ("I'm from {p}.", "Where are you from?", "Are you from {p}?"),
    ("We moved to {p} a few years ago.", "Where did you move to?", "Did you move to {p}?"),
    ("I grew up in {p}.", "Where did you grow up?", "Did you grow up in {p}?"),
    ("We spent our holidays in {p}.", "Where did you spend your holidays?", "Were you in {p} on holiday?"),
    ("i study in {p}", "where do you study", "Do you study in {p}?"),
    ("My office is in {p}.", "Where is your office?", "Is your office in {p}?"),
)


def places(source: random.Random, held: bool) -> Iterator[Case]:
    """Yield cases about towns and countries. A town lies in one country only, but a country has several towns."""
    pick, chosen = source, kept(atlas(), held)
    while True:
        (land, towns), (far, others) = pick.sample(chosen, 2)
        town, away, beside = pick.choice(towns), pick.choice(others), pick.choice(towns)
        template, asked, sure = pick.choice(_WHERE)
        if pick.random() < 0.2:
            template = template.replace("{p}", "a town near {p}")
        in_town, in_land = template.replace("{p}", town), template.replace("{p}", land)
        short = pick.choice(["{p}", "In {p}.", "{p}.", "It's {p}.", "in {p}, yes", "{p}, of course"])
        asked = asked if "country" not in asked or pick.random() < 0.5 else "Where do you live?"
        draw = pick.random()
        if draw < 0.5:
            yield in_town, asked, short.replace("{p}", land), ENTAILMENT
            yield in_town, asked, short.replace("{p}", far), CONTRADICTION
            in_there, elsewhere = sure.replace("{p}", land), sure.replace("{p}", far)
            yield in_town, in_there, yes(in_there, pick), ENTAILMENT
            yield in_town, in_there, no(in_there, pick), CONTRADICTION
            if pick.random() < 0.5:
                yield in_town, elsewhere, no(elsewhere, pick), ENTAILMENT
                yield in_town, elsewhere, yes(elsewhere, pick), CONTRADICTION
        else:
            asked = asked.replace("Which country do you", "Where do you")
            yield in_land, asked, short.replace("{p}", town), NOT_CONTRADICTION
            yield in_land, asked, short.replace("{p}", away), CONTRADICTION
            if draw > 0.8 and beside != town:
                yield in_town, asked, short.replace("{p}", beside), CONTRADICTION


_SORTS = {
    "plays": (
        ("I play {v}.", "I'm learning to play {v}.", "I've played {v} since I was six."),
        ("What do you play?", "What instrument is it?"),
        "the ",
    ),
    "does": (
        ("I do {v}.", "My sport is {v}.", "I've taken up {v}."),
        ("What sport do you do?", "Which sport is yours?"),
        "",
    ),
    "owns": (
        ("I have {v}.", "We got {v} last year.", "I own {v}."),
        ("What pet do you have?", "What kind of animal do you have?"),
        "a ",
    ),
    "drives": (("I drive {v}.", "I bought {v}."), ("What do you drive?", "What did you buy?"), "a "),
    "eats": (
        ("I had {v} for lunch.", "I could live on {v}.", "We always order {v}."),
        ("What do you eat?", "What did you have?"),
        "",
    ),
    "drinks": (
        ("I drink {v} every evening.", "I ordered {v}."),
        ("What do you drink?", "What did you order?"),
        "",
    ),
    "speaks": (
        ("I speak {v}.", "I grew up with {v}."),
        ("Which language do you speak?", "What did you grow up with?"),
        "",
    ),
    "studies": (
        ("I study {v}.", "My degree is in {v}."),
        ("What do you study?", "What is your degree in?"),
        "",
    ),
    "listens": (
        ("I listen to {v}.", "I love {v}."),
        ("What music do you listen to?", "What do you listen to?"),
        "",
    ),
    "reads": (
        ("I read {v}.", "I mostly buy {v}."),
        ("What do you read?", "What kind of books do you like?"),
        "",
    ),
    "grows": (
        ("I grow {v}.", "My garden is full of {v}."),
        ("What do you grow?", "What's in your garden?"),
        "",
    ),
    "makes": (
        ("I make {v}.", "In my free time I make {v}."),
        ("What do you make?", "What do you make in your free time?"),
        "",
    ),
}

_ONE_TIME = re.compile(r"lunch|did you|degree|bought|grew up|got|ordered")
"""Matches questions about one occasion. Another thing may or may not contradict the stated one in this case."""


def sorts(source: random.Random, held: bool) -> Iterator[Case]:
    """Yield cases about categories. For example, a cello is a stringed instrument, so somebody who has a cello
    has a stringed instrument.
    """
    pick = source
    rows = []
    for line in lines("sorts"):
        theme, general, special = line.split(": ", 2)
        rows.append((theme, parts(general, "="), parts(special, ",")))
    themes = {row[0] for row in rows if sum(other[0] == row[0] for other in rows) > 1}
    while True:
        theme, broad, members = pick.choice([row for row in rows if row[0] in themes])
        members = tuple(kept(members, held) or members)
        _, far, others = pick.choice([row for row in rows if row[0] == theme and row[1] != broad])
        forms, asked, lead = _SORTS[theme]
        question, form = pick.choice(asked), pick.choice(forms)
        one, other = pick.choice(members), pick.choice(others)
        the_one, the_other = ((article(x) if lead == "a " else lead + x) for x in (one, other))
        short = pick.choice(["{v}", "{v}.", "{v}, mostly", "It's {v}.", "{v} of course"])
        several = not _ONE_TIME.search(f"{form} {question}")  # a person may play the harp and the drums
        if pick.random() < 0.5:
            yield form.replace("{v}", the_one), question, short.replace("{v}", pick.choice(broad)), ENTAILMENT
            if several:
                yield form.replace("{v}", the_one), question, short.replace("{v}", pick.choice(far)), NEUTRAL
        else:
            general = form.replace("{v}", pick.choice(broad))
            yield general, question, short.replace("{v}", the_one), NOT_CONTRADICTION
            if several:
                yield general, question, short.replace("{v}", the_other), NEUTRAL
