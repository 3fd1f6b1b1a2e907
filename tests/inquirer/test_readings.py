"""What the figures are made with: coverage of facts, and the draw of questions to read."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from arena.training.inquirer import coverage, reading
from inquirer import build

FACTS = {
    "0": [
        {"c": "i have two dogs .", "q": "How many dogs do you have?", "a": "two", "type": "wh"},
        {"c": "i have two dogs .", "q": "do you like cats?", "a": "no", "type": "yn"},
    ],
    "1": [
        {"c": "not really .", "q": "What do you like?", "a": "fishing", "type": "wh"},
        {"c": "pizza with cheese", "q": "What do you eat?", "a": "pizza", "type": "wh"},
    ],
}
RULES = {"entities": "rules"}


def test_a_fact_is_found_by_its_span_and_asked_by_a_question_with_it() -> None:
    known = coverage.facts(FACTS)
    assert [fact.answer for fact in known] == ["two", "fishing", "pizza"]
    assert coverage.coverage(known, build(RULES)) == coverage.Coverage(facts=3, matched=2, asked=1)


def test_both_halves_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "history_qas.json").write_text(json.dumps(FACTS))
    coverage.main(["--data", str(tmp_path), "--entities", "rules"])
    shown = json.loads(capsys.readouterr().out)
    assert shown["all"]["asked"] == 0.3333
    assert shown["even"] == {"facts": 1, "found": 1.0, "asked": 1.0}
    assert shown["odd"] == {"facts": 2, "found": 0.5, "asked": 0.0}


def test_a_draw_is_its_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = [f"i have {n} dogs and my name is {name}" for n in range(2, 9) for name in ("ben", "sarah", "tom")]
    first = reading.drawn(text, 10, Random(5), build(RULES))
    assert first == reading.drawn(text, 10, Random(5), build(RULES))
    assert first != reading.drawn(text, 10, Random(6), build(RULES))
    assert len({row.utterance for row in first}) == len(first) == 10
    (tmp_path / "said.txt").write_text("\n".join(text))
    reading.main([str(tmp_path / "said.txt"), "--seed", "5", "--count", "3", "--entities", "rules"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("\t")[0] == "number" and len(lines) == 4
    assert lines[1].split("\t")[3] == first[0].question
