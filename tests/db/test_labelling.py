"""The labelling desk: every answer is stored, nobody shares an item, undo goes back answer by answer."""

from __future__ import annotations

import threading

import pytest

from arena.core.types import Label
from arena.labelling import work as labelling
from arena.labelling.work import AIH, splits, work
from db import Repository, connect
from db.desks import Inquiries
from db.labelling import HOLD, Desk, Task
from db.labels import Labels
from tests.support import tournaments as play

QUESTIONS = AIH.names


@pytest.fixture
def desk(database: str) -> tuple[Desk, list[str], str]:
    store = Repository(connect(database))
    tournament, _ = play.play(store, play.text(dialogues=2))
    made = Inquiries(store)
    return made, labelling.queue(made.waiting(tournament.info.id), Task()), tournament.info.id


def said(subject: str, person: str, note: str = "", seconds: float = 1.0, **values: object) -> Label:
    return Label(subject, "inquiry", "aih", person, values, note, seconds)


def next_of(desk: Desk, queue: list[str], person: str, now: float = 100.0, wanted: int = 3) -> str | None:
    return desk.next(queue, person, AIH.complete, wanted, now)


def test_answers_add_up(desk: tuple[Desk, list[str], str]) -> None:
    made, queue, tournament = desk
    item = next_of(made, queue, "Ann")
    assert item is not None
    made.answer(said(item, "Ann", appropriate=True), AIH.complete, 101.0)
    assert next_of(made, queue, "Ann", 102.0) == item  # a reload shows it again
    made.answer(said(item, "Ann", relevant=True), AIH.complete, 103.0)
    label = made.answer(said(item, "Ann", note="hm", contradicts="unclear"), AIH.complete, 104.0)
    assert label.values == {"appropriate": True, "relevant": True, "contradicts": "unclear"}
    assert label.seconds == 3.0 and label.note == "hm"
    assert next_of(made, queue, "Ann", 105.0) not in (None, item)
    assert made.done_by("Ann", tournament, AIH.complete) == 1
    assert made.done_by("Ann", "another", AIH.complete) == 0
    second = next_of(made, queue, "Ann", 106.0)
    assert second is not None
    made.answer(said(second, "Ann", note="only a note"), AIH.complete, 107.0)
    assert made.done_by("Ann", tournament, AIH.complete) == 1  # a note alone finishes nothing
    assert made.undo("Ann", 108.0) == second
    made.undo("Ann", 109.0)
    assert made.done_by("Ann", tournament, AIH.complete) == 0


def test_undo_goes_back_answer_by_answer(desk: tuple[Desk, list[str], str]) -> None:
    made, queue, _ = desk
    item = next_of(made, queue, "Ann")
    assert item is not None
    for n, name in enumerate(QUESTIONS):
        made.answer(said(item, "Ann", **{name: True}), AIH.complete, 101.0 + n)
    next_of(made, queue, "Ann", 110.0)
    for left in (2, 1, 0):
        assert made.undo("Ann", 120.0) == item
        label = made.mine(item, "Ann")
        assert (len(label.values) if label else 0) == left
        assert next_of(made, queue, "Ann", 121.0) == item
    assert made.undo("Ann", 130.0) is None


def test_skipping_and_taking_it_back(desk: tuple[Desk, list[str], str]) -> None:
    made, queue, _ = desk
    first = next_of(made, queue, "Ann")
    assert first is not None
    made.skip(first, "Ann", 101.0)
    second = next_of(made, queue, "Ann", 102.0)
    assert second not in (None, first)
    assert next_of(made, queue, "Bob", 103.0) == first  # others get it
    made._labels.give_back("aih", "Bob")
    assert made.undo("Ann", 104.0) == first
    assert next_of(made, queue, "Ann", 105.0) == first


def test_nobody_shares_an_item(desk: tuple[Desk, list[str], str]) -> None:
    made, queue, _ = desk
    a, b = next_of(made, queue, "Ann"), next_of(made, queue, "Bob")
    assert a is not None and b is not None and a != b
    made.answer(said(a, "Ann", appropriate=True), AIH.complete, 101.0)  # begun, and still Ann's
    assert next_of(made, queue, "Cid", 102.0) not in (a, b)
    assert next_of(made, queue, "Dan", 100.0 + 3 * HOLD) in (a, b)  # leases expire


