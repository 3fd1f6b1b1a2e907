"""From the database to what statistics start from: one tournament as one judge sees it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from arena.core.errors import InputError
from arena.results.votes import aligned, drawn_by_lot, only, votes_of
from arena.stats.counts import HEADLINE, Counts, Inquiries, Ints, Kinds
from db import statistics as stored_arrays
from db import summaries
from db.arrays import Dialogues, Scores
from db.records import StoredTournament
from db.repository import Repository


@dataclass(frozen=True, slots=True)
class Judged:
    """The judge that was chosen, at its newest revision in the tournament, and the τ that goes with it."""

    row: int
    name: str
    revision: str
    tau: float


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One tournament as one judge sees it."""

    tournament: StoredTournament
    judge: Judged
    played: Dialogues
    inquiries: Inquiries
    rows: Mapping[str, int]  # where inquiries stand, by their keys; from a summary, those with labels
    packed: bool  # from a summary
    drawn: frozenset[str]  # inquiries with labels that are a random sample


def choose(
    repository: Repository, tournament: StoredTournament, name: str | None = None, tau: float | None = None
) -> Judged:
    """The named judge, else the first of the tournament's file that has judged; τ: given, the file's, the judge's."""
    there = repository.judges(tournament.id)
    if not there:
        raise InputError(
            f"Nothing of {tournament.id} ({tournament.release}) is judged yet; "
            f"'arena judge {tournament.id} --judge NAME' does it."
        )
    listed = {entry["name"]: entry.get("tau") for entry in tournament.judges}
    wanted = name or next((n for n in listed if any(n == judge[1] for judge in there)), there[0][1])
    for row, known, revision, own in there:
        if known == wanted:
            chosen = tau if tau is not None else listed.get(known)
            return Judged(row, known, revision, own if chosen is None else float(chosen))
    names = ", ".join(sorted({judge[1] for judge in there}))
    raise InputError(f"The judge '{wanted}' has not judged {tournament.id}; those that have: {names}.")


def view(
    repository: Repository, tournament: StoredTournament, judge: str | None = None, tau: float | None = None
) -> View:
    """Everything that a leaderboard and its companions are made of."""
    chosen = choose(repository, tournament, judge, tau)
    played = stored_arrays.dialogues(repository.engine, tournament.id)
    said = stored_arrays.labels(repository.engine, tournament.id)
    scores = stored_arrays.scores(repository.engine, tournament.id, chosen.row, played)
    rows = scores.rows
    if scores.packed:
        labelled = {label.subject for label in said if label.subject_type == "inquiry"}
        rows = summaries.located(repository.engine, chosen.row, played, scores, labelled)
    judged = () if scores.packed else [key for key, row in rows.items() if np.isfinite(scores.score[row])]
    drawn = drawn_by_lot(said, judged)
    counted = inquiries(played, scores, votes_of(said), rows, drawn, int(tournament.config.get("turns") or 0))
    return View(tournament, chosen, played, counted, rows, scores.packed, drawn)


def inquiries(
    played: Dialogues,
    scores: Scores,
    votes: Mapping[str, Mapping[str, float]],
    rows: Mapping[str, int] | None = None,
    drawn: Collection[str] = (),
    turns: int = 0,
) -> Inquiries:
    """Arrays of the database as the statistics want them; failed dialogues are left out of the counts."""
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
        aligned(where, votes["relevant"], size),
        aligned(where, only(votes["relevant"], drawn), size),
        tuple(failed.tolist()),
        turns,
    )


def copies_of(played: Dialogues) -> Ints:
    """Numbers that dialogues of one pair share whose texts are equal."""
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
    """Counts per dialogue as the leaderboard counts them."""
    return seen.inquiries.counts(seen.judge.tau if tau is None else tau, seen.inquiries.where(kind, distance))


def progress_counts(
    repository: Repository, tournament: StoredTournament, judge: str | None = None, tau: float | None = None
) -> Counts:
    """Counts of every dialogue that is over, failed ones with zero inquiries: what a sequential plan looks at."""
    played = stored_arrays.dialogues(repository.engine, tournament.id)
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
        )
    chosen = choose(repository, tournament, judge, tau)
    scores = stored_arrays.scores(repository.engine, tournament.id, chosen.row, played)
    judged = np.isfinite(scores.score) & (scores.distance == 0)
    judged &= np.isin(scores.kind, [scores.kinds.index(kind) for kind in HEADLINE if kind in scores.kinds])
    found = judged & (np.nan_to_num(scores.score, nan=-1.0) > chosen.tau)
    size = len(played.id)
    return Counts(
        played.bots,
        played.speaker,
        played.tested,
        np.bincount(scores.dialogue[judged], minlength=size),
        np.bincount(scores.dialogue[found], minlength=size),
        played.number,
        copies_of(played),
        played.opener,
    )
