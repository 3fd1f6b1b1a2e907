"""The form for one bot on the launch page: adapter, model, persona, further settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st
import yaml

from arena.core import plugins
from arena.core.errors import ArenaError
from bots import weights
from bots.base import COMMON
from bots.library import characters
from bots.library import chosen as chosen_persona
from bots.persona import LIBRARY
from ui import forms, trial
from ui.markup import short
from ui.saved import Saved

TALKERS = ("hf", "openai", "parlai", "http")  # adapters whose bots can be given a persona
NO_PERSONA, DRAWN, SHIPPED, OWN = (
    "none",
    "drawn from the library for each dialogue",
    "one of the library",
    "written here",
)
WHAT = {  # of the shipped adapters; plug-ins show their names
    "hf": "language model",
    "openai": "OpenAI-compatible server",
    "http": "your own server",
    "parlai": "ParlAI model",
    "scripted": "control",
    "interviewer": "asks, without a model",
    "echo": "repeats what it hears",
    "faulty": "fails on purpose",
}
MAIN = {"scripted": ("fickleness",)}  # settings that are shown although they have a default
FIRST: tuple[dict[str, Any], ...] = (
    {"name": "steady", "adapter": "scripted"},
    {"name": "moody", "adapter": "scripted", "fickleness": 0.3},
)


def card(
    id: str, start: Mapping[str, Any], saved: Saved, *, removable: bool
) -> tuple[dict[str, Any], str | None]:
    """Show the form of a bot; return the entry, and what is wrong with it or None. `start` are the initial values."""
    adapters = offered_adapters()
    a, b = st.columns(2)
    name = a.text_input("Name", start["name"], key=f"name_{id}", max_chars=200)
    usual = adapters.index(start["adapter"]) if start["adapter"] in adapters else 0
    adapter = b.selectbox("Adapter", adapters, index=usual, format_func=adapter_title, key=f"adapter_{id}")
    entry: dict[str, Any] = {"name": name, "adapter": adapter}
    given = start if start["adapter"] == adapter else {}
    try:
        further, mistake = settings(f"{id}_{adapter}", adapter, given)
        if adapter == "hf" and "model" not in further:
            mistake = f"Choose a model for '{short(name, 60)}'."
    except ArenaError as error:
        further, mistake = {}, str(error)
    entry |= further
    actions(id, entry, saved, removable=removable)
    return entry, mistake


def offered_adapters() -> list[str]:
    """List the adapters that a file can name: the shipped ones in the order of their use, then plug-ins."""
    names = [name for name in plugins.names("arena.bots") if name not in ("human", "function")]
    return sorted(names, key=lambda name: list(WHAT).index(name) if name in WHAT else len(WHAT))


def settings(key: str, adapter: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], str | None]:
    simple, rest = forms.fields(adapter)
    entry: dict[str, Any] = {}
    if adapter == "hf":
        entry |= model(key, given)
        simple = [field for field in simple if field.name != "model"]
    known = adapter in TALKERS or adapter in MAIN
    first = [field for field in simple if field.required or not known or field.name in MAIN.get(adapter, ())]
    entry |= grid(first, key, given)
    if adapter in TALKERS:
        entry |= persona(key, given.get("persona"))
    shown = {field.name for field in simple} | {"name", "adapter", "model", "persona"}
    left = {name: value for name, value in given.items() if name not in shown}
    offered = [name for name in (*rest, *COMMON) if name != "persona" or adapter not in TALKERS]
    others = [field for field in simple if field not in first]
    with st.expander("More settings"):
        entry |= grid(others, key, given)
        more, mistake = forms.more(offered, f"{key}_more", yaml.safe_dump(left) if left else "")
    return entry | more, mistake


def grid(fields: Sequence[forms.Field], key: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Show the settings, three in a row; return the values that differ from the defaults."""
    entry = {}
    for start in range(0, len(fields), 3):
        for column, field in zip(st.columns(3), fields[start : start + 3], strict=False):
            with column:
                value = forms.ask(field, f"{key}_{field.name}", given.get(field.name))
            if value is not None:
                entry[field.name] = value
    return entry


