"""How far people and judges agree about one tournament, and what the people's labels make of the judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.core.errors import InputError
from arena.results.view import Judged, choose
from arena.results.votes import LABELS, drawn_by_lot, ratings
from arena.stats import agreement, metrics
from arena.stats.agreement import JudgeAgreement, People
from arena.stats.calibration import FEWEST, Threshold, combination, threshold
from arena.stats.counts import Floats
from arena.stats.ensemble import fitted, halves
from db import statistics as arrays
from db.records import StoredTournament
from db.repository import Repository
from db.statistics import Said

BY_LOT, EVERYTHING, UNKNOWN = "drawn by lot", "everything", "unknown"
_NOBODY = People(0, 0, float("nan"), float("nan"), {}, {}, {}, float("nan"))


@dataclass(frozen=True, slots=True)
class Fitted:
    """A logistic combination of judges: its entry for a tournament file, and what it reaches on labels unseen."""

    entry: Mapping[str, Any]
    items: int
    held_out: Mapping[str, Mapping[str, float]]  # by judge: auc, f1 at the τ chosen on the other half


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """One question's labels, and every judge beside them (judges only for `contradicts`)."""

    question: str
    people: People
    labels: int
    votes: int
    open: int  # items where the vote is a tie
    drawn: int  # items with a vote that judges are measured on
    sample: str  # how these were chosen
    by_bot: Mapping[str, Mapping[str, float]]  # AIH's table 8: each person with the vote, by bot under test
    judges: Mapping[str, JudgeAgreement]  # on a fair sample, as far as is known
    diagnostic: Mapping[str, JudgeAgreement]  # by all labels, which were chosen where judges are in doubt
    thresholds: Mapping[str, Threshold]
    pairs: Mapping[tuple[str, str], float]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Scores and votes of one tournament's inquiries: judges × inquiries, and a vote each."""

    names: tuple[str, ...]
    taus: tuple[float, ...]
    scores: Floats
    votes: Floats
    dialogue: Floats
    keys: tuple[str, ...]


def compute(repository: Repository, tournament: StoredTournament, question: str = "contradicts") -> Agreement:
    if question not in LABELS:
        raise InputError(f"People are not asked about '{question}': give one of {', '.join(LABELS)}.")
    said = arrays.labels(repository.engine, tournament.id)
    names, subjects, matrix = ratings(said, question)
    votes = agreement.vote(matrix) if len(subjects) else np.empty(0)
    every = dict(zip(subjects, (float(vote) for vote in votes), strict=True))
    table, drawn, sample = _drawn(repository, tournament, said, every)
    of_bot = _tested(repository, tournament)
    judged: dict[str, JudgeAgreement] = {}
    diagnostic: dict[str, JudgeAgreement] = {}
    chosen: dict[str, Threshold] = {}
    pairs: Mapping[tuple[str, str], float] = {}
    if question == "contradicts":
        for name, tau, scores in zip(table.names, table.taus, table.scores, strict=True):
            judged[name] = agreement.judge(scores, drawn, tau, table.dialogue)
            diagnostic[name] = agreement.judge(scores, table.votes, tau)
            if (best := threshold(scores, drawn, table.dialogue)) is not None:
                chosen[name] = best
        pairs = agreement.judges(table.names, table.scores, table.taus) if len(table.names) > 1 else {}
    return Agreement(
        question,
        agreement.people(names, matrix) if names else _NOBODY,
        int(np.isfinite(matrix).sum()),
        int(np.isfinite(votes).sum()),
        int(len(votes) - np.isfinite(votes).sum()),
        int(np.isfinite(drawn).sum()),
        sample,
        _by_bot(names, subjects, matrix, votes, of_bot),
        judged,
        diagnostic,
        chosen,
        pairs,
    )


def fit(repository: Repository, tournament: StoredTournament, names: Sequence[str], seed: int = 0) -> Fitted:
    """Fits the combination on the labels drawn by lot; its figures come from fitting on half of the dialogues."""
    said = arrays.labels(repository.engine, tournament.id)
    _, subjects, matrix = ratings(said)
    votes = agreement.vote(matrix) if len(subjects) else np.empty(0)
    every = dict(zip(subjects, (float(vote) for vote in votes), strict=True))
    table, drawn, _ = _drawn(repository, tournament, said, every)
    missing = [name for name in names if name not in table.names]
    if missing:
        raise InputError(
            f"The judge '{missing[0]}' has not judged {tournament.id}: "
            f"run 'arena judge {tournament.id} --judge {missing[0]}' first."
        )
    if len(set(names)) < 2:
        raise InputError("A combination needs at least two judges: give --fit NAME,NAME.")
    scores = table.scores[[table.names.index(name) for name in names]]
    made = combination(scores, drawn)
    if made is None:
        raise InputError(
            f"There are too few labels to fit weights: at least {FEWEST} inquiries drawn by lot need a vote, some "
            "with and some without a contradiction; label more first."
        )
    known = np.isfinite(drawn) & np.isfinite(scores).all(0)
    y, x = drawn[known] > 0.5, scores[:, known].T
    best = threshold(made.predict(x), drawn[known], table.dialogue[known])
    entry = {
        "name": "ensemble",
        "judge": "ensemble",
        "of": [_entry(tournament, name) for name in names],
        "intercept": round(float(made.weights[0]), 6),
        "means": [round(float(value), 6) for value in made.means],
        "scales": [round(float(value), 6) for value in made.scales],
        "weights": [round(float(value), 6) for value in made.weights[1:]],
        "tau": round(best.tau, 6) if best else 0.5,
    }
    return Fitted(entry, int(known.sum()), _held_out(names, x, y, table.dialogue[known], seed))


