"""From what may be labelled to a queue; from what was said to what is left to settle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine

from arena.core.types import Label
from arena.labelling.queue import lot, order
from arena.labelling.schemas import DECIDER, SCHEMAS, Schema, opinion
from arena.stats.sessions import Work, progress
from db.grounded import Responses
from db.labelling import Complete, Desk, Task, Waiting
from db.statistics import Said
from judges.begin import protocol

AIH: Schema = SCHEMAS["aih"]
BEGIN: Schema = SCHEMAS["begin"]


def desk(engine: Engine, schema: str = AIH.name) -> Desk:
    """The desk of a schema that the page has a form for."""
    return Responses(engine) if schema == BEGIN.name else Desk(engine, schema)


def complete(values: Mapping[str, Any]) -> bool:
    """Whether AIH's questions are all answered."""
    return all(question.name in values for question in AIH.questions if question.needed)


def form_complete(values: Mapping[str, Any]) -> bool:
    """Whether BEGIN's form has reached its end."""
    return protocol.due(values) is None


COMPLETE: Mapping[str, Complete] = {AIH.name: complete, BEGIN.name: form_complete}


def finished(label: Label) -> bool:
    """Whether the person has answered all that the form asks; some are stored answer by answer."""
    if label.schema == BEGIN.name and protocol.label_of(label.values) is not None:
        return True
    asked = COMPLETE.get(label.schema)
    return asked is None or asked(label.values)


def queue(waiting: Iterable[Waiting], task: Task) -> list[str]:
    """What judges disagree about first, a random share mixed in; of each pair only so many dialogues."""
    chosen = list(waiting)
    if task.dialogues is not None:
        drawn = _drawn(chosen, task)
        chosen = [one for one in chosen if one.dialogue in drawn]
    return order(chosen, task.seed, task.share)


def _drawn(waiting: Sequence[Waiting], task: Task) -> set[str]:
    """AIH samples dialogues of each pair; the seed decides which."""
    pairs: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in waiting:
        pairs[one.speaker, one.tested].add(one.dialogue)
    return {
        dialogue
        for members in pairs.values()
        for dialogue in sorted(members, key=lambda key: (lot(task.seed, f"dialogue {key}"), key))[
            : task.dialogues
        ]
    }


@dataclass(frozen=True, slots=True)
class Split:
    """An item on whose main question people differ; `decided` is the final decision, if there is one."""

    subject: str
    yes: tuple[str, ...]
    no: tuple[str, ...]
    decided: bool | None = None

    @property
    def tied(self) -> bool:
        return len(self.yes) == len(self.no)


def splits(labels: Iterable[Said], question: str = AIH.main) -> list[Split]:
    """What is undecided first, ties before majorities."""
    sides: dict[str, tuple[list[str], list[str]]] = {}
    decisions: dict[str, bool] = {}
    for label in labels:
        value = opinion(label.values.get(question))
        if value is None:
            continue
        if label.person == DECIDER:
            decisions[label.subject] = bool(value)
        else:
            sides.setdefault(label.subject, ([], []))[0 if value else 1].append(label.person)
    differing = [
        Split(subject, tuple(sorted(yes)), tuple(sorted(no)), decisions.get(subject))
        for subject, (yes, no) in sides.items()
        if yes and no
    ]
    return sorted(differing, key=lambda one: (one.decided is not None, not one.tied, one.subject))


def work(said: Sequence[Said], wanted: int) -> Work:
    """How far labelling is; only labels with every needed answer count."""
    done = [label for label in said if label.person != DECIDER and COMPLETE[label.schema](label.values)]
    return progress([(label.subject, label.person, label.seconds) for label in done], wanted)
