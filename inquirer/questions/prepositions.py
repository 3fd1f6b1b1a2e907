"""Questions whose answer follows a preposition: the first kind of question that fits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.questions import company, deeds, roles, ties, whereabouts
from inquirer.questions.frame import Asked
from inquirer.questions.lists import WHOLE_IDIOMS
from inquirer.questions.noun import Noun, ending, noun
from inquirer.questions.rule import rule
from inquirer.questions.singles import of_company_kept
from inquirer.questions.voice import Voice

ORDER = (
    whereabouts.of_home,
    whereabouts.of_return,
    ties.of_likeness,
    ties.of_expectation,
    company.of_household,
    ties.of_namesake,
    roles.of_job,
    deeds.of_deed,
    whereabouts.of_place,
    whereabouts.of_origin,
    company.of_people,
    company.of_pets,
    whereabouts.of_outing,
    ties.of_verb,
    ties.of_leaving,
    ties.of_participle,
    roles.of_duty,
    ties.of_doer,
    whereabouts.of_spot,
    ties.of_complement,
    ties.of_use,
    ties.of_purpose,
    ties.of_quality,
)  # the first that does not answer None has the phrase, even where it asks nothing


@rule("complement", of_company_kept)
def of_preposition(clause: Clause, phrase: Phrase, voice: Voice) -> Iterator[Asked]:
    if clause.tags[phrase.body] in {"PRP", "EX"} or clause.deepest == "marry":
        return
    thing = noun(clause, phrase)
    if thing.low[:2] == ("one", "of"):
        thing = replace(thing, core=thing.last)
    if _unclear(thing) or _empty(thing):
        return
    yield from ties.of_studies(thing, voice)
    for questions in ORDER:
        found = questions(thing, voice)
        if found is not None:
            yield from found
            return


def _unclear(thing: Noun) -> bool:
    """Whether it is uncertain what the phrase completes and where it ends."""
    clause, end = thing.clause, thing.phrase.end
    if thing.opener == "to" and thing.low[0] in {"much", "many"}:
        return True  # to much, for too much
    if any(p.kind == "np" and ending(clause, p) in {"lots", "much", "more", "less"} for p in clause.phrases):
        return True
    accompanied = thing.opener == "with" and thing.core in w.PEOPLE
    aimed = thing.opener in {"with", "for"} and any(p.kind == "inf" for p in clause.phrases)
    if aimed and not accompanied:
        return True
    going_on = end < clause.end and clause.tags[end] in {"VBN", "JJ"}
    return going_on and clause.words[end].lower not in {"last", "next", "named", "called"}


def _empty(thing: Noun) -> bool:
    """for fun, by the way, in time: words that say nothing by themselves."""
    if thing.last in {"though", "too", "lol"} | w.TIME_UNITS | w.TIMES:
        return True
    if thing.core in {"company", "need", "rest", "whole"} and len(thing.low) == 1:
        return True
    seeking = thing.clause.deepest in {"look", "apply", "search"}
    sought = {"people", "job"} if seeking else {"people"}
    return bool({thing.core, thing.last} & (WHOLE_IDIOMS - sought))
