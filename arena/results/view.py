"""From the database to what statistics start from: one tournament as one judge sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.core.errors import InputError
from arena.labelling.queue import is_random
from arena.labelling.schemas import opinion
from arena.stats import agreement
from arena.stats.comparison import Release, Setting
from arena.stats.counts import Counts, Floats, Inquiries
from arena.stats.leaderboard import Effort, Standing, leaderboard
from arena.stats.leaderboard import effort as effort_of
from db import statistics as stored_arrays
from db import summaries
from db.arrays import Dialogues, Scores
from db.labelling import Desk
from db.records import StoredTournament
from db.repository import Repository
from db.statistics import Said

LABELS = ("contradicts", "relevant", "appropriate")  # AIH's three questions


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
    listed = {entry["name"]: entry.get("tau") for entry in tournament.config.get("judges", ())}
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
    made = inquiries(played, scores, votes_of(said), rows)
    return View(tournament, chosen, played, made, rows, scores.packed)


def inquiries(
    played: Dialogues,
    scores: Scores,
    votes: Mapping[str, Mapping[str, float]],
    rows: Mapping[str, int] | None = None,
) -> Inquiries:
    """Arrays of the database as the statistics want them; failed dialogues are left out of the counts."""
    done = np.flatnonzero(played.done)
    place = np.full(len(played.done), -1, np.int32)
    place[done] = np.arange(len(done), dtype=np.int32)
    nothing = np.zeros(len(done), np.int64)
    dialogues = Counts(
        played.bots, played.speaker[done], played.tested[done], nothing, nothing, played.number[done]
    )
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
        aligned(scores.rows if rows is None else rows, votes["relevant"], len(scores.score)),
    )


def counts(
    seen: View, *, kind: str | None = "wh", distance: int | None = 0, tau: float | None = None
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
        return Counts(played.bots, played.speaker, played.tested, zero, zero, played.number)
    chosen = choose(repository, tournament, judge, tau)
    scores = stored_arrays.scores(repository.engine, tournament.id, chosen.row, played)
    judged = np.isfinite(scores.score) & (scores.distance == 0)
    judged &= scores.kind == (scores.kinds.index("wh") if "wh" in scores.kinds else -1)
    found = judged & (np.nan_to_num(scores.score, nan=-1.0) > chosen.tau)
    size = len(played.id)
    return Counts(
        played.bots,
        played.speaker,
        played.tested,
        np.bincount(scores.dialogue[judged], minlength=size),
        np.bincount(scores.dialogue[found], minlength=size),
        played.number,
    )


def votes_of(said: Sequence[Said]) -> dict[str, dict[str, float]]:
    """{question: {inquiry: 0 or 1}}: the majority of the people; ties stay out."""
    ballots: dict[str, dict[str, list[float]]] = {question: {} for question in LABELS}
    for label in said:
        if label.subject_type != "inquiry":
            continue
        for question in LABELS:
            value = opinion(label.values.get(question))
            if value is not None:
                ballots[question].setdefault(label.subject, []).append(value)
    return {
        question: {
            key: float(sum(values) * 2 > len(values))
            for key, values in by_inquiry.items()
            if sum(values) * 2 != len(values)
        }
        for question, by_inquiry in ballots.items()
    }


def ratings(
    said: Sequence[Said], question: str = "contradicts"
) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """(people, inquiries, people × inquiries): who said what, nan where nothing was said."""
    mine = [
        (label.person, label.subject, value)
        for label in said
        if label.subject_type == "inquiry" and (value := opinion(label.values.get(question))) is not None
    ]
    people = tuple(sorted({person for person, _, _ in mine}))
    subjects = tuple(sorted({subject for _, subject, _ in mine}))
    rows = {person: i for i, person in enumerate(people)}
    columns = {subject: i for i, subject in enumerate(subjects)}
    table = np.full((len(people), len(subjects)), np.nan)
    for person, subject, value in mine:
        table[rows[person], columns[subject]] = value
    return people, subjects, table


def aligned(rows: Mapping[str, int], votes: Mapping[str, float], size: int) -> Floats:
    """Votes in the order of the inquiries; nan where there is none."""
    found: Floats = np.full(size, np.nan, float if votes else np.float32)
    for key, vote in votes.items():
        if (row := rows.get(key)) is not None:
            found[row] = vote
    return found


def label_votes(repository: Repository, seen: View, question: str = "contradicts") -> Floats:
    """The people's vote on each inquiry of a view; nan where there is none."""
    votes = votes_of(stored_arrays.labels(repository.engine, seen.tournament.id))[question]
    return aligned(seen.rows, votes, len(seen.inquiries.score))


