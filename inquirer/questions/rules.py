"""Writes questions by grammar: the clause is inverted, and a question word replaces the phrase that is the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

from arena.core.types import Entity, Kind, Question
from bots.weights import store
from inquirer import encoded_score
from inquirer.base import Part, Task, complete
from inquirer.entities.rules import kind_of
from inquirer.grammar import RULES, yes_no
from inquirer.grammar.antecedents import resolved
from inquirer.grammar.features import Features, features, score, score_revision
from inquirer.grammar.fitness import points_back, unfit
from inquirer.grammar.frame import Asked
from inquirer.grammar.reading import Reading
from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.clauses import clauses
from inquirer.language.sentences import sentences, statements
from inquirer.person import Voice

REVISION = "rules-10"
MATCHING = 0.8  # lowest share of common letters at which an entity and an answer are the same
WORDED = (Kind.WH, Kind.ASK_TWICE, Kind.PARAPHRASE, Kind.ABOUT_PARTNER)
YES_NO = (Kind.YES_NO_TRUE, Kind.YES_NO_FALSE)


class Rules:
    """The writer that needs no language model. With `encoder`, an encoder scores its questions a second time."""

    calibrated = True

    def __init__(self, encoder: bool = True) -> None:
        self.encoder = encoder

    @property
    def revision(self) -> str:
        second = f"-{encoded_score.revision()}" if self.encoder else ""
        return f"{REVISION}-{score_revision()}{second}"

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        written = [write(task) for task in tasks]
        if not self.encoder:
            return written
        rescored = [
            encoded_score.rescored(task.utterance, questions, task.kinds)
            for task, questions in zip(tasks, written, strict=True)
        ]
        return [sorted(questions, key=lambda q: -q.score) for questions in rescored]


def _rules(settings: Mapping[str, Any]) -> Rules:
    return Rules(**complete("question writer 'rules'", settings, {"encoder": True}))


create = Part(
    _rules,
    "the grammar's questions, scored by the encoder under the small judge",
    needs=lambda rules: rules.encoder and store.need(encoded_score.BASE),
)


def write(task: Task) -> list[Question]:
    """Returns all questions of the task, each with the entity that answers it, best first."""
    scored = [replace(question, score=score(question.rule or "", facts)) for question, facts in drafts(task)]
    return sorted(scored, key=lambda q: -q.score)


def drafts(task: Task) -> Iterator[tuple[Question, Features]]:
    """Yields every question with the features for its score."""
    earlier: Clause | None = None
    for sentence in statements(task.utterance):
        before: Clause | None = None
        for clause in clauses(sentence.words):
            clause = resolved(clause, earlier)
            if clause.subject_words:
                yield from _of_clause(task, clause, before)
            before = clause
            earlier = clause if clause.subject_words else None


def _of_clause(task: Task, clause: Clause, before: Clause | None) -> Iterator[tuple[Question, Features]]:
    place = clause.words[clause.start].start
    topic = next((kind for end, kind in reversed(_topics(task.utterance)) if end <= place), "")
    for voice in (Voice(topic=topic), Voice(partner=True, topic=topic)):
        wanted = [k for k in task.kinds if (k is Kind.ABOUT_PARTNER) == voice.partner]
        reading = Reading(clause, voice, before)
        if not wanted or unfit(reading):
            continue
        written = (asked for rule in RULES for asked in rule.questions(reading))
        for asked in chain(
            written if set(wanted) & set(WORDED) else (),
            yes_no.questions(reading) if set(wanted) & set(YES_NO) else (),
        ):
            kinds = WORDED if asked.true is None else (YES_NO[0] if asked.true else YES_NO[1],)
            for kind in (k for k in wanted if k in kinds):
                yield from _draft(task, reading, asked, kind)


def _draft(task: Task, reading: Reading, asked: Asked, kind: Kind) -> Iterator[tuple[Question, Features]]:
    clause, place = reading.clause, (asked.start, asked.end)
    text = asked.indirect if kind is Kind.PARAPHRASE else asked.direct
    if asked.end <= asked.start or points_back(reading, text, place):
        return
    entity, match = _matching(task, clause, *place)
    expected = entity.text if asked.true is None else "yes" if asked.true else "no"
    bounds = _offsets(clause, clause.start, clause.end)
    span = _offsets(clause, *place)
    question = Question(text, entity, kind, match, expected, asked.rule, asked.single, bounds, span)
    yield question, features(reading, task.utterance, text, place, match)


def _offsets(clause: Clause, start: int, end: int) -> tuple[int, int]:
    """Returns the character positions of the clause's words in the utterance."""
    return clause.words[start].start, clause.words[end - 1].end


@lru_cache(maxsize=1024)
def _topics(text: str) -> list[tuple[int, str]]:
    """Returns the kinds of things that are named (film, colour, band), in the singular, and where their names end."""
    words = (word for sentence in sentences(text) for word in sentence.words)
    named = [(t.end, t.lower if t.lower == "series" else t.lower.removesuffix("s")) for t in words]
    return [(end, one) for end, one in named if one in w.TOPICS]


def _matching(task: Task, clause: Clause, start: int, end: int) -> tuple[Entity, float]:
    """Returns the entity that fits the answer's words best, else the words, and how well (1 is an exact fit)."""
    first, last = _offsets(clause, start, end)
    best: Entity | None = None
    share = 0.0
    denied = clause.negation is not None and start <= clause.negation < end
    for entity in () if denied else task.entities:  # an entity would leave the "not" out
        common = min(entity.end, last) - max(entity.start, first)
        match = 2 * common / ((entity.end - entity.start) + (last - first))
        if common > 0 and match > share:
            best, share = entity, match
    if best is not None and share >= MATCHING:
        return best, share
    kind = kind_of(clause.words[start:end])
    bounds = _offsets(clause, clause.start, clause.end)
    return Entity(task.utterance[first:last], kind, first, last, *bounds), 0.0
