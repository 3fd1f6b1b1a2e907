"""Builds the JSON documents. Unknown values are null, and field names are stable."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from arena.report import captions
from arena.results.checks import CheckRate
from arena.results.releases import ReleaseStanding
from arena.results.view import View
from arena.stats.calibration import Corrected, CorrectedChange
from arena.stats.comparison import Change, Comparison
from arena.stats.counts import Floats
from arena.stats.effort import Effort
from arena.stats.ranks import Difference
from arena.stats.stability import Curve, Separation, Stability
from arena.stats.standings import Group, Leaderboard, Standing
from arena.stats.sweeps import Sweep
from db.conduct import Conduct
from judges.measured import measured


def number(value: float) -> float | None:
    """Return the number, or None for nan and infinity, which JSON does not have."""
    return float(value) if math.isfinite(value) else None


def leaderboard(seen: View, board: Leaderboard, sweep: Sweep | None = None) -> dict[str, Any]:
    document: dict[str, Any] = {
        "tournament": seen.tournament.id,
        "release": seen.tournament.release,
        "judge": seen.judge.name,
        "revision": seen.judge.revision,
        "tau": board.tau,
        "bots": [_standing(standing) for standing in board.standings],
        "matrix": {
            speaker: {
                tested: {
                    "rate": number(cell.rate),
                    "ci_low": number(cell.low),
                    "ci_high": number(cell.high),
                    "inquiries": cell.inquiries,
                    "contradictions": cell.contradictions,
                    "dialogues": cell.dialogues,
                }
                for tested, cell in row.items()
            }
            for speaker, row in board.matrix.items()
        },
        "differences": [difference(each) for each in board.differences],
        "enough_data": board.enough,
        "intervals": board.method.value,
        "level": board.level,
        "weighting": board.weighting.value,
        "openers": board.openers or None,
        "personas": board.personas or None,
        "caption": captions.leaderboard(board, seen.measured_as),
        "scope": board.scope,
        "judge_measured": judge_measured(seen.measured_as),
        "notes": list(board.notes),
    }
    document["tau_sweep"] = [] if sweep is None else tau_sweep(sweep)
    return document


def add_conduct(document: dict[str, Any], by_bot: Mapping[str, Conduct]) -> None:
    """Add facts to each bot's entry: the questions that were not asked, and the dialogues in which the bot
    stopped conversing.
    """
    for bot in document["bots"]:
        one = by_bot.get(bot["bot"], Conduct())
        bot["refused"] = dict(one.refused)
        bot["degenerate"] = dict(one.degenerate)
        bot["degenerate_dialogues"] = one.degenerate_dialogues
        bot["collapsed"] = collapsed(one, bot["dialogues"])


def collapsed(conduct: Conduct, dialogues: int) -> dict[str, Any]:
    """The share of dialogues that fell into a loop, and the median turn at which this happened."""
    turns = [turn for turn, number in conduct.collapsed.items() for _ in range(number)]
    return {
        "share": len(turns) / dialogues if dialogues else None,
        "median_turn": statistics.median(turns) if turns else None,
        "by_itself": conduct.looped,
    }


def checks(bot: Mapping[str, Any], rates: Mapping[str, CheckRate]) -> dict[str, Any]:
    """The contradiction rates of all checks, including the inquiries."""
    inquiry = {
        "rate": bot["contradiction_rate"],
        "ci_low": bot["ci_low"],
        "ci_high": bot["ci_high"],
        "findings": bot["inquiries"],
        "contradictions": bot["contradictions"],
    }
    others = {
        name: {
            "rate": number(one.rate),
            "ci_low": number(one.low),
            "ci_high": number(one.high),
            "findings": one.findings,
            "contradictions": one.contradictions,
            "judge": one.judge,
        }
        for name, one in rates.items()
    }
    return {"inquiry": inquiry, **others}


def tau_sweep(sweep: Sweep) -> list[dict[str, Any]]:
    rows = []
    for k, tau in enumerate(sweep.taus):
        row: dict[str, Any] = {
            "tau": tau,
            "rates": {bot: number(rates[k]) for bot, rates in sweep.rates.items()},
        }
        if sweep.f1 is not None and sweep.pearson is not None:
            row |= {
                "f1": number(sweep.f1[k]),
                "pearson": number(sweep.pearson[k]),
                "labelled": sweep.labelled,
            }
        rows.append(row)
    return rows


def _standing(standing: Standing) -> dict[str, Any]:
    return {
        "bot": standing.bot,
        "rank": standing.rank or None,
        "rank_low": standing.rank_low or None,
        "rank_high": standing.rank_high or None,
        "tied": standing.tied,
        "enough": standing.enough,
        "contradiction_rate": number(standing.rate),
        "ci_low": number(standing.low),
        "ci_high": number(standing.high),
        "pooled_rate": number(standing.pooled_rate),
        "induced_rate": number(standing.induced_rate),
        "inquiries": standing.inquiries,
        "contradictions": standing.contradictions,
        "dialogues": standing.dialogues,
        "distinct_dialogues": standing.distinct_dialogues,
        "failed_dialogues": standing.failed_dialogues,
        "replies": standing.replies,
        "asked_share": number(standing.asked_share),
        "inquiries_per_dialogue": number(standing.inquiries_per_dialogue),
        "contradictions_per_dialogue": number(standing.contradictions_per_dialogue),
        "evasion_rate": number(standing.evasion_rate),
        "non_evasive_rate": number(standing.non_evasive_rate),
        "bounds": [number(bound) for bound in standing.bounds],
        "relevant_rate": number(standing.relevant_rate),
        "comparable": standing.comparable,
        "not_asked_with": list(standing.not_asked_with),
        "unjudged": dict(standing.unjudged),
        "by_kind": _groups(standing.by_kind),
        "by_distance": _groups(standing.by_distance),
        "by_entity_type": _groups(standing.by_entity_type),
    }


def difference(gap: Difference) -> dict[str, Any]:
    return {
        "a": gap.a,
        "b": gap.b,
        "delta": number(gap.delta),
        "ci_low": number(gap.low),
        "ci_high": number(gap.high),
        "p_value": number(gap.p_value),
    }


def _groups(groups: Mapping[Any, Group]) -> dict[str, dict[str, Any]]:
    return {
        str(name): {
            "rate": number(group.rate),
            "inquiries": group.inquiries,
            "contradictions": group.contradictions,
        }
        for name, group in groups.items()
    }


def stability(result: Stability, separations: tuple[Separation, ...] = ()) -> dict[str, Any]:
    return {
        "reference": list(result.reference),
        "reference_given": result.given,
        "clusters": [list(cluster) for cluster in result.clusters],
        "curve": _curve(result.curve),
        "leave_one_out": {bot: _curve(curve) for bot, curve in result.leave_one_out.items()},
        "stable_at": {"0.95": result.curve.stable_at(0.95)},
        "leave_one_out_stable_at": {
            bot: {"0.95": c.stable_at(0.95)} for bot, c in result.leave_one_out.items()
        },
        "rounds": result.rounds,
        "separations": [separation(s) for s in separations],
        "notes": list(result.notes),
    }


def judge_measured(revision: str) -> dict[str, Any]:
    """The judge's error rates on sets that it was not trained on; empty if they were not measured for this revision."""
    return {name: asdict(figures) for name, figures in measured(revision).items()}


