"""The shipped judge of text pairs: three calibrated class probabilities, many pairs a second on a CPU.

`hypothesis(question, answer)` is how it wants to read an answer; the premise is the utterance the question is about.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from judges.wording import hypothesis

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CLASSES", "EmbeddedScorer", "embedded", "hypothesis"]

CLASSES = ("entailment", "neutral", "contradiction")
_CODE = "1"
"""Raised whenever the same weights would give other probabilities: part of the revision, so of every cache key."""
_LONGEST = 256
_BATCH_TOKENS = 2048


class EmbeddedScorer:
    """Scores (premise, hypothesis) pairs. One instance serves any number of threads."""

    def __init__(self, path: Path | None = None) -> None:
        import torch

        from judges import encoder
        from judges.network import JudgeNetwork

        network = JudgeNetwork()
        facts = encoder.load(path or encoder.WEIGHTS / "judge" / "judge.safetensors", network)
        self.revision = f"embedded-{_CODE}-{facts['revision']}"
        self.temperature = float(facts["temperature"])
        self.tau = float(facts.get("tau", "0.5"))
        self._network = network.to(encoder.fast_type()).eval()
        for parameter in self._network.parameters():
            parameter.requires_grad_(False)
        self._torch = torch
        self._encoder = encoder

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Probabilities of entailment, neutral and contradiction, a row a pair, in the order given."""
        import numpy as np

        found = np.zeros((len(pairs), 3), dtype=np.float32)
        read = self._encoder.encode(pairs, _LONGEST)
        with self._torch.inference_mode():
            for batch in self._encoder.batches([len(tokens.ids) for tokens in read], _BATCH_TOKENS):
                logits = self._network(*self._encoder.tensors([read[index] for index in batch]))
                found[batch] = (logits.float() / self.temperature).softmax(1).numpy()
        return found


_LOADING = threading.Lock()


@functools.cache
def _shared() -> EmbeddedScorer:
    return EmbeddedScorer()


def embedded() -> EmbeddedScorer:
    """The one shipped scorer of this process, loaded at the first call."""
    with _LOADING:
        return _shared()
