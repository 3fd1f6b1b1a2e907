"""Computes AIH's Tables 2 to 8 from tournaments that were judged, labelled and used for chats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.core.types import Kind
from arena.labelling.schemas import opinion
from arena.play.chat import Mode, is_home, left_out
from arena.results.view import choose
from arena.stats import agreement, metrics
from arena.stats.sessions import Scores, marks, scores
from arena.validation.base import Cell, Report, Table
from arena.validation.figures import paper
from db.records import Record, StoredTournament
from db.repository import Repository

TAUS = (0.1, 0.15, 0.3, 0.5)
QUESTIONS = ("appropriate", "relevant", "contradicts")
EFFORT = ("seconds_to_create", "seconds_to_judge", "contradictions")


@dataclass(frozen=True, slots=True)
class Asked:
    """One inquiry that AIH's measure counts, with the judge's verdict and people's votes."""

    speaker: str
    tested: str
    score: float | None
    votes: Mapping[str, Mapping[str, float]]
    """People's answers, by question and person. Yes is 1 and no is 0."""
    seconds: float | None = None  # that the judge took

    def vote(self, question: str) -> float | None:
        """The majority's answer; None if nobody answered or the answers tie."""
        given = list(self.votes.get(question, {}).values())
        share = float(np.mean(given)) if given else 0.5
        return None if share == 0.5 else float(share > 0.5)


@dataclass(frozen=True, slots=True)
class Collected:
    """All data that the tables need."""

    asked: tuple[Asked, ...]
    played: tuple[Record, ...]
    """The dialogues between two bots."""
    chats: tuple[Record, ...]
    """The dialogues between a person and a bot."""
    judge: str
    tau: float


def report(repository: Repository, names: Sequence[str], judge: str | None, tau: float | None) -> Report:
    """Return the tables. Speakers are rows, bots under test are columns, and a last row has the mean over speakers."""
    stored = collect(repository, _with_chats(repository, names), judge, tau)
    figures = paper("aih")
    report = Report("aih", len(stored.asked))
    bots = sorted({one.tested for one in stored.asked})
    machine = [one for one in stored.asked if one.score is not None]
    people = [one for one in stored.asked if one.vote("contradicts") is not None]
    sessions = _sessions(stored)
    tables: dict[str, Any] = {
        "table_2": {"people": sessions.by_person, "mean": sessions.mean},
        "table_3": {
            "machine": _matrix(machine, lambda one: float((one.score or 0.0) > stored.tau)),
            "people": _matrix(people, lambda one: one.vote("contradicts")),
        },
        "table_4": _efficiency(stored),
        "table_5": _volumes(stored),
        "table_6": _matrix(stored.asked, lambda one: one.vote("appropriate")),
        "table_7": {str(step): _at(stored.asked, step) for step in TAUS},
        "table_8": _agreements(stored.asked, bots),
    }
    report.more = {"judge": stored.judge, "tau": stored.tau, **tables}
    report.paper = {key: value for key, value in figures.items() if key.startswith("table_")}
    seven = tables["table_7"].get(str(stored.tau)) or _at(stored.asked, stored.tau)
    report.judges[stored.judge] = {
        "tau": stored.tau,
        "f1": seven["f1"],
        "pearson": seven["pearson"],
        "n": seven["n"],
    }
    report.tables = list(_tables(stored, tables, sessions, figures))
    return report


def _with_chats(repository: Repository, names: Sequence[str]) -> list[StoredTournament]:
    """Return the tournaments, and the tournaments that hold people's chats with their bots."""
    tournaments = {stored.id: stored for stored in map(repository.find, names)}
    for stored in repository.tournaments():
        if is_home(stored) and stored.config["chats"] in tournaments:
            tournaments.setdefault(stored.id, stored)
    return list(tournaments.values())


def collect(
    repository: Repository, tournaments: Sequence[StoredTournament], judge: str | None, tau: float | None
) -> Collected:
    asked: list[Asked] = []
    played: list[Record] = []
    chats: list[Record] = []
    name, chosen = judge or "", tau if tau is not None else 0.5
    for tournament in tournaments:
        people = {bot.name for bot in repository.bots(tournament.id) if bot.adapter == "human"}
        judged = choose(repository, tournament, judge, tau) if repository.judges(tournament.id) else None
        if judged is not None:
            name, chosen = judged.name, judged.tau
        for record in repository.records(tournament.id):
            if "chat" in record.facts or record.speaker in people:
                if left_out(record.messages) is None:
                    chats.append(record)
                continue
            played.append(record)
            asked += _asked(record, judged.name if judged else "", judged.revision if judged else "")
    return Collected(tuple(asked), tuple(played), tuple(chats), name, chosen)


