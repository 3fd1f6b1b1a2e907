"""Questions whose answer is what somebody or something is called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import BEARERS, apposed
from inquirer.language.tagger import seen
from inquirer.questions.frame import Asked, ask
from inquirer.questions.rule import rule
from inquirer.questions.voice import Voice

NUMBERS = ("zero", "one", "two", "three", "four", "five")
SORTS = {"big", "old", "small", "little", "male", "female", "young", "older", "younger", "other", "same"}


@rule("name", True)
def questions(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """my dog is named rex, i named my dog rex, with my dog rex, my friends call me rex."""
    yield from _is_named(clause, voice)
    yield from _naming(clause, voice)
    yield from _listed(clause, voice)
    for phrase in clause.phrases:
        if phrase.kind in {"np", "pp"}:
            yield from _titled(clause, phrase)
            yield from _so_called(clause, phrase, voice)
    places = [(clause.subject[0], clause.subject[1])]
    places += [(p.body, p.end) for p in clause.phrases if p.kind in {"np", "pp"}]
    for start, end in places:
        if clause.lemma not in {"name", "call"}:
            yield from _beside(clause, start, end, voice)


def _asked(clause: Clause, place: tuple[int, int], whose: str, score: float) -> Asked:
    whose = f"{whose}'" if whose.endswith("s") else f"{whose}'s"
    text = f"What is {whose} name?"
    return Asked(*place, text, f"Could you tell me what {whose} name is?", score, clause)


def _beside(clause: Clause, start: int, end: int, voice: Voice) -> Iterator[Asked]:
    """my pet monkey bobo: the last word is a name."""
    bearer = clause.words[end - 2].lower if end else ""
    if apposed(clause.words, clause.tags, start, end) and not bearer.endswith("s"):
        yield _asked(clause, (end - 1, end), voice.say(clause.words[start : end - 1]), 0.85)


def _so_called(clause: Clause, phrase: Phrase, voice: Voice) -> Iterator[Asked]:
    """with my german shepherd named barnaby."""
    words, tags, end = clause.words, clause.tags, phrase.end
    company = (
        words[phrase.start].lower == "with" and words[phrase.body].lower in {"a", "an"} and voice.own(clause)
    )
    if (words[phrase.body].lower not in {"my", "our"} and not company) or phrase.end - phrase.body > 5:
        return
    if (
        end + 1 >= clause.end
        or words[end].lower not in {"named", "called"}
        or words[end - 1].lower[-1:] == "s"
    ):
        return
    last = end + 1
    while last < clause.end and tags[last] in {"NNP", "NN"} and last < end + 4:
        last += 1
    if last > end + 1:
        bearer = f"{voice.your} {words[end - 1].lower}" if company else voice.say(words[phrase.body : end])
        yield _asked(clause, (end + 1, last), bearer, 0.9)


def _listed(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """i have two dogs , tater and tot."""
    if (
        clause.deepest != "have"
        or not voice.own(clause)
        or not clause.phrases
        or clause.phrases[0].kind != "np"
    ):
        return
    words, tags = clause.words, clause.tags
    start = clause.phrases[0].start
    comma = next((i for i in range(start, clause.end) if words[i].text == ","), None)
    if comma is None or words[comma - 1].lower not in BEARERS:
        return
    names = [i for i in range(comma + 1, clause.end) if words[i].lower not in {"and", ",", "&"}]
    known = all(
        words[i].lower in w.NAMES or (tags[i] in {"NNP", "NN"} and not seen(words[i].lower)) for i in names
    )
    if not names or not (known or _is_counted(clause, comma, names)) or len(names) > 5:
        return
    bearer = words[comma - 1].lower
    several = bearer.endswith("s") or bearer == "children"
    whose = f"{bearer}'" if bearer.endswith("s") else f"{bearer}'s"
    text = f"What {'are' if several else 'is'} {voice.your} {whose} name{'s' if several else ''}?"
    stated = f"Could you tell me what {voice.your} {whose} name{'s are' if several else ' is'}?"
    yield Asked(names[0], names[-1] + 1, text, stated, 0.9, clause)


def _is_counted(clause: Clause, comma: int, names: Sequence[int]) -> bool:
    """two dogs , tater and tot: as many single words as there are bearers."""
    count = clause.words[comma - 2].lower
    said = [clause.words[i].lower for i in names]
    kinds = w.PEOPLE | w.BREEDS | w.PETS | w.COLORS | w.GENDERS
    plain = all(x.isalpha() and not x.endswith("s") and x not in kinds | SORTS for x in said)
    nouns = all(clause.tags[i][:2] in {"NN", "JJ"} for i in names)
    return (
        len(names) > 1 and count in {str(len(names)), NUMBERS[len(names) % len(NUMBERS)]} and plain and nouns
    )


def _titled(clause: Clause, phrase: Phrase) -> Iterator[Asked]:
    """at a restaurant called panera: what is the restaurant called?"""
    words, tags, end = clause.words, clause.tags, phrase.end
    opened = words[phrase.body].lower in {"a", "an", "this"} and end - phrase.body <= 4
    if not opened or end + 1 >= clause.end or words[end].lower != "called" or words[end - 1].lower in BEARERS:
        return
    last = end + 1
    while last < clause.end and tags[last] in {"NNP", "NN", "NNS", "JJ", "CD", "DT"} and last < end + 6:
        last += 1
    if last > end + 1:
        text = f"What is the {words[end - 1].lower} called?"
        yield Asked(
            end + 1, last, text, f"Could you tell me what the {words[end - 1].lower} is called?", 0.85, clause
        )


def _is_named(clause: Clause, voice: Voice) -> Iterator[Asked]:
    low = [x.lower for x in clause.subject_words]
    several = low == ["they"] and [clause.words[i].lower for i in clause.auxiliaries] in (["are"], ["'re"])
    if several and clause.words[clause.verb].lower in {"named", "called"} and clause.negation is None:
        first = clause.phrases[0] if clause.phrases else None
        if first is not None and first.kind == "np":
            text = "What are their names?"
            yield Asked(first.start, first.end, text, "Could you tell me what their names are?", 0.85, clause)
        return
    helpers = [clause.words[i].lower for i in clause.auxiliaries]
    if clause.words[clause.verb].lower not in {"named", "called"} or helpers not in (["is"], ["'s"], ["was"]):
        return
    if low[0] not in {"my", "our", "he", "she"} or not clause.phrases or clause.phrases[0].kind != "np":
        return
    first = clause.phrases[0]
    if first.end - first.start > 3 or clause.negation is not None:
        return
    if len(low) > 1:
        yield _asked(clause, (first.start, first.end), voice.subject(clause), 0.9)
    else:
        text = f"What is {({'he': 'his', 'she': 'her'})[low[0]]} name?"
        yield Asked(first.start, first.end, text, f"Could you tell me w{text[1:-1]}?", 0.8, clause)


def _naming(clause: Clause, voice: Voice) -> Iterator[Asked]:
    """named my dog ralph, call me a freak."""
    if clause.deepest not in {"name", "call"} or not clause.phrases or clause.negation is not None:
        return
    words, tags, first = clause.words, clause.tags, clause.phrases[0]
    if first.kind != "np" or (clause.auxiliaries and tags[clause.verb] == "VBN"):
        return
    second = clause.phrases[1] if len(clause.phrases) > 1 else None
    if second is not None and second.kind == "np" and second.end - second.start <= 4:
        whom = words[first.start].lower
        pointed = whom in {"it", "that", "this"} and clause.subject_words[-1].lower not in w.PEOPLE
        if pointed or whom == "you" or (second.end < clause.end and tags[second.end] == "IN"):
            return
        if clause.subject_words[-1].lower in {"it", "that", "you"}:
            return
        made = ask(clause, voice, "What", (second.start, second.end), [second], 0.85)
        if made:
            yield made
    elif second is None and words[first.start].lower in {"my", "our", "his", "her"}:
        bearer = words[first.end - 2].lower in BEARERS and first.end - first.start >= 3
        if bearer and clause.deepest == "name":
            thing = voice.say(words[first.start : first.end - 1])
            text = f"What did {voice.subject(clause)} name {thing}?"
            stated = f"what {voice.subject(clause)} named {thing}"
            yield Asked(first.end - 1, first.end, text, f"Could you tell me {stated}?", 0.85, clause)