def _held_out(
    names: Sequence[str], x: Floats, y: Any, dialogue: Floats, seed: int
) -> dict[str, dict[str, float]]:
    learnt = halves(dialogue, seed)
    if len(np.unique(y[learnt])) < 2 or len(np.unique(y[~learnt])) < 2:
        return {}
    made = fitted(y[learnt], x[learnt])
    found = {}
    for name, scores in [("ensemble", made.predict(x)), *((name, x[:, i]) for i, name in enumerate(names))]:
        tau = metrics.best_threshold(y[learnt], scores[learnt], "f1")
        found[name] = {
            "auc": metrics.auc(y[~learnt], scores[~learnt]),
            "f1": metrics.f1(y[~learnt], scores[~learnt], tau),
            "tau": tau,
            "items": int((~learnt).sum()),
        }
    return found


def _entry(tournament: StoredTournament, name: str) -> str | dict[str, Any]:
    for judge in tournament.judges:
        if judge["name"] == name:
            return {"name": name, "judge": judge["judge"], **judge["settings"]}
    return name


def _drawn(
    repository: Repository,
    tournament: StoredTournament,
    said: Sequence[Said],
    votes: Mapping[str, float],
) -> tuple[Table, Floats, str]:
    """The table with all votes, the votes that judges are measured on, and how their inquiries were chosen.

    Imported labels do not say how they were chosen; where all are such, all count, and are marked.
    """
    table = _table(repository, tournament, votes)
    judged = [
        key
        for key, known in zip(table.keys, np.asarray(np.isfinite(table.scores).any(0)).tolist(), strict=True)
        if known
    ]
    if all(label.drawn is None for label in said if label.subject_type == "inquiry"):
        everything = {label.subject for label in said}.issuperset(judged)
        return table, table.votes, EVERYTHING if everything else UNKNOWN
    lucky = drawn_by_lot(said, judged)
    chosen = np.array([key in lucky for key in table.keys], bool)
    return table, np.where(chosen, table.votes, np.nan), BY_LOT


def _table(repository: Repository, tournament: StoredTournament, votes: Mapping[str, float]) -> Table:
    played = arrays.dialogues(repository.engine, tournament.id)
    columns: dict[str, int] = {}
    rows: list[tuple[Judged, Any]] = []
    dialogue: dict[str, int] = {}
    for name in sorted({name for _, name, _, _ in repository.judges(tournament.id)}):
        chosen = choose(repository, tournament, name)
        found = arrays.exact(repository.engine, tournament.id, chosen.row, played)
        for key, place in zip(found.rows, found.dialogue, strict=True):
            columns.setdefault(key, len(columns))
            dialogue[key] = int(place)
        rows.append((chosen, found))
    scores = np.full((len(rows), len(columns)), np.nan)
    for row, (_, found) in enumerate(rows):
        scores[row, [columns[key] for key in found.rows]] = found.score
    nan = float("nan")
    return Table(
        tuple(chosen.name for chosen, _ in rows),
        tuple(chosen.tau for chosen, _ in rows),
        scores,
        np.array([votes.get(key, nan) for key in columns], float),
        np.array([dialogue[key] for key in columns], float),
        tuple(columns),
    )


def _tested(repository: Repository, tournament: StoredTournament) -> dict[str, str]:
    played = arrays.dialogues(repository.engine, tournament.id)
    found = arrays.exact(repository.engine, tournament.id, None, played)
    return {
        key: played.bots[played.tested[place]] for key, place in zip(found.rows, found.dialogue, strict=True)
    }


def _by_bot(
    people: Sequence[str], subjects: Sequence[str], matrix: Floats, votes: Floats, of_bot: Mapping[str, str]
) -> dict[str, dict[str, float]]:
    bots = np.array([of_bot.get(subject, "") for subject in subjects])
    return {
        bot: {
            person: metrics.pearson(row[both], votes[both])
            for person, row in zip(people, matrix, strict=True)
            if (both := (bots == bot) & np.isfinite(row) & np.isfinite(votes)).any()
        }
        for bot in sorted(set(bots) - {""})
    }
