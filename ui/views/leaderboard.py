"""Leaderboard: the bots by contradiction rate, with the uncertainty of each rank."""

from __future__ import annotations

import streamlit as st

from arena.core.types import Check
from arena.report.headline import headline, unranked
from db.records import JudgeRow, StoredTournament
from ui import address, board_parts, data, finding, live, picks, ranking, results, words
from ui.markup import short

RANKING, PAIRS, STABILITY, TAU, GROUPS = (
    "Ranking",
    "Pairs",
    "Stability",
    "τ and distance",
    "Kinds and entities",
)
OF_MESSAGES = [RANKING, PAIRS, STABILITY]  # messages have neither kinds nor distances


def main() -> None:
    st.title("Leaderboard")
    stored = data.tournaments()
    if not stored:
        picks.nothing_yet()
        return
    chosen = picks.tournament(stored)
    states = data.states(chosen.id)
    if live.under_way(states):
        live.follow(chosen)
    elif states.failed:
        live.failures(states)
    judges = data.judges(chosen.id)
    if not judges:
        if not live.under_way(states):
            live.follow(chosen)  # the judge may just be loading
        live.nothing_judged(chosen, states)
        return
    with words.show_arena_errors():
        judged(chosen, picks.judge(chosen, judges))


def judged(chosen: StoredTournament, judge: JudgeRow) -> None:
    check = what(chosen)
    messages = check is not Check.INQUIRY
    seen = results.checked(chosen, check, judge.name) if messages else results.view(chosen, judge.name)
    tau = picks.tau(seen.judge.tau)
    kind, distance = (None, None) if messages else picks.counted(chosen, seen.inquiries.kinds)
    board = results.board(seen, tau, kind, distance)
    counts_what = (
        f"messages under the check {check.value}"
        if messages
        else f"kinds {address.get('kind') or picks.BOTH} · distance {picks.ALL if distance is None else distance}"
    )
    st.caption(
        f"Release {short(chosen.release, 60)} · judge {short(judge.name, 40)} · τ {tau:g} · {counts_what}"
    )
    if not live.under_way(data.states(chosen.id)) and data.waiting(chosen.id, judge.row):
        live.judging(chosen, judge)
    words.headline(headline(board, lambda name: short(name, 40)))
    if (without := unranked(board, lambda name: short(name, 40))) is not None:
        words.lead(without)
    for note in board.notes:
        if not note.startswith("Not enough data to rank"):  # stands above already
            words.notice(note, "warn")
    shown = address.choice(
        st.segmented_control,
        "Show",
        "view",
        OF_MESSAGES if messages else [*OF_MESSAGES, TAU, GROUPS],
        default=RANKING,
        required=True,
        label_visibility="collapsed",
    )
    if shown == RANKING:
        ranking.show(board, seen)
    elif shown == PAIRS:
        board_parts.pairs(board, seen)
    elif shown == STABILITY:
        board_parts.stability(board, seen, tau, kind, distance)
    elif shown == TAU:
        board_parts.sweep(board, seen, tau, kind, distance)
    else:
        board_parts.groups(board)


def what(chosen: StoredTournament) -> Check:
    """Return the check whose rates are shown: answers to inquiries, or messages."""
    checks = finding.checks_of(chosen)
    if len(checks) == 1:
        return Check.INQUIRY
    return Check(
        address.choice(
            st.sidebar.selectbox,
            "Check",
            "check",
            checks,
            default=finding.INQUIRY,
            show=finding.CHECKS.__getitem__,
        )
    )


main()
