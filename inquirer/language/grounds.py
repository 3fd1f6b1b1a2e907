"""Clauses that say what the thing just spoken of is like or does."""

from __future__ import annotations

from inquirer.language.clause import Clause

LONGEST = 9  # words


def is_ground(clause: Clause) -> bool:
    """they are scary, it strengthens me"""
    return (
        not clause.borrowed
        and [x.lower for x in clause.subject_words] in (["they"], ["it"])
        and clause.joiner in {"", ",", "they", "it"}
        and clause.end - clause.start <= LONGEST
    )
