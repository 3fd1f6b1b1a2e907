"""Pairs of statements by one speaker, from which the judges learn the checks of messages."""

from __future__ import annotations

import csv
import random
from collections import Counter
from pathlib import Path

import pytest

from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_CONTRADICTION
from arena.training.judges.speaker import WRITTEN, agreeing, kept_apart, two_facts, written, written_pairs
from arena.training.judges.texts import Guard

TALK = (
    "User 1: Hi! I have two dogs.\nUser 2: I live in Rome.\n"
    "User 1: I work as a baker.\nUser 2: I play the flute every day.\nUser 1: My dogs are old.\n"
)


def conversations(folder: Path, number: int) -> Path:
    (folder / "dialogues").mkdir(parents=True)
    with (folder / "dialogues" / "synthetic_persona_chat_train.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["user 1 personas", "user 2 personas", "Best Generated Conversation"])
        rows.writerows(
            [["I am a baker.", "I play the flute.", f"{TALK}User 2: Bye {n}."] for n in range(number)]
        )
    return folder


def test_conversations_give_pairs_of_one_speaker(tmp_path: Path) -> None:
    pairs = agreeing(conversations(tmp_path, 10), Guard([]), random.Random(1))
    assert {pair.label for pair in pairs} == {NOT_CONTRADICTION}
    first = {"I have two dogs.", "I work as a baker.", "My dogs are old.", "I am a baker."}
    for pair in pairs:
        assert (pair.premise in first) == (pair.hypothesis in first)
        assert pair.premise != pair.hypothesis


def test_conversations_kept_apart_and_measuring_texts_are_left_out(tmp_path: Path) -> None:
    data = conversations(tmp_path, 40)
    guarded = agreeing(data, Guard(["I play the flute every day."]), random.Random(1))
    everything = agreeing(data, Guard([]), random.Random(1))
    assert guarded and "I play the flute every day." not in {pair.hypothesis for pair in guarded}
    talks = Counter(pair.hypothesis for pair in everything)["I work as a baker."] / 2
    assert 0 < talks < 40
    assert 0 < sum(kept_apart(str(n)) for n in range(1000)) / 1000 < 0.3


def test_two_values_contradict_only_where_a_person_has_one() -> None:
    pairs = two_facts(random.Random(3), 8_000)
    counts = Counter(pair.label for pair in pairs)
    assert min(counts[label] for label in (ENTAILMENT, NEUTRAL, CONTRADICTION)) > 300
    both = [p for p in pairs if "love the color" in p.premise and "love the color" in p.hypothesis]
    assert not any(pair.label == CONTRADICTION for pair in both)


@pytest.mark.parametrize("path", sorted(WRITTEN.glob("*.tsv")), ids=lambda path: path.stem)
def test_written_pairs_are_complete(path: Path) -> None:
    head, *rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    assert head == ["earlier", "question", "later", "label", "single", "relevant"]
    for row in rows:
        assert len(row) == 6 and row[0] and row[2] and row[3] in {"E", "N", "C"}
        assert {row[4], row[5]} <= ({"0", "1"} if row[1] else {""})


def test_written_inquiries_are_read_as_the_judge_reads_them(tmp_path: Path) -> None:
    lines = (
        "earlier\tquestion\tlater\tlabel\tsingle\trelevant",
        "I have a dog.\t\tI have no pets.\tC\t\t",
        "I like tea.\tWhat do you like?\tSoup.\tN\t0\t1",
    )
    (tmp_path / "some.tsv").write_text("\n".join(lines) + "\n")
    statement, inquiry = written(tmp_path)
    assert statement.pair(told=True).hypothesis == "I have no pets."
    swapped = statement.swapped()
    assert (swapped.premise, swapped.hypothesis, swapped.label) == (
        "I have no pets.",
        "I have a dog.",
        CONTRADICTION,
    )
    asked = inquiry.pair(told=False)
    assert (asked.hypothesis, asked.label, asked.topical) == ("What do you like? Soup.", NEUTRAL, True)
    assert inquiry.pair(told=True).hypothesis != asked.hypothesis
    assert inquiry.swapped().label == NOT_CONTRADICTION


def test_written_pairs_that_are_kept_apart_are_not_trained_on() -> None:
    rows = written()
    trained = {
        pair.premise for pair in written_pairs(random.Random(1), [row for row in rows if row.question])
    }
    apart = {row.earlier for row in rows if row.question and row.kept_apart}
    assert apart and trained and not apart & trained