def _asked(record: Record, judge: str, revision: str) -> Iterable[Asked]:
    """The inquiries that AIH's measure counts: answered wh-questions about the last utterance."""
    verdicts = {
        verdict.inquiry: verdict
        for verdict in record.verdicts
        if (verdict.judge, verdict.revision) == (judge, revision)
    }
    scores: dict[str, dict[str, dict[str, float]]] = {}
    for label in record.labels:
        if label.schema == "aih":
            for question in QUESTIONS:
                value = opinion(label.values.get(question))
                if value is not None:
                    scores.setdefault(label.subject, {}).setdefault(question, {})[label.person] = value
    for inquiry in record.inquiries:
        if inquiry.kind is Kind.WH and inquiry.distance == 0 and inquiry.answer is not None:
            verdict = verdicts.get(inquiry.id)
            yield Asked(
                record.speaker,
                record.tested,
                verdict.judgement.contradiction if verdict else None,
                scores.get(inquiry.id, {}),
                verdict.seconds if verdict else None,
            )


def _matrix(asked: Iterable[Asked], value: Any) -> dict[str, dict[str, float]]:
    """The mean of a value by speaker and bot under test. `mean` is the average over the speakers."""
    cells: dict[str, dict[str, list[float]]] = {}
    for one in asked:
        figure = value(one)
        if figure is not None:
            cells.setdefault(one.speaker, {}).setdefault(one.tested, []).append(figure)
    rates = {
        speaker: {tested: float(np.mean(values)) for tested, values in row.items()}
        for speaker, row in cells.items()
    }
    return _with_mean(rates)


