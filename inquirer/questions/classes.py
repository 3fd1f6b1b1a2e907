"""What words are one of: pasta is a food."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.language.clause import Clause


def class_of_subject(clause: Clause, start: int) -> str:
    return class_of(clause, start, clause.subject[1])


def class_of(clause: Clause, start: int, end: int) -> str:
    """What these words are one of: pasta is a food, watching films a thing to do."""
    low = [x.lower for x in clause.words[start:end]]
    if clause.tags[start] == "VBG" or low[0] in w.HOBBIES:
        return "thing to do"
    for group, name in (
        (w.FOODS, "food"), (w.DRINKS, "drink"), (w.SPORTS, "sport"), (w.COLORS, "color"), (w.ANIMALS,
        "animal"),
        (w.GENRES, "kind of music"), (w.MONTHS, "month"), (w.SEASONS, "season"), (w.HOBBIES, "thing to do"),
    ):  # fmt: skip
        if low[-1] in group:
            return name
    if low[-1] in w.CATEGORIES and len(low) > 1:
        return f"kind of {low[-1]}"
    return ""
