"""What somebody has: a fear of heights, lots of friends, a job as a cook, boots in the closet."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import trimmed
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.singles import of_what_is_owned
from inquirer.questions.times import is_place, time_word
from inquirer.questions.voice import Voice

LEANING = {
    "fear", "love", "passion", "allergy", "degree", "crush", "addiction", "obsession", "interest", "talent",
    "phobia", "disdain", "hatred", "preference", "dream", "thing", "weakness", "knack", "background", "career",
    "master", "masters", "bachelor", "bachelors", "phd", "doctorate", "major", "minor", "certificate", "craving",
}  # fmt: skip
TIES = {"of", "for", "to", "in", "with", "on", "about", "toward", "towards", "against"}
PLENTY = (
    ["a", "lot", "of"],
    ["lots", "of"],
    ["tons", "of"],
    ["plenty", "of"],
    ["a", "ton", "of"],
    ["a", "bunch", "of"],
)
UNASKED = VAGUE | {"you", "your", "them", "him", "her"}


@rule("possession", of_what_is_owned)
def questions(clause: Clause, phrase: Phrase, voice: Voice) -> Iterator[Asked]:
    low = [x.lower for x in clause.words[phrase.start : phrase.end]]
    yield from _plenty(clause, phrase, low, voice)
    if clause.deepest != "have" or clause.negation is not None:
        return
    yield from _leaning(clause, phrase, low, voice)
    yield from _colored(clause, phrase, low, voice)
    if low[-1] in w.ILLNESSES and not set(low) & {"no", "my", "any"}:
        made = ask(
            clause,
            voice,
            "What illness",
            (trimmed(clause.words, phrase.start, phrase.end), phrase.end),
            [phrase],
            0.8,
        )
        if made:
            yield made
    index = clause.phrases.index(phrase)
    following = clause.phrases[index + 1] if index + 1 < len(clause.phrases) else None
    if following is None or following.kind != "pp":
        return
    preposition = clause.words[following.start].lower
    body = trimmed(clause.words, following.body, following.end)
    if low[-1] in {"degree", "phd", "masters", "bachelors", "diploma"} and preposition == "from":
        text = f"Where did {voice.subject(clause)} get {'my' if voice.partner else 'your'} {low[-1]}?"
        if voice.own(clause):
            stated = f"Could you tell me where {voice.you} got {voice.your} {low[-1]}?"
            yield Asked(body, following.end, text, stated, 0.85, clause)
    elif low[-1] == "job" and preposition == "as" and voice.own(clause):
        be = "is" if clause.words[clause.verb].lower != "had" else "was"
        text = f"What {be} {voice.your} job?"
        stated = f"Could you tell me what {voice.your} job {be}?"
        yield Asked(body, following.end, text, stated, 0.9, clause)
    elif low[-1] not in w.TIME_UNITS | w.EMPTY_HEADS | {"time", "fun"} and low[-1] not in w.PEOPLE | {"job"}:
        placed = preposition in {"in", "at", "on"} and not time_word(clause, following)
        if placed and is_place(clause, body, following.end, preposition) and not set(low) & UNASKED:
            made = ask(
                clause,
                voice,
                "What",
                (trimmed(clause.words, phrase.start, phrase.end), phrase.end),
                [phrase],
                0.6,
            )
            if made and not any(clause.tags[i] == "CD" for i in range(phrase.start, phrase.end)):
                yield made


def _colored(clause: Clause, phrase: Phrase, low: list[str], voice: Voice) -> Iterator[Asked]:
    """i have a shiny red helmet: what color is your helmet?"""
    places = [k for k, x in enumerate(low) if x in w.COLORS - {"gold", "silver"}]
    if (
        not places
        or low[0] not in {"a", "an"}
        or not voice.own(clause)
        or low[-1] in w.COLORS | {"hair", "eyes"}
    ):
        return
    if low[-1] in w.PEOPLE | w.FOODS | w.EMPTY_HEADS or low[-1].endswith("s") or "of" in low:
        return
    inside = low[places[0] : places[-1] + 1]
    if set(inside) - w.COLORS - {"and"} or clause.tags[phrase.end - 1] != "NN" or places[-1] != len(low) - 2:
        return
    be = "was" if clause.words[clause.verb].lower == "had" else "is"
    text = f"What color {be} {voice.your} {low[-1]}?"
    stated = f"Could you tell me what color {voice.your} {low[-1]} {be}?"
    yield Asked(phrase.start + places[0], phrase.start + places[-1] + 1, text, stated, 0.85, clause)


def _plenty(clause: Clause, phrase: Phrase, low: list[str], voice: Voice) -> Iterator[Asked]:
    """i have lots of friends: what do you have lots of?"""
    found = next((x for x in PLENTY if low[: len(x)] == x), None)
    if found is None or clause.negation is not None or clause.phrases.index(phrase):
        return
    if clause.deepest not in {
        "have",
        "eat",
        "drink",
        "read",
        "watch",
        "own",
        "make",
        "collect",
        "listen",
        "see",
    }:
        return
    index = clause.phrases.index(phrase)
    if any(p.kind in {"inf", "adj"} for p in clause.phrases[index + 1 :]):
        return
    start = phrase.start + len(found)
    rest = set(low[len(found) :])
    if rest & (UNASKED | w.EMPTY_HEADS | {"time", "fun", "different"}) or clause.tags[start] == "PRP":
        return
    made = ask(clause, voice, "What", (start, phrase.end), [phrase], 0.75, (phrase, " ".join(found)))
    if made:
        yield made


def _leaning(clause: Clause, phrase: Phrase, low: list[str], voice: Voice) -> Iterator[Asked]:
    """a fear of heights, a passion for animals: what do you have a fear of?"""
    at = next((k for k in range(1, len(low)) if low[k] in {"of", "for"} and low[k - 1] in LEANING), None)
    if at is not None and phrase.start + at + 1 < phrase.end:
        start = trimmed(clause.words, phrase.start + at + 1, phrase.end)
        lead = voice.say(clause.words[phrase.start : phrase.start + at + 1])
        made = ask(clause, voice, "What", (start, phrase.end), [phrase], 0.8, (phrase, lead))
        if made and not set(low) & UNASKED:
            yield made
        return
    index = clause.phrases.index(phrase)
    following = clause.phrases[index + 1] if index + 1 < len(clause.phrases) else None
    if low[-1] not in LEANING - {"thing"} or following is None or following.kind != "pp":
        return
    preposition = clause.words[following.start].lower
    said = {x.lower for x in clause.words[following.start : following.end]}
    if preposition in TIES and not said & UNASKED and clause.tags[following.body] != "PRP":
        place = (trimmed(clause.words, following.body, following.end), following.end)
        made = ask(clause, voice, "What", place, [following], 0.8, (following, preposition))
        if made and following.end - following.start < 7:
            yield made
