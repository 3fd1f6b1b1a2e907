"""What every statistic starts from: counts per dialogue, and the inquiries they were counted from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Kinds = str | tuple[str, ...] | None  # None: all

HEADLINE = ("wh", "yes_no_true")  # the kinds of inquiry that a rate counts unless told otherwise
FEW_OPENERS = 5  # fewer than these are taken as they are; more stand for openers at large


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Vectors over dialogues; bots are indices into `bots`. `number` tells a pair's dialogues apart.

    Dialogues of one pair with the same texts share a number in `copies`; those that begin alike share one in
    `openers`. Both are empty where nothing is known: then every dialogue stands for itself.
    """

    bots: tuple[str, ...]
    speaker: Ints
    tested: Ints
    inquiries: Ints  # judged ones
    contradictions: Ints
    number: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    copies: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    openers: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    @classmethod
    def of(
        cls,
        bots: Sequence[str],
        speaker: ArrayLike,
        tested: ArrayLike,
        inquiries: ArrayLike,
        contradictions: ArrayLike,
        number: ArrayLike | None = None,
    ) -> Counts:
        vectors = [np.asarray(v, dtype=np.int64) for v in (speaker, tested, inquiries, contradictions)]
        if number is None:
            cell = vectors[0] * len(bots) + vectors[1]
            order = np.argsort(cell, kind="stable")
            first = np.searchsorted(cell[order], cell[order], "left")
            numbered = np.empty(len(cell), np.int64)
            numbered[order] = np.arange(len(cell)) - first
        else:
            numbered = np.asarray(number, dtype=np.int64)
        return cls(tuple(bots), vectors[0], vectors[1], vectors[2], vectors[3], numbered)

    def __len__(self) -> int:
        return len(self.speaker)

    @property
    def copy(self) -> Ints:
        """Equal for dialogues of one pair that are copies of each other."""
        return self.copies if len(self.copies) else np.arange(len(self))

    @property
    def cluster(self) -> Ints:
        """What varies independently: openers where there are enough, else dialogues, copies counted once."""
        return self.openers if self.opener_number >= FEW_OPENERS else self.copy

    @property
    def opener_number(self) -> int:
        """How many openers the dialogues begin with; 0 where that is not known."""
        return len(np.unique(self.openers))

    def cell(self) -> Ints:
        """Index of each dialogue's pair in the flattened speaker × tested matrix."""
        return self.speaker * len(self.bots) + self.tested

    def only(self, keep: ArrayLike) -> Counts:
        """The dialogues that a mask or index picks."""
        pick = np.asarray(keep)
        return Counts(
            self.bots,
            self.speaker[pick],
            self.tested[pick],
            self.inquiries[pick],
            self.contradictions[pick],
            self.number[pick],
            self.copies[pick] if len(self.copies) else self.copies,
            self.openers[pick] if len(self.openers) else self.openers,
        )

    def without(self, bot: int) -> Counts:
        """As if the bot had never taken part, in either seat."""
        kept = self.only((self.speaker != bot) & (self.tested != bot))
        bots = tuple(name for i, name in enumerate(self.bots) if i != bot)
        return Counts(
            bots,
            kept.speaker - (kept.speaker > bot),
            kept.tested - (kept.tested > bot),
            kept.inquiries,
            kept.contradictions,
            kept.number,
            kept.copies,
            kept.openers,
        )

    def cells(self) -> Cells:
        n = len(self.bots)
        cell, m, c = self.cell(), self.inquiries, self.contradictions

        def total(weights: Any = None) -> Floats:
            return np.bincount(cell, weights, n * n).reshape(n, n).astype(float)

        return Cells(
            self.bots, total(), total(m > 0), total(m), total(c), total(c * c), total(c * m), total(m * m)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Sums and second moments over each pair's dialogues (speaker × tested): enough for rates and errors."""

    bots: tuple[str, ...]
    dialogues: Floats
    informative: Floats  # dialogues with a judged inquiry
    inquiries: Floats
    contradictions: Floats
    cc: Floats
    cm: Floats
    mm: Floats

    def rates(self) -> Floats:
        """C_ij (equations 2 and 3); nan where nothing was judged."""
        return ratio(self.contradictions, self.inquiries)

    def variances(self) -> Floats:
        """Cluster-robust (linearised) variance of C_ij; nan where fewer than two dialogues say something."""
        rate = self.rates()
        residual = self.cc - 2 * rate * self.cm + rate**2 * self.mm
        correction = ratio(self.dialogues, self.dialogues - 1)
        variance = (
            correction * np.maximum(residual, 0) / np.where(self.inquiries > 0, self.inquiries, np.nan) ** 2
        )
        return np.where(self.informative >= 2, variance, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Inquiries:
    """Vectors over inquiries, for what is decided when read: τ, kinds, distances, evasion.

    `score` is nan where the judge gave none; `reason` then says why (an index into `reasons`, else −1).
    `evasive` and `relevant` are 0, 1 or nan for unknown.
    """

    dialogues: Counts  # one entry a dialogue; its counts are not used
    dialogue: Ints
    score: Floats
    kind: Ints
    kinds: tuple[str, ...]
    distance: Ints
    entity_type: Ints
    entity_types: tuple[str, ...]
    reason: Ints
    reasons: tuple[str, ...]
    evasive: Floats
    relevant: Floats
    relevant_drawn: Floats | None = None  # the same by labels drawn by lot alone; None: all of them are
    failed: tuple[int, ...] = ()  # dialogues that failed, by bot under test
    turns: int = 0  # replies of the bot under test in a dialogue

    @property
    def bots(self) -> tuple[str, ...]:
        return self.dialogues.bots

    @property
    def tested(self) -> Ints:
        return self.dialogues.tested[self.dialogue]

    def where(self, kind: Kinds = None, distance: int | None = None) -> Bools:
        """Mask of one kind or several at one distance; None means all."""
        mask = np.ones(len(self.dialogue), bool)
        if kind is not None:
            wanted = (kind,) if isinstance(kind, str) else kind
            mask &= np.isin(self.kind, [self.kinds.index(name) for name in wanted if name in self.kinds])
        if distance is not None:
            mask &= self.distance == distance
        return mask

    def counts(self, tau: float, mask: Bools | None = None) -> Counts:
        """Judged inquiries and contradictions (score > τ) per dialogue."""
        judged = np.isfinite(self.score)
        if mask is not None:
            judged = judged & mask
        d, size = self.dialogues, len(self.dialogues)
        inquiries = np.bincount(self.dialogue[judged], minlength=size)
        above = judged & (self.score > tau)  # nan is above nothing
        contradictions = np.bincount(self.dialogue[above], minlength=size)
        return Counts(d.bots, d.speaker, d.tested, inquiries, contradictions, d.number, d.copies, d.openers)


def ratio(part: ArrayLike, whole: ArrayLike) -> Floats:
    """part / whole, nan where the whole is nothing."""
    p, w = np.asarray(part, float), np.asarray(whole, float)
    result: Floats = np.divide(p, w, out=np.full(np.broadcast(p, w).shape, np.nan), where=w > 0)
    return result


def mean_of_cells(rates: Floats, axis: int = 0) -> Floats:
    """C_j (equation 4): the mean over the cells that have a rate; nan where none has."""
    known = np.isfinite(rates)
    return ratio(np.where(known, rates, 0.0).sum(axis), known.sum(axis))
