"""A batched loop in lock-step that only keeps its caches. It has no queue, no pages and no event loop.

The engine's overhead is measured against this loop.
"""

from __future__ import annotations

from typing import Any

from arena.bench.talk import OPENER, QUESTION, TOKENS
from bots.hf_pages import Shape
from bots.hf_work import Rows, Segment, activated, make_cache
from bots.sampling import TRIES, Decoding, draw


class Bare:
    """Plays all dialogues of one pair in lock-step. Each seat has one fixed array of rows."""

    def __init__(self, loaded: Any, shape: Shape, dialogues: int) -> None:
        self._model = loaded.model
        self._tokenizer = loaded.tokenizer
        self._count = dialogues
        self._seats = [Rows(shape), Rows(shape)]
        self._caches = [make_cache(rows) for rows in self._seats]
        self._turn = 0
        self._said: list[list[int]] = []
        self._own: list[list[list[int]]] = [[], []]
        self._decoding = Decoding(max_new_tokens=TOKENS)

    def play_turn(self) -> int:
        """Play a turn as `Talk.play_turn` does, but for all dialogues. Returns the number of replies."""
        import torch

        replies = 3 * self._count
        with torch.inference_mode():
            if self._turn == 0:
                self._said = [self._text(OPENER)] * self._count
                replies -= self._count
            else:
                self._said = self._speak(0, self._said)
            self._said = self._speak(1, self._said)
            before = list(self._seats[1].lengths)
            self._speak(1, [self._text(QUESTION)] * self._count, keep=False)
            self._seats[1].lengths = before
        self._turn += 1
        return replies

    def _text(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _speak(self, seat: int, heard: list[list[int]], keep: bool = True) -> list[list[int]]:
        """Read the partners' messages and answer them. The last token of an answer is read in the next call."""
        rows = self._seats[seat]
        user, end = self._text("<|im_start|>user\n"), self._text("<|im_end|>\n")
        bot = self._text("<|im_start|>assistant\n")
        if not self._own[seat]:
            opening = self._text("<|im_start|>system\nYou are a helpful AI assistant.<|im_end|>\n")
            if seat == 0:
                opening += bot + self._text(OPENER)
            owed = [opening if seat else [*opening, *end]] * self._count
        else:
            owed = [[*answer[-1:], *end] for answer in self._own[seat]]
        new = [[*old, *user, *text, *end, *bot] for old, text in zip(owed, heard, strict=True)]
        with activated(rows):
            answers = self._write(rows, self._caches[seat], new)
        if keep:
            self._own[seat] = answers
        return answers

    def _write(self, rows: Rows, cache: Any, new: list[list[int]]) -> list[list[int]]:
        import torch

        past = rows.lengths or [0] * self._count
        longest = max(p + len(n) for p, n in zip(past, new, strict=True)) + TOKENS
        rows.reserve(self._count, longest)
        segments: list[Segment] = []
        ids: list[int] = []
        places: list[int] = []
        last: list[int] = []
        for number, (start, part) in enumerate(zip(past, new, strict=True)):
            segments.append(Segment(number, len(ids), len(part), start))
            ids += part
            places += range(start, start + len(part))
            last.append(len(ids) - 1)
        rows.begin_packed(segments)
        logits = self._model(
            input_ids=torch.tensor([ids]),
            position_ids=torch.tensor([places]),
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=torch.tensor(last),
        ).logits[0]
        rows.lengths = [p + len(n) for p, n in zip(past, new, strict=True)]
        columns = [draw(logits, self._decoding, torch.rand(self._count, TRIES))]
        for _ in range(TOKENS - 1):
            at = torch.tensor(rows.lengths)[:, None]
            rows.begin_step(self._count)
            logits = self._model(
                input_ids=columns[-1][:, None],
                position_ids=at,
                past_key_values=cache,
                use_cache=True,
                logits_to_keep=1,
            ).logits[:, -1]
            rows.end_step(self._count)
            columns.append(draw(logits, self._decoding, torch.rand(self._count, TRIES)))
        return torch.stack(columns, dim=1).tolist()  # type: ignore[no-any-return]