def test_many_at_once(desk: tuple[Desk, list[str], str]) -> None:
    made, queue, _ = desk
    people = [f"p{n}" for n in range(min(8, len(queue)))]
    got: dict[str, str | None] = {}
    gate = threading.Barrier(len(people))

    def take(person: str) -> None:
        gate.wait()
        got[person] = next_of(made, queue, person)

    threads = [threading.Thread(target=take, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(got.values())) == len(people) and None not in got.values()


def test_enough_people(desk: tuple[Desk, list[str], str]) -> None:
    made, queue, _ = desk
    for person in ("Ann", "Bob"):
        for name in QUESTIONS:
            made.answer(said(queue[0], person, **{name: True}), AIH.complete, 101.0)
    assert next_of(made, queue, "Cid", 102.0, wanted=2) == queue[1]
    assert next_of(made, queue, "Dan", 103.0, wanted=3) == queue[0]


def test_the_organisers_word_is_kept(desk: tuple[Desk, list[str], str]) -> None:
    made, _, tournament = desk
    assert made.task(tournament) == Task()
    made.decide(tournament, Task(2, 9, 0.5, 10))
    made.decide(tournament, Task(4, 9, 0.5, None))
    assert made.task(tournament) == Task(4, 9, 0.5, None)


def test_of_each_pair_so_many_dialogues(desk: tuple[Desk, list[str], str]) -> None:
    made, queue, tournament = desk
    waiting = made.waiting(tournament)
    assert len(queue) == len(waiting)
    some = labelling.queue(waiting, Task(dialogues=1, seed=3))
    pairs = {
        (w.speaker, w.tested): {o.dialogue for o in waiting if (o.speaker, o.tested) == (w.speaker, w.tested)}
        for w in waiting
    }
    chosen = {w.dialogue for w in waiting if w.subject in set(some)}
    assert all(len(chosen & dialogues) == 1 for dialogues in pairs.values())
    assert some == labelling.queue(waiting, Task(dialogues=1, seed=3))
    assert some != labelling.queue(waiting, Task(dialogues=1, seed=4))


def test_an_item_shows_no_name_and_no_verdict(desk: tuple[Desk, list[str], str]) -> None:
    made, queue, _ = desk
    item = made.item(queue[0])
    assert item is not None
    assert not {"speaker", "tested", "judge", "verdicts"} & set(item.__slots__)
    assert item.messages[-1].index >= item.marked[0]
    assert made.item("nonsense") is None


def test_what_is_left_to_settle() -> None:
    def one(subject: str, person: str, value: object) -> Label:
        values = {"appropriate": True, "relevant": True, "contradicts": value}
        return Label(subject, "inquiry", "aih", person, values, seconds=2.0)

    labels = [
        one("a", "P", True),
        one("a", "Q", True),
        one("a", "R", False),
        one("b", "P", True),
        one("b", "Q", False),
    ]
    found = splits([*labels, one("c", "P", True), one("c", "Q", "unclear")])
    assert [(s.subject, s.tied) for s in found] == [("b", True), ("a", False)]
    done = work(labels, 3)
    assert (done.begun, done.complete) == (2, 1) and done.by_person[0] == ("P", 2, 2.0)


def test_partial_labels_are_read_by_statistics_as_open(desk: tuple[Desk, list[str], str]) -> None:
    made, queue, tournament = desk
    made.answer(said(queue[0], "Ann", appropriate=True), AIH.complete, 101.0)
    assert [one.values for one in made.labels(tournament)] == [{"appropriate": True}]
    assert Labels(made.store).of(tournament, "aih")[0].values == {"appropriate": True}


def test_another_tournament_has_items_of_its_own(desk: tuple[Desk, list[str], str]) -> None:
    made, queue, _ = desk
    half = len(queue) // 2
    here, there = queue[:half], queue[half:]
    first = next_of(made, here, "Ann")
    assert first in here
    assert next_of(made, there, "Ann") in there
    assert next_of(made, here, "Bob") == first  # given back
    held = next_of(made, there, "Ann")
    assert held is not None
    made.answer(said(held, "Ann", appropriate=True), AIH.complete, 101.0)
    elsewhere = next_of(made, here, "Ann", 102.0)
    assert elsewhere in here and elsewhere != first
    assert next_of(made, there, "Ann", 103.0) == held
