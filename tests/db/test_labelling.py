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
    built = Inquiries(store)
    return built, labelling.queue(built.waiting(tournament.info.id), Task()), tournament.info.id


def labelled(subject: str, person: str, note: str = "", seconds: float = 1.0, **values: object) -> Label:
    return Label(subject, "inquiry", "aih", person, values, note, seconds)


def next_of(desk: Desk, queue: list[str], person: str, now: float = 100.0, wanted: int = 3) -> str | None:
    return desk.next(queue, person, AIH.complete, wanted, now)


def test_answers_add_up(desk: tuple[Desk, list[str], str]) -> None:
    inquiries, queue, tournament = desk
    item = next_of(inquiries, queue, "Ann")
    assert item is not None
    inquiries.answer(labelled(item, "Ann", appropriate=True), AIH.complete, 101.0)
    assert next_of(inquiries, queue, "Ann", 102.0) == item  # a reload shows it again
    inquiries.answer(labelled(item, "Ann", relevant=True), AIH.complete, 103.0)
    label = inquiries.answer(labelled(item, "Ann", note="hm", contradicts="unclear"), AIH.complete, 104.0)
    assert label.values == {"appropriate": True, "relevant": True, "contradicts": "unclear"}
    assert label.seconds == 3.0 and label.note == "hm"
    assert next_of(inquiries, queue, "Ann", 105.0) not in (None, item)
    assert inquiries.done_by("Ann", tournament, AIH.complete) == 1
    assert inquiries.done_by("Ann", "another", AIH.complete) == 0
    second = next_of(inquiries, queue, "Ann", 106.0)
    assert second is not None
    inquiries.answer(labelled(second, "Ann", note="only a note"), AIH.complete, 107.0)
    assert inquiries.done_by("Ann", tournament, AIH.complete) == 1  # a note alone finishes nothing
    assert inquiries.undo("Ann", 108.0) == second
    inquiries.undo("Ann", 109.0)
    assert inquiries.done_by("Ann", tournament, AIH.complete) == 0


def test_undo_goes_back_answer_by_answer(desk: tuple[Desk, list[str], str]) -> None:
    inquiries, queue, _ = desk
    item = next_of(inquiries, queue, "Ann")
    assert item is not None
    for n, name in enumerate(QUESTIONS):
        inquiries.answer(labelled(item, "Ann", **{name: True}), AIH.complete, 101.0 + n)
    next_of(inquiries, queue, "Ann", 110.0)
    for left in (2, 1, 0):
        assert inquiries.undo("Ann", 120.0) == item
        label = inquiries.mine(item, "Ann")
        assert (len(label.values) if label else 0) == left
        assert next_of(inquiries, queue, "Ann", 121.0) == item
    assert inquiries.undo("Ann", 130.0) is None


def test_skipping_and_taking_it_back(desk: tuple[Desk, list[str], str]) -> None:
    inquiries, queue, _ = desk
    first = next_of(inquiries, queue, "Ann")
    assert first is not None
    inquiries.skip(first, "Ann", 101.0)
    second = next_of(inquiries, queue, "Ann", 102.0)
    assert second not in (None, first)
    assert next_of(inquiries, queue, "Bob", 103.0) == first  # others get it
    inquiries._labels.give_back("aih", "Bob")
    assert inquiries.undo("Ann", 104.0) == first
    assert next_of(inquiries, queue, "Ann", 105.0) == first


def test_nobody_shares_an_item(desk: tuple[Desk, list[str], str]) -> None:
    inquiries, queue, _ = desk
    a, b = next_of(inquiries, queue, "Ann"), next_of(inquiries, queue, "Bob")
    assert a is not None and b is not None and a != b
    inquiries.answer(labelled(a, "Ann", appropriate=True), AIH.complete, 101.0)  # begun, and still Ann's
    assert next_of(inquiries, queue, "Cid", 102.0) not in (a, b)
    assert next_of(inquiries, queue, "Dan", 100.0 + 3 * HOLD) in (a, b)  # leases expire


def test_many_at_once(desk: tuple[Desk, list[str], str]) -> None:
    inquiries, queue, _ = desk
    people = [f"p{n}" for n in range(min(8, len(queue)))]
    got: dict[str, str | None] = {}
    gate = threading.Barrier(len(people))

    def take(person: str) -> None:
        gate.wait()
        got[person] = next_of(inquiries, queue, person)

    threads = [threading.Thread(target=take, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(got.values())) == len(people) and None not in got.values()


def test_enough_people(desk: tuple[Desk, list[str], str]) -> None:
    inquiries, queue, _ = desk
    for person in ("Ann", "Bob"):
        for name in QUESTIONS:
            inquiries.answer(labelled(queue[0], person, **{name: True}), AIH.complete, 101.0)
    assert next_of(inquiries, queue, "Cid", 102.0, wanted=2) == queue[1]
    assert next_of(inquiries, queue, "Dan", 103.0, wanted=3) == queue[0]


def test_the_organisers_word_is_kept(desk: tuple[Desk, list[str], str]) -> None:
    inquiries, _, tournament = desk
    assert inquiries.task(tournament) == Task()
    inquiries.decide(tournament, Task(2, 9, 0.5, 10))
    inquiries.decide(tournament, Task(4, 9, 0.5, None))
    assert inquiries.task(tournament) == Task(4, 9, 0.5, None)


def test_of_each_pair_so_many_dialogues(desk: tuple[Desk, list[str], str]) -> None:
    inquiries, queue, tournament = desk
    waiting = inquiries.waiting(tournament)
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
    inquiries, queue, _ = desk
    item = inquiries.item(queue[0])
    assert item is not None
    assert not {"speaker", "tested", "judge", "verdicts"} & set(item.__slots__)
    assert item.messages[-1].index >= item.marked[0]
    assert inquiries.item("nonsense") is None


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
    result = splits([*labels, one("c", "P", True), one("c", "Q", "unclear")])
    assert [(s.subject, s.tied) for s in result] == [("b", True), ("a", False)]
    done = work(labels, 3)
    assert (done.begun, done.complete) == (2, 1) and done.by_person[0] == ("P", 2, 2.0)


def test_partial_labels_are_read_by_statistics_as_open(desk: tuple[Desk, list[str], str]) -> None:
    inquiries, queue, tournament = desk
    inquiries.answer(labelled(queue[0], "Ann", appropriate=True), AIH.complete, 101.0)
    assert [one.values for one in inquiries.labels(tournament)] == [{"appropriate": True}]
    assert Labels(inquiries.store).of(tournament, "aih")[0].values == {"appropriate": True}


def test_another_tournament_has_items_of_its_own(desk: tuple[Desk, list[str], str]) -> None:
    inquiries, queue, _ = desk
    half = len(queue) // 2
    here, there = queue[:half], queue[half:]
    first = next_of(inquiries, here, "Ann")
    assert first in here
    assert next_of(inquiries, there, "Ann") in there
    assert next_of(inquiries, here, "Bob") == first  # given back
    held = next_of(inquiries, there, "Ann")
    assert held is not None
    inquiries.answer(labelled(held, "Ann", appropriate=True), AIH.complete, 101.0)
    elsewhere = next_of(inquiries, here, "Ann", 102.0)
    assert elsewhere in here and elsewhere != first
    assert next_of(inquiries, there, "Ann", 103.0) == held
