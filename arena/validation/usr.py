"""USR's human scores (Mehri and Eskenazi 2020): Topical-Chat and PersonaChat, in both published formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from arena.core.types import Case
from arena.validation.base import Cell, Report, Table, correlations
from arena.validation.figures import paper
from arena.validation.rows import Row, existing, rows
from arena.validation.scoring import Scored, answered
from judges.q2.text import untokenised

WHERE = "http://shikib.com/usr (and github.com/maszhongming/UniEval for the averaged form)"
NAMES = ("topical_chat.json", "tc_usr_data.json", "pc_usr_data.json")
ORIGINAL = "Original Ground Truth"  # left out by USR and by Q²
DIMENSIONS = {
    "uses_knowledge": ("Uses Knowledge", "groundedness"),
    "maintains_context": ("Maintains Context", "coherence"),
}
NO_FACT = ("no fact", "_nofact", "no_fact")


@dataclass(frozen=True, slots=True)
class Item:
    context: tuple[str, ...]
    knowledge: str
    response: str
    system: str
    scores: Mapping[str, float]
    """The mean human score for each dimension."""


def load(path: Path) -> dict[str, list[Item]]:
    """Load the items that have knowledge, by file name."""
    existing(path, WHERE)
    paths = [path / name for name in NAMES if (path / name).is_file()] if path.is_dir() else [path]
    if not paths:
        raise InputError(f"{path} holds none of {', '.join(NAMES)}: USR is published at {WHERE}.")
    return {one.stem: [item for row in rows(one) for item in _items(row)] for one in paths}


def _items(row: Row) -> list[Item]:
    """Read one row, which holds five responses to a context or one response with averaged scores."""
    if "responses" in row.values:
        responses = [(entry, entry.get("model"), entry.get("response")) for entry in _list(row)]
        context, knowledge = row.text("context"), row.text("fact")
    else:
        scores = row.values.get("scores")
        if not isinstance(scores, dict):
            raise row.wrong("has no 'scores'")
        responses = [(scores, row.text("system_id"), row.text("system_output"))]
        context, knowledge = row.text("source"), row.text("context")
    if _without_fact(knowledge):
        return []
    turns = tuple(line.strip() for line in context.splitlines() if line.strip())
    return [
        Item(turns, untokenised(_plain(knowledge)), untokenised(str(text)), str(system), _scores(row, given))
        for given, system, text in responses
        if system != ORIGINAL
    ]


def _list(row: Row) -> Sequence[Mapping[str, Any]]:
    entries = row.values["responses"]
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise row.wrong("has no list of responses")
    return entries


def _scores(row: Row, given: Mapping[str, Any]) -> dict[str, float]:
    scores = {}
    for name, spellings in DIMENSIONS.items():
        value = next((given[spelling] for spelling in spellings if spelling in given), None)
        if value is None:
            raise row.wrong(f"has no human score '{spellings[0]}'")
        try:
            scores[name] = sum(value) / len(value) if isinstance(value, list) else float(value)
        except (TypeError, ValueError, ArithmeticError):
            raise row.wrong(f"has the human score {value!r}, which is not a number") from None
    return scores


def _without_fact(knowledge: str) -> bool:
    return not knowledge.strip() or knowledge.strip().lower() in NO_FACT


def _plain(knowledge: str) -> str:
    return " ".join(line.removeprefix("your persona:").strip() for line in knowledge.splitlines())


def case(item: Item) -> Case:
    return Case(
        source=item.knowledge,
        question="",
        answer=item.response,
        context=item.context,
        knowledge=item.knowledge,
    )


def report(name: str, items: Sequence[Item], runs: Sequence[Scored], rounds: int, seed: int) -> Report:
    """Return the correlations with people's scores. Responses without a valid question are left out in one row
    and count as 0 in another.
    """
    report = Report("usr", len(items))
    published = paper("usr")
    for dimension in DIMENSIONS:
        truth = [item.scores[dimension] for item in items]
        rows: list[tuple[Cell, ...]] = []
        for run in runs:
            left = correlations(truth, answered(run), rounds, seed)
            zero = correlations(truth, [score or 0.0 for score in answered(run)], rounds, seed)
            every = correlations(truth, run.consistencies, rounds, seed)
            entry = report.judges.setdefault(run.judge, {**every, "series": {}})
            entry["series"][dimension] = {"all": every, "left_out": left, "zero": zero}
            rows += [
                (f"{run.judge}, {way}", row["spearman"], row["pearson"], row["coverage"])
                for way, row in (("as judged", every), ("left out", left), ("as 0", zero))
                if way == "as judged" or left["coverage"] < 1
            ]
        if dimension == "uses_knowledge" and name == "topical_chat":
            for way in ("left_out", "zero"):
                report.paper |= {f"{system}, {way}": row for system, row in published[way].items()}
                rows += [
                    (f"paper: {system}, {way.replace('_', ' ')}", row["spearman"], row["pearson"], None)
                    for system, row in published[way].items()
                ]
        title = f"{name}: {dimension.replace('_', ' ')} ({len(items)} responses)"
        report.tables.append(Table(title, ("judge", "spearman", "pearson", "coverage"), tuple(rows)))
    return report
