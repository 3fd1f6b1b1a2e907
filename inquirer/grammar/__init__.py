"""The grammar of questions: each rule reads a clause and asks about a part of the clause.

There is one file per topic. `RULES` holds all rules in the order in which they are tried.
"""

from inquirer.grammar import (
    activities,
    attributes,
    complements,
    identity,
    numbers,
    objects,
    places,
    reasons,
    times,
)
from inquirer.grammar.rule import REGISTERED, Rule

BOOKS = (identity, attributes, numbers, places, times, objects, activities, complements, reasons)
RULES = tuple(rule for book in BOOKS for rule in REGISTERED if rule.write.__module__ == book.__name__)

__all__ = ["BOOKS", "RULES", "Rule"]
