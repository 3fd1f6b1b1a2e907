"""A question taken apart: what asks, the verb, what stands before and behind it."""

from __future__ import annotations

from dataclasses import dataclass

from arena.core.types import Question
from inquirer.language.clause import Clause
from inquirer.language.tokens import tokens
from inquirer.language.verbs import base

COULD = "could you tell me "
HELPERS = {"am", "are", "did", "do", "does", "had", "has", "have", "is", "was", "were", "would"}
DEFINITE = {"that", "the", "these", "this", "those"}
SPOTS = {"GPE", "LOC", "FAC"}


@dataclass(frozen=True, slots=True)
class Form:
    """What kind of music (`asked`) do (`helper`) you really (`before`) like (`verb`)?"""

    asked: tuple[str, ...]
    helper: str
    before: tuple[str, ...]
    verb: str
    tail: tuple[str, ...]
    answer: tuple[str, ...]
    said: str  # the answer as it was written
    subject: tuple[str, ...]  # you; your oldest son
    noun: bool
    definite: bool  # the label
    near: bool  # no noun stands between verb and answer
    place: bool  # whether the tagger takes it for one


def worded(question: Question) -> str:
    """What is asked, without its frame."""
    return question.text.lower().rstrip("?").removeprefix(COULD)


def taken_apart(question: Question, clause: Clause) -> Form | None:
    """Nothing where the question has another verb than the clause."""
    text, answer = worded(question), tuple(t.lower for t in tokens(question.entity.text))
    words = [t.lower for t in tokens(text)]
    about = [x.lower for x in clause.subject_words]
    subject = ["you"] if about in (["i"], ["we"]) else ["your", *about[1:]]
    first = next((i for i, word in enumerate(words) if word in HELPERS or word.startswith("you")), 0)
    rest = words[first:]
    place = next((i for i in range(len(rest)) if rest[i : i + len(subject)] == subject), None)
    if place is not None:
        del rest[place : place + len(subject)]
    deed = rest[-1:] in (["do"], ["doing"])
    verb = "do" if deed else clause.deepest
    at = max((i for i, word in enumerate(rest) if base(word) == verb), default=-1)
    if not answer or (at < 0 and not clause.copular):
        return None
    helper = rest[0] if rest and rest[0] in HELPERS and (at > 0 or clause.copular) else ""
    if helper:
        rest, at = rest[1:], at - 1
    before, tail = tuple(rest[: max(at, 0)]), tuple(rest[at + 1 :] if at >= 0 else rest)
    said = question.entity
    noun = any(t[:1] == "N" for x, t in zip(clause.words, clause.tags, strict=True) if x.end == said.end)
    before_it = next((x.lower for x in reversed(clause.words) if x.end <= said.start), "")
    definite, place = before_it in DEFINITE, said.type in SPOTS
    between = zip(clause.words[clause.verb + 1 :], clause.tags[clause.verb + 1 :], strict=True)
    near = not any(t[:1] == "N" for x, t in between if x.end <= said.start)
    return Form(
        tuple(words[:first]),
        helper,
        before,
        verb,
        tail,
        answer,
        said.text,
        tuple(subject),
        noun,
        definite,
        near,
        place,
    )
