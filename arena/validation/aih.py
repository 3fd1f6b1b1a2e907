"""AIH's Tables 2 to 8 from tournaments that were judged, labelled and chatted with."""

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
    """One inquiry of the measure: what the machine and what people say of it."""

    speaker: str
    tested: str
    score: float | None
    said: Mapping[str, Mapping[str, float]]
    """By question, by person; 1 for yes."""
    seconds: float | None = None
    """That the machine took to judge it."""

    def vote(self, question: str) -> float | None:
        """The majority, None where nobody answered or it ties."""
        given = list(self.said.get(question, {}).values())
        share = float(np.mean(given)) if given else 0.5
        return None if share == 0.5 else float(share > 0.5)


@dataclass(frozen=True, slots=True)
class Told:
    """All that the tables need."""

    asked: tuple[Asked, ...]
    played: tuple[Record, ...]
    """Dialogues of two bots."""
    chats: tuple[Record, ...]
    """Dialogues of a person with a bot."""
    judge: str
    tau: float


def report(repository: Repository, names: Sequence[str], judge: str | None, tau: float | None) -> Report:
    """Bots speak in rows and are tested in columns; a bot's own column is its mean over the speakers."""
    told = collect(repository, _with_chats(repository, names), judge, tau)
    figures = paper("aih")
    made = Report("aih", len(told.asked))
    bots = sorted({one.tested for one in told.asked})
    machine = [one for one in told.asked if one.score is not None]
    people = [one for one in told.asked if one.vote("contradicts") is not None]
    sessions = _sessions(told)
    found: dict[str, Any] = {
        "table_2": {"people": sessions.by_person, "mean": sessions.mean},
        "table_3": {
            "machine": _matrix(machine, lambda one: float((one.score or 0.0) > told.tau)),
            "people": _matrix(people, lambda one: one.vote("contradicts")),
        },
        "table_4": _efficiency(told),
        "table_5": _volumes(told),
        "table_6": _matrix(told.asked, lambda one: one.vote("appropriate")),
        "table_7": {str(step): _at(told.asked, step) for step in TAUS},
        "table_8": _agreements(told.asked, bots),
    }
    made.more = {"judge": told.judge, "tau": told.tau, **found}
    made.paper = {key: value for key, value in figures.items() if key.startswith("table_")}
    seven = found["table_7"].get(str(told.tau)) or _at(told.asked, told.tau)
    made.judges[told.judge] = {
        "tau": told.tau,
        "f1": seven["f1"],
        "pearson": seven["pearson"],
        "n": seven["n"],
    }
    made.tables = list(_tables(told, found, sessions, figures))
    return made


def _with_chats(repository: Repository, names: Sequence[str]) -> list[StoredTournament]:
    """The tournaments, and those that hold people's chats with their bots."""
    found = {stored.id: stored for stored in map(repository.find, names)}
    for stored in repository.tournaments():
        if is_home(stored) and stored.config["chats"] in found:
            found.setdefault(stored.id, stored)
    return list(found.values())


def collect(
    repository: Repository, tournaments: Sequence[StoredTournament], judge: str | None, tau: float | None
) -> Told:
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
    return Told(tuple(asked), tuple(played), tuple(chats), name, chosen)


def _asked(record: Record, judge: str, revision: str) -> Iterable[Asked]:
    """AIH's measure: wh-questions about the last utterance."""
    verdicts = {
        verdict.inquiry: verdict
        for verdict in record.verdicts
        if (verdict.judge, verdict.revision) == (judge, revision)
    }
    said: dict[str, dict[str, dict[str, float]]] = {}
    for label in record.labels:
        if label.schema == "aih":
            for question in QUESTIONS:
                value = opinion(label.values.get(question))
                if value is not None:
                    said.setdefault(label.subject, {}).setdefault(question, {})[label.person] = value
    for inquiry in record.inquiries:
        if inquiry.kind is Kind.WH and inquiry.distance == 0 and inquiry.answer is not None:
            verdict = verdicts.get(inquiry.id)
            yield Asked(
                record.speaker,
                record.tested,
                verdict.judgement.contradiction if verdict else None,
                said.get(inquiry.id, {}),
                verdict.seconds if verdict else None,
            )


