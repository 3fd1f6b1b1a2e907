"""The choices that several pages share: tournament, judge, τ.

They are kept in the address. Their fields are in the sidebar, which is a drawer on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from arena.stats.counts import HEADLINE, Kinds
from db.records import JudgeRow, StoredTournament
from ui import address, words
from ui.markup import short

BOTH, ALL = " + ".join(HEADLINE), "all"


def nothing_yet() -> None:
    """The message that replaces a page as long as the database is empty."""
    words.notice(
        "There is no tournament yet. Start one on the page Launch, or in a terminal: "
        "'arena demo' plays a small one in a few minutes."
    )
    st.page_link("views/launch.py", label="Launch a tournament", icon=":material/rocket_launch:")


def title(tournament: StoredTournament) -> str:
    return f"{short(tournament.release, 60)} · {len(tournament.bots)} bots · {tournament.id[:8]}"


def tournament(stored: Sequence[StoredTournament]) -> StoredTournament:
    """Return the tournament in the address, or else the newest; its field is in the sidebar."""
    ids = {t.id: t for t in stored}
    if (wrong := address.unknown("tournament", ids)) is not None:
        words.notice(
            f"There is no tournament '{short(wrong, 40)}' in this database; the newest one is shown instead.",
            "warn",
        )
    st.sidebar.html('<div class="section">Shown</div>')
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


def judge_title(judge: JudgeRow, judges: Sequence[JudgeRow]) -> str:
    twice = sum(other.name == judge.name for other in judges) > 1
    return f"{short(judge.name, 60)} ({judge.revision[:10]})" if twice else short(judge.name, 60)


def judge(chosen: StoredTournament, judges: Sequence[JudgeRow]) -> JudgeRow:
    """Return the judge in the address, or else the first judge of the tournament's file in its newest revision."""
    listed = [entry["name"] for entry in chosen.judges]
    usual = next((one for name in listed for one in judges if one.name == name), judges[0])
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


def _code(judge: JudgeRow, judges: Sequence[JudgeRow]) -> str:
    """The judge's name; for an older revision, the name followed by the revision."""
    newest = next(one for one in judges if one.name == judge.name)
    return judge.name if newest == judge else f"{judge.name}@{judge.revision[:10]}"


def tau(own: float) -> float:
    """Ask for the threshold τ, above which a score counts as a contradiction."""
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


def counted(chosen: StoredTournament, known: Sequence[str]) -> tuple[Kinds, int | None]:
    """Return the kinds and the distance that the rate includes."""
    kind = address.choice(st.sidebar.selectbox, "Kinds of inquiry", "kind", [BOTH, *known, ALL], default=BOTH)
    asked = (chosen.config.get("inquirer") or {}).get("distances", ())
    distances = [str(d) for d in sorted({int(d) for d in asked})] or ["0"]
    distance = address.choice(
        st.sidebar.selectbox,
        "Distance in turns",
        "distance",
        [*distances, ALL],
        default="0" if "0" in distances else distances[0],
    )
    return (
        HEADLINE if kind == BOTH else None if kind == ALL else kind,
        None if distance == ALL else int(distance),
    )
