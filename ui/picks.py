"""What several pages let people choose: tournament, judge, τ. The choices stand in the address, the fields in the
sidebar, which is a drawer on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from db.records import StoredTournament
from ui import address, data, words
from ui.markup import short

EMPTY = (
    "There is no tournament yet. Start one on the page Launch, or in a terminal: "
    "'arena demo' plays a small one in a few minutes."
)


def title(tournament: StoredTournament) -> str:
    return f"{short(tournament.release, 60)} · {len(tournament.bots)} bots · {tournament.id[:8]}"


def tournament(stored: Sequence[StoredTournament]) -> StoredTournament:
    """The one in the address, else the newest; its field is in the sidebar."""
    ids = {t.id: t for t in stored}
    if (wrong := address.unknown("tournament", ids)) is not None:
        words.notice(
            f"There is no tournament '{short(wrong, 40)}' in this database; the newest one is shown instead.",
            "warn",
        )
    chosen = address.choice(
        st.sidebar.selectbox,
        "Tournament",
        "tournament",
        list(ids),
        default=stored[0].id,
        always=True,
        show=lambda id: title(ids[id]),
    )
    return ids[chosen]


def judge_title(judge: data.Judge, judges: Sequence[data.Judge]) -> str:
    _, name, revision, _ = judge
    twice = sum(other[1] == name for other in judges) > 1
    return f"{short(name, 60)} ({revision[:10]})" if twice else short(name, 60)


def judge(chosen: StoredTournament, judges: Sequence[data.Judge]) -> data.Judge:
    """The one in the address, else the first of the tournament's file; each name at its newest revision first."""
    listed = [entry["name"] for entry in chosen.judges]
    usual = next((one for name in listed for one in judges if one[1] == name), judges[0])
    codes = {_code(one, judges): one for one in judges}
    if (wrong := address.unknown("judge", codes)) is not None:
        words.notice(f"No judge '{short(wrong, 40)}' has judged this tournament.", "warn")
    return address.choice(
        st.sidebar.selectbox,
        "Judge",
        "judge",
        judges,
        default=usual,
        always=True,
        code=lambda one: _code(one, judges),
        show=lambda one: judge_title(one, judges),
    )


def _code(judge: data.Judge, judges: Sequence[data.Judge]) -> str:
    """The name; an older revision of the same judge carries its revision too."""
    _, name, revision, _ = judge
    newest = next(one for one in judges if one[1] == name)
    return name if newest == judge else f"{name}@{revision[:10]}"


def tau(own: float) -> float:
    """The bound above which a score counts as a contradiction."""
    return address.number(
        st.sidebar.slider,
        "τ: contradiction above",
        "tau",
        0.0,
        1.0,
        default=round(own, 2),
        step=0.01,
        help="Verdicts are stored as probabilities; nothing is judged again.",
    )
