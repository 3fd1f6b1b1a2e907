"""The two networks on the encoder: one classifies a pair, the other finds the span that answers a question."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from bots.encoders.bases import MINILM, Base
from bots.encoders.encoder import Encoder


class JudgeNetwork(nn.Module):  # type: ignore[misc]
    """Maps (premise, hypothesis) to the logits of entailment, neutral and contradiction.

    With `topic`, there is a fourth logit: that the answer keeps to its question.
    """

    def __init__(self, base: Base = MINILM, rank: int = 0, topic: bool = False) -> None:
        super().__init__()
        self.encoder = Encoder(base, rank)
        self.join = nn.Linear(3 * base.width, base.width)
        self.classes = nn.Linear(base.width, 4 if topic else 3)

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        states = self.encoder(ids, segments, mask)
        second = (segments * mask).to(states.dtype)[:, :, None]
        first = mask.to(states.dtype)[:, :, None] - second
        means = [(states * part).sum(1) / part.sum(1).clamp_min(1) for part in (first, second)]
        pooled = torch.cat([states[:, 0], *means], dim=1)
        return self.classes(torch.tanh(self.join(pooled)))


class ReaderNetwork(nn.Module):  # type: ignore[misc]
    """Maps (question, context) to the logits of the first and the last token of the answer.

    Position 0 stands for no answer.
    """

    def __init__(self, base: Base = MINILM, rank: int = 0) -> None:
        super().__init__()
        self.encoder = Encoder(base, rank)
        self.ends = nn.Linear(base.width, 2)

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        logits = self.ends(self.encoder(ids, segments, mask)).float()
        allowed = (segments * mask).bool()
        allowed = allowed & torch.cat(
            [allowed[:, 1:], torch.zeros_like(allowed[:, :1])], dim=1
        )  # not the last separator
        allowed[:, 0] = True
        return logits.masked_fill(~allowed[:, :, None], -1e4)
