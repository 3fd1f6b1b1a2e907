"""Captions that say what intervals cover and what they leave out. Terminal, report and web pages use the same
captions.
"""

from __future__ import annotations

from arena.stats.comparison import Comparison
from arena.stats.standings import Leaderboard
from judges.measured import measured


def leaderboard(board: Leaderboard, revision: str) -> str:
    return (
        f"Contradiction rate, low wins; {board.level:.0%} intervals cover sampling error only: "
        f"{judge_error(revision)} {board.scope}"
    )


def comparison(result: Comparison) -> str:
    return (
        "Interval and p hold for all changed bots at once (Holm) and cover sampling error only: "
        f"{judge_error(result.revision)} Detectable: the change that this many dialogues detect in 80% of comparisons."
    )


def judge_error(revision: str) -> str:
    """Return a clause saying that the judge makes errors, and how often if that was measured for this revision."""
    for name, figures in measured(revision).items():
        reported = (
            "it reported no contradiction"
            if figures.precision is None
            else f"{figures.precision:.0%} of the contradictions that it reported were real"
        )
        return (
            f"the judge errs too. On {figures.n} {name}, {reported}, and it found {figures.recall:.0%} of the "
            f"{figures.contradictions} real ones."
        )
    return "the judge errs too; how much has not been measured for this revision."
