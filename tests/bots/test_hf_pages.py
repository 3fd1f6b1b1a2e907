from __future__ import annotations

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.hf_pages import PAGE, Pages, Shape, common

SHAPE = Shape(2, 1, 4, torch.float32, torch.device("cpu"))
PAGE_BYTES = SHAPE.token_bytes * PAGE


def row(ids: list[int]) -> torch.Tensor:
    """Keys and values that tell which token they belong to."""
    return torch.tensor(ids, dtype=torch.float32)[None, None, None, :, None].expand(2, 2, 1, -1, 4).clone()


def fetched(pages: Pages, key: str, ids: list[int]) -> list[int]:
    count = pages.known(key, ids)
    space = torch.full((2, 2, 1, len(ids), 4), -1.0)
    if count:
        pages.fetch(key, count, space)
    assert (space[:, :, :, count:] == -1).all()
    return [int(n) for n in space[0, 0, 0, :count, 0]]


def test_what_was_kept_comes_back_as_far_as_the_text_is_the_same() -> None:
    pages = Pages(SHAPE, 100 * PAGE_BYTES)
    ids = list(range(150))
    pages.keep("a", ids, row(ids))
    assert fetched(pages, "a", [*ids, 7, 8]) == ids
    assert fetched(pages, "a", [*ids[:100], 999, 7]) == ids[:100]
    assert fetched(pages, "a", ids) == ids[:-1]  # one token is always read
    assert fetched(pages, "b", ids) == []


def test_the_budget_holds_and_each_keeps_the_beginning_it_has() -> None:
    pages = Pages(SHAPE, 3 * PAGE_BYTES)
    ids = list(range(2 * PAGE))
    pages.keep("a", ids, row(ids))
    pages.keep("b", ids, row(ids))
    assert pages.bytes <= 3 * PAGE_BYTES
    assert len(fetched(pages, "a", [*ids, 1])) == 2 * PAGE
    assert len(fetched(pages, "b", [*ids, 1])) == PAGE


def test_dialogues_that_are_over_make_room() -> None:
    pages = Pages(SHAPE, 2 * PAGE_BYTES)
    ids = list(range(PAGE))
    pages.keep("over", ids, row(ids))
    pages.keep("b", ids, row(ids))
    for _ in range(20):
        pages.known("b", ids)
    pages.keep("new", ids, row(ids))
    assert len(fetched(pages, "new", [*ids, 1])) == PAGE
    assert fetched(pages, "over", ids) == []


def test_a_smaller_limit_frees_memory_at_once() -> None:
    pages = Pages(SHAPE, 10 * PAGE_BYTES)
    ids = list(range(5 * PAGE))
    pages.keep("a", ids, row(ids))
    pages.restrict(PAGE_BYTES)
    assert pages.bytes <= PAGE_BYTES


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.lists(st.integers(0, 2), min_size=1, max_size=200)), max_size=12
    ),
    st.integers(0, 6),
)
def test_whatever_comes_back_is_what_was_read(kept: list[tuple[str, list[int]]], room: int) -> None:
    pages = Pages(SHAPE, room * PAGE_BYTES)
    for key, ids in kept:
        pages.keep(key, ids, row(ids))
        assert pages.bytes <= room * PAGE_BYTES
        for name in "abc":
            result = fetched(pages, name, [*ids, 9])
            assert result == ids[: len(result)]


@given(st.lists(st.integers(0, 1)), st.lists(st.integers(0, 1)))
def test_common_is_the_longest_common_beginning(a: list[int], b: list[int]) -> None:
    size = common(a, b)
    assert a[:size] == b[:size]
    assert size == min(len(a), len(b)) or a[size] != b[size]
