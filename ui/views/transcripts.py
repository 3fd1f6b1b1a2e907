"""Transcripts: find inquiries, read dialogues."""

from __future__ import annotations

import re

import pandas as pd
import streamlit as st

from db.pages import Place, Wanted
from db.records import Record, StoredTournament
from ui import data, picks, thread, words
from ui.markup import element, short, show

LIMIT = 50
ANY = "any"
NUMBER = re.compile(r"[01]?\.?\d{1,6}")
SAYS = {
    ANY: "any verdict",
    "contradicts": "contradicts",
    "consistent": "consistent",
    "unjudged": "not judged",
}


def main() -> None:
    st.title("Transcripts")
    stored = data.tournaments() + data.tournaments(chats=True)
    if not stored:
        words.notice(picks.EMPTY)
        return
    key = st.query_params.get("dialogue")
    if key:
        dialogue(key, stored)
    else:
        search(stored)


# ── finding ───────────────────────────────────────────────────────────────────────────────────────


def search(stored: list[StoredTournament]) -> None:
    chosen = picks.tournament(stored)
    judges = data.judges(chosen.id)
    wanted = filters(chosen, judges)
    trail: list[Place | None] = st.session_state.setdefault("trail", [None])
    state = (chosen.id, wanted)
    if st.session_state.get("trail_of") != state:
        st.session_state["trail_of"] = state
        trail[:] = [None]
    found = data.found(chosen.id, wanted, trail[-1], LIMIT)
    if not found.hits:
        words.notice(nothing(chosen, wanted, found.next is not None))
    else:
        table = pd.DataFrame(
            {
                "Speaker": [short(h.speaker, 40) for h in found.hits],
                "Tested": [short(h.tested, 40) for h in found.hits],
                "No.": [h.number for h in found.hits],
                "Kind": [h.kind for h in found.hits],
                "Entity": [short(h.entity, 40) for h in found.hits],
                "Question": [short(h.question, 120) for h in found.hits],
                "Answer": [
                    short(h.answer, 120) if h.answer is not None else f"({short(h.reason, 40)})"
                    for h in found.hits
                ],
                "Contradiction": [h.contradiction for h in found.hits],
            }
        )
        st.caption("Click the box left of a row to read its dialogue.")
        event = st.dataframe(
            table,
            hide_index=True,
            on_select="rerun",
            selection_mode="single-row",
            height=min(38 + 35 * len(table), 560),
            column_config={
                "Speaker": st.column_config.TextColumn(width="small"),
                "Tested": st.column_config.TextColumn(width="small"),
                "No.": st.column_config.NumberColumn(width=50),
                "Kind": st.column_config.TextColumn(width=90),
                "Entity": st.column_config.TextColumn(width=110),
                "Question": st.column_config.TextColumn(width="medium"),
                "Answer": st.column_config.TextColumn(width="medium"),
                "Contradiction": st.column_config.ProgressColumn(
                    min_value=0.0, max_value=1.0, format="%.3f", width=120
                ),
            },
            key=f"hits_{len(trail)}",
        )
        rows = event.selection.rows if event is not None else []
        if rows and rows[0] < len(found.hits):
            hit = found.hits[rows[0]]
            open_dialogue(chosen.id, hit.dialogue, hit.inquiry)
    before, behind, said = st.columns([1, 1, 6], vertical_alignment="center")
    if before.button("Back", disabled=len(trail) < 2, icon=":material/chevron_left:"):
        trail.pop()
        st.rerun()
    if behind.button("More", disabled=found.next is None, icon=":material/chevron_right:"):
        trail.append(found.next)
        st.rerun()
    more = " There is more to search." if found.next is not None else ""
    said.caption(
        f"Page {len(trail)}: {words.plural(len(found.hits), 'inquiry', 'inquiries')} "
        f"out of {words.plural(found.looked, 'dialogue')} searched.{more}"
    )
    all_dialogues(chosen, wanted)


def filters(chosen: StoredTournament, judges: list[data.Judge]) -> Wanted:
    names = list(chosen.bots)
    kinds = (chosen.config.get("inquirer") or {}).get("kinds", [])
    a, b, c, d = st.columns(4)
    speaker = pick(a, "Speaker", names, "speaker")
    tested = pick(b, "Bot under test", names, "tested")
    kind = pick(c, "Kind of inquiry", kinds, "kind")
    entity = pick(d, "Entity type", data.entity_types(chosen.id), "entity")
    if not judges:
        return Wanted(speaker, tested, kind, entity)
    a, b, c, d = st.columns(4, vertical_alignment="bottom")
    with a:
        row, _, _, tau = picks.judge(chosen, judges)
    given = st.query_params.get("says", ANY)
    says = b.selectbox(
        "Verdict",
        list(SAYS),
        format_func=SAYS.__getitem__,
        index=list(SAYS).index(given) if given in SAYS else 0,
    )
    asked = st.query_params.get("tau", "")
    start = min(1.0, max(0.0, float(asked))) if NUMBER.fullmatch(asked) else float(tau)
    tau = c.number_input("above or below τ", 0.0, 1.0, start, 0.05, key=f"tau_{row}_{asked}")
    disagreed = d.toggle("Judges disagree", help="Two judges on different sides of their own τ.")
    return Wanted(
        speaker,
        tested,
        kind,
        entity,
        judge=row,
        above=tau if says == "contradicts" else None,
        below=tau if says == "consistent" else None,
        unjudged=says == "unjudged",
        disagreed=disagreed,
    )


