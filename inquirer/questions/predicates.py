"""What follows `to be`: names, ages, jobs, colours, characters, favourites."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.tagger import seen
from inquirer.questions.ages import of_decade, of_grade
from inquirer.questions.belongings import of_both, of_color, of_mine
from inquirer.questions.definitions import of_favorite, of_good_place, of_meaning, of_the_one
from inquirer.questions.frame import Asked
from inquirer.questions.selves import of_company, of_employer, of_fan, of_self
from inquirer.questions.surroundings import of_place, of_sky
from inquirer.questions.voice import Voice


def questions(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """Everything that can be asked about a clause with `to be`."""
    if not clause.phrases:
        return
    real = [p for p in clause.phrases if p.kind != "adv"]
    if not real:
        return
    first = real[0]
    words = [x.lower for x in clause.subject_words]
    yield from of_decade(clause, first, voice)
    yield from of_color(clause, first, voice)
    yield from of_grade(clause, first, voice)
    yield from of_company(clause, voice)
    yield from of_employer(clause, voice)
    yield from of_the_one(clause, first, voice)
    yield from of_good_place(clause, first, voice)
    if voice.own(clause) or words[0] in {"my", "our", "he", "she"}:
        yield from of_fan(clause, first, voice)
    if voice.own(clause):
        yield from of_self(clause, first, voice)
    elif words[0] in {"my", "our"} and words[-2:] == ["and", "i"]:
        yield from of_both(clause, first, voice)
    elif words[0] in {"my", "our"} or words[0] in {"he", "she", "they"} or _reference(clause):
        yield from of_mine(clause, first, voice)
    else:
        yield from of_meaning(clause, first, voice)
    if _reference(clause) and words[0] not in {"his", "her", "their", "the", "both", "all"}:
        yield from of_meaning(clause, first, voice)
    yield from of_sky(clause, first)
    yield from of_favorite(clause, first, voice)
    yield from of_place(clause, voice)


def _reference(clause: Clause) -> bool:
    """The subject names somebody or something by itself."""
    subject = clause.subject_words
    low = subject[0].lower
    if low in {"both", "all", "one", "some", "most"} and len(subject) > 3 and subject[1].lower == "of":
        return subject[2].lower in {"my", "our"}
    name = (
        len(subject) == 1 and subject[0].lower.isalpha() and clause.tags[clause.subject[0]] in {"NNP", "NN"}
    )
    if name and not clause.borrowed and (low in w.NAMES or not seen(low)):
        return clause.words[clause.verb].lower in {"is", "was", "'s"}
    return low in {"his", "her", "their", "the"} and len(subject) > 1
