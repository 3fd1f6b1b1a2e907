"""Questions about what somebody does not like or do."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import trimmed
from inquirer.questions.categories import category_of
from inquirer.questions.clean import tangled, vague
from inquirer.questions.frame import Asked, ask, sentence
from inquirer.questions.lists import VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.voice import Voice

DROPPED = {"at", "all", "really", "personally", "enough", "either", "lol", "though"}
EAGER = {("care", "for"), ("wait", "for")}
DENIED = {
    "like", "love", "enjoy", "eat", "drink", "trust", "understand", "watch", "speak", "wear", "read", "listen",
    "celebrate", "smoke", "drive", "play", "stand", "handle", "tolerate", "remember", "afford",
}  # fmt: skip


@rule("denied", False)
def questions(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """i don't eat meat: what don't you eat?"""
    chained = clause.chain[1] > clause.chain[0]
    if clause.negation is None or (not clause.phrases and not chained) or tangled(clause):
        return
    if clause.phrases and clause.copular and voice.own(clause) and not clause.auxiliaries:
        yield from _not_being(clause, voice)
    if clause.phrases and not clause.auxiliaries and clause.words[clause.negation].lower == "never":
        yield from _never(clause, voice)
    if not clause.auxiliaries:
        return
    if clause.words[clause.negation].lower == "never" or clause.words[clause.auxiliaries[0]].lower not in {
        "do", "does", "did", "ca", "can",
    }:  # fmt: skip
        return
    subject = clause.subject_words[-1].lower
    if not voice.own(clause) and subject not in w.PEOPLE:
        return
    if chained:
        yield from _unwanted(clause, voice)
    if not clause.phrases:
        return
    first = clause.phrases[0]
    said = {x.lower for p in clause.phrases for x in clause.words[p.start : p.end]}
    if said & (
        VAGUE | w.EMPTY_HEADS | {"them", "you", "your", "any", "anymore", "either", "much", "him", "her"}
    ):
        return
    place = (trimmed(clause.words, first.body, first.end), first.end)
    if (
        any(_kept(clause, p) for p in clause.phrases[1:])
        or vague(clause, first)
        or clause.chain[1] > clause.chain[0]
    ):
        return
    made: Asked | None = None
    if first.kind == "np" and clause.deepest in DENIED:
        word = category_of(clause, place[0], first.end, clause.deepest) or "What"
        made = ask(clause, voice, word, place, [first], 0.6, negated=True)
    elif first.kind == "pp" and (clause.deepest, clause.words[first.start].lower) in EAGER:
        made = ask(clause, voice, "What", place, [first], 0.7, (first, "for"), negated=True)
    if made:
        yield made


def _kept(clause: Clause, phrase: Phrase) -> bool:
    return phrase.kind != "adv" or clause.words[phrase.start].lower not in DROPPED


def _pointed(clause: Clause) -> bool:
    said = {x.lower for p in clause.phrases for x in clause.words[p.start : p.end]}
    return bool(
        said & (VAGUE | w.EMPTY_HEADS | {"them", "you", "your", "any", "anymore", "much", "him", "her"})
    )


def _not_being(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """i am not afraid of heights, not a fan of jazz, not into cars."""
    real = [p for p in clause.phrases if p.kind != "adv"]
    if _pointed(clause) or not real or len(real) > 2:
        return
    words, last = clause.words, real[-1]
    preposition = words[last.start].lower
    place = (trimmed(words, last.body, last.end), last.end)
    lead = ""
    if (
        len(real) == 2
        and real[0].kind == "adj"
        and last.kind == "pp"
        and preposition in {"of", "to", "at", "with"}
    ):
        lead = voice.say(
            [x for x in words[real[0].start : real[0].end] if x.lower not in {"too", "really", "that"}]
        )
    elif len(real) == 1 and last.kind == "pp" and preposition == "into":
        lead = ""
    elif len(real) == 1 and last.kind == "np" and "fan" in [x.lower for x in words[last.start : last.end]]:
        at = next((i for i in range(last.start, last.end - 1) if words[i].lower == "of"), None)
        if at is None:
            return
        preposition, place = "of", (trimmed(words, at + 1, last.end), last.end)
        lead = voice.say(words[last.start : at])
    else:
        return
    if clause.tags[place[0]] in {"PRP", "CD"} or last.end - last.start > 6:
        return
    was = words[clause.verb].lower == "was"
    be = ("wasn't" if was else "am I not") if voice.partner else ("weren't" if was else "aren't")
    said = f"{be} {voice.you}" if be != "am I not" else be
    text = sentence("What", said, lead, preposition)
    stated = f"{voice.you} {'was' if was and voice.partner else 'were' if was else voice.are} not"
    yield Asked(*place, text, sentence("Could you tell me what", stated, lead, preposition), 0.65, clause)


def _never(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """i never drink beer: what do you never drink?"""
    first = clause.phrases[0]
    if first.kind != "np" or len(clause.phrases) > 1 or clause.deepest not in DENIED or _pointed(clause):
        return
    if not voice.own(clause) or vague(clause, first) or clause.chain[1] > clause.chain[0]:
        return
    place = (trimmed(clause.words, first.start, first.end), first.end)
    do = "did" if clause.tags[clause.verb] == "VBD" else "do"
    text = sentence("What", do, voice.you, "never", clause.lemma)
    stated = sentence("Could you tell me what", voice.you, "never", clause.words[clause.verb].lower)
    yield Asked(*place, text, stated, 0.6, clause)


def _unwanted(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """i don't like to cook, i don't want to work for my father."""
    start, last = clause.chain
    if clause.lemma not in {"like", "love", "want", "enjoy", "plan", "know"} or _pointed(clause):
        return
    helpers = [clause.words[i].lower for i in clause.auxiliaries]
    if (
        not voice.own(clause)
        or helpers not in (["do"], ["did"])
        or clause.deepest in {"be", "go", "do", "know"}
    ):
        return
    infinitive = clause.words[start].lower == "to"
    if not infinitive and clause.tags[start] != "VBG":
        return
    behind = [p for p in clause.phrases if _kept(clause, p)]
    if any(p.kind not in {"np", "pp", "adv"} for p in behind) or len(behind) > 2:
        return
    end = max([last, *(p.end for p in behind)])
    doing = "to do" if infinitive else "doing"
    text = sentence("What", f"{helpers[0]}n't", voice.you, clause.lemma, doing)
    stated = sentence("Could you tell me what", voice.you, f"{helpers[0]}n't", clause.lemma, doing)
    yield Asked(start + infinitive, end, text, stated, 0.6, clause)
