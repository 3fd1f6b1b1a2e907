"""Questions from a clause that lacks its object because it hangs on it: a dog i adopted from the shelter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.clauses import inner
from inquirer.language.phrases import head, trimmed
from inquirer.language.pieces import OBJECTIVE
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.times import time_word
from inquirer.questions.voice import Voice


@rule("relative")
def questions(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """i have a dog i adopted from the shelter: what did you adopt from the shelter?"""
    for thing, rest in zip(clause.phrases, clause.phrases[1:], strict=False):
        if thing.kind not in {"np", "pp"} or rest.kind != "rest" or rest.start != thing.end:
            continue
        begin = rest.start + (clause.words[rest.start].lower in {"that", "which", "who"})
        if begin >= rest.end or clause.words[begin].lower not in {"i", "we"}:
            continue
        told = inner(clause, begin)
        if told is None or not voice.own(told) or told.negation is not None or told.copular:
            continue
        if told.deepest not in OBJECTIVE or any(
            p.kind in {"np", "rest", "inf"} and not time_word(told, p) for p in told.phrases
        ):
            continue
        if any(
            {x.lower for x in told.words[p.start : p.end]} & (VAGUE | {"you", "your"}) for p in told.phrases
        ):
            continue
        body = trimmed(clause.words, thing.body, thing.end)
        core = head(clause.words, body, thing.end)
        if core in w.EMPTY_HEADS | w.TIME_UNITS or clause.tags[thing.body] == "PRP":
            continue
        if not told.phrases and told.deepest in {"have", "like", "love", "want", "know", "see", "get"}:
            continue
        made = ask(told, voice, "Who" if core in w.PEOPLE else "What", (body, thing.end), [], 0.65)
        if made:
            yield replace(made, clause=clause)
