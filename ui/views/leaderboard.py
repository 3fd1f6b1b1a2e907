"""Leaderboard: who contradicts itself least, and how sure that is."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from arena.results.view import View
from arena.stats.counts import HEADLINE, Kinds
from arena.stats.standings import Leaderboard, Standing
from db.conduct import Conduct
from db.pages import States
from db.records import StoredTournament
from ui import charts, data, live, picks, results, words
from ui.markup import short

RANKING, PAIRS, STABILITY, TAU, GROUPS = (
    "Ranking",
    "Pairs",
    "Stability",
    "τ and distance",
    "Kinds and entities",
)
ALL = "all"
MANY_BOTS = 25
MANY_DIALOGUES = 20_000
MOST_DIALOGUES = 300_000
ROUNDS = (100, 1000)


def main() -> None:
    st.title("Leaderboard")
    stored = data.tournaments()
    if not stored:
        words.notice(picks.EMPTY)
        return
    chosen = picks.tournament(stored)
    states = data.states(chosen.id)
    if live.under_way(states):
        live.follow(chosen)
    elif states.failed:
        failures(states)
    judges = data.judges(chosen.id)
    if not judges:
        nothing_judged(chosen, states)
        return
    with words.show_arena_errors():
        judged(chosen, judges)


def failures(states: States) -> None:
    reasons = ", ".join(f"{n} × {short(reason, 60)}" for reason, n in sorted(states.failures.items()))
    words.notice(
        f"{words.plural(states.failed, 'dialogue')} of {words.count(states.planned)} failed ({reasons}) and "
        "count nowhere; 'arena run FILE --retry-failed' plays them again.",
        "warn",
    )


def nothing_judged(chosen: StoredTournament, states: States) -> None:
    if states.planned and states.failed == states.planned:
        words.notice("Every dialogue failed, so there is nothing to judge.", "bad")
    elif live.under_way(states) and not states.over:
        words.notice("The first dialogues are being played; nothing is judged yet.")
    else:
        words.notice(
            f"Nothing is judged yet: 'arena judge {chosen.id} --judge NAME' judges what is stored.", "warn"
        )


def judged(chosen: StoredTournament, judges: list[data.Judge]) -> None:
    a, b, c, d = st.columns([2, 3, 2, 2], vertical_alignment="bottom")
    with a:
        judge = picks.judge(chosen, judges)
    seen = results.view(chosen, judge[1])
    with b:
        tau = st.slider(
            "τ: contradiction above",
            0.0,
            1.0,
            round(seen.judge.tau, 2),
            0.01,
            key=f"tau_{chosen.id}_{judge[0]}",
            help="Verdicts are stored as probabilities; nothing is judged again.",
        )
    both = " + ".join(HEADLINE)
    kind = c.selectbox("Kind", [both, *seen.inquiries.kinds, ALL], key=f"kind_{chosen.id}")
    distances = (
        [*sorted({int(d) for d in chosen.config["inquirer"].get("distances", ())}), ALL]
        if chosen.config.get("inquirer")
        else [ALL]
    )
    distance = d.selectbox("Distance in turns", distances, key=f"distance_{chosen.id}")
    only = HEADLINE if kind == both else None if kind == ALL else kind
    far = None if distance == ALL else int(distance)
    board = results.board(seen, tau, only, far)
    for note in board.notes:
        words.notice(note, "warn")
    shown = st.segmented_control(
        "Show",
        [RANKING, PAIRS, STABILITY, TAU, GROUPS],
        default=RANKING,
        required=True,
        label_visibility="collapsed",
        key="leaderboard_view",
    )
    if shown == RANKING:
        ranking(board, seen)
    elif shown == PAIRS:
        pairs(board, seen)
    elif shown == STABILITY:
        stability(seen, tau, only, far)
    elif shown == TAU:
        sweep(board, seen, tau, only, far)
    else:
        groups(board)


# ── the parts ─────────────────────────────────────────────────────────────────────────────────────


def ranking(board: Leaderboard, seen: View) -> None:
    words.lead(in_words(board))
    known = [s for s in board.standings if s.rank > 0]
    if known:
        with st.container(height=560 if len(known) > MANY_BOTS else "content", border=False):
            event = st.altair_chart(
                charts.intervals(board.standings), on_select="rerun", key=f"rates_{board.tau}"
            )
        rows = (event.selection.get("click") or []) if event is not None else []
        if rows:
            read(seen, board, tested=board.standings[int(rows[0]["row"])].bot)
    table = pd.DataFrame(
        {
            "Rank": [words.ranks(s.rank_low, s.rank_high) for s in board.standings],
            "Bot": [short(s.bot, 60) for s in board.standings],
            "Rate": [round(s.rate, 3) for s in board.standings],
            "95% interval": [
                f"{words.percent(s.low)} – {words.percent(s.high)}" if s.rank else words.NOTHING
                for s in board.standings
            ],
            "Inquiries": [s.inquiries for s in board.standings],
            "Contradictions": [s.contradictions for s in board.standings],
            "Dialogues": [s.dialogues for s in board.standings],
            "A dialogue": [s.contradictions_per_dialogue for s in board.standings],
            "Evasive": [round(s.evasion_rate, 3) for s in board.standings],
            "Relevant": [round(s.relevant_rate, 3) for s in board.standings],
            "Remark": [remark(s) for s in board.standings],
        }
    )
    st.caption("Click a point, or the box left of a row, to read the bot's transcripts.")
    share = st.column_config.NumberColumn(format="percent", width=80)
    event = st.dataframe(
        table,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key=f"standings_{seen.tournament.id}",
        placeholder=words.NOTHING,
        column_config={
            "Rank": st.column_config.TextColumn(width=60, help="Ranks that the intervals leave open."),
            "Rate": st.column_config.NumberColumn("Contradiction rate", format="percent"),
            "A dialogue": st.column_config.NumberColumn("Contradictions a dialogue", format="%.2f"),
            "Evasive": share,
            "Relevant": share,
        },
    )
    picked = event.selection.rows if event is not None else []
    if picked:
        read(seen, board, tested=board.standings[picked[0]].bot)
    missing(board, seen.tournament.id)


def in_words(board: Leaderboard) -> str:
    """What may be said, and no more."""
    ranked = [s for s in board.standings if s.rank > 0]
    if not ranked:
        return "No bot has a rate yet."
    if len(ranked) == 1:
        return f"Only {short(ranked[0].bot, 40)} has a rate; a ranking needs two bots."
    first = [s for s in ranked if s.rank == ranked[0].rank]
    if len(first) == len(ranked):
        return "No bot can be told from the others: their intervals overlap. More dialogues may part them."
    said = [
        f"{short(first[0].bot, 40)} contradicts itself least."
        if len(first) == 1
        else f"{names(first)} share rank {first[0].rank}: their intervals overlap."
    ]
    tied = sorted({s.rank for s in ranked if s.tied} - {first[0].rank})
    said += [f"{names([s for s in ranked if s.rank == rank])} share rank {rank}." for rank in tied]
    return " ".join(said[:4])


def names(standings: list[Standing]) -> str:
    shown = [short(s.bot, 40) for s in standings[:4]]
    if len(standings) > 4:
        return f"{', '.join(shown)} and {len(standings) - 4} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def remark(standing: Standing) -> str:
    said = []
    if standing.inquiries == 0:
        said.append("nothing judged")
    elif not standing.enough:
        said.append("not enough data")
    if standing.tied:
        said.append("tied")
    if not standing.comparable:
        said.append("rate not comparable: evasive or irrelevant")
    return ", ".join(said)


def missing(board: Leaderboard, tournament: str) -> None:
    rows = [
        {"Bot": short(s.bot, 60), "Why": short(reason, 60), "Inquiries": n}
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
            beside(board, tournament)


def beside(board: Leaderboard, tournament: str) -> None:
    """Read only when asked for: it costs as much as there are dialogues."""
    found = results.conduct(tournament)
    nothing = Conduct()
    reasons = sorted({reason for one in found.values() for reason in one.refused})
    if not reasons and not any(one.degenerate for one in found.values()):
        words.notice("Every question was asked, and no bot looped or said the same again and again.")
        return
    st.caption(
        "Degenerate: the bot says the same in half of its messages, loops, or says one word. "
        "The other columns are questions that the inquirer refused to ask, by reason."
    )
    rows = []
    for bot in board.order:
        one = found.get(bot, nothing)
        row: dict[str, str | int] = {"Bot": short(bot, 60), "Degenerate dialogues": one.degenerate_dialogues}
        rows.append(row | {reason: one.refused.get(reason, 0) for reason in reasons})
    st.dataframe(pd.DataFrame(rows), hide_index=True)


def pairs(board: Leaderboard, seen: View) -> None:
    if not any(cell.inquiries for row in board.matrix.values() for cell in row.values()):
        words.notice("No pair has a judged inquiry of this kind.")
        return
    st.caption(
        "Each cell: how often the bot under test contradicted itself when the speaker talked with it. "
        "Click one to read it."
    )
    order = board.order
    event = st.altair_chart(
        charts.pairs(board.matrix, order), on_select="rerun", key=f"pairs_{board.tau}", width="content"
    )
    rows = (event.selection.get("click") or []) if event is not None else []
    if rows:
        read(seen, board, speaker=order[int(rows[0]["i"])], tested=order[int(rows[0]["j"])])


def stability(seen: View, tau: float, kind: Kinds, distance: int | None) -> None:
    size = len(seen.inquiries.dialogues)
    few, many = ROUNDS
    large = size > MANY_DIALOGUES or len(seen.inquiries.bots) > MANY_BOTS
    rounds = st.segmented_control(
        "Sub-samples of each size",
        ROUNDS,
        default=few if large else many,
        required=True,
        key=f"rounds_{seen.tournament.id}",
        help=f"With {few} a share near 95% is right to about ±4 points, with {many} to about ±1.5.",
    )
    if size > MOST_DIALOGUES and not st.toggle("Work it out", key=f"stable_{seen.tournament.id}"):
        words.notice(
            f"Stability draws sub-samples of {words.count(size)} dialogues again and again and takes a minute or "
            "more here; so it is worked out only when asked for."
        )
        return
    found = results.stability(seen, tau, kind, distance, int(rounds or few))
    at = found.curve.stable_at()
    if at is None:
        words.lead(
            "The ranking is not stable yet: sub-samples of this size still give another order too often."
        )
    else:
        words.lead(f"From {words.plural(at, 'dialogue')} a pair on, 95% of sub-samples give this ranking.")
    for note in found.notes:
        words.notice(note, "warn")
    st.altair_chart(charts.stability(found))
    rows = [
        {"Bots": name, "Stable from (dialogues a pair)": curve.stable_at()}
        for name, curve in [("all", found.curve)]
        + [(f"without {short(b, 40)}", c) for b, c in found.leave_one_out.items()]
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={"Stable from (dialogues a pair)": st.column_config.NumberColumn(format="%d")},
    )


def sweep(board: Leaderboard, seen: View, tau: float, kind: Kinds, distance: int | None) -> None:
    found = results.sweep(seen, kind, distance)
    a, b = st.columns(2, gap="large")
    with a:
        st.subheader("Rate against τ")
        st.altair_chart(charts.sweep(found, board.order, tau))
    with b:
        st.subheader("Rate against distance")
        if len({d for s in board.standings for d in s.by_distance}) < 2:
            words.notice(
                "This tournament asks at one distance only; list more under 'distances' to see a curve."
            )
        else:
            st.altair_chart(charts.by_distance(board.standings))
    rows = {short(bot, 40): found.rates[bot] for bot in board.order}
    table = pd.DataFrame(rows, index=[f"{t:g}" for t in found.taus]).T
    st.dataframe(table.style.format(words.percent))


def groups(board: Leaderboard) -> None:
    for title, of in (("By kind of inquiry", "by_kind"), ("By entity type", "by_entity_type")):
        table = charts.groups(board.standings, of)
        if len(table.columns) > 1:
            st.subheader(title)
            st.dataframe(
                table,
                hide_index=True,
                placeholder=words.NOTHING,
                column_config={c: st.column_config.NumberColumn(format="percent") for c in table.columns[1:]},
            )
    induced = pd.DataFrame(
        {
            "Bot": [short(s.bot, 40) for s in board.standings],
            "Rate of the bots it talked with": [round(s.induced_rate, 3) for s in board.standings],
        }
    )
    st.subheader("As a speaker")
    st.dataframe(
        induced,
        hide_index=True,
        placeholder=words.NOTHING,
        column_config={"Rate of the bots it talked with": st.column_config.NumberColumn(format="percent")},
    )


def read(seen: View, board: Leaderboard, *, tested: str, speaker: str | None = None) -> None:
    parameters = {
        "tournament": seen.tournament.id,
        "judge": seen.judge.name,
        "tau": f"{board.tau:g}",
        "tested": tested,
        **({"speaker": speaker} if speaker else {}),
    }
    st.switch_page("views/transcripts.py", query_params=parameters)


main()
