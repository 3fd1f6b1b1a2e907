"""Scores questions a second time, with a small encoder that reads clause, question and answer.

The encoder is the unchanged base of the small judge, up to its third layer. Only the weights of a linear layer on
its states are trained: `arena.training.inquirer.encoded_score` fits them on questions that people rated. They are in
`weights/encoded-score.safetensors`.
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.core.types import Kind, Question

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]

BASE = "all-minilm-l6-v2"
WEIGHTS = Path(__file__).parent / "weights" / "encoded-score.safetensors"
LAYERS = 3
LONGEST = 64  # tokens of the clause, of the question and of the answer
LETTERS = 400  # characters of each that are cut into tokens
MOST = 32  # questions of an utterance that are read, from the best on
LEAST, CERTAIN = 0.3, 0.97  # first scores between which a question is read; others are clear without it
JUDGED = (Kind.WH, Kind.ASK_TWICE, Kind.YES_NO_TRUE)  # the kinds of questions that people rated
DIGITS = 3  # fewer than a processor's rounding can change
_LOADING = threading.Lock()

Texts = tuple[str, str, str]


def rescored(utterance: str, questions: Sequence[Question], kinds: Sequence[Kind]) -> list[Question]:
    """Returns the questions with better scores.

    All questions of an utterance are read together, and no others, so that a score depends on the utterance and the
    wanted kinds alone. To save time, questions keep their first score if it is clear, or if they are hardly ever asked.
    """
    judged = [q for q in questions if q.kind in JUDGED and LEAST <= q.score < CERTAIN]
    if Kind.YES_NO_TRUE in kinds:  # it is preferred to a question with several right answers
        judged = [q for q in judged if q.kind is Kind.YES_NO_TRUE or q.single_answer is not False]
    read = list(dict.fromkeys(texts(utterance, q) for q in judged))[:MOST]
    if not read:
        return list(questions)
    weights, first_weight, intercept = _model()
    states = zip(read, encoded(read), strict=True)
    added = {text: intercept + float(weights @ state) for text, state in states}
    scores = {}
    for question in judged:
        text = texts(utterance, question)
        if text in added:
            total = added[text] + first_weight * logit(question.score)
            scores[id(question)] = round(1 / (1 + math.exp(-total)), DIGITS)
    return [replace(q, score=scores.get(id(q), q.score)) for q in questions]


def texts(utterance: str, question: Question) -> Texts:
    """Returns what the encoder reads: the clause, the question and the answer, without broken characters."""
    start, end = question.clause or (0, len(utterance))
    whole = (utterance[start:end], question.text, question.entity.text)
    clause, asked, answer = (text[:LETTERS].encode("utf-8", "replace").decode() for text in whole)
    return clause, asked, answer


def logit(chance: float) -> float:
    safe = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(safe / (1 - safe))


def encoded(rows: Sequence[Texts]) -> Array:
    """Returns one row per text: the state of the first token, and the mean states of clause, question and answer."""
    import torch

    from bots.encoders.bases import MINILM

    with _LOADING:
        encoder, reader = _encoder()
    flat = [text for row in rows for text in row]
    parts = [read.ids[:LONGEST] for read in reader.encode_batch_fast(flat, add_special_tokens=False)]
    triples = list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))
    length = max(sum(len(part) for part in triple) for triple in triples) + 4
    ids = torch.full((len(rows), length), MINILM.pad)
    # 0, 1, 2: clause, question, answer; 3: first token; 4: separator
    places = torch.full((len(rows), length), -1)
    for row, triple in enumerate(triples):
        line, of = [MINILM.cls], [3]
        for number, part in enumerate(triple):
            line += [*part, MINILM.sep]
            of += [*[number] * len(part), 4]
        ids[row, : len(line)], places[row, : len(line)] = torch.tensor(line), torch.tensor(of)
    segments = ((places == 4).cumsum(1) - (places == 4).int() > 0).long()
    with torch.inference_mode():
        states = encoder(ids, segments, places >= 0)
        means = [states[:, 0]]
        for number in range(3):
            part = (places == number).to(states.dtype)[:, :, None]
            means.append((states * part).sum(1) / part.sum(1).clamp_min(1))
        result: Array = torch.cat(means, dim=1).double().numpy()
    return result


def revision() -> str:
    """Returns a revision that changes with the weights."""
    return hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()[:8]


@cache
def _encoder() -> tuple[Any, Any]:
    """Returns the encoder and its tokenizer."""
    from bots.encoders.bases import MINILM, tokenizer
    from bots.encoders.encoder import Encoder

    encoder = Encoder(replace(MINILM, layers=LAYERS))
    encoder.start_from_base()
    return encoder.eval().requires_grad_(False), tokenizer(MINILM.folder())


@cache
def _model() -> tuple[Array, float, float]:
    """Returns the weights of the states, the weight of the first score, and the intercept."""
    from safetensors.numpy import load_file

    stored = load_file(WEIGHTS)
    return stored["states"].astype("float64"), float(stored["first"][0]), float(stored["intercept"][0])
