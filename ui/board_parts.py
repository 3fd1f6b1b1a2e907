"""The leaderboard page below the ranking: pairs, stability, rates by τ, distance, kind and entity type."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from arena.results.view import View
from arena.stats.counts import Kinds
from arena.stats.standings import Leaderboard
from ui import address, assist, charts, pair_chart, results, words
from ui.markup import short

MANY_BOTS = 25
FEW_PAIRS = 4  # the largest number of bots whose matrix is readable on a phone
MANY_DIALOGUES = 20_000
MOST_DIALOGUES = 300_000
ROUNDS = (100, 1000)


def pairs(board: Leaderboard, seen: View) -> None:
    if not any(cell.inquiries for row in board.matrix.values() for cell in row.values()):
        words.notice("No pair has a judged inquiry of this kind.")
        return
    st.caption(
        "Each cell: how often the bot under test contradicted itself when the speaker talked with it. "
        "Click one to read it."
    )
    order = board.order
    few = (
        len(order) <= FEW_PAIRS
    )  # a small matrix shrinks with a phone's screen, a large one scrolls in its box
    with st.container(width=pair_chart.width(len(order)) if few else "stretch", key="pairs"):
        event = st.altair_chart(
            pair_chart.chart(board.matrix, order),
            on_select="rerun",
            key=f"pairs_{board.tau}",
            width="stretch" if few else "content",
        )
    rows = (event.selection.get("click") or []) if event is not None else []
    if rows:
        read(seen, board, speaker=order[int(rows[0]["i"])], tested=order[int(rows[0]["j"])])


def stability(board: Leaderboard, seen: View, tau: float, kind: Kinds, distance: int | None) -> None:
    if sum(bool(s.inquiries) for s in board.standings) < 2:
        words.notice("Stability needs two bots with judged inquiries; play or judge more dialogues first.")
        return
    size = len(seen.inquiries.dialogues)
    few, many = ROUNDS
    large = size > MANY_DIALOGUES or len(seen.inquiries.bots) > MANY_BOTS
    rounds = address.choice(
        st.segmented_control,
        "Sub-samples of each size",
        "rounds",
        ROUNDS,
        default=few if large else many,
        required=True,
        help=f"With {few} a share near 95% is right to about ±4 points, with {many} to about ±1.5.",
    )
    if size > MOST_DIALOGUES and not address.flag(st.toggle, "Work it out", "stability"):
        words.notice(
            f"Stability draws sub-samples of {words.count(size)} dialogues again and again and takes a minute or "
            "more here; so it is worked out only when asked for."
        )
        return
    result = results.stability(seen, tau, kind, distance, rounds)
    at = result.curve.stable_at()
    if at is None:
        words.lead(
            "The ranking is not stable yet: sub-samples of this size still give another order too often."
        )
    else:
        words.lead(f"From {words.plural(at, 'dialogue')} a pair on, 95% of sub-samples give this ranking.")
    for note in result.notes:
        words.notice(note, "warn")
    st.altair_chart(charts.stability(result))
    rows = [
        {"Bots": name, "Stable from (dialogues per pair)": curve.stable_at()}
        for name, curve in [("all", result.curve)]
        + [(f"without {short(b, 40)}", c) for b, c in result.leave_one_out.items()]
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={"Stable from (dialogues per pair)": st.column_config.NumberColumn(format="%d")},
    )


def sweep(board: Leaderboard, seen: View, tau: float, kind: Kinds, distance: int | None) -> None:
    swept = results.sweep(seen, kind, distance)
    a, b = st.columns(2, gap="large")
    with a:
        st.subheader("Rate against τ")
        st.altair_chart(charts.sweep(swept, board.order, tau))
    with b:
        st.subheader("Rate against distance")
        if len({d for s in board.standings for d in s.by_distance}) < 2:
            words.notice(
                "This tournament asks at one distance only; list more under 'distances' to see a curve."
            )
        else:
            st.altair_chart(charts.by_distance(board.standings))
    asked = {s.bot: s.inquiries for s in board.standings}
    rows = {f"{short(bot, 40)} (n = {words.count(asked[bot])})": swept.rates[bot] for bot in board.order}
    table = pd.DataFrame(rows, index=[f"{t:g}" for t in swept.taus]).T
    st.dataframe(table.style.format(words.percent))


def groups(board: Leaderboard) -> None:
    for title, of in (("By kind of inquiry", "by_kind"), ("By entity type", "by_entity_type")):
        table = charts.groups(board.standings, of)
        if len(table.columns) > 1:
            st.subheader(title)
            words.table(table.fillna(words.NOTHING).to_dict("records"))
    spoke = {speaker: sum(cell.inquiries for cell in row.values()) for speaker, row in board.matrix.items()}
    induced = pd.DataFrame(
        {
            "Bot": [short(s.bot, 40) for s in board.standings],
            "Rate of the bots it talked with": [
                charts.of_how_many(s.induced_rate, spoke.get(s.bot, 0)) for s in board.standings
            ],
        }
    )
    st.subheader("As a speaker")
    words.table(induced.to_dict("records"))


def read(seen: View, board: Leaderboard, *, tested: str, speaker: str | None = None) -> None:
    """Open the transcripts of a bot or a pair."""
    parameters = {
        **address.carried(),
        "tournament": seen.tournament.id,
        "judge": seen.judge.name,
        "tau": f"{board.tau:g}",
        "tested": tested,
        **({"speaker": speaker} if speaker else {}),
    }
    assist.go("transcripts", parameters)
