"""AIH's Table 4: the cost of a dialogue for machine and people, and the contradictions found in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arena.stats.counts import Inquiries


@dataclass(frozen=True, slots=True)
class Effort:
    """AIH's Table 4 per dialogue: the seconds to create it, the seconds to judge it, and the contradictions found
    in it.
    """

    seconds_to_create: float
    seconds_to_judge: float
    contradictions: float
    people_seconds_to_judge: float
    people_contradictions: float
    people_dialogues: int  # dialogues whose judged inquiries all have a label


def effort(
    data: Inquiries,
    tau: float,
    created: ArrayLike,
    votes: ArrayLike,
    spent: ArrayLike,
    judging: float | None = None,
) -> Effort:
    """Compute Table 4.

    `created` holds the seconds per dialogue. `votes` and `spent` hold people's vote and seconds per inquiry, or
    nan. `judging` is the total of the judge's seconds.
    """
    played, took, voted = np.asarray(created, float), np.asarray(spent, float), np.asarray(votes, float)
    counts = data.counts(tau)
    labelled = np.isfinite(voted) | np.isfinite(took)
    missing = np.bincount(data.dialogue[np.isfinite(data.score) & ~labelled], minlength=len(counts)) > 0
    begun = np.bincount(data.dialogue[labelled], minlength=len(counts)) > 0
    finished = begun & ~missing
    number = int(finished.sum())
    inside = finished[data.dialogue]
    took, voted = took[inside], voted[inside]
    known = played[np.isfinite(played)]
    nan = float("nan")
    return Effort(
        float(known.mean()) if len(known) else nan,
        nan if judging is None or not len(counts) else judging / len(counts),
        float(counts.contradictions.mean()) if len(counts) else nan,
        float(np.nansum(took)) / number if number and np.isfinite(took).any() else nan,
        float(np.nansum(voted)) / number if number else nan,
        number,
    )
