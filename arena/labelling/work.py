"""The labelling queue, and the items on which people disagree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.types import Label
from arena.labelling.queue import lot, order
from arena.labelling.schemas import DECIDER, SCHEMAS, Question, Schema, opinion, schema
from arena.stats.sessions import Work, progress
from db import Database
from db.desks import Dialogues, Inquiries, Messages
from db.finding_desk import Findings
from db.grounded import Responses
from db.label_items import Waiting
from db.labelling import Complete, Desk, Task
from judges.begin import protocol

AIH: Schema = SCHEMAS["aih"]
FINDING: Schema = SCHEMAS["finding"]
BEGIN: Schema = SCHEMAS["begin"]
DESKS: Mapping[str, type[Desk]] = {
    "inquiry": Inquiries,
    "finding": Findings,
    "message": Messages,
    "dialogue": Dialogues,
}


def desk(store: Database, form: Schema = AIH) -> Desk:
    """Return the desk that hands out the subjects of this schema."""
    return Responses(store) if form.name == BEGIN.name else DESKS[form.subject_type](store, form.name)


def form_complete(values: Mapping[str, Any]) -> bool:
    """Whether BEGIN's form is complete."""
    return protocol.due(values) is None


def completeness(form: Schema) -> Complete:
    """Return the function that tells whether a label answers every question of the schema."""
    return form_complete if form.name == BEGIN.name else form.complete


def settled_by(form: Schema) -> Question | None:
    """The yes/no question that a final decision answers: the main question, or else the first yes/no question."""
    asked = [question for question in form.asked if question.yes_no]
    return next((q for q in asked if q.name == form.main), asked[0] if asked else None)


def finished(label: Label, known: Mapping[str, Schema] = SCHEMAS) -> bool:
    """Whether the person has answered the whole form. Labels of some forms are stored after each answer."""
    if label.person == DECIDER:
        return bool(label.values)
    if label.schema == BEGIN.name and protocol.label_of(label.values) is not None:
        return True
    return completeness(schema(label.schema, known))(label.values)


def queue(waiting: Iterable[Waiting], task: Task) -> list[str]:
    """The queue: items on which judges disagree come first, mixed with a random sample. The number of dialogues per
    pair may be limited.
    """
    chosen = list(waiting)
    if task.dialogues is not None:
        drawn = _drawn(chosen, task)
        chosen = [one for one in chosen if one.dialogue in drawn]
    return order(chosen, task.seed, task.share)


def _drawn(waiting: Sequence[Waiting], task: Task) -> set[str]:
    """A sample of each pair's dialogues, as in AIH, drawn by the seed."""
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
    """An item on which people disagree about the main question. `decided` is the final decision, if there is one."""

    subject: str
    yes: tuple[str, ...]
    no: tuple[str, ...]
    decided: bool | None = None

    @property
    def tied(self) -> bool:
        return len(self.yes) == len(self.no)


def splits(labels: Iterable[Label], question: str = "contradicts") -> list[Split]:
    """Return the items on which people disagree. Items without a decision come first, and ties come before
    majorities.
    """
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


def work(labels: Sequence[Label], wanted: int, form: Schema = AIH) -> Work:
    """The progress of labelling. Only labels that answer every required question count."""
    complete = completeness(form)
    done = [label for label in labels if label.person != DECIDER and complete(label.values)]
    return progress([(label.subject, label.person, label.seconds) for label in done], wanted)