def _with_mean(rows: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    columns = sorted({tested for row in rows.values() for tested in row})
    mean = {name: float(np.mean([row[name] for row in rows.values() if name in row])) for name in columns}
    return {**dict(sorted(rows.items())), "mean": mean} if rows else {}


def _sessions(stored: Collected) -> Scores:
    """People's scores of the chats in which they tried to make the bot contradict itself, if there are such chats."""
    expert = [record for record in stored.chats if record.facts.get("chat") == Mode.EXPERT]
    return scores(
        (label.person, record.tested, float(label.values["score"]))
        for record in expert or (*stored.chats, *stored.played)
        for label in record.labels
        if label.schema == "session" and label.values.get("score") is not None
    )


def _efficiency(stored: Collected) -> dict[str, Any]:
    """The seconds to create a conversation, the seconds to judge it, and the contradictions found in it."""
    return {
        "AIH (machine)": _by_machine(stored),
        "AIH (people)": _by_people(stored),
        "people and bots": _by_chatting(stored),
    }


def _by_machine(stored: Collected) -> dict[str, Any]:
    asked = [one for one in stored.asked if one.score is not None]
    judging = [one.seconds for one in asked if one.seconds is not None]
    created = [record.seconds for record in stored.played if record.seconds is not None]
    return {
        "seconds_to_create": _over(sum(created), len(created)),
        "seconds_to_judge": _over(sum(judging), len(stored.played)) if judging else None,
        "contradictions": _over(sum((one.score or 0.0) > stored.tau for one in asked), len(stored.played)),
    }


def _by_people(stored: Collected) -> dict[str, Any]:
    spent = _spent(stored.played, "aih")
    votes = sum(one.vote("contradicts") or 0.0 for one in stored.asked)
    return {
        "seconds_to_judge": _over(sum(spent.values()), len(spent)),
        "contradictions": _over(votes, len({dialogue for dialogue, _ in spent})),
    }


def _by_chatting(stored: Collected) -> dict[str, Any]:
    natural = [record for record in stored.chats if record.facts.get("chat") != Mode.EXPERT]
    chatted = marks(
        (label.person, record.tested, record.key, int(label.subject.rpartition(":")[2]), bool(value))
        for record in natural
        for label in record.labels
        if label.schema == "reply" and (value := opinion(label.values.get("inconsistent"))) is not None
    )
    marking = _spent(natural, "reply")
    lasted = [record.seconds for record in natural if record.seconds]
    return {
        "seconds_to_create": _over(sum(lasted), len(lasted)),
        "seconds_to_judge": _over(sum(marking.values()), len(marking)),
        "contradictions": _over(
            sum(mark.inconsistent for mark in chatted), sum(mark.chats for mark in chatted)
        ),
    }


def _spent(records: Iterable[Record], schema: str) -> dict[tuple[str, str], float]:
    """The seconds that each person spent on each dialogue that this person labelled."""
    seconds: dict[tuple[str, str], float] = {}
    for record in records:
        for label in record.labels:
            if label.schema == schema:
                key = record.key, label.person
                seconds[key] = seconds.get(key, 0.0) + (label.seconds or 0.0)
    return seconds


def _over(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def _volumes(stored: Collected) -> dict[str, Any]:
    """The inquiries and contradictions per conversation, for each pair."""
    dialogues: dict[tuple[str, str], int] = {}
    for record in stored.played:
        pair = (record.speaker, record.tested)
        dialogues[pair] = dialogues.get(pair, 0) + 1
    sums: dict[str, dict[tuple[str, str], float]] = {"questions": {}, "contradictions": {}}
    for one in stored.asked:
        pair = (one.speaker, one.tested)
        sums["questions"][pair] = sums["questions"].get(pair, 0.0) + 1
        sums["contradictions"][pair] = sums["contradictions"].get(pair, 0.0) + (
            (one.score or 0.0) > stored.tau
        )
    volumes: dict[str, Any] = {}
    for name, counted in sums.items():
        rows: dict[str, dict[str, float]] = {}
        for (speaker, tested), number in dialogues.items():
            rows.setdefault(speaker, {})[tested] = counted.get((speaker, tested), 0.0) / number
        volumes[name] = _with_mean(rows)
    return volumes


def _at(asked: Sequence[Asked], tau: float) -> dict[str, Any]:
    """The contradiction rate at τ, and F1 and Pearson's r of the judge's decisions against the majority labels."""
    scored = [one.score for one in asked if one.score is not None]
    both = [
        (one.score, vote)
        for one in asked
        if one.score is not None and (vote := one.vote("contradicts")) is not None
    ]
    decided = [float(score > tau) for score, _ in both]
    votes = [vote for _, vote in both]
    return {
        "rate": float(np.mean([score > tau for score in scored])) if scored else None,
        "f1": metrics.f1(votes, [score for score, _ in both], tau) if both else None,
        "pearson": metrics.pearson(decided, votes) if both else None,
        "n": len(both),
    }


def _agreements(asked: Sequence[Asked], bots: Sequence[str]) -> dict[str, Any]:
    """The mean correlation of people's labels with the vote, for each bot under test."""
    agreements: dict[str, Any] = {}
    for bot in bots:
        own = [one for one in asked if one.tested == bot]
        votes = [one.votes.get("contradicts", {}) for one in own]
        persons = sorted({person for each in votes for person in each})
        if len(persons) < 2:
            continue
        ratings = [[each.get(person, np.nan) for each in votes] for person in persons]
        correlations = agreement.people(persons, np.array(ratings, dtype=float)).pearson_with_vote
        known = [value for value in correlations.values() if np.isfinite(value)]
        agreements[bot] = float(np.mean(known)) if known else None
    return agreements


def _tables(
    stored: Collected, document: Mapping[str, Any], sessions: Scores, figures: Mapping[str, Any]
) -> Iterable[Table]:
    yield _people_table(sessions, figures["table_2"])
    yield _square(
        f"Table 3: contradiction rate by the machine ({stored.judge}, τ = {stored.tau:g})",
        document["table_3"]["machine"],
    )
    yield _square("Table 3: contradiction rate by people's majority", document["table_3"]["people"])
    yield Table(
        "Table 4: seconds and contradictions a conversation",
        ("method", "seconds to create", "seconds to judge", "contradictions"),
        tuple(
            (f"{mark}{name}", *(row.get(key) for key in EFFORT))
            for mark, rows in (("", document["table_4"]), ("paper: ", figures["table_4"]))
            for name, row in rows.items()
        ),
    )
    yield _square("Table 5: inquiries a conversation", document["table_5"]["questions"])
    yield _square(
        f"Table 5: contradictions a conversation (τ = {stored.tau:g})", document["table_5"]["contradictions"]
    )
    yield _square("Table 6: appropriate questions", document["table_6"])
    yield Table(
        "Table 7: the machine's decision against people's majority",
        ("τ", "rate", "f1", "r", "n"),
        tuple(
            (f"{mark}{step}", row["rate"], row["f1"], row["pearson"], row.get("n"))
            for mark, rows in (("", document["table_7"]), ("paper: ", figures["table_7"]))
            for step, row in rows.items()
        ),
    )
    rows: list[tuple[Cell, ...]] = list(document["table_8"].items())
    rows += [(f"paper: {bot}", value) for bot, value in figures["table_8"].items()]
    yield Table("Table 8: each person with the vote (r)", ("bot", "r"), tuple(rows))


def _people_table(sessions: Scores, figures: Mapping[str, Any]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (person, *(row.get(bot) for bot in sessions.bots)) for person, row in sessions.by_person.items()
    ]
    rows.append(("mean", *(sessions.mean[bot] for bot in sessions.bots)))
    means = ", ".join(f"{bot} {value:.2f}" for bot, value in figures["mean"].items())
    return Table(
        f"Table 2: people's scores of chats (paper's means: {means})", ("person", *sessions.bots), tuple(rows)
    )


def _square(title: str, matrix: Mapping[str, Mapping[str, float]]) -> Table:
    columns = tuple(matrix.get("mean", {}))
    rows = tuple((speaker, *(row.get(name) for name in columns)) for speaker, row in matrix.items())
    return Table(title, ("speaker \\ tested", *columns), rows)
