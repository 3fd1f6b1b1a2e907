"""Agreement between people and judges in one tournament, and how well the judges match the labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from arena.core.errors import InputError
from arena.core.types import Check, Label
from arena.labelling.schemas import AIH, DECIDER, EARLIER, LATER, SCHEMAS, Question, Schema, opinion
from arena.results.view import choose
from arena.results.votes import drawn_by_lot, ratings
from arena.stats import agreement, metrics
from arena.stats.agreement import JudgeAgreement, People
from arena.stats.calibration import FEWEST, Threshold, combination, threshold
from arena.stats.counts import Floats
from arena.stats.ensemble import fitted, halves
from db import findings
from db import statistics as arrays
from db.arrays import Dialogues, Scores
from db.labels import Labels
from db.records import StoredTournament
from db.repository import Repository

BY_LOT, EVERYTHING, UNKNOWN = "drawn by lot", "everything", "unknown"
_NOBODY = People(0, 0, float("nan"), float("nan"), {}, {}, {}, float("nan"))


@dataclass(frozen=True, slots=True)
class Fitted:
    """A logistic combination of judges: its entry for a tournament file, and its figures on labels that the fit
    did not use.
    """

    entry: Mapping[str, Any]
    items: int
    held_out: Mapping[str, Mapping[str, float]]  # by judge: auc, and f1 at the τ of the other half


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """Agreement on one question: among people, and of every judge with the people. Judges appear only for the
    main question.
    """

    question: str
    people: People
    labels: int
    votes: int
    open: int  # items where the vote is a tie
    drawn: int  # items whose votes judges are compared with
    sample: str  # how the items in `drawn` were chosen
    by_bot: Mapping[str, Mapping[str, float]]  # AIH's Table 8: each person's correlation with the vote
    judges: Mapping[str, JudgeAgreement]  # on a random sample, as far as is known
    diagnostic: Mapping[str, JudgeAgreement]  # on all labels, which favour doubtful items
    thresholds: Mapping[str, Threshold]
    pairs: Mapping[tuple[str, str], float]
    schema: str = AIH


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Scores (judges × subjects) and votes (one per subject) of one tournament."""

    names: tuple[str, ...]
    taus: tuple[float, ...]
    scores: Floats
    votes: Floats
    dialogue: Floats
    keys: tuple[str, ...]


def compute(
    repository: Repository,
    tournament: StoredTournament,
    question: str | None = None,
    form: Schema = SCHEMAS[AIH],
    check: Check | None = None,
) -> Agreement:
    """Compute the agreement on one question, by default the form's main question. For findings, `check` selects
    one check; by default all checks count.
    """
    asked = _question(form, question)
    if check is not None and form.subject_type != "finding":
        raise InputError(f"The schema '{form.name}' is about one {form.subject_type}, so it has no check.")
    labels = Labels(repository).of(tournament.id, form.name)
    if check is not None:
        labels = [label for label in labels if label.subject.endswith(f":{check.value}")]
    names, subjects, matrix = ratings(labels, asked.name, form.name, asked.choices)
    votes = _votes(labels, asked, subjects, matrix)
    every = dict(zip(subjects, votes.tolist(), strict=True))
    of_bot = _tested(repository, tournament) if form.subject_type == "inquiry" else {}
    judged: dict[str, JudgeAgreement] = {}
    diagnostic: dict[str, JudgeAgreement] = {}
    chosen: dict[str, Threshold] = {}
    pairs: Mapping[tuple[str, str], float] = {}
    drawn: Floats = np.empty(0)
    sample = UNKNOWN
    if form.subject_type in ("inquiry", "finding"):
        table = _table(repository, tournament, every, form.subject_type, check, _pairs_seen(labels))
        drawn, sample = _drawn(table, labels, form.name)
        if asked.name == form.main:
            for name, tau, scores in zip(table.names, table.taus, table.scores, strict=True):
                judged[name] = agreement.judge(scores, drawn, tau, table.dialogue)
                diagnostic[name] = agreement.judge(scores, table.votes, tau)
                if (best := threshold(scores, drawn, table.dialogue)) is not None:
                    chosen[name] = best
            pairs = agreement.judges(table.names, table.scores, table.taus) if len(table.names) > 1 else {}
    return Agreement(
        asked.name,
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
        {pair: kappa for pair, kappa in pairs.items() if form.name == AIH or np.isfinite(kappa)},
        form.name,
    )


