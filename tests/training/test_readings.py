"""Labelled answers: who is believed, what is kept apart, and what the judge reads of them."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest

from arena.training.judges.conversations import conversations
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL
from arena.training.judges.readings import readings, training_pairs
from arena.training.judges.texts import Guard

STATEMENTS = [f"I have lived in town number {number} for years." for number in range(40)]


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A conversation of forty statements, and a folder of readings about each."""
    data, folder = tmp_path / "data", tmp_path / "readings"
    (data / "dialogues").mkdir(parents=True)
    folder.mkdir()
    talk = "\n".join(f"User {1 + n % 2}: {text}" for n, text in enumerate(STATEMENTS))
    with (data / "dialogues" / "synthetic_persona_chat_train.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["user 1 personas", "user 2 personas", "Best Generated Conversation"])
        writer.writerow(["I am one.", "I am two.", talk])
    [(key, _, _)] = conversations(data)
    rows = [
        {
            "id": f"a{n}", "conversation": key, "message": n, "question": "Where do you live?",
            "answer": f"In city {n}.", "single_answer": True,
        }
        for n in range(len(STATEMENTS))
    ]  # fmt: skip
    (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    head = "id\tlabel\tsingle\trelevant\tappropriate\n"
    (folder / "000.reader1.tsv").write_text(head + "".join(f"a{n}\tC\t1\t1\t1\n" for n in range(39)))
    (folder / "000.reader2.tsv").write_text(head + "a0\tN\t1\t1\t1\na1\tC\t1\t0\t1\n")
    return folder, data


def test_an_answer_counts_where_its_readers_agree(folders: tuple[Path, Path]) -> None:
    rows = {row.answer: row for row in readings(*folders, Guard([]))}
    assert "In city 0." not in rows  # the readers differ
    assert "In city 39." not in rows  # nobody read it
    assert len(rows) == 38
    assert rows["In city 1."].label == CONTRADICTION and not rows["In city 1."].relevant
    assert rows["In city 2."].relevant and rows["In city 2."].statement == STATEMENTS[2]


def test_what_measures_is_not_read(folders: tuple[Path, Path]) -> None:
    assert len(readings(*folders, Guard([STATEMENTS[5]]))) == 37


def test_messages_kept_apart_are_never_trained_on(folders: tuple[Path, Path]) -> None:
    rows = readings(*folders, Guard([]))
    apart = {row.statement for row in rows if row.kept_apart}
    pairs = training_pairs(rows, random.Random(1))
    assert 2 <= len(apart) <= 16
    assert not apart & {pair.premise for pair in pairs}
    assert len(pairs) == 2 * (len(rows) - len(apart))
    assert {pair.label for pair in pairs} <= {ENTAILMENT, NEUTRAL, CONTRADICTION}
    assert any("(one answer)" in pair.hypothesis for pair in pairs)
    assert any("(one answer)" not in pair.hypothesis for pair in pairs)