def adapter_title(name: str) -> str:
    return f"{name} · {WHAT[name]}" if name in WHAT else name


def model(key: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for a model: an embedded model, a model in the local cache, or a name or folder."""
    usual = str(given.get("model") or "")
    options = list(dict.fromkeys([*embedded(), *local(), *([usual] if usual else [])]))
    chosen = st.selectbox(
        "Model",
        options,
        index=options.index(usual) if usual in options else None,
        accept_new_options=True,
        placeholder="Choose a model, or type a hub name or a folder",
        format_func=lambda name: short(name, 80),
        key=f"{key}_model",
    )
    if chosen and f"{weights.PREFIX}{chosen}" in embedded():
        chosen = f"{weights.PREFIX}{chosen}"  # somebody has typed its name
    if chosen and chosen.startswith(weights.PREFIX):
        entry = weights.find(chosen.removeprefix(weights.PREFIX))
        if weights.state(entry) != "here":
            st.caption(f"Not on this machine yet: 'arena models fetch {entry.name}' brings it.")
    return {"model": chosen} if chosen else {}


def embedded() -> list[str]:
    """List the language models that the arena can fetch by name."""
    return [
        f"{weights.PREFIX}{name}"
        for name, entry in weights.entries().items()
        if entry.kind == "language model"
    ]


def local() -> list[str]:
    """List the hub models in the cache of this machine."""
    from huggingface_hub.constants import HF_HUB_CACHE

    folders = sorted(Path(HF_HUB_CACHE).glob("models--*")) if Path(HF_HUB_CACHE).is_dir() else []
    return [folder.name.removeprefix("models--").replace("--", "/") for folder in folders[:100]]


def persona(key: str, given: Any) -> dict[str, Any]:
    usual = NO_PERSONA if not given else DRAWN if given == LIBRARY else SHIPPED if in_library(given) else OWN
    options = [NO_PERSONA, DRAWN, SHIPPED, OWN]
    chosen = st.radio(
        "Persona", options, index=options.index(usual), horizontal=True, key=f"{key}_persona_kind"
    )
    if chosen == DRAWN:
        return {"persona": LIBRARY}
    if chosen == SHIPPED:
        names = [f"{LIBRARY}:{n}" for n in range(1, len(characters()) + 1)]
        return {
            "persona": st.selectbox(
                "From the library",
                names,
                index=names.index(given) if in_library(given) else 0,
                format_func=lambda name: f"{name.partition(':')[2]}. {short(chosen_persona(name), 90)}",
                key=f"{key}_persona_number",
            )
        }
    if chosen == OWN:
        text = st.text_area(
            "Its text",
            given if isinstance(given, str) and given != LIBRARY and not in_library(given) else "",
            key=f"{key}_persona",
            height=80,
            placeholder="You are Sam, a nurse from Boston. You have two dogs.",
        )
        return {"persona": text} if text.strip() else {}
    return {}


def in_library(persona: Any) -> bool:
    """Whether the persona is the number of a shipped persona."""
    return isinstance(persona, str) and persona in {f"{LIBRARY}:{n + 1}" for n in range(len(characters()))}


def actions(id: str, entry: Mapping[str, Any], saved: Saved, *, removable: bool) -> None:
    with st.container(horizontal=True):
        if st.button("Try it in a chat", key=f"try_{id}", icon=":material/chat:"):
            trial.dialog(dict(entry))
        if st.button("Save for next time", key=f"save_{id}", icon=":material/bookmark:"):
            saved.keep_bot(entry)
            st.toast(f"Saved {short(str(entry['name']), 40)}.")
        if removable and st.button("Remove", key=f"remove_{id}", icon=":material/delete:"):
            st.session_state["bot_ids"].remove(id)
            st.rerun()