def _question(form: Schema, name: str | None) -> Question:
    """Return the named question, or else the form's main question, or else its first question."""
    known = [question.name for question in form.asked]
    wanted = name or form.main or known[0]
    if wanted not in known:
        raise InputError(f"People are not asked about '{wanted}': give one of {', '.join(known)}.")
    return form.question(wanted)


def _votes(labels: Sequence[Label], asked: Question, subjects: Sequence[str], matrix: Floats) -> Floats:
    """The vote on each subject: the final decision if there is one, else the majority."""
    votes = agreement.vote(matrix) if len(subjects) else np.empty(0)
    decided = {
        label.subject: value
        for label in labels
        if label.person == DECIDER and (value := opinion(label.values.get(asked.name))) is not None
    }
    return np.array([decided.get(key, vote) for key, vote in zip(subjects, votes.tolist(), strict=True)])


def fit(repository: Repository, tournament: StoredTournament, names: Sequence[str], seed: int = 0) -> Fitted:
    """Fit the combination on the randomly drawn labels. Its reported figures come from a fit on one half of the
    dialogues, evaluated on the other half.
    """
    labels = Labels(repository).of(tournament.id, AIH)
    _, subjects, matrix = ratings(labels)
    votes = _votes(labels, SCHEMAS[AIH].question("contradicts"), subjects, matrix)
    table = _table(repository, tournament, dict(zip(subjects, votes.tolist(), strict=True)))
    drawn, _ = _drawn(table, labels, AIH)
    missing = [name for name in names if name not in table.names]
    if missing:
        raise InputError(
            f"The judge '{missing[0]}' has not judged {tournament.id}: "
            f"run 'arena judge {tournament.id} --judge {missing[0]}' first."
        )
    if len(set(names)) < 2:
        raise InputError("A combination needs at least two judges: give --fit NAME,NAME.")
    scores = table.scores[[table.names.index(name) for name in names]]
    model = combination(scores, drawn)
    if model is None:
        raise InputError(
            f"There are too few labels to fit weights: at least {FEWEST} inquiries drawn by lot need a vote, some "
            "with and some without a contradiction; label more first."
        )
    known = np.isfinite(drawn) & np.isfinite(scores).all(0)
    y, x = drawn[known] > 0.5, scores[:, known].T
    best = threshold(model.predict(x), drawn[known], table.dialogue[known])
    entry = {
        "name": "ensemble",
        "judge": "ensemble",
        "of": [_entry(tournament, name) for name in names],
        "intercept": round(float(model.weights[0]), 6),
        "means": [round(float(value), 6) for value in model.means],
        "scales": [round(float(value), 6) for value in model.scales],
        "weights": [round(float(value), 6) for value in model.weights[1:]],
        "tau": round(best.tau, 6) if best else 0.5,
    }
    return Fitted(entry, int(known.sum()), _held_out(names, x, y, table.dialogue[known], seed))


def _held_out(
    names: Sequence[str], x: Floats, y: Any, dialogue: Floats, seed: int
) -> dict[str, dict[str, float]]:
    learnt = halves(dialogue, seed)
    if len(np.unique(y[learnt])) < 2 or len(np.unique(y[~learnt])) < 2:
        return {}
    model = fitted(y[learnt], x[learnt])
    figures = {}
    for name, scores in [("ensemble", model.predict(x)), *((name, x[:, i]) for i, name in enumerate(names))]:
        tau = metrics.best_threshold(y[learnt], scores[learnt], "f1")
        figures[name] = {
            "auc": metrics.auc(y[~learnt], scores[~learnt]),
            "f1": metrics.f1(y[~learnt], scores[~learnt], tau),
            "tau": tau,
            "items": int((~learnt).sum()),
        }
    return figures


def _entry(tournament: StoredTournament, name: str) -> str | dict[str, Any]:
    for judge in tournament.judges:
        if judge["name"] == name:
            return {"name": name, "judge": judge["judge"], **judge["settings"]}
    return name


