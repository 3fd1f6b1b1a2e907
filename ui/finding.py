"""The filters of the transcripts page, which are kept in the address."""

from __future__ import annotations

import streamlit as st

from db.matching import Wanted
from db.records import JudgeRow, StoredTournament
from ui import address, data, picks
from ui.markup import short

ANY = "any"
SAYS = {
    ANY: "any verdict",
    "contradicts": "contradicts",
    "consistent": "consistent",
    "unjudged": "not judged",
}
INQUIRY = "inquiry"
CHECKS = {
    INQUIRY: "answers to inquiries",
    "history": "messages: history",
    "persona": "messages: persona",
    "knowledge": "messages: knowledge",
}
LABELLED = {ANY: "labelled or not", "yes": "labelled by people", "no": "not labelled yet"}


def fields(chosen: StoredTournament, judges: list[JudgeRow]) -> Wanted:
    """Show the filter fields in the sidebar and return the filter."""
    names = list(chosen.bots)
    with st.sidebar:
        st.html('<div class="section">Filter</div>')
        address.text(st.text_input, "Text", "text", placeholder="said, asked or answered")
        checks = checks_of(chosen)
        if len(checks) > 1:
            address.choice(st.selectbox, "Check", "check", checks, default=INQUIRY, show=CHECKS.__getitem__)
        _pick("Bot under test", "tested", names)
        _pick("Speaker", "speaker", names)
        if judges:
            picks.tau(picks.judge(chosen, judges).tau)
            address.choice(st.selectbox, "Verdict", "says", list(SAYS), default=ANY, show=SAYS.__getitem__)
            if address.among("check", checks) in (None, INQUIRY):
                address.flag(
                    st.toggle,
                    "Judges disagree",
                    "disagreed",
                    help="Two judges on different sides of their own τ.",
                )
        address.choice(
            st.selectbox, "Labels", "labelled", list(LABELLED), default=ANY, show=LABELLED.__getitem__
        )
        if address.among("check", checks) in (None, INQUIRY):
            _pick("Kind of inquiry", "kind", _kinds(chosen))
            _pick("Entity type", "entity", data.entity_types(chosen.id))
    return wanted(chosen, judges)


def checks_of(chosen: StoredTournament) -> list[str]:
    """The choices of the field for checks: inquiries, and the message checks that have verdicts."""
    return [INQUIRY, *data.message_checks(chosen.id)]


def wanted(chosen: StoredTournament, judges: list[JudgeRow]) -> Wanted:
    """Read the filter from the address, without showing any field."""
    name = address.get("judge")
    judge = next((one for one in judges if one.name == name), judges[0] if judges else None)
    says, labelled = address.get("says"), address.get("labelled")
    tau = address.value("tau", 0.0, 1.0, judge.tau if judge else 0.5)
    check = address.among("check", data.message_checks(chosen.id))
    return Wanted(
        speaker=address.among("speaker", chosen.bots),
        tested=address.among("tested", chosen.bots),
        kind=address.among("kind", _kinds(chosen)) if check is None else None,
        entity_type=address.among("entity", data.entity_types(chosen.id)) if check is None else None,
        judge=judge.row if judge else None,
        above=tau if says == "contradicts" and judge else None,
        below=tau if says == "consistent" and judge else None,
        unjudged=says == "unjudged" and judge is not None,
        disagreed=address.get("disagreed") == "1" and check is None,
        check=check,
        text=address.get("text"),
        labelled={"yes": True, "no": False}.get(labelled or ""),
    )


def _kinds(chosen: StoredTournament) -> list[str]:
    return list((chosen.config.get("inquirer") or {}).get("kinds", ()))


def _pick(label: str, name: str, options: list[str]) -> None:
    address.choice(st.selectbox, label, name, [ANY, *options], default=ANY, show=lambda one: short(one, 60))
