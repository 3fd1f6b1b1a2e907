"""Every page on every kind of tournament, in a real browser: nothing breaks, nothing leaves the screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.exchange import imports
from db import Repository
from tests.support import findings
from tests.support import tournaments as play
from tests.ui.browser import Browser, Server, missing

pytestmark = pytest.mark.slow
PHONE, DESK = "390,844", "1440,900"
PAGES: tuple[tuple[str, dict[str, str]], ...] = (
    ("leaderboard", {}),
    ("leaderboard", {"view": "Pairs"}),
    ("leaderboard", {"view": "Stability"}),
    ("leaderboard", {"view": "Kinds and entities"}),
    ("bot", {}),
    ("releases", {}),
    ("transcripts", {}),
    ("transcripts", {"check": "history"}),
    ("label", {}),
    ("label", {"rater": "Ann"}),
    ("organiser", {}),
    ("chat", {}),
)
LAUNCH: tuple[tuple[str, dict[str, str]], ...] = (("launch", {}), ("launch", {"view": "Runs"}))
# What a page says of such a tournament; where nothing stands, it shows the tournament as usual.
SAYS = {
    ("empty", "leaderboard"): "There is no tournament yet",
    ("empty", "bot"): "There is no tournament yet",
    ("empty", "releases"): "Two judged tournaments are needed",
    ("empty", "transcripts"): "There is no tournament yet",
    ("empty", "label"): "There is no tournament yet",
    ("empty", "organiser"): "There is no tournament yet",
    ("empty", "chat"): "There is no tournament yet",
    ("imported", "leaderboard"): "Contradiction rate",
    ("failed", "leaderboard"): "Every dialogue failed",
    ("failed", "bot"): "Every dialogue failed",
    ("failed", "transcripts"): "failed",
    ("failed", "label as Ann"): "There is nothing to label yet",
    ("many", "leaderboard"): "Not enough data to rank",
    ("long names", "leaderboard"): "…",
    ("copies", "leaderboard"): "distinct",
}
WIDE = (
    "const m = document.querySelector('[data-testid=stMain]'); return m ? m.scrollWidth - m.clientWidth : 0"
)
BROKEN = (
    "return [...document.querySelectorAll('[data-testid=stException], .notice.bad')].map(e => e.innerText)"
)


@dataclass(frozen=True)
class Shown:
    server: Server
    tournaments: dict[str, str]
    dialogues: dict[str, str]


def tournaments(store: Repository, folder: Path) -> dict[str, str]:
    """Their ids by what is special about them."""
    many = [
        f"  - {{name: b{n}, adapter: scripted, sheet_seed: {n}, fickleness: {n / 20}}}" for n in range(12)
    ]
    ring = ", ".join(f"[b{n}, b{(n + 1) % 12}]" for n in range(12))
    long = [f"  - {{name: {c * 200}, adapter: scripted, sheet_seed: {n}}}" for n, c in enumerate("xyz")]
    texts = {
        "failed": play.text(
            "  - {name: broken, adapter: faulty, raises: 1.0}", release="failed", more="limits: {retries: 0}"
        ),
        "many": play.text(
            *many, release="many", turns=300, dialogues=1, more=f"pairs: [{ring}]\non_loop: keep"
        ),
        "long names": play.text(*long, release="R" * 200, dialogues=5),
        "copies": play.text(
            play.STEADY,
            "  - {name: parrot, adapter: echo}",
            release="copies",
            dialogues=8,
            more="on_loop: keep",
        ),
    }
    ids = {name: play.play(store, text)[0].info.id for name, text in texts.items()}
    findings.add(store, ids["many"])
    first = play.store(folder, "first.db")
    played, _ = play.play(first, play.text(release="elsewhere", dialogues=4))
    (folder / "out.jsonl").write_text(play.exported(first, played.info.id))
    [(ids["imported"], *_)] = imports.read(store, folder / "out.jsonl", None)
    return ids


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    if (reason := missing()) is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("states")
    store = play.store(folder)
    ids = tournaments(store, folder)
    dialogues = {name: record.key for name, id in ids.items() for record in list(store.records(id))[:1]}
    server = Server(f"sqlite:///{folder / 'arena.db'}", folder / "state")
    yield Shown(server, ids, dialogues)
    server.stop()


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    if (reason := missing()) is not None:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("empty")
    server = Server(f"sqlite:///{folder / 'arena.db'}", folder / "state")
    yield Shown(server, {}, {})
    server.stop()


@pytest.fixture(scope="module", params=[DESK, PHONE])
def screen(request: pytest.FixtureRequest) -> Iterator[Browser]:
    if (reason := missing()) is not None:
        pytest.skip(reason)
    opened = Browser(request.param)
    yield opened
    opened.close()


@pytest.mark.parametrize("kind", ["imported", "failed", "many", "long names", "copies"])
def test_every_page_of(kind: str, shown: Shown, screen: Browser) -> None:
    chosen = {"tournament": shown.tournaments[kind]}
    for page, parameters in (*PAGES, ("transcripts", {"dialogue": shown.dialogues[kind]})):
        visit(shown.server, screen, kind, page, chosen | parameters)


def test_every_page_of_an_empty_database(empty: Shown, screen: Browser) -> None:
    for page, parameters in (*PAGES, *LAUNCH):
        visit(empty.server, screen, "empty", page, parameters)


def visit(server: Server, browser: Browser, kind: str, page: str, parameters: dict[str, str]) -> None:
    browser.open(server, page, **parameters)
    where = f"{kind}, {page} {parameters}"
    # a tournament in which everything failed is told as something bad, and nothing else is
    assert kind == "failed" or not browser.run(BROKEN), where
    assert not browser.run("return document.querySelector('[data-testid=stException]')"), where
    assert browser.run(WIDE) <= 0, where
    name = " as ".join([page, *filter(None, [parameters.get("rater")])])
    if parameters.keys() <= {"tournament", "rater"} and (sentence := SAYS.get((kind, name))):
        assert sentence in browser.text(), (where, browser.text()[:1500])


def test_the_bar_of_a_transcript_stays_in_view(shown: Shown) -> None:
    """At the top of a desktop's screen, at the bottom of a phone's, and what lies there can be clicked."""
    for size, top in ((DESK, True), (PHONE, False)):
        browser = Browser(size)
        try:
            browser.open(
                shown.server,
                "transcripts",
                tournament=shown.tournaments["many"],
                dialogue=shown.dialogues["many"],
            )
            assert "b0" in browser.text()
            browser.run("document.querySelector('[data-testid=stMain]').scrollTop = 9000")
            browser.settle()
            box = browser.run(
                "const b = document.querySelector('.st-key-go_n button').getBoundingClientRect();"
                "const hit = document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2);"
                "return [b.top, b.bottom, b.left, b.right, innerHeight, innerWidth,"
                " !!hit?.closest('.st-key-go_n')]"
            )
            assert 0 <= box[0] < box[1] <= box[4] and 0 <= box[2] < box[3] <= box[5], box
            assert (box[0] < 60) == top and box[6], box
            before = browser.driver.current_url
            browser.click("Next dialogue")
            assert browser.driver.current_url != before
        finally:
            browser.close()


def test_an_item_with_its_answers_fits_a_phone(shown: Shown) -> None:
    browser = Browser(PHONE)
    try:
        for kind in ("many", "long names"):
            browser.open(shown.server, "label", tournament=shown.tournaments[kind], rater="Bob")
            browser.sees("It was asked")
            top, bottom, tall = browser.run(
                "const all = [...document.querySelectorAll('[class*=st-key-answers_] button')];"
                "const boxes = all.map(b => b.getBoundingClientRect());"
                "return [document.querySelector('.card').getBoundingClientRect().top,"
                " Math.max(...boxes.map(b => b.bottom)), Math.min(...boxes.map(b => b.height))]"
            )
            assert top >= 0 and bottom <= 844 and tall >= 40, kind
    finally:
        browser.close()


def test_a_matrix_fits_a_phone_or_scrolls_in_its_box(shown: Shown) -> None:
    browser = Browser(PHONE)
    try:
        for kind, scrolls in (("long names", False), ("many", True)):
            browser.open(shown.server, "leaderboard", tournament=shown.tournaments[kind], view="Pairs")
            over, shown_width, right = browser.run(
                "const box = document.querySelector('.st-key-pairs');"
                "const chart = box.querySelector('[data-testid=stVegaLiteChart] :is(canvas, svg)');"
                "const drawn = chart.getBoundingClientRect();"
                "return [box.scrollWidth - box.clientWidth, drawn.width, drawn.right]"
            )
            assert shown_width > 200 and (over > 0) == scrolls, kind
            assert scrolls or right <= 390, kind
    finally:
        browser.close()
