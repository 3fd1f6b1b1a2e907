"""The exactly-once rules, on both databases."""

from __future__ import annotations

import threading
import time

import pytest
from sqlalchemy.exc import IntegrityError

from arena.config.resolve import parse
from arena.config.tournament import Tournament
from arena.core.errors import InputError, StoreError
from arena.core.types import Dialogue, Judgement, Message
from arena.play.schedule import plans
from db import Repository, connect
from db.health import examine
from db.session import writing
from tests.support.tournaments import exported, play, text


def prepared(url: str) -> tuple[Repository, Tournament]:
    repository = Repository(connect(url))
    tournament = parse(text())
    repository.add_tournament(tournament.info, time.time())
    repository.schedule(tournament.info.id, plans(tournament))
    return repository, tournament


def test_a_tournament_is_the_same_on_both_databases(database: str, tmp_path: object) -> None:
    repository = Repository(connect(database))
    tournament, tally = play(repository, text())
    assert tally.played == 12 and tally.verdicts > 0
    other = Repository(connect(f"sqlite:///{tmp_path}/other.db"))
    play(other, text())
    assert exported(repository, tournament.info.id) == exported(other, tournament.info.id)
    assert all(check.ok for check in examine(repository))


def test_scheduling_twice_changes_nothing(database: str) -> None:
    repository, tournament = prepared(database)
    repository.add_tournament(tournament.info, 0.0)
    repository.schedule(tournament.info.id, plans(tournament))
    assert repository.progress(tournament.info.id).planned == 12
    assert len(repository.tournaments()) == 1


def test_a_claim_is_exclusive_until_its_lease_ends(database: str) -> None:
    repository, tournament = prepared(database)
    ids = [item.id for item in repository.pending(tournament.info.id)]
    assert repository.claim(ids[:5], "one", 100.0, 200.0) == set(ids[:5])
    assert repository.claim(ids[:7], "two", 150.0, 250.0) == set(ids[5:7])
    assert repository.claim(ids[:5], "two", 201.0, 300.0) == set(ids[:5])
    repository.release(lambda owner: owner == "two")
    assert repository.claim(ids, "three", 0.0, 1.0) == set(ids)


def test_only_who_holds_a_dialogue_can_finish_it_and_only_once(database: str) -> None:
    repository, tournament = prepared(database)
    item = repository.pending(tournament.info.id)[0]
    messages = (Message(0, 0, "hello", "h", None),)
    dialogue = Dialogue(item.key, messages, ())
    assert repository.finish([(item.id, dialogue)], "one") == 0
    repository.claim([item.id], "one", 0.0, 9e9)
    assert repository.finish([(item.id, dialogue)], "two") == 0
    assert repository.finish([(item.id, dialogue)], "one") == 1
    assert repository.finish([(item.id, dialogue)], "one") == 0
    assert repository.progress(tournament.info.id).done == 1


def test_many_threads_never_claim_the_same_dialogue(database: str) -> None:
    repository, tournament = prepared(database)
    ids = [item.id for item in repository.pending(tournament.info.id)]
    taken: list[int] = []
    lock = threading.Lock()

    def work(owner: str) -> None:
        for id in ids:
            got = repository.claim([id], owner, 0.0, 9e9)
            with lock:
                taken.extend(got)

    threads = [threading.Thread(target=work, args=(f"w{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(ids)


def test_a_verdict_exists_once_a_judge_and_revision(database: str) -> None:
    repository = Repository(connect(database))
    tournament, _ = play(repository, text(), judge=False)
    row = repository.judge_id("j", "1", 0.5)
    assert repository.judge_id("j", "1", 0.4) == row != repository.judge_id("j", "2", 0.5)
    work = repository.unjudged(tournament.info.id, row, 0, 1000)
    for score in (0.1, 0.9):
        repository.add_verdicts(row, [(work[0].inquiry, Judgement(score))])
    left = repository.unjudged(tournament.info.id, row, 0, 1000)
    assert len(left) == len(work) - 1
    stored = [v for record in repository.records(tournament.info.id) for v in record.verdicts]
    assert [v.judgement.contradiction for v in stored] == [0.1]


def test_the_constraints_and_not_care_keep_a_message_single(database: str) -> None:
    repository, tournament = prepared(database)
    from sqlalchemy import insert

    from db.rows import message_row
    from db.tables import MESSAGES

    item = repository.pending(tournament.info.id)[0]
    row = message_row(item.id, Message(0, 0, "hello", "h", None))
    with writing(repository.engine) as connection:
        connection.execute(insert(MESSAGES), row)
    with pytest.raises((IntegrityError, StoreError)), writing(repository.engine) as connection:
        connection.execute(insert(MESSAGES), row)


def test_a_tournament_is_found_by_id_beginning_or_tag(database: str) -> None:
    repository, tournament = prepared(database)
    info = tournament.info
    for name in (info.id, info.id[:6], "r1"):
        assert repository.find(name).id == info.id
    second = parse(text(dialogues=4))
    repository.add_tournament(second.info, 4e9)
    heard: list[str] = []
    noting = Repository(repository.engine, note=heard.append)
    assert noting.find("r1").id == second.info.id and "has 2 tournaments; this is the newest" in heard[0]
    assert noting.find(info.id).id == info.id and len(heard) == 1
    with pytest.raises(InputError, match="There is no tournament 'nope'"):
        repository.find("nope")


def test_the_cache_gives_back_what_it_was_given(database: str) -> None:
    repository = Repository(connect(database))
    repository.remember({"a": {"contradiction": 0.25, "classes": {}, "evidence": {"x": "ü"}}})
    repository.remember({"a": {"contradiction": 0.75, "classes": {}, "evidence": {}}})
    assert repository.cached(["a", "b"]) == {
        "a": {"contradiction": 0.25, "classes": {}, "evidence": {"x": "ü"}}
    }
