"""The shipped judges of text pairs: one on a large encoder, one on a small one, and their average.

They give three calibrated class probabilities, on a CPU. `hypothesis(question, answer)` is the form in which
they read an answer; the premise is the utterance that the question is about.
"""

from __future__ import annotations

import functools
import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from arena.core.hashing import digest
from judges.base import CLASSES, WEIGHTS
from judges.wording import hypothesis

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CLASSES", "AveragedScorer", "EmbeddedScorer", "PairScorer", "embedded", "hypothesis", "single"]

_CODE = "1"
"""Raised whenever the same weights would give other probabilities. It is part of the revision, and so of every
cache key.
"""
_LONGEST = 256
_BATCH_TOKENS = 2048
Size = Literal["large", "small"]
Model = Literal["both", "large", "small"]
TOGETHER = WEIGHTS / "together.json"
"""Temperature and τ of the average, and the revisions of the weights that they were fitted for."""


def weights(size: Size) -> Path:
    """The path of the shipped file."""
    return WEIGHTS / size / "judge.safetensors"


class PairScorer(ABC):
    """Scores (premise, hypothesis) pairs. One instance serves any number of threads."""

    revision: str
    told: bool
    """Whether it was trained on how many right answers a question has."""
    topical: bool
    """Whether it was trained on which answers keep to their question."""
    temperature: float
    topic_temperature: float
    tau: float

    @abstractmethod
    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """The logits of entailment, neutral and contradiction, and for topical models of keeping to the question."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Probabilities of entailment, neutral and contradiction: a row per pair, in the order given."""
        return self.scores(pairs)[0]

    def scores(
        self, pairs: Sequence[tuple[str, str]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """The same, and the probability that the answer keeps to its question, if the model was trained on that."""
        import numpy as np

        logits = self.logits(pairs)
        powers = logits[:, :3] / self.temperature
        powers = np.exp(powers - powers.max(1, keepdims=True, initial=-np.inf))
        classes = powers / powers.sum(1, keepdims=True)
        if not self.topical:
            return classes, None
        return classes, 1 / (1 + np.exp(-logits[:, 3] / self.topic_temperature))


class EmbeddedScorer(PairScorer):
    """One trained model."""

    def __init__(self, path: Path) -> None:
        import torch

        from judges import encoder_bases, packing, tokens
        from judges.encoder import merge
        from judges.network import JudgeNetwork

        about = packing.metadata(path)
        base = encoder_bases.BASES[about.get("base", encoder_bases.MINILM.name)]
        network = JudgeNetwork(base, int(about.get("rank", "0")), about.get("topic") == "yes")
        facts = packing.load(path, network)
        merge(network)
        self.told = about.get("told") == "yes"
        self.revision = f"embedded-{_CODE}-{facts['revision']}"
        self.topical = about.get("topic") == "yes"
        self.temperature = float(facts["temperature"])
        self.topic_temperature = float(facts.get("topic_temperature", "1.0"))
        self.tau = float(facts.get("tau", "0.5"))
        self.path = path
        self._network = network.to(tokens.fast_type()).eval()
        for parameter in self._network.parameters():
            parameter.requires_grad_(False)
        self._torch = torch
        self.base = base
        self._tokens = tokens

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        import numpy as np

        rows = np.zeros((len(pairs), 4 if self.topical else 3), dtype=np.float32)
        read = self._tokens.encode(pairs, _LONGEST, base=self.base)
        with self._torch.inference_mode():
            for batch in self._tokens.batches([len(row.ids) for row in read], _BATCH_TOKENS):
                inputs = self._tokens.tensors([read[index] for index in batch], self.base)
                rows[batch] = self._network(*inputs).float().numpy()
        return rows


class AveragedScorer(PairScorer):
    """The mean of several models' logits, with its own temperature and τ.

    Models on different encoders make different errors, so their mean errs less than either.
    """

    def __init__(
        self, members: Sequence[PairScorer], temperature: float, tau: float, topic_temperature: float
    ) -> None:
        self.members = tuple(members)
        self.temperature, self.tau, self.topic_temperature = temperature, tau, topic_temperature
        self.told = all(member.told for member in members)
        self.topical = all(member.topical for member in members)
        parts = [*(member.revision for member in members), temperature, topic_temperature]
        self.revision = f"embedded-{_CODE}-{digest(*parts)[:12]}"

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        import numpy as np

        width = 4 if self.topical else 3
        rows = [member.logits(pairs)[:, :width] for member in self.members]
        return np.asarray(np.mean(rows, axis=0), dtype=np.float32)


_LOADING = threading.RLock()


@functools.cache
def _single(size: Size) -> EmbeddedScorer:
    return EmbeddedScorer(weights(size))


@functools.cache
def _average() -> AveragedScorer:
    from judges.encoder_bases import WeightsMissing

    facts = json.loads(TOGETHER.read_text(encoding="utf-8"))
    members = (single("large"), single("small"))
    if [member.revision for member in members] != facts["members"]:
        raise WeightsMissing(
            f"The shipped weights are not those that {TOGETHER.name} names: install the package again."
        )
    return AveragedScorer(members, facts["temperature"], facts["tau"], facts["topic_temperature"])


def single(size: Size) -> EmbeddedScorer:
    """The shipped model of that size, loaded once per process at the first call."""
    with _LOADING:
        return _single(size)


def embedded(model: Model = "both") -> PairScorer:
    """The shipped scorer of that name, loaded once per process at the first call."""
    with _LOADING:
        return _average() if model == "both" else _single(model)
