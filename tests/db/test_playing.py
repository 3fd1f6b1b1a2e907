"""Claims, what is stored of a dialogue, and how far a tournament is: row by row, on both databases."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from sqlalchemy import select, update

from arena.config.resolve import parse
from arena.config.tournament import Tournament
from arena.core.types import Dialogue, Inquiry, Kind, Message
from arena.play.schedule import plans
from db import Repository, connect
from db.session import reading, writing
from db.tables import DIALOGUES, INQUIRIES, MESSAGES
from tests.support.tournaments import MOODY, STEADY, text

THIRD = "  - {name: third, adapter: echo}"


def added(repository: Repository, source: str) -> Tournament:
    tournament = parse(source)
    repository.add_tournament(tournament.info, 0.0)
    repository.schedule(tournament.info.id, plans(tournament))
    return tournament


@pytest.fixture
def repository(database: str) -> Repository:
    return Repository(connect(database))


@pytest.fixture
def tournament(repository: Repository) -> Tournament:
    """Of twelve dialogues, beside another one that shares none of them."""
    added(repository, text(release="another", seed=99))
    return added(repository, text())


def ids(repository: Repository, tournament: Tournament) -> list[int]:
    return [item.id for item in repository.pending(tournament.info.id)]


def rows(repository: Repository, which: Sequence[int], *names: str) -> list[tuple[Any, ...]]:
    columns = [DIALOGUES.c[name] for name in names]
    with reading(repository.engine) as connection:
        result = {id: row for id, *row in connection.execute(select(DIALOGUES.c.id, *columns))}
    return [tuple(result[id]) for id in which]


def ended(key: str, *, reason: str | None = None, cost: float = 0.0, answered: int = 1) -> Dialogue:
    messages = tuple(Message(n, n % 2, f"word {n}", f"h{n}", None) for n in range(3))
    answers: list[tuple[str | None, str | None]] = [
        ("one", None) if n < answered else (None, "past_end") for n in range(2)
    ]
    asked = tuple(
        Inquiry(f"{key}{n}", 1, 1, "dog", "pet", "Which?", Kind.WH, 0, *answer)
        for n, answer in enumerate(answers)
    )
    if reason is not None:
        messages, asked = (), ()
    return Dialogue(key, messages, asked, {"short": 2}, reason, {"cost": cost} if cost else {}, 1.5)


def test_neighbours_in_the_order_of_play_share_no_bot(repository: Repository) -> None:
    tournament = added(repository, text(STEADY, MOODY, THIRD, dialogues=3))
    waiting = repository.pending(tournament.info.id)
    assert [item.number for item in waiting] == sorted([0, 1, 2] * 9)
    assert len({(item.speaker, item.tested, item.number) for item in waiting}) == 27
    for one, next in pairwise(waiting):
        assert one.speaker != next.speaker
        assert one.tested != next.tested or one.number != next.number
    keys = {(plan.speaker.name, plan.tested.name, plan.number): plan.key for plan in plans(tournament)}
    assert all(item.key == keys[item.speaker, item.tested, item.number] for item in waiting)


def test_what_is_over_waits_no_more(repository: Repository, tournament: Tournament) -> None:
    waiting = repository.pending(tournament.info.id)
    repository.claim([item.id for item in waiting[:3]], "me", 0.0, 9e9)
    stored = repository.pending(tournament.info.id)
    assert [item.lease for item in stored] == [9e9] * 3 + [None] * 9, "what is under way is not over"
    played = [(waiting[0].id, ended(waiting[0].key)), (waiting[1].id, ended(waiting[1].key, reason="raised"))]
    assert repository.finish(played, "me") == 2
    assert [item.id for item in repository.pending(tournament.info.id)] == [i.id for i in waiting[2:]]


def test_a_lease_ends_after_its_time(repository: Repository, tournament: Tournament) -> None:
    first, second, *rest = ids(repository, tournament)
    assert repository.claim([first, second], "one", 0.0, 100.0) == {first, second}
    assert repository.claim([first], "two", 100.0, 300.0) == set(), "it holds to the end"
    assert repository.claim([], "two", 100.0, 300.0) == set()
    repository.renew("one", 200.0)
    assert repository.claim([first, rest[0]], "two", 150.0, 300.0) == {rest[0]}
    assert rows(repository, [first, second, *rest[:2]], "status", "owner", "lease") == [
        ("running", "one", 200.0),
        ("running", "one", 200.0),
        ("running", "two", 300.0),
        ("planned", None, None),
    ]
    assert repository.claim([second], "two", 200.5, 400.0) == {second}
    repository.renew("one", 500.0)
    assert rows(repository, [first, second], "owner", "lease") == [("one", 500.0), ("two", 400.0)]


def test_what_nobody_or_the_dead_hold_is_free(repository: Repository, tournament: Tournament) -> None:
    waiting = ids(repository, tournament)
    for n, owner in enumerate(("alive", "dead", "nobody", "done")):
        repository.claim([waiting[n]], owner, 0.0, 9e9)
    key = repository.pending(tournament.info.id)[3].key
    repository.finish([(waiting[3], ended(key))], "done")
    with writing(repository.engine) as connection:
        connection.execute(update(DIALOGUES).where(DIALOGUES.c.owner == "nobody").values(owner=None))
    asked: list[str] = []
    repository.release(lambda owner: (asked.append(owner), owner == "dead")[1])
    assert sorted(asked) == ["alive", "dead"], "each is looked at once, and only who plays"
    planned = ("planned", None, None)
    assert rows(repository, waiting[:5], "status", "owner", "lease") == [
        ("running", "alive", 9e9), planned, planned, ("done", None, None), planned,
    ]  # fmt: skip


def test_whoever_gives_back_gives_its_own(repository: Repository, tournament: Tournament) -> None:
    waiting = ids(repository, tournament)
    repository.claim(waiting[:3], "me", 0.0, 9e9)
    repository.claim(waiting[3:5], "another", 0.0, 9e9)
    repository.finish([(waiting[0], ended(repository.pending(tournament.info.id)[0].key))], "me")
    repository.give_back("me")
    assert rows(repository, waiting[:4], "status", "owner", "lease") == [
        ("done", None, None), ("planned", None, None), ("planned", None, None), ("running", "another", 9e9),
    ]  # fmt: skip


def test_all_of_a_dialogue_is_stored_and_of_a_failed_one_why(
    repository: Repository, tournament: Tournament
) -> None:
    one, two, three, four = repository.pending(tournament.info.id)[:4]
    repository.claim([one.id, two.id, four.id], "me", 0.0, 9e9)
    played = [
        (one.id, ended(one.key, cost=0.5)),
        (two.id, ended(two.key, reason="timeout", cost=0.25)),
        (three.id, ended(three.key)),  # never claimed
        (four.id, ended(four.key, answered=0)),
    ]
    assert repository.finish(played, "me") == 3
    about = ("status", "reason", "refused", "facts", "seconds", "owner", "lease")
    assert rows(repository, [one.id, two.id, three.id], *about) == [
        ("done", None, {"short": 2}, {"cost": 0.5}, 1.5, None, None),
        ("failed", "timeout", {"short": 2}, {"cost": 0.25}, 1.5, None, None),
        ("planned", None, None, None, None, None, None),
    ]
    with reading(repository.engine) as connection:
        sentence = connection.execute(select(MESSAGES.c.dialogue, MESSAGES.c.index, MESSAGES.c.text)).all()
        asked = connection.execute(select(INQUIRIES.c.dialogue, INQUIRIES.c.number, INQUIRIES.c.answer)).all()
    assert sorted(map(tuple, sentence)) == [
        (id, n, f"word {n}") for id in sorted((one.id, four.id)) for n in range(3)
    ]
    assert {tuple(row) for row in asked} == {
        (one.id, 0, "one"), (one.id, 1, None), (four.id, 0, None), (four.id, 1, None),
    }  # fmt: skip
    assert repository.finish([], "me") == 0
    progress = repository.progress(tournament.info.id)
    assert (progress.planned, progress.done, progress.failed, progress.running) == (12, 2, 1, 0)
    assert (progress.inquiries, progress.replies) == (4, 5), "two replies a dialogue, and an answer"
    assert progress.failures == {"timeout": 1}
    assert repository.over(tournament.info.id) == (3, 1)
    assert repository.cost(tournament.info.id) == 0.75


def test_of_another_tournament_nothing_is_counted_or_retried(
    repository: Repository, tournament: Tournament
) -> None:
    for source in (text(), text(release="another", seed=99)):
        id = parse(source).info.id
        first = repository.pending(id)[0]
        repository.claim([first.id], "me", 0.0, 9e9)
        repository.finish([(first.id, ended(first.key, reason="raised", cost=2.0))], "me")
        second = repository.pending(id)[0]
        repository.claim([second.id], "me", 0.0, 9e9)
        repository.finish([(second.id, ended(second.key))], "me")
    other = repository.find("another").id
    for id in (tournament.info.id, other):
        assert repository.over(id) == (2, 1) and repository.cost(id) == 2.0
        progress = repository.progress(id)
        assert (progress.planned, progress.inquiries, progress.replies) == (12, 2, 3)
    assert repository.retry_failed(tournament.info.id) == 1
    assert repository.over(tournament.info.id) == (1, 0) and repository.over(other) == (2, 1)
    about = ("status", "reason", "refused", "facts", "owner", "lease")
    assert set(rows(repository, ids(repository, tournament), *about)) == {
        ("planned", None, None, None, None, None)
    }
    assert repository.cost(tournament.info.id) == 0


def test_nothing_played_is_nothing_counted(repository: Repository, tournament: Tournament) -> None:
    progress = repository.progress(tournament.info.id)
    assert (progress.planned, progress.done, progress.failed, progress.running) == (12, 0, 0, 0)
    assert (progress.inquiries, progress.replies, progress.failures) == (0, 0, {})
    assert repository.over(tournament.info.id) == (0, 0) and repository.cost(tournament.info.id) == 0
    repository.claim(ids(repository, tournament)[:5], "me", 0.0, 9e9)
    assert repository.progress(tournament.info.id).running == 5


def test_a_failure_without_a_reason_is_counted_as_unknown(
    repository: Repository, tournament: Tournament
) -> None:
    with writing(repository.engine) as connection:
        one, two = ids(repository, tournament)[:2]
        connection.execute(update(DIALOGUES).where(DIALOGUES.c.id.in_([one, two])).values(status="failed"))
    assert repository.progress(tournament.info.id).failures == {"unknown": 2}
