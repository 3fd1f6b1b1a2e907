"""Questions whose answer is something done."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clauses import REPORTING, Clause
from inquirer.language.phrases import head, trimmed
from inquirer.language.verbs import known
from inquirer.questions import predicates
from inquirer.questions.frame import DROPPED_TAIL, Asked, ask, helper, sentence
from inquirer.questions.lists import FREE, INTENDING, TASTES, VAGUE
from inquirer.questions.times import time_word
from inquirer.questions.voice import Voice


def of_activity(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """like to ride horses: what do you like to do?"""
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
        if predicates.works(head(clause.words, start, thing.end), clause.words[thing.end - 1].lower):
            yield Asked(
                start,
                thing.end,
                f"What did {voice.you} use to do for a living?",
                f"Could you tell me what {voice.you} used to do for a living?",
                0.9,
                clause,
            )
            return
    if last <= first or (clause.lemma in {"have", "use"} and clause.words[first].lower != "to"):
        return
    if any(
        {x.lower for x in clause.words[p.start : p.end]} & VAGUE
        | {x.lower for x in clause.words[p.start : p.end]} & {"you", "your"}
        for p in clause.phrases
    ):
        return
    inner = first + (clause.words[first].lower == "to")
    if clause.words[first].lower == "to" and clause.lemma not in INTENDING:
        return
    if clause.deepest in REPORTING or (
        clause.phrases
        and clause.phrases[0].kind == "rest"
        and clause.tags[clause.phrases[0].start] in {"WP", "WDT", "WRB", "IN"}
    ):
        return
    if (
        (clause.words[first].lower != "to" and clause.tags[first] != "VBG")
        or (clause.lemma in {"have", "study", "train"} and clause.deepest != "be")
        or (clause.lemma == "need" and not clause.phrases)
        or (
            clause.deepest == "be"
            and clause.lemma not in {"want", "hope", "plan", "go", "like", "love", "study", "train", "learn"}
        )
    ):
        return
    ends = [p.end for p in clause.phrases if p.kind in {"np", "pp", "adv", "adj"}]
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
            if clause.lemma == "quit" and not clause.phrases:
                yield Asked(
                    inner,
                    last,
                    sentence("What", here, subject, "quit"),
                    f"Could you tell me what {subject} quit?",
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


def of_doing(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """I am cooking dinner: what are you doing? I went home yesterday: what did you do yesterday?"""
    ends = [p.end for p in clause.phrases if p.kind in {"np", "pp", "adv"} and not time_word(clause, p)]
    end = max([clause.chain[1], clause.verb + 1, *ends[:2]])
    while end > clause.verb + 1 and clause.words[end - 1].lower in DROPPED_TAIL:
        end -= 1
    if clause.tags[end - 1] == "IN" or clause.deepest not in known():
        return
    who = clause.subject_words[-1].lower
    if who not in w.PEOPLE | w.PETS | {"i", "we", "he", "she", "they"}:
        return
    said = {x.lower for p in clause.phrases for x in clause.words[p.start : p.end]}
    if said & (VAGUE | {"you", "your", "them"}):
        return
    times = [p for p in clause.phrases if time_word(clause, p) == "When" and p.kind in {"np", "adv"}]
    others = [p for p in clause.phrases if p not in times]
    subject = voice.subject(clause)
    leisure = [
        p
        for p in clause.phrases
        if p.kind == "pp" and [x.lower for x in clause.words[p.start : p.end]][-2:] in FREE
    ]
    if (
        len(clause.auxiliaries) == 1
        and clause.tags[clause.verb] == "VBG"
        and clause.deepest not in {"go", "be", "have", "get", "look", "feel", "think", "do", "try"}
    ):
        first, _ = helper(clause, voice)
        when = voice.say(clause.words[times[0].start : times[0].end]) if times else ""
        yield Asked(
            clause.verb,
            end,
            sentence("What", first, subject, "doing", when),
            f"Could you tell me what {subject} {first} doing{' ' + when if when else ''}?",
            0.6,
            clause,
        )
    elif (
        times
        and not clause.auxiliaries
        and clause.tags[clause.verb] == "VBD"
        and clause.deepest not in {"be", "have", "get", "feel"}
        and clause.phrases[0] not in times
    ):
        when = voice.say(clause.words[times[0].start : times[0].end])
        yield Asked(
            clause.verb,
            end,
            sentence("What did", subject, "do", when),
            f"Could you tell me what {subject} did {when}?",
            0.65,
            clause,
        )
    elif (
        leisure
        and others
        and not clause.auxiliaries
        and clause.tags[clause.verb] == "VBP"
        and not {clause.deepest, clause.lemma}
        & {"be", "have", "get", "feel", "like", "love", "need", "want", "enjoy", "hate", "prefer"}
    ):
        when = voice.say(clause.words[leisure[0].start : leisure[0].end])
        before = max(
            [clause.chain[1], clause.verb + 1, *(p.end for p in clause.phrases if p.start < leisure[0].start)]
        )
        do = (
            "do"
            if clause.subject_words[-1].lower in {"i", "we"} or clause.tags[clause.verb] == "VBP"
            else "does"
        )
        yield Asked(
            clause.verb,
            before,
            sentence("What", do, subject, "do", when),
            f"Could you tell me what {subject} {do} {when}?",
            0.8,
            clause,
        )
