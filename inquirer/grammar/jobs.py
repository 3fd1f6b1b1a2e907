"""Decides which nouns are jobs."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.lists import listed
from inquirer.language.phrases import head
from inquirer.language.verbs import base

# words before a noun that show that it is no job: "a good singer", "a home owner"
UNPAID = {
    "amazing", "avid", "bad", "big", "car", "cat", "decent", "dog", "good", "great", "home", "horse", "house", "huge",
    "pet", "proud", "terrible",
}  # fmt: skip


def works(core: str, last: str) -> bool:
    """Whether the noun is a person's job, according to a word list or its ending."""
    no_person = w.NAMES | w.ILLNESSES | listed("machines")
    if {core, last} & ({"activist", "olympian", "footsteps", "closer", "further"} | no_person):
        return False
    if core in w.JOBS or last in w.JOBS:
        return True
    if core.endswith(("owner", "lover", "goer", "holder", "comer")):
        return False
    return (
        core not in w.NO_JOBS | w.RELIGIONS | w.PEOPLE | w.NATIONALITIES | w.BREEDS | w.ANIMALS | w.FOODS
        and len(core) > 5
        and core.endswith(("er", "or", "ist", "ian", "eer", "man", "woman"))
    )


def is_machine(clause: Clause, phrase: Phrase) -> bool:
    """Whether the phrase says that the speaker is a machine, which has no job.

    For example "a language model", "a digital assistant", "a company's guide".
    """
    low = [x.lower for x in clause.words[phrase.body : phrase.end]]
    core = head(clause.words, phrase.body, phrase.end)
    shared = core in listed("machines-or-people") and bool(set(low) & listed("machine-words"))
    built = phrase.end < clause.end and clause.tags[phrase.end] in {"VBN", "VBD"}
    return (
        core in listed("machines")
        or shared
        or (built and base(clause.words[phrase.end].lower) in listed("making"))
    )


def paid(low: list[str], core: str, last: str) -> bool:
    """Whether the noun is a paid job, either by its name or because it is done professionally."""
    if set(low[:-1]) & UNPAID or set(low) & w.BREEDS or "bit" in low:
        return False
    professional = "pro" in low[:2] or "professional" in low[:2]
    return works(core, last) or (professional and core.endswith(("er", "ist")))
