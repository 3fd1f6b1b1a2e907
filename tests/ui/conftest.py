"""Databases that pages are shown on, and a browser where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from db import Repository
from tests.support import tournaments as play
from tests.ui import browser as real

KINDS = "{entities: rules, questions: rules, kinds: [wh, ask_twice], distances: [0, 1], per_turn: 2}"
FICKLE = "  - {name: fickle, adapter: scripted, fickleness: 0.7, sheet_seed: 3}"
CALMER = "  - {name: moody, adapter: scripted, fickleness: 0.05, sheet_seed: 2}"


@dataclass(frozen=True)
class Played:
    """A database with two releases."""

    url: str
    store: Repository
    first: str
    second: str


def make(folder: Path) -> Played:
    store = play.store(folder)
    source = play.text(
        play.STEADY, play.MOODY, FICKLE, turns=5, dialogues=6, inquirer=KINDS, more=""
    ).replace("[truth]", "[truth, lexical]")
    a, _ = play.play(store, source)
    b, _ = play.play(store, source.replace(play.MOODY, CALMER).replace("release: r1", "release: r2"))
    return Played(f"sqlite:///{folder / 'arena.db'}", store, a.info.id, b.info.id)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Shared: for tests that only read."""
    return make(tmp_path_factory.mktemp("played"))


@pytest.fixture
def own(tmp_path: Path) -> Played:
    """For tests that write."""
    return make(tmp_path)


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Streamlit's memory outlives a test."""
    import streamlit as st

    yield
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def browser() -> Iterator[real.Browser]:
    if (reason := real.missing()) is not None:
        pytest.skip(reason)
    opened = real.Browser()
    yield opened
    opened.close()
