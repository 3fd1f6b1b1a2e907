"""Clauses with `to be` that define: the subject is the answer, or its meaning is."""

from __future__ import annotations

from collections.abc import Iterator

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import head, trimmed
from inquirer.language.tagger import seen
from inquirer.questions.adjectives import of_adjective
from inquirer.questions.classes import class_of_subject
from inquirer.questions.copula import IDENTIFYING, is_past, phrased
from inquirer.questions.frame import Asked, helper
from inquirer.questions.jobs import works
from inquirer.questions.rule import rule
from inquirer.questions.voice import Voice


@rule("definition")
def of_the_one(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """variety is the spice of life, a lamp is the wallpaper for my computer: the subject is the answer."""
    start, end = clause.subject
    words, tags = clause.words, clause.tags
    if clause.borrowed or end <= start or first.kind != "np" or words[first.start].lower != "the":
        return
    subject = [x.lower for x in words[start:end]]
    if tags[start] in {"PRP", "EX", "DT"} or set(subject) & (w.PERSONS | w.EMPTY_HEADS | {"you", "your"}):
        return
    behind = [p for p in clause.phrases if p.start >= first.end and p.kind != "adv"]
    inner = [x.lower for x in words[first.start : first.end]]
    core = head(words, first.start, first.end)
    told = (
        (len(inner) > 2 and works(core, inner[-1]) and not behind)
        or "of" in inner
        or (behind and behind[0].kind == "pp" and words[behind[0].start].lower in {"to", "for"})
    )
    ranked = len(inner) > 2 and tags[first.start + 1] in {"JJS"} and behind
    if not (told or ranked) or core in w.EMPTY_HEADS | {
        "best",
        "same",
        "one",
        "way",
        "bomb",
        "kind",
        "type",
        "end",
    }:
        return
    if {x.lower for p in behind for x in words[p.start : p.end]} & {
        "you",
        "your",
        "it",
        "them",
        "that",
        "this",
    }:
        return
    be, more = helper(clause, voice)
    tail_ = voice.say(words[first.start : first.end])
    rest = " ".join(voice.say(words[p.start : p.end]) for p in behind if p.kind in {"pp", "inf"})
    asked = "Who" if core in w.PERSON_NOUNS | w.JOBS or works(core, core) else "What"
    be = {"are": "is", "were": "was"}.get(be, be) if not core.endswith("s") else be
    if be in {"is", "was", "would", "must", "will"}:
        text = " ".join(x for x in (be, more, tail_, rest) if x)
        place = (trimmed(words, start, end), end)
        yield phrased(clause, place, f"{asked} {text}?", f"{asked.lower()} {text}", 0.65)


@rule("good_place")
def of_good_place(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """alaska is a great place to rest: what is a great place to rest?"""
    start, end = clause.subject
    index = clause.phrases.index(first)
    behind = clause.phrases[index + 1 : index + 2]
    low = [x.lower for x in clause.words[first.start : first.end]]
    if clause.borrowed or end <= start or not behind or behind[0].kind != "inf" or low[0] != "a":
        return
    if (
        low[-1] not in {"place", "way", "thing", "time"}
        or clause.tags[start] in {"PRP", "DT", "EX"}
        or is_past(clause)
    ):
        return
    said = {x.lower for x in clause.words[behind[0].start : behind[0].end]}
    if said & {"it", "them", "that", "you"} or {x.lower for x in clause.words[start:end]} & w.PERSONS:
        return
    rest = voice.say(clause.words[first.start : behind[0].end])
    place = (trimmed(clause.words, start, end), end)
    yield phrased(clause, place, f"What is {rest}?", f"what is {rest}", 0.7)


@rule("favorite", True)
def of_favorite(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """pizza is my favorite food, horror movies are my passion: the subject is the answer."""
    words = clause.words[first.start : first.end]
    if (
        first.kind != "np"
        or words[0].lower not in {"my", "our"}
        or len(words) < 2
        or clause.words[clause.verb].lower in {"'m", "am"}
        or clause.borrowed
        or not clause.subject_words
    ):
        return
    subject = clause.words[clause.subject[0] : clause.subject[1]]
    if len(subject) == 1 and subject[0].lower in w.PERSONS | {"one", "i"}:
        return
    last = words[-1].lower
    if last == "favorite" and first.end < clause.end and clause.words[first.end].lower == "to":
        return  # my favorite to bake
    low = [x.lower for x in words]
    favorite = bool({"favorite", "favourite", "fav"} & set(low)) and last not in {
        "favorite",
        "favourite",
        "favorites",
        "fav",
    }
    start = trimmed(clause.words, *clause.subject)
    if not favorite and last in {"favorite", "favourite", "favorites", "fav"} and len(low) <= 3:
        thing = class_of_subject(clause, start) or voice.topic
        if thing:
            text = f"{voice.your} favorite {thing}"
            yield phrased(clause, (start, clause.subject[1]), f"What is {text}?", f"what {text} is", 0.85)
        elif len(low) == 2 and last != "favorites":
            text = f"{voice.your} favorite"
            yield phrased(
                clause, (start, clause.subject[1]), f"Which one is {text}?", f"which one {text} is", 0.6
            )
        return
    if not favorite and last not in IDENTIFYING | ROLES:
        return
    if subject[-1].lower in {"today", "tomorrow", "yesterday"} and last in {"birthday", "anniversary"}:
        be, _ = helper(clause, voice)
        yield phrased(
            clause,
            (start, clause.subject[1]),
            f"When {be} {voice.say(words)}?",
            f"when {voice.say(words)} {be}",
            0.85,
        )
        return
    if subject[-1].lower in {"ago", "later"} or {x.lower for x in subject} & w.TIME_UNITS:
        return
    if any(x.text == "," for x in words):
        return
    text = voice.say(words)
    be, more = helper(clause, voice)
    if clause.auxiliaries:
        be, text = be, f"{more} {text}"
    asked = "Who" if last in w.PERSON_NOUNS else "What"
    plural = last.endswith("s") and not last.endswith("ss")
    singular = "is" if be == "are" and not plural else be
    yield phrased(
        clause,
        (start, clause.subject[1]),
        f"{asked} {singular} {text}?",
        f"{asked.lower()} {text} {singular}",
        0.9,
    )


ROLES = {
    "friend", "choice", "reason", "wallpaper", "neighbor", "roommate", "boss", "mentor", "partner", "rival",
    "enemy", "companion", "ancestor", "priority", "motivation", "favorites", "religion", "outlet", "coping",
    "comfort", "therapy", "stress", "church", "workout", "breakfast", "lunch", "snack", "excuse", "secret",
    "problem", "issue", "concern", "style", "ringtone", "nemesis", "muse", "crush",
}  # fmt: skip


@rule("definition")
def of_meaning(clause: Clause, first: Phrase, voice: Voice) -> Iterator[Asked]:
    """paella is a fish stew: what is paella?"""
    start, end = clause.subject
    if not clause.borrowed and clause.tags[start] in {"NN", "NNS", "JJ"} and end > start:
        yield from of_adjective(clause, first, voice)
    if (
        clause.borrowed
        or end <= start
        or end - start > 2
        or clause.tags[start] not in {"NN", "NNP"}
        or is_past(clause)
    ):
        return
    words = clause.words
    if clause.tags[start] != "NNP" and seen(words[start].lower) and words[start].lower not in w.NAMES:
        return
    if clause.words[clause.verb].lower not in {"is", "'s"}:
        return
    bare = end - start == 1 and clause.tags[first.start] in {"JJ", "NN"} and first.end - first.start > 1
    if (
        first.kind != "np"
        or not (words[first.start].lower in {"a", "an"} or bare)
        or words[start].lower in w.PEOPLE | w.PERSONS | w.TIMES | w.EMPTY_HEADS
    ):
        return
    if {words[first.end - 1].lower, head(words, first.start, first.end)} & (
        w.EMPTY_HEADS | {"must", "fan", "favorite", "plus", "blast"}
    ):
        return
    name = voice.say(words[start:end])
    asked = (
        "Who"
        if words[start].lower in w.NAMES and words[first.end - 1].lower not in w.ANIMALS | w.BREEDS
        else "What"
    )
    place = (trimmed(words, first.start, first.end), first.end)
    yield phrased(clause, place, f"{asked} is {name}?", f"{asked.lower()} {name} is", 0.6)
