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
from inquirer.threads import one_thread

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
    import numpy as np
    import torch

    with _LOADING:
        encoder, reader = _encoder()
    flat = [text for row in rows for text in row]
    parts = [reader.encode(text, add_special_tokens=False).ids[:LONGEST] for text in flat]
    triples = list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))
    lengths = [sum(map(len, triple)) + 4 for triple in triples]
    ids, segments, shares = _inputs(triples, max(lengths))
    mask = np.arange(max(lengths)) < np.array(lengths)[:, None]
    with one_thread(), torch.inference_mode():
        states = encoder(*map(torch.from_numpy, (ids, segments, mask)))
        pooled = torch.from_numpy(shares) @ states
    result: Array = pooled.flatten(1).double().numpy()
    return result


def _inputs(triples: Sequence[Sequence[Sequence[int]]], length: int) -> tuple[Any, Any, Any]:
    """Returns tokens, segments, and each token's share in the states of first token, clause, question and answer."""
    import numpy as np

    from bots.encoders.bases import MINILM

    ids = np.full((len(triples), length), MINILM.pad)
    segments = np.ones((len(triples), length), dtype=np.int64)
    shares = np.zeros((len(triples), 4, length), dtype=np.float32)
    shares[:, 0, 0] = 1
    for row, triple in enumerate(triples):
        line = [MINILM.cls]
        for number, part in enumerate(triple, start=1):
            shares[row, number, len(line) : len(line) + len(part)] = 1 / max(len(part), 1)
            line += [*part, MINILM.sep]
        ids[row, : len(line)] = line
        segments[row, : len(triple[0]) + 2] = 0
    return ids, segments, shares


def revision() -> str:
    """Returns a revision that changes with the weights."""
    return hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()[:8]


@cache
def _encoder() -> tuple[Any, Any]:
    """Returns the encoder and its tokenizer."""
    from bots.encoders.bases import MINILM, tokenizer
    from bots.encoders.encoder import Encoder, pack

    encoder = Encoder(replace(MINILM, layers=LAYERS))
    encoder.start_from_base()
    encoder.eval().requires_grad_(False)
    pack(encoder)
    return encoder, tokenizer(MINILM.folder())


@cache
def _model() -> tuple[Array, float, float]:
    """Returns the weights of the states, the weight of the first score, and the intercept."""
    from safetensors.numpy import load_file

    stored = load_file(WEIGHTS)
    return stored["states"].astype("float64"), float(stored["first"][0]), float(stored["intercept"][0])
