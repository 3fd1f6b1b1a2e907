"""Recognises times and places, and gives the question words for times."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import head

CLOCK = w.TIME_UNITS | w.TIMES | w.MONTHS | w.DAYS | w.SEASONS | w.CLOCK
NOWHERE = w.NOT_PLACES | w.TIME_UNITS | w.PEOPLE
SEVERAL = w.PLACES - {"work", "class", "state", "college"}  # places whose plural is also a place
NO_PLACES = CLOCK | {"me", "us", "him", "them"}
YEAR = re.compile(r"(18|19|20)\d\d")
Fits = Callable[[str], object]


def time_word(clause: Clause, phrase: Phrase) -> str:
    """Returns the question word for a time: `When`, `How long` …, by `data/times.tsv`. Empty for other phrases."""
    low = clause.lows(phrase.start, phrase.end)
    following = clause.low(phrase.end) if phrase.end < clause.end else ""
    if {"because", "that"} & set(low) or following in {"old", "tall"}:
        return ""
    numbers = [tag == "CD" for tag in clause.tags[phrase.start : phrase.end]]
    text = " ".join(
        "#" if number and (x.isdigit() or not x[0].isdigit()) and not YEAR.fullmatch(x) else x
        for x, number in zip(low, numbers, strict=True)
    )
    patterns = _patterns().get(phrase.kind, _patterns()["pp"])
    return next((word for word, needs, fits in patterns if fits(text) and _is(clause, needs, following)), "")


def _is(clause: Clause, needs: str, following: str) -> bool:
    """Whether the clause is what the pattern needs: perfect, lasting, lived, or in the present."""
    helpers = set(clause.helpers)
    if needs == "perfect":
        return bool(helpers & {"have", "has", "'ve", "'s"})
    if needs == "lived":
        return bool(helpers)
    if needs == "now":
        return clause.tags[clause.verb] in {"VBP", "VBZ"} and not helpers
    if needs == "lasting":
        return (clause.copular or clause.deepest in w.LASTING) and following not in w.RATES
    return True


@lru_cache(maxsize=1)
def _patterns() -> dict[str, list[tuple[str, str, Fits]]]:
    """Reads the patterns by the kind of phrase: question word (may be empty), what the clause needs, and the test."""
    result: dict[str, list[tuple[str, str, Fits]]] = defaultdict(list)
    for kind, word, needs, pattern in w.rows("times.tsv"):
        fits = re.compile(re.sub(r"{([a-z-]+)}", _any_of, pattern)).fullmatch
        result[kind].append((word.strip("-"), needs, fits))
    return dict(result)


def _any_of(name: re.Match[str]) -> str:
    words = CLOCK if name.group(1) == "clock" else w.listed(name.group(1))
    return f"(?:{'|'.join(re.escape(word) for word in sorted(words))})"


def is_place(clause: Clause, start: int, end: int, preposition: str) -> bool:
    """Whether the noun phrase names a location."""
    low = clause.lows(start, end)
    last, core, verb = low[-1], head(clause.words, start, end), clause.deepest
    aimed = preposition == "at" and verb in w.AIMING
    if aimed or core in NOWHERE or last in NO_PLACES or YEAR.fullmatch(last):
        return False
    home = verb in {"live", "reside"} and preposition in {"in", "near"}
    one = core.rstrip("s") in SEVERAL and preposition in {"in", "at", "to"}
    if home or one or {core, last} & (w.PLACES | w.CITIES):
        return not home or core not in w.NOT_HOMES
    proper = clause.tags[start] in {"NNP", "NNPS"}
    if preposition == "from":
        return proper or bool({"state", "country"} & set(low))
    if proper and preposition in {"in", "near", "to", "at", "around", "through", "outside"}:
        return clause.copular or verb in w.LOCATIVE or _is_in(preposition, verb)
    return preposition in {"in", "at"} and _is_spot(clause, start, low, core)


def _is_in(preposition: str, verb: str) -> bool:
    """Whether the phrase may be a place. "in paris" and "near rome" are places, "in god" after "believe" is not."""
    return preposition in {"in", "near"} and verb not in w.TRUSTING


def _is_spot(clause: Clause, start: int, low: list[str], core: str) -> bool:
    """Whether the phrase is a place after a verb of staying, where most nouns are: "at the counter", "in my tent"."""
    articles = {"the", "a", "an", "my", "our"}
    opened = low[0] in articles or clause.low(start - 1) in articles
    abstract = core in w.PETS | w.JOBS | w.NOT_SPOTS or core[-4:] in {"ness", "tion", "ment"}
    return opened and not abstract and clause.deepest in w.STAYING
