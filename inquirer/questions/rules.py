"""Questions by grammar: the clause is turned round, the asked phrase becomes the question word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from arena.core.errors import InputError
from arena.core.types import Entity, Kind, Question
from inquirer.base import Part, Task
from inquirer.language.clause import Clause
from inquirer.language.clauses import clauses
from inquirer.language.sentences import statements
from inquirer.language.tokens import Token, tokens
from inquirer.questions import fallback, grounds, polar, wh
from inquirer.questions.clean import is_double, is_general, is_hoped, is_name, is_supposed
from inquirer.questions.frame import Asked
from inquirer.questions.voice import Voice

REVISION = "rules-4"
LEAST = 0.42  # below this a question is about too little of what it should be about
MATCHING = 0.5  # share of words that an entity and an answer have in common, from which they are one
TOPICS = {
    "movie", "book", "game", "song", "band", "show", "sport", "color", "food", "animal", "team", "singer", "artist",
    "drink", "flower", "season", "subject", "author", "actor", "restaurant", "candy", "dessert", "flavor", "car",
    "film", "series", "writer", "holiday", "hobby", "dish", "superhero", "player", "genre",
}  # fmt: skip
WORDED = {Kind.WH, Kind.ASK_TWICE, Kind.PARAPHRASE}


class Rules:
    """The writer that needs nothing."""

    revision = REVISION

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        return [write(task) for task in tasks]


def _rules(settings: Mapping[str, Any]) -> Rules:
    if settings:
        raise InputError(
            f"The question writer 'rules' has no settings: leave out {', '.join(sorted(settings))}."
        )
    return Rules()


create = Part(_rules, "the grammar's questions; nothing to install")


def write(task: Task) -> list[Question]:
    """All questions of the task, each with the entity that answers it."""
    read = [clauses(s.words) for s in statements(task.utterance)]
    result: list[Question] = []
    last: Clause | None = None
    for sentence in read:
        before: Clause | None = None
        for clause in sentence:
            result.extend(_of_clause(task, clause, before, last))
            before = last = clause
    return sorted(result, key=lambda q: -q.score)


@lru_cache(maxsize=1024)
def _tokens(text: str) -> tuple[Token, ...]:
    return tuple(tokens(text))


def _topic(text: str, place: int) -> str:
    """The last kind of thing before the place, in the singular: films, colours, bands."""
    for token in reversed([t for t in _tokens(text) if t.end <= place]):
        one = (
            token.lower[:-1]
            if token.lower.endswith("s") and token.lower not in {"news", "series"}
            else token.lower
        )
        if one in TOPICS:
            return one
    return ""


def _of_clause(task: Task, clause: Clause, before: Clause | None, last: Clause | None) -> Iterator[Question]:
    """`before` is the clause before in the sentence, `last` the one before in what was said."""
    if is_name(clause) or is_general(clause) or is_double(clause):
        return
    topic = _topic(task.utterance, clause.words[clause.start].start)
    wanted = set(task.kinds)
    if wanted & WORDED:
        for asked in _asked(clause, Voice(topic=topic), before, last):
            entity, match = _matching(task.entities, asked.clause, asked.start, asked.end)
            if entity is None:
                continue
            score = round(asked.score * match, 4)
            if score < LEAST:
                continue
            for kind in (Kind.WH, Kind.ASK_TWICE):
                if kind in wanted:
                    yield _question(asked, asked.direct, entity, kind, score)
            if Kind.PARAPHRASE in wanted:
                yield _question(asked, asked.indirect, entity, Kind.PARAPHRASE, score)
    if Kind.ABOUT_PARTNER in wanted:
        for asked in _asked(clause, Voice(partner=True, topic=topic), before, last):
            entity, match = _matching(task.entities, asked.clause, asked.start, asked.end)
            if entity is not None:
                yield _question(
                    asked, asked.direct, entity, Kind.ABOUT_PARTNER, round(asked.score * match, 4)
                )
    if wanted & {Kind.YES_NO_TRUE, Kind.YES_NO_FALSE}:
        for asked_ in polar.questions(clause, Voice()):
            kind = Kind.YES_NO_TRUE if asked_.true else Kind.YES_NO_FALSE
            entity, match = _matching(task.entities, clause, asked_.start, asked_.end)
            if kind in wanted and entity is not None:
                yield Question(
                    asked_.text,
                    entity,
                    kind,
                    round(asked_.score * match, 4),
                    "yes" if asked_.true else "no",
                    "yes_no",
                    True,
                    _offsets(clause, clause.start, clause.end),
                    _offsets(clause, asked_.start, asked_.end),
                )


def _question(asked: Asked, text: str, entity: Entity, kind: Kind, score: float) -> Question:
    clause = asked.clause
    return Question(
        text,
        entity,
        kind,
        score,
        entity.text,
        asked.rule,
        asked.single,
        _offsets(clause, clause.start, clause.end),
        _offsets(clause, asked.start, asked.end),
    )


def _offsets(clause: Clause, start: int, end: int) -> tuple[int, int]:
    """Words of the clause as characters of the utterance."""
    return clause.words[start].start, clause.words[end - 1].end


def _asked(clause: Clause, voice: Voice, before: Clause | None, last: Clause | None) -> list[Asked]:
    found = list(wh.questions(clause, voice, before)) or list(fallback.questions(clause, voice))
    found += grounds.questions(clause, last, voice)
    if not is_supposed(clause):
        return found
    hoped = [
        replace(x, direct=x.direct.replace("Who will", f"Who {voice.are} {voice.you} hoping will", 1),
                indirect=x.indirect.replace("who will", f"who {voice.you} {voice.are} hoping will", 1))
        for x in found if x.direct.startswith("Who will") and is_hoped(clause)
    ]  # fmt: skip
    return [*hoped, *(x for x in found if x.direct.startswith("Why"))]


def _matching(
    entities: Sequence[Entity], clause: Clause, start: int, end: int
) -> tuple[Entity | None, float]:
    """The entity that covers the answer's words best, and how well (1 is exactly)."""
    if end <= start:
        return None, 0.0
    first, last = clause.words[start].start, clause.words[end - 1].end
    best: Entity | None = None
    share = 0.0
    for entity in entities:
        common = min(entity.end, last) - max(entity.start, first)
        if common <= 0:
            continue
        match = 2 * common / ((entity.end - entity.start) + (last - first))
        if match > share:
            best, share = entity, match
    return (best, share) if share >= MATCHING else (None, 0.0)