def _drawn(table: Table, labels: Sequence[Label], schema: str) -> tuple[Floats, str]:
    """The votes with which judges are compared, and how the subjects of these votes were chosen.

    Imported labels do not say how their subjects were chosen. If all labels are imported, all of them count,
    and the result says so.
    """
    judged = [
        key
        for key, known in zip(table.keys, np.asarray(np.isfinite(table.scores).any(0)).tolist(), strict=True)
        if known
    ]
    if all(label.drawn is None for label in labels):
        everything = {label.subject for label in labels}.issuperset(judged)
        return table.votes, EVERYTHING if everything else UNKNOWN
    lucky = drawn_by_lot(labels, judged, schema)
    chosen = np.array([key in lucky for key in table.keys], bool)
    return np.where(chosen, table.votes, np.nan), BY_LOT


def _table(
    repository: Repository,
    tournament: StoredTournament,
    votes: Mapping[str, float],
    subject_type: str = "inquiry",
    check: Check | None = None,
    seen: Mapping[str, set[tuple[str, str]]] = MappingProxyType({}),
) -> Table:
    played = arrays.dialogues(repository, tournament.id)
    columns: dict[str, int] = {}
    rows: list[tuple[str, float, Scores]] = []
    dialogue: dict[str, int] = {}
    if subject_type == "inquiry":
        judged = _of_inquiries(repository, tournament, played)
    else:
        judged = _of_findings(repository, tournament, played, check, seen)
    for name, tau, scores in judged:
        for key, index in zip(scores.rows, scores.dialogue, strict=True):
            columns.setdefault(key, len(columns))
            dialogue[key] = int(index)
        rows.append((name, tau, scores))
    matrix = np.full((len(rows), len(columns)), np.nan)
    for row, (_, _, scores) in enumerate(rows):
        matrix[row, [columns[key] for key in scores.rows]] = scores.score
    nan = float("nan")
    return Table(
        tuple(name for name, _, _ in rows),
        tuple(tau for _, tau, _ in rows),
        matrix,
        np.array([votes.get(key, nan) for key in columns], float),
        np.array([dialogue[key] for key in columns], float),
        tuple(columns),
    )


def _of_inquiries(
    repository: Repository, tournament: StoredTournament, played: Dialogues
) -> Iterator[tuple[str, float, Scores]]:
    """The (name, τ, scores) of each judge at its newest revision."""
    for name in sorted({judge.name for judge in repository.judges(tournament.id)}):
        chosen = choose(repository, tournament, name)
        yield name, chosen.tau, arrays.exact(repository, tournament.id, chosen.row, played)


def _of_findings(
    repository: Repository,
    tournament: StoredTournament,
    played: Dialogues,
    check: Check | None,
    seen: Mapping[str, set[tuple[str, str]]],
) -> Iterator[tuple[str, float, Scores]]:
    """The newest verdicts of each judge on messages. If all checks are wanted, a judge appears once per check.

    A person saw two statements, and another judge may rest its score on two others. Such a score is left out,
    because the label says nothing about it.
    """
    newest: set[tuple[Check, str]] = set()
    for judged in repository.checks(tournament.id):
        if check in (None, judged.check) and (judged.check, judged.name) not in newest:
            newest.add((judged.check, judged.name))
            name = judged.name if check is not None else f"{judged.name} ({judged.check.value})"
            scores = findings.scores(repository, judged, played, keys=True)
            pairs = findings.compared(repository, judged, seen)
            others = [
                scores.rows[key]
                for key, pair in pairs.items()
                if key in scores.rows and pair not in seen[key]
            ]
            scores.score[others] = np.nan
            yield name, judged.tau, scores


def _pairs_seen(labels: Sequence[Label]) -> dict[str, set[tuple[str, str]]]:
    """The two statements that people saw of each finding. Findings whose labels do not say so are left out."""
    seen: dict[str, set[tuple[str, str]]] = {}
    for label in labels:
        earlier, later = label.values.get(EARLIER), label.values.get(LATER)
        if isinstance(earlier, str) and isinstance(later, str):
            seen.setdefault(label.subject, set()).add((earlier, later))
    return seen


def _tested(repository: Repository, tournament: StoredTournament) -> dict[str, str]:
    played = arrays.dialogues(repository, tournament.id)
    verdicts = arrays.exact(repository, tournament.id, None, played)
    return {
        key: played.bots[played.tested[place]]
        for key, place in zip(verdicts.rows, verdicts.dialogue, strict=True)
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
