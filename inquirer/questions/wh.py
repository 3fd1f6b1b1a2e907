"""Wh-questions: the asked phrase goes, its question word comes to the front."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.clauses import REPORTING
from inquirer.language.joiners import REASONS
from inquirer.language.phrases import trimmed
from inquirer.questions import (
    ages,
    belongings,
    causes,
    clefts,
    gaps,
    happenings,
    having,
    names,
    negations,
    opinions,
    pointing,
    predicates,
)
from inquirer.questions.activities import of_activity
from inquirer.questions.clean import mentions_you, tangled, vague
from inquirer.questions.doings import of_doing
from inquirer.questions.frame import Asked, ask, helper, sentence
from inquirer.questions.lists import TASTES, UNASKABLE_SUBJECTS
from inquirer.questions.moments import when_asked
from inquirer.questions.objects import of_object
from inquirer.questions.prepositions import of_preposition
from inquirer.questions.rule import rule
from inquirer.questions.singles import of_favorite
from inquirer.questions.subjects import (
    of_cars,
    of_existence,
    of_family,
    of_possessions,
    of_reason,
    of_subject,
    of_weather,
)
from inquirer.questions.times import time_word
from inquirer.questions.voice import Voice


def questions(clause: Clause, voice: Voice, before: Clause | None = None) -> Iterator[Asked]:
    """Every wh-question the clause allows, with the place of its answer."""
    if not clause.subject_words:
        return
    subject = [x.lower for x in clause.subject_words]
    if (
        clause.joiner in REASONS | {"as"}
        and before is not None
        and not (
            clause.joiner == "since"
            and any(before.words[i].lower in {"have", "has", "had", "'ve"} for i in before.auxiliaries)
        )
    ):
        yield from of_reason(clause, before, voice)
    yield from causes.questions(clause, voice, before)
    if any(p.kind == "sub" and p.end - p.start < 4 and _says(clause, p, "if") for p in clause.phrases):
        return
    if clause.negation is not None:
        if clause.joiner not in {"if", "when", "whenever", "while", "unless"}:
            yield from negations.questions(clause, voice)
        return
    if clause.joiner in {"if", "when", "whenever", "while", "unless"} or "you" in subject:
        return
    yield from of_existence(clause, voice)
    yield from of_weather(clause)
    yield from opinions.questions(clause, voice)
    yield from pointing.questions(clause, voice)
    dear = "favorite" in subject and subject[-1] in {"thing", "things"}
    if (subject[-1] in UNASKABLE_SUBJECTS and not dear) or subject[0] in {"it", "this", "that", "there"}:
        return
    yield from of_possessions(clause, voice)
    yield from of_cars(clause, voice)
    yield from clefts.questions(clause, voice)
    yield from gaps.questions(clause, voice)
    yield from _told(clause, voice)
    if (
        "your" in subject
        or "you" in subject
        or (clause.tags[clause.verb] in {"VBG"} and not clause.auxiliaries)
    ):
        return
    if (
        clause.lemma == "mean"
        and clause.phrases
        and clause.phrases[0].kind == "np"
        and not clause.auxiliaries
    ):
        yield from _meaning(clause, voice)
        return
    misread = any(
        clause.words[i].lower in {"am", "'m", "is", "are", "'re"} and clause.tags[clause.verb] == "VBD"
        for i in clause.auxiliaries[:1]
    ) and clause.words[clause.verb].lower in {"got", "went", "came", "saw", "had", "did", "was"}
    if misread or tangled(clause):
        return
    yield from names.questions(clause, voice)
    yield from happenings.questions(clause, voice)
    helpers = [clause.words[i].lower for i in clause.auxiliaries]
    if len(helpers) > 1 and helpers[1] == "have":
        return
    pondering = (
        clause.lemma == "think" and clause.phrases and clause.phrases[0].kind == "pp" and clause.auxiliaries
    )
    acquainted = (
        clause.lemma == "know"
        and clause.phrases
        and clause.phrases[0].kind == "np"
        and not clause.auxiliaries
    )
    knowing = clause.chain[1] > clause.chain[0] and clause.words[clause.chain[0]].lower == "how"
    if (
        clause.lemma in REPORTING - {"feel", "hear", "hope", "wish"}
        and not knowing
        and not pondering
        and not acquainted
    ) or (clause.lemma in {"name", "call"} and clause.borrowed == () and not voice.own(clause)):
        return
    if clause.deepest == "do" and not any(
        p.kind in {"np", "ing"} and clause.words[p.end - 1].lower not in w.TIME_UNITS for p in clause.phrases
    ):
        return
    if clause.copular and clause.chain[1] <= clause.chain[0]:
        yield from predicates.questions(clause, voice)
        yield from of_family(clause, voice)
        for phrase in [] if ages.aged(clause) else clause.phrases[1:]:
            when = time_word(clause, phrase)
            if when and not vague(clause, phrase):
                yield from when_asked(clause, phrase, when, voice)
        return
    if clause.copular:
        yield from belongings.to_be_that(clause, voice)
        return
    yield from of_subject(clause, voice)
    yield from of_activity(clause, voice)
    for phrase in clause.phrases:
        yield from _of_phrase(clause, phrase, voice)
    yield from of_doing(clause, voice)


@rule("told")
def _told(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """my husband says that meat is unhealthy: what does your husband say?"""
    told = clause.phrases[0] if len(clause.phrases) == 1 and clause.phrases[0].kind == "told" else None
    who = clause.subject_words[-1].lower
    if told is None or who not in w.PEOPLE | {"he", "she", "they"} or told.end - told.start > 10:
        return
    if mentions_you(clause, told.start, told.end) or clause.lemma not in {"say", "think", "believe", "claim"}:
        return
    if {x.lower for x in clause.words[told.start : told.end]} & {"it", "that", "this", "so"}:
        return
    made = ask(clause, voice, "What", (told.start, told.end), [told], 0.65)
    if made:
        yield made


PLACING = {"in", "at", "from", "with", "for"}


@rule("meaning", True)
def _meaning(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """pa means personal assistant: what does pa mean?"""
    first = clause.phrases[0]
    start, end = clause.subject
    named = end - start == 1 and clause.tags[start] in {"NN", "NNP"}
    if (
        named
        and len(clause.phrases) == 1
        and clause.tags[first.start] != "PRP"
        and first.end - first.start > 1
    ):
        made = ask(
            clause, voice, "What", (trimmed(clause.words, first.start, first.end), first.end), [first], 0.75
        )
        if made:
            yield made


def _says(clause: Clause, phrase: Phrase, word: str) -> bool:
    return clause.words[phrase.start].lower == word


@rule("object", of_favorite)
def _of_phrase(clause: Clause, phrase: Phrase, voice: Voice) -> Iterator[Asked]:
    dyed = clause.deepest in {"dye", "paint"} and phrase.kind == "adj"
    adverbial = (
        dyed
        or bool(time_word(clause, phrase))
        or (phrase.kind == "pp" and clause.words[phrase.start].lower in PLACING)
    )
    alike = [x.lower for p in clause.phrases for x in clause.words[p.start : p.end]][-2:] == ["of", "them"]
    counted = alike and set(clause.tags[phrase.start : phrase.end]) == {"CD"}
    if (
        (vague(clause, phrase, adverbial) and not counted)
        or mentions_you(clause, phrase.start, phrase.end)
        or phrase.kind == "rest"
    ):
        return
    if phrase.kind in {"np", "pp"} and any(
        x.lower in {"and", "or"} for x in clause.words[clause.chain[0] : clause.chain[1]]
    ):
        return
    doubled = clause.words[phrase.start].lower == "to" and any(
        x.lower in {"and", "or"}
        for p in clause.phrases
        for x in clause.words[p.start : p.end]
        if p is not phrase
    )
    if doubled and clause.chain[1] > clause.chain[0]:
        return
    when = time_word(clause, phrase)
    if when:
        yield from when_asked(clause, phrase, when, voice)
        return
    if phrase.kind == "np":
        yield from having.questions(clause, phrase, voice)
        yield from of_object(clause, phrase, voice)
    elif phrase.kind == "pp":
        yield from of_preposition(clause, phrase, voice)
    elif (
        phrase.kind == "adj"
        and clause.phrases[0] is phrase
        and clause.deepest in TASTES
        and clause.words[phrase.start].lower in w.COLORS
    ):
        made = ask(clause, voice, "What color", (phrase.start, phrase.end), [phrase], 0.85)
        if made:
            yield made
    elif (
        phrase.kind == "adj"
        and clause.deepest in {"speak", "learn", "teach", "study"}
        and clause.words[phrase.start].lower in w.LANGUAGES
    ):
        made = ask(
            clause,
            voice,
            "What language" + ("s" if phrase.end - phrase.start > 1 else ""),
            (phrase.start, phrase.end),
            [phrase],
            0.85,
        )
        if made:
            yield made
    elif phrase.kind == "ing" and clause.deepest in {"teach", "practice", "study", "try"}:
        made = ask(clause, voice, "What", (phrase.start, phrase.end), [phrase], 0.75)
        if made:
            yield made
    elif (
        phrase.kind == "adj"
        and clause.deepest in {"dye", "paint", "color"}
        and clause.words[phrase.start].lower in w.COLORS
    ):
        made = ask(clause, voice, "What color", (phrase.start, phrase.end), [phrase], 0.85)
        if made and clause.phrases[0].kind == "np":
            yield made
    elif phrase.kind == "adj" and clause.deepest == "wear" and clause.words[phrase.start].lower in w.COLORS:
        made = ask(clause, voice, "What color", (phrase.start, phrase.end), [phrase], 0.85)
        if made:
            yield made
    elif phrase.kind == "ing" and clause.deepest in TASTES:
        if clause.deepest == "go":
            return
        made = ask(clause, voice, "What", (phrase.start, phrase.end), [phrase], 0.7)
        if made:
            if clause.deepest in TASTES:
                first, verb = helper(clause, voice)
                subject = voice.subject(clause)
                text = sentence(
                    "What",
                    first,
                    subject,
                    verb,
                    "doing" if clause.deepest in {"enjoy", "hate", "dislike", "adore"} else "to do",
                )
                yield Asked(
                    phrase.start,
                    phrase.end,
                    text,
                    f"Could you tell me what {subject} {clause.words[clause.verb].lower} doing?",
                    0.85,
                    clause,
                )
            else:
                yield made
