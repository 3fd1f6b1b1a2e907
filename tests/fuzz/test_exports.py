"""Exports come back as they went, and a spoilt one is told by its line with nothing of it stored."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import ArenaError, InputError
from arena.core.hashing import message_hash
from arena.core.types import Inquiry, Judgement, Kind, Label, Message, Status, Verdict
from arena.exchange import import_jsonl as reading
from arena.exchange.imports import read
from arena.exchange.jsonl import write
from db import Repository, connect
from db.health import examine
from db.models import Base
from db.records import Record, StoredTournament
from db.session import writing
from tests.fuzz.examples import tried
from tests.fuzz.sentences import is_sentence
from tests.fuzz.trees import spoilt, trees
from tests.support.tournaments import exported, play, store, text

STORED = StoredTournament("t" * 12, "r1", "c" * 64, 0, {}, 0.0, {})
KEYS = [
    "dialogue",
    "messages",
    "inquiries",
    "verdicts",
    "labels",
    "facts",
    "text",
    "content",
    "role",
    "bot",
    "index",
]
WORDS = ["", "\x00", "\ud83d", "done", "failed", "running", "wh", "r1", "a", 0, 1, -1, 0.5, 2**63, 1e308]
said = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=20)
facts = st.dictionaries(
    said, said | st.integers(-5, 2**60) | st.booleans() | st.lists(said, max_size=2), max_size=2
)
chance = st.floats(0, 1)


@st.composite
def records(draw: st.DrawFn, number: int = 0) -> Record:
    """A dialogue as a database may hold it."""
    key = f"d{number}"
    messages: list[Message] = []
    for index in range(draw(st.integers(1, 6))):
        parent = messages[-1].hash if messages else None
        seat, words = draw(st.integers(0, 1)), draw(said)
        messages.append(Message(index, seat, words, message_hash(parent, seat, words), parent, draw(facts)))
    inside = st.integers(0, len(messages) - 1)
    inquiries, verdicts = [], []
    for n in range(draw(st.integers(0, 3))):
        answer = draw(st.none() | said)
        inquiry = Inquiry(
            f"{key}i{n}", draw(inside), draw(inside), draw(said), draw(said), draw(said), draw(st.sampled_from(Kind)),
            draw(st.integers(0, 5)), answer, None if answer is not None else draw(said), draw(st.none() | said),
            draw(st.none() | said), draw(facts),
        )  # fmt: skip
        inquiries.append(inquiry)
        for judge in draw(st.lists(st.sampled_from(["j1", "j2", "j3"]), unique=True)):
            score = draw(st.none() | chance)
            reason = None if score is not None else draw(said)
            classes = draw(st.dictionaries(said, chance, max_size=2))
            verdicts.append(
                Verdict(inquiry.id, judge, "1", Judgement(score, classes, draw(facts), reason), 0.5)
            )
    labels = []
    yes = st.sampled_from([True, False, "unclear"])
    for subject, kind, schema, values in (
        *(
            (i.id, "inquiry", "aih", {"appropriate": yes, "relevant": yes, "contradicts": yes})
            for i in inquiries
        ),
        (f"{key}:0", "message", "reply", {"inconsistent": yes}),
        (key, "dialogue", "session", {"score": chance}),
    ):
        for person in sorted(draw(st.sets(st.sampled_from(["ann", "ben"])))):
            given_values = {name: draw(strategy) for name, strategy in values.items()}
            labels.append(Label(subject, kind, schema, person, given_values, draw(st.just("") | said)))
    about = [key, *(i.id for i in inquiries), f"{key}:0"]
    return Record(
        key=key,
        speaker="s", tested="t", speaker_identity="is", tested_identity="it", number=number,
        opener=messages[0].text,
        seed=draw(st.integers(0, 2**63 - 1)),
        turns=draw(st.integers(1, 9)),
        inquirer="q",
        status=Status.DONE,
        reason=None,
        refused=draw(st.dictionaries(said, st.integers(0, 9), max_size=2)),
        facts=draw(facts),
        seconds=None,
        messages=tuple(messages),
        inquiries=tuple(inquiries),
        verdicts=tuple(sorted(verdicts, key=lambda v: (v.inquiry, v.judge))),
        labels=tuple(sorted(labels, key=lambda one: (about.index(one.subject), one.person))),
    )  # fmt: skip


def sound_inside(repository: Repository) -> None:
    """All that a database in memory can be examined for."""
    assert all(check.ok for check in examine(repository) if check.name != "write-ahead log")


@cache
def empty() -> Repository:
    return Repository(connect("sqlite://"))


def fresh() -> Repository:
    """An empty database; making one takes longer than what is tried on it."""
    repository = empty()
    with writing(repository.engine) as connection:
        for table in reversed(Base.metadata.sorted_tables):
            connection.execute(table.delete())
    return repository


def in_order(record: Record) -> Record:
    """A file groups labels in another way than a database."""
    return replace(record, labels=tuple(sorted(record.labels, key=lambda one: (one.subject, one.person))))


@tried(60)
@given(st.tuples(records(0), records(1)))
def test_what_is_written_is_read_and_what_is_imported_is_exported(built: tuple[Record, Record]) -> None:
    out = io.StringIO()
    assert write(STORED, built, out) == 2
    back = [record for _, record in reading.records(io.StringIO(out.getvalue()), "e")]
    assert list(map(in_order, back)) == list(map(in_order, built))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "e.jsonl"
        file.write_text(out.getvalue(), encoding="utf-8", newline="")
        repository = fresh()
        assert read(repository, file, None) == [(STORED.id, 2, 2)]
        assert exported(repository, STORED.id) == out.getvalue()
        assert read(repository, file, None) == [(STORED.id, 2, 0)]
        assert exported(repository, STORED.id) == out.getvalue()
    sound_inside(repository)


@cache
def sound() -> list[dict[str, Any]]:
    """Two exported dialogues with verdicts and labels."""
    with TemporaryDirectory() as folder:
        repository = store(Path(folder))
        tournament, _ = play(repository, text(turns=2, dialogues=1))
        exported_lines = [json.loads(one) for one in exported(repository, tournament.info.id).splitlines()]
    chosen = [one for one in exported_lines if one["inquiries"]][:2]
    answers = {"appropriate": True, "relevant": "unclear", "contradicts": False}
    for one in chosen:
        label = {"schema": "aih", "person": "ann", "values": answers, "note": "", "seconds": 2.5}
        one["inquiries"][0]["labels"].append(label)
    return chosen


LOG: list[dict[str, Any]] = [
    {
        "messages": [
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": "I have two dogs."},
            {"role": "user", "content": "How many dogs do you have?"},
            {"role": "assistant", "content": "None."},
        ],
        "speaker": "me", "tested": "it", "knowledge": "k",
    },
    {"messages": [{"bot": "x", "text": "hi"}, {"bot": "y", "text": "hi yourself"}]},
]  # fmt: skip


def lines(tree: Any) -> Iterator[str]:
    for one in tree:
        yield json.dumps(one)


def comes_in_whole_or_not_at_all(source: str, where: str = r"line \d+") -> None:
    repository = fresh()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "e.jsonl"
        file.write_text(source, encoding="utf-8", errors="surrogatepass", newline="")
        try:
            done = read(repository, file, None)
        except ArenaError as error:
            assert is_sentence(str(error)), str(error)
            assert re.search(where, str(error)), str(error)
            assert not repository.tournaments()
            return
        for tournament, number, _ in done:
            once = exported(repository, tournament)
            assert once.count("\n") == number
            once.encode("utf-8")
        sound_inside(repository)


WHERE = r"line \d+|is empty"


@tried(150)
@given(spoilt(st.deferred(lambda: st.just(sound())), trees(WORDS, KEYS, json=True), KEYS))
def test_a_spoilt_export_comes_in_whole_or_not_at_all(tree: Any) -> None:
    comes_in_whole_or_not_at_all("\n".join(lines(tree)), WHERE)


@tried(100)
@given(spoilt(st.just(LOG), trees(WORDS, KEYS, json=True), KEYS))
def test_a_spoilt_log_comes_in_whole_or_not_at_all(tree: Any) -> None:
    comes_in_whole_or_not_at_all("\n".join(lines(tree)), WHERE)


@tried(60)
@given(st.data())
def test_an_export_that_is_cut_or_written_over_is_told_by_its_line(data: st.DataObject) -> None:
    source = "\n".join(lines(data.draw(st.sampled_from([sound(), LOG]))))
    start = data.draw(st.integers(0, len(source)))
    length = data.draw(st.integers(0, 30))
    comes_in_whole_or_not_at_all(
        source[:start] + data.draw(st.text(max_size=8)) + source[start + length :], WHERE
    )


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"messages":' * 100_000, "1" * 10_000, '{"a": NaN}'])
def test_json_that_is_too_deep_or_too_long_is_told(deep: str) -> None:
    comes_in_whole_or_not_at_all(deep, "line 1")


def test_the_sound_ones_come_in() -> None:
    for tree in (sound(), LOG):
        with TemporaryDirectory() as folder:
            file = Path(folder) / "e.jsonl"
            file.write_text("\n".join(lines(tree)))
            assert read(fresh(), file, None)[0][1:] == (2, 2)


def test_an_export_fills_in_what_is_only_planned_here(tmp_path: Path) -> None:
    whole, part = store(tmp_path, "whole.db"), store(tmp_path, "part.db")
    tournament, _ = play(whole, text())
    file = tmp_path / "e.jsonl"
    file.write_text(exported(whole, tournament.info.id))
    play(part, text(), limit=5)
    ((_, number, new),) = read(part, file, None)
    assert (number, new) == (12, 7)
    assert exported(part, tournament.info.id) == exported(whole, tournament.info.id)
    assert play(part, text())[1].played == 0
    assert all(check.ok for check in examine(part))


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ({"dialogue": "another"}, "holds another dialogue"),
        ({"dialogue": "another", "number": 77}, "on another dialogue"),
    ],
)
def test_what_is_here_already_is_not_quietly_shadowed(
    change: dict[str, Any], value: str, tmp_path: Path
) -> None:
    repository, file = fresh(), tmp_path / "e.jsonl"
    file.write_text("\n".join(lines(sound())))
    ((tournament, _, _),) = read(repository, file, None)
    before = exported(repository, tournament)
    file.write_text(json.dumps(sound()[0] | change))
    with pytest.raises(InputError, match=f"{value}.*import into another --db"):
        read(repository, file, None)
    assert exported(repository, tournament) == before
