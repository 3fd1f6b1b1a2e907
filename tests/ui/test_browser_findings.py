"""Findings in a browser: links of a transcript by click and key, practice, labels, questions of one's own."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.core.types import Check
from arena.labelling import work as labelling
from db.labels import Labels
from tests.support import findings
from tests.ui.browser import Browser, Server, until
from tests.ui.conftest import Played
from tests.ui.test_findings import OWN

pytestmark = pytest.mark.slow


@pytest.fixture
def judged(own: Played) -> Played:
    for judge in (0, 1):
        findings.add(own.store, own.first, judge=judge)
    findings.add(own.store, own.first, Check.PERSONA)
    return own


@pytest.fixture
def server(judged: Played, tmp_path: Path) -> Iterator[Server]:
    started = Server(judged.url, tmp_path / "state")
    yield started
    started.stop()


def in_view(browser: Browser, index: int) -> bool:
    return bool(
        browser.run(
            "const r = document.querySelector(`.turn[data-index='${arguments[0]}']`)?.getBoundingClientRect();"
            "return r && r.top < innerHeight && r.bottom > 0",
            index,
        )
    )


def highlighted(browser: Browser) -> list[int]:
    result = browser.run("return [...document.querySelectorAll('.turn.linked')].map(t => +t.dataset.index)")
    return [int(index) for index in result]


def test_a_click_and_a_key_lead_from_one_message_to_the_other(server: Server, judged: Played) -> None:
    record = next(r for r in judged.store.records(judged.first) if len(r.messages) > 6)
    bad = next(
        v
        for v in record.message_verdicts
        if v.check is Check.HISTORY and (v.judgement.contradiction or 0) > v.tau
    )
    other = int(bad.judgement.evidence["message"])
    phone = Browser("390,500")  # so small that not both ends are on the screen at once
    try:
        phone.open(server, "transcripts", tournament=judged.first, dialogue=record.key)
        assert highlighted(phone) == []
        chip = f".turn[data-index='{bad.message}'] .chip[data-jump='{other}']"
        phone.run("document.querySelector(arguments[0]).click()", chip)
        until(lambda: highlighted(phone) == [other, bad.message], 20, "both messages to be highlighted")
        until(lambda: in_view(phone, other), 20, "the earlier message to be shown")
        assert f"{bad.message}%3Ahistory" in phone.driver.current_url
        phone.settle()
        phone.press("o")
        until(lambda: in_view(phone, bad.message), 20, "the later message to be shown")
        phone.reload()
        assert highlighted(phone) == [other, bad.message]
        # by keyboard alone: Enter on a chip that has the focus
        phone.run("document.querySelector(arguments[0]).focus()", chip)
        phone.press("\ue007")
        until(lambda: f"to={other}" in phone.driver.current_url, 20, "the address to name the other end")
    finally:
        phone.close()


def test_practice_then_ten_messages_by_keyboard(browser: Browser, server: Server, judged: Played) -> None:
    browser.open(server, "label", tournament=judged.first, form="finding")
    browser.write("Your name", "Ann")
    browser.click("Start labelling")
    browser.sees("item 1 of 5")
    browser.press("1")
    browser.settle(quiet=0.2)
    browser.press("5")
    browser.sees("Not quite.")
    browser.press("\ue007")
    browser.sees("item 2 of 5")
    browser.click("Skip practice")
    browser.sees("The bot said")
    desk = labelling.desk(judged.store, labelling.FINDING)
    for done in range(10):
        shown = subject(browser)
        browser.press("1")
        browser.settle(quiet=0.15)
        browser.press("4" if done % 2 else "5")
        until(lambda shown=shown: subject(browser) not in ("", shown), 20, "the next message")  # type: ignore[misc]
        assert desk.done_by("Ann", judged.first, labelling.FINDING.complete) == done + 1
    labels = Labels(judged.store).of(judged.first, "finding")
    assert len(labels) == 10 and {label.drawn for label in labels} == {True, False}


def subject(browser: Browser) -> str:
    result = browser.run(
        "const b=document.querySelector('[class*=\"_contradicts_4\"]');"
        "return b ? [...b.classList].find(c => c.endsWith('_contradicts_4')) : ''"
    )
    return str(result)


def test_questions_of_ones_own_from_a_file(
    browser: Browser, server: Server, judged: Played, tmp_path: Path
) -> None:
    (tmp_path / "wrong.yaml").write_text(OWN.replace("keys: wnk", "keys: wns"))
    (tmp_path / "own.yaml").write_text(OWN)
    browser.open(server, "organiser", tournament=judged.first)
    browser.click("Questions of your own")
    upload(browser, tmp_path / "wrong.yaml")
    browser.sees("wrong.yaml, line 5, questions.0.keys: 's' cannot be a key")
    browser.reload()
    browser.click("Questions of your own")
    upload(browser, tmp_path / "own.yaml")
    browser.sees("'Manners' is on the page Label, with 2 questions.")
    browser.open(server, "label", tournament=judged.first, rater="Ann", form="manners")
    browser.sees("Which tone does the answer have?")
    browser.press("w")
    browser.sees("does the answer have? Warm")
    browser.press("2")
    until(lambda: Labels(judged.store).of(judged.first, "manners"), 20, "the label")
    browser.settle()
    [label] = Labels(judged.store).of(judged.first, "manners")
    assert dict(label.values) == {"tone": "warm", "rude": False}


def upload(browser: Browser, file: Path) -> None:
    field = until(
        lambda: browser.driver.find_elements("css selector", "input[type=file]"), 30, "a field for a file"
    )[0]
    field.send_keys(str(file))
    browser.settle()


def test_twenty_people_at_once_lose_nothing(judged: Played) -> None:
    """Without browsers: twenty threads at the desk, as the page server has them."""
    desk = labelling.desk(judged.store, labelling.FINDING)
    queue = [one.subject for one in desk.waiting(judged.first)]
    gate, given = threading.Barrier(20), []

    def work(person: str) -> None:
        gate.wait()
        for n in range(5):
            item = desk.next(queue, person, labelling.FINDING.complete, 2, 100.0 + n)
            if item is None:
                return
            for name in ("about_speaker", "contradicts"):
                label = labelling.Label(item, "finding", "finding", person, {name: True})
                desk.answer(label, labelling.FINDING.complete, 100.0 + n)
            given.append((item, person))

    threads = [threading.Thread(target=work, args=(f"p{n:02}",)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = Labels(judged.store).of(judged.first, "finding")
    assert sorted((label.subject, label.person) for label in stored) == sorted(given)
    assert len(set(given)) == len(given) and all(len(label.values) == 2 for label in stored)
    assert max(sum(item == subject for item, _ in given) for subject in queue) <= 2
