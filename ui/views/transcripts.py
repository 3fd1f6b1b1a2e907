"""Transcripts: find inquiries, read dialogues."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from db.matching import Hit, Matches, Wanted
from db.records import Place, StoredTournament
from ui import address, data, finding, picks, reading, words
from ui.markup import short

LIMIT = 50
FIRST = {"history": "It had said", "persona": "It was told", "knowledge": "It was given"}
NOUNS = {True: ("inquiry", "inquiries"), False: ("message", "messages")}
FIXED = {"knowledge": "(its knowledge)"}  # too long for a cell


def main() -> None:
    st.title("Transcripts")
    stored = data.tournaments() + data.tournaments(chats=True)
    if not stored:
        picks.nothing_yet()
        return
    key = address.get("dialogue")
    if key:
        reading.dialogue(key, stored)
    else:
        search(stored)


def search(stored: list[StoredTournament]) -> None:
    chosen = picks.tournament(stored)
    wanted = finding.fields(chosen, data.judges(chosen.id))
    trail = pages_so_far("trail", (chosen.id, wanted))
    matches = data.matching(chosen.id, wanted, trail[-1], LIMIT)
    if matches.hits:
        table(chosen, matches, f"hits_{len(trail)}", wanted.check)
    else:
        words.notice(nothing(chosen, wanted, matches.next is not None))
    turn_page(trail, matches, wanted)
    all_dialogues(chosen, wanted)


def pages_so_far(name: str, state: object) -> list[Place | None]:
    """Return where each page of a list begins. A changed filter starts a new list."""
    trail: list[Place | None] = st.session_state.setdefault(name, [None])
    if st.session_state.get(f"{name}_of") != state:
        st.session_state[f"{name}_of"] = state
        trail[:] = [None]
    return trail


def table(chosen: StoredTournament, matches: Matches, key: str, check: str | None) -> None:
    hits = matches.hits
    first, last = ("Said", "Answered") if check is None else (FIRST[check], "Then it said")
    rows = cells_of(hits, first, last, check)
    st.caption("Click a row to read its dialogue.")
    event = st.dataframe(
        rows,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        height=min(38 + 35 * len(rows), 640),
        column_config={
            **{name: st.column_config.TextColumn(width="medium") for name in (first, "Asked", last)},
            "Contradiction": st.column_config.ProgressColumn(
                min_value=0.0, max_value=1.0, format="%.3f", width=110
            ),
            "Bot": st.column_config.TextColumn(width=80),
            "Speaker": st.column_config.TextColumn(width=80),
            "No.": st.column_config.NumberColumn(width=50),
            "Kind": st.column_config.TextColumn(width=85),
            "Labels": st.column_config.NumberColumn(width=60),
        },
        placeholder=words.NOTHING,
        key=key,
    )
    cells = event.selection.cells if event is not None else []
    if cells and int(cells[0][0]) < len(hits):
        hit = hits[int(cells[0][0])]
        reading.open_dialogue(chosen.id, hit.dialogue, hit.inquiry)


def cells_of(hits: Sequence[Hit], first: str, last: str, check: str | None) -> pd.DataFrame:
    """Return the cells of the table, one row per match."""
    rows = pd.DataFrame(
        {
            first: [short(h.source, 160) if h.source else FIXED.get(check or "", "") for h in hits],
            "Asked": [short(h.question, 120) for h in hits],
            last: [
                short(h.answer, 160) if h.answer is not None else f"({short(h.reason, 40)})" for h in hits
            ],
            "Contradiction": [h.contradiction for h in hits],
            "Bot": [short(h.tested, 40) for h in hits],
            "Speaker": [short(h.speaker, 40) for h in hits],
            "No.": [h.number for h in hits],
            "Kind": [h.kind for h in hits],
            "Labels": [h.labels or None for h in hits],
        }
    ).drop(columns=[] if check is None else ["Asked", "Kind"])
    # a column without labels would take room from the texts
    return rows if any(h.labels for h in hits) else rows.drop(columns="Labels")


def turn_page(trail: list[Place | None], matches: Matches, wanted: Wanted) -> None:
    before, behind, summary = st.columns([1, 1, 6], vertical_alignment="center")
    if before.button("Back", disabled=len(trail) < 2, icon=":material/chevron_left:"):
        trail.pop()
        st.rerun()
    if behind.button("More", disabled=matches.next is None, icon=":material/chevron_right:"):
        trail.append(matches.next)
        st.rerun()
    more = " There is more to search." if matches.next is not None else ""
    summary.caption(
        f"Page {len(trail)}: {words.plural(len(matches.hits), *NOUNS[wanted.check is None])} "
        f"in {words.plural(matches.looked, 'dialogue')} searched.{more}"
    )


def nothing(chosen: StoredTournament, wanted: Wanted, more: bool) -> str:
    if more:
        return "Nothing found so far; 'More' continues the search."
    states = data.states(chosen.id)
    if states.planned and states.failed == states.planned:
        reasons = ", ".join(f"{n} × {reason}" for reason, n in sorted(states.failures.items()))
        return f"All {words.plural(states.failed, 'dialogue')} failed ({reasons}), so nothing was asked."
    if wanted == Wanted(judge=wanted.judge, check=wanted.check):
        if states.planned and not states.over:
            return "The first dialogues are being played; nothing has been asked yet."
        return "No inquiry is stored here." if wanted.check is None else "This judge has not made this check."
    return f"No {NOUNS[wanted.check is None][0]} matches; loosen a filter."


def all_dialogues(chosen: StoredTournament, wanted: Wanted) -> None:
    """Show a list of all dialogues, including dialogues without inquiries."""
    with st.expander(
        "All dialogues, with or without inquiries", expanded=False, on_change="rerun", key="all_dialogues"
    ) as box:
        if not box.open:
            return
        trail = pages_so_far("entries_trail", (chosen.id, wanted.speaker, wanted.tested))
        entries = data.pages().entries(chosen.id, wanted.speaker, wanted.tested, trail[-1])
        rows = pd.DataFrame(
            {
                "Speaker": [short(e.speaker, 40) for e in entries.rows],
                "Bot under test": [short(e.tested, 40) for e in entries.rows],
                "No.": [e.number for e in entries.rows],
                "Status": [e.status for e in entries.rows],
                "Reason": [short(e.reason, 60) for e in entries.rows],
                "Inquiries": [e.inquiries for e in entries.rows],
                "Seconds": [e.seconds for e in entries.rows],
            }
        )
        event = st.dataframe(
            rows,
            hide_index=True,
            on_select="rerun",
            selection_mode="single-cell",
            key=f"entries_{len(trail)}",
        )
        cells = event.selection.cells if event is not None else []
        if cells and int(cells[0][0]) < len(entries.rows):
            reading.open_dialogue(chosen.id, entries.rows[int(cells[0][0])].dialogue, None)
        before, behind, _ = st.columns([1, 1, 6])
        if before.button("Back", disabled=len(trail) < 2, key="entries_back"):
            trail.pop()
            st.rerun()
        if behind.button("More", disabled=entries.next is None, key="entries_more"):
            trail.append(entries.next)
            st.rerun()


main()
