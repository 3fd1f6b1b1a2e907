"""The order in which people label: decided by seed, doubtful first, a fair sample kept."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from arena.core.hashing import seed_for, seeds_for
from arena.labelling.queue import disagreement, is_random, order


class Candidate(NamedTuple):
    subject: str
    scores: tuple[tuple[float, float], ...] = ()


SPLIT = ((0.9, 0.5), (0.1, 0.5))
AGREED = ((0.9, 0.5), (0.8, 0.5))
CLOSE = ((0.55, 0.5), (0.8, 0.5))


def test_split_verdicts_come_before_close_ones_before_clear_ones() -> None:
    assert sorted([AGREED, SPLIT, CLOSE], key=disagreement, reverse=True) == [SPLIT, CLOSE, AGREED]


def test_without_a_random_share_the_doubtful_are_first() -> None:
    ordered = order(
        [Candidate("clear", AGREED), Candidate("split", SPLIT), Candidate("unjudged")], 1, share=0.0
    )
    assert ordered[0] == "split"
    assert set(ordered) == {"clear", "split", "unjudged"}


@given(
    st.lists(st.text("abcdef", min_size=1, max_size=6), unique=True, max_size=60),
    st.integers(0, 9),
    st.sampled_from([0.0, 0.3, 1.0]),
)
def test_every_subject_stands_once_whatever_order_they_came_in(
    names: list[str], seed: int, share: float
) -> None:
    candidates = [Candidate(name, SPLIT if n % 3 else AGREED) for n, name in enumerate(names)]
    ordered = order(candidates, seed, share)
    assert sorted(ordered) == sorted(names)
    assert order(candidates[::-1], seed, share) == ordered


def test_the_random_share_is_spread_evenly_and_knows_nothing_of_the_verdicts() -> None:
    candidates = [Candidate(f"s{n}", SPLIT if n % 10 == 0 else AGREED) for n in range(2000)]
    ordered = order(candidates, 3, share=0.3)
    for end in (10, 100, 500, 1500):
        share = sum(is_random(3, one, 0.3) for one in ordered[:end]) / end
        assert abs(share - 0.3) < 0.11
    drawn = [one for one in ordered[:600] if is_random(3, one, 0.3)]
    split = sum(int(one[1:]) % 10 == 0 for one in drawn) / len(drawn)
    assert abs(split - 0.1) < 0.07, "the sample holds doubtful items in their true share"
    rest = [one for one in ordered[:100] if not is_random(3, one, 0.3)]
    assert all(int(one[1:]) % 10 == 0 for one in rest), "the others begin with the doubtful ones"


def test_another_seed_is_another_order() -> None:
    candidates = [Candidate(f"s{n}", AGREED) for n in range(50)]
    assert order(candidates, 1) != order(candidates, 2)


@given(st.integers(), st.lists(st.text(max_size=9)))
def test_many_seeds_are_those_of_each(seed: int, names: list[str]) -> None:
    assert seeds_for("queue", seed, last=names) == [seed_for("queue", seed, name) for name in names]
