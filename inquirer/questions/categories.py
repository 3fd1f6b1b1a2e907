"""The class that a question asks for: what kind of music, what food, what sport."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.questions.lists import PLAIN, TASTES

UNTOLD = PLAIN | {
    "all", "certain", "many", "more", "different", "favorite", "free", "most", "multiple", "some", "special",
    "unique", "various",
}  # fmt: skip
OWNERS = {"my", "our", "his", "her", "their"}
EATING = TASTES | {"eat", "cook", "make", "bake", "crave", "order"}


def category_of(clause: Clause, start: int, end: int, verb: str) -> str:
    """The class that is asked for, in the plural where several things answer."""
    found = _category(clause, start, end, verb)
    breaks = [i for i in range(start, end) if clause.words[i].lower in {"and", "or", ","}]
    if not breaks:
        return found
    first = start
    for place in breaks:  # travis scott and basketball are no sports
        other = _category(clause, first, place, verb) if place > first else found
        if (other and other != found) or clause.words[first].lower in w.NAMES or clause.tags[first] == "VBG":
            return ""
        first = place + 1
    if clause.tags[first] == "VBG":
        return ""
    return found + "s" if found.count(" ") == 1 else found


def _category(clause: Clause, start: int, end: int, verb: str) -> str:
    low = [x.lower for x in clause.words[start:end]]
    last = low[-1]
    if "favorite" in low or low[0] in OWNERS:
        return ""
    if last in w.CATEGORIES and _told_apart(clause, start, end, low) and verb != "have":
        return f"What kind of {last}"
    if verb in EATING and last in w.FOODS | {"food"}:
        return "What food"
    if verb in TASTES | {"drink"} and last in w.DRINKS - {"water"}:
        return "What drink" if verb != "drink" else ""
    rural = last == "country" and clause.words[start - 1].lower == "the"
    if verb in TASTES | {"listen"} and last in w.GENRES and not rural:
        return "What kind of music"
    if verb in TASTES | {"play"} and last in w.SPORTS:
        return "What sport"
    if verb in {"play", "learn", "practice"} and last in w.INSTRUMENTS:
        return "What instrument"
    if verb == "teach" and last == "grade" and end - start > 1:
        return "What grade"
    if verb in {"speak", "learn", "study"} and last in w.LANGUAGES:
        return "What language"
    if verb in TASTES and last in w.ANIMALS - {"pet", "pets", "animal", "animals"}:
        return "What animal"
    colored = last in w.COLORS and set(low) <= w.COLORS | {"the", "color", "colors", "and", "or", ","}
    return "What color" if verb in TASTES and colored else ""


def _told_apart(clause: Clause, start: int, end: int, low: list[str]) -> bool:
    """horror movies, and not the movies: a word tells which kind of the class."""
    linking = {"PRP$", "DT", "CD", "CC", "IN", "PDT", "POS"}
    told = end - start > 1 and clause.tags[end - 2] not in linking and not {"of", "and"} & set(low[:-1])
    return told and low[-2] not in UNTOLD
