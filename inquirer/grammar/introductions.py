"""Decides whether a clause such as "i am ben" states a name."""

from __future__ import annotations

from inquirer.grammar.noun import lower
from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.lists import listed
from inquirer.language.tagger import seen
from inquirer.language.verbs import base, known

ENDINGS = ("ing", "ish", "ous", "ful", "ed", "er", "ly")


def is_name(clause: Clause, first: Phrase) -> bool:
    """Whether the clause states a name and nothing else, for example "i am ben"."""
    further = [p for p in clause.phrases[1:] if lower(clause, p) not in (["here"], ["by", "the", "way"])]
    if first.end - first.start > 2 or further or clause.adverbs or clause.subject_words[0].lower == "we":
        return False
    word = clause.words[first.start].lower
    if word in KNOWN or not word.isalpha() or (word.endswith("in") and base(f"{word}g") in known()):
        return False  # chillin
    if first.end - first.start == 1:
        return word in w.NAMES or (_strange(word) and not word.endswith(ENDINGS))
    proper = clause.tags[first.start : first.end] == ("NNP", "NNP")
    second = clause.words[first.end - 1].lower
    return (proper and (word in w.NAMES or _strange(word))) or (_strange(word) and _strange(second))


def _strange(word: str) -> bool:
    """Whether the tagger does not know the word.

    An unknown word that stands alone after `i am` is most likely a name.
    """
    return (
        not seen(word)
        and len(word) < 10
        and word[:5] not in {"under", "overw"}
        and not word.startswith(("over", "non"))
    )


KNOWN = (
    w.CITIES | w.NATIONALITIES | w.RELIGIONS | w.FEELINGS | w.CHARACTERS | w.MONTHS | w.DAYS | w.DIETS | w.MARITAL
    | w.GENDERS | w.COLORS | w.FOODS | w.PLACES | w.JOBS | w.PEOPLE | w.ADVERBS | listed("states")
    | listed("not-names")
)  # fmt: skip
