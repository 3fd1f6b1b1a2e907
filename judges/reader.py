"""The shipped reader: it finds the words of a text that answer a question, if there are any."""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inquirer.base import Part

if TYPE_CHECKING:
    from torch import Tensor

    from bots.encoders.tokens import Tokens

_CODE = "2"
_LONGEST = 320
_QUESTION = 64
_OVERLAP = 96
_ANSWER = 30
_LIKELY = 20


@dataclass(frozen=True)
class Span:
    """An answer as it stands in the context; `score` (0 to 1) is the reader's confidence in it."""

    text: str
    start: int
    end: int
    score: float


class Reader:
    """Answers questions from texts. An instance can be shared by any number of threads."""

    def __init__(self, path: Path | None = None) -> None:
        import torch

        from bots.encoders import bases, cores, tokens
        from bots.encoders.encoder import merge
        from judges import packing
        from judges.base import WEIGHTS
        from judges.network import ReaderNetwork

        path = path or WEIGHTS / "reader" / "reader.safetensors"
        about = packing.metadata(path)
        base = bases.BASES[about.get("base", bases.MINILM.name)]
        network = ReaderNetwork(base, int(about.get("rank", "0")))
        facts = packing.load(path, network)
        merge(network)
        self.revision = f"reader-{_CODE}-{facts['revision']}"
        self._none = float(facts.get("none", "0"))
        self._network = network.to(tokens.fast_type()).eval()
        for parameter in self._network.parameters():
            parameter.requires_grad_(False)
        self._torch = torch
        self._in_batches = cores.in_batches

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span | None]:
        """For each (question, context), return the span that answers the question, or None."""
        best = self._best_spans(pairs)
        return [self._span(pairs[index][1], best.get(index)) for index in range(len(pairs))]

    def margins(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each pair, return how far the logit of the best span exceeds that of no answer.

        The span counts as an answer if the margin exceeds a bound that is stored with the weights.
        """
        best = self._best_spans(pairs)
        return [best[index][0] if index in best else -math.inf for index in range(len(pairs))]

    def _best_spans(self, pairs: Sequence[tuple[str, str]]) -> dict[int, tuple[float, int, int]]:
        """For each pair without empty texts, return the margin and the position of the best span."""
        windows, owners = self._all_windows(pairs)
        best: dict[int, tuple[float, int, int]] = {}
        base = self._network.encoder.base
        for batch, spans in self._in_batches(windows, base, self._read_batch):
            for index, (margin, first, last) in zip(batch, spans, strict=True):
                tokens = windows[index]
                start = tokens.offsets[first - tokens.first][0]
                end = tokens.offsets[last - tokens.first][1]
                best[owners[index]] = max(best.get(owners[index], (-1e9, 0, 0)), (margin, start, end))
        return best

    def _read_batch(self, ids: Tensor, segments: Tensor, mask: Tensor) -> list[tuple[float, int, int]]:
        return self._best(self._network(ids, segments, mask))

    def _all_windows(self, pairs: Sequence[tuple[str, str]]) -> tuple[list[Tokens], list[int]]:
        """Return the windows of all pairs without empty texts, and for each window the index of its pair."""
        from bots.encoders.bases import tokenizer

        asked = [index for index, pair in enumerate(pairs) if pair[0].strip() and pair[1].strip()]
        texts = list(dict.fromkeys(text for index in asked for text in pairs[index]))
        encoded = tokenizer(self._network.encoder.base.folder()).encode_batch(texts, add_special_tokens=False)
        known = {text: (one.ids, one.offsets) for text, one in zip(texts, encoded, strict=True)}
        windows: list[Tokens] = []
        owners: list[int] = []
        for index in asked:
            question, context = pairs[index]
            own = self._windows(known[question][0], *known[context])
            windows += own
            owners += [index] * len(own)
        return windows, owners

    def _windows(self, asked: list[int], ids: list[int], offsets: list[tuple[int, int]]) -> list[Tokens]:
        """Split a long context into overlapping parts, so that an answer at a boundary stays whole."""
        from bots.encoders.tokens import Tokens

        base = self._network.encoder.base
        head = [base.cls, *asked[:_QUESTION], *[base.sep] * base.separators]
        room = _LONGEST - len(head) - 1
        result = []
        for start in range(0, max(1, len(ids) - _OVERLAP), room - _OVERLAP):
            part = slice(start, start + room)
            if ids[part]:
                result.append(Tokens([*head, *ids[part], base.sep], len(head), offsets[part]))
        return result

    def _best(self, logits: Tensor) -> list[tuple[float, int, int]]:
        """For each row of logits, return the best span, and its margin over no answer.

        The best span is the one that overlaps most with all likely spans. The margin is that of the likeliest span.
        """
        torch = self._torch
        starts, ends = logits[:, :, 0], logits[:, :, 1]
        length = logits.shape[1]
        sums = starts[:, :, None] + ends[:, None, :]
        places = torch.arange(length)
        reach = places[None, :] - places[:, None]
        allowed = (reach >= 0) & (reach < _ANSWER) & (places[:, None] > 0)
        sums = sums.masked_fill(~allowed, -1e9)
        values, at = sums.flatten(1).topk(min(_LIKELY, length * length), dim=1)
        margins = values[:, 0] - (starts[:, 0] + ends[:, 0])
        first, last = at // length, at % length
        shared = torch.minimum(last[:, :, None], last[:, None]) - torch.maximum(
            first[:, :, None], first[:, None]
        )
        sizes = last - first + 1
        overlap = 2 * (shared + 1).clamp_min(0) / (sizes[:, :, None] + sizes[:, None]).clamp_min(1)
        expected = (overlap * values.softmax(1)[:, None]).sum(2)
        chosen = expected.argmax(1, keepdim=True)
        return [
            (float(margin), int(start), int(end))
            for margin, start, end in zip(
                margins, first.gather(1, chosen)[:, 0], last.gather(1, chosen)[:, 0], strict=True
            )
        ]

    def _span(self, context: str, best: tuple[float, int, int] | None) -> Span | None:
        if best is None or best[0] <= self._none:
            return None
        margin, start, end = best
        while start > 0 and context[start - 1].isalnum() and context[start].isalnum():
            start -= 1
        while end < len(context) and context[end].isalnum() and context[end - 1].isalnum():
            end += 1
        score = float(self._torch.sigmoid(self._torch.tensor(margin - self._none)))
        return Span(context[start:end], start, end, score)


_LOADING = threading.Lock()


@functools.cache
def _shared() -> Reader:
    return Reader()


def embedded() -> Reader:
    """Return the shipped reader, which is loaded once per process at the first call."""
    with _LOADING:
        return _shared()


def _reader(settings: Mapping[str, Any]) -> Reader:
    """Create the reader of the entry point `embedded`; `weights` names another file of weights."""
    from arena.core.errors import InputError

    unknown = set(settings) - {"weights"}
    if unknown:
        raise InputError(f"The embedded reader knows only the key `weights`, not `{min(unknown)}`.")
    return Reader(Path(settings["weights"])) if "weights" in settings else embedded()


create = Part(_reader, "the embedded reader")
