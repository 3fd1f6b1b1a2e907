"""Sentences that point at one thing: the last book i read was dune; dieting is what i am focused on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.clauses import inner
from inquirer.language.phrases import trimmed
from inquirer.questions.clean import mentions_you
from inquirer.questions.frame import Asked, ask, helper, lowered, sentence
from inquirer.questions.lists import UNASKABLE_SUBJECTS, VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.times import is_place
from inquirer.questions.voice import Voice

ASKING = {"what": "What", "where": "Where", "why": "Why", "who": "Who", "how": "How"}


@rule("cleft")
def questions(clause: Clause, voice: Voice) -> Iterator[Asked]:
    if not clause.copular or clause.borrowed or clause.negation is not None or not clause.phrases:
        return
    yield from _cleft(clause, voice)
    yield from _something(clause, voice)
    yield from _described(clause, voice)


def _cleft(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """dieting is what i am focused on: what are you focused on?"""
    first = next((p for p in clause.phrases if p.kind != "adv"), clause.phrases[0])
    start, end = clause.subject
    low = [x.lower for x in clause.words[start:end]]
    asked = ASKING.get(clause.words[first.start].lower)
    if asked is None or first.kind != "rest" or end <= start:
        return
    if clause.tags[start] in {"PRP", "EX"} or set(low) & (VAGUE | w.PERSONS) or len(low) > 6:
        return
    told = inner(clause, first.start + 1)
    if told is None or told.negation is not None or told.subject_words[-1].lower in UNASKABLE_SUBJECTS:
        return
    if any(p.kind == "rest" for p in told.phrases):
        return
    if asked == "Who":
        return
    made = ask(told, voice, asked, (trimmed(clause.words, start, end), end), [], 0.75)
    if made:
        yield replace(made, clause=clause)


def _something(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """walking is something i enjoy: what do you enjoy?"""
    start, end = clause.subject
    if len(clause.phrases) != 2 or end <= start or clause.tags[start] in {"PRP", "EX", "DT"}:
        return
    first, rest = clause.phrases
    if (
        clause.words[first.start].lower != "something"
        or rest.kind != "rest"
        or {x.lower for x in clause.words[start:end]} & (VAGUE | w.PERSONS)
    ):
        return
    told = inner(clause, rest.start + (clause.words[rest.start].lower == "that"))
    if told is None or not voice.own(told) or told.negation is not None or told.phrases:
        return
    made = ask(told, voice, "What", (trimmed(clause.words, start, end), end), [], 0.7)
    if made:
        yield replace(made, clause=clause)


def _described(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """the last book i read was dune: what was the last book you read?"""
    start, end = clause.subject
    low = [x.lower for x in clause.words[start:end]]
    own = next((k for k, x in enumerate(low[:-1]) if x in {"i", "we"} and k), None)
    if own is None or low[0] not in {"the", "my", "one", "another"} or clause.auxiliaries:
        return
    first = next((p for p in clause.phrases if p.kind != "adv"), None)
    if first is None or mentions_you(clause, first.start, first.end):
        return
    if {x.lower for x in clause.words[first.start : first.end]} & (VAGUE | {"when", "how"}):
        return
    be, _ = helper(clause, voice)
    body = trimmed(clause.words, first.body, first.end)
    asked = ""
    if first.kind in {"np", "ing", "ger"} or (
        first.kind == "adj" and clause.words[first.start].lower in w.COLORS
    ):
        asked = "Who" if low[own - 1] in w.PERSON_NOUNS else "What"
    elif first.kind == "pp" and is_place(clause, body, first.end, clause.words[first.start].lower):
        asked = "Where"
    elif first.kind == "rest" and clause.words[first.start].lower == "to":
        asked, body = "What", first.start + 1
    if asked and not (low[own - 1] == "reason" or low[own - 1] in w.TIME_UNITS | {"time"}):
        text = sentence(asked, be, voice.subject(clause))
        stated = lowered(sentence(asked, voice.subject(clause), be))
        yield Asked(body, first.end, text, f"Could you tell me {stated}", 0.85, clause)
