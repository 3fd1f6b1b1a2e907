"""Rules for times: when, since when, how long, how often, at what age."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed

RULES = Rules()
TASTES = listed("tastes")
SINGLE = {"How often": None, "When": True}


@RULES.add(
    "time",
    matches="a clause with a time, a duration, or how often",
    asks="When did you graduate? How long have you been married?",
    single=True,
    examples={
        "i graduated in 2015": "When did you graduate?",
        "i have been a nurse for five years": "How long have you been a nurse?",
        "i drink coffee every morning": "How often do you drink coffee?",
        "i quit smoking 3 weeks ago": "When did you quit smoking?",
    },
)
def time(r: Reading) -> Iterator[Asked | None]:
    for phrase in r.clause.phrases:
        word = r.time(phrase)
        if not word or word == "How many times" or _misread(r, phrase) or _bare(r, phrase, word):
            continue
        if _out_of_tense(r, phrase, word):
            continue
        whole = word == "How often" or phrase.kind in {"sub", "adv"}
        answer = (phrase.start if whole else phrase.body, phrase.end)
        others = [p for p in r.clause.phrases if p is phrase or r.time(p) or r.low(p)[-1] == "times"]
        settled = r.past or r.helpers or word != "When"
        yield r.ask(word, answer, others, single=bool(settled) if word == "When" else None)


def _misread(r: Reading, phrase: Phrase) -> bool:
    """Whether the time probably does not belong to the verb."""
    if {"always", "never"} & {r.clause.words[i].lower for i in r.clause.adverbs}:
        return True
    openings = {r.low(p)[0] for p in r.clause.phrases}
    if r.clause.lemma in {"hope", "think", "guess", "wish", "know", "mean"} or "same" in r.low(phrase):
        return True
    if (r.verb in {"feel", "look", "sound"} and "like" in openings) or (
        r.verb == "look" and "forward" in openings
    ):
        return True
    if r.clause.copular and any(p.kind == "adj" and r.low(p)[-1] in listed("states") for p in r.phrases):
        return True  # for example "fine tomorrow"
    if phrase.kind != "sub":
        return False
    own = {"i", "we"} & set(r.low(phrase))
    return (
        not own or not r.past or bool({"mine", "yours", "that", "this", "it", "there"} & set(r.low(phrase)))
    )


def _bare(r: Reading, phrase: Phrase, word: str) -> bool:
    """Whether the clause has little content besides the time. "When do you go?" would be an unnatural question."""
    others = [p for p in r.clause.phrases if p is not phrase and not r.time(p)]
    if r.chained and r.verb == "be":
        return True  # i have to be up at four
    if r.verb == "spend" and word == "How often":
        return True
    if r.clause.copular and not any(p.kind not in {"adv", "rest"} for p in others):
        return not word.startswith(("How long", "Since when"))
    named = [p for p in others if p.kind in {"np", "pp", "adj"} or r.clause.tags[p.start] == "RP"]
    if any(r.low(p) == ["them"] for p in named):
        return True  # i write them every day
    return r.verb in listed("light-verbs") - {"be"} | listed("phases") and not named


def _out_of_tense(r: Reading, phrase: Phrase, word: str) -> bool:
    """Whether the verb's tense does not fit the time."""
    tag, low = r.clause.tags[r.clause.verb], set(r.low(phrase))
    be_now = {"am", "'m", "is", "are", "'re", "'s"} & set(r.helpers[-1:])
    if word == "How long" and low & {"years", "months"} and tag == "VBG" and be_now:
        return True
    if tag == "VBG" and r.clause.tags[phrase.body] == "VBG":
        return True  # enjoying the day after working
    if phrase.kind == "sub":
        past = "VBD" in r.clause.tags[phrase.start : phrase.end]
        if (past and tag in {"VBP", "VBZ"} and not r.helpers) or (
            r.low(phrase)[0] in {"before", "after"} and tag != "VBD"
        ):
            return True
    if (
        r.verb == "be"
        and word == "When"
        and not (r.is_be and r.past)
        and not low & {"tomorrow", "next", "tonight"}
    ):
        return True
    perfect = tag == "VBN" and bool({"have", "has", "'ve", "'s"} & set(r.helpers))
    return word == "When" and perfect
