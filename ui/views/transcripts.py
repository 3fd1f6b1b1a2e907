"""Transcripts: find inquiries, read dialogues."""

from __future__ import annotations

from typing import Any

import streamlit as st

from db.matching import Hit, Wanted
from db.records import Place, StoredTournament
from ui import address, assist, data, finding, listing, picks, reading, words
from ui.markup import Element, element, short

LIMIT = 50
CAPTIONS = {
    "history": ("It had said", "Then it said"),
    "persona": ("It was told", "Then it said"),
    "knowledge": ("It was given", "Then it said"),
}
NOUNS = {True: ("inquiry", "inquiries"), False: ("message", "messages")}
FIXED = {"knowledge": "(its knowledge)"}  # too long for a list


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
    judges = data.judges(chosen.id)
    wanted = finding.fields(chosen, judges)
    trail, start = page_of("after", chosen)
    matches = data.matching(chosen.id, wanted, start, LIMIT)
    if matches.hits:
        judge = next((one for one in judges if one.row == wanted.judge), None)
        tau = address.value("tau", 0.0, 1.0, judge.tau) if judge else None
        st.caption("Click a row, or choose it with Tab and Enter, to read its dialogue.")
        captions = ("Said", "Asked", "Answered") if wanted.check is None else CAPTIONS[wanted.check]
        listing.rows(captions, [row_of(hit, wanted, tau) for hit in matches.hits], wanted.text)
        if address.get("row"):
            assist.scroll_to(".hit.current", str(address.get("row")))
    else:
        words.notice(nothing(chosen, wanted, matches.next is not None))
    before, behind, summary = st.columns([1, 1, 6], vertical_alignment="center")
    turn_page(before, behind, "after", trail, matches.last if matches.next is not None else None)
    more = " There is more to search." if matches.next is not None else ""
    summary.caption(
        f"Page {len(trail) + 1}: {words.plural(len(matches.hits), *NOUNS[wanted.check is None])} "
        f"in {words.plural(matches.looked, 'dialogue')} searched.{more}"
    )
    all_dialogues(chosen, wanted)
    if "dialogue" in (clicked := assist.clicked()):
        reading.open_dialogue(chosen.id, clicked["dialogue"], clicked.get("open") or None)


def page_of(name: str, chosen: StoredTournament) -> tuple[list[str], Place | None]:
    """Return the dialogues after which each page of a list begins, and the place of the last of them."""
    trail = address.each(name)
    start = data.pages().place(chosen.id, trail[-1]) if trail else None
    if trail and start is None:
        words.notice("The list has no such page in this tournament; it is shown from its beginning.", "warn")
        return [], None
    return trail, start


def row_of(hit: Hit, wanted: Wanted, tau: float | None) -> listing.Row:
    texts = (hit.source or FIXED.get(wanted.check or "", ""), hit.question, hit.answer or f"({hit.reason})")
    kind = f" {hit.kind}" if wanted.check is None else ""
    facts: list[Element | str] = [element("div", score(hit.contradiction, tau), kind)]
    facts.append(f"{short(hit.tested, 40)} with {short(hit.speaker, 40)}, {hit.number}")
    if hit.labels:
        facts.append(words.plural(hit.labels, "label"))
    return listing.Row(
        {"open": hit.inquiry, "dialogue": hit.dialogue},
        texts if wanted.check is None else (texts[0], texts[2]),
        tuple(facts),
        current=hit.inquiry == address.get("row"),
    )


def score(contradiction: float | None, tau: float | None) -> Element:
    """Show a judge's score: above τ it is a contradiction."""
    if contradiction is None:
        return words.tag("not judged")
    kind = "" if tau is None else "bad" if contradiction > tau else "good"
    return words.tag(f"score {words.number(contradiction, 3)}", kind)


def turn_page(before: Any, behind: Any, name: str, trail: list[str], following: str | None) -> None:
    """Show the buttons between the pages of a list. `following` is the dialogue after which the next page begins."""
    if before.button("Back", disabled=not trail, icon=":material/chevron_left:", key=f"{name}_back"):
        address.put(row=None)
        address.put_each(name, trail[:-1])
        st.rerun()
    if (
        behind.button("More", disabled=following is None, icon=":material/chevron_right:", key=f"{name}_more")
        and following
    ):
        address.put(row=None)
        address.put_each(name, [*trail, following])
        st.rerun()


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
    with address.box("All dialogues, with or without inquiries", "all") as box:
        if not box.open:
            return
        trail, start = page_of("from", chosen)
        entries = data.pages().entries(chosen.id, wanted.speaker, wanted.tested, start)
        listing.table(
            [
                {
                    "Bot under test": short(e.tested, 40),
                    "Speaker": short(e.speaker, 40),
                    "No.": e.number,
                    "Status": str(e.status),
                    "Reason": short(e.reason, 200),
                    "Inquiries": e.inquiries,
                    "Seconds": listing.Cell(e.seconds, words.number(e.seconds, 1)),
                }
                for e in entries.rows
            ],
            [{"dialogue": e.dialogue} for e in entries.rows],
        )
        before, behind, _ = st.columns([1, 1, 6])
        turn_page(before, behind, "from", trail, entries.rows[-1].dialogue if entries.next else None)


main()
