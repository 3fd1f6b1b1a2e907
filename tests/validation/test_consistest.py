"""The benchmark's samples: counts of the release, contexts, and what is wrong with a file."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from arena.core.errors import InputError
from arena.core.types import Kind
from arena.validation.consistest import Context, Source, case, column, context, drawn, load

FACT = "i have two cats ."
PERSONA = {FACT: [{"q": "How many cats?", "a": "two", "c": FACT, "source": "pers", "type": "wh"}]}
GENERATED = {"source": "hist", "type": "wh", "dialog": "0", "alt_c": "", "turn": 0}
EXTRACTED = {"source": "hist_ext", "type": "yn", "dialog": "0", "alt_c": "i do not smoke", "turn": 1}
HISTORY = {
    "0": [
        {"c": "i live in rome", "q": "Where do you live?", "a": "rome", **GENERATED},
        {"c": "no .", "q": "do you smoke?", "a": "no | i do not", **EXTRACTED},
    ]
}
DIALOGUES = {
    "0": {
        "persona": ["i am old .", FACT],
        "utterances": ["hi", "i live in rome", "smoke ?", "no .", "ok", "yes", "bye", "bye bye"],
    }
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in (("persona_qas", PERSONA), ("history_qas", HISTORY), ("valid", DIALOGUES)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    return tmp_path


def test_question_stands_where_the_paper_puts_it(folder: Path) -> None:
    samples = {(s.question, s.distance): s for s in load(folder)}
    assert set(samples) == {
        ("How many cats?", 0), ("How many cats?", 2), ("Where do you live?", 0), ("Where do you live?", 2),
        ("do you smoke?", 0), ("do you smoke?", 2),
    }  # fmt: skip
    assert samples["How many cats?", 0].messages == ()
    assert samples["How many cats?", 2].messages == ("hi", "i live in rome", "smoke ?", "no .")
    assert samples["Where do you live?", 0].messages == ("hi", "i live in rome")
    late = samples["do you smoke?", 2]
    assert late.messages == ("smoke ?", "no .", "ok", "yes", "bye", "bye bye")
    assert late.messages[late.fact_at or 0] == "no ."
    assert late.fact == "i do not smoke" and late.truths == ("no", "i do not") and late.extracted
    assert late.kind is Kind.YES_NO_FALSE


def test_a_question_behind_the_end_does_not_exist(folder: Path) -> None:
    HISTORY_LATE = json.loads(json.dumps(HISTORY))
    HISTORY_LATE["0"][1]["turn"] = 3
    (folder / "history_qas.json").write_text(json.dumps(HISTORY_LATE))
    assert [s.distance for s in load(folder) if s.question == "do you smoke?"] == [0]


def test_contexts_of_table_6(folder: Path) -> None:
    samples = {(s.question, s.distance): s for s in load(folder)}
    live, cats = samples["Where do you live?", 0], samples["How many cats?", 2]
    assert context(live, Context.STANDARD) == (("i am old .", FACT), ("hi", "i live in rome"))
    assert context(live, Context.FACT) == (("i live in rome",), ())
    assert context(live, Context.FACT_APPENDED) == (("i am old .", FACT, "i live in rome"), ("hi", "..."))
    assert context(live, Context.FACT_FIRST) == (("i live in rome", "i am old .", FACT), ("hi", "..."))
    assert context(live, Context.MASKED) == (("i am old .", FACT), ("hi", "..."))
    assert context(cats, Context.FACT_APPENDED) == context(cats, Context.STANDARD)
    assert context(cats, Context.FACT_FIRST)[0] == (FACT, "i am old .")


def test_keys_are_unique_and_stable(folder: Path) -> None:
    first, again = load(folder), load(folder)
    assert [s.key for s in first] == [s.key for s in again]
    assert len({s.key for s in first}) == len(first)


def test_limit_is_drawn_by_seed(folder: Path) -> None:
    samples = load(folder)
    assert drawn(samples, 3, 1) == drawn(samples, 3, 1)
    assert len(drawn(samples, 3, 1)) == 3 and drawn(samples, None, 1) == samples
    assert {tuple(s.key for s in drawn(samples, 3, seed)) for seed in range(9)} != {()}


def test_case_for_the_judge(folder: Path) -> None:
    built = case(next(s for s in load(folder) if s.yes_no), "no i do not")
    assert (built.source, built.expected, built.answer) == ("i do not smoke", "no | i do not", "no i do not")


def test_missing_file_says_where_it_is_published(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="ELotfi/consistest"):
        load(tmp_path)


def test_broken_question_names_its_dialogue(folder: Path) -> None:
    (folder / "history_qas.json").write_text(json.dumps({"0": [{"c": "x", "source": "hist"}]}))
    with pytest.raises(InputError, match="dialogue '0'"):
        load(folder)


def test_the_release_gives_the_papers_counts(arena_data: Path) -> None:
    samples = load(arena_data / "consistest")
    counts = Counter(column(sample) for sample in samples)
    assert counts["persona_wh"] == 7008 and counts["persona_yn"] == 8080
    history = [sample for sample in samples if sample.source is Source.HISTORY]
    assert abs(len(history) - 3545) <= 2
    assert abs(counts["history_wh"] - 2818) <= 2 and counts["history_yn"] == 727
    assert sum(sample.extracted for sample in history) == 1023
    assert all(len(sample.messages) <= 6 for sample in samples)
    assert len({sample.key for sample in samples}) == len(samples)