def _curve(curve: Curve) -> list[dict[str, Any]]:
    return [
        {"dialogues": d, "agreement": a, "kendall": k, "same_clusters": s}
        for d, a, k, s in zip(
            curve.dialogues, curve.agreement, curve.kendall, curve.same_clusters, strict=True
        )
    ]


def separation(separation: Separation) -> dict[str, Any]:
    return {
        "better": separation.better,
        "worse": separation.worse,
        "difference": separation.difference,
        "dialogues": separation.have,
        "needed": number(separation.need),
        "needed_low": number(separation.low),
        "needed_high": number(separation.high),
        "more": number(separation.more),
    }


def comparison(result: Comparison) -> dict[str, Any]:
    return {
        "a": result.a,
        "b": result.b,
        "comparable": result.comparable,
        "reasons": list(result.reasons),
        "bots": [_change(change) for change in result.changes],
        "only_a": list(result.only_a),
        "only_b": list(result.only_b),
        "caption": captions.comparison(result),
        "judge_measured": judge_measured(result.revision),
        "notes": list(result.notes),
    }


def _change(change: Change) -> dict[str, Any]:
    own = change.self_pair
    return {
        "bot": change.bot,
        "rate_a": number(change.rate_a),
        "rate_b": number(change.rate_b),
        "delta": number(change.delta),
        "ci_low": number(change.low),
        "ci_high": number(change.high),
        "p_value": number(change.p_value),
        "verdict": change.verdict.value,
        "detectable": number(change.detectable),
        "speakers": list(change.speakers),
        "paired_dialogues": change.paired,
        "unpaired_dialogues": change.unpaired,
        "self_pair": None
        if own is None
        else {
            "rate_a": number(own.rate_a),
            "rate_b": number(own.rate_b),
            "delta": number(own.delta),
            "ci_low": number(own.low),
            "ci_high": number(own.high),
        },
    }


def corrected_change(change: CorrectedChange) -> dict[str, Any]:
    return {
        "bot": change.bot,
        "rate_a": number(change.rate_a),
        "rate_b": number(change.rate_b),
        "delta": number(change.delta),
        "ci_low": number(change.low),
        "ci_high": number(change.high),
        "labelled": list(change.labelled),
        "labels_needed": list(change.needed),
    }


def effort(effort: Effort) -> dict[str, Any]:
    return {
        "seconds_to_create": number(effort.seconds_to_create),
        "seconds_to_judge": number(effort.seconds_to_judge),
        "contradictions": number(effort.contradictions),
        "people_seconds_to_judge": number(effort.people_seconds_to_judge),
        "people_contradictions": number(effort.people_contradictions),
        "people_dialogues": effort.people_dialogues,
    }


def appropriate(bots: tuple[str, ...], share: Floats) -> dict[str, dict[str, float]]:
    return {
        speaker: {t: float(share[i, j]) for j, t in enumerate(bots) if math.isfinite(share[i, j])}
        for i, speaker in enumerate(bots)
    }


def corrected(rows: tuple[Corrected, ...]) -> list[dict[str, Any]]:
    return [
        {
            "bot": row.bot,
            "rate": number(row.rate),
            "ci_low": number(row.low),
            "ci_high": number(row.high),
            "judge_rate": number(row.judge_rate),
            "people_rate": number(row.people_rate),
            "people_ci_low": number(row.people_low),
            "people_ci_high": number(row.people_high),
            "labelled": row.labelled,
            "labels_needed": row.needed,
        }
        for row in rows
    ]


def past(row: ReleaseStanding) -> dict[str, Any]:
    s = row.standing
    return {
        "tournament": row.tournament,
        "release": row.release,
        "judge": row.judge,
        "revision": row.revision,
        "tau": row.tau,
        "contradiction_rate": number(s.rate),
        "ci_low": number(s.low),
        "ci_high": number(s.high),
        "rank": s.rank or None,
        "bots": row.bots,
        "inquiries": s.inquiries,
        "changed": row.changed,
    }
