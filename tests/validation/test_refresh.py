"""New samples from dialogues: questions by rules, answers from the dialogue, readable as the release is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.core.errors import InputError
from arena.validation import consistest
from arena.validation import consistest_refresh as refresh
from inquirer import build

CHATS = [
    refresh.Chat(
        "0",
        ("i have two dogs.", "i like pizza."),
        (
            "hi! do you smoke?",
            "no, i do not.",
            "what do you do?",
            "i am a nurse. you?",
            "same",
            "i live in rome.",
            "ok",
        ),
    )
]


@pytest.fixture(scope="module")
def files() -> dict[str, object]:
    return refresh.samples(CHATS, build({"entities": "rules", "questions": "rules"}), None)


def test_new_samples_are_a_benchmark(files: dict[str, object], tmp_path: Path) -> None:
    refresh.write(files, tmp_path)
    samples = consistest.load(tmp_path)
    result = {(s.question.lower(), s.truths[0]) for s in samples if s.distance == 0}
    assert ("how many dogs do you have?", "two") in result
    assert ("do you smoke?", "no") in result
    assert any(s.extracted for s in samples) and any(s.source is consistest.Source.PERSONA for s in samples)


def test_what_excludes_nothing_is_not_asked(files: dict[str, object]) -> None:
    text = json.dumps(files)
    assert "What do you like" not in text and "like pizza" in text


@pytest.mark.parametrize(
    "question", ["how has your day been?", "oh really?", "do you?", "what about you?", "why?"]
)
def test_idle_questions_are_not_taken(question: str) -> None:
    chat = refresh.Chat("0", (), (question, "yes, i have two dogs."))
    files = refresh.samples([chat], build({"entities": "rules", "questions": "rules"}), None)
    assert question not in json.dumps(files["history_qas.json"])


def test_chats_are_read_by_line(tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    path.write_text('{"messages": ["a", {"content": "b"}], "persona": ["p"]}\n{"talk": []}\n')
    with pytest.raises(InputError, match="line 2"):
        refresh.load(path)
    path.write_text('{"messages": ["a", {"content": "b"}], "persona": ["p"]}\n')
    assert refresh.load(path) == [refresh.Chat("1", ("p",), ("a", "b"))]
    roles = [("system", "s"), ("assistant", "hello"), ("user", "a"), ("assistant", "b")]
    sentence = [{"role": role, "content": text} for role, text in roles]
    path.write_text(json.dumps({"messages": sentence}) + "\n")
    assert refresh.load(path) == [refresh.Chat("1", (), ("a", "b"))]
