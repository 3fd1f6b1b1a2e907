"""The figures of judges in captions: how they are measured and kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.core.types import Case
from arena.training.judges import measured as measuring
from judges import measured, registry

CASES = [
    (Case("I have two dogs.", "How many dogs do you have?", "Two."), False),
    (Case("I have two dogs.", "Do you have dogs?", "No, I have none."), True),
    (Case("I live in Rome.", "Where do you live?", "In Rome."), False),
]


def test_precision_and_recall_count_what_is_flagged_at_the_judges_own_threshold() -> None:
    judge = registry.create("lexical", "lexical")
    result = measuring.on(judge, CASES)
    assert (result.n, result.contradictions) == (3, 1)
    assert result.precision == result.recall == result.auc == 1.0
    nothing = measuring.on(judge, [CASES[0], (CASES[2][0], True)])
    assert nothing.precision is None and nothing.recall == 0.0


def test_a_new_revision_is_added_and_sets_without_a_file_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "measured.json"
    file.write_text(json.dumps({"old-1": {}}))
    measuring.write(tmp_path, ["lexical"], file)
    stored = json.loads(file.read_text())
    revision = registry.create("lexical", "lexical").revision
    assert set(stored) == {"old-1", revision}
    assert set(stored[revision]) == {"answers of language models", "everyday answers"}
    assert "pairs of DECODE: left out" in capsys.readouterr().err


def test_the_answers_of_language_models_are_those_on_which_two_readers_agree(tmp_path: Path) -> None:
    labelled = measuring.of_models(tmp_path)
    assert (len(labelled), sum(wrong for _, wrong in labelled)) == (367, 52)  # as docs/case-study.md says
    assert all(case.source and case.question and case.answer for case, _ in labelled)


def test_the_shipped_judge_has_figures_for_captions() -> None:
    """After new weights: python -m arena.training.judges.measured --data DIR."""
    figures = measured.measured(registry.create("nli", "nli").revision)
    assert {"answers of language models", "everyday answers"} <= set(figures)
    assert all(0 <= one.recall <= 1 and one.n > 100 for one in figures.values())
