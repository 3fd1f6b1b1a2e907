"""The second score of questions: what is read, and that a score depends on its utterance alone."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
import torch
from safetensors.numpy import load_file

from arena.core.errors import InputError
from arena.core.types import Kind, Question
from arena.training.inquirer import encoded_score as training
from arena.training.inquirer import pool
from bots.encoders import encoder
from inquirer import encoded_score
from inquirer.build import build, revision
from inquirer.questions import rules

KINDS = [Kind.WH, Kind.YES_NO_TRUE]
SAID = [
    "i have two dogs and i moved to ohio in 2010",
    "I play the red cargo bike every day, and I like it.",
    "my name is sam and i work as a nurse in a small town",
    "i live in [SEP] boston [PAD] with my [CLS] wife",
    "As a digital assistant I have many dreams. I have a favorite color, it is blue.",
    "I play the red cargo bike \ud800 every day, " + "and I like it a lot, " * 60,
    "i own a house . i drive a truck . i used to be a lawyer",
]


def questions(said: list[str], encoder: bool = True, kinds: list[Kind] = KINDS) -> list[tuple[Question, ...]]:
    parts = {"entities": "rules", "questions": {"use": "rules", "encoder": encoder}, "min_score": 0}
    return [report.questions for report in asyncio.run(build(parts).inquire(said, kinds))]


def test_a_score_does_not_depend_on_the_other_utterances_of_a_batch() -> None:
    together = questions(SAID)
    assert together == [questions([said])[0] for said in SAID]
    assert together == questions(SAID[::-1])[::-1]


def test_only_doubtful_questions_of_rated_kinds_get_another_score() -> None:
    kinds = [*KINDS, Kind.YES_NO_FALSE, Kind.PARAPHRASE]
    first = {(q.text, q.kind): q.score for asked in questions(SAID, False, kinds) for q in asked}
    changed = 0
    for asked in questions(SAID, True, kinds):
        for question in asked:
            before = first[question.text, question.kind]
            if question.kind in (Kind.YES_NO_FALSE, Kind.PARAPHRASE):
                assert question.score == before
            if not encoded_score.LEAST <= before < encoded_score.CERTAIN:
                assert question.score == before
            changed += question.score != before
    assert changed >= 5


def test_facts_with_several_right_answers_are_read_if_no_yes_no_question_may_be_asked() -> None:
    first, read, beside_yes_no = (
        {q.text: q.score for asked in found for q in asked if q.kind is Kind.WH and q.single_answer is False}
        for found in (questions(SAID, False), questions(SAID, True, [Kind.WH]), questions(SAID))
    )
    assert first == beside_yes_no
    assert first != read


@pytest.mark.parametrize("packs", [True, False])
def test_packed_layers_multiply_as_the_plain_ones_do(packs: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(layer: torch.nn.Linear) -> torch.nn.Module:
        raise RuntimeError("oneDNN is not in this torch")

    if not packs:
        monkeypatch.setattr(encoder, "Packed", refused)
    layers = torch.nn.Sequential(torch.nn.Linear(384, 1536), torch.nn.GELU(), torch.nn.Linear(1536, 384))
    x = torch.randn(2, 30, 384)
    with torch.inference_mode():
        before = layers(x)
        encoder.pack(layers)
        assert torch.allclose(layers(x), before, atol=1e-4)
    if packs and torch.backends.mkldnn.is_available():
        assert isinstance(layers[0], encoder.Packed)
    elif not packs:
        assert isinstance(layers[2], torch.nn.Linear)


def test_questions_are_read_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []
    plain = encoder.Encoder.forward

    def counting(self: encoder.Encoder, *inputs: torch.Tensor) -> torch.Tensor:
        threads.append(torch.get_num_threads())
        return plain(self, *inputs)

    monkeypatch.setattr(encoder.Encoder, "forward", counting)
    before = torch.get_num_threads()
    encoded_score.encoded([("i like it", "Do you like it?", "like")])
    assert threads == [1]
    assert torch.get_num_threads() == before


def test_the_encoder_is_part_of_the_revision() -> None:
    without = {"questions": {"use": "rules", "encoder": False}}
    assert revision() != revision(without)
    assert encoded_score.revision() in rules.create({}).revision
    with pytest.raises(InputError, match="true or false"):
        rules.create({"encoder": "yes"})


def test_without_the_base_the_writer_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    monkeypatch.setattr(encoded_score, "BASE", "all-mpnet-base-v2")  # this base is in no installed package
    works, sentence = rules.create.available()
    assert not works and "arena models fetch" in sentence
    assert rules.create.available({"encoder": False})[0]


def test_the_fit_learns_what_the_first_score_cannot_know(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Readers call questions about Europe inappropriate; no feature of the grammar tells these cities apart."""
    cities = {
        "Boston": 1,
        "Chicago": 1,
        "Denver": 1,
        "Dallas": 1,
        "Paris": 0,
        "London": 0,
        "Berlin": 0,
        "Rome": 0,
    }
    clauses = ("I live in", "I work in", "I study in", "My dad lives in", "I was born in", "We live in")
    texts = [f"{clause} {city}" for clause in clauses for city in cities]
    rows = [row for some in pool.rows("test", texts) for row in some]
    (tmp_path / "pool.jsonl").write_text("".join(json.dumps(row.facts()) + "\n" for row in rows))
    grades = (f"{row.id}\t{cities[row.message.split()[-1]]}\t1\n" for row in rows)
    (tmp_path / "sheet.tsv").write_text("id\tappropriate\tsingle\n" + "".join(grades))
    out = tmp_path / "weights.safetensors"
    training.main(["--pool", str(tmp_path / "pool.jsonl"), "--readings", str(tmp_path), "--out", str(out)])
    shown = json.loads(capsys.readouterr().out)
    first, joint = (shown[f"all, {name}"]["any question"] for name in ("first score", "with the encoder"))
    assert joint > max(first, 0.8)
    assert out.stat().st_mode & 0o044
    assert set(load_file(out)) == {"states", "first", "intercept"}
