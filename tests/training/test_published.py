"""What judges learn from published tournaments, and what is kept for measuring."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.core.errors import InputError
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_CONTRADICTION, Pair
from arena.training.judges.published import (
    Published,
    published,
    published_answers,
    published_pairs,
    real_answers,
)
from arena.training.judges.readings import Reading
from arena.training.judges.texts import Guard

SAID = "I have two dogs called Rex and Moss."
KEPT = next(text for n in range(99) if Reading(text := f"I own {n} dogs.", "", "", 0, True, None).kept_apart)
LATER = "I have owned no dog for three years."


def labels(*verdicts: object, **values: object) -> list[Mapping[str, Any]]:
    return [{"values": {"contradicts": verdict, **values}} for verdict in verdicts]


def dialogue(release: str, tested: str = "model", **more: Any) -> dict[str, Any]:
    """A dialogue of two messages of the bot under test, asked about the first."""
    inquiry = {
        "id": "a",
        "source": 1,
        "question": "How many dogs do you have?",
        "answer": "I have got three of them.",
        "single_answer": True,
        "labels": labels(True, True, relevant=True),
    }
    finding = {"message": 3, "labels": labels(True, True)}
    return {
        "release": release,
        "tested": tested,
        "messages": [{"index": 1, "text": SAID}, {"index": 3, "text": LATER}],
        "inquiries": [inquiry | more],
        "findings": [finding],
    }


def test_readers_labels_of_earlier_tournaments_are_learned() -> None:
    rows = [dialogue("earlier-leaderboard")]
    [answer] = published_answers(Published(rows), Guard([]))
    assert (answer.statement, answer.answer) == (SAID, "I have got three of them.")
    assert (answer.label, answer.relevant, answer.single_answer) == (CONTRADICTION, True, True)


@pytest.mark.parametrize(
    "row",
    [
        dialogue("first-leaderboard"),
        dialogue("earlier-leaderboard", tested="moody"),
        dialogue("earlier-leaderboard", labels=labels(True, False, relevant=True)),
        dialogue("earlier-leaderboard", labels=labels(True, relevant=True)),
        dialogue("earlier-leaderboard", labels=labels("unclear", "unclear", relevant=True)),
    ],
    ids=["measured", "scripted", "readers differ", "one reader", "unclear"],
)
def test_nothing_else_is_learned(row: dict[str, Any]) -> None:
    assert published_answers(Published([row]), Guard([])) == []


def test_a_statement_that_was_read_in_the_measured_tournament_is_left_out() -> None:
    rows = [dialogue("earlier-leaderboard"), dialogue("first-leaderboard")]
    pairs = [Pair(SAID, LATER, CONTRADICTION), Pair(SAID, "I have owned no cat so far.", NEUTRAL)]
    assert published_answers(Published(rows), Guard([])) == []
    assert published_pairs(Published(rows, pairs=pairs), Guard([])) == pairs[1:]
    assert published_answers(Published(rows[:1]), Guard([SAID])) == []
    assert published_pairs(Published(rows[:1], pairs=pairs), Guard([LATER])) == pairs[1:]


def test_an_answer_that_agrees_excludes_only_a_contradiction() -> None:
    kept, left = (
        dialogue("earlier-leaderboard", labels=labels(False, False, relevant=relevant))
        for relevant in (True, False)
    )
    assert [row.label for row in published_answers(Published([kept, left]), Guard([]))] == [
        NOT_CONTRADICTION,
        NEUTRAL,
    ]


def test_the_export_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "dialogues.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(json.dumps(dialogue("earlier-interviews")) + "\n")
    assert len(real_answers(None, published(path), tmp_path, Guard([]))) == 1
    assert real_answers(None, published(None), tmp_path, Guard([])) == []


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    plain = tmp_path / "dialogues.jsonl"
    plain.write_text("{}\n")
    with pytest.raises(InputError, match="--published"):
        published(None, tmp_path)
    with pytest.raises(InputError, match="gzip"):
        published(plain)
    with gzip.open(tmp_path / "packed.gz", "wt") as file:
        file.write("{}\n")
    with pytest.raises(InputError, match=r"has no answers\.tsv"):
        published(tmp_path / "packed.gz", tmp_path)


def test_further_labels_are_read_from_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "dialogues.jsonl.gz"
    unread = dialogue("after", labels=[])
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(json.dumps(unread) + "\n")
    (tmp_path / "answers.tsv").write_text("id\tlabel\trelevant\na\tE\t1\n")
    (tmp_path / "pairs.tsv").write_text(f"earlier\tlater\tlabel\n{SAID}\t{LATER}\tnot C\n")
    known = published(path, tmp_path)
    [answer] = published_answers(known, Guard([]))
    assert (answer.label, answer.relevant) == (ENTAILMENT, True)
    assert published_pairs(known, Guard([])) == [Pair(SAID, LATER, NOT_CONTRADICTION)]
    assert published_answers(published(path), Guard([])) == []
    unread["messages"][0]["text"] = KEPT
    assert published_answers(replace(known, dialogues=[unread]), Guard([])) == []
    assert published_answers(replace(known, dialogues=[dialogue("first-leaderboard")]), Guard([])) == []
