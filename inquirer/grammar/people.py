"""Rules for people: with whom, for whom, who did it."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked, helper, sentence, tail
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed
from inquirer.language.phrases import trimmed
from inquirer.language.verbs import third

RULES = Rules()
MINDED = {
    "like",
    "hate",
    "love",
    "know",
    "think",
    "want",
    "hope",
    "wish",
    "feel",
    "look",
    "seem",
    "sound",
    "do",
    "be",
}


@RULES.add(
    "company",
    matches="somebody does something with, for or to somebody",
    asks="Who do you live with?",
    single=None,
    examples={
        "i live with my parents": "Who do you live with?",
        "i play chess with my brother": "Who do you play chess with?",
    },
)
def company(r: Reading) -> Iterator[Asked | None]:
    for phrase in r.phrases:
        if phrase.kind != "pp" or r.low(phrase)[0] not in {"with", "for", "by", "to", "from"}:
            continue
        thing = r.noun(phrase)
        known = thing.core in w.PEOPLE - {"people", "person"} or (
            thing.core in w.PETS | w.BREEDS and thing.low[0] in {"my", "our"}
        )
        if not known or r.clause.tags[phrase.body] == "PRP" or not _with_somebody(r, phrase):
            continue
        places = [
            p for p in r.clause.phrases if r.verb == "live" and p.kind in {"pp", "adv"} and p is not phrase
        ]
        yield r.ask("Who", phrase, [phrase, *places], kept=(phrase, r.low(phrase)[0]))
        return


def _with_somebody(r: Reading, phrase: Phrase) -> bool:
    """Whether the phrase names a companion.

    "play chess with my brother" does, "a lady with two children" does not.
    """
    before = [p for p in r.phrases if p.start < phrase.start]
    plain = all(p.kind in {"np", "pp", "ing"} and not r.time(p) for p in before) and len(before) < 3
    described = any(p.kind == "np" and r.low(p) != ["friends"] for p in before)
    return plain and not (r.is_be and (described or r.low(phrase)[0] != "with"))


@RULES.add(
    "who",
    matches="somebody of the speaker's does something to the speaker or with a thing",
    asks="Who taught you to fish?",
    single=None,
    examples={"my dad taught me to fish": "Who taught you to fish?"},
)
def who(r: Reading) -> Iterator[Asked]:
    start, end = r.clause.subject
    if (
        r.clause.borrowed
        or r.clause.copular
        or end <= start
        or len(r.subject) > 4
        or r.clause.joiner in {"who", "that"}
    ):
        return
    named = r.subject[0] in w.NAMES and len(r.subject) < 3
    if not (named or (r.mine and r.core in w.PEOPLE | w.PETS)) or "and" in r.subject or r.verb in MINDED:
        return
    if len(r.helpers) > 1 or {"do", "does", "did"} & set(r.helpers) or r.verb == "have":
        return
    behind = tail(r.clause, [], r.voice)
    if behind and _is_deed(r):
        text = sentence("Who", _verb(r), behind)
        yield r.write((trimmed(r.clause.words, start, end), end), text, text)


def _is_deed(r: Reading) -> bool:
    """Whether the clause describes an action that affects the speaker or a named thing."""
    whom = {x for p in r.phrases for x in r.low(p)}
    if not r.phrases or whom & {"he", "she", "they", "you", "it", "that", "this"}:
        return False
    return bool({"me", "us"} & whom) or r.phrases[0].kind == "np" or r.past


def _verb(r: Reading) -> str:
    """Returns the verb in the form that follows `who`."""
    if r.helpers:
        first, behind = helper(r.clause, r.voice)
        return f"{ {'are': 'is', 'were': 'was', 'have': 'has'}.get(first, first) } {behind}"
    verb = r.clause.words[r.clause.verb].lower
    verb = third(r.clause.lemma) if r.clause.tags[r.clause.verb] in {"VBP", "VB"} else verb
    return f"{verb} {r.voice.say(r.clause.words[r.clause.chain[0] : r.clause.chain[1]])}".strip()


@RULES.add(
    "family",
    matches="one of the family is something",
    asks="Who in your family is a nurse?",
    single=None,
    examples={"my mom is a nurse": "Who in your family is a nurse?"},
)
def family(r: Reading) -> Iterator[Asked]:
    first = r.first
    if not r.is_be or r.clause.borrowed or len(r.subject) != 2 or not r.mine or r.subject[1] not in w.FAMILY:
        return
    if first is None or r.subject[1].endswith("s") or r.low(first)[0] not in {"a", "an", "in"}:
        return
    behind = tail(r.clause, [], r.voice)
    if behind and r.alone and not r.pointing([first]):
        be = {"'s": "is"}.get(r.clause.words[r.clause.verb].lower, r.clause.words[r.clause.verb].lower)
        text = sentence(f"Who in {r.voice.your} family", be, behind)
        yield r.write(r.clause.subject, text, text)


def is_somebody(r: Reading, phrase: Phrase) -> bool:
    """Whether the phrase names people, so that the question word is `who` and not `what`."""
    thing = r.noun(phrase)
    named = thing.low[0] in w.NAMES or (
        thing.tags == ("NNP", "NNP") and r.low(phrase)[0] in {"with", "for", "by"}
    )
    return named or thing.core in w.PEOPLE or thing.core in listed("team-words")
