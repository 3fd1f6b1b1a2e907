"""Decides which nouns are jobs, and whether a phrase names a machine."""

from __future__ import annotations

from inquirer.grammar.reading import Noun, Reading
from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.lists import listed
from inquirer.language.verbs import base

TRADES = ("er", "or", "ist", "ian", "eer", "man", "woman")
OTHERWISE = ("owner", "lover", "goer", "holder", "comer")


def is_trade(thing: Noun, several: bool = False) -> bool:
    """Whether the noun is a person's job, according to a word list or its ending."""
    core, last = (x.removesuffix("s") if several else x for x in (thing.core, thing.last))
    if {core, last} & (w.NAMES | w.ILLNESSES | listed("machines")):
        return False
    if core in w.JOBS or last in w.JOBS:
        return True
    other = w.NO_JOBS | w.RELIGIONS | w.PEOPLE | w.NATIONALITIES | w.BREEDS | w.ANIMALS | w.FOODS
    return core not in other and len(core) > 5 and core.endswith(TRADES) and not core.endswith(OTHERWISE)


def is_machine(r: Reading, phrase: Phrase) -> bool:
    """Whether the phrase says that the speaker is a machine, which has no job.

    For example "a language model", "a digital assistant", "a company's guide".
    """
    clause, core = r.clause, r.noun(phrase).core
    if core in listed("machines"):
        return True
    if core in listed("machines-or-people") and set(r.low(phrase)) & listed("machine-words"):
        return True
    built = phrase.end < clause.end and clause.tags[phrase.end] in {"VBN", "VBD"}
    return built and base(clause.words[phrase.end].lower) in listed("making")
