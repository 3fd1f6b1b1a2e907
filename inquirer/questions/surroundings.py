"""Places and weather of clauses with `to be`."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import trimmed
from inquirer.questions.copula import is_past, phrased
from inquirer.questions.frame import Asked, ask
from inquirer.questions.rule import rule
from inquirer.questions.singles import of_whereabouts
from inquirer.questions.times import is_place, place_word, time_word
from inquirer.questions.voice import Voice

WEATHER = {
    "hot", "cold", "warm", "sunny", "rainy", "windy", "humid", "raining", "snowing", "freezing", "chilly",
    "cloudy", "snowy", "cool", "stormy", "foggy",
}  # fmt: skip


@rule("weather")
def of_sky(clause: Clause, first: Phrase) -> Iterator[Asked]:
    """the weather is nice: how is the weather?"""
    low = [x.lower for x in clause.subject_words]
    if low[-1] != "weather" or first.kind != "adj" or is_past(clause):
        return
    place = (trimmed(clause.words, first.start, first.end), first.end)
    yield phrased(clause, place, "What is the weather like?", "what the weather is like", 0.85)


@rule("place", of_whereabouts)
def of_place(clause: Clause, voice: Voice) -> Iterator[Asked]:
    for place, phrase in enumerate(clause.phrases[:3]):
        if (place and any(p.kind not in {"pp", "adv"} for p in clause.phrases[:place])) or time_word(
            clause, phrase
        ):
            continue
        if phrase.kind != "pp":
            continue
        preposition = clause.words[phrase.start].lower
        if clause.tags[phrase.body] in {"PRP", "VBG"}:
            continue
        body = trimmed(clause.words, phrase.body, phrase.end)
        if (
            preposition == "from"
            and clause.tags[body] != "VBG"
            and is_place(clause, body, phrase.end, "from")
        ):
            made = ask(clause, voice, "Where", (body, phrase.end), [phrase], 0.95, (phrase, "from"))
        elif preposition in {"in", "at", "on", "near"} and is_place(clause, body, phrase.end, preposition):
            earlier = [clause.words[p.start].lower for p in clause.phrases[:place]]
            if "from" in earlier or (preposition == "at" and "in" in earlier):
                continue  # i'm in band at school
            places = [p for p in clause.phrases if p.kind == "pp"]
            reach = phrase.end
            for other in places:
                if other.start == reach and clause.words[other.start].lower in {"in", "near", "at"}:
                    reach = other.end
            made = _at_school(clause, phrase, voice) or ask(
                clause, voice, place_word(preposition), (body, reach), places, 0.85
            )
        elif preposition == "to" and clause.auxiliaries and clause.words[clause.verb].lower == "been":
            made = ask(clause, voice, "Where", (body, phrase.end), [phrase], 0.8)
        elif preposition == "into":
            made = ask(clause, voice, "What", (body, phrase.end), [phrase], 0.85, (phrase, "into"))
        else:
            continue
        if made:
            yield made


SCHOOLS = {"college", "school", "university", "kindergarten", "preschool"}


def _at_school(clause: Clause, phrase: Phrase, voice: Voice) -> Asked | None:
    """i am in college: what one is, not where."""
    words = [x.lower for x in clause.words[phrase.start : phrase.end]]
    if words[0] != "in" or words[-1] not in SCHOOLS or set(words) & {"a", "an", "the", "my", "our"}:
        return None
    return ask(clause, voice, "What kind of school", (phrase.body, phrase.end), [phrase], 0.8, (phrase, "in"))
