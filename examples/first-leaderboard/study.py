"""What the tables of the case study are made from: the imported tournaments, and how figures are written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import arena
from arena.stats.distributions import jeffreys
from arena.stats.metrics import Estimate, interval

MAIN, SELF, MODELS = "first-leaderboard", "self-play", "self-play-models"
BEFORE, AFTER, AGAIN = "before", "after", "again"
JUDGES = ("nli", "nli:small", "overlap")
SCRIPTED = ("finder", "steady", "moody")  # not language models


class Study:
    """The imported tournaments, read once."""

    def __init__(self, db: str) -> None:
        self.db = db
        self.main = arena.open(MAIN, db=db)
        self.board = self.main.leaderboard(judge="nli")
        self.verdicts = self.main.verdicts()
        labels = self.main.labels()
        self.read = len(labels) > 0  # a tournament that was played anew has no labels
        if self.read:
            self.labels = labels[labels.schema == "aih"]
            self.readings = labels[labels.schema == "finding"]
            self.drawn = self.probabilities()
            self.sessions = self.whole(labels[labels.schema == "session"])

    def probabilities(self) -> pd.Series:
        """With which probability each message was drawn; the readers' notes say it of those drawn by lot."""
        notes = self.readings.drop_duplicates("subject").set_index("subject").note
        return (
            notes.str.extract(r"drawn with probability ([\d.]+)")[0]
            .dropna()
            .astype(float)
            .rename("probability")
        )

    def whole(self, labels: pd.DataFrame) -> pd.DataFrame:
        """What the readers say of whole conversations: a score, and how many contradictions they list."""
        tested = self.main.dialogues().set_index("dialogue").tested
        listed = labels.note.str.findall(r"\d+-\d+").str.len()
        return labels.assign(tested=labels.subject.map(tested), listed=listed)

    def agreed(self, labels: pd.DataFrame, question: str = "contradicts") -> pd.Series:
        """The vote on each subject on which both readers agree; their `unclear` is no vote."""
        known = labels[labels[question].isin([True, False])]
        votes = known.groupby("subject")[question].agg(["sum", "count"])
        return votes[(votes["count"] == 2) & (votes["sum"] != 1)]["sum"] == 2

    def newest(self, judge: str, check: str) -> pd.DataFrame:
        """A judge's verdicts of the revision that the leaderboard shows, where it has any."""
        v = self.verdicts
        own = v[(v.judge == judge) & (v.check == check) & v.contradiction.notna()].set_index("finding")
        return own[own.revision == self.revision(judge)] if len(own) else own

    def revision(self, judge: str) -> str:
        return str(self.main.leaderboard(judge=judge).document["revision"])

    def judged(self, judge: str, check: str = "inquiry") -> pd.DataFrame:
        """Those about what both readers agree on, with their vote."""
        votes = self.agreed(self.labels if check == "inquiry" else self.readings)
        both = self.newest(judge, check).join(votes.rename("vote"), how="inner").sort_index()
        return both.assign(flagged=both.contradicts.astype(bool), vote=both.vote.astype(bool))


# ── parts of tables ───────────────────────────────────────────────────────────────────────────


def proportion(hits: Any, groups: Any) -> Estimate:
    """With the wider of two intervals: dialogues drawn anew, and Jeffreys', which knows that 5 of 5 is not all."""
    y = np.asarray(hits, float)
    drawn = interval(lambda labels, _: float(np.mean(labels)), y, y, groups=groups)
    low, high = jeffreys(y.sum(), len(y), 0.95)
    return Estimate(drawn.value, min(drawn.low, float(low)), max(drawn.high, float(high)))


def weighted(hits: Any, weight: Any, groups: Any) -> Estimate:
    y, w = np.asarray(hits, float), np.asarray(weight, float)
    return interval(lambda labels, scores: float(labels @ scores / scores.sum()), y, w, groups=groups)


def estimate(one: Any) -> str:
    return f"{one.value:.2f} ({one.low:.2f}–{one.high:.2f})"


def share(value: Any, form: str = ".3f") -> str:
    return "–" if value is None or pd.isna(value) else format(value, form)


def head(*names: str) -> list[str]:
    return [row(*names), "|" + "---|" * len(names)]


def row(*cells: Any) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
