"""Plain questions for clauses about which nothing better can be asked."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.phrases import head, trimmed
from inquirer.questions.copula import STATES
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import WHOLE_IDIOMS
from inquirer.questions.rule import rule
from inquirer.questions.times import time_word
from inquirer.questions.voice import Voice

SCORE = 0.55
STATIVE = {
    "be", "do", "have", "get", "feel", "like", "love", "hate", "enjoy", "prefer", "want", "need", "know",
    "think", "mean", "seem",
    "look", "sound", "hope", "wish", "believe", "understand", "hear", "see", "remember", "forget", "agree",
    "guess",
    "become", "come", "keep", "can", "try", "start", "stop", "let", "bet", "happen", "cost", "own", "say",
    "tell", "use", "find",
    "consider", "miss", "live", "grow", "thank", "appreciate", "care", "mind", "wonder", "turn", "die",
    "lose", "bear", "notice",
    "call", "name", "end", "fail", "forgive", "belong", "matter", "depend", "owe", "deserve", "sleep", "relate",
}  # fmt: skip


def questions(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """What did you do? How would you describe yourself?"""
    low = [x.lower for x in clause.subject_words]
    if (
        clause.negation is not None
        or not clause.phrases
        or clause.joiner in {"if", "when", "while", "because", "since", "until", "before", "after", "that"}
    ):
        return
    said = [x.lower for p in clause.phrases for x in clause.words[p.start : p.end]]
    if set(said) & {"you", "your", "it", "that", "this", "them"} or any(
        p.kind == "rest" for p in clause.phrases[:1]
    ):
        return
    mine = voice.own(clause)
    relative = (
        len(low) == 2
        and low[0] == "my"
        and low[1] in w.FAMILY | w.PETS | {"friend", "boss", "job", "house", "car"}
    )
    if clause.copular and clause.chain[1] <= clause.chain[0] and not clause.auxiliaries:
        yield from _description(clause, voice, mine, relative)
    elif not clause.copular:
        yield from _deed(clause, voice, mine or low[-1] in {"he", "she"} or relative)
        yield from _possession(clause, voice, mine or relative or low[-1] in {"he", "she"})


@rule("description", False)
def _description(clause: Clause, voice: Voice, mine: bool, relative: bool) -> Iterator[Asked]:
    first = next((p for p in clause.phrases if p.kind != "adv"), None)
    if first is None or clause.words[clause.verb].lower in {"was", "were"} or len(clause.phrases) > 1:
        return
    words = [x.lower for x in clause.words[first.start : first.end]]
    noun = (
        first.kind == "np"
        and words[-1] not in w.TIME_UNITS
        and words[0] in {"a", "an"}
        and head(clause.words, first.start, first.end) not in w.EMPTY_HEADS | {"fan"}
    )
    quality = (
        first.kind == "adj"
        and words[-1] in w.CHARACTERS - STATES
        and words[-1] not in {"nice", "great", "cool", "hot", "cold", "warm", "awesome"}
    )
    several = noun and clause.subject_words[0].lower == "we"
    if (not noun and not quality) or several or (not mine and not relative):
        return
    place = (trimmed(clause.words, first.start, first.end), first.end)
    whom = ("myself" if voice.partner else "yourself") if mine else voice.subject(clause)
    would = "would I" if voice.partner and mine else "would you"
    text = f"How {would} describe {whom}?"
    yield Asked(
        *place,
        text,
        f"Could you tell me how {voice.you if mine else 'you'} would describe {whom}?",
        SCORE,
        clause,
    )


@rule("doing", False)
def _deed(clause: Clause, voice: Voice, mine: bool) -> Iterator[Asked]:
    ends = [
        p.end for p in clause.phrases if p.kind in {"np", "pp", "adv", "inf"} and not time_word(clause, p)
    ]
    subject = voice.subject(clause)
    if not mine or clause.deepest in STATIVE or clause.lemma in STATIVE or clause.auxiliaries or not ends:
        return
    end = max(ends[:2])
    if clause.words[end - 1].lower in w.PREPOSITIONS | {"i", "he", "she", "we", "they"}:
        return
    if clause.start and clause.tags[clause.subject[0] - 1] in {"NN", "NNS"} and clause.joiner == "":
        return  # a game i helped design
    if clause.tags[clause.verb] == "VBD" and clause.lemma not in {
        "read",
        "put",
        "cut",
        "quit",
        "set",
        "hit",
        "let",
    }:
        yield Asked(
            clause.verb,
            end,
            f"What did {subject} do?",
            f"Could you tell me what {subject} did?",
            SCORE,
            clause,
        )


ABSTRACT = {
    "number", "capacity", "variety", "range", "fix", "question", "idea", "condition", "god", "theory", "secret",
    "request", "suggestion", "wish", "job", "clue", "point", "problem", "issue", "feeling", "look",
    "chat", "talk", "choice", "doubt", "opinion", "answer", "chance", "good", "bad", "dream",
    "experience", "energy", "patience", "respect", "story", "memory", "memories", "lives", "life",
    "luck", "plans", "plan", "fun", "hope", "weekend", "day", "week", "year", "date", "party",
    "meeting", "appointment", "effect", "impact", "difference", "conversation", "interest", "age",
    "hard", "trouble", "birthday", "career", "past", "future", "moment", "personality", "heart", "soul",
    "mind", "pet", "pets",
}  # fmt: skip


@rule("possession", False)
def _possession(clause: Clause, voice: Voice, known: bool) -> Iterator[Asked]:
    """i have a tractor: what do you have?"""
    if not known or clause.deepest != "have" or clause.chain[1] > clause.chain[0] or clause.auxiliaries:
        return
    real = [p for p in clause.phrases if p.kind != "adv"]
    if len(real) != 1 or real[0].kind != "np" or clause.tags[clause.verb] == "VBG":
        return
    thing = real[0]
    low = [x.lower for x in clause.words[thing.start : thing.end]]
    core = head(clause.words, thing.start, thing.end)
    if "no" in low or low[0] in {
        "my",
        "our",
        "any",
        "more",
        "enough",
        "too",
        "so",
        "such",
        "another",
        "many",
        "much",
    }:
        return
    if {core, low[-1]} & (ABSTRACT | WHOLE_IDIOMS | w.EMPTY_HEADS | w.PEOPLE | w.TIME_UNITS) or "CD" in (
        clause.tags[thing.start : thing.end]
    ):
        return
    if clause.tags[thing.end - 1] not in {"NN", "NNS", "NNP", "NNPS"} or len(low) < 2 or len(low) > 5:
        return
    made = ask(
        clause, voice, "What", (trimmed(clause.words, thing.start, thing.end), thing.end), [thing], 0.5
    )
    if made:
        yield made
