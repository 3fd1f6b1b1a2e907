"""Questions whose answer is a reason, a purpose or a way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import head
from inquirer.questions.clean import is_bare, mentions_you
from inquirer.questions.frame import Asked, ask, sentence
from inquirer.questions.lists import UNASKABLE_SUBJECTS, VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.voice import Voice

LONGEST = 9  # words of a reason that is still one
COMPLETED = {
    "ask", "tell", "teach", "want", "help", "allow", "force", "expect", "invite", "encourage", "get", "cause",
    "convince", "remind", "inspire", "pay", "hire", "train", "like", "love", "hate", "prefer", "wait", "find",
    "take", "know", "learn", "try", "have", "be", "seem", "feel", "look", "hope", "plan", "decide", "happen",
    "let", "make", "motivate", "beg", "wish", "long", "permit", "enable", "order", "advise", "lead", "choose",
    "see", "hear", "come", "bear", "cost", "need", "mean", "think", "tend", "used", "offer", "enjoy", "give",
}  # fmt: skip
HOLDING = w.EMPTY_HEADS | {
    "love",
    "chance", "ability", "right", "plan", "place", "desire", "need", "job", "goal", "dream", "want", "work",
    "opportunity", "decision", "courage", "person", "attempt", "effort", "wish", "energy", "permission",
    "first", "last", "only", "license", "luck", "pleasure", "promise", "ready", "urge", "power", "strength",
}  # fmt: skip
MISHAPS = {"lose", "hurt", "break", "injure", "meet", "sprain", "twist", "damage", "ruin", "burn"}


@rule("reason", False)
def questions(clause: Clause, voice: Voice, before: Clause | None) -> Iterator[Asked]:
    """Why do you walk dogs? How did you lose your teeth?"""
    if clause.joiner == "so" and before is not None:
        yield from _so(clause, before, voice)
    if _pointing(clause, clause.phrases) or clause.subject_words[-1].lower in UNASKABLE_SUBJECTS:
        return
    for place, phrase in enumerate(clause.phrases):
        earlier = clause.phrases[:place]
        first = clause.words[phrase.start].lower
        answer = (phrase.body, phrase.end)
        if mentions_you(clause, *answer) or phrase.end - phrase.start > LONGEST:
            continue
        made: Asked | None = None
        if phrase.kind == "inf" and clause.negation is None:
            made = _purpose(clause, phrase, earlier, voice)
        elif phrase.kind == "pp" and first == "to" and clause.negation is None:
            made = _way(clause, phrase, voice)
        elif phrase.kind == "np" and place == 0 and clause.lemma in GAINED and clause.negation is None:
            made = _gain(clause, phrase, voice)
        elif phrase.kind == "pp" and first == "for" and clause.copular and _here(clause, earlier):
            made = None if _while(clause, phrase) else ask(clause, voice, "Why", answer, [phrase], 0.7)
            if made:
                made = (
                    replace(made, direct=f"Why {voice.are} {voice.you} here?") if voice.own(clause) else None
                )
        elif phrase.kind == "pp" and first == "because":
            made = ask(clause, voice, "Why", answer, [phrase], 0.85, negated=clause.negation is not None)
        elif (
            phrase.kind == "pp"
            and first in {"from", "for"}
            and (
                clause.tags[phrase.body] == "VBG"
                if first == "from"
                else clause.words[phrase.body].lower == "not"
            )
        ):
            grounded = clause.copular and earlier and earlier[-1].kind == "adj" and first == "for"
            worn = clause.tags[clause.verb] == "VBN" and len(clause.auxiliaries) == 1
            passive = worn and clause.words[clause.auxiliaries[0]].lower not in {"have", "'ve", "has", "had"}
            if (passive or grounded) and clause.negation is None:
                made = ask(clause, voice, "Why", answer, [phrase], 0.8)
        elif phrase.kind == "ger" and clause.deepest in MISHAPS and earlier and earlier[0].kind == "np":
            made = ask(clause, voice, "How", answer, [phrase], 0.75)
        if made:
            yield made


def _here(clause: Clause, earlier: tuple[Phrase, ...]) -> bool:
    return len(earlier) == 1 and clause.words[earlier[0].start].lower == "here" and not clause.auxiliaries


def _while(clause: Clause, phrase: Phrase) -> bool:
    """for the weekend"""
    return clause.words[phrase.end - 1].lower in w.TIME_UNITS | w.TIMES | w.DAYS


WAYS = {"walk", "bike", "drive", "bus", "cycle", "ride", "skate", "skateboard", "jog"}
GAINED = {"inherit", "win", "steal", "rescue"}


@rule("way", True)
def _way(clause: Clause, phrase: Phrase, voice: Voice) -> Asked | None:
    """i walk to work: how do you get to work?"""
    if clause.deepest not in WAYS or clause.chain[1] > clause.chain[0] or clause.auxiliaries:
        return None
    last = clause.words[phrase.end - 1].lower
    before = [p for p in clause.phrases if p.start < phrase.start and p.kind != "adv"]
    if last not in {"work", "school", "college", "church", "class", "campus"} or len(before) > 1:
        return None
    did = (
        "did" if clause.tags[clause.verb] == "VBD" else "does" if clause.tags[clause.verb] == "VBZ" else "do"
    )
    place = voice.say(clause.words[phrase.start : phrase.end])
    text = sentence("How", did, voice.subject(clause), "get", place)
    stated = sentence(
        "Could you tell me how", voice.subject(clause), "gets" if did == "does" else "get", place
    )
    end = max([clause.verb + 1, *(p.end for p in before)])
    return Asked(clause.verb, end, text, stated, 0.8, clause)


@rule("way", True)
def _gain(clause: Clause, phrase: Phrase, voice: Voice) -> Asked | None:
    """i inherited the yacht: how did you get the yacht?"""
    low = [x.lower for x in clause.words[phrase.start : phrase.end]]
    if low[0] not in {"the", "my", "our"} or len(low) < 2 or clause.tags[clause.verb] != "VBD":
        return None
    thing = voice.say(clause.words[phrase.start : phrase.end])
    text = sentence("How did", voice.subject(clause), "get", thing)
    stated = sentence("Could you tell me how", voice.subject(clause), "got", thing)
    return Asked(clause.verb, clause.verb + 1, text, stated, 0.7, clause)


def _pointing(clause: Clause, phrases: tuple[Phrase, ...]) -> bool:
    """Whether the question would name something by `it` or `that`."""
    return any(
        {x.lower for x in clause.words[p.start : p.end]}
        & (VAGUE - {"here", "there", "one"} | {"them", "you"})
        for p in phrases
        if p.kind in {"np", "pp"} and clause.words[p.end - 1].lower not in w.TIME_UNITS
    )


def _purpose(clause: Clause, phrase: Phrase, earlier: tuple[Phrase, ...], voice: Voice) -> Asked | None:
    """i walk dogs to pay for school: why do you walk dogs?"""
    who = clause.subject_words[-1].lower
    if not voice.own(clause) and who not in w.PEOPLE | {"he", "she", "they"}:
        return None
    forced = clause.lemma == "have" and clause.chain[1] > clause.chain[0]
    forced |= (
        clause.lemma in {"want", "like", "love", "need", "hope", "plan"} and clause.chain[1] > clause.chain[0]
    )
    if clause.deepest in COMPLETED or (clause.lemma in COMPLETED and not forced) or not earlier:
        return None
    if any(p.kind in {"adj", "rest", "ger", "bare", "sub"} for p in earlier):
        return None
    ordered = [p for p in earlier if [x.lower for x in clause.words[p.start : p.end]] == ["in", "order"]]
    earlier = tuple(p for p in earlier if p not in ordered)
    if not earlier:
        return None
    last = earlier[-1]
    if last.kind not in {"np", "pp"} or head(clause.words, last.body, last.end) in HOLDING:
        return None
    if clause.words[last.end - 1].lower in HOLDING or clause.words[phrase.body].lower in {"be", "me"}:
        return None
    if {x.lower for x in clause.words[phrase.start : phrase.end]} & {"it", "them", "that"}:
        return None
    if clause.deepest == "use" and len(earlier) == 1:
        return ask(clause, voice, "What", (phrase.body, phrase.end), [phrase], 0.85, (phrase, "for"))
    return ask(clause, voice, "Why", (phrase.body, phrase.end), [phrase, *ordered], 0.75)


def _so(clause: Clause, before: Clause, voice: Voice) -> Iterator[Asked]:
    """Aim (i save so i can travel) or consequence (i love animals so i am vegan)."""
    if not voice.own(clause) or not _telling(before) or mentions_you(clause, clause.start, clause.end):
        return
    if mentions_you(before, before.start, before.end) or _pointing(before, before.phrases):
        return
    helpers = {clause.words[i].lower for i in clause.auxiliaries}
    aimed = (helpers & {"can"} and clause.negation is None) or (
        clause.negation is not None and clause.lemma == "have" and clause.chain[1] > clause.chain[0]
    )
    if aimed:
        start = clause.start + 1
        if clause.end - start <= LONGEST + 3:
            made = ask(
                before, voice, "Why", (start, clause.end), [], 0.75, negated=before.negation is not None
            )
            if made and before.phrases:
                yield made
        return
    if helpers & {"could", "would", "will", "'ll", "might", "may", "should", "must"} or not clause.phrases:
        return
    if any(p.kind == "rest" for p in clause.phrases) or _pointing(clause, clause.phrases) or is_bare(clause):
        return
    if clause.lemma in {"guess", "think", "know", "feel", "hope", "try", "say"}:
        return
    start = before.subject[0] if before.subject[1] > before.subject[0] else before.verb
    end = before.end - (before.words[before.end - 1].text == ",")
    if end - start <= LONGEST + 3:
        made = ask(clause, voice, "Why", (start, end), [], 0.65, negated=clause.negation is not None)
        if made:
            yield made


def _telling(clause: Clause) -> bool:
    """Whether the clause says something of its own about the speaker or what is the speaker's."""
    low = [x.lower for x in clause.subject_words]
    return (
        bool(low) and low[0] in {"i", "we", "my", "our"} and not any(p.kind == "rest" for p in clause.phrases)
    )
