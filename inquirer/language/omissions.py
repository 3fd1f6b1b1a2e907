"""What a short answer leaves out: `just cooking dinner`, `two kids`."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.mending import FINITE, mended
from inquirer.language.phrases import NOUNS
from inquirer.language.tagger import tag
from inquirer.language.tokens import Token

GREETINGS = {"hey", "hi", "hello", "there", ",", "well", "nice", "good", "morning", "evening", "afternoon"}


def _implied(words: Sequence[Token], tags: Sequence[str]) -> str:
    """The verb that a short answer leaves out: two kids, a nurse, guitar and drums, mostly country."""
    low = [x.lower for x in words]
    start = 1 if low[0] in {"just", "only", "mostly", "mainly", "yes"} else 0
    rest = low[start:]
    if rest[:2] in (["here", "in"], ["here", "at"]) and len(rest) < 10:
        return "am"
    presented = low[-1] == "here" and len(low) > 1 and low[-2] in w.NAMES
    if presented and set(low[:-2]) <= GREETINGS:
        return "am"
    if not rest or len(rest) > 6 or not set(tags[start:]) <= NOUNS | {"CD", "CC", "JJ", "DT", ","}:
        return ""
    last = rest[-1]
    if tags[start] == "CD" and len(rest) > 1 and rest[0] not in {"one", "1"}:
        offspring = w.PETS | {
            "kids",
            "children",
            "boys",
            "girls",
            "sons",
            "daughters",
            "brothers",
            "sisters",
            "siblings",
        }
        return "have" if rest[1] in offspring or (last in offspring and len(rest) == 3) else ""
    if rest[0] in {"a", "an"} and len(rest) < 5 and not start:
        return "am" if last in w.JOBS else "have" if last in w.PETS | w.BREEDS else ""
    names = [x for x in rest if x not in {"and", ",", "the"}]
    if names and all(x in w.INSTRUMENTS for x in names):
        return "play"
    return "like" if names and all(x in w.GENRES | {"music"} for x in names) else ""


def spelt_out(words: tuple[Token, ...]) -> tuple[Token, ...]:
    """`just cooking dinner` leaves out `i am`: without width, so that all places stay."""
    tags = mended(words, tag(words))
    i = 0
    while i < len(words) and (tags[i] == "UH" or words[i].lower in {"just", "currently", "still", ","}):
        i += 1
    if any(t in FINITE for t in tags) or words[-1].text == ",":
        return words
    implied = _implied(words, tags)
    if implied:
        first = len(words) - 2 if words[-1].lower == "here" else 0
        place = words[first].start
        added = (Token("i", "i", place, place), Token(implied, implied, place, place))
        return (*words[:first], *added, *words[first:])
    if (
        i + 1 >= len(words)
        or tags[i] != "VBG"
        or words[i].lower in {"including", "regarding", "speaking", "loving"}
    ):
        return words
    place = words[i].start
    return (*words[:i], Token("i", "i", place, place), Token("am", "am", place, place), *words[i:])
