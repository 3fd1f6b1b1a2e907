"""Batches shared among cores: every result at its place, and torch's own number of threads as it was."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from bots.encoders.cores import each


@pytest.fixture(params=[1, 2, 3])
def cores(request: pytest.FixtureRequest) -> Iterator[int]:
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield request.param
    torch.set_num_threads(before)


def test_results_are_in_order_and_every_batch_has_one_core(cores: int) -> None:
    threads: set[tuple[str, int]] = set()

    def work(batch: int) -> int:
        threads.add((threading.current_thread().name, torch.get_num_threads()))
        return batch * batch

    assert list(each(work, range(20))) == [batch * batch for batch in range(20)]
    assert {used for _, used in threads} == {1}
    assert torch.get_num_threads() == cores
    with ThreadPoolExecutor(1) as later:
        assert later.submit(torch.get_num_threads).result() == cores


def test_a_few_batches_have_all_cores() -> None:
    here = threading.current_thread()
    assert set(each(lambda _: threading.current_thread(), [0])) == {here}


def test_an_error_reaches_the_caller(cores: int) -> None:
    def work(batch: int) -> float:
        return 1 / (batch - 7)

    with pytest.raises(ZeroDivisionError):
        list(each(work, range(20)))
    assert len(list(each(work, range(7)))) == 7
