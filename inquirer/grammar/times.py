"""Rules for times: when, since when, how long, how often, at what age."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import rule
from inquirer.language import words as w
from inquirer.language.clause import Phrase


@rule("time", single=True)
def time(r: Reading) -> Iterator[Asked | None]:
    """A clause with a time, a duration, or how often."""
    for phrase in r.clause.phrases:
        word = r.time(phrase)
        if word in {"", "How many times"} or _is_misread(r, phrase):
            continue
        if _is_bare(r, phrase, word) or _is_untimely(r, phrase, word):
            continue
        whole = word == "How often" or phrase.kind in {"sub", "adv"}
        answer = (phrase.start if whole else phrase.body, phrase.end)
        others = [p for p in r.clause.phrases if p is phrase or r.time(p) or r.low(p)[-1] == "times"]
        yield r.ask(word, answer, others, single=bool(r.past or r.helpers or word != "When"))


def _is_misread(r: Reading, phrase: Phrase) -> bool:
    """Whether the time probably does not belong to the verb."""
    low = set(r.low(phrase))
    openings = {r.low(p)[0] for p in r.clause.phrases}
    always = {"always", "never"} & {r.clause.low(i) for i in r.clause.adverbs}
    if always or "same" in low or r.clause.lemma in {"hope", "think", "guess", "wish", "know", "mean"}:
        return True
    if r.verb in {"feel", "look", "sound"} and openings & {"like", "forward"}:
        return True
    if r.clause.copular and any(p.kind == "adj" and r.low(p)[-1] in w.STATES for p in r.phrases):
        return True  # for example "fine tomorrow"
    pointed = low & {"mine", "yours", "that", "this", "it", "there"}
    return phrase.kind == "sub" and (not {"i", "we"} & low or not r.past or bool(pointed))


def _is_bare(r: Reading, phrase: Phrase, word: str) -> bool:
    """Whether the clause has little content besides the time. "When do you go?" would be an unnatural question."""
    others = [p for p in r.clause.phrases if p is not phrase and not r.time(p)]
    if (r.chained and r.verb == "be") or (r.verb == "spend" and word == "How often"):
        return True  # i have to be up at four
    if r.clause.copular and not any(p.kind not in {"adv", "rest"} for p in others):
        return not (word.startswith(("How long", "Since when")) and r.helpers)
    named = [p for p in others if p.kind in {"np", "pp", "adj"} or r.clause.tags[p.start] == "RP"]
    empty = r.verb in w.LIGHT_VERBS - {"be"} | w.PHASES and not named
    return bool(empty) or any(r.low(p) == ["them"] for p in named)  # i write them every day


def _is_untimely(r: Reading, phrase: Phrase, word: str) -> bool:
    """Whether the verb's tense does not fit the time."""
    tags, tag, low = r.clause.tags, r.clause.tags[r.clause.verb], set(r.low(phrase))
    if tags[phrase.body] == "VBG":
        return True  # enjoying the day after working
    if phrase.kind == "sub":
        return "VBD" in tags[phrase.start : phrase.end] and tag in {"VBP", "VBZ"} and not r.helpers
    if word != "When":
        return False
    ahead = low & {"tomorrow", "next", "tonight"}
    perfect = tag == "VBN" and bool({"have", "has", "'ve", "'s"} & set(r.helpers))
    return perfect or (r.verb == "be" and not (r.is_be and r.past) and not ahead)
