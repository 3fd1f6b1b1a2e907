"""Loads the input of the statistics: one tournament as one judge sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from arena.core.errors import InputError
from arena.core.types import Check, Label
from arena.labelling.schemas import AIH
from arena.results.votes import aligned, drawn_by_lot, only, votes_of
from arena.stats.counts import HEADLINE, Counts, Floats, Inquiries, Ints, Kinds
from db import statistics as stored_arrays
from db import summaries
from db.arrays import Dialogues, Scores
from db.labels import Labels
from db.records import CheckRow, JudgeRow, StoredTournament
from db.repository import Repository

Row = TypeVar("Row", JudgeRow, CheckRow)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One tournament as one judge sees it."""

    tournament: StoredTournament
    judge: JudgeRow  # at its newest revision in the tournament, with the chosen τ
    played: Dialogues
    inquiries: Inquiries
    rows: Mapping[str, int]  # index of each inquiry by key; from a summary, only labelled ones
    packed: bool  # whether the view was loaded from a summary
    labels: tuple[Label, ...]  # all labels of the tournament
    drawn: frozenset[str]  # labelled inquiries that are a random sample
    check: Check = Check.INQUIRY  # says whether `inquiries` holds inquiries or messages

    @property
    def measured_as(self) -> str:
        """The judge's revision whose measured errors apply. It is empty for checks of messages, for which no
        errors were measured.
        """
        return self.judge.revision if self.check is Check.INQUIRY else ""


def choose(
    repository: Repository, tournament: StoredTournament, name: str | None = None, tau: float | None = None
) -> JudgeRow:
    """Return the named judge, or else the first judge of the tournament's file that has judged it.

    τ is the given value, or else the value in the file, or else the judge's own threshold.
    """
    there = repository.judges(tournament.id)
    if not there:
        raise InputError(
            f"No finding of {tournament.id} ({tournament.release}) is judged yet; "
            f"'arena judge {tournament.id} --judge NAME' does it."
        )
    named = [judge for judge in there if name in (None, judge.name)]
    if not named:
        names = ", ".join(sorted({judge.name for judge in there}))
        raise InputError(f"The judge '{name}' has not judged {tournament.id}; those that have: {names}.")
    chosen = usual(named, tournament)
    return chosen if tau is None else chosen._replace(tau=float(tau))


def usual(rows: Sequence[Row], tournament: StoredTournament) -> Row:
    """Return the row of the judge that comes first in the tournament's file, or else the first row. If the file
    sets a τ for this judge, the row has that τ.
    """
    listed = {entry["name"]: entry.get("tau") for entry in tournament.judges}
    order = list(listed)
    chosen = min(rows, key=lambda row: order.index(row.name) if row.name in listed else len(order))
    tau = listed.get(chosen.name)
    return chosen if tau is None else chosen._replace(tau=float(tau))


def view(
    repository: Repository, tournament: StoredTournament, judge: str | None = None, tau: float | None = None
) -> View:
    """Load everything that a leaderboard and its additional figures need."""
    chosen = choose(repository, tournament, judge, tau)
    played = stored_arrays.dialogues(repository, tournament.id)
    labels = Labels(repository).of(tournament.id)
    scores = stored_arrays.scores(repository, tournament.id, chosen.row, played)
    rows = scores.rows
    if scores.packed:
        labelled = {label.subject for label in labels if label.schema == AIH}
        rows = summaries.located(repository, chosen.row, played, scores, labelled)
    judged = () if scores.packed else [key for key, row in rows.items() if np.isfinite(scores.score[row])]
    drawn = drawn_by_lot(labels, judged)
    counted = inquiries(
        played, scores, votes_of(labels), rows, drawn, int(tournament.config.get("turns") or 0)
    )
    return View(tournament, chosen, played, counted, rows, scores.packed, tuple(labels), drawn)


def inquiries(
    played: Dialogues,
    scores: Scores,
    votes: Mapping[str, Mapping[str, float]],
    rows: Mapping[str, int] | None = None,
    drawn: Collection[str] = (),
    turns: int = 0,
) -> Inquiries:
    """Return the arrays that the statistics expect. Failed dialogues are left out of the counts."""
    done = np.flatnonzero(played.done)
    place = np.full(len(played.done), -1, np.int32)
    place[done] = np.arange(len(done), dtype=np.int32)
    nothing = np.zeros(len(done), np.int64)
    dialogues = Counts(
        played.bots,
        played.speaker[done],
        played.tested[done],
        nothing,
        nothing,
        played.number[done],
        copies_of(played)[done],
        played.opener[done],
        played.persona[done],
    )
    where, size = scores.rows if rows is None else rows, len(scores.score)
    failed = np.bincount(played.tested[~played.done], minlength=len(played.bots))
    return Inquiries(
        dialogues,
        place[scores.dialogue],
        scores.score,
        scores.kind,
        scores.kinds,
        scores.distance,
        scores.entity_type,
        scores.entity_types,
        scores.reason,
        scores.reasons,
        scores.evasive,
        relevance(aligned(where, votes["relevant"], size), scores.relevant),
        aligned(where, only(votes["relevant"], drawn), size),
        tuple(failed.tolist()),
        turns,
        tuple(played.unsaid.tolist()),
    )


def relevance(people: Floats, judge: Floats) -> Floats:
    """Return people's vote where there is a vote, else the judge's verdict."""
    return np.where(np.isnan(people), judge, people) if np.isfinite(judge).any() else people


def copies_of(played: Dialogues) -> Ints:
    """Return a number for each dialogue. Dialogues of one pair with equal texts have equal numbers."""
    own = np.arange(len(played.id))
    known = played.texts >= 0
    if len(np.unique(played.texts[known])) == known.sum():
        return own
    rows = np.stack([played.speaker, played.tested, played.texts], axis=1)[known]
    _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    copies = own.copy()
    copies[known] = own[known][first[which.reshape(-1)]]
    return copies


def counts(
    seen: View, *, kind: Kinds = HEADLINE, distance: int | None = 0, tau: float | None = None
) -> Counts:
    """Return the counts per dialogue that the leaderboard uses."""
    return seen.inquiries.counts(seen.judge.tau if tau is None else tau, seen.inquiries.where(kind, distance))


def progress_counts(
    repository: Repository, tournament: StoredTournament, judge: str | None = None, tau: float | None = None
) -> Counts:
    """Return the counts of every finished dialogue for sequential plans. Failed dialogues have zero inquiries."""
    played = stored_arrays.dialogues(repository, tournament.id)
    if not repository.judges(tournament.id):
        zero = np.zeros(len(played.id), np.int64)
        return Counts(
            played.bots,
            played.speaker,
            played.tested,
            zero,
            zero,
            played.number,
            copies_of(played),
            played.opener,
            played.persona,
        )
    chosen = choose(repository, tournament, judge, tau)
    scores = stored_arrays.scores(repository, tournament.id, chosen.row, played)
    judged = np.isfinite(scores.score) & (scores.distance == 0)
    judged &= np.isin(scores.kind, [scores.kinds.index(kind) for kind in HEADLINE if kind in scores.kinds])
    contradictory = judged & (np.nan_to_num(scores.score, nan=-1.0) > chosen.tau)
    size = len(played.id)
    return Counts(
        played.bots,
        played.speaker,
        played.tested,
        np.bincount(scores.dialogue[judged], minlength=size),
        np.bincount(scores.dialogue[contradictory], minlength=size),
        played.number,
        copies_of(played),
        played.opener,
        played.persona,
    )