def pick(where: st.delta_generator.DeltaGenerator, name: str, choices: list[str], key: str) -> str | None:
    given = st.query_params.get(key)
    options = [ANY, *choices]
    chosen = where.selectbox(
        name,
        options,
        index=options.index(given) if given in options else 0,
        format_func=lambda one: short(one, 60),
        key=f"pick_{key}_{given}",
    )
    return None if chosen == ANY else str(chosen)


def nothing(chosen: StoredTournament, wanted: Wanted, more: bool) -> str:
    if more:
        return "Nothing found so far; 'More' goes on searching."
    if wanted == Wanted(judge=wanted.judge):
        states = data.states(chosen.id)
        if states.planned and not states.over:
            return "The first dialogues are being played; nothing was asked yet."
        return "No inquiry is stored here."
    return "No inquiry is like that; loosen a filter."


def all_dialogues(chosen: StoredTournament, wanted: Wanted) -> None:
    """Those without inquiries too."""
    with st.expander(
        "All dialogues, asked or not", expanded=False, on_change="rerun", key="all_dialogues"
    ) as box:
        if not box.open:
            return
        trail: list[Place | None] = st.session_state.setdefault("entries_trail", [None])
        state = (chosen.id, wanted.speaker, wanted.tested)
        if st.session_state.get("entries_of") != state:
            st.session_state["entries_of"] = state
            trail[:] = [None]
        entries = data.pages().entries(chosen.id, wanted.speaker, wanted.tested, trail[-1])
        table = pd.DataFrame(
            {
                "Speaker": [short(e.speaker, 40) for e in entries.rows],
                "Tested": [short(e.tested, 40) for e in entries.rows],
                "No.": [e.number for e in entries.rows],
                "Status": [e.status for e in entries.rows],
                "Why": [short(e.reason, 60) for e in entries.rows],
                "Inquiries": [e.inquiries for e in entries.rows],
                "Seconds": [e.seconds for e in entries.rows],
            }
        )
        event = st.dataframe(
            table,
            hide_index=True,
            on_select="rerun",
            selection_mode="single-row",
            key=f"entries_{len(trail)}",
        )
        rows = event.selection.rows if event is not None else []
        if rows and rows[0] < len(entries.rows):
            open_dialogue(chosen.id, entries.rows[rows[0]].dialogue, None)
        if st.button("More dialogues", disabled=entries.next is None):
            trail.append(entries.next)
            st.rerun()


def open_dialogue(tournament: str, key: str, inquiry: str | None) -> None:
    parameters = {"tournament": tournament, "dialogue": key}
    if inquiry:
        parameters["inquiry"] = inquiry
    st.query_params.from_dict(parameters)
    st.rerun()


# ── reading ───────────────────────────────────────────────────────────────────────────────────────


def dialogue(key: str, stored: list[StoredTournament]) -> None:
    known = {t.id: t for t in stored}
    homes = [home for home in data.homes(key) if home in known]
    given = st.query_params.get("tournament")
    home = given if given in homes else next(iter(homes), None)
    record = data.record(home, key) if home else None
    if record is None or home is None:
        words.notice(
            "There is no such dialogue in this database; the link may belong to another one.", "warn"
        )
        back({})
        return
    heading(record, known[home])
    judges = data.judges(home)
    ids = [i.id for i in record.inquiries]
    focus = st.query_params.get("inquiry")
    if record.reason:
        words.notice(
            f"This dialogue failed: {record.reason}. Of a failed dialogue only the reason is stored.", "warn"
        )
    elif not record.messages:
        words.notice(f"This dialogue is {record.status}; its messages appear when it is over.")
    if ids:
        focus = st.selectbox(
            "Inquiry in focus",
            [None, *ids],
            index=ids.index(focus) + 1 if focus in ids else 0,
            format_func=lambda one: inquiry_title(record, one),
            key=f"focus_{key}",
        )
    taus = {(name, revision): tau for _, name, revision, tau in judges}
    show(thread.thread(record, taus, focus=focus))
    if record.refused:
        refused = ", ".join(f"{n} × {short(reason, 40)}" for reason, n in sorted(record.refused.items()))
        words.lead(f"What the inquirer did not ask, by reason: {refused}.")
    from ui.marks import marking

    marking(record.key, record.messages, (record.speaker, record.tested))


def inquiry_title(record: Record, id: str | None) -> str:
    if id is None:
        return "none"
    n, inquiry = next((n, i) for n, i in enumerate(record.inquiries, 1) if i.id == id)
    return f"{n}. {short(inquiry.question, 90)}"


def heading(record: Record, stored: StoredTournament) -> None:
    before, behind = data.pages().beside(stored.id, (record.speaker, record.tested, record.number))
    with st.container(horizontal=True):
        back({"tournament": stored.id})
        if st.button("Previous", disabled=before is None, icon=":material/arrow_back:") and before:
            open_dialogue(stored.id, before, None)
        if st.button("Next", disabled=behind is None, icon=":material/arrow_forward:") and behind:
            open_dialogue(stored.id, behind, None)
    facts = [
        words.plural(record.turns, "turn"),
        words.plural(len(record.inquiries), "inquiry", "inquiries"),
        f"release {short(stored.release, 60)}",
        f"seed {record.seed}",
        record.status,
    ]
    if record.seconds:
        facts.append(words.span(record.seconds))
    show(
        element(
            "div",
            element("b", short(record.speaker, 60)),
            " talks with ",
            element("b", short(record.tested, 60)),
            f" (under test), dialogue {record.number}",
        ),
        element("div", " · ".join(facts), class_="dim"),
    )


def back(parameters: dict[str, str]) -> None:
    if st.button("All transcripts", icon=":material/list:"):
        st.query_params.from_dict(parameters)
        st.rerun()


main()
