"""Launch: a tournament file from a form, its cost, its run, its fate."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from arena.core import plugins
from arena.core.types import Kind
from arena.play.launch import Run, Runs, State
from ui import data, drafts, forms, memory, words
from ui.markup import element, short, show

NEW, RUNS = "New tournament", "Runs"
FIRST = (
    {"name": "steady", "adapter": "scripted"},
    {"name": "moody", "adapter": "scripted", "fickleness": 0.3},
)


def main() -> None:
    st.title("Launch")
    runs = Runs(data.options().state, data.options().db)
    view = st.segmented_control(
        "View",
        [NEW, RUNS],
        default=st.session_state.get("launch_view", NEW),
        required=True,
        label_visibility="collapsed",
    )
    st.session_state["launch_view"] = view
    if view == RUNS:
        show_runs(runs)
    elif not data.options().launch:
        words.notice(
            "Launching is off: these pages are served to others. Whoever runs them can switch it on with "
            "'arena ui --behind-proxy --allow-launch', or launch with 'arena run FILE'.",
            "warn",
        )
    else:
        new(runs)


# ── a new one ─────────────────────────────────────────────────────────────────────────────────────


def new(runs: Runs) -> None:
    words.lead(
        "Bots talk in pairs; an inquirer asks about what was said; judges decide. The file is checked as you go."
    )
    left, right = st.columns([3, 2], gap="large")
    with left:
        by_hand = st.toggle("Write the file by hand", key="by_hand")
        if by_hand:
            text = st.text_area(
                "Tournament file", st.session_state.get("composed", ""), height=520, key="written"
            )
            mistakes: list[str] = []
        else:
            draft, mistakes = form()
            text = drafts.compose(draft)
            st.session_state["composed"] = text
            st.session_state.pop("written", None)
    with right:
        checked = drafts.check(text, Path.cwd())
        for mistake in mistakes:
            words.notice(mistake, "bad")
        if checked.mistake:
            words.notice(checked.mistake, "bad")
        elif checked.cost:
            costs(checked.cost)
        arguments = how()
        ready = not mistakes and checked.mistake is None
        if st.button("Start", type="primary", icon=":material/play_arrow:", disabled=not ready):
            with words.told():
                runs.start(text, checked.tournament, checked.release, arguments)
                st.session_state["launch_view"] = RUNS
                st.rerun()
        if not by_hand:
            st.caption("The file")
            st.code(text, language="yaml")


def costs(cost: Mapping[str, Any]) -> None:
    words.facts(
        dialogues=words.count(cost["dialogues"]),
        replies=words.count(cost["replies"]),
        inquiries=f"≤ {words.count(cost['inquiries'])}",
        judgements=f"≤ {words.count(cost['judgements'])}",
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
    st.caption(f"By {cost['basis'].replace(chr(39), '')}.")


def how() -> list[str]:
    a, b = st.columns(2, vertical_alignment="bottom")
    limit = a.number_input("Dialogues to play now", min_value=1, value=None, placeholder="all", step=10)
    deterministic = b.checkbox(
        "Deterministic", help="Batch 1 and full precision: equal seeds, equal replies."
    )
    arguments = ["--limit", str(limit)] if limit else []
    return [*arguments, "--deterministic"] if deterministic else arguments


def form() -> tuple[dict[str, Any], list[str]]:
    a, b, c, d = st.columns([2, 1, 1, 1])
    draft: dict[str, Any] = {
        "release": a.text_input("Release tag", "my-release", max_chars=200),
        "seed": b.number_input("Seed", min_value=0, value=0),
        "turns": c.number_input(
            "Turns", min_value=1, max_value=1000, value=15, help="Messages of each bot in a dialogue."
        ),
        "dialogues_per_pair": d.number_input("Dialogues a pair", min_value=1, value=20),
    }
    openers = st.text_input(
        "Openers, separated by |",
        "default",
        help="First messages. `default` is the shipped list of 200; dialogues take turns with your own.",
    )
    own = [part.strip() for part in openers.split("|") if part.strip()]
    draft["openers"] = "default" if own == ["default"] else own
    st.subheader("Bots")
    draft["bots"], mistakes = bots()
    st.subheader("Inquirer and judges")
    draft |= inquiry()
    return draft, mistakes


def bots() -> tuple[list[dict[str, Any]], list[str]]:
    ids: list[str] = st.session_state.setdefault("bot_ids", [f"first{i}" for i in range(len(FIRST))])
    entries, mistakes = [], []
    for at, id in enumerate(ids):
        with st.container(border=True):
            entry, mistake = bot(id, at, len(ids) > 1)
        entries.append(entry)
        if mistake:
            mistakes.append(mistake)
    if st.button("Add a bot", icon=":material/add:"):
        ids.append(uuid.uuid4().hex[:8])
        st.rerun()
    return entries, mistakes


def bot(id: str, at: int, removable: bool) -> tuple[dict[str, Any], str | None]:
    first: dict[str, Any] = (
        dict(FIRST[at]) if id.startswith("first") else {"name": f"bot{at + 1}", "adapter": "scripted"}
    )
    adapters = [name for name in plugins.names("arena.bots") if name != "human"]
    a, b, c = st.columns([3, 3, 1], vertical_alignment="bottom")
    name = a.text_input("Name", first["name"], key=f"name_{id}", max_chars=200)
    adapter = b.selectbox("Adapter", adapters, index=adapters.index(first["adapter"]), key=f"adapter_{id}")
    if c.button(
        "", icon=":material/delete:", key=f"remove_{id}", disabled=not removable, help="Remove this bot"
    ):
        st.session_state["bot_ids"].remove(id)
        st.rerun()
    entry: dict[str, Any] = {"name": name, "adapter": adapter}
    from arena.core.errors import ArenaError

    try:
        simple, rest = forms.fields(adapter)
    except ArenaError as error:
        return entry, str(error)
    key = f"{id}_{adapter}"
    for start in range(0, len(simple), 3):
        for column, field in zip(st.columns(3), simple[start : start + 3], strict=False):
            with column:
                value = forms.ask(field, f"{key}_{field.name}", first.get(field.name))
            if value is not None:
                entry[field.name] = value
    further, mistake = forms.more(rest, f"{key}_more")
    return {**entry, **further}, mistake


def inquiry() -> dict[str, Any]:
    a, b, c = st.columns(3)
    extractors, writers = plugins.names("arena.entities"), plugins.names("arena.questions")
    entities = a.selectbox(
        "Entities by", extractors, index=extractors.index("rules") if "rules" in extractors else 0
    )
    questions = b.selectbox(
        "Questions by", writers, index=writers.index("rules") if "rules" in writers else 0
    )
    per_turn = c.number_input("Inquiries a turn", min_value=1, max_value=20, value=1)
    a, b = st.columns(2)
    kinds = a.multiselect(
        "Kinds", [kind.value for kind in Kind], default=[Kind.WH.value, Kind.YES_NO_TRUE.value]
    )
    distances = b.multiselect("Distances in turns", list(range(11)), default=[0])
    judges = plugins.names("arena.judges")
    usual = [name for name in ("nli", "truth") if name in judges][:1] or judges[:1]
    chosen = st.multiselect("Judges", judges, default=usual)
    return {
        "inquirer": {
            "entities": entities,
            "questions": questions,
            "kinds": kinds,
            "distances": distances,
            "per_turn": per_turn,
        },
        "judges": chosen,
    }


# ── runs ──────────────────────────────────────────────────────────────────────────────────────────


def show_runs(runs: Runs) -> None:
    found = runs.list()
    if not found:
        words.notice("No run was started from this page yet.")
        return
    for run in found[:20]:
        with st.container(border=True):
            card(runs, run.id)
    if len(found) > 20:
        st.caption(f"{len(found) - 20} older runs are in {len(found)} folders; the newest 20 are shown.")


@memory.fragment(run_every=2.0)
def card(runs: Runs, id: str) -> None:
    with words.told():
        run = runs.get(id)
        states = data.states(run.tournament)
        kind = {State.DONE: "good", State.DIED: "bad", State.REFUSED: "bad"}.get(run.state, "warn")
        show(
            element(
                "div",
                element("b", short(run.release, 80)),
                f" · {run.tournament[:8]} · ",
                words.tag(run.state.value, "" if run.alive else kind),
            )
        )
        done = f"{words.count(states.over)} of {words.count(states.planned)} dialogues"
        st.progress(min(1.0, states.over / states.planned) if states.planned else 0.0, text=done)
        if states.failures:
            failed = ", ".join(f"{n} × {reason}" for reason, n in sorted(states.failures.items()))
            words.notice(f"{words.plural(states.failed, 'dialogue')} failed: {failed}.", "warn")
        if last := run.last_line():
            st.text(short(last, 200))
        controls(runs, run, states.failed > 0)


def controls(runs: Runs, run: Run, failed: bool) -> None:
    may = data.options().launch
    with st.container(horizontal=True, vertical_alignment="center"):
        if run.alive:
            stopping = run.state is State.STOPPING
            label = "End at once" if stopping else "Cancel"
            if st.button(
                label, key=f"cancel_{run.id}", disabled=not may, help="What is finished stays stored."
            ):
                runs.cancel(run.id, now=stopping)
                st.rerun(scope="fragment")
        else:
            unfinished = run.state is not State.DONE
            if st.button("Resume", key=f"resume_{run.id}", disabled=not (may and unfinished)):
                runs.resume(run.id)
                st.rerun(scope="fragment")
            if failed and st.button("Retry failed", key=f"retry_{run.id}", disabled=not may):
                runs.resume(run.id, retry_failed=True)
                st.rerun(scope="fragment")
        # A link: the browser stops refreshing the card before it leaves. After st.switch_page a refresh that is
        # under way would empty the new page
        st.page_link(
            "views/leaderboard.py",
            label="Open result",
            icon=":material/leaderboard:",
            query_params={"tournament": run.tournament},
        )
    with st.expander("Log and file"):
        from arena.core.safe_text import clean

        st.code(clean(run.log()[-6000:], lines=True) or "nothing yet", language=None, wrap_lines=True)
        st.code(clean(run.file.read_text(encoding="utf-8"), lines=True), language="yaml")


main()