@dataclass(frozen=True, slots=True)
class Drawn:
    """People's votes on the inquiries that were drawn by lot; the others were labelled because they are doubtful."""

    votes: Floats
    share: float
    left_out: int  # labelled inquiries that were not drawn


def drawn_votes(repository: Repository, seen: View, question: str = "contradicts") -> Drawn:
    """The random share of the labelling queue: what estimates of rates may rest on."""
    task = Desk(repository.engine).task(seen.tournament.id)
    votes = votes_of(stored_arrays.labels(repository.engine, seen.tournament.id))[question]
    drawn = {key: vote for key, vote in votes.items() if is_random(task.seed, key, task.share)}
    aligned_votes = aligned(seen.rows, drawn, len(seen.inquiries.score))
    return Drawn(aligned_votes, task.share, len(votes) - len(drawn))


def appropriate(repository: Repository, seen: View) -> Floats | None:
    """Share of questions that people found appropriate, speakers × tested (AIH's Table 6); None without labels."""
    votes = label_votes(repository, seen, "appropriate")
    if not np.isfinite(votes).any():
        return None
    d = seen.inquiries.dialogues
    at = seen.inquiries.dialogue
    return agreement.appropriateness(d.speaker[at], d.tested[at], votes, len(d.bots))


def effort(repository: Repository, seen: View) -> Effort | None:
    """What a dialogue costs machine and people (AIH's Table 4); None where a summary was read."""
    if seen.packed:
        return None
    about = stored_arrays.circumstances(repository.engine, seen.tournament.id)
    ids = seen.played.id[seen.played.done]
    said = stored_arrays.labels(repository.engine, seen.tournament.id)
    spent: dict[str, float] = {}
    for label in said:
        if label.subject_type == "inquiry" and label.seconds is not None:
            spent[label.subject] = spent.get(label.subject, 0.0) + label.seconds
    size = len(seen.inquiries.score)
    return effort_of(
        seen.inquiries,
        seen.judge.tau,
        about.seconds[np.searchsorted(about.id, ids)],
        aligned(seen.rows, votes_of(said)["contradicts"], size),
        aligned(seen.rows, spent, size),
        stored_arrays.judging_seconds(repository.engine, seen.tournament.id, seen.judge.row),
    )


def release(
    repository: Repository, seen: View, *, kind: str | None = "wh", distance: int | None = 0
) -> Release:
    """One side of a comparison."""
    about = stored_arrays.circumstances(repository.engine, seen.tournament.id)
    ids = seen.played.id[seen.played.done]
    unit = about.unit[np.searchsorted(about.id, ids)]
    setting = Setting(
        seen.judge.name,
        seen.judge.revision,
        ", ".join(sorted(about.inquirers)),
        about.turns,
        about.openers,
        seen.judge.tau,
    )
    name = seen.tournament.release
    return Release(name, counts(seen, kind=kind, distance=distance), seen.played.identities, unit, setting)


@dataclass(frozen=True, slots=True)
class Past:
    """A bot in one release; `changed`: it is another bot than in the release before."""

    tournament: str
    release: str
    judge: str
    revision: str
    tau: float
    standing: Standing
    bots: int
    changed: bool


def history(
    repository: Repository,
    bot: str,
    judge: str | None = None,
    tau: float | None = None,
    *,
    kind: str | None = "wh",
    distance: int | None = 0,
) -> list[Past]:
    """The bot in every judged tournament, oldest first."""
    rows: list[Past] = []
    identity: str | None = None
    for stored in reversed(repository.tournaments()):
        if bot not in stored.bots:
            continue
        there = {name for _, name, _, _ in repository.judges(stored.id)}
        if not there or (judge is not None and judge not in there):
            continue
        seen = view(repository, stored, judge, tau)
        board = leaderboard(seen.inquiries, seen.judge.tau, kind=kind, distance=distance)
        standing = next((s for s in board.standings if s.bot == bot), None)
        if standing is None:
            continue
        now = stored.bots[bot]
        changed = identity is not None and now != identity
        identity = now
        chosen = seen.judge
        rows.append(
            Past(
                stored.id,
                stored.release,
                chosen.name,
                chosen.revision,
                chosen.tau,
                standing,
                len(board.standings),
                changed,
            )
        )
    return rows
