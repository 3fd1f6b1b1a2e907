"""Finds the category that a question names, for example "what kind of music", "what food", "what sport"."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.lists import listed

TASTES = listed("tastes")
UNTOLD = listed("plain-adjectives") | {
    "all", "certain", "many", "more", "different", "favorite", "free", "most", "multiple", "some", "special",
    "unique", "various",
}  # fmt: skip
OWNERS = {"my", "our", "his", "her", "their"}
EATING = TASTES | {"eat", "cook", "make", "bake", "crave", "order"}
# verbs, last words of their objects, and the question words
CLASSES = (
    (EATING, w.FOODS | {"food"}, "What food"),
    (TASTES, w.DRINKS - {"water"}, "What drink"),
    (TASTES | {"listen"}, w.GENRES, "What kind of music"),
    (TASTES | {"play"}, w.SPORTS, "What sport"),
    ({"play", "learn", "practice"}, w.INSTRUMENTS, "What instrument"),
    ({"speak", "learn", "study"}, w.LANGUAGES, "What language"),
    (TASTES, w.ANIMALS - {"pet", "pets", "animal", "animals"}, "What animal"),
    (TASTES, w.COLORS, "What color"),
)


def category(clause: Clause, start: int, end: int, verb: str) -> str:
    """Returns the category, in the plural if there can be several answers. Empty if no category is known."""
    named = _category(clause, start, end, verb)
    breaks = [i for i in range(start, end) if clause.words[i].lower in {"and", "or", ","}]
    first = start
    for place in breaks:  # travis scott and basketball are not sports
        other = _category(clause, first, place, verb) if place > first else named
        if other != named or clause.words[first].lower in w.NAMES or clause.tags[first] == "VBG":
            return ""
        first = place + 1
    return named + "s" if breaks and named.count(" ") == 1 and named != "What food" else named


def _category(clause: Clause, start: int, end: int, verb: str) -> str:
    low = [x.lower for x in clause.words[start:end]]
    last = low[-1]
    if "favorite" in low or low[0] in OWNERS or clause.tags[start] == "VBG":
        return ""
    if last in w.CATEGORIES and verb != "have" and _told_apart(clause, start, end, low):
        return f"What kind of {last}"
    if last == "country" and clause.words[start - 1].lower == "the":
        return ""
    return next((asked for verbs, things, asked in CLASSES if verb in verbs and last in things), "")


def _told_apart(clause: Clause, start: int, end: int, low: list[str]) -> bool:
    """Whether a word specifies the kind within the category. "horror movies" does, "the movies" does not."""
    linking = {"PRP$", "DT", "CD", "CC", "IN", "PDT", "POS"}
    described = end - start > 1 and clause.tags[end - 2] not in linking and not {"of", "and"} & set(low[:-1])
    return described and low[-2] not in UNTOLD


def class_of(clause: Clause, start: int, end: int) -> str:
    """Returns the category of these words. For example, pasta is a food, and watching films is an activity."""
    low = [x.lower for x in clause.words[start:end]]
    if clause.tags[start] == "VBG" or low[0] in w.HOBBIES:
        return "thing to do"
    for group, name in (
        (w.FOODS, "food"), (w.DRINKS, "drink"), (w.SPORTS, "sport"), (w.COLORS, "color"), (w.ANIMALS, "animal"),
        (w.GENRES, "kind of music"), (w.MONTHS, "month"), (w.SEASONS, "season"),
    ):  # fmt: skip
        if low[-1] in group:
            return name
    return f"kind of {low[-1]}" if low[-1] in w.CATEGORIES and len(low) > 1 else ""
