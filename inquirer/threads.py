"""One thread for the inquirer's small networks: several threads mostly wait for each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


@contextmanager
def one_thread() -> Iterator[None]:
    """Limits torch to one thread of this Python thread."""
    import torch

    torch.get_num_threads()  # the first call in a thread resets the number of threads
    with _libraries().limit(limits=1, user_api="openmp"):
        yield


@cache  # looking for the libraries takes longer than reading a question
def _libraries() -> Any:
    """Returns the loaded libraries that use threads. It is called when torch is among them."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
