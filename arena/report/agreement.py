"""Agreement of people and judges as the JSON document of `arena agreement --json`."""

from __future__ import annotations

import math
from typing import Any

from arena.results.agreement import BY_LOT, Agreement, Fitted
from arena.stats.agreement import JudgeAgreement


def document(tournament: str, agreement: Agreement, combined: Fitted | None) -> dict[str, Any]:
    people = agreement.people
    facts: dict[str, Any] = {
        "tournament": tournament,
        "schema": agreement.schema,
        "question": agreement.question,
        "people": {
            "n": people.n,
            "items": people.items,
            "labels": agreement.labels,
            "votes": agreement.votes,
            "open": agreement.open,
            "drawn_by_lot": agreement.drawn if agreement.sample == BY_LOT else 0,
            "sample": agreement.sample,
            "fleiss_kappa": people.fleiss_kappa,
            "krippendorff_alpha": people.krippendorff_alpha,
            "share_unanimous": people.share_unanimous,
            # As in AIH: the vote includes the person's own label
            "pearson_with_vote": people.pearson_with_vote,
            "pearson_with_others": people.pearson_with_others,
            "pairwise_kappa": {f"{a}, {b}": kappa for (a, b), kappa in people.cohen_kappa.items()},
            "pairs": [{"a": a, "b": b, "kappa": kappa} for (a, b), kappa in people.cohen_kappa.items()],
            "by_bot": agreement.by_bot,
        },
        "judges": {
            name: {
                **_judge(one),
                "intervals": {metric: list(bounds) for metric, bounds in one.intervals.items()},
                "all_labels": _judge(agreement.diagnostic[name]),
                "best_tau": agreement.thresholds[name].tau if name in agreement.thresholds else None,
                "best_f1": agreement.thresholds[name].f1 if name in agreement.thresholds else None,
            }
            for name, one in agreement.judges.items()
        },
        "judge_pairs": [{"a": a, "b": b, "kappa": kappa} for (a, b), kappa in agreement.pairs.items()],
    }
    if combined is not None:
        facts["ensemble"] = {"entry": combined.entry, "items": combined.items, "held_out": combined.held_out}
    known: dict[str, Any] = _known(facts)
    return known


def _judge(one: JudgeAgreement) -> dict[str, Any]:
    return {
        "n": one.items,
        "items": one.items,
        "tau": one.tau,
        "f1": one.f1,
        "pearson": one.pearson,
        "kappa": one.kappa,
        "accuracy": one.accuracy,
        "auc": one.auc,
        "confusion": one.confusion,
    }


def _known(value: Any) -> Any:
    """Replace nan by None, because JSON has no nan."""
    if isinstance(value, dict):
        return {str(key): _known(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_known(one) for one in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
