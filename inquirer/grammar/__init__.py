"""The grammar of questions: rules that read a clause and ask about a part of it.

A file for each thing that is asked for; `RULES` are all of them, in the order in which they are tried.
"""

from inquirer.grammar import (
    activities,
    attributes,
    complements,
    denials,
    identity,
    names,
    numbers,
    objects,
    people,
    places,
    possessions,
    reasons,
    times,
)
from inquirer.grammar.rule import Rule

BOOKS = (
    identity,
    names,
    attributes,
    numbers,
    places,
    times,
    possessions,
    objects,
    activities,
    complements,
    people,
    reasons,
    denials,
)
RULES: tuple[Rule, ...] = tuple(rule for book in BOOKS for rule in book.RULES)

__all__ = ["BOOKS", "RULES", "Rule"]
