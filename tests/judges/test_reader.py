"""The shipped reader: spans that are really there, none where there is none."""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import torch

from arena.core.errors import InputError
from arena.training.judges.evaluate_reader import exact, f1
from arena.training.judges.reader import Reading, places, spoken
from arena.training.judges.reading import questions, shortened, swapped
from arena.training.judges.triples import Generator
from bots.encoders import tokens
from judges import packing
from judges.base import WEIGHTS
from judges.reader import Reader, Span, create, embedded


@pytest.fixture(scope="module")
def reader() -> Reader:
    return embedded()


@pytest.mark.parametrize(
    ("question", "context", "answer"),
    [
        ("How many kids do you have?", "I have two kids.", "two"),
        ("Where do you live?", "I live in Boston with my wife.", "Boston"),
        ("What is your dog's name?", "Hi! My dog's name is Rex. What about you?", "Rex"),
        ("When was the bridge built?", "The bridge was built in 1932 by the city.", "1932"),
        ("Who wrote the book?", "The book was written by Jane Austen in 1813.", "Jane Austen"),
    ],
)
def test_short_texts_are_read(reader: Reader, question: str, context: str, answer: str) -> None:
    [span] = reader.read([(question, context)])
    assert span is not None and f1(span.text, answer) >= 0.6
    assert context[span.start : span.end] == span.text and 0.5 <= span.score <= 1


@pytest.mark.parametrize(
    ("question", "context"),
    [
        ("How many kids do you have?", "The train to Oslo was late again."),
        ("Who wrote the book?", "I love long walks on the beach."),
        ("When was the bridge built?", "Cats sleep most of the day."),
        ("", "I have two kids."),
        ("How many kids do you have?", "  "),
    ],
)
def test_there_may_be_no_answer(reader: Reader, question: str, context: str) -> None:
    assert reader.read([(question, context)]) == [None]


def test_a_long_text_is_read_in_parts(reader: Reader) -> None:
    filler = "The meeting went on and on without any result, and everybody was tired. " * 60
    context = filler + "The treasure was hidden in Lisbon by a sailor. " + filler
    [span] = reader.read([("Where was the treasure hidden?", context)])
    assert span is not None and span.text.startswith("Lisbon") and context[span.start : span.end] == span.text


def test_batches_and_threads_change_nothing(reader: Reader) -> None:
    cases = [(case.question, case.context) for case in spoken(Generator(random.Random(4), held=True), 60)]
    whole = reader.read(cases)
    assert len(whole) == 60 and all(span is None or isinstance(span, Span) for span in whole)
    with ThreadPoolExecutor(3) as pool:
        parts = [
            span for part in pool.map(reader.read, [cases[:20], cases[20:40], cases[40:]]) for span in part
        ]
    same = [
        a is b is None or (a is not None and b is not None and a.text == b.text)
        for a, b in zip(whole, parts, strict=True)
    ]
    assert sum(same) >= 58
    assert reader.read([]) == []


def test_the_weights_are_small_and_described(reader: Reader) -> None:
    path = WEIGHTS / "reader" / "reader.safetensors"
    assert path.stat().st_size < 12_000_000 and (path.parent / "README.md").is_file()
    assert reader.revision.startswith("reader-")


def test_the_entry_point_refuses_unknown_settings(tmp_path: Path) -> None:
    assert create({}) is embedded()
    with pytest.raises(InputError, match="colour"):
        create({"colour": "red"})
    with pytest.raises(packing.WeightsMissing):
        create({"weights": str(tmp_path / "none.safetensors")})


def test_training_marks_the_tokens_of_the_answer() -> None:
    case = Reading("Where is it?", "It is in New Zealand now.", "New Zealand", 9)
    [read] = tokens.encode([(case.question, case.context)], 64, offsets=True)
    result = places(case, read)
    assert result is not None
    first, last = (read.offsets[place - read.first] for place in result)
    assert case.context[first[0] : last[1]] == "New Zealand"
    assert places(Reading("Where is it?", "It is here.", "", 0), read) == (0, 0)
    [few] = tokens.encode([(case.question, case.context)], 9, offsets=True)
    assert places(case, few) is None


def test_answers_are_compared_as_squad_does() -> None:
    assert exact("The  Red house!", "red house") and f1("a red house", "red door") == 0.5
    assert f1("", "") == 1.0 and f1("", "x") == 0.0


def test_held_out_texts(reader: Reader, arena_data: Path) -> None:
    rows = random.Random(3).sample(
        questions(arena_data, None, held=True, names=["squadshifts_new_wiki"]), 150
    )
    single = [shortened(row) for row in rows]
    spans = reader.read([(row.question, row.context) for row in single])
    assert (
        sum(f1(span.text if span else "", row.answer) for span, row in zip(spans, single, strict=True)) / 150
        >= 0.70
    )
    away = reader.read(swapped(rows, random.Random(1)))
    assert sum(span is None for span in away) / len(away) >= 0.78


@pytest.mark.slow
def test_held_out_paragraphs(reader: Reader, arena_data: Path) -> None:
    rows = questions(arena_data, None, held=True, names=["squadshifts_new_wiki"])
    spans = reader.read([(row.question, row.context) for row in rows])
    assert (
        sum(f1(span.text if span else "", row.answer) for span, row in zip(spans, rows, strict=True))
        / len(rows)
        >= 0.65
    )


@pytest.mark.parametrize("words", [1, 2, 4, 9])
def test_the_span_that_shares_most_with_the_likely_ones_is_read(reader: Reader, words: int) -> None:
    """Against loops over all spans of the text; a question's tokens, [CLS] and [SEP] are never part of one."""
    generator = torch.Generator().manual_seed(words)
    first, length = 5, 5 + words + 1  # the question with its marks, the text, [SEP]
    for _ in range(20):
        logits = 2 * torch.randn(1, length, 2, generator=generator)
        outside = [place for place in range(1, length) if not first <= place < first + words]
        logits[:, outside] = -1e4
        ((margin, start, end),) = reader._best(logits)
        scores = {
            (a, b): float(logits[0, a, 0] + logits[0, b, 1])
            for a in range(first, first + words)
            for b in range(a, first + words)
        }
        likely = dict(sorted(scores.items(), key=lambda one: -one[1])[:20])
        weights = {span: math.exp(score - max(likely.values())) for span, score in likely.items()}

        def shared(one: tuple[int, int], weights: dict[tuple[int, int], float] = weights) -> float:
            places = set(range(one[0], one[1] + 1))
            return sum(
                weight * 2 * len(places & set(range(a, b + 1))) / (len(places) + b - a + 1)
                for (a, b), weight in weights.items()
            )

        assert first <= start <= end < first + words
        assert shared((start, end)) == pytest.approx(max(map(shared, likely)))
        none = float(logits[0, 0].sum())
        assert margin == pytest.approx(max(likely.values()) - none, abs=1e-4)
