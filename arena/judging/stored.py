"""Judges a stored tournament, with its own judges or with other judges."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.config.tournament import restored_judge
from arena.core.errors import InputError
from arena.core.types import Check, JudgeSpec
from arena.engines.base import Engine
from arena.judging.runner import JudgeRunner
from bots.base import RunOptions
from db import findings, statistics
from db.records import StoredTournament
from db.repository import Repository
from judges import registry


def wanted_judges(stored: StoredTournament, chosen: Sequence[str | Mapping[str, Any]]) -> list[JudgeSpec]:
    """Return the requested judges. A name means the tournament's own judge if it has one of that name. By default,
    all of the tournament's judges are returned.
    """
    own = {entry["name"]: restored_judge(entry) for entry in stored.judges}
    bots: Mapping[str, Mapping[str, Any]] = {
        bot["name"]: {"adapter": bot["adapter"], **bot["settings"]} for bot in stored.config.get("bots", ())
    }
    specs = [
        own[entry] if isinstance(entry, str) and entry in own else registry.spec(entry, bots)
        for entry in chosen
    ]
    specs = specs or list(own.values())
    names = [spec.name for spec in specs]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"Two judges are called '{name}': give one a name, {{judge: {name}, name: other}}."
            )
    if not specs:
        raise InputError("The tournament names no judge: add --judge NAME (`arena judges list` shows them).")
    return specs


def wanted_checks(stored: StoredTournament, chosen: Sequence[str]) -> tuple[Check, ...]:
    """Return the requested checks. By default, these are the checks in the tournament's file."""
    names = chosen or stored.config.get("checks", [Check.INQUIRY.value])
    return tuple(dict.fromkeys(Check(name) for name in names))


async def judge_stored(
    store: Repository,
    stored: StoredTournament,
    specs: Sequence[JudgeSpec],
    engine: Engine,
    checks: Sequence[str] = (),
    run: RunOptions | None = None,
) -> list[dict[str, Any]]:
    """Run the judges one after the other. Returns the facts that `arena judge --json` prints for each judge."""
    wanted = wanted_checks(stored, checks)
    return [await _judge(store, stored, spec, wanted, engine, run or RunOptions()) for spec in specs]


async def _judge(
    store: Repository,
    stored: StoredTournament,
    spec: JudgeSpec,
    checks: Sequence[Check],
    engine: Engine,
    run: RunOptions,
) -> dict[str, Any]:
    began = time.perf_counter()
    judge = await engine.judge(replace(spec, tau=None), run)
    runner = JudgeRunner(store, stored.id, judge, checks)
    try:
        new = await runner.sweep()
    finally:
        await runner.close()
    verdicts, unjudged = _counts(store, stored.id, spec.name, judge.revision)
    return {
        "judge": spec.name,
        "revision": judge.revision,
        "tau": spec.tau if spec.tau is not None else judge.tau,
        "new": new,
        "verdicts": verdicts,
        "unjudged": unjudged,
        "checks": _message_counts(store, stored.id, spec.name, judge.revision),
        "seconds": round(time.perf_counter() - began, 3),
    }


def _message_counts(store: Repository, tournament: str, name: str, revision: str) -> dict[str, Any]:
    """For each check of messages, count the verdicts with a score, and count the verdicts without a score by reason."""
    played = statistics.dialogues(store, tournament)
    counts: dict[str, Any] = {}
    for row in store.checks(tournament):
        if (row.name, row.revision) == (name, revision) and row.check.value not in counts:
            scores = findings.scores(store, row, played)
            unjudged = {
                reason: int((scores.reason == code).sum()) for code, reason in enumerate(scores.reasons)
            }
            counts[row.check.value] = {"verdicts": int((scores.reason < 0).sum()), "unjudged": unjudged}
    return counts


def _counts(store: Repository, tournament: str, name: str, revision: str) -> tuple[int, dict[str, int]]:
    """Count the verdicts with a score for one revision, and count the verdicts without a score by reason."""
    row = next(
        (judge.row for judge in store.judges(tournament) if (judge.name, judge.revision) == (name, revision)),
        None,
    )
    if row is None:
        return 0, {}
    played = statistics.dialogues(store, tournament)
    scores = statistics.scores(store, tournament, row, played)
    unjudged: dict[str, int] = {}
    for code in scores.reason[scores.reason >= 0]:
        reason = scores.reasons[code]
        unjudged[reason] = unjudged.get(reason, 0) + 1
    return int((scores.reason < 0).sum()), dict(sorted(unjudged.items()))
