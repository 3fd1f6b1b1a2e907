"""The openers (first messages): the shipped list, and the opener of each dialogue of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from arena.core.hashing import seeds_for

DEFAULT = "default"
IN_TURN, DRAWN = "in_turn", "drawn"


@lru_cache(maxsize=1)
def shipped() -> tuple[str, ...]:
    """The 200 neutral conversation openers of `openers: default`."""
    text = files("arena.config").joinpath("openers.txt").read_text(encoding="utf-8")
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def drawn(openers: Sequence[str], seed: int, speaker: str, tested: str, number: int) -> str:
    """Draw the opener of a pair's dialogue, without replacement.

    The order depends only on the seed and the two names, so it is the same in every release. After the last opener, a
    new order begins.
    """
    lap, position = divmod(number, len(openers))
    return _order(tuple(openers), seed, speaker, tested, lap)[position]


@lru_cache(maxsize=4096)
def _order(openers: tuple[str, ...], seed: int, speaker: str, tested: str, lap: int) -> tuple[str, ...]:
    # Sorted by a hash of each opener, so that a longer list changes few of the draws
    keys = seeds_for("opener", seed, speaker, tested, lap, last=openers)
    return tuple(opener for _, _, opener in sorted(zip(keys, range(len(openers)), openers, strict=True)))
