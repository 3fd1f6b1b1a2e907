"""People's votes, in the order of a view's inquiries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.labelling.schemas import AIH
from arena.results.view import View
from arena.results.votes import aligned, only, votes_of
from arena.stats import agreement
from arena.stats.counts import Floats
from arena.stats.effort import Effort
from arena.stats.effort import effort as effort_of
from db import statistics as stored_arrays
from db.repository import Repository


def label_votes(seen: View, question: str = "contradicts") -> Floats:
    """The people's vote on each inquiry of a view; nan where there is no vote."""
    votes = votes_of(seen.labels)[question]
    return aligned(seen.rows, votes, len(seen.inquiries.score))


@dataclass(frozen=True, slots=True)
class Drawn:
    """People's votes on the inquiries that were drawn at random. Other inquiries were labelled because judges
    were in doubt.
    """

    votes: Floats
    left_out: int  # labelled inquiries that were not drawn
    undecided: int  # drawn and labelled, but people disagree or find them unclear


def drawn_votes(seen: View, question: str = "contradicts") -> Drawn:
    """Return the votes on a random sample. Only these votes may be used to estimate rates and judge errors."""
    votes, chosen = votes_of(seen.labels)[question], seen.drawn
    drawn = only(votes, chosen)
    asked = {
        label.subject
        for label in seen.labels
        if label.schema == AIH and label.subject in chosen and label.values.get(question) is not None
    }
    size = len(seen.inquiries.score)
    return Drawn(aligned(seen.rows, drawn, size), len(votes) - len(drawn), len(asked) - len(drawn))


def appropriate(seen: View) -> Floats | None:
    """The share of questions that people found appropriate, speakers × tested (AIH's Table 6). None if there are
    no labels.
    """
    votes = label_votes(seen, "appropriate")
    if not np.isfinite(votes).any():
        return None
    d = seen.inquiries.dialogues
    at = seen.inquiries.dialogue
    return agreement.appropriateness(d.speaker[at], d.tested[at], votes, len(d.bots))


def effort(repository: Repository, seen: View) -> Effort | None:
    """The cost of a dialogue for machine and people (AIH's Table 4). None if the view was loaded from a summary."""
    if seen.packed:
        return None
    about = stored_arrays.circumstances(repository, seen.tournament.id)
    ids = seen.played.id[seen.played.done]
    spent: dict[str, float] = {}
    for label in seen.labels:
        if label.schema == AIH and label.seconds is not None:
            spent[label.subject] = spent.get(label.subject, 0.0) + label.seconds
    size = len(seen.inquiries.score)
    return effort_of(
        seen.inquiries,
        seen.judge.tau,
        about.seconds[np.searchsorted(about.id, ids)],
        aligned(seen.rows, votes_of(seen.labels)["contradicts"], size),
        aligned(seen.rows, spent, size),
        stored_arrays.judging_seconds(repository, seen.tournament.id, seen.judge.row),
    )
