"""What the speaker does, in so many words: what are you doing? what did you do yesterday? what would you rather do?"""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import trimmed
from inquirer.language.verbs import known
from inquirer.questions.copula import STATES
from inquirer.questions.frame import DROPPED_TAIL, Asked, helper, sentence
from inquirer.questions.lists import FREE, VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.times import time_word
from inquirer.questions.voice import Voice

# verbs in the progressive that are no answer to `what are you doing?`
STATIVE = {
    "be", "die", "expect", "feel", "get", "go", "have", "hope", "kill", "live", "look", "recover", "starve",
    "struggle", "suffer", "think", "try", "wish",
}  # fmt: skip
MODALS = {"'ll": "will", "'d": "would"} | {x: x for x in ("will", "can", "could", "might", "would")}
MOVING = {"ask", "bring", "expect", "force", "help", "send", "take", "teach"}  # somebody to do something
UNSAID = {"choose", "decide", "help", "share", "start", "stop"}  # little without what is chosen or shared
IDLE = {
    "admit", "agree", "appreciate", "ask", "be", "believe", "bet", "care", "confess", "consider", "do",
    "enjoy", "feel", "get", "guess", "hate", "have", "hear", "hope", "know", "like", "live", "look", "love",
    "mean", "miss", "need", "own", "plan", "prefer", "remember", "say", "see", "seem", "spend", "suppose",
    "tell", "think", "try", "understand", "use", "want", "wish", "wonder",
}  # fmt: skip


