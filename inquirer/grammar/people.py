"""Rules for people: who did something to the speaker or with a thing."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.grammar.frame import Asked, helper, sentence, tail
from inquirer.grammar.reading import Reading
from inquirer.grammar.rule import Rules
from inquirer.language import words as w
from inquirer.language.lists import listed
from inquirer.language.phrases import trimmed
from inquirer.language.verbs import third

RULES = Rules()
POINTING = {"he", "she", "they", "you", "it", "that", "this"}


@RULES.add(
    "who",
    "somebody of the speaker's does something to the speaker or with a thing",
    single=None,
    examples={"my dad taught me to fish": "Who taught you to fish?"},
)
def who(r: Reading) -> Iterator[Asked]:
    (start, end), joined = r.clause.subject, r.clause.joiner in w.RELATIVE
    named = len(r.subject) < 3 and r.subject[0] in w.NAMES
    one = len(r.subject) < 5 and "and" not in r.subject and end > start and not r.clause.borrowed
    if joined or not one or not (named or (r.mine and r.core in w.PEOPLE | w.PETS)):
        return
    behind = tail(r.clause, [], r.voice) if _is_deed(r) else ""
    if behind:
        text = sentence("Who", _verb(r), behind)
        yield r.write((trimmed(r.clause.words, start, end), end), text, text)


def _is_deed(r: Reading) -> bool:
    """Whether the clause describes an action that affects the speaker or a named thing."""
    idle = r.clause.copular or r.verb in listed("minding") or len(r.helpers) > 1
    whom = {x for p in r.phrases for x in r.low(p)}
    if idle or not r.phrases or {"do", "does", "did"} & set(r.helpers) or whom & POINTING:
        return False
    return bool({"me", "us"} & whom) or r.phrases[0].kind == "np" or r.past


def _verb(r: Reading) -> str:
    """Returns the verb in the form that follows `who`."""
    if r.helpers:
        first, behind = helper(r.clause, r.voice)
        return f"{ {'are': 'is', 'were': 'was', 'have': 'has'}.get(first, first) } {behind}"
    verb = third(r.clause.lemma) if r.clause.tags[r.clause.verb] in {"VBP", "VB"} else r.verb_word
    return f"{verb} {r.say(*r.clause.chain)}".strip()
