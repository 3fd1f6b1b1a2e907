"""Questions whose answer is a time: when, since when, how long, how often."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.questions.copula import STATES
from inquirer.questions.frame import Asked, ask
from inquirer.questions.lists import LIGHT, TASTES
from inquirer.questions.noun import ending, lower, opening
from inquirer.questions.rule import rule
from inquirer.questions.times import time_word
from inquirer.questions.voice import Voice

WONDERING = {"hope", "think", "guess", "wish", "know", "mean"}


@rule("time", True)
def when_asked(clause: Clause, phrase: Phrase, word: str, voice: Voice) -> Iterator[Asked]:
    """`word` is the question word that the phrase answers."""
    if (
        clause.deepest in WONDERING
        or _misread(clause, phrase)
        or _bare(clause, phrase, word)
        or _out_of_tense(clause, phrase, word)
    ):
        return
    whole = word == "How often" or phrase.kind in {"sub", "adv"}
    place = (phrase.start if whole else phrase.body, phrase.end)
    used = clause.tags[clause.verb] == "VBD" or bool(clause.auxiliaries)
    vague = word == "When" and not used and phrase.kind == "sub"
    others = [p for p in clause.phrases if p is phrase or time_word(clause, p)]
    made = ask(clause, voice, word, place, others, 0.55 if vague else 0.85 if used else 0.7)
    if made:
        yield made


def _misread(clause: Clause, phrase: Phrase) -> bool:
    """Whether the time belongs to something else than the verb, as far as one can see."""
    if clause.copular and any(x.lower in w.PREPOSITIONS - {"of"} for x in clause.subject_words):
        return True
    if clause.deepest in {"feel", "look", "sound"} and any(
        opening(clause, p) == "like" for p in clause.phrases
    ):
        return True
    if clause.deepest == "look" and any(opening(clause, p) == "forward" for p in clause.phrases):
        return True  # it is the thing looked forward to that has the time
    if "same" in lower(clause, phrase):
        return True
    if clause.copular and any(p.kind == "adj" and ending(clause, p) in STATES for p in clause.phrases):
        return True  # fine tomorrow
    if phrase.kind != "sub":
        return False
    if any(p.kind == "rest" and opening(clause, p) in {"and", "or"} for p in clause.phrases):
        return True  # a blue stripe and red when i race
    if clause.deepest in TASTES and not any(p.kind in {"np", "ing", "pp"} for p in clause.phrases):
        return True  # i like when i play
    pointing = bool({"mine", "yours", "that", "this"} & set(lower(clause, phrase)))
    return pointing or (clause.deepest in TASTES and clause.words[phrase.start - 1].lower == "it")


def _bare(clause: Clause, phrase: Phrase, word: str) -> bool:
    """Whether little is told but the time: `when do you go?` is no natural question."""
    others = [p for p in clause.phrases if p is not phrase]
    if clause.deepest == "use" and not any(p.kind == "np" for p in clause.phrases):
        return True
    if clause.deepest == "spend" and word == "How often":
        return True
    told = any(p.kind not in {"adv", "rest"} and not time_word(clause, p) for p in others)
    if clause.copular and not told and not word.startswith(("How long", "How many", "Since when")):
        return True
    return (
        clause.deepest in LIGHT - {"be", "go", "come"}
        and not any(p.kind in {"np", "pp", "adj"} for p in others)
        and not any(clause.tags[p.start] == "RP" for p in clause.phrases)
    )


def _out_of_tense(clause: Clause, phrase: Phrase, word: str) -> bool:
    """Whether the verb's tense does not go with the time."""
    tag, said = clause.tags[clause.verb], set(lower(clause, phrase))
    helpers = [clause.words[i].lower for i in clause.auxiliaries]
    lasting = word == "How long" and bool(said & {"years", "months"})
    gone = opening(clause, phrase) in {"after", "before"} and clause.tags[phrase.body] == "VBG"
    if gone and tag == "VBG":
        return True  # enjoying the day after working
    if lasting and tag == "VBG" and {"am", "'m", "is", "are", "'re", "'s"} & set(helpers[-1:]):
        return True
    if phrase.kind == "sub":
        past = "VBD" in clause.tags[phrase.start : phrase.end]
        if past and tag in {"VBP", "VBZ"} and not helpers:
            return True
        if opening(clause, phrase) in {"before", "after"} and tag != "VBD":
            return True
    if clause.deepest == "be" and not word.startswith("How"):
        was = clause.copular and clause.words[clause.verb].lower in {"was", "were"}
        if not was and not said & {"tomorrow", "next", "tonight"}:
            return True
    perfect = tag == "VBN" and bool({"have", "has", "'ve", "'s"} & set(helpers))
    return word == "When" and perfect
