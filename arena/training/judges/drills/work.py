"""A drill on jobs that are described by their activities."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from arena.training.judges.drills.base import Case, kept, lines
from arena.training.judges.kinds import article, parts
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL
from arena.training.judges.replies import no, yes

_AKIN = (
    "care teeth pharma mind social",
    "school kids coach sport water",
    "law law2 police guard",
    "food food2 serve bar coffee butcher hotel travel",
    "code data money bank insure science",
    "sell sell2 homes car",
    "fly fly2 sea rail drive drive2 drive3 post military",
    "farm garden vet zoo flower",
    "hair beauty tailor",
    "pipes wires build wood factory mine clean design",
    "write news act music art photo design2 translate",
)
"""Groups of jobs whose activities are easily confused."""
_JOB_ASKED = (
    "What do you do for a living?",
    "What's your job?",
    "What do you do?",
    "What do you do for work?",
    "What is your occupation?",
    "what kind of work do you do",
    "What's your profession?",
    "how do you earn your money?",
    "What line of work are you in?",
    "Where do you work?",
    "do you work? as what?",
)
_FAR = (
    "How many siblings do you have?",
    "Do you have any pets?",
    "What's your favorite color?",
    "Are you married?",
    "Where were you born?",
    "Do you play an instrument?",
    "How old are you?",
    "Do you like olives?",
)
_FAR_ANSWERS = (
    "Two.",
    "No.",
    "Yes.",
    "Green.",
    "I don't think so.",
    "Yes, I do.",
    "In Ohio.",
    "31",
    "A cat.",
)


@dataclass(frozen=True)
class Job:
    group: str
    names: tuple[str, ...]
    does: tuple[str, ...]
    clues: tuple[str, ...]


def _jobs() -> list[Job]:
    known = []
    for line in lines("jobs"):
        group, rest = line.split(":", 1)
        head, clues = rest.split("~")
        names, *does = parts(head)
        known.append(Job(group, parts(names, "="), tuple(does), parts(clues)))
    return known


def _akin(one: str, other: str) -> bool:
    return one == other or any(one in row.split() and other in row.split() for row in _AKIN)


def jobs(source: random.Random, held: bool) -> Iterator[Case]:
    """Yield descriptions of work that imply a job."""
    pick, all_jobs = source, _jobs()
    chosen = kept(all_jobs, held)
    while True:
        job = pick.choice(chosen)
        far = pick.choice([other for other in chosen if not _akin(job.group, other.group)])
        near = pick.choice([other for other in chosen if other.group != job.group])
        hinted = pick.random() < 0.75
        name = pick.choice(job.names)
        statement = pick.choice(job.clues) if hinted else _as_job(name, pick)
        question = pick.choice(_JOB_ASKED)
        if pick.random() < 0.2:
            asked, other = f"Are you {article(name)}?", f"Are you {article(pick.choice(near.names))}?"
            yield statement, asked, yes(asked, pick), ENTAILMENT
            yield statement, asked, no(asked, pick), CONTRADICTION
            yield statement, other, no(other, pick), ENTAILMENT
            yield statement, other, yes(other, pick), CONTRADICTION
            continue
        right = _as_job(pick.choice(job.names), pick)
        if pick.random() < 0.4 and job.does:
            right = pick.choice(job.does)
        elif not hinted:
            right = pick.choice(job.does + job.clues)
        yield statement, question, right, ENTAILMENT
        draw = pick.random()
        if draw < 0.65:
            wrong = _as_job(pick.choice(near.names), pick)
        else:
            wrong = pick.choice(far.does + far.clues if draw < 0.9 else far.clues)
        yield statement, question, wrong, CONTRADICTION
        if pick.random() < 0.12:
            yield statement, question, "I don't work. I'm unemployed.", CONTRADICTION
        if pick.random() < 0.15:
            yield statement, pick.choice(_FAR), pick.choice(_FAR_ANSWERS), NEUTRAL


def _as_job(name: str, source: random.Random) -> str:
    form = source.choice(
        ["I'm {a}.", "I'm {a}.", "{n}", "{a}", "I work as {a}.", "{n}, nothing exciting", "I'm {a} by trade.",
         "I am {a}, have been for years.", "i'm {a}", "I'm working as {a} at the moment.", "{a}, actually"]
    )  # fmt: skip
    sentence: str = form.format(a=article(name), n=name)
    return sentence
