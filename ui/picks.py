"""What several pages let people choose: tournament, judge, τ. The choice follows them from page to page and by URL."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from db.records import StoredTournament
from ui import data
from ui.markup import short

EMPTY = (
    "There is no tournament yet. Start one on the page Launch, or in a terminal: "
    "'arena demo' plays a small one in a few minutes."
)


def remembered(name: str) -> str | None:
    """From the URL, else from another page of this visit."""
    given = st.query_params.get(name)
    if given:
        st.session_state[f"picked_{name}"] = given
    found: str | None = st.session_state.get(f"picked_{name}")
    return found


def remember(name: str, value: str) -> None:
    st.session_state[f"picked_{name}"] = value
    if st.query_params.get(name) != value:
        st.query_params[name] = value


def title(tournament: StoredTournament) -> str:
    return f"{short(tournament.release, 60)} · {len(tournament.bots)} bots · {tournament.id[:8]}"


def tournament(stored: Sequence[StoredTournament]) -> StoredTournament:
    """One of them; by release first where there are several."""
    ids = {t.id: t for t in stored}
    wanted = ids.get(remembered("tournament") or "", stored[0])
    releases = list(dict.fromkeys(t.release for t in stored))
    left, right = st.columns([1, 2])
    with left:
        release = st.selectbox(
            "Release",
            releases,
            index=releases.index(wanted.release),
            format_func=lambda tag: short(tag, 60),
            key=f"release_{wanted.id}",
        )
    among = [t for t in stored if t.release == release]
    with right:
        chosen = st.selectbox(
            "Tournament",
            among,
            index=among.index(wanted) if wanted in among else 0,
            format_func=title,
            key=f"tournament_{wanted.id}_{release}",
        )
    remember("tournament", chosen.id)
    return ids[chosen.id]


def judge_title(judge: data.Judge, judges: Sequence[data.Judge]) -> str:
    _, name, revision, _ = judge
    twice = sum(other[1] == name for other in judges) > 1
    return f"{short(name, 60)} ({revision[:10]})" if twice else short(name, 60)


def judge(chosen: StoredTournament, judges: Sequence[data.Judge]) -> data.Judge:
    """The one picked before, else the first of the tournament's file."""
    listed = [entry["name"] for entry in chosen.config.get("judges", ())]
    wanted = [remembered("judge"), *listed]
    at = next((i for name in wanted for i, one in enumerate(judges) if one[1] == name), 0)
    picked: data.Judge = st.selectbox(
        "Judge",
        judges,
        index=at,
        format_func=lambda one: judge_title(one, judges),
        key=f"judge_{chosen.id}_{at}_{len(judges)}",
    )
    remember("judge", picked[1])
    return picked
