"""What the speaker says of his own with `to be`: my dog is brown, her name is max."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import head, trimmed
from inquirer.language.tagger import seen
from inquirer.questions.adjectives import of_adjective
from inquirer.questions.ages import is_age
from inquirer.questions.classes import class_of
from inquirer.questions.copula import IDENTIFYING, is_single, phrased
from inquirer.questions.frame import Asked, helper
from inquirer.questions.jobs import paid, works
from inquirer.questions.rule import rule
from inquirer.questions.singles import of_attribute
from inquirer.questions.times import time_word
from inquirer.questions.voice import Voice

DATED = {"anniversary", "appointment", "birthday", "exam", "wedding"}


@rule("color", True)
def of_color(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """death is grey."""
    start, end = clause.subject
    low = [x.lower for x in clause.words[start:end]]
    if clause.borrowed or not low or low[0] in {"my", "our", "his", "her", "their", "the", "both", "all"}:
        return
    colored = (
        first.kind in {"adj", "np"}
        and clause.words[first.end - 1].lower in w.COLORS
        and first.end - first.start < 3
    )
    plain = clause.tags[end - 1] in {"NN", "NNS"} and not set(low) & (
        w.PERSONS | w.EMPTY_HEADS | w.COLORS | {"color"}
    )
    if colored and plain and len(low) < 4 and not clause.auxiliaries and seen(low[-1]):
        be, _ = helper(clause, voice)
        text = voice.subject(clause)
        yield phrased(
            clause, (first.start, first.end), f"What color {be} {text}?", f"what color {text} {be}", 0.75
        )


@rule("job", True)
def _working_there(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """my family in somalia were farmers."""
    core = head(clause.words, first.start, first.end)
    if not (works(core, core) or works(core.removesuffix("s"), core)) or clause.auxiliaries:
        return
    subject = voice.subject(clause)
    be = clause.words[clause.verb].lower
    do = "did" if be in {"was", "were"} else "do" if be == "are" else "does"
    place = (trimmed(clause.words, first.start, first.end), first.end)
    text = f"What {do} {subject} do for a living?"
    yield phrased(clause, place, text, f"what {subject} {do} for a living", 0.8)


@rule("job", True)
def of_both(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """my wife and i are doctors."""
    core = head(clause.words, first.start, first.end)
    be = clause.words[clause.verb].lower
    if first.kind == "np" and works(core.removesuffix("s"), core) and be in {"are", "were", "'re"}:
        do = "did" if be == "were" else "do"
        subject = voice.subject(clause)
        text = f"What {do} {subject} do for a living?"
        place = (trimmed(clause.words, first.start, first.end), first.end)
        yield phrased(clause, place, text, f"what {subject} {do} for a living", 0.85)


@rule("attribute", of_attribute)
def of_mine(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """my dog is brown, her name is max."""
    subject = clause.subject_words
    core = subject[-1].lower
    shown = [x.lower for x in clause.words[first.start : first.end]]
    early = [clause.words[p.start].lower for p in clause.phrases if p.end <= first.start]
    beside = any(a == "," and b in {"the", "my"} for a, b in pairwise(shown))
    if "about" in early or beside or shown[-1] == "bit":
        return
    placed = {x.lower for x in subject} & {"in", "at", "from", "with"}
    if placed and first.kind == "np" and head(clause.words, *clause.subject) in w.PEOPLE:
        yield from _working_there(clause, first, voice)
    if core == "i" or placed or {"you", "your"} & set(shown):
        return
    if len(shown) == 1 and clause.tags[first.start] == "NN" and clause.words[clause.verb].lower == "are":
        return
    text = voice.subject(clause)
    be, behind = helper(clause, voice)
    modal = behind == "be" and (core in IDENTIFYING or "favorite" in [x.lower for x in subject])
    if (
        modal
        and first.kind in {"np", "ing"}
        and be in {"would", "might", "will", "must"}
        and len(subject) > 1
    ):
        body = trimmed(clause.words, first.start, first.end) if first.kind == "np" else first.start
        yield phrased(clause, (body, first.end), f"What {be} {text} be?", f"what {text} {be} be", 0.85)
    if behind or (
        clause.borrowed
        and be == "are"
        and len(subject) > 1
        and not core.endswith(("s", "children", "people"))
    ):
        return
    low = [x.lower for x in clause.words[first.start : first.end]]
    start = trimmed(clause.words, first.start, first.end) if first.kind == "np" else first.start
    place = (start, first.end)
    person = core in w.PEOPLE or (len(subject) == 1 and core in {"he", "she", "they"})
    favorite = bool({"favorite", "favourite", "fav", "fave"} & {x.lower for x in subject})
    if core in {"favorite", "favourite", "fav"}:
        thing = class_of(clause, start, first.end) if first.kind in {"np", "adj", "ing"} else ""
        thing = thing or (voice.topic if first.kind in {"np", "adj"} and be in {"is", "was"} else "")
        if thing:
            text = f"{voice.your} favorite {thing}"
            yield phrased(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.85)
        elif be == "is" and len(subject) == 2 and _singled_out(clause, first):
            text = f"{voice.your} favorite"
            yield phrased(clause, place, f"Which one is {text}?", f"which one {text} is", 0.6)
        return
    if first.kind == "np" and first.body == first.start and clause.tags[first.start] != "PRP":
        inner = head(clause.words, first.start, first.end)
        if core in DATED and (time_word(clause, first) or low[-1] in {"today", "tomorrow", "tonight"}):
            yield phrased(clause, place, f"When {be} {text}?", f"when {text} {be}", 0.9)
        elif core not in IDENTIFYING and all(x in w.COLORS | {"and"} for x in low):
            yield phrased(clause, place, f"What color {be} {text}?", f"what color {text} {be}", 0.9)
        elif is_age(clause, first) and core != "age":
            yield phrased(clause, place, f"How old {be} {text}?", f"how old {text} {be}", 0.9)
        elif (
            person
            and (
                paid(low, inner, low[-1])
                or (be in {"are", "were"} and works(low[-1].removesuffix("s"), inner))
            )
            and low[0] not in {"my", "our"}
            and not (low[0] == "the" and _is_among(clause, first))
            and "former" not in low
        ):
            do = "did" if be in {"was", "were"} else "do" if be == "are" else "does"
            yield phrased(
                clause,
                place,
                f"What {do} {text} do for a living?",
                f"what {text} {do} for a living",
                0.9,
            )
        elif (
            favorite
            and len(subject) > 2
            and (core in w.PERSON_NOUNS or works(core, core))
            and inner not in {"band", "team"}
        ):
            yield phrased(clause, place, f"Who {be} {text}?", f"who {text} {be}", 0.95)
        elif (favorite and len(subject) > 2) or core in IDENTIFYING:
            yield phrased(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.95)
        elif (
            len(subject) == 1
            and {inner, low[-1]} & w.PEOPLE
            and low[0] in {"my", "our"}
            and be in {"is", "are"}
        ):
            yield phrased(clause, place, f"Who {be} {text}?", f"who {text} {be}", 0.7)
        elif core in {"he", "she"} and ({inner, low[-1], *low} & w.BREEDS) and be == "is":
            text = "What kind of dog" if not {"tabby", "siamese", "calico"} & set(low) else "What kind of cat"
            yield phrased(
                clause, place, f"{text} is {core}?", f"{text[:1].lower()}{text[1:]} {core} is", 0.75
            )
        elif core in {"dog", "cat", "horse", "pet", "puppy", "kitten"} and inner not in w.PEOPLE:
            kind = "animal" if core == "pet" else core
            yield phrased(
                clause, place, f"What kind of {kind} {be} {text}?", f"what kind of {kind} {text} {be}", 0.7
            )
        elif core in {"car", "truck", "bike", "vehicle"}:
            yield phrased(
                clause, place, f"What kind of {core} {be} {text}?", f"what kind of {core} {text} {be}", 0.75
            )
        elif core in w.BREEDS | w.PETS and low[0] in w.NAMES and be == "is":
            yield phrased(clause, place, f"What is {text}'s name?", f"what {text}'s name is", 0.9)
        elif (
            not person
            and len(subject) > 1
            and subject[0].lower in {"my", "our"}
            and clause.tags[first.end - 1] not in {"PRP"}
            and core not in w.PETS | {"life", "day", "house", "place", "weekend", "week"}
            and (low[0] not in {"a", "an", "the"} or len(subject) > 2)
        ):
            yield phrased(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.6)
    elif first.kind == "adj":
        last = low[-1]
        degreed = len(low) > 1 and clause.tags[first.start] == "RB"
        if degreed and core in IDENTIFYING and last not in w.COLORS and be in {"is", "are"}:
            yield phrased(clause, place, f"What {be} {text} like?", f"what {text} {be} like", 0.65)
        elif (core in IDENTIFYING and low[-1] not in w.CHARACTERS) or (
            last in w.COLORS and (favorite or core in {"color", "colour"})
        ):
            yield phrased(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.95)
        elif last in w.COLORS:
            with_it = [
                p for p in clause.phrases if p.start == first.end and clause.words[p.start].lower == "with"
            ]
            place = (place[0], with_it[0].end) if with_it else place
            yield phrased(clause, place, f"What color {be} {text}?", f"what color {text} {be}", 0.95)
        elif (
            favorite
            and len(subject) > 2
            and len(low) == 1
            and last not in w.CHARACTERS
            and core not in w.PERSON_NOUNS
        ):
            yield phrased(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.85)
        elif last in w.NATIONALITIES and person:
            yield phrased(
                clause, place, f"What nationality {be} {text}?", f"what nationality {text} {be}", 0.85
            )
        elif person and len(subject) == 2 and last in w.MARITAL and be == "is" and is_single(clause):
            whose = f"{text}'s relationship status"
            yield phrased(clause, place, f"What is {whose}?", f"what {whose} is", 0.8)
        elif person and last in w.FEELINGS and is_single(clause) and be in {"is", "are"}:
            yield phrased(clause, place, f"How {be} {text} feeling?", f"how {text} {be} feeling", 0.7)
        elif last in w.CHARACTERS and is_single(clause) and (len(subject) > 1 or person):
            yield phrased(clause, place, f"What {be} {text} like?", f"what {text} {be} like", 0.75)
        yield from of_adjective(clause, first, voice)
    elif first.kind == "ing" and (favorite or core in IDENTIFYING):
        yield phrased(clause, place, f"What {be} {text}?", f"what {text} {be}", 0.9)
    elif first.kind == "pp" and core in DATED and time_word(clause, first) == "When":
        place = (trimmed(clause.words, first.body, first.end), first.end)
        yield phrased(clause, place, f"When {be} {text}?", f"when {text} {be}", 0.9)


def _is_among(clause: Clause, first: Phrase) -> bool:
    """the hunter in my family: no job, a part played."""
    behind = [x.lower for x in clause.words[first.end : first.end + 3]]
    return behind[:1] in (["in"], ["of"]) and behind[-1] in w.PEOPLE


def _singled_out(clause: Clause, phrase: Phrase) -> bool:
    named = phrase.kind == "np" and clause.tags[phrase.start] not in {"PRP", "DT", "PRP$"}
    return named and clause.words[phrase.start].lower not in w.EMPTY_HEADS | {"when"}


@rule("attribute", of_attribute)
def to_be_that(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """my dream is to travel: the infinitive is the answer."""
    subject = clause.subject_words
    low = [x.lower for x in subject]
    if low[0] not in {"my", "our"} or clause.chain[1] <= clause.chain[0]:
        return
    if subject[-1].lower in IDENTIFYING or "favorite" in low:
        text = voice.subject(clause)
        first = clause.words[clause.verb].lower
        be = {"'s": "is"}.get(first, first)
        start = clause.chain[0] + (clause.words[clause.chain[0]].lower == "to")
        end = max([p.end for p in clause.phrases if p.kind != "rest"], default=clause.chain[1])
        thing = f"{text} to do" if low[-1] == "thing" and "favorite" in low else text
        yield phrased(clause, (start, end), f"What {be} {thing}?", f"what {thing} {be}", 0.9)
