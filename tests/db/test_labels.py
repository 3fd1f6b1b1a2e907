"""Labels exist once, whatever was clicked twice; nobody gets what another holds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from arena.core.types import Label
from db import Database, Repository, connect
from db.labels import Labels, Stored
from tests.support.tournaments import play, text


def label(subject: str, person: str = "ann", contradicts: bool = True, note: str = "") -> Label:
    values = {"appropriate": True, "relevant": True, "contradicts": contradicts}
    return Label(subject, "inquiry", "aih", person, values, note, 2.5)


@pytest.fixture
def desk(database: str) -> Labels:
    return Labels(Database(connect(database)))


def take(
    desk: Labels, person: str, now: float = 0.0, wanted: int = 2, queue: str = "abcd", **more: object
) -> str | None:
    return desk.take(list(queue), "inquiry", "aih", person, wanted=wanted, now=now, until=now + 60, **more)  # type: ignore[arg-type]


def test_two_people_never_hold_the_same(desk: Labels) -> None:
    assert [take(desk, "ann"), take(desk, "bob"), take(desk, "cem")] == ["a", "b", "c"]


def test_a_reload_shows_what_it_showed(desk: Labels) -> None:
    assert take(desk, "ann") == take(desk, "ann", now=30) == "a"


def test_a_lease_ends(desk: Labels) -> None:
    assert take(desk, "ann") == "a"
    assert take(desk, "bob", now=61) == "a"


def test_a_lease_that_is_given_back_is_free(desk: Labels) -> None:
    assert take(desk, "ann") == "a"
    desk.give_back("aih", "ann")
    assert take(desk, "bob") == "a"


def test_skipped_subjects_are_for_others(desk: Labels) -> None:
    assert take(desk, "ann") == "a"
    assert take(desk, "ann", passed={"a"}) == "b"
    assert take(desk, "bob") == "a"


def test_enough_labels_close_a_subject(desk: Labels) -> None:
    for person in ("ann", "bob"):
        desk.put([label("a", person)], 1.0)
    assert take(desk, "cem") == "b"
    assert take(desk, "cem", wanted=3, queue="a") == "b", "what is held comes first"
    desk.give_back("aih", "cem")
    assert take(desk, "cem", wanted=3) == "a"
    assert take(desk, "ann", wanted=9) == "b", "ann has labelled a"
    desk.put([label(one, "ann") for one in "bcd"], 2.0)
    assert take(desk, "ann", wanted=9) is None


def test_many_at_once_get_different_subjects(desk: Labels) -> None:
    queue = [f"s{n:03}" for n in range(40)]

    def one(n: int) -> str | None:
        return desk.take(queue, "inquiry", "aih", f"p{n}", wanted=3, now=0.0, until=60.0)

    with ThreadPoolExecutor(8) as threads:
        got = list(threads.map(one, range(24)))
    assert sorted(str(subject) for subject in got) == queue[:24]


def test_a_second_click_changes_nothing(desk: Labels) -> None:
    assert desk.put([label("a")], 1.0) == Stored(1, 0, 0)
    assert desk.put([label("a")], 2.0) == Stored(0, 0, 1)
    assert len(desk.of()) == 1
    assert desk.history("a") == []


def test_a_change_keeps_what_was_before(desk: Labels) -> None:
    desk.put([label("a")], 1.0)
    assert desk.put([label("a", contradicts=False)], 2.0) == Stored(0, 1, 0)
    assert desk.of() == [label("a", contradicts=False)]
    assert desk.history("a") == [label("a")]


def test_undo_goes_back_step_by_step(desk: Labels) -> None:
    desk.put([label("a")], 1.0)
    desk.put([label("b")], 2.0)
    desk.put([label("b", contradicts=False)], 3.0)
    assert desk.undo("aih", "ann", 4.0) == label("b", contradicts=False)
    assert desk.of() == [label("a"), label("b")]
    assert desk.undo("aih", "ann", 5.0) == label("b")
    assert desk.of() == [label("a")]
    assert desk.undo("aih", "ann", 6.0) == label("a")
    assert desk.undo("aih", "ann", 7.0) is None
    assert desk.undo("aih", "bob", 7.0) is None


def test_storing_a_label_frees_its_subject(desk: Labels) -> None:
    assert take(desk, "ann") == "a"
    desk.put([label("a")], 1.0)
    assert take(desk, "bob") == "a"


def test_schemas_and_people_are_apart(desk: Labels) -> None:
    desk.put([label("a"), label("a", "bob")], 1.0)
    assert len(desk.of()) == 2
    assert desk.take(["a"], "message", "reply", "ann", wanted=1, now=0.0, until=1.0) == "a"


def test_labels_of_a_tournament(database: str) -> None:
    repository = Repository(connect(database))
    tournament, _ = play(repository, text())
    desk, id = Labels(repository), tournament.info.id
    records = list(repository.records(id))
    answered = {i.id for record in records for i in record.inquiries if i.answer is not None}
    assert answered
    messages = [
        f"{records[0].key}:{sentence.index}" for sentence in records[0].messages if sentence.seat == 1
    ]
    inquiry = sorted(answered)[0]
    mine = [
        label(inquiry),
        Label(messages[0], "message", "reply", "ann", {"inconsistent": True}),
        Label(records[0].key, "dialogue", "session", "ann", {"score": 0.5}),
    ]
    desk.put([*mine, label("elsewhere")], 1.0)
    assert sorted(one.subject for one in desk.of(id)) == sorted(one.subject for one in mine)
    assert [one.subject for one in desk.unknown(desk.of())] == ["elsewhere"]
    assert desk.of(id, "session") == [mine[2]]


def test_a_hundred_thousand_subjects_are_handed_out_in_a_moment(tmp_path: object) -> None:
    """Its time is in the benchmarks; here only that nothing is asked a subject at a time."""
    from sqlalchemy import event

    desk = Labels(Database(connect(f"sqlite:///{tmp_path}/large.db")))
    queue = [f"s{n:06}" for n in range(100_000)]
    desk.put([label(subject) for subject in queue[:2000]], 1.0)
    asked: list[str] = []
    event.listen(desk.engine, "before_cursor_execute", lambda *a: asked.append(a[2]))
    assert desk.take(queue, "inquiry", "aih", "ann", wanted=1, now=0.0, until=9.0) == "s002000"
    assert len(asked) < 12
