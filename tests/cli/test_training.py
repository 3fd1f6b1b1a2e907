"""Training by command, on next to nothing: what comes out is a judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import app


@pytest.mark.slow
def test_a_judge_is_trained_and_judges(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "out"
    (data / "nli").mkdir(parents=True)
    rows = ["premise\thypothesis\tlabel"]
    for n in range(40):
        label = ("entailment", "neutral", "contradiction")[n % 3]
        rows.append(f"There are {n} boats in the old harbour.\tBoat number {n} is red and large.\t{label}")
    (data / "nli" / "snli_dev.tsv").write_text("\n".join(rows) + "\n")
    run = CliRunner()
    trained = run.invoke(app, ["train", "judge", "--data", str(data), "--out", str(out), "--steps", "4"])
    assert trained.exception is None, trained.output
    text = [
        "judges",
        "try",
        "I have two kids.",
        "How many?",
        "Three.",
        "--judge",
        f"nli:{out}/judge.safetensors",
        "--json",
    ]
    document = json.loads(run.invoke(app, text).stdout)
    assert 0.0 <= document["contradiction"] <= 1.0
    assert sum(document["classes"].values()) == pytest.approx(1.0, abs=1e-3)


def test_without_data_training_says_what_is_missing(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app, ["train", "judge", "--data", str(tmp_path), "--out", str(tmp_path / "out")]
    )
    assert "none of the judge's training files" in str(result.exception)
