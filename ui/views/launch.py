"""Launch: make a tournament file with a form, see its cost, run it and follow the run."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from arena.config.pairs import INTERVIEWS
from arena.core import plugins
from arena.core.inquirer_form import InquirerForm
from arena.core.types import MESSAGE_CHECKS, Check, Kind
from arena.play.launch import Runs
from ui import address, bot_form, data, drafts, run_cards, words
from ui.markup import element, short, show
from ui.saved import Saved

NEW, RUNS = "New tournament", "Runs"


def main() -> None:
    st.title("Launch")
    runs = Runs(data.options().state, data.options().db)
    view = address.choice(
        st.segmented_control,
        "View",
        "view",
        [NEW, RUNS],
        default=NEW,
        required=True,
        label_visibility="collapsed",
    )
    if view == RUNS:
        run_cards.show(runs)
    elif not data.options().launch:
        words.notice(
            "Launching is off: these pages are served to others. Whoever runs them can switch it on with "
            "'arena ui --behind-proxy --allow-launch', or launch with 'arena run FILE'.",
            "warn",
        )
    else:
        new(runs, Saved(data.options().state))


# ── a new one ─────────────────────────────────────────────────────────────────────────────────────


def new(runs: Runs, saved: Saved) -> None:
    words.lead(
        "Bots talk in pairs; an inquirer asks about what was said; judges decide. The file is checked as you go."
    )
    left, right = st.columns([3, 2], gap="large")
    with left, st.container(key="launch_form"):
        by_hand = st.toggle("Write the file by hand", key="by_hand")
        if by_hand:
            text = st.text_area(
                "Tournament file", st.session_state.get("composed", ""), height=520, key="written"
            )
            mistakes: list[str] = []
        else:
            draft, mistakes = form(saved)
            saved.keep_draft(draft)
            text = drafts.compose(draft)
            st.session_state["composed"] = text
            st.session_state.pop("written", None)
    with right:
        checked = drafts.check(text, Path.cwd())
        for mistake in mistakes:
            words.notice(mistake, "bad")
        if checked.mistake and not mistakes:  # a mistake in the form is also a mistake in its file
            words.notice(checked.mistake, "bad")
        elif checked.cost:
            costs(checked.cost)
        arguments = how()
        ready = not mistakes and checked.mistake is None
        with st.container(key="start_bar"):
            started = st.button("Start", type="primary", icon=":material/play_arrow:", disabled=not ready)
        if started:
            with words.show_arena_errors():
                runs.start(text, checked.tournament, checked.release, arguments)
                address.put(view=RUNS)
                st.rerun()
        if not by_hand:
            st.caption("The file")
            st.code(text, language="yaml")


def costs(cost: Mapping[str, Any]) -> None:
    words.facts(
        dialogues=words.count(cost["dialogues"]),
        replies=words.count(cost["replies"]),
        inquiries=f"about {words.count(cost['yield']['inquiries'])}",
        in_all_about=words.span(cost["seconds"]),
    )
    rows = [
        element(
            "tr",
            element("td", short(bot["bot"], 40)),
            element("td", words.count(bot["calls"]), class_="num"),
            element("td", words.span(bot["seconds"]), class_="num"),
        )
        for bot in cost["bots"][:12]
    ]
    head = element(
        "tr", element("th", "Bot"), element("th", "Calls", class_="num"), element("th", "About", class_="num")
    )
    show(element("table", head, rows, class_="board"))
    seen = cost["yield"]["dialogues"]
    by = f"those of {words.plural(seen, 'earlier dialogue')} of these bots" if seen else "a usual number"
    st.caption(
        f"The time follows {cost['basis']}. The inquiries follow {by}; they are at most "
        f"{words.count(cost['inquiries'])}, with {words.count(cost['judgements'])} judgements."
    )


def how() -> list[str]:
    a, b = st.columns(2, vertical_alignment="bottom")
    limit = a.number_input("Dialogues to play now", min_value=1, value=None, placeholder="all", step=10)
    deterministic = b.checkbox(
        "Deterministic", help="Batch 1 and full precision: equal seeds, equal replies."
    )
    arguments = ["--limit", str(limit)] if limit else []
    return [*arguments, "--deterministic"] if deterministic else arguments


def form(saved: Saved) -> tuple[dict[str, Any], list[str]]:
    start = saved.draft()
    a, b, c = st.columns([2, 1, 1])
    draft: dict[str, Any] = {
        "release": a.text_input("Release tag", start.get("release", "my-release"), max_chars=200),
        "seed": start.get("seed", 0),
        "turns": b.number_input(
            "Turns",
            min_value=1,
            max_value=1000,
            value=start.get("turns", 15),
            help="Messages of each bot in a dialogue.",
        ),
        "dialogues_per_pair": c.number_input(
            "Dialogues per pair", min_value=1, value=start.get("dialogues_per_pair", 20)
        ),
    }
    draft |= pairs(start.get("pairs"))
    st.subheader("Bots")
    draft["bots"], mistakes = bots(start.get("bots") or [], saved)
    st.subheader("Questions and judges")
    summary = st.empty()
    with st.expander("Change what is asked, and who judges"):
        draft |= inquiry(start)
    summary.caption(in_words(draft))
    with st.expander("Openers and seed"):
        a, b = st.columns([3, 1])
        openers = a.text_input(
            "Openers, separated by |",
            _joined(start.get("openers", "default")),
            help="First messages. `default` is the shipped list of 200; dialogues take turns with your own.",
        )
        own = [part.strip() for part in openers.split("|") if part.strip()]
        draft["openers"] = "default" if own == ["default"] else own
        draft["seed"] = b.number_input("Seed", min_value=0, value=draft["seed"])
    return draft, mistakes


def in_words(draft: Mapping[str, Any]) -> str:
    """Say in a sentence what is asked and who judges."""
    asked = draft["inquirer"]
    also = [CHECKED_WITH[check] for check in draft.get("checks", ()) if check in CHECKED_WITH]
    judges = ", ".join(short(name, 40) for name in draft["judges"]) or "nobody"
    each = words.plural(asked["per_turn"], "question")
    sentence = f"{each} a turn ({', '.join(asked['kinds']) or 'of no kind'}), judged by {judges}."
    return f"{sentence} Each message is also compared with {' and '.join(also)}." if also else sentence


def pairs(start: Any) -> dict[str, Any]:
    """Ask who talks with whom; an interviewer is added to the bots by the program."""
    ways = {"all": "every bot with every bot", INTERVIEWS: "an interviewer with every bot"}
    chosen = st.radio(
        "Who talks with whom",
        list(ways),
        index=list(ways).index(start) if start in ways else 0,
        format_func=ways.__getitem__,
        horizontal=True,
        help="An interviewer gets to know its partner, so that more replies can be asked about. "
        "Language models that talk with each other tell little about themselves.",
    )
    return {"pairs": chosen} if chosen == INTERVIEWS else {}


def _joined(openers: str | list[str]) -> str:
    return openers if isinstance(openers, str) else " | ".join(openers)


def bots(start: list[dict[str, Any]], saved: Saved) -> tuple[list[dict[str, Any]], list[str]]:
    """Show a card for each bot.

    The fields are filled once; after a return to the page, they show their last values.
    """
    starts: dict[str, dict[str, Any]] = st.session_state.setdefault(
        "bot_starts", {f"first{n}": entry for n, entry in enumerate(start or bot_form.FIRST)}
    )
    ids: list[str] = st.session_state.setdefault("bot_ids", list(starts))
    latest: dict[str, dict[str, Any]] = st.session_state.setdefault("bot_entries", {})
    entries, mistakes = [], []
    for id in ids:
        if f"name_{id}" not in st.session_state:
            starts[id] = latest.get(id, starts[id])
        with st.container(border=True):
            entry, mistake = bot_form.card(id, starts[id], saved, removable=len(ids) > 1)
        latest[id] = entry
        entries.append(entry)
        if mistake:
            mistakes.append(mistake)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if st.button("Add a bot", icon=":material/add:"):
            add({"name": f"bot{len(ids) + 1}", "adapter": "scripted"})
        kept = saved.bots()
        if kept:
            chosen = st.selectbox("Saved bots", list(kept), index=None, placeholder="Choose a saved bot")
            if st.button("Add it", disabled=chosen is None) and chosen:
                add(kept[chosen])
            if st.button("Forget it", disabled=chosen is None) and chosen:
                saved.forget_bot(chosen)
                st.rerun()
    return entries, mistakes


def add(entry: dict[str, Any]) -> None:
    id = uuid.uuid4().hex[:8]
    st.session_state["bot_starts"][id] = entry
    st.session_state["bot_ids"].append(id)
    st.rerun()


def inquiry(start: Mapping[str, Any]) -> dict[str, Any]:
    asked: Mapping[str, Any] = start.get("inquirer") or {}
    usual = InquirerForm().model_dump()
    extractors, writers = plugins.names("arena.entities"), plugins.names("arena.questions")
    a, b, c = st.columns(3)
    entities = a.selectbox(
        "Entities by", extractors, index=_index(extractors, asked.get("entities", usual["entities"]))
    )
    questions = b.selectbox(
        "Questions by", writers, index=_index(writers, asked.get("questions", usual["questions"]))
    )
    per_turn = c.number_input("Inquiries per turn", min_value=1, max_value=20, value=asked.get("per_turn", 1))
    a, b = st.columns(2)
    kinds = a.multiselect(
        "Kinds",
        [kind.value for kind in Kind],
        default=asked.get("kinds", usual["kinds"]),
    )
    distances = b.multiselect("Distances in turns", list(range(11)), default=asked.get("distances", [0]))
    more = [check.value for check in MESSAGE_CHECKS]
    also = st.multiselect(
        "Also compare each message with",
        more,
        default=[check for check in start.get("checks", []) if check in more],
        format_func=CHECKED_WITH.__getitem__,
        help="Contradictions between messages, with the persona, or with given knowledge; inquiries are always judged.",
    )
    judges = plugins.names("arena.judges")
    first = [name for name in start.get("judges", ["nli"]) if name in judges] or judges[:1]
    chosen = st.multiselect("Judges", judges, default=first)
    return {
        "inquirer": {
            "entities": entities,
            "questions": questions,
            "kinds": kinds,
            "distances": distances,
            "per_turn": per_turn,
        },
        "judges": chosen,
        **({"checks": [Check.INQUIRY.value, *also]} if also else {}),
    }


CHECKED_WITH = {
    "history": "what the bot said before",
    "persona": "its persona",
    "knowledge": "its knowledge",
}


def _index(names: list[str], name: str) -> int:
    return names.index(name) if name in names else 0


main()
