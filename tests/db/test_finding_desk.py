"""Findings are handed out, shown with their two statements, stored, exported and agreed upon."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from arena.core.types import Check, Judgement, Label
from arena.exchange import imports
from arena.labelling import work as labelling
from arena.labelling.files import read, write_csv
from arena.labelling.queue import is_random
from arena.labelling.schemas import DECIDER
from arena.labelling.work import AIH, FINDING
from arena.results.agreement import compute
from db import Repository, connect
from db.finding_desk import Findings, parse_subject
from db.labelling import Task
from db.labels import Labels
from tests.support import findings
from tests.support import tournaments as play

Desk = tuple[Repository, Findings, str]


@pytest.fixture
def desk(database: str) -> Desk:
    store = Repository(connect(database))
    source = play.text(play.MOODY, turns=5, dialogues=4).replace("[truth]", "[truth, lexical]")
    tournament, _ = play.play(store, source)
    for judge in (0, 1):
        findings.add(store, tournament.info.id, judge=judge)
    findings.add(store, tournament.info.id, Check.PERSONA)
    return store, Findings(store), tournament.info.id


def answer(desk: Findings, subject: str, person: str, contradicts: bool, drawn: bool = True) -> None:
    item = desk.item(subject)
    assert item is not None
    desk.next([subject], person, FINDING.complete, 9, 100.0, lambda _: drawn)
    values = {**item.stored, "about_speaker": True, "contradicts": contradicts}
    desk.answer(Label(subject, "finding", "finding", person, values), FINDING.complete, 101.0)


def test_every_check_is_in_one_queue_with_a_share_by_lot(desk: Desk) -> None:
    _, messages, tournament = desk
    waiting = messages.waiting(tournament)
    checks = {parse_subject(one.subject)[2] for one in waiting}
    assert checks == {Check.HISTORY, Check.PERSONA} and messages.any(tournament)
    assert not any(parse_subject(one.subject)[1] == 1 for one in waiting if one.subject.endswith("history"))
    assert {len(one.scores) for one in waiting if one.subject.endswith("history")} == {2}
    queue = labelling.queue(waiting, Task(seed=3, share=0.5))
    assert sorted(queue) == sorted(one.subject for one in waiting)
    lucky = [subject for subject in queue if is_random(3, subject, 0.5)]
    assert 0 < len(lucky) < len(queue)
    first = messages.next(queue, "Ann", FINDING.complete, 3, 100.0, lambda one: is_random(3, one, 0.5))
    assert first == queue[0]
    assert messages.waiting(tournament, most=8) and len(messages.waiting(tournament, most=8)) < len(waiting)


def test_an_item_shows_the_two_statements(desk: Desk) -> None:
    _, messages, tournament = desk
    subjects = {parse_subject(one.subject)[2]: one.subject for one in messages.waiting(tournament)}
    history = messages.item(subjects[Check.HISTORY])
    assert history is not None and [role for role, _ in history.parts] == ["earlier", "later"]
    where, at = history.marked
    texts = {message.index: message.text for message in history.messages}
    assert history.stored == {"earlier": texts[where], "later": texts[at]} and max(texts) == at
    persona = messages.item(subjects[Check.PERSONA])
    assert persona is not None and persona.part("persona") == findings.PERSONA
    assert messages.item("nonsense") is None and messages.item(f"{subjects[Check.HISTORY]}x") is None
    assert messages.item(subjects[Check.HISTORY].replace(":history", ":knowledge")) is not None
    place = messages.where([subjects[Check.HISTORY], "nonsense"])
    assert list(place) == [subjects[Check.HISTORY]] and place[subjects[Check.HISTORY]].second == texts[at]


def test_everybody_sees_the_pair_that_the_first_person_saw(desk: Desk) -> None:
    store, messages, tournament = desk
    subject = next(one.subject for one in messages.waiting(tournament) if one.subject.endswith("history"))
    before = messages.item(subject)
    assert before is not None
    answer(messages, subject, "Ann", True)
    key, index, _ = parse_subject(subject)
    row = store.judges(tournament)[0][0]
    [talk] = [
        t for t in store.unchecked(tournament, row, Check.HISTORY, 9, 0, 99) if _key(store, t.dialogue) == key
    ]
    other = {"earlier": "I am somebody else.", "later": "I am not.", "message": 1}
    store.add_message_verdicts(row, Check.HISTORY, 9, [(talk.dialogue, index, Judgement(1.0, {}, other))])
    after = messages.item(subject)
    assert after is not None and after.parts == before.parts and after.marked == before.marked


def _key(store: Repository, id: int) -> str:
    from sqlalchemy import select

    from db.tables import DIALOGUES

    with store.engine.connect() as connection:
        return str(connection.scalar(select(DIALOGUES.c.key).where(DIALOGUES.c.id == id)))


def test_judges_are_measured_on_what_the_lot_chose(desk: Desk) -> None:
    store, messages, tournament = desk
    stored = store.find(tournament)
    waiting = [one for one in messages.waiting(tournament) if one.subject.endswith("history")]
    for place, one in enumerate(waiting[:8]):
        right = one.scores[0][0] > 0.5
        answer(messages, one.subject, "Ann", right, drawn=place < 6)
        answer(messages, one.subject, "Bob", right, drawn=place < 6)
    result = compute(store, stored, form=FINDING, check=Check.HISTORY)
    assert (result.schema, result.people.n, result.people.items, result.drawn) == ("finding", 2, 8, 6)
    assert set(result.judges) == {"truth", "lexical"}
    first = store.judges(tournament)[0][1]
    assert result.judges[first].accuracy == 1.0 and result.judges[first].items == 6
    every = compute(store, stored, form=FINDING)
    assert {"lexical (history)", "truth (history)"} < set(every.judges)
    assert compute(store, stored).people.n == 0  # labels of findings are none of AIH's


def test_a_label_counts_only_for_the_statements_that_were_seen(desk: Desk) -> None:
    store, messages, tournament = desk
    waiting = [one.subject for one in messages.waiting(tournament) if one.subject.endswith("persona")]
    for subject in waiting[:4]:
        answer(messages, subject, "Ann", False)
    with_same = compute(store, store.find(tournament), form=FINDING, check=Check.PERSONA)
    [first] = with_same.judges
    assert with_same.judges[first].items == 4
    row, name = store.judges(tournament)[1][:2]
    other = [
        (talk.dialogue, message, Judgement(0.9, {}, {"earlier": "I have two cats.", "later": "I have none."}))
        for talk in store.unchecked(tournament, row, Check.PERSONA, findings.METHOD, 0, 10_000)
        for message in talk.wanted
    ]
    store.add_message_verdicts(row, Check.PERSONA, findings.METHOD, other)
    after = compute(store, store.find(tournament), form=FINDING, check=Check.PERSONA)
    assert after.judges[first].items == 4
    assert after.judges[name].items == 0


def test_a_final_decision_outweighs_the_vote(desk: Desk) -> None:
    store, messages, tournament = desk
    [one, *_] = [w for w in messages.waiting(tournament) if w.subject.endswith("history")]
    answer(messages, one.subject, "Ann", True)
    answer(messages, one.subject, "Bob", False)
    assert compute(store, store.find(tournament), form=FINDING, check=Check.HISTORY).votes == 0
    Labels(store).put([Label(one.subject, "finding", "finding", DECIDER, {"contradicts": True})], 9.0)
    decided = compute(store, store.find(tournament), form=FINDING, check=Check.HISTORY)
    assert (decided.votes, decided.people.n) == (1, 2)


def test_labels_of_findings_travel(desk: Desk, tmp_path: Path) -> None:
    store, messages, tournament = desk
    subject = messages.waiting(tournament)[0].subject
    answer(messages, subject, "Ann", True)
    messages.answer(
        Label(subject, "finding", "finding", "Bob", {"about_speaker": True}), FINDING.complete, 102.0
    )
    labels = Labels(store).of(tournament, "finding")
    whole = [label for label in labels if labelling.finished(label)]
    assert [label.person for label in whole] == ["Ann"]
    out = io.StringIO()
    write_csv(whole, out)
    assert read(io.StringIO(out.getvalue(), newline=""), "x.csv") == whole
    (tmp_path / "export.jsonl").write_text(play.exported(store, tournament))
    other = play.store(tmp_path, "other.db")
    imports.read(other, tmp_path / "export.jsonl", None)  # half a label travels, too
    assert play.exported(other, tournament) == play.exported(store, tournament)
    assert AIH.name not in {label.schema for label in labels}
