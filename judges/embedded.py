"""The shipped judges of text pairs: a large encoder, a small encoder, and the average of both.

They give calibrated probabilities of three classes, on a CPU. The premise is the utterance that the question is about.
The hypothesis is the answer in the form of `hypothesis(question, answer)`.
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
"""Version of the code, increased whenever the same weights would give other probabilities.

It is part of the revision, and therefore of every cache key.
"""
_LONGEST = 256
Size = Literal["large", "small"]
Model = Literal["both", "large", "small"]
TOGETHER = WEIGHTS / "together.json"
"""The file with the weights, temperature and τ of the average, and the revisions to which they were fitted."""


def weights(size: Size) -> Path:
    """The path of the shipped weights of that size."""
    return WEIGHTS / size / "judge.safetensors"


class PairScorer(ABC):
    """Scores (premise, hypothesis) pairs. An instance can be shared by any number of threads."""

    revision: str
    told: bool
    """Whether the model was trained on inputs that state how many right answers a question has."""
    topical: bool
    """Whether the model was trained to predict that an answer keeps to its question."""
    temperature: float
    topic_temperature: float
    tau: float
    statement_shift: float = 0.0
    """Added to the log odds of a contradiction where there is no question. The threshold then fits pairs of
    statements, too.
    """

    @abstractmethod
    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the logits of entailment, neutral and contradiction.

        Topical models have a fourth logit: that the answer keeps to its question.
        """

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Return the probabilities of entailment, neutral and contradiction: one row per pair, in the given order."""
        return self.scores(pairs)[0]

    def scores(
        self, pairs: Sequence[tuple[str, str]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Return the rows of `score`, and for topical models the probability that each answer keeps to its question.

        The second value is None for models that are not topical.
        """
        import numpy as np

        logits = self.logits(pairs)
        powers = logits[:, :3] / self.temperature
        powers = np.exp(powers - powers.max(1, keepdims=True, initial=-np.inf))
        classes = powers / powers.sum(1, keepdims=True)
        if not self.topical:
            return classes, None
        return classes, 1 / (1 + np.exp(-logits[:, 3] / self.topic_temperature))


class EmbeddedScorer(PairScorer):
    """A scorer with a single trained model."""

    def __init__(self, path: Path) -> None:
        from bots.encoders import bases, cores, tokens
        from bots.encoders.encoder import merge
        from judges import packing
        from judges.network import JudgeNetwork

        about = packing.metadata(path)
        base = bases.BASES[about.get("base", bases.MINILM.name)]
        network = JudgeNetwork(base, int(about.get("rank", "0")), about.get("topic") == "yes")
        facts = packing.load(path, network)
        merge(network)
        self.told = about.get("told") == "yes"
        self.revision = f"embedded-{_CODE}-{facts['revision']}"
        self.topical = about.get("topic") == "yes"
        self.temperature = float(facts["temperature"])
        self.topic_temperature = float(facts.get("topic_temperature", "1.0"))
        self.tau = float(facts.get("tau", "0.5"))
        self.statement_shift = float(facts.get("statement_shift", "0.0"))
        self.path = path
        self._network = network.to(tokens.fast_type()).eval()
        for parameter in self._network.parameters():
            parameter.requires_grad_(False)
        self.base = base
        self._encode, self._in_batches = tokens.encode, cores.in_batches

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        import numpy as np

        rows = np.zeros((len(pairs), 4 if self.topical else 3), dtype=np.float32)
        read = self._encode(pairs, _LONGEST, base=self.base)
        for batch, logits in self._in_batches(read, self.base, self._network):
            rows[batch] = logits.float().numpy()
        return rows


class AveragedScorer(PairScorer):
    """A scorer that averages the logits of several models, by their weights, and has its own temperature and τ.

    Models on different encoders make different errors, so the average makes fewer errors than each of its models.
    """

    def __init__(
        self,
        members: Sequence[PairScorer],
        weights: Sequence[float],
        temperature: float,
        tau: float,
        topic_temperature: float,
        statement_shift: float = 0.0,
    ) -> None:
        self.members, self.weights = tuple(members), tuple(weights)
        self.temperature, self.tau, self.topic_temperature = temperature, tau, topic_temperature
        self.statement_shift = statement_shift
        self.told = all(member.told for member in members)
        self.topical = all(member.topical for member in members)
        parts = [*(member.revision for member in members), *self.weights, temperature, topic_temperature]
        parts += [statement_shift] if statement_shift else []
        self.revision = f"embedded-{_CODE}-{digest(*parts)[:12]}"

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        import numpy as np

        width = 4 if self.topical else 3
        rows = [member.logits(pairs)[:, :width] for member in self.members]
        return np.asarray(np.average(rows, axis=0, weights=self.weights), dtype=np.float32)


def threshold(model: Model) -> float:
    """Return the τ of a shipped scorer, without loading its weights."""
    from judges import packing

    if model == "both":
        return float(json.loads(TOGETHER.read_text(encoding="utf-8"))["tau"])
    return float(packing.metadata(weights(model)).get("tau", "0.5"))


_LOADING = threading.RLock()


@functools.cache
def _single(size: Size) -> EmbeddedScorer:
    return EmbeddedScorer(weights(size))


@functools.cache
def _average() -> AveragedScorer:
    from bots.encoders.bases import WeightsMissing

    facts = json.loads(TOGETHER.read_text(encoding="utf-8"))
    members = (single("large"), single("small"))
    if [member.revision for member in members] != facts["members"]:
        raise WeightsMissing(
            f"The shipped weights are not those that {TOGETHER.name} names: install the package again."
        )
    names = ("temperature", "tau", "topic_temperature", "statement_shift")
    return AveragedScorer(members, facts["weights"], *(facts.get(name, 0.0) for name in names))


def single(size: Size) -> EmbeddedScorer:
    """Return the shipped model of that size, which is loaded once per process at the first call."""
    with _LOADING:
        return _single(size)


def embedded(model: Model = "both") -> PairScorer:
    """Return the shipped scorer of that name, which is loaded once per process at the first call."""
    with _LOADING:
        return _average() if model == "both" else _single(model)
