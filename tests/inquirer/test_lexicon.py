"""Which words people write, which they use of what they see, and which are names."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from arena.training.inquirer import lexicon
from inquirer.language.words import is_named, is_pictured, is_written


@pytest.mark.parametrize("word", ["guitar", "park", "dogs", "pastries"])
def test_what_can_be_seen_is_pictured(word: str) -> None:
    assert is_written(word) and is_pictured(word)


@pytest.mark.parametrize("word", ["mindset", "idea", "compassion", "misunderstanding"])
def test_what_cannot_is_only_written(word: str) -> None:
    assert is_written(word) and not is_pictured(word)


def test_a_slip_is_no_word_and_a_name_no_common_one() -> None:
    assert not is_written("glitterin") and not is_written("mabubekwa")
    assert is_named("katrina") and is_named("ohio")
    assert not is_named("awesome") and not is_named("dear")


def test_a_text_counts_once_for_each_of_its_words() -> None:
    assert lexicon.count(["a dog, a Dog!", "a dog, a Dog!", "the dog"]) == {"a": 1, "dog": 2, "the": 1}


def test_names_are_told_by_capitals_within_sentences() -> None:
    text = [
        "we met Anna there",
        "i like Anna, too",
        "so Anna came",
        "Bread is good",
        "we eat bread",
        "i like bread",
    ]
    assert lexicon.names([*text, "the bread here"]) == ["anna"]


def test_it_is_counted_from_descriptions_against_other_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "nli").mkdir()
    for name in (*lexicon.PICTURES, *lexicon.OTHERS):
        answers = "dog" if name in lexicon.PICTURES else "idea"
        rows = [f"the {answers} number {k}\tit has a {answers} of {k} then\tneutral" for k in range(6)]
        (tmp_path / "nli" / f"{name}.tsv").write_text("\n".join(["premise\thypothesis\tlabel", *rows]))
    lexicon.main(["--data", str(tmp_path), "--out", str(tmp_path / "made.json.gz")])
    document = json.loads(gzip.decompress((tmp_path / "made.json.gz").read_bytes()))
    assert {"dog", "idea", "the"} <= set(document["written"].split())
    assert "dog" in document["pictured"].split() and "idea" not in document["pictured"].split()
    assert json.loads(capsys.readouterr().out)["written"] == len(document["written"].split())
