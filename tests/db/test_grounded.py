"""The desk for replies that rest on knowledge."""

from __future__ import annotations

import pytest

from arena.core.types import TESTED, Label
from arena.labelling import work as labelling
from db import Repository, connect
from db.desks import Inquiries
from db.grounded import Responses
from db.labelling import Task
from db.labels import Labels
from judges.begin import protocol
from judges.begin.taxonomy import Label as Class
from tests.support import tournaments as play

INFORMED = "  - {name: informed, adapter: scripted, knowledge: [Rome lies on the Tiber., Oslo is in Norway.]}"


@pytest.fixture
def desk(database: str) -> tuple[Responses, list[str], str]:
    store = Repository(connect(database))
    tournament, _ = play.play(store, play.text(play.STEADY, INFORMED, turns=3, dialogues=2))
    built = Responses(store)
    return built, labelling.queue(built.waiting(tournament.info.id), Task()), tournament.info.id


def labelled(subject: str, person: str, **values: object) -> Label:
    return Label(subject, "message", "begin", person, values, "", 1.0)


def filled(desk: Responses, subject: str, person: str, answers: dict[str, str], now: float) -> Label:
    """As the form does it: one answer after the other, until nothing is asked."""
    label = labelled(subject, person)
    while (due := protocol.due(label.values)) is not None:
        sentence, question = due
        name = protocol.field(question.name, sentence)
        now += 1
        label = desk.answer(
            labelled(subject, person, **{name: answers[question.name]}), labelling.form_complete, now
        )
    return label


ENTAILED = {
    "topic": "5",
    "cooperative": "5",
    "personal": "1",
    "informative": "5",
    "contradicts": "1",
    "supported": "5",
}


def test_only_replies_with_knowledge_wait(desk: tuple[Responses, list[str], str]) -> None:
    responses, queue, tournament = desk
    assert responses.any(tournament) and not responses.any("another")
    records = list(Repository(responses.engine).records(tournament))
    wanted = {
        f"{record.key}:{message.index}"
        for record in records
        if record.tested == "informed"
        for message in record.messages
        if message.seat == TESTED
    }
    assert set(queue) == wanted and len(queue) == len(wanted) == 2 * 2 * 3
    documents = {one.knowledge for one in responses.responses(queue)}
    assert documents == {"Rome lies on the Tiber.", "Oslo is in Norway."}
    steady = next(record for record in records if record.tested == "steady")
    assert responses.response(f"{steady.key}:1") is None and responses.response("nonsense") is None


def test_an_item_is_the_response_and_what_was_said_before(desk: tuple[Responses, list[str], str]) -> None:
    responses, queue, tournament = desk
    key, _, index = queue[0].rpartition(":")
    messages = next(r for r in Repository(responses.engine).records(tournament) if r.key == key).messages
    item = responses.response(queue[0])
    assert item is not None
    assert (item.previous, item.text) == (messages[int(index) - 1].text, messages[int(index)].text)


def test_the_form_is_filled_answer_by_answer(desk: tuple[Responses, list[str], str]) -> None:
    responses, queue, tournament = desk
    subject = responses.next(queue, "Ann", labelling.form_complete, 3, 100.0)
    assert subject is not None
    responses.answer(labelled(subject, "Ann", sentences=2, topic="2"), labelling.form_complete, 101.0)
    assert responses.next(queue, "Ann", labelling.form_complete, 3, 102.0) == subject
    assert responses.next(queue, "Bob", labelling.form_complete, 3, 102.0) != subject
    assert responses.undo("Ann", 103.0) == subject and responses.mine(subject, "Ann") is None
    responses.answer(labelled(subject, "Ann", sentences=2), labelling.form_complete, 104.0)
    label = responses.mine(subject, "Ann")
    assert label is not None
    done = filled(responses, subject, "Ann", ENTAILED, 105.0)
    assert protocol.label_of(done.values) is not None or protocol.due(done.values) is None
    assert responses.next(queue, "Ann", labelling.form_complete, 3, 200.0) != subject
    [stored] = Labels(responses.store).of(tournament, "begin")
    assert stored == responses.mine(subject, "Ann") and protocol.label_of(stored.values) is Class.ENTAILMENT
    assert [one.subject for one in responses.labels(tournament)] == [subject]
    assert labelling.work(responses.labels(tournament), 1, labelling.BEGIN).complete == 1


def test_skipping_one_form_skips_nothing_of_the_other(desk: tuple[Responses, list[str], str]) -> None:
    responses, queue, tournament = desk
    inquiries = Inquiries(responses.store)
    other = labelling.queue(inquiries.waiting(tournament), Task())
    mine = responses.next(queue, "Ann", labelling.form_complete, 3, 100.0)
    asked = inquiries.next(other, "Ann", labelling.AIH.complete, 3, 100.0)
    assert mine is not None and asked is not None
    responses.skip(mine, "Ann", 101.0)
    assert inquiries.next(other, "Ann", labelling.AIH.complete, 3, 102.0) == asked
    assert responses.next(queue, "Ann", labelling.form_complete, 3, 102.0) != mine
    assert responses.undo("Ann", 103.0) == mine
