"""States the main result of a leaderboard in one or two sentences, which terminal, report and web pages share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.stats.standings import Leaderboard, Standing

MOST = 4  # the most names per sentence, and the most sentences


def headline(board: Leaderboard, shorten: Callable[[str], str] = str) -> str:
    """Name the bots that contradict themselves least, as far as the data support a ranking.

    Bots without a rank are not mentioned.
    """
    ranked = [s for s in board.standings if s.rank]
    if not ranked:
        return "No bot can be ranked yet."
    if len(ranked) == 1:
        return f"Only {shorten(ranked[0].bot)} can be ranked; a ranking needs two bots."
    if not any(s.rank > ranked[0].rank for s in ranked):
        return "No bot can be told from the others; more dialogues may separate them."
    first = [s for s in ranked if s.rank == ranked[0].rank]
    sentences = [
        f"{shorten(first[0].bot)} contradicts itself least."
        if len(first) == 1
        else f"{names(first, shorten)} share rank {first[0].rank}."
    ]
    tied = sorted({s.rank for s in ranked if s.tied} - {first[0].rank})
    sentences += [
        f"{names([s for s in ranked if s.rank == rank], shorten)} share rank {rank}." for rank in tied
    ]
    return " ".join(sentences[:MOST])


def unranked(board: Leaderboard, shorten: Callable[[str], str] = str) -> str | None:
    """Say which bots have no rank, and why; None if every bot has a rank."""
    few = [s for s in board.standings if s.tested and not s.rank and not s.enough]
    other = [s for s in board.standings if not s.rank and s.enough]
    sentences = []
    if few:
        sentences.append(f"Not enough data to rank {names(few, shorten)}.")
    if other:
        sentences.append(f"Not comparable, so without a rank: {names(other, shorten)}.")
    return " ".join(sentences) or None


def names(standings: Sequence[Standing], shorten: Callable[[str], str] = str) -> str:
    shown = [shorten(s.bot) for s in standings[:MOST]]
    if len(standings) > MOST:
        return f"{', '.join(shown)} and {len(standings) - MOST} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def remark(standing: Standing) -> str:
    """Return the note that is shown with a bot's rate."""
    remarks = []
    if standing.inquiries == 0:
        remarks.append("nothing judged")
    elif not standing.enough:
        remarks.append("not enough data")
    if not standing.comparable:
        remarks.append("not comparable: evasive or irrelevant answers")
    if standing.tied:
        remarks.append("tied")
    if standing.not_asked_with:
        remarks.append(f"too few inquiries with {', '.join(standing.not_asked_with[:3])}")
    return "; ".join(remarks)
