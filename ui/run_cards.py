"""The runs on the launch page, with their progress and the actions they allow."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from arena.play.launch import Run, Runs, State
from db.records import StoredTournament
from ui import assist, data, listing, live, markup, memory, words
from ui.markup import element, short

SHOWN = 20


def show(runs: Runs) -> None:
    """Show the newest runs of this machine, and the newest tournaments that were started elsewhere."""
    launched = runs.list()
    for run in launched[:SHOWN]:
        with st.container(border=True):
            card(runs, run.id)
    if len(launched) > SHOWN:
        st.caption(f"The newest {SHOWN} of {len(launched)} runs are shown.")
    elsewhere = [t for t in data.tournaments() if t.id not in {run.tournament for run in launched}]
    playing = [t for t in elsewhere if live.under_way(data.states(t.id))]
    over = [t for t in elsewhere if t not in playing]
    if elsewhere:
        st.subheader("Started in a shell or from Python, or imported")
    for tournament in playing[:SHOWN]:
        with st.container(border=True):
            shell_card(tournament)
    if over:
        finished(over[:SHOWN])
    if len(over) > SHOWN:
        st.caption(f"The newest {SHOWN} of {len(over)} finished tournaments are shown.")
    if not launched and not elsewhere:
        words.notice("No run was started yet.")


def finished(over: Sequence[StoredTournament]) -> None:
    states = {t.id: data.states(t.id) for t in over}
    listing.table(
        [
            {
                "Finished": short(t.release, 60),
                "Bots": len(t.bots),
                "Dialogues": states[t.id].done,
                "Failed": states[t.id].failed or None,
                "Tournament": t.id[:8],
            }
            for t in over
        ],
        [{"tournament": t.id} for t in over],
    )
    if "tournament" in (clicked := assist.clicked()):
        assist.go("leaderboard", {"tournament": clicked["tournament"]})


@memory.fragment(run_every=live.EVERY)
def shell_card(chosen: StoredTournament) -> None:
    """Show a tournament that is played, or was interrupted."""
    states = data.states(chosen.id)
    playing = "playing" if states.running else "interrupted" if live.under_way(states) else "done"
    markup.show(
        element(
            "div",
            element("b", short(chosen.release, 80)),
            f" · {chosen.id[:8]} · ",
            words.tag(playing, "" if states.running else "warn" if live.under_way(states) else "good"),
        )
    )
    live.progress(chosen, states)
    st.page_link(
        "views/leaderboard.py",
        label="Open result",
        icon=":material/leaderboard:",
        query_params={"tournament": chosen.id},
    )


@memory.fragment(run_every=2.0)
def card(runs: Runs, id: str) -> None:
    with words.show_arena_errors():
        run = runs.get(id)
        states = data.states(run.tournament)
        kind = {State.DONE: "good", State.DIED: "bad", State.REFUSED: "bad"}.get(run.state, "warn")
        markup.show(
            element(
                "div",
                element("b", short(run.release, 80)),
                f" · {run.tournament[:8]} · ",
                words.tag(run.state.value, "" if run.alive else kind),
            )
        )
        stored = next((t for t in data.tournaments() if t.id == run.tournament), None)
        if stored is not None:
            live.progress(stored, states)
            if run.alive and not (states.over or states.running):
                words.lead("Bots and judges are being loaded.")
        elif run.alive:
            words.lead("Starting: bots and judges are being loaded.")
        # during a run, the progress bar above is newer than the log
        last = "" if run.state is State.DONE else run.last_line()
        if last and not (run.alive and last.startswith("playing:")):
            st.text(short(last, 200))
        controls(runs, run, states.failed > 0, stored is not None)


def controls(runs: Runs, run: Run, failed: bool, stored: bool) -> None:
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
        if stored:
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
