"""What people do, done by a browser: each test is a story from beginning to end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.config.resolve import parse
from arena.labelling.work import AIH
from arena.play.launch import Runs
from db.desks import Inquiries
from db.labels import Labels
from tests.support import tournaments as play
from tests.ui.browser import Browser, Server, missing, until
from tests.ui.conftest import Played

pytestmark = pytest.mark.slow


@pytest.fixture
def server(own: Played, tmp_path: Path) -> Iterator[Server]:
    started = Server(own.url, tmp_path / "state")
    yield started
    started.stop()


def begin_labelling(browser: Browser, server: Server, tournament: str, person: str) -> None:
    browser.open(server, "label", tournament=tournament, rater=person)
    browser.sees("It was asked")


def done(desk: Inquiries, own: Played) -> int:
    return desk.done_by("Ann", own.first, AIH.complete)


def subject(browser: Browser) -> str:
    """Which item is shown: the buttons carry it."""
    result = browser.run(
        "const b=document.querySelector('[class*=\"_contradicts_7\"]');"
        "return b ? [...b.classList].find(c => c.endsWith('_contradicts_7')) : ''"
    )
    return str(result).removeprefix("st-key-").removesuffix("_contradicts_7")


def answer(browser: Browser, *keys: str) -> float:
    """Presses three keys for one item; seconds until the next item shows."""
    shown = subject(browser)
    for key in keys[:-1]:
        browser.press(key)
        browser.settle(quiet=0.15)
    began = time.monotonic()
    browser.press(keys[-1])
    until(lambda: subject(browser) not in ("", shown), 60, "the next item")
    return time.monotonic() - began


def test_from_launch_to_comparison(browser: Browser, server: Server, own: Played) -> None:
    # launch
    browser.open(server, "launch")
    browser.write("Release tag", "from-the-page")
    browser.write("Turns", "5")
    browser.write("Dialogues per pair", "6")
    browser.sees("release: from-the-page")
    browser.shot("launch")
    browser.click("Start")
    browser.sees("done", 90)
    until(lambda: "24 of 24 dialogues" in browser.text(), 60, "the run's end")
    browser.shot("runs")
    # leaderboard
    browser.click("Open result")
    browser.sees("Contradiction rate")
    browser.sees("steady contradicts itself least.")
    browser.open(server, "leaderboard", tournament=own.first)
    browser.shot("leaderboard")
    for view in ("Pairs", "Stability", "τ and distance", "Kinds and entities"):
        browser.click(view)
        browser.shot(f"leaderboard-{view.split()[0].lower().replace('τ', 'tau')}")
    browser.click("Ranking")
    # transcript
    browser.follow("fickle")
    browser.sees("Its worst contradictions")
    browser.shot("bot")
    browser.click("Read the dialogue")
    browser.sees("under test")
    browser.sees("Inquiry 1")
    browser.shot("transcript")
    assert "dialogue=" in browser.driver.current_url
    # compare
    browser.open(server, "releases", tournaments=[own.first, own.second])
    browser.sees("Verdicts")
    browser.shot("releases")
    browser.click("History of a bot")
    browser.shot("history")


def test_a_run_is_left_for_its_result_at_any_moment(
    browser: Browser, server: Server, own: Played, tmp_path: Path
) -> None:
    """Its card is refreshed every two seconds, here a hundred times as often, so that one comes with every click."""
    browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": "const real = window.setInterval; window.setInterval = (tick, pause, ...more) =>"
            " real(tick, pause === 2000 ? 20 : pause, ...more)"
        },
    )
    source = play.text(turns=1, dialogues=1)
    Runs(tmp_path / "state", own.url).start(source, parse(source).info.id, "r1")
    for _ in range(3):
        browser.open(server, "launch")
        browser.click("Runs", settled=False)
        browser.sees("4 of 4 dialogues", 90)
        browser.click("Open result")
        browser.sees("Contradiction rate")


def test_a_leaderboard_under_way_is_left_by_a_row_at_any_moment(
    browser: Browser, server: Server, own: Played
) -> None:
    """It is refreshed every three seconds, here far more often, so that a refresh is under way at every click."""
    browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": "const real = window.setInterval; window.setInterval = (tick, pause, ...more) =>"
            " real(tick, pause === 3000 ? 20 : pause, ...more)"
        },
    )
    tournament, _ = play.play(own.store, play.text(dialogues=4, release="halfway"), limit=9)
    for _ in range(3):
        browser.open(server, "leaderboard", tournament=tournament.info.id)
        browser.sees("9 of 16 dialogues")
        browser.follow("moody", settled=False)
        browser.sees("Its worst contradictions")
        assert "bot=moody" in browser.driver.current_url


def test_rows_and_heads_are_chosen_by_keyboard(browser: Browser, server: Server, own: Played) -> None:
    browser.open(server, "leaderboard", tournament=own.first)
    browser.run("document.querySelector('[data-order=\"-Contradictions\"]').focus()")
    browser.press("\ue007")
    until(lambda: "order=-Contradictions" in browser.driver.current_url, 20, "the order in the address")
    browser.settle()
    assert browser.run("return document.querySelector('tbody [role=link]').innerText") == "fickle"
    browser.open(server, "transcripts", tournament=own.first)
    browser.run("document.querySelectorAll('.hit[role=link]')[30].focus()")
    browser.press("\ue007")
    until(lambda: "dialogue=" in browser.driver.current_url, 20, "the dialogue")
    browser.settle()
    browser.click("All transcripts")
    until(
        lambda: browser.run(
            "const r = document.querySelector('.hit.current')?.getBoundingClientRect();"
            "return r && r.top >= 0 && r.bottom <= innerHeight"
        ),
        20,
        "the row that was read to be in view",
    )


def test_ten_items_by_keyboard(browser: Browser, server: Server, own: Played) -> None:
    desk = Inquiries(own.store)
    begin_labelling(browser, server, own.first, "Ann")
    browser.shot("label")
    scrolls = browser.run(
        "const m=document.querySelector('[data-testid=stMain]'); return m.scrollHeight - m.clientHeight"
    )
    assert scrolls <= 0, "an item must fit the screen"
    for n in range(10):
        if n == 5:  # half an item, then a reload
            shown = subject(browser)
            browser.press("1")
            browser.settle()
            browser.reload()
            assert subject(browser) == shown
            assert dict(desk.mine(shown, "Ann").values) == {"appropriate": True}  # type: ignore[union-attr]
        answer(browser, "1", "4", "7" if n % 2 else "8")
        assert done(desk, own) == n + 1
    assert all(len(label.values) == 3 for label in Labels(own.store).of(own.first, "aih"))
    # undo takes back the last answer and shows its item
    last = max(Labels(own.store).of(own.first, "aih"), key=lambda one: one.seconds or 0).subject
    assert last
    browser.press("z")
    browser.settle()
    back = subject(browser)
    assert set(desk.mine(back, "Ann").values) == {"appropriate", "relevant"}  # type: ignore[union-attr]
    answer(browser, "7")
    assert done(desk, own) == 10
    # a second person: agreement appears and changes
    browser.open(server, "organiser", tournament=own.first)
    browser.sees("Agreement appears when two people")
    begin_labelling(browser, server, own.first, "Bob")
    answer(browser, "1", "4", "7")
    answer(browser, "1", "5", "7")
    browser.open(server, "organiser", tournament=own.first)
    browser.sees("Judges against the people")
    assert "Agreement appears when two people" not in browser.text()
    browser.shot("organiser")


def test_two_browsers_never_get_the_same_item(browser: Browser, server: Server, own: Played) -> None:
    other = Browser()
    try:
        begin_labelling(browser, server, own.first, "Ann")
        begin_labelling(other, server, own.first, "Bob")
        for _ in range(6):
            a, b = subject(browser), subject(other)
            assert a and b and a != b
            browser.press("1")
            other.press("1")
            browser.settle(quiet=0.15)
            other.settle(quiet=0.15)
            assert (subject(browser), subject(other)) == (a, b)
            answer(browser, "4", "8")
            answer(other, "4", "8")
    finally:
        other.close()


def test_every_shown_answer_survives_a_killed_server(browser: Browser, own: Played, tmp_path: Path) -> None:
    desk = Inquiries(own.store)
    server = Server(own.url, tmp_path / "state")
    try:
        begin_labelling(browser, server, own.first, "Ann")
        for n in range(4):
            answer(browser, "1", "4", "7")
            shown = subject(browser)
            browser.press("2")
            browser.sees("about what was said? No")
            port = server.port
            server.kill()
            assert done(desk, own) == n + 1  # the half-answered item is stored, not finished
            assert dict(desk.mine(shown, "Ann").values) == {"appropriate": False}  # type: ignore[union-attr]
            server = Server(own.url, tmp_path / "state", port=port)
            begin_labelling(browser, server, own.first, "Ann")
            assert subject(browser) == shown
    finally:
        server.stop()


def test_a_chat_of_five_turns(browser: Browser, server: Server, own: Played) -> None:
    browser.open(server, "chat", tournament=own.first)
    browser.write("Your name", "Ann")
    browser.click("Meet a bot")
    for n, text in enumerate(
        ("hello", "Do you have pets?", "Where do you live?", "And your job?", "Any kids?"), 1
    ):
        from selenium.webdriver.common.keys import Keys

        box = browser.driver.find_element("css selector", "[data-testid=stChatInputTextArea]")
        box.send_keys(text, Keys.ENTER)
        want = f"this chat has {n}." if n < 5 else ""
        browser.sees(want or "How consistent was the bot?")
        browser.settle()
        if n == 3:
            browser.reload()
            browser.sees("Where do you live?")
    assert not any(name in browser.text() for name in ("steady", "moody", "fickle"))
    browser.shot("chat")
    browser.click("Score and finish")
    browser.click("Summary")
    browser.sees("1 chat counted")
    browser.shot("chat-summary")
    browser.click("Mark utterances")
    browser.write("Your name", "Bob")
    browser.click("Inconsistent")
    browser.shot("chat-marks")
    browser.click("Summary")
    browser.sees("1 chat counted")
    assert "No utterance is marked yet." not in browser.text()


def test_only_its_own_address_reaches_the_pages(own: Played, tmp_path: Path) -> None:
    """A site whose name points here is refused, unless it is the proxy's."""
    if (reason := missing()) is not None:
        pytest.skip(reason)
    browser = Browser("1366,768", "--host-resolver-rules=MAP arena.example.org 127.0.0.1")
    alone = Server(own.url, tmp_path / "state")
    try:
        browser.driver.get(f"http://arena.example.org:{alone.port}/leaderboard")
        time.sleep(2)
        assert "Contradiction rate" not in browser.text()
        browser.open(alone, "leaderboard")
        browser.sees("Contradiction rate")
    finally:
        alone.stop()
    address = f"http://arena.example.org:{alone.port}"
    proxied = Server(own.url, tmp_path / "state", "--behind-proxy", "--public-url", address, port=alone.port)
    try:
        browser.driver.get(f"{address}/leaderboard")
        browser.sees("Contradiction rate")
        browser.driver.get(f"{address}/launch")
        browser.sees("Launching is off")
    finally:
        proxied.stop()
        browser.close()
