"""The queue entries of the engine: the request, its waiting dialogue, and the error if there was one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from arena.core.errors import BotError
from bots.batching import DialogueCounter

CURES = {
    "error": "; try it alone with 'arena bots try'.",
    "out_of_memory": "; take a smaller model, a shorter `context` or `dtype: bfloat16`.",
}

# [1, vocabulary] logits as the settings change them, given the tokens of the reply so far
Rule = Callable[[list[int], Any], Any]


@dataclass(frozen=True, slots=True)
class Job:
    """One reply to write.

    `key` names the conversation whose cache is used. A fork does not change the cache. `said` are the tokens of the
    conversation's messages, if the reply must not repeat them.
    """

    ids: list[int]
    seed: int
    key: str = ""
    fork: bool = False
    said: Sequence[Sequence[int]] | None = None


@dataclass(slots=True)
class Written:
    ids: list[int] = field(default_factory=list)
    ended: bool = False


@dataclass(slots=True)
class Row:
    job: Job
    future: Future[Written]
    out: Written = field(default_factory=Written)
    rule: Rule | None = None
    company: DialogueCounter | None = None

    def answer(self, error: Exception | None = None) -> None:
        """Delivers the answer and tells the counter that the dialogue no longer waits."""
        if self.company is not None:
            self.company.unblock()
        if self.future.cancelled():
            return
        if not (self.future.running() or self.future.set_running_or_notify_cancel()):
            return
        if error is None:
            self.future.set_result(self.out)
        else:
            self.future.set_exception(error)


class Turns:
    """A fair lock: threads get it in the order of their requests, so that engines on one processor alternate."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._next = self._serving = 0

    def __enter__(self) -> None:
        with self._condition:
            ticket = self._next
            self._next += 1
            self._condition.wait_for(lambda: self._serving == ticket)

    def __exit__(self, *_: object) -> None:
        with self._condition:
            self._serving += 1
            self._condition.notify_all()


class Budget:
    """The number of bytes for caches. Running engines share it equally."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.engines = 0

    @property
    def share(self) -> int:
        return self.total // max(1, self.engines)


def ends_of(loaded: Any) -> frozenset[int]:
    """Returns the tokens that end a reply."""
    ends: set[int] = set()
    for value in (loaded.model.generation_config.eos_token_id, loaded.tokenizer.eos_token_id):
        ends |= set(value) if isinstance(value, list | tuple) else {value} if value is not None else set()
    return frozenset(ends)


def no_numbers(loaded: Any) -> BotError:
    """Returns the error for NaN logits.

    Files are verified when they are read. NaN therefore comes from the arithmetic or from the model's own weights.
    """
    remedy = (
        "its weights are broken, get them again or train it again"
        if loaded.dtype == "float32"
        else "set `dtype: float32` for this bot, and if that does not help, get its weights again"
    )
    return BotError(
        f"The model '{loaded.name}' computes NaN in {loaded.dtype}: {remedy}.", reason="no_numbers"
    )


def out_of_memory(error: BaseException) -> bool:
    import torch

    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError) and "allocate memory" in str(error)
