"""Questions about what was called `it`: natural right behind what was said."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.phrases import head, trimmed
from inquirer.questions.clean import mentions_you, tangled
from inquirer.questions.frame import Asked, ask, sentence
from inquirer.questions.lists import VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.times import is_place, time_word
from inquirer.questions.voice import Voice


@rule("it", True)
def questions(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """it takes an hour, it is red, it is in atlanta, it is called dune, it reminds me of home."""
    if [x.lower for x in clause.subject_words] != ["it"] or clause.negation is not None or clause.borrowed:
        return
    if not clause.phrases or tangled(clause) or mentions_you(clause, clause.start, clause.end):
        return
    if clause.copular:
        yield from _being(clause, voice)
        return
    first = clause.phrases[0]
    words = clause.words
    last = words[first.end - 1].lower
    if clause.deepest == "take":
        timed = next(
            (p for p in clause.phrases if p.kind == "np" and _duration(clause, p.start, p.end)), None
        )
        behind = [p for p in clause.phrases if timed and p.start >= timed.end and p.kind == "inf"]
        said = {x.lower for p in behind for x in words[p.start : p.end]}
        if timed and not said & (VAGUE | {"them"}):
            made = ask(clause, voice, "How long", (timed.start, timed.end), [timed], 0.85)
            if made:
                yield made
    elif clause.deepest == "cost" and any(t in {"CD", "$"} for t in clause.tags[first.start : first.end]):
        made = ask(clause, voice, "How much", (first.start, first.end), [first], 0.85)
        if made:
            yield made
    elif clause.deepest == "remind" and len(clause.phrases) > 1 and clause.phrases[1].kind == "pp":
        thing = clause.phrases[1]
        core = head(words, thing.body, thing.end)
        if words[thing.start].lower == "of" and clause.tags[thing.body] != "PRP":
            asked = "Who" if core in w.PEOPLE else "What"
            place = (trimmed(words, thing.body, thing.end), thing.end)
            made = ask(clause, voice, asked, place, [thing], 0.8, (thing, "of"))
            if made:
                yield made
    elif (
        clause.lemma in {"call", "name"}
        and clause.auxiliaries
        and first.kind == "np"
        and last not in VAGUE
        and clause.tags[first.end - 1] != "CD"
    ):
        made = ask(clause, voice, "What", (first.start, first.end), [first], 0.85)
        if made:
            yield made


def _specific(clause: Clause, start: int, end: int) -> bool:
    """a fish stew, a mixture of fruits: nouns that tell what it is."""
    low = [x.lower for x in clause.words[start:end]]
    core = head(clause.words, start, end)
    told = "of" in low[2:] or (
        len(low) > 2
        and clause.tags[end - 2] in {"NN", "NNP", "NNS"}
        and clause.tags[end - 1] in {"NN", "NNP"}
    )
    if low[-1] in {"mine", "ours", "his", "hers", "yours"}:
        return False
    empty = (
        w.EMPTY_HEADS
        | w.TIME_UNITS
        | {"job", "shame", "blast", "pleasure", "place", "story", "challenge", "must", "plus"}
    )
    return told and not {core, low[-1]} & (
        empty | {"hobby", "problem", "question", "fan", "matter", "life", "fun"}
    )


def _duration(clause: Clause, start: int, end: int) -> bool:
    last = clause.words[end - 1].lower
    return last in w.TIME_UNITS and (clause.tags[start] in {"CD", "DT"} or "CD" in clause.tags[start:end])


@rule("it")
def _being(clause: Clause, voice: Voice) -> Iterator[Asked]:
    first = clause.phrases[0]
    words = clause.words
    be = {"'s": "is"}.get(words[clause.verb].lower, words[clause.verb].lower)
    if clause.auxiliaries or be not in {"is", "was"}:
        return
    low = [x.lower for x in words[first.start : first.end]]
    body = trimmed(words, first.body, first.end)
    asked, end = "", ""
    if first.kind in {"adj", "np"} and all(x in w.COLORS | {"and", "dark", "light", "bright"} for x in low):
        asked = "What color"
    elif first.kind == "pp" and low[0] == "like" and len(clause.phrases) == 1 and len(low) > 2:
        asked, end = "What", "like"
    elif (
        first.kind == "pp"
        and all(p.kind in {"pp", "rest"} for p in clause.phrases)
        and clause.tags[first.body] not in {"PRP", "VBG"}
    ):
        preposition = low[0]
        if time_word(clause, first) == "When":
            asked = "When"
        elif preposition in {"in", "at", "near"} and is_place(clause, body, first.end, preposition):
            asked = "Where"
        elif preposition == "about" and low[-1] not in w.TIME_UNITS and clause.tags[body] != "CD":
            asked, end = "What", "about"
    elif first.kind == "np" and low[0] == "my" and low[-1] in {"birthday", "anniversary"}:
        today = next(
            (p for p in clause.phrases if words[p.start].lower in {"today", "tomorrow", "tonight"}), None
        )
        if today is not None:
            whose = voice.say(words[first.start : first.end])
            yield Asked(
                today.start,
                today.end,
                f"When is {whose}?",
                f"Could you tell me when {whose} is?",
                0.85,
                clause,
            )
    elif first.kind == "np" and low[0] in {"a", "an"} and _specific(clause, first.start, first.end):
        asked = "What"
    if asked and low[0] not in VAGUE:
        text = sentence(asked, be, "it", end)
        stated = sentence("Could you tell me", asked.lower(), "it", be, end)
        yield Asked(body, first.end, text, stated, 0.7, clause)
