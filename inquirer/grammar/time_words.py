"""Which phrases are times, durations and places, and the question word that goes with them."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.lists import listed
from inquirer.language.phrases import head

LOCATIVE = listed("locative")
LASTING = listed("lasting")
TRUSTING = listed("trusting")
DECADES = listed("decades")
CLOCK = (
    w.TIME_UNITS
    | w.TIMES
    | w.MONTHS
    | w.DAYS
    | w.SEASONS
    | {"pm", "am", "noon", "midnight", "o'clock", "sunday", "20s", "30s"}
)
NOT_PLACES = listed("not-places")


def time_word(clause: Clause, phrase: Phrase) -> str:
    """When, How long or How often, if the phrase says so; else nothing."""
    low = [x.lower for x in clause.words[phrase.start : phrase.end]]
    last = low[-1]
    if any(x in {"because", "that"} for x in low):
        return ""
    unit = last in w.TIME_UNITS
    if phrase.end < clause.end and clause.words[phrase.end].lower in {"old", "tall"}:
        return ""
    if phrase.kind == "np":
        if (
            last == "ago"
            or (low[0] in {"last", "next", "this"} and (unit or last in CLOCK) and len(low) < 4)
            or last in {"yesterday", "tomorrow", "tonight"}
            or (low[0] in {"yesterday", "tomorrow"} and len(low) == 2)
        ):
            return "When"
        if last == "times" and len(low) == 2 and clause.tags[phrase.start] == "CD":
            return "How many times"
        lasting = any(clause.words[i].lower in {"have", "has", "'ve", "'s"} for i in clause.auxiliaries)
        if unit and lasting and low[0] in {"a", "an", "about", "over", "almost"} and len(low) < 4:
            return "How long"
        if low[-2:] == ["whole", "life"] or (low[:2] == ["all", "my"] and last == "life"):
            return "How long" if clause.auxiliaries or clause.deepest in {"live", "work", "play"} else ""
        if low[0] in {"every", "each"} and (unit or last in CLOCK):
            return "How often"
        if (
            len(low) >= 3
            and low[-2] in {"a", "per", "each", "every"}
            and unit
            and any(x in {"times", "twice", "once", "days", "hours"} for x in low)
        ):
            return "How often" if "times" in low else ""
        rate = phrase.end < clause.end and clause.words[phrase.end].lower in {"a", "per", "each", "every"}
        if rate and unit and clause.tags[phrase.start] == "CD":
            return ""
        if unit and clause.tags[phrase.start] == "CD" and last.endswith("s") and len(low) <= 3:
            taken = clause.deepest == "take" and clause.subject_words[-1].lower != "it"
            return "How long" if (clause.deepest in LASTING and not taken) or clause.copular else ""
        return ""
    if phrase.kind == "sub":
        return "When" if low[0] in {"when", "after", "before", "while"} else ""
    if phrase.kind == "adv":
        return (
            "When"
            if last in {"yesterday", "tomorrow", "tonight"}
            else "How often"
            if low in (["daily"], ["weekly"], ["everyday"])
            else ""
        )
    first = low[0]
    if first in {"in", "during"} and last in DECADES:
        return "When"
    if first == "in" and low[1:] in (["may"], ["early", "may"], ["late", "may"]):
        return "When"
    if first == "at" and "age" in low and clause.tags[phrase.end - 1] == "CD":
        return "At what age"
    if first == "for" and unit:
        amount = {
            "a",
            "an",
            "many",
            "several",
            "over",
            "about",
            "few",
            "years",
            "months",
            "weeks",
            "hours",
            "days",
            "almost",
            "half",
        }
        return "How long" if low[1] in amount or "CD" in clause.tags[phrase.start : phrase.end] else ""
    if first == "since":
        told = {*w.TIMES, *w.TIME_UNITS, *w.MONTHS, *w.DAYS, *w.SEASONS} & set(low)
        dated = any(x[:1].isdigit() or x in {"i", "we", "birth", "childhood", "then"} for x in low)
        return "Since when" if told or dated else ""
    if first in {"in", "during"} and set(low) & w.SEASONS and last == "time":
        return "When"
    if first in {"in", "on", "at", "during", "after", "before", "around", "by", "until"} and (
        last in CLOCK
        or _year(last)
        or (last[:-2].isdigit() and last.endswith(("am", "pm", "th", "st", "nd", "rd")))
    ):
        rated = first == "in" and low[1:2] in (["a"], ["an"]) and clause.tags[clause.verb] in {"VBP", "VBZ"}
        if rated and not clause.auxiliaries:
            return ""
        if last in {"time", "day", "moment", "minute"} or (
            first in {"around", "by", "until"} and last not in CLOCK
        ):
            return ""
        return "When"
    return ""


def _year(word: str) -> bool:
    return len(word) == 4 and word.isdigit() and word[:2] in {"18", "19", "20"}


def is_place(clause: Clause, start: int, end: int, preposition: str) -> bool:
    """Whether the noun phrase names where something is."""
    low = [x.lower for x in clause.words[start:end]]
    last = low[-1]
    core = head(clause.words, start, end)
    if preposition == "at" and clause.deepest in {"look", "laugh", "yell", "stare", "shout", "excel", "aim"}:
        return False
    if (
        last in CLOCK
        or core in NOT_PLACES | w.TIME_UNITS
        or _year(last)
        or core in w.PEOPLE
        or clause.tags[start] == "PRP"
    ):
        return False
    if clause.deepest in {"live", "reside"} and preposition in {"in", "near"}:
        return core not in {
            "fear",
            "peace",
            "hope",
            "poverty",
            "sin",
            "harmony",
            "past",
            "present",
            "moment",
            "world",
        }
    if core in w.PLACES or last in w.CITIES | w.PLACES or core in w.CITIES:
        return True
    several = core.rstrip("s") in w.PLACES - {"work", "class", "state", "college"}
    if several and preposition in {"in", "at", "to"}:
        return True
    if preposition == "from":
        return clause.tags[start] in {"NNP", "NNPS"} or "state" in low or "country" in low
    if clause.tags[start] in {"NNP", "NNPS"} and preposition in {
        "in",
        "near",
        "to",
        "at",
        "around",
        "through",
        "outside",
    }:
        return (
            clause.copular
            or clause.deepest in LOCATIVE
            or (preposition in {"in", "near"} and clause.deepest not in TRUSTING)
        )
    if (preposition in {"in", "at"} and low[0] in {"the", "a", "an", "my", "our"}) or (
        preposition in {"in", "at"} and start and clause.words[start - 1].lower in {"the", "a", "an"}
    ):
        return (
            clause.deepest
            in {"live", "work", "stay", "grow", "sit", "keep", "hide", "park", "stand", "wait", "reside"}
            and core
            not in w.PETS
            | w.JOBS
            | {"band", "team", "group", "choir", "field", "industry", "hours", "sales", "retail", "it"}
            and core[-4:] not in {"ness", "tion", "ment"}
        )
    return False


def place_word(preposition: str) -> str:
    return {"near": "Where"}.get(preposition, "Where")
