"""Questions whose answer is something done."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.clauses import REPORTING
from inquirer.language.phrases import head, trimmed
from inquirer.language.verbs import base
from inquirer.questions.frame import DROPPED_TAIL, Asked, ask, helper, sentence
from inquirer.questions.jobs import works
from inquirer.questions.lists import INTENDING, TASTES, VAGUE
from inquirer.questions.rule import rule
from inquirer.questions.singles import of_wish
from inquirer.questions.times import time_word
from inquirer.questions.voice import Voice

DUTIES = {
    "say",
    "admit",
    "agree",
    "go",
    "ask",
    "be",
    "run",
    "check",
    "do",
    "get",
    "see",
    "try",
    "tell",
    "know",
    "wait",
}


@rule("activity", of_wish)
def of_activity(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """like to ride horses: what do you like to do?"""
    subject_ = [x.lower for x in clause.subject_words]
    if subject_[-1] in w.DAYS | w.TIME_UNITS:
        return
    yield from _spending(clause, voice)
    yield from _causing(clause, voice)
    yield from _ability(clause, voice)
    yield from _ending(clause, voice)
    first, last = clause.chain
    if (
        clause.lemma == "use"
        and clause.deepest == "be"
        and voice.own(clause)
        and clause.phrases
        and clause.phrases[0].kind == "np"
    ):
        thing = clause.phrases[0]
        start = trimmed(clause.words, thing.start, thing.end)
        if works(head(clause.words, start, thing.end), clause.words[thing.end - 1].lower):
            yield Asked(
                start,
                thing.end,
                f"What did {voice.you} use to do for a living?",
                f"Could you tell me what {voice.you} used to do for a living?",
                0.9,
                clause,
            )
            return
    if clause.lemma == "use" and clause.deepest == "be" and clause.phrases and clause.phrases[0].kind == "np":
        state = clause.phrases[0]
        place = (trimmed(clause.words, state.start, state.end), state.end)
        made = ask(clause, voice, "What", place, [state], 0.75)
        if made and clause.words[state.start].lower in {"a", "an"}:
            yield made
        return
    if last <= first or (clause.lemma in {"have", "use"} and clause.words[first].lower != "to"):
        return
    if any(
        {x.lower for x in clause.words[p.start : p.end]} & (VAGUE - {"here", "there"})
        | {x.lower for x in clause.words[p.start : p.end]} & {"you", "your", "them"}
        for p in clause.phrases
    ):
        return
    inner = first + (clause.words[first].lower == "to")
    if clause.lemma == "go" and not clause.auxiliaries and clause.words[first].lower == "to":
        return
    if clause.lemma == "use" and last - first > 2 and base(clause.words[inner].lower) in TASTES:
        return  # i used to like to talk: liking is no deed
    if clause.lemma == "use" and clause.deepest == "live":
        return
    if clause.words[first].lower == "how":
        made = _knowing(clause, voice)
        if made:
            yield made
        return
    becoming = clause.deepest == "be" and clause.lemma in {"study", "train"}
    if clause.words[first].lower == "to" and clause.lemma not in INTENDING and not becoming:
        return
    if clause.deepest in REPORTING or (
        clause.phrases
        and clause.phrases[0].kind == "rest"
        and clause.tags[clause.phrases[0].start] in {"WP", "WDT", "WRB", "IN"}
    ):
        return
    if (
        (clause.words[first].lower != "to" and clause.tags[first] != "VBG")
        or (clause.lemma in {"study", "train"} and clause.deepest != "be")
        or (clause.lemma == "have" and (not clause.phrases or clause.deepest in DUTIES))
        or (clause.lemma == "need" and not clause.phrases)
        or (
            clause.deepest == "be"
            and clause.lemma not in {"want", "hope", "plan", "go", "like", "love", "study", "train", "learn"}
        )
    ):
        return
    ends = [
        p.end
        for p in clause.phrases
        if p.kind in {"np", "pp", "adv", "adj"} and clause.words[p.start].lower not in w.TIMES | {"alot"}
    ]
    end = max([last, *(e for e in ends[:2])])
    while end > last and clause.words[end - 1].lower in DROPPED_TAIL | {"everyday", "soon"}:
        end -= 1
    here, behind = helper(clause, voice)
    subject = voice.subject(clause)
    if clause.words[first].lower == "to":
        verb = behind.split(" to ")[0]
        if clause.lemma in {"be"}:
            return
        if "to" not in [x.lower for x in clause.words[first : first + 1]]:
            return
        if clause.deepest == "be":
            quality = clause.phrases[0] if clause.phrases else None
            if quality and quality.kind == "adj" and len(clause.phrases) == 1:
                made = ask(clause, voice, "What", (quality.start, quality.end), [quality], 0.75)
                if made:
                    yield made
            if clause.phrases and clause.phrases[0].kind == "np":
                made = ask(
                    clause,
                    voice,
                    "What",
                    (
                        trimmed(clause.words, clause.phrases[0].start, clause.phrases[0].end),
                        clause.phrases[0].end,
                    ),
                    [clause.phrases[0]],
                    0.85,
                )
                if made:
                    yield made
            return
        if clause.lemma == "go" and clause.auxiliaries:
            verb = "going"
        text = sentence("What", here, subject, f"{verb} to do")
        stated = clause.words[clause.verb].lower if not clause.auxiliaries else f"{here} {verb}"
        yield Asked(
            inner,
            end,
            text,
            f"Could you tell me what {subject} {stated} to do?",
            0.8 if clause.lemma in TASTES | {"want", "plan", "hope", "go", "need", "try", "have"} else 0.6,
            clause,
        )
    elif clause.lemma in TASTES | {"start", "stop", "quit", "keep", "miss"} and not clause.auxiliaries:
        if clause.lemma in {"stop", "quit", "keep", "start"}:
            ago = [p for p in clause.phrases if time_word(clause, p) == "When" and p.end - p.start < 8]
            when = voice.say(clause.words[ago[0].start : ago[0].end]) if ago else ""
            doing = "" if clause.lemma == "quit" else "doing"
            stop = max(
                [last, *(p.end for p in clause.phrases if p.kind in {"np", "pp"} and p not in ago)][:2]
            )
            if clause.lemma != "keep":
                yield Asked(
                    inner,
                    stop,
                    sentence("What", here, subject, clause.lemma, doing, when),
                    sentence("Could you tell me what", subject, clause.words[clause.verb].lower, doing, when),
                    0.8,
                    clause,
                )
            return
        yield Asked(
            inner,
            end,
            sentence("What", here, subject, clause.lemma, "doing"),
            f"Could you tell me what {subject} {clause.words[clause.verb].lower} doing?",
            0.8,
            clause,
        )


@rule("activity", False)
def _ending(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """i ended up working at a bookstore: what did you end up doing?"""
    done = next((p for p in clause.phrases if p.kind == "ger"), None)
    if clause.deepest == "end" and done is not None and clause.words[done.start - 1].lower == "up":
        made = ask(clause, voice, "What", (done.start, done.end), [done], 0.8, (done, "doing"))
        if made:
            yield made


@rule("activity", False)
def _ability(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """i have the ability to fly: what do you have the ability to do?"""
    if clause.deepest != "have" or len(clause.phrases) < 2 or clause.phrases[1].kind not in {"inf", "pp"}:
        return
    able, done = clause.phrases[:2]
    said = {x.lower for x in clause.words[done.start : done.end]}
    if clause.words[able.end - 1].lower not in {"ability", "power", "abilities"} or said & (
        VAGUE | {"them", "you"}
    ):
        return
    if clause.words[done.start].lower == "to":
        behind = [p for p in clause.phrases[2:] if p.kind in {"pp", "np"} and p.start == done.end]
        end = behind[0].end if behind and done.kind == "pp" else done.end
        made = ask(clause, voice, "What", (done.start + 1, end), [done, *behind], 0.8, (done, "to do"))
        if made:
            yield made


@rule("activity", False)
def _knowing(clause: Clause, voice: Voice) -> Asked | None:
    """i know how to juggle: what do you know how to do?"""
    start, last = clause.chain
    ends = [p.end for p in clause.phrases if p.kind in {"np", "pp"}]
    behind = [p for p in clause.phrases if p.kind in {"np", "pp"}]
    if clause.auxiliaries or clause.words[last - 1].lower in {"do", "be", "get"}:
        return None
    first, _ = helper(clause, voice)
    subject = voice.subject(clause)
    text = sentence("What", first, subject, clause.lemma, "how to do")
    stated = sentence("Could you tell me what", subject, clause.words[clause.verb].lower, "how to do")
    end = max([last, *ends[:1]]) if behind and behind[0].kind == "np" else last
    return Asked(start + 2, end, text, stated, 0.75, clause)


@rule("activity", False)
def _spending(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """i spend my time playing games: what do you spend your time doing?"""
    if clause.deepest != "spend" or len(clause.phrases) < 2:
        return
    done = next((p for p in clause.phrases if p.kind == "ger"), None)
    second = clause.phrases[1]
    if done is None and second.kind == "np" and clause.words[second.end - 1].lower in w.HOBBIES:
        done = second
    spent = clause.phrases[0]
    if done is None or spent.kind != "np" or clause.words[spent.end - 1].lower not in w.TIME_UNITS | {"time"}:
        return
    made = ask(clause, voice, "What", (done.start, done.end), [done], 0.9, (done, "doing"))
    if made:
        yield made


@rule("activity", False)
def _causing(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """my parents make me go to school: what do your parents make you do?"""
    done = next((p for p in clause.phrases if p.kind == "bare"), None)
    if done is None or {x.lower for x in clause.words[done.start : done.end]} & (VAGUE | {"you", "them"}):
        return
    if clause.words[clause.phrases[0].start].lower in {"you", "it", "that", "this"}:
        return
    made = ask(clause, voice, "What", (done.start, done.end), [done], 0.75, (done, "do"))
    if made:
        yield made
