"""Label schemas of one's own: what a file may say, and every mistake with its line and key."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from arena.core.errors import InputError
from arena.core.types import Label
from arena.labelling import own
from arena.labelling.files import read, write_csv, write_jsonl
from arena.labelling.practice import practice
from arena.labelling.schemas import SCHEMAS, checked
from arena.labelling.work import finished
from db import Repository, connect
from db.labels import Labels

FILE = """\
name: manners
about: inquiry
title: Manners of answers
main: rude
questions:
  - name: rude
    ask: Is the answer rude?
    answers: [yes, no]
    keys: yn
  - name: tone
    ask: Which tone does it have?
    answers: [warm, neutral, cold]
  - name: length
    ask: How long is it, from 1 to 5?
    answers: [1, 2, 3, 4, 5]
    keys: [a, b, d, e, f]
practice:
  - said: I love dogs.
    asked: What do you love?
    answered: None of your business!
    right: {rude: yes, tone: cold, length: 2}
    why: It snubs the one who asks.
"""


def store(folder: Path) -> Repository:
    return Repository(connect(f"sqlite:///{folder / 'own.db'}"))


def test_a_file_becomes_questions_answers_and_keys() -> None:
    form = own.schema_of(own.parse(FILE))
    assert (form.name, form.subject_type, form.main, form.what) == (
        "manners", "inquiry", "rude", "Manners of answers",
    )  # fmt: skip
    rude, tone, length = form.asked
    assert rude.answers == ((True, "Yes"), (False, "No")) and rude.keys == ("y", "n")
    assert [word for _, word in tone.answers] == ["Warm", "Neutral", "Cold"] and tone.keys == ("1", "2", "3")
    assert length.choices == ("1", "2", "3", "4", "5") and length.keys == tuple("abdef")


def test_yes_no_and_unclear_are_the_answers_unless_others_are_given() -> None:
    short = "name: x\nabout: message\nquestions: [{name: odd, ask: 'Is it odd?'}]\n"
    [question] = own.schema_of(own.parse(short)).asked
    assert [word for _, word in question.answers] == ["Yes", "No", "Unclear"] and question.keys == tuple(
        "123"
    )


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("about: inquiry", "about: inqiry", r"f\.yaml, line 2, about: must be 'inquiry'"),
        ("name: manners", "name: Manners!", r"f\.yaml, line 1, name: must be 1 to 20 small letters"),
        ("name: manners", "name: aih", r"line 1, name: 'aih' is one of the program's own"),
        ("main: rude", "main: rud", r"line 4, main: there is no question 'rud'; did you mean 'rude'"),
        ("main: rude", "main: tone", r"line 4, main: 'tone' must be answered by yes and no"),
        ("    ask: Is", "    askk: Is", r"line 7, questions\.0\.askk: there is no key 'askk'; did you mean 'ask'"),
        ("keys: yn", "keys: ynu", r"line 9, questions\.0\.keys: there are 3 keys for 2 answers"),
        ("keys: yn", "keys: ys", r"line 9, questions\.0\.keys: 's' cannot be a key"),
        ("keys: [a, b, d, e, f]", "keys: [y, b, d, e, f]", r"line 16, questions\.2\.keys: the key 'y' already"),
        ("[warm, neutral, cold]", "[warm, neutral, Warm]", r"line 12, questions\.1\.answers\.2: the answer 'Warm'"),
        ("[warm, neutral, cold]", "[warm]", r"line 12, questions\.1\.answers: a question has 2 to 12 answers"),
        ("- name: tone", "- name: rude", r"line 10, questions\.1\.name: two questions are called 'rude'"),
        ("- name: tone", "- name: note", r"line 10, questions\.1\.name: 'note' cannot be a column"),
        ("tone: cold,", "tone: icy,", r"line 21, practice\.0\.right\.tone: 'icy' is none of its answers"),
        ("tone: cold,", "", r"line 21, practice\.0\.right: the right answer to 'tone' is missing"),
        ("    asked: What do you love?\n", "", r"line 18, practice\.0: the key 'asked' is missing"),
        ("    why:", "    earlier: x\n    why:", r"practice\.0\.earlier: an item about one inquiry has no 'earlier'"),
        ("about: inquiry", "about: [", r"f\.yaml, line \d+: not valid YAML"),
    ],
)  # fmt: skip
def test_mistakes_are_one_sentence_with_line_and_key(old: str, new: str, sentence: str) -> None:
    assert old in FILE
    with pytest.raises(InputError, match=sentence) as raised:
        own.parse(FILE.replace(old, new, 1), "f.yaml")
    assert "\n" not in str(raised.value)


def test_a_file_that_is_no_mapping_says_what_it_should_be() -> None:
    with pytest.raises(InputError, match="line 1: a label schema is a mapping"):
        own.parse("- a\n- b\n", "f.yaml")


def test_a_schema_with_labels_stays_as_it_is(tmp_path: Path) -> None:
    repository = store(tmp_path)
    form = own.parse(FILE)
    own.add(repository, form, 1.0)
    own.add(repository, form, 2.0)  # twice the same changes nothing
    changed = own.parse(FILE.replace("Is the answer rude?", "Is it rude?"))
    own.add(repository, changed, 3.0)
    assert own.schemas(repository)["manners"].asked[0].text == "Is it rude?"
    Labels(repository).put([Label("q", "inquiry", "manners", "ann", {"rude": True})], 4.0)
    with pytest.raises(InputError, match="1 label answers the schema 'manners' as it was"):
        own.add(repository, form, 5.0)
    assert set(own.schemas(repository)) == {*SCHEMAS, "manners"}


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_labels_go_out_and_come_back(ending: str, tmp_path: Path) -> None:
    repository = store(tmp_path)
    own.add(repository, own.parse(FILE), 1.0)
    known = own.schemas(repository)
    label = checked(
        Label("q", "inquiry", "manners", "ann", {"rude": "yes", "tone": "Cold", "length": 2}), known
    )
    assert label.values == {"rude": True, "tone": "cold", "length": "2"} and finished(label, known)
    out = io.StringIO()
    (write_jsonl if ending == "jsonl" else write_csv)([label], out)
    assert read(io.StringIO(out.getvalue(), newline=""), f"x.{ending}", None, known) == [label]
    with pytest.raises(InputError, match=r"no label schema 'manners'.*arena labels schema FILE"):
        read(io.StringIO(out.getvalue(), newline=""), f"x.{ending}")
    with pytest.raises(InputError, match="give one of warm, neutral, cold"):
        checked(Label("q", "inquiry", "manners", "ann", {"tone": "icy"}), known)


def test_practice_items_know_their_right_answers(tmp_path: Path) -> None:
    repository = store(tmp_path)
    own.add(repository, own.parse(FILE), 1.0)
    [one] = practice(repository, own.schemas(repository)["manners"])
    assert one.right == {"rude": True, "tone": "cold", "length": "2"}
    assert dict(one.item.parts) == {
        "said": "I love dogs.", "asked": "What do you love?", "answered": "None of your business!",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["aih", "finding"])
def test_the_shipped_practice_round_is_whole(name: str, tmp_path: Path) -> None:
    form = SCHEMAS[name]
    items = practice(store(tmp_path), form)
    assert len(items) >= 5 and len({one.item.subject for one in items}) == len(items)
    for one in items:
        assert set(one.right) == {question.name for question in form.asked} and one.why
        assert all(isinstance(answer, bool) for answer in one.right.values())
        assert one.item.messages and all(text for _, text in one.item.parts)
    for question in form.asked:  # whoever answers always the same learns that it is wrong
        assert {one.right[question.name] for one in items} == {True, False}


def test_no_practice_where_nobody_has_written_any(tmp_path: Path) -> None:
    assert practice(store(tmp_path), SCHEMAS["begin"]) == []
