"""Shows one dialogue with its inquiries, and links to the next match of the filter."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from db.matching import Hit
from db.records import JudgeRow, Place, Record, StoredTournament
from ui import address, assist, data, finding, links, thread, words
from ui.links import Link
from ui.markup import element, short, show

SECONDS = 0.4  # for each search for a neighbouring match


def open_dialogue(tournament: str, key: str, subject: str | None) -> None:
    """Open a dialogue at an inquiry or a finding. The filter stays in the address, for 'Next match'."""
    address.put(tournament=tournament, dialogue=key, to=None, row=None, **named(subject))
    st.rerun()


def named(subject: str | None) -> dict[str, str | None]:
    """Return the parameters that name an inquiry, or a finding, whose name has colons."""
    is_finding = subject is not None and ":" in subject
    return {"inquiry": None if is_finding else subject, "finding": subject if is_finding else None}


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
    one_focus()
    drawn = links.links_of(record, address.get("finding"))
    link = None
    if record.message_verdicts:
        left, right = st.columns(2)
        with left:
            focus = inquiry_in_focus(record)
        with right:
            link = finding_in_focus(drawn)
    else:
        focus = inquiry_in_focus(record)
    taus = {(judge.name, judge.revision): judge.tau for judge in judges}
    show(thread.thread(record, taus, focus=focus, links=drawn, link=link))
    clicked = assist.clicked()
    if clicked.get("finding") in {one.subject for one in drawn}:
        address.put(finding=clicked["finding"], to=clicked.get("jump"), inquiry=None)
        st.rerun()
    if link is not None:
        shown = shown_end(link)
        assist.scroll_to(f'.turn[data-index="{shown}"]', f"{link.subject}_{shown}")
    elif focus is not None:
        assist.scroll_to(".said.source, .fork.focus", f"{key}_{focus}")
    if record.refused:
        refused = ", ".join(f"{n} × {words.reason(reason)}" for reason, n in sorted(record.refused.items()))
        words.lead(f"What the inquirer did not ask, by reason: {refused}.")
    from ui.marks import marking

    marking(record.key, record.messages, (record.speaker, record.tested))


def one_focus() -> None:
    """Keep either the inquiry or the finding in the address: whichever was chosen last."""
    before: dict[str, str | None] = st.session_state.get("focus", {})
    inquiry, finding = address.get("inquiry"), address.get("finding")
    if inquiry and finding:
        address.put(**{"finding" if inquiry != before.get("inquiry") else "inquiry": None})
    st.session_state["focus"] = {name: address.get(name) for name in ("inquiry", "finding")}


def inquiry_in_focus(record: Record) -> str | None:
    """Return the inquiry in the address; show a notice if it does not exist."""
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


def finding_in_focus(drawn: list[Link]) -> Link | None:
    """Return the finding in the address. A shortcut key switches between the two messages of the finding."""
    by_subject = {link.subject: link for link in drawn}
    if (wrong := address.unknown("finding", by_subject)) is not None:
        words.notice(f"This dialogue has no finding '{short(wrong, 60)}' to show.", "warn")
    if not drawn:
        st.caption("No message contradicts another one, its persona or its knowledge.")
        return None
    chosen = address.choice(
        st.selectbox,
        f"Messages that contradict ({sum(link.contradicts for link in drawn)})",
        "finding",
        ["", *by_subject],
        default="",
        show=lambda one: title(by_subject[one]) if one else "none chosen",
    )
    link = by_subject.get(chosen)
    if link is not None and len(link.ends) > 1:
        st.button("The other message", shortcut="o", key="go_o", on_click=turn_to_other, args=(link,))
    return link


def title(link: Link) -> str:
    verb = "contradicts" if link.contradicts else "against"
    return f"{link.message} {verb} {link.against} ({link.check.value}): {short(link.later, 70)}"


def shown_end(link: Link) -> int:
    """Return the message to scroll to: the later message, unless the address names the earlier message."""
    return next((end for end in link.ends if str(end) == address.get("to")), link.message)


def turn_to_other(link: Link) -> None:
    now = shown_end(link)
    address.put(to=str(next(end for end in link.ends if end != now)))


def state(record: Record) -> None:
    if record.reason:
        words.notice(
            f"This dialogue failed: {record.reason}. Of a failed dialogue only the reason is stored.", "warn"
        )
    elif not record.messages:
        words.notice(f"This dialogue is {record.status}; its messages appear when it is over.")


# ── from one to the next ──────────────────────────────────────────────────────────────────────────


def around(
    stored: StoredTournament, record: Record, judges: list[JudgeRow]
) -> tuple[tuple[str, str] | None, tuple[str, str] | None]:
    """Return the matches before and after the match in the address, each as (dialogue, inquiry or finding) or None.

    If no match is in the address, the dialogue's first match is the next one.
    """
    at, wanted = Place(record.speaker, record.tested, record.number), finding.wanted(stored, judges)
    find = data.pages().find

    def order(hits: Sequence[Hit]) -> list[tuple[str, str]]:
        return [(hit.dialogue, hit.inquiry) for hit in hits]

    here = order(find(stored.id, wanted, at, 1, SECONDS, inclusive=True).hits)
    index = -1
    for number, match in enumerate(here):
        if match == (record.key, address.get("finding") or address.get("inquiry") or ""):
            index = number
    before = here[index - 1 : index] if index > 0 else []
    before = before or order(find(stored.id, wanted, at, 1, SECONDS, backwards=True).hits)
    after = here[index + 1 :] or order(find(stored.id, wanted, at, 1, SECONDS).hits)
    return (before[0] if before else None), (after[0] if after else None)


def heading(
    record: Record,
    stored: StoredTournament,
    matches: tuple[tuple[str, str] | None, tuple[str, str] | None],
) -> None:
    beside = data.pages().beside(stored.id, Place(record.speaker, record.tested, record.number))
    previous_match, next_match = matches
    with st.container(horizontal=True, key="reading_bar"):
        back()
        for label, key, target in (
            ("Previous dialogue", "p", (beside.before, None) if beside.before else None),
            ("Next dialogue", "n", (beside.after, None) if beside.after else None),
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
    """The way back to the list, to the row that was read last."""
    if st.button("All transcripts"):
        row = address.get("finding") or address.get("inquiry") or address.get("dialogue")
        address.put(dialogue=None, inquiry=None, finding=None, to=None, row=row)
        st.rerun()
