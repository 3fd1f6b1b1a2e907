"""Shows the contradictions that are new in a release, and those that have disappeared."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from arena.stats.comparison import Comparison, Verdict
from db.matching import Hit
from db.records import StoredTournament
from ui import data, words
from ui.markup import short

LISTED = 2000  # contradictions of a bot that are compared on each side
SHOWN = 20


def contradictions(
    base: StoredTournament, other: StoredTournament, comparison: Comparison, judge: str
) -> None:
    """Show the new and the disappeared contradictions of a bot that has changed."""
    changed = [c.bot for c in comparison.changes if c.verdict is not Verdict.UNCHANGED]
    if not changed:
        return
    with st.expander(
        "Contradictions that are new, and those that are gone", on_change="rerun", key=f"new_{other.id}"
    ) as box:
        if not box.open:
            return
        bot = st.selectbox(
            "Bot", changed, format_func=lambda name: short(name, 60), key=f"new_bot_{other.id}"
        )
        before, after = flagged(base, bot, judge), flagged(other, bot, judge)
        for title, here, there in (
            (f"New in {short(other.release, 40)}", after, before),
            (f"Gone since {short(base.release, 40)}", before, after),
        ):
            st.caption(title)
            rows = [hit for key, hit in here.items() if key not in there]
            if not rows:
                words.notice("None.")
                continue
            tournament = other if here is after else base
            if len(rows) > SHOWN:
                st.caption(
                    f"The {SHOWN} clearest of {words.count(len(rows))}. Click a row to read its dialogue."
                )
            rows = rows[:SHOWN]
            event = st.dataframe(
                pd.DataFrame(
                    [
                        {
                            "Said": short(h.source, 160),
                            "Asked": short(h.question, 120),
                            "Answered": short(h.answer, 160),
                            "Contradiction": words.number(h.contradiction, 3),
                        }
                        for h in rows
                    ]
                ),
                hide_index=True,
                on_select="rerun",
                selection_mode="single-cell",
                key=f"contradictions_{title}_{tournament.id}_{bot}",
            )
            cells = event.selection.cells if event is not None else []
            if cells and int(cells[0][0]) < len(rows):
                read(tournament, rows[int(cells[0][0])], judge)


def read(tournament: StoredTournament, hit: Hit, judge: str) -> None:
    st.switch_page(
        "views/transcripts.py",
        query_params={
            "tournament": tournament.id,
            "judge": judge,
            "dialogue": hit.dialogue,
            "inquiry": hit.inquiry,
        },
    )


def flagged(tournament: StoredTournament, bot: str, judge: str) -> dict[tuple[str, str], Hit]:
    """Return the bot's contradictions by (what was said, question), the clearest first."""
    chosen = next(each for each in data.judges(tournament.id) if each.name == judge)
    hits = data.pages().worst(tournament.id, bot, chosen.row, chosen.tau, LISTED)
    clearest: dict[tuple[str, str], Hit] = {}
    for hit in hits:
        clearest.setdefault(((hit.source or "").casefold(), hit.question.casefold()), hit)
    return clearest
