"""One dialogue on a page: its messages, its inquiries, and the way to the next one that matches the filter."""

from __future__ import annotations

import streamlit as st

from db.matching import Place
from db.records import Record, StoredTournament
from ui import address, assist, data, finding, thread, words
from ui.markup import element, short, show

AROUND = 50  # matches looked up around the one that is read


def open_dialogue(tournament: str, key: str, inquiry: str | None) -> None:
    """Shows a dialogue; the filter stays in the address, so that 'Next match' knows it."""
    address.put(tournament=tournament, dialogue=key, inquiry=inquiry)
    st.rerun()


def dialogue(key: str, stored: list[StoredTournament]) -> None:
    known = {t.id: t for t in stored}
    homes = [home for home in data.homes(key) if home in known]
    given = address.get("tournament")
    home = given if given in homes else next(iter(homes), None)
    record = data.record(home, key) if home else None
    if record is None or home is None:
        words.notice(
            f"There is no dialogue '{short(key, 40)}' in this database; the link may belong to another one.",
            "warn",
        )
        back()
        return
    judges = data.judges(home)
    matches = around(known[home], record, judges)
    heading(record, known[home], matches)
    state(record)
    focus = inquiry_in_focus(record)
    taus = {(name, revision): tau for _, name, revision, tau in judges}
    show(thread.thread(record, taus, focus=focus))
    if focus is not None:
        assist.scroll_to(".said.source, .fork.focus", f"{key}_{focus}")
    if record.refused:
        refused = ", ".join(f"{n} × {short(reason, 40)}" for reason, n in sorted(record.refused.items()))
        words.lead(f"What the inquirer did not ask, by reason: {refused}.")
    from ui.marks import marking

    marking(record.key, record.messages, (record.speaker, record.tested))


def inquiry_in_focus(record: Record) -> str | None:
    """The inquiry in the address; a link to one that is not here says so."""
    ids = [i.id for i in record.inquiries]
    given = address.get("inquiry")
    if given is not None and given not in ids:
        words.notice(f"This dialogue has no inquiry '{short(given, 40)}'.", "warn")
    if not ids:
        return None
    titles = {i.id: f"{n}. {short(i.question, 90)}" for n, i in enumerate(record.inquiries, 1)}
    chosen = address.choice(
        st.selectbox,
        "Inquiry",
        "inquiry",
        ["", *ids],
        default="",
        show=lambda id: titles.get(id, "none chosen"),
    )
    return chosen or None


def state(record: Record) -> None:
    if record.reason:
        words.notice(
            f"This dialogue failed: {record.reason}. Of a failed dialogue only the reason is stored.", "warn"
        )
    elif not record.messages:
        words.notice(f"This dialogue is {record.status}; its messages appear when it is over.")


# ── from one to the next ──────────────────────────────────────────────────────────────────────────


def around(
    stored: StoredTournament, record: Record, judges: list[data.Judge]
) -> tuple[tuple[str, str] | None, tuple[str, str] | None]:
    """(dialogue, inquiry) of the matches before and behind the one in the address."""
    at: Place = (record.speaker, record.tested, record.number)
    hits = data.pages().find(stored.id, finding.wanted(stored, judges), at, AROUND, inclusive=True).hits
    order = [(hit.dialogue, hit.inquiry) for hit in hits]
    here = (record.key, address.get("inquiry") or "")
    if here in order:
        index = order.index(here)
        return (order[index - 1] if index else None), (order[index + 1] if index + 1 < len(order) else None)
    return None, order[0] if order else None


def heading(
    record: Record,
    stored: StoredTournament,
    matches: tuple[tuple[str, str] | None, tuple[str, str] | None],
) -> None:
    before, behind = data.pages().beside(stored.id, (record.speaker, record.tested, record.number))
    previous_match, next_match = matches
    with st.container(horizontal=True, key="reading_bar"):
        back()
        for label, key, target in (
            ("Previous dialogue", "p", (before, None) if before else None),
            ("Next dialogue", "n", (behind, None) if behind else None),
            ("Previous match", "k", previous_match),
            ("Next match", "j", next_match),
        ):
            if st.button(label, disabled=target is None, shortcut=key, key=f"go_{key}") and target:
                open_dialogue(stored.id, *target)
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


def back() -> None:
    if st.button("All transcripts", icon=":material/list:"):
        address.put(dialogue=None, inquiry=None)
        st.rerun()
