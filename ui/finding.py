"""Which inquiries a page of transcripts shows: the filters, kept in the address."""

from __future__ import annotations

import streamlit as st

from db.matching import Wanted
from db.records import StoredTournament
from ui import address, data, picks
from ui.markup import short

ANY = "any"
SAYS = {
    ANY: "any verdict",
    "contradicts": "contradicts",
    "consistent": "consistent",
    "unjudged": "not judged",
}
LABELLED = {ANY: "labelled or not", "yes": "labelled by people", "no": "not labelled yet"}


def fields(chosen: StoredTournament, judges: list[data.Judge]) -> Wanted:
    """The fields in the sidebar, and what they ask for."""
    names = list(chosen.bots)
    with st.sidebar:
        st.html('<div class="section">Filter</div>')
        address.text(st.text_input, "Text", "text", placeholder="said, asked or answered")
        _pick("Bot under test", "tested", names)
        _pick("Speaker", "speaker", names)
        if judges:
            row = picks.judge(chosen, judges)
            picks.tau(row[3])
            address.choice(st.selectbox, "Verdict", "says", list(SAYS), default=ANY, show=SAYS.__getitem__)
            address.flag(
                st.toggle,
                "Judges disagree",
                "disagreed",
                help="Two judges on different sides of their own τ.",
            )
        address.choice(
            st.selectbox, "Labels", "labelled", list(LABELLED), default=ANY, show=LABELLED.__getitem__
        )
        _pick("Kind of inquiry", "kind", _kinds(chosen))
        _pick("Entity type", "entity", data.entity_types(chosen.id))
    return wanted(chosen, judges)


def wanted(chosen: StoredTournament, judges: list[data.Judge]) -> Wanted:
    """What the address asks for, with no field shown."""
    name = address.get("judge")
    judge = next((one for one in judges if one[1] == name), judges[0] if judges else None)
    says, labelled = address.get("says"), address.get("labelled")
    tau = address.value("tau", 0.0, 1.0, judge[3] if judge else 0.5)
    return Wanted(
        speaker=address.among("speaker", chosen.bots),
        tested=address.among("tested", chosen.bots),
        kind=address.among("kind", _kinds(chosen)),
        entity_type=address.among("entity", data.entity_types(chosen.id)),
        judge=judge[0] if judge else None,
        above=tau if says == "contradicts" and judge else None,
        below=tau if says == "consistent" and judge else None,
        unjudged=says == "unjudged" and judge is not None,
        disagreed=address.get("disagreed") == "1",
        text=address.get("text"),
        labelled={"yes": True, "no": False}.get(labelled or ""),
    )


def _kinds(chosen: StoredTournament) -> list[str]:
    return list((chosen.config.get("inquirer") or {}).get("kinds", ()))


def _pick(label: str, name: str, options: list[str]) -> None:
    address.choice(st.selectbox, label, name, [ANY, *options], default=ANY, show=lambda one: short(one, 60))
