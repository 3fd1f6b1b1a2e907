"""The tables of the checks `history` and `persona`."""

from __future__ import annotations

from typing import Any

from study import SCRIPTED, Study, estimate, head, proportion, row, weighted


def messages(study: Study) -> list[str]:
    lines = head("bot", "`history`", "messages", "`persona`", "messages")
    for bot in study.board.document["bots"]:
        cells: list[Any] = []
        for check in ("history", "persona"):
            rates = bot["checks"].get(check) or {}
            some = rates.get("findings")
            cells += (
                [f"{rates['rate']:.3f} ({rates['ci_low']:.3f}–{rates['ci_high']:.3f})", some]
                if some
                else ["–", "–"]
            )
        if bot["inquiries"]:
            lines.append(row(f"`{bot['bot']}`", *cells))
    return lines


def flagged_messages(study: Study) -> list[str]:
    """What `nli` flags among messages: how much of it is right, and how much it finds.

    Each message that was read counts for as many as it stands for: 1 / the probability of being drawn.
    """
    lines = head("check", "read", "flagged", "contradictions", "both", "precision", "recall")
    for check in ("history", "persona"):
        read = study.judged("nli", check).join(study.drawn, how="inner")
        y, flagged = read.vote.to_numpy(), read.flagged.to_numpy()
        counts = (len(y), int(flagged.sum()), int(y.sum()), int((y & flagged).sum()))
        weight, groups = 1 / read.probability.to_numpy(), read.dialogue.to_numpy()
        right = weighted(y[flagged], weight[flagged], groups[flagged])
        caught = weighted(flagged[y], weight[y], groups[y])
        lines.append(row(f"`{check}`", *counts, estimate(right), estimate(caught)))
    return lines


def flagged_read(study: Study) -> list[str]:
    """How many of the messages that `nli` flags, of all that were read, are contradictions by both readers."""
    lines = head("check", "flagged and read", "contradictions", "precision", "95% interval")
    for check in ("history", "persona"):
        read = study.judged("nli", check)
        read = read[read.flagged & ~read.tested.isin(SCRIPTED)]
        right = proportion(read.vote.to_numpy(), read.dialogue.to_numpy())
        span = f"{right.low:.2f}–{right.high:.2f}"
        lines.append(row(f"`{check}`", len(read), int(read.vote.sum()), f"{right.value:.2f}", span))
    return lines
