"""The ranking: a plot and a table of the bots, and the inquiries that are not counted."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from arena.core.types import Check
from arena.report import captions
from arena.report.headline import remark
from arena.results.view import View
from arena.stats.standings import Leaderboard, Standing
from db.conduct import Conduct
from ui import address, assist, charts, listing, results, words
from ui.markup import short

MANY_BOTS = 25


def show(board: Leaderboard, seen: View) -> None:
    with_rate = [s for s in board.standings if s.inquiries]
    if with_rate:
        with st.container(height=560 if len(with_rate) > MANY_BOTS else "content", border=False):
            event = st.altair_chart(
                charts.intervals(board.standings), on_select="rerun", key=f"rates_{board.tau}"
            )
        rows = (event.selection.get("click") or []) if event is not None else []
        if rows:
            open_bot(board.standings[int(rows[0]["row"])].bot)
    words.lead(
        "The rate is the mean of the rates against each speaker, so it need not equal contradictions divided by "
        f"{counted(seen)}. {captions.leaderboard(board, seen.measured_as)}"
    )
    table(board, seen)
    differences(board)
    if seen.check is Check.INQUIRY:
        aside(board, seen.tournament.id)


OF_INQUIRIES = ("Asked", "Evasive", "If evasions count", "Relevant")
RARE = ("Failed",)  # columns that stand only where a bot has such dialogues
EXPLAINED = {
    "Rank": "The ranks that the data leave open",
    "Rate": "Contradiction rate",
    "Per dialogue": "Contradictions per dialogue",
    "Failed": "Dialogues that failed; they count nowhere",
    "Asked": "Share of its replies that it was asked about",
    "Evasive": "Share of its answers that evade the question",
    "If evasions count": "The rate if no evasive answer, or every one, contradicted",
    "Relevant": "Share of its answers that keep to the question",
}


def counted(seen: View) -> str:
    return "inquiries" if seen.check is Check.INQUIRY else "messages"


def table(board: Leaderboard, seen: View) -> None:
    """Show the bots by rank, or by a column whose head was clicked."""
    st.caption(
        "Click a point, or a row, to read the bot's worst contradictions; click a column's head to order by it."
    )
    shown = [s for s in board.standings if s.tested]
    rows = [row(s, seen.check) for s in shown]
    empty = {name for name in RARE if not any(one[name] for one in rows)}
    listing.table(
        [{name: value for name, value in one.items() if name not in empty} for one in rows],
        [{"bot": s.bot} for s in shown],
        explained=EXPLAINED,
        order="order",
    )
    remarks = [f"{short(s.bot, 40)}: {remark(s)}." for s in shown if remark(s) not in ("", "tied")]
    if remarks:  # the column of ranks shows which bots are tied
        words.lead(" ".join(remarks[:MANY_BOTS]))
    clicked = assist.clicked()
    if listing.ordered(clicked):
        st.rerun()
    if "bot" in clicked:
        open_bot(clicked["bot"])


def differences(board: Leaderboard) -> None:
    """Show which bots contradict themselves less often than others."""
    if not board.differences:
        return
    with st.expander("A contradicts itself less than B"):
        st.caption("Intervals and p hold for all differences at once, over common speakers.")
        rows = []
        for d in sorted(board.differences, key=lambda one: one.p_value):
            a, b, delta, low, high = d.a, d.b, -d.delta, -d.high, -d.low
            if delta < 0:
                a, b, delta, low, high = b, a, -delta, -high, -low
            rows.append(
                {
                    "A": short(a, 40),
                    "B": short(b, 40),
                    "B − A in points": words.points(delta),
                    "95% interval": f"{words.points(low)} … {words.points(high)}",
                    "p": words.number(d.p_value, 3),
                }
            )
        st.dataframe(pd.DataFrame(rows), hide_index=True)


def row(s: Standing, check: Check) -> dict[str, listing.Value]:
    def share(value: float) -> listing.Cell:
        return listing.Cell(value, words.percent(value))

    known = bool(s.inquiries)
    cells: dict[str, listing.Value] = {
        "Rank": listing.Cell(s.rank_low or None, words.ranks(s.rank_low, s.rank_high)),
        "Bot": short(s.bot, 60),
        "Rate": share(s.rate),
        "95% interval": listing.Cell(
            s.low, f"{words.percent(s.low)} – {words.percent(s.high)}" if known else words.NOTHING
        ),
        "Contradictions": s.contradictions,
        counted_as(check): s.inquiries,
        "Dialogues": listing.Cell(s.dialogues, words.distinct(s.distinct_dialogues, s.dialogues)),
        "Failed": s.failed_dialogues or None,
        "Per dialogue": listing.Cell(
            s.contradictions_per_dialogue, words.number(s.contradictions_per_dialogue)
        ),
        "Asked": share(s.asked_share),
        "Evasive": share(s.evasion_rate),
        "If evasions count": listing.Cell(
            s.bounds[1],
            f"{words.percent(s.bounds[0])} – {words.percent(s.bounds[1])}" if known else words.NOTHING,
        ),
        "Relevant": share(s.relevant_rate),
    }
    return {name: cell for name, cell in cells.items() if check is Check.INQUIRY or name not in OF_INQUIRIES}


def counted_as(check: Check) -> str:
    return "Inquiries" if check is Check.INQUIRY else "Messages"


def open_bot(bot: str) -> None:
    assist.go("bot", {**address.carried(), "bot": bot})


def aside(board: Leaderboard, tournament: str) -> None:
    """Show the inquiries that could not be asked, answered or judged."""
    rows = [
        {"Bot": short(s.bot, 60), "Reason": words.reason(reason), "Inquiries": n}
        for s in board.standings
        for reason, n in sorted(s.unjudged.items())
    ]
    if rows:
        with st.expander("Inquiries that are not counted, by reason"):
            st.dataframe(pd.DataFrame(rows), hide_index=True)
    with address.box("Questions that were not asked, and dialogues that broke down", "aside") as box:
        if box.open:
            conduct(board, tournament)


def conduct(board: Leaderboard, tournament: str) -> None:
    """Show questions that were not asked and dialogues that broke down.

    These are read only on request, because the cost grows with the number of dialogues.
    """
    by_bot = results.conduct(tournament)
    nothing = Conduct()
    reasons = sorted({reason for one in by_bot.values() for reason in one.refused})
    if not reasons and not any(one.degenerate or one.collapsed for one in by_bot.values()):
        words.notice("Every question was asked, and no bot looped or said the same again and again.")
        return
    for s in board.standings:
        if s.replies:
            words.lead(
                f"{short(s.bot, 40)}: {words.count(s.asked)} of {words.count(s.replies)} replies got a question."
            )
    st.caption(
        "Collapsed: the dialogue ended because a side repeated itself. Degenerate: the bot says the same in half of "
        "its messages, loops, or says one word. The other columns count questions that were not asked, by reason."
    )
    rows = []
    for bot in board.order:
        one = by_bot.get(bot, nothing)
        cells: dict[str, str | int] = {
            "Bot": short(bot, 60),
            "Collapsed dialogues": sum(one.collapsed.values()),
            "Degenerate dialogues": one.degenerate_dialogues,
        }
        rows.append(cells | {words.reason(reason): one.refused.get(reason, 0) for reason in reasons})
    st.dataframe(pd.DataFrame(rows), hide_index=True)
