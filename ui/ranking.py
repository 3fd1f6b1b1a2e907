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
from ui import address, charts, results, words
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


SHARES = ("Rate", "Asked", "Evasive", "Relevant", "Collapsed")  # as percentages, all with one decimal


OF_INQUIRIES = ["Asked", "Evasive", "If evasions count", "Relevant"]


def counted(seen: View) -> str:
    return "inquiries" if seen.check is Check.INQUIRY else "messages"


def table(board: Leaderboard, seen: View) -> None:
    st.caption("Click a point, or a row, to read the bot's worst contradictions.")
    shown = [s for s in board.standings if s.tested]
    share = st.column_config.NumberColumn(width=80)
    rows = pd.DataFrame([row(s) for s in shown])
    if seen.check is not Check.INQUIRY:
        rows = rows.drop(columns=OF_INQUIRIES).rename(columns={"Inquiries": "Messages"})
    event = st.dataframe(
        rows.style.format(words.percent, subset=[name for name in SHARES if name in rows]),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        key=f"standings_{seen.tournament.id}",
        placeholder=words.NOTHING,
        column_config={
            "Rank": st.column_config.TextColumn(width=60, help="The ranks that the data leave open."),
            "Rate": st.column_config.NumberColumn("Contradiction rate"),
            "Per dialogue": st.column_config.NumberColumn("Contradictions per dialogue", format="%.2f"),
            "Asked": st.column_config.NumberColumn(
                "Replies asked about", help="Share of its replies that it was asked about."
            ),
            "Evasive": share,
            "Relevant": share,
            "Collapsed": st.column_config.NumberColumn(
                width=80, help="Dialogues that ended because a side repeated itself."
            ),
        },
    )
    cells = event.selection.cells if event is not None else []
    if cells and int(cells[0][0]) < len(shown):
        open_bot(shown[int(cells[0][0])].bot)


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


def row(s: Standing) -> dict[str, object]:
    known = bool(s.inquiries)
    return {
        "Rank": words.ranks(s.rank_low, s.rank_high),
        "Bot": short(s.bot, 60),
        "Rate": round(s.rate, 3),
        "95% interval": f"{words.percent(s.low)} – {words.percent(s.high)}" if known else words.NOTHING,
        "Contradictions": s.contradictions,
        "Inquiries": s.inquiries,
        "Dialogues": words.distinct(s.distinct_dialogues, s.dialogues),
        "Failed": s.failed_dialogues or None,
        "Per dialogue": s.contradictions_per_dialogue,
        "Asked": round(s.asked_share, 3),
        "Evasive": round(s.evasion_rate, 3),
        "If evasions count": f"{words.percent(s.bounds[0])} – {words.percent(s.bounds[1])}"
        if known
        else None,
        "Relevant": round(s.relevant_rate, 3),
        "Remark": short(remark(s), 200),
    }


def open_bot(bot: str) -> None:
    st.switch_page("views/bot.py", query_params={**address.carried(), "bot": bot})


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
    with st.expander(
        "Questions that were not asked, and dialogues that broke down", on_change="rerun", key="aside"
    ) as box:
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
