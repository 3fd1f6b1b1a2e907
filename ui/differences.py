"""Shows the contradictions that are new in a release, and those that have disappeared."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from arena.stats.comparison import Comparison, Verdict
from db.matching import Hit
from db.records import StoredTournament
from ui import address, assist, data, listing, words
from ui.markup import short

LISTED = 2000  # contradictions of a bot that are compared on each side
SHOWN = 20
CAPTIONS = ("Said", "Asked", "Answered")


def contradictions(
    base: StoredTournament, other: StoredTournament, comparison: Comparison, judge: str
) -> None:
    """Show the new and the disappeared contradictions of a bot that has changed."""
    changed = [c.bot for c in comparison.changes if c.verdict is not Verdict.UNCHANGED]
    if not changed:
        return
    with address.box("Contradictions that are new, and those that are gone", "new", other.id) as box:
        if not box.open:
            return
        bot = address.choice(
            st.selectbox, "Bot", "changed", changed, default=changed[0], show=lambda name: short(name, 60)
        )
        before, after = flagged(base, bot, judge), flagged(other, bot, judge)
        for title, tournament, here, there in (
            (f"New in {short(other.release, 40)}", other, after, before),
            (f"Gone since {short(base.release, 40)}", base, before, after),
        ):
            hits = [hit for key, hit in here.items() if key not in there]
            cut = f"; the {SHOWN} clearest are shown" if len(hits) > SHOWN else ""
            st.caption(f"{title}: {words.count(len(hits))}{cut}")
            if hits:
                listing.rows(CAPTIONS, [row(tournament, hit) for hit in hits[:SHOWN]])
    clicked = assist.clicked()
    if "inquiry" in clicked:
        read(clicked, judge)


def row(tournament: StoredTournament, hit: Hit) -> listing.Row:
    return listing.Row(
        {"tournament": tournament.id, "dialogue": hit.dialogue, "inquiry": hit.inquiry},
        (hit.source or words.NOTHING, hit.question, hit.answer or words.NOTHING),
        (words.tag(f"score {words.number(hit.contradiction, 3)}", "bad"),),
    )


def read(clicked: Mapping[str, str], judge: str) -> None:
    names = ("tournament", "dialogue", "inquiry")
    assist.go(
        "transcripts",
        {"judge": judge, **{name: clicked.get(name, "") for name in names}},
    )


def flagged(tournament: StoredTournament, bot: str, judge: str) -> dict[tuple[str, str], Hit]:
    """Return the bot's contradictions by (what was said, question), the clearest first."""
    chosen = next(each for each in data.judges(tournament.id) if each.name == judge)
    hits = data.pages().worst(tournament.id, bot, chosen.row, chosen.tau, LISTED)
    clearest: dict[tuple[str, str], Hit] = {}
    for hit in hits:
        clearest.setdefault(((hit.source or "").casefold(), hit.question.casefold()), hit)
    return clearest