def of_doing(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """Every tense has a question of its own."""
    who = clause.subject_words[-1].lower
    if who not in w.PEOPLE | w.PETS | {"i", "we", "he", "she", "they"}:
        return
    end = _end(clause)
    if clause.tags[end - 1] == "IN" or clause.deepest not in known():
        return
    said = {x.lower for p in clause.phrases for x in clause.words[p.start : p.end]}
    if said & (VAGUE | {"you", "your", "them", "everything", "anything", "something", "soon"}):
        return
    if clause.deepest in {"go", "graduate"} and not any(
        p.kind in {"np", "pp", "ger"} for p in clause.phrases
    ):
        return
    tag, helpers = clause.tags[clause.verb], len(clause.auxiliaries)
    modal = helpers == 1 and clause.tags[clause.auxiliaries[0]] == "MD" and voice.own(clause)
    if helpers == 1 and tag == "VBG" and _is_under_way(clause):
        yield _under_way(clause, end, voice)
    elif not helpers and tag == "VBD" and _is_past(clause):
        yield _past(clause, end, voice)
    elif modal and _is_meant(clause):
        yield _meant(clause, end, voice)
    elif not helpers and tag in {"VBP", "VBZ"}:
        yield from _by_habit(clause, voice)


def _end(clause: Clause) -> int:
    """Where what is done ends: with its first objects, without a time."""
    ends = [
        p.end for p in clause.phrases if p.kind in {"np", "pp", "adv", "adj"} and not time_word(clause, p)
    ]
    end = max([clause.chain[1], clause.verb + 1, *ends[:2]])
    while end > clause.verb + 1 and clause.words[end - 1].lower in DROPPED_TAIL:
        end -= 1
    return end


def _times(clause: Clause) -> list[Phrase]:
    return [p for p in clause.phrases if time_word(clause, p) == "When" and p.kind in {"np", "adv"}]


def _when(clause: Clause, voice: Voice) -> str:
    times = _times(clause)
    return voice.say(clause.words[times[0].start : times[0].end]) if times else ""


def _is_under_way(clause: Clause) -> bool:
    later = clause.lemma in {"go", "about"} and clause.words[clause.chain[0]].lower == "to"
    if later and clause.chain[1] > clause.chain[0]:
        return False  # going to cook
    return clause.deepest not in STATIVE and (clause.deepest != "do" or _done(clause))


@rule("doing", False)
def _under_way(clause: Clause, end: int, voice: Voice) -> Asked:
    """i am cooking dinner: what are you doing?"""
    first, _ = helper(clause, voice)
    subject, when = voice.subject(clause), _when(clause, voice)
    always = "always" if any(clause.words[a].lower == "always" for a in clause.adverbs) else ""
    text = sentence("What", first, subject, always, "doing", when)
    stated = sentence("Could you tell me what", subject, first, always, "doing", when)
    return Asked(clause.verb, end, text, stated, 0.6, clause)


def _is_past(clause: Clause) -> bool:
    times = _times(clause)
    return (
        bool(times) and clause.deepest not in {"be", "have", "get", "feel"} and clause.phrases[0] not in times
    )


@rule("doing", False)
def _past(clause: Clause, end: int, voice: Voice) -> Asked:
    """i went home yesterday: what did you do yesterday?"""
    subject, when = voice.subject(clause), _when(clause, voice)
    stated = sentence("Could you tell me what", subject, "did", when)
    return Asked(clause.verb, end, sentence("What did", subject, "do", when), stated, 0.65, clause)


def _rather(clause: Clause) -> str:
    return "rather" if any(clause.words[a].lower == "rather" for a in clause.adverbs) else ""


def _is_meant(clause: Clause) -> bool:
    modal = clause.words[clause.auxiliaries[0]].lower
    told = any(p.kind in {"np", "pp", "ger", "inf", "ing"} for p in clause.phrases)
    if (modal == "'d" and not _rather(clause)) or (clause.deepest in UNSAID and not told):
        return False
    return modal in MODALS and not {clause.deepest, clause.lemma} & IDLE and clause.lemma != "go"


@rule("doing", False)
def _meant(clause: Clause, end: int, voice: Voice) -> Asked:
    """i can juggle: what can you do? i'd rather swim: what would you rather do?"""
    modal, rather = MODALS[clause.words[clause.auxiliaries[0]].lower], _rather(clause)
    subject, when = voice.subject(clause), _when(clause, voice)
    stated = sentence("Could you tell me what", subject, modal, rather, "do", when)
    return Asked(clause.verb, end, sentence("What", modal, subject, rather, "do", when), stated, 0.6, clause)


def _done(clause: Clause) -> bool:
    """Whether doing has an object: homework, and not great."""
    if not clause.phrases or clause.phrases[0].kind != "np":
        return False
    said = {x.lower for p in clause.phrases for x in clause.words[p.start : p.end]}
    return not said & (STATES | {"thanks", "dandy", "man", "awesome", "amazing", "a-okay", "fantastic"})


def _leisure(clause: Clause) -> list[Phrase]:
    return [
        p
        for p in clause.phrases
        if p.kind == "pp" and [x.lower for x in clause.words[p.start : p.end]][-2:] in FREE
    ]


@rule("doing", False)
def _by_habit(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """i dance on weekends, i walk dogs to pay for school: what do you do on weekends, to pay for school?"""
    doing = clause.lemma == "do" and clause.phrases and clause.phrases[0].kind in {"np", "ing"}
    if ({clause.deepest, clause.lemma} & IDLE and not doing) or len(clause.phrases) < 1:
        return
    leisure = _leisure(clause)
    frames = leisure[:1]
    if not frames:
        frames = [p for p in clause.phrases if time_word(clause, p) in {"How often", "When"}][:1]
    if not frames:
        meant = clause.deepest not in MOVING
        frames = [
            p for p in clause.phrases[1:] if meant and p.kind == "inf" and clause.phrases[0].kind == "np"
        ][:1]
    if not frames or frames[0].end - frames[0].start > 7:
        return
    frame = frames[0]
    if frame.kind == "sub" and any(clause.tags[i] == "VBD" for i in range(frame.start, frame.end)):
        return
    alone = not any(p is not frame and p.kind in {"np", "pp", "adv"} for p in clause.phrases)
    if (frame.kind == "sub" and not voice.own(clause)) or (
        alone and clause.deepest in {"go", "play", "move", "come"}
    ):
        return
    reach = [clause.chain[1], clause.verb + 1]
    reach += [p.end for p in clause.phrases if p is not frame and p.kind in {"np", "pp", "adv"}][:2]
    if frame.start > clause.verb:
        reach = [r for r in reach if r <= frame.start]
    when = voice.say(clause.words[frame.start : frame.end])
    subject = voice.subject(clause)
    do = "do" if clause.tags[clause.verb] == "VBP" else "does"
    yield Asked(
        clause.verb if not doing else trimmed(clause.words, clause.phrases[0].start, clause.phrases[0].end),
        max(reach),
        sentence("What", do, subject, "do", when),
        f"Could you tell me what {subject} {'do' if do == 'do' else 'does'} {when}?",
        0.8 if leisure else 0.65,
        clause,
    )
