"""Texts that attack are shown as text: nothing runs, nothing loads, the layout holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import tournaments as play
from tests.ui import hostile
from tests.ui.browser import Browser, Server
from ui.markup import element, short, utterance

pytestmark = pytest.mark.slow


@pytest.fixture
def attacked(tmp_path: Path) -> Iterator[tuple[Server, str, str]]:
    store = play.store(tmp_path)
    tournament = hostile.make(store)
    key = next(r.key for r in store.records(tournament) if any(m.text == hostile.LONG for m in r.messages))
    server = Server(f"sqlite:///{tmp_path / 'arena.db'}", tmp_path / "state")
    yield server, tournament, key
    server.stop()


def test_every_page(browser: Browser, attacked: tuple[Server, str, str]) -> None:
    server, tournament, key = attacked
    visits: list[tuple[str, dict[str, str | list[str]]]] = [
        ("leaderboard", {"tournament": tournament}),
        ("transcripts", {"tournament": tournament}),
        ("transcripts", {"tournament": tournament, "dialogue": key}),
        ("label", {"tournament": tournament, "rater": "<b>Ann</b> **x**"}),
        ("organiser", {"tournament": tournament}),
        ("chat", {"tournament": tournament}),
        ("releases", {}),
        ("launch", {}),
    ]
    for page, parameters in visits:
        browser.requests()
        browser.open(server, page, **parameters)
        where = f"{page} {list(parameters)}"
        assert browser.run("return document.title") != "owned", where
        assert (
            browser.run(
                "return document.querySelectorAll('img[src=x], a[href^=javascript], script[src=x]').length"
            )
            == 0
        )
        outside = [
            u
            for u in browser.requests()
            if not u.startswith((server.url, f"ws://127.0.0.1:{server.port}", "data:", "blob:"))
        ]
        assert not outside, (where, outside)
        wide = browser.run(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wide <= 0, where
        wide = browser.run(
            "const m=document.querySelector('[data-testid=stMain]'); return m ? m.scrollWidth - m.clientWidth : 0"
        )
        assert wide <= 0, where
        assert browser.run("return document.querySelectorAll('[data-testid=stMain] .katex').length") == 0, (
            where
        )
        browser.shot(f"hostile-{page}{'-dialogue' if 'dialogue' in parameters else ''}")
        if "dialogue" in parameters:
            text = browser.text()
            for attack in ("<img src=x onerror=", "[click](javascript:", "$\\LaTeX$"):
                assert attack in text
            assert "\x1b" not in text and "\u202e" not in text and "red" in text
            height = browser.run(
                "return Math.max(...[...document.querySelectorAll('.said')].map(e => e.offsetHeight))"
            )
            assert height < 768, "a long message must not push the others away"


def test_elements_escape_whatever_they_hold() -> None:
    built = element("div", hostile.IMAGE, title=hostile.IMAGE, class_='"><script>').html
    assert "<img" not in built and "<script" not in built and built.count("<") == 2
    with pytest.raises(ValueError):
        element("script", "x")
    with pytest.raises(ValueError):
        element("div", onclick="x")


def test_long_texts_are_folded() -> None:
    built = utterance(hostile.LONG).html
    assert "<details>" in built and "50,300 characters" in built
    assert len(short(hostile.LONG)) <= 160 and "\n" not in short("a\nb")
    assert (
        "\x1b" not in utterance(hostile.ANSI).html and "\u202e" not in utterance(hostile.RIGHT_TO_LEFT).html
    )
