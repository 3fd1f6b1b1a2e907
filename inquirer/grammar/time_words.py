"""Recognises times, durations and places, and gives their question words."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.lists import listed
from inquirer.language.phrases import head

NEAR = {"yesterday", "tomorrow", "tonight"}
CLOCK = (
    w.TIME_UNITS | w.TIMES | w.MONTHS | w.DAYS | w.SEASONS
    | {"pm", "am", "noon", "midnight", "o'clock", "20s", "30s"}
)  # fmt: skip
NOWHERE = listed("not-places") | w.TIME_UNITS | w.PEOPLE
SEVERAL = w.PLACES - {"work", "class", "state", "college"}  # places whose plural is also a place
RATES = {"a", "per", "each", "every"}
LONG_TIME = {
    "a", "an", "many", "several", "over", "about", "few", "years", "months", "weeks", "hours", "days", "almost",
    "half",
}  # fmt: skip
SINCE = w.TIMES | w.TIME_UNITS | w.MONTHS | w.DAYS | w.SEASONS | {"i", "we", "birth", "childhood", "then"}
AT_A_TIME = {"in", "on", "at", "during", "after", "before", "around", "by", "until"}


def time_word(clause: Clause, phrase: Phrase) -> str:
    """Returns the question word for a time phrase: `When`, `How long`, `How often` and the like.

    Empty for other phrases.
    """
    low = [x.lower for x in clause.words[phrase.start : phrase.end]]
    following = clause.words[phrase.end].lower if phrase.end < clause.end else ""
    if {"because", "that"} & set(low) or following in {"old", "tall"}:
        return ""
    if phrase.kind == "np":
        return _of_noun(clause, phrase, low, following)
    if phrase.kind == "sub":
        return "When" if low[0] in {"when", "after", "before", "while"} else ""
    if phrase.kind == "adv":
        often = low in (["daily"], ["weekly"], ["everyday"])
        return "When" if low[-1] in NEAR else "How often" if often else ""
    return _of_preposition(clause, phrase, low)


def _of_noun(clause: Clause, phrase: Phrase, low: list[str], following: str) -> str:
    """Returns the question word for a noun phrase that is a time, else an empty text.

    For example "two years ago", "last week", "every day", "five years".
    """
    last, first = low[-1], low[0]
    counted = clause.tags[phrase.start] == "CD"
    dated = last == "ago" or last in NEAR or (first in NEAR and len(low) == 2)
    if dated or (first in {"last", "next", "this"} and last in CLOCK and len(low) < 4):
        return "When"
    if last == "times" and len(low) == 2 and counted:
        return "How many times"
    if last == "life":
        lived = clause.auxiliaries or clause.deepest in {"live", "work", "play"}
        return "How long" if lived and (low[-2:-1] == ["whole"] or low[:2] == ["all", "my"]) else ""
    if first in {"every", "each"} and last in CLOCK:
        return "How often"
    return _of_unit(clause, low, counted and following not in RATES) if last in w.TIME_UNITS else ""


def _of_unit(clause: Clause, low: list[str], counted: bool) -> str:
    """Returns `How often` for "three times a week", `How long` for "five years", else an empty text."""
    if len(low) > 2 and low[-2] in RATES:
        return "How often" if "times" in low else ""
    return _how_long(clause, low, counted)


def _how_long(clause: Clause, low: list[str], counted: bool) -> str:
    """Returns `How long` if a phrase such as "five years" is a duration, which depends on the verb. Else empty."""
    helpers = {clause.words[i].lower for i in clause.auxiliaries}
    if (
        helpers & {"have", "has", "'ve", "'s"}
        and low[0] in {"a", "an", "about", "over", "almost"}
        and len(low) < 4
    ):
        return "How long"
    if not counted or not low[-1].endswith("s") or len(low) > 3:
        return ""
    taken = clause.deepest == "take" and clause.subject_words[-1].lower != "it"
    return "How long" if clause.copular or (clause.deepest in listed("lasting") and not taken) else ""


def _of_preposition(clause: Clause, phrase: Phrase, low: list[str]) -> str:
    """Returns the question word for a time after a preposition, else an empty text.

    For example "in 2010", "at the age of nine", "for ten years", "since may".
    """
    first, last = low[0], low[-1]
    if first in {"in", "during"} and _is_season(low):
        return "When"
    if first == "at" and "age" in low and clause.tags[phrase.end - 1] == "CD":
        return "At what age"
    if first == "for" and last in w.TIME_UNITS:
        is_duration = low[1] in LONG_TIME or "CD" in clause.tags[phrase.start : phrase.end]
        return "How long" if is_duration else ""
    if first == "since":
        return "Since when" if any(x[:1].isdigit() or x in SINCE for x in low) else ""
    return "When" if first in AT_A_TIME and _is_dated(clause, low) else ""


def _is_season(low: list[str]) -> bool:
    """Whether the phrase is a season or period, for example "in the nineties", "during the summer time", "in may"."""
    may = low[0] == "in" and low[-1] == "may" and len(low) < 4
    return may or low[-1] in listed("decades") or (low[-1] == "time" and bool(set(low) & w.SEASONS))


def _is_dated(clause: Clause, low: list[str]) -> bool:
    """Whether the phrase is a point in time.

    "in may", "on monday" and "at 5pm" are; "twice in a week" and "by the day" are not.
    """
    first, last = low[0], low[-1]
    clocked = last[:-2].isdigit() and last.endswith(("am", "pm", "th", "st", "nd", "rd"))
    if last not in CLOCK and not _year(last) and not clocked:
        return False
    now = clause.tags[clause.verb] in {"VBP", "VBZ"} and not clause.auxiliaries
    rated = first == "in" and low[1:2] in (["a"], ["an"]) and now
    loose = first in {"around", "by", "until"} and last not in CLOCK
    return not rated and not loose and last not in {"time", "day", "moment", "minute"}


def _year(word: str) -> bool:
    return len(word) == 4 and word.isdigit() and word[:2] in {"18", "19", "20"}


def is_place(clause: Clause, start: int, end: int, preposition: str) -> bool:
    """Whether the noun phrase names a location."""
    low = [x.lower for x in clause.words[start:end]]
    last, core, verb = low[-1], head(clause.words, start, end), clause.deepest
    aimed = preposition == "at" and verb in {"look", "laugh", "yell", "stare", "shout", "excel", "aim"}
    if aimed or last in CLOCK or core in NOWHERE or _year(last) or clause.tags[start] == "PRP":
        return False
    if verb in {"live", "reside"} and preposition in {"in", "near"}:
        return core not in listed("not-homes")
    one = core.rstrip("s") in SEVERAL and preposition in {"in", "at", "to"}
    if one or {core, last} & (w.PLACES | w.CITIES):
        return True
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
