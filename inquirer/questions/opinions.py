"""What somebody thinks of something: i think robots are fascinating."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.phrases import trimmed
from inquirer.questions.copula import is_past, is_single, phrased
from inquirer.questions.frame import Asked
from inquirer.questions.lists import UNASKABLE_SUBJECTS, VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.voice import Voice

THINKING = {"think", "believe", "feel", "find"}
LONGEST = 4  # words of what is thought about


@rule("opinion")
def questions(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """i think robots are fascinating: what do you think of robots?"""
    start, end = clause.subject
    before = [x.lower for x in clause.words[clause.start : start] if x.text[0].isalnum()]
    spoken = before[:-1] if before[-1:] == ["that"] else before
    if not clause.copular or is_past(clause) or not clause.phrases or clause.negation is not None:
        return
    if spoken[-2:-1] not in (["i"], ["personally"], ["really"], ["just"]) or spoken[-1] not in THINKING:
        return
    low = [x.lower for x in clause.words[start:end]]
    pointing = VAGUE | UNASKABLE_SUBJECTS | w.PERSONS | {"you", "your", "he", "she", "they", "we"}
    if not low or len(low) > LONGEST or set(low) & pointing or clause.tags[end - 1][:2] != "NN":
        return
    first = next((p for p in clause.phrases if p.kind != "adv"), None)
    if first is None or first.kind != "adj" or not is_single(clause):
        return
    last = clause.words[first.end - 1].lower
    if last in w.TIMES | {"able", "likely", "similar", "different", "same", "available", "ok", "okay"}:
        return
    what = voice.say(clause.words[start:end])
    do = "do I" if voice.partner else "do you"
    place = (trimmed(clause.words, first.start, first.end), first.end)
    yield phrased(clause, place, f"What {do} think of {what}?", f"what {voice.you} think of {what}", 0.8)
