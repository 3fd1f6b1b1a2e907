"""Works through many batches with one core for each batch.

torch shares each operation among all cores, and at its end each waits for the slowest. On a machine with other work
that takes longer than one core takes alone. Batches need not wait for each other.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import torch

from bots.encoders.bases import Base
from bots.encoders.tokens import Tokens, batches, tensors

MOST, ENOUGH = 1024, 256
"""The tokens of the largest batch, whose states still fit the caches of a core, and of one that keeps it busy."""
Batch = TypeVar("Batch")
Result = TypeVar("Result")
_STARTING = threading.Lock()


def in_batches(
    rows: Sequence[Tokens], base: Base, work: Callable[..., Result]
) -> Iterator[tuple[list[int], Result]]:
    """Do the work for the tensors of each batch of rows; return the indices of its rows, and its result."""

    def done(batch: Sequence[int]) -> Result:
        with torch.inference_mode():
            return work(*tensors([rows[index] for index in batch], base))

    groups = list(batches([len(row.ids) for row in rows], MOST, ENOUGH))
    return zip(groups, each(done, groups), strict=True)


def each(work: Callable[[Batch], Result], batches: Sequence[Batch]) -> Iterator[Result]:
    """Return the result of each batch, in order. A few batches are done one after the other, each by all cores."""
    cores = torch.get_num_threads()
    if cores == 1 or len(batches) < 2 * cores:
        return map(work, batches)
    with _STARTING:
        workers = _workers(os.getpid(), cores)
    return workers.map(work, batches)


@functools.cache
def _workers(process: int, cores: int) -> ThreadPoolExecutor:  # noqa: ARG001 - a forked process has no threads yet
    """Start a thread per core, in which torch uses that core alone."""
    pool = ThreadPoolExecutor(cores, "core")
    here = threading.Barrier(cores + 1)

    def start() -> None:
        torch.get_num_threads()  # a thread's first question sets its number to that of all later threads
        torch.set_num_threads(1)
        here.wait()

    for _ in range(cores):
        pool.submit(start)
    here.wait()
    torch.set_num_threads(cores)  # torch also takes the last number set as that of all later threads
    return pool
