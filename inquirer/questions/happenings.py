"""What happened to somebody or something."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language.clause import Clause
from inquirer.questions.frame import Asked, sentence
from inquirer.questions.lists import VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.times import time_word
from inquirer.questions.voice import Voice

BEFALLING = {"die", "break", "crash", "explode", "drown", "collapse", "disappear", "vanish"}
SUFFERED = {
    "kidnap", "murder", "kill", "steal", "fire", "arrest", "rob", "injure", "attack", "bite", "suspend",
    "expel", "deport", "evict", "wound", "mug", "hit", "burn", "destroy", "promote",
}  # fmt: skip
OBJECT = {"he": "him", "she": "her", "they": "them"}


@rule("happening", True)
def questions(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """my phone broke last week: what happened to your phone last week?"""
    low = [x.lower for x in clause.subject_words]
    if clause.negation is not None or clause.chain[1] > clause.chain[0] or len(low) > 4:
        return
    if low[0] not in {"my", "our", "he", "she", "they"} and not voice.own(clause):
        return
    if [x.lower for x in clause.words[clause.verb : clause.verb + 2]] == ["broke", "up"]:
        return
    helpers = [clause.words[i].lower for i in clause.auxiliaries]
    alone = not helpers and clause.tags[clause.verb] == "VBD" and clause.lemma in BEFALLING
    suffered = helpers in (["was"], ["were"]) and clause.lemma in SUFFERED
    if not alone and not suffered:
        return
    if any(p.kind in {"np", "rest", "inf"} and not time_word(clause, p) for p in clause.phrases):
        return
    if any({x.lower for x in clause.words[p.start : p.end]} & VAGUE for p in clause.phrases):
        return
    times = [p for p in clause.phrases if time_word(clause, p) == "When" and p.end - p.start < 6]
    others = [p.end for p in clause.phrases if p.kind in {"pp", "adv", "adj"} and p not in times]
    whom = OBJECT.get(low[0], voice.you if low[0] in {"i", "we"} else voice.subject(clause))
    whom = "me" if whom == "I" else whom
    when = voice.say(clause.words[times[0].start : times[0].end]) if times else ""
    text = sentence("What happened to", whom, when)
    end = max([clause.verb + 1, *others[:1]])
    yield Asked(clause.verb, end, text, f"Could you tell me what{text[4:]}", 0.75, clause)