def _matrix(asked: Iterable[Asked], value: Any) -> dict[str, dict[str, float]]:
    """Mean of a value by speaker and tested bot; `mean` is over the speakers."""
    cells: dict[str, dict[str, list[float]]] = {}
    for one in asked:
        told = value(one)
        if told is not None:
            cells.setdefault(one.speaker, {}).setdefault(one.tested, []).append(told)
    found = {
        speaker: {tested: float(np.mean(values)) for tested, values in row.items()}
        for speaker, row in cells.items()
    }
    return _with_mean(found)


def _with_mean(rows: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    columns = sorted({tested for row in rows.values() for tested in row})
    mean = {name: float(np.mean([row[name] for row in rows.values() if name in row])) for name in columns}
    return {**dict(sorted(rows.items())), "mean": mean} if rows else {}


def _sessions(told: Told) -> Scores:
    """People's scores of the chats in which they tried to make the bot contradict itself, if there are any."""
    expert = [record for record in told.chats if record.facts.get("chat") == Mode.EXPERT]
    return scores(
        (label.person, record.tested, float(label.values["score"]))
        for record in expert or (*told.chats, *told.played)
        for label in record.labels
        if label.schema == "session" and label.values.get("score") is not None
    )


def _efficiency(told: Told) -> dict[str, Any]:
    """Seconds to create and to judge a conversation, and the contradictions found in it."""
    asked = [one for one in told.asked if one.score is not None]
    judging = [one.seconds for one in asked if one.seconds is not None]
    created = [record.seconds for record in told.played if record.seconds is not None]
    by_people = _spent(told.played, "aih")
    natural = [record for record in told.chats if record.facts.get("chat") != Mode.EXPERT]
    votes = sum(one.vote("contradicts") or 0.0 for one in told.asked)
    chatted = marks(
        (label.person, record.tested, record.key, int(label.subject.rpartition(":")[2]), bool(value))
        for record in natural
        for label in record.labels
        if label.schema == "reply" and (value := opinion(label.values.get("inconsistent"))) is not None
    )
    marking = _spent(natural, "reply")
    lasted = [record.seconds for record in natural if record.seconds]
    return {
        "AIH (machine)": {
            "seconds_to_create": _over(sum(created), len(created)),
            "seconds_to_judge": _over(sum(judging), len(told.played)) if judging else None,
            "contradictions": _over(sum((one.score or 0.0) > told.tau for one in asked), len(told.played)),
        },
        "AIH (people)": {
            "seconds_to_judge": _over(sum(by_people.values()), len(by_people)),
            "contradictions": _over(votes, len({dialogue for dialogue, _ in by_people})),
        },
        "people and bots": {
            "seconds_to_create": _over(sum(lasted), len(lasted)),
            "seconds_to_judge": _over(sum(marking.values()), len(marking)),
            "contradictions": _over(
                sum(mark.inconsistent for mark in chatted), sum(mark.chats for mark in chatted)
            ),
        },
    }


def _spent(records: Iterable[Record], schema: str) -> dict[tuple[str, str], float]:
    """A person's seconds on a dialogue; people who labelled other dialogues do not make it cheaper."""
    found: dict[tuple[str, str], float] = {}
    for record in records:
        for label in record.labels:
            if label.schema == schema:
                key = record.key, label.person
                found[key] = found.get(key, 0.0) + (label.seconds or 0.0)
    return found


def _over(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def _volumes(told: Told) -> dict[str, Any]:
    """Inquiries and contradictions a conversation, by pair."""
    dialogues: dict[tuple[str, str], int] = {}
    for record in told.played:
        pair = (record.speaker, record.tested)
        dialogues[pair] = dialogues.get(pair, 0) + 1
    sums: dict[str, dict[tuple[str, str], float]] = {"questions": {}, "contradictions": {}}
    for one in told.asked:
        pair = (one.speaker, one.tested)
        sums["questions"][pair] = sums["questions"].get(pair, 0.0) + 1
        sums["contradictions"][pair] = sums["contradictions"].get(pair, 0.0) + ((one.score or 0.0) > told.tau)
    found: dict[str, Any] = {}
    for name, counted in sums.items():
        rows: dict[str, dict[str, float]] = {}
        for (speaker, tested), number in dialogues.items():
            rows.setdefault(speaker, {})[tested] = counted.get((speaker, tested), 0.0) / number
        found[name] = _with_mean(rows)
    return found


def _at(asked: Sequence[Asked], tau: float) -> dict[str, Any]:
    """Rate, F1 and Pearson's r of the machine's decision with the majority label."""
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
    """Mean correlation of each person with the vote, by bot under test."""
    found: dict[str, Any] = {}
    for bot in bots:
        own = [one for one in asked if one.tested == bot]
        persons = sorted({person for one in own for person in one.said.get("contradicts", {})})
        if len(persons) < 2:
            continue
        ratings = [[one.said.get("contradicts", {}).get(person, np.nan) for one in own] for person in persons]
        told = agreement.people(persons, np.array(ratings, dtype=float)).pearson_with_vote
        known = [value for value in told.values() if np.isfinite(value)]
        found[bot] = float(np.mean(known)) if known else None
    return found


def _tables(
    told: Told, found: Mapping[str, Any], sessions: Scores, figures: Mapping[str, Any]
) -> Iterable[Table]:
    yield _people_table(sessions, figures["table_2"])
    yield _square(
        f"Table 3: contradiction rate by the machine ({told.judge}, τ = {told.tau:g})",
        found["table_3"]["machine"],
    )
    yield _square("Table 3: contradiction rate by people's majority", found["table_3"]["people"])
    yield Table(
        "Table 4: seconds and contradictions a conversation",
        ("method", "seconds to create", "seconds to judge", "contradictions"),
        tuple(
            (f"{mark}{name}", *(row.get(key) for key in EFFORT))
            for mark, rows in (("", found["table_4"]), ("paper: ", figures["table_4"]))
            for name, row in rows.items()
        ),
    )
    yield _square("Table 5: inquiries a conversation", found["table_5"]["questions"])
    yield _square(
        f"Table 5: contradictions a conversation (τ = {told.tau:g})", found["table_5"]["contradictions"]
    )
    yield _square("Table 6: appropriate questions", found["table_6"])
    yield Table(
        "Table 7: the machine's decision against people's majority",
        ("τ", "rate", "f1", "r", "n"),
        tuple(
            (f"{mark}{step}", row["rate"], row["f1"], row["pearson"], row.get("n"))
            for mark, rows in (("", found["table_7"]), ("paper: ", figures["table_7"]))
            for step, row in rows.items()
        ),
    )
    rows: list[tuple[Cell, ...]] = list(found["table_8"].items())
    rows += [(f"paper: {bot}", value) for bot, value in figures["table_8"].items()]
    yield Table("Table 8: each person with the vote (r)", ("bot", "r"), tuple(rows))


def _people_table(sessions: Scores, figures: Mapping[str, Any]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (person, *(row.get(bot) for bot in sessions.bots)) for person, row in sessions.by_person.items()
    ]
    rows.append(("mean", *(sessions.mean[bot] for bot in sessions.bots)))
    said = ", ".join(f"{bot} {value:.2f}" for bot, value in figures["mean"].items())
    return Table(
        f"Table 2: people's scores of chats (paper's means: {said})", ("person", *sessions.bots), tuple(rows)
    )


def _square(title: str, matrix: Mapping[str, Mapping[str, float]]) -> Table:
    columns = tuple(matrix.get("mean", {}))
    rows = tuple((speaker, *(row.get(name) for name in columns)) for speaker, row in matrix.items())
    return Table(title, ("speaker \\ tested", *columns), rows)
