"""Recognises times and places, and gives the question words for times."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.lists import FOLDER, listed
from inquirer.language.phrases import head

CLOCK = w.TIME_UNITS | w.TIMES | w.MONTHS | w.DAYS | w.SEASONS | listed("clock")
NOWHERE = listed("not-places") | w.TIME_UNITS | w.PEOPLE
SEVERAL = w.PLACES - {"work", "class", "state", "college"}  # places whose plural is also a place
YEAR = re.compile(r"(18|19|20)\d\d")
Fits = Callable[[str], object]


def time_word(clause: Clause, phrase: Phrase) -> str:
    """Returns the question word for a time phrase: `When`, `How long`, `How often` and the like.

    Empty for other phrases. The patterns are in `data/times.tsv`.
    """
    low = [x.lower for x in clause.words[phrase.start : phrase.end]]
    following = clause.words[phrase.end].lower if phrase.end < clause.end else ""
    if {"because", "that"} & set(low) or following in {"old", "tall"}:
        return ""
    numbers = [tag == "CD" for tag in clause.tags[phrase.start : phrase.end]]
    text = " ".join(_plain(word, number) for word, number in zip(low, numbers, strict=True))
    patterns = _patterns().get(phrase.kind, _patterns()["pp"])
    return next((word for word, needs, fits in patterns if fits(text) and _is(clause, needs, following)), "")


def _plain(word: str, number: bool) -> str:
    return "#" if number and (word.isdigit() or not word[0].isdigit()) and not YEAR.fullmatch(word) else word


def _is(clause: Clause, needs: str, following: str) -> bool:
    """Whether the clause is what the pattern needs: perfect, lasting, lived, or in the present."""
    helpers = {clause.words[i].lower for i in clause.auxiliaries}
    if needs == "perfect":
        return bool(helpers & {"have", "has", "'ve", "'s"})
    if needs == "lived":
        return bool(helpers) or clause.deepest in {"live", "work", "play"}
    if needs == "now":
        return clause.tags[clause.verb] in {"VBP", "VBZ"} and not helpers
    if needs == "lasting":
        taken = clause.deepest == "take" and clause.subject_words[-1].lower != "it"
        lasts = clause.copular or (clause.deepest in listed("lasting") and not taken)
        return lasts and following not in listed("rates")
    return True


@lru_cache(maxsize=1)
def _patterns() -> dict[str, list[tuple[str, str, Fits]]]:
    """Reads the patterns by the kind of phrase: question word (may be empty), what the clause needs, and the test."""
    result: dict[str, list[tuple[str, str, Fits]]] = defaultdict(list)
    for line in (FOLDER / "times.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            kind, word, needs, pattern = line.split("\t")
            fits = re.compile(re.sub(r"{([a-z-]+)}", _any_of, pattern)).fullmatch
            result[kind].append((word.strip("-"), needs, fits))
    return dict(result)


def _any_of(name: re.Match[str]) -> str:
    words = CLOCK if name.group(1) == "clock" else listed(name.group(1))
    return f"(?:{'|'.join(re.escape(word) for word in sorted(words))})"


def is_place(clause: Clause, start: int, end: int, preposition: str) -> bool:
    """Whether the noun phrase names a location."""
    low = [x.lower for x in clause.words[start:end]]
    last, core, verb = low[-1], head(clause.words, start, end), clause.deepest
    aimed = preposition == "at" and verb in listed("aiming")
    if aimed or core in NOWHERE or last in CLOCK | {"me", "us", "him", "them"} or YEAR.fullmatch(last):
        return False
    home = verb in {"live", "reside"} and preposition in {"in", "near"}
    one = core.rstrip("s") in SEVERAL and preposition in {"in", "at", "to"}
    if home or one or {core, last} & (w.PLACES | w.CITIES):
        return not home or core not in listed("not-homes")
    proper = clause.tags[start] in {"NNP", "NNPS"}
    if preposition == "from":
        return proper or bool({"state", "country"} & set(low))
    if proper and preposition in {"in", "near", "to", "at", "around", "through", "outside"}:
        return clause.copular or verb in listed("locative") or _is_in(preposition, verb)
    return preposition in {"in", "at"} and _is_spot(clause, start, low, core)


def _is_in(preposition: str, verb: str) -> bool:
    """Whether the phrase may be a place. "in paris" and "near rome" are places, "in god" after "believe" is not."""
    return preposition in {"in", "near"} and verb not in listed("trusting")


def _is_spot(clause: Clause, start: int, low: list[str], core: str) -> bool:
    """Whether the phrase is a place after a verb of staying, for example "at the counter", "in my tent".

    After such a verb, most nouns with an article are places.
    """
    articles = {"the", "a", "an", "my", "our"}
    opened = low[0] in articles or (start > 0 and clause.words[start - 1].lower in articles)
    abstract = core in w.PETS | w.JOBS | listed("not-spots") or core[-4:] in {"ness", "tion", "ment"}
    return opened and not abstract and clause.deepest in listed("staying")
