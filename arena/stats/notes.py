"""The notes under a leaderboard, which say what limits its figures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.stats.counts import Cells, Inquiries, Kinds
from arena.stats.intervals import Interval, Method
from arena.stats.standings import Standing


def notes(
    data: Inquiries,
    cells: Cells,
    interval: Interval,
    standings: Sequence[Standing],
    kind: Kinds,
    distance: int | None,
) -> tuple[str, ...]:
    """Return sentences about copies, gaps, thin data, evasive bots, failures and intervals."""
    sentences = []
    copied = [s for s in standings if s.distinct_dialogues < s.dialogues]
    if copied:
        shown = ", ".join(f"{s.bot} {s.distinct_dialogues} of {s.dialogues}" for s in copied[:5])
        more = f" and {len(copied) - 5} more" if len(copied) > 5 else ""
        sentences.append(
            f"Copies are no evidence: distinct dialogues are {shown}{more}. Use more openers, or decoding that samples."
        )
    sentences += _gaps(data, cells, standings, kind, distance)
    thin = [s.bot for s in standings if s.tested and not s.enough]
    if thin:
        sentences.append(f"Not enough data to rank: {', '.join(thin)}.")
    evasive = [s.bot for s in standings if not s.comparable]
    if evasive:
        sentences.append(
            f"Rate not comparable, over 30% evasive or irrelevant answers: {', '.join(evasive)}."
        )
    failed = [s for s in standings if s.failed_dialogues]
    if failed:
        shown = ", ".join(f"{s.bot} {s.failed_dialogues}" for s in failed)
        sentences.append(f"Failed dialogues, which no rate holds: {shown}.")
    if interval.method is Method.LINEARISED:
        sentences.append(
            "Intervals are linearised; they count copies and dialogues of one opener as independent."
        )
    return tuple(sentences)


def _gaps(
    data: Inquiries, cells: Cells, standings: Sequence[Standing], kind: Kinds, distance: int | None
) -> list[str]:
    """Return sentences about the pairs that have too few inquiries."""
    if len(data.dialogue) and not cells.inquiries.any():
        there = ", ".join(data.kinds[k] for k in np.unique(data.kind))
        kinds = () if kind is None else (kind,) if isinstance(kind, str) else kind
        wanted = " ".join(
            [
                f"of kind {' or '.join(kinds)}" if kinds else "",
                f"at distance {distance}" if distance is not None else "",
            ]
        ).strip()
        return [f"No judged inquiry {wanted}; asked were: {there}."]
    sentences = []
    empty = [(i, j) for i, j in zip(*np.nonzero((cells.dialogues > 0) & (cells.inquiries == 0)), strict=True)]
    if empty:
        shown = ", ".join(f"{data.bots[i]} → {data.bots[j]}" for i, j in empty[:5])
        more = f" and {len(empty) - 5} more" if len(empty) > 5 else ""
        sentences.append(f"Pairs without a judged inquiry are left out of the means: {shown}{more}.")
    lacking = [s for s in standings if s.not_asked_with and s.inquiries]
    if lacking:
        shown = "; ".join(f"{s.bot} with {', '.join(s.not_asked_with[:5])}" for s in lacking[:5])
        more = f"; and {len(lacking) - 5} more" if len(lacking) > 5 else ""
        sentences.append(f"Too few inquiries, so bots are compared over the other opponents: {shown}{more}.")
    return sentences
