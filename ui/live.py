"""Shows the progress and speed of a running tournament, on a page that refreshes itself."""

from __future__ import annotations

import time
from dataclasses import dataclass

import streamlit as st

from db.pages import States
from db.records import JudgeRow, StoredTournament
from ui import data, memory, results, words
from ui.markup import short

EVERY = 3.0  # seconds between two refreshes
WINDOW = 120.0  # seconds over which the speed is averaged


@dataclass(frozen=True, slots=True)
class Speed:
    dialogues_per_minute: float
    replies_per_second: float
    seconds_left: float | None


def speed(looks: list[tuple[float, int]], left: int, replies_per_dialogue: int) -> Speed | None:
    """Compute the speed from (time, finished dialogues) pairs; None until a dialogue ends between the measurements."""
    if len(looks) < 2:
        return None
    (since, before), (now, after) = looks[0], looks[-1]
    if now <= since or after <= before:
        return None
    rate = (after - before) / (now - since)
    return Speed(rate * 60, rate * replies_per_dialogue, left / rate)


def looks(tournament: str, states: States, now: float) -> list[tuple[float, int]]:
    """Add a measurement and return all measurements of the last two minutes."""
    times: list[tuple[float, int]] = st.session_state.setdefault(f"looks_{tournament}", [])
    times.append((now, states.over))
    times[:] = [look for look in times if now - look[0] <= WINDOW]
    return times


def progress(chosen: StoredTournament, states: States) -> None:
    """Show a progress bar with speed and failures."""
    turns = int(chosen.config.get("turns") or 1)
    # Counted from the first dialogue's end, because those that are played side by side end together
    seen = [look for look in looks(chosen.id, states, time.time()) if look[1]]
    pace = speed(seen, states.planned - states.over, 2 * turns - 1) if under_way(states) else None
    parts = [f"{words.count(states.over)} of {words.count(states.planned)} dialogues"]
    if states.running:
        parts.append(f"{words.count(states.running)} being played")
    if pace is not None:
        parts.append(f"about {pace.replies_per_second:.1f} replies/s")
        parts.append(f"{words.span(pace.seconds_left or 0)} left")
    st.progress(min(1.0, states.over / states.planned) if states.planned else 0.0, text=" · ".join(parts))
    if states.failed:
        reasons = ", ".join(f"{n} × {reason}" for reason, n in sorted(states.failures.items()))
        words.notice(f"{words.plural(states.failed, 'dialogue')} failed: {reasons}.", "warn")


def under_way(states: States) -> bool:
    return states.over < states.planned


def failures(states: States) -> None:
    """Show how many dialogues failed, and why."""
    reasons = ", ".join(f"{n} × {short(reason, 60)}" for reason, n in sorted(states.failures.items()))
    words.notice(
        f"{words.plural(states.failed, 'dialogue')} of {words.count(states.planned)} failed ({reasons}) and "
        "count nowhere; 'arena run FILE --retry-failed' plays them again.",
        "warn",
    )


def nothing_judged(chosen: StoredTournament, states: States) -> None:
    """Show why there is no verdict yet."""
    if states.planned and states.failed == states.planned:
        words.notice("Every dialogue failed, so there is nothing to judge.", "bad")
    elif under_way(states) and not states.over:
        words.notice(
            f"{words.plural(states.running, 'dialogue is', 'dialogues are')} being played side by side; the first "
            "figures come when one of them is over."
            if states.running
            else "Bots and judges are being loaded, or the run was interrupted before its first dialogue; "
            "the page Launch shows the runs."
        )
    else:
        words.notice(
            f"Nothing is judged yet: 'arena judge {chosen.id} --judge NAME' judges what is stored.", "warn"
        )


@memory.fragment(run_every=EVERY)
def follow(chosen: StoredTournament) -> None:
    """Show the progress, and redraw the whole page when there is new data."""
    states = data.states(chosen.id)
    if under_way(states):
        progress(chosen, states)
    redraw(chosen)


@memory.fragment(run_every=EVERY)
def judging(chosen: StoredTournament, judge: JudgeRow) -> None:
    """Show how many inquiries are not judged yet, and redraw the whole page when there are new verdicts."""
    if left := data.waiting(chosen.id, judge.row):
        words.notice(
            f"{words.plural(left, 'inquiry is', 'inquiries are')} not judged yet by {short(judge.name, 40)}; "
            "the figures change as they are."
        )
    redraw(chosen)


def redraw(chosen: StoredTournament) -> None:
    """Redraw the whole page if there is new data since it was drawn."""
    stamp = results.stamp(chosen.id)
    shown = st.session_state.setdefault("followed", {})
    if shown.get(chosen.id, stamp) != stamp:
        shown[chosen.id] = stamp
        st.rerun()
    shown[chosen.id] = stamp
