"""The shipped judges of text pairs, a large and a small one: three calibrated class probabilities, made on a CPU.

`hypothesis(question, answer)` is how it wants to read an answer; the premise is the utterance the question is about.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from judges.base import CLASSES, WEIGHTS
from judges.wording import hypothesis

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CLASSES", "EmbeddedScorer", "embedded", "hypothesis"]

_CODE = "1"
"""Raised whenever the same weights would give other probabilities: part of the revision, so of every cache key."""
_LONGEST = 256
_BATCH_TOKENS = 2048
Size = Literal["large", "small"]


def weights(size: Size) -> Path:
    """The shipped file."""
    return WEIGHTS / size / "judge.safetensors"


class EmbeddedScorer:
    """Scores (premise, hypothesis) pairs. One instance serves any number of threads."""

    def __init__(self, path: Path) -> None:
        import torch

        from judges import bases, packing, tokens
        from judges.encoder import merge
        from judges.network import JudgeNetwork

        about = packing.metadata(path)
        base = bases.BASES[about.get("base", bases.MINILM.name)]
        network = JudgeNetwork(base, int(about.get("rank", "0")), about.get("topic") == "yes")
        facts = packing.load(path, network)
        merge(network)
        self.told = about.get("told") == "yes"
        """Whether it was trained on how many right answers a question has."""
        self.revision = f"embedded-{_CODE}-{facts['revision']}"
        self.topical = about.get("topic") == "yes"
        """Whether it was trained on which answers keep to their question."""
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

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Probabilities of entailment, neutral and contradiction: a row per pair, in the order given."""
        return self.scores(pairs)[0]

    def scores(
        self, pairs: Sequence[tuple[str, str]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """The same, and the probability that the answer keeps to its question, if the weights know of that."""
        import numpy as np

        classes = np.zeros((len(pairs), 3), dtype=np.float32)
        topics = np.zeros(len(pairs), dtype=np.float32) if self.topical else None
        read = self._tokens.encode(pairs, _LONGEST, base=self.base)
        with self._torch.inference_mode():
            for batch in self._tokens.batches([len(row.ids) for row in read], _BATCH_TOKENS):
                rows = [read[index] for index in batch]
                logits = self._network(*self._tokens.tensors(rows, self.base)).float()
                classes[batch] = (logits[:, :3] / self.temperature).softmax(1).numpy()
                if topics is not None:
                    topics[batch] = (logits[:, 3] / self.topic_temperature).sigmoid().numpy()
        return classes, topics


_LOADING = threading.Lock()


@functools.cache
def _shared(size: Size) -> EmbeddedScorer:
    return EmbeddedScorer(weights(size))


def embedded(size: Size = "large") -> EmbeddedScorer:
    """The one shipped scorer of that size in this process, loaded at the first call."""
    with _LOADING:
        return _shared(size)
