"""The input of every statistic: counts per dialogue, and the inquiries behind them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Kinds = str | tuple[str, ...] | None  # None: all

HEADLINE = ("wh", "yes_no_true")  # the kinds of inquiry that a rate counts by default
FEW = 5  # fewer openers (or personas) count as fixed; this many or more are a sample


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Counts:
    """Counts of inquiries and contradictions, as vectors over dialogues.

    Bots are indices into `bots`, and `number` is the number of a dialogue within its pair. Dialogues of one
    pair with the same texts have equal values in `copies`. Dialogues with the same beginning have equal values
    in `openers`. Dialogues in which the bot under test plays the same drawn persona have equal values in
    `personas` (-1: no drawn persona). These three vectors are empty if nothing is known; then every dialogue is
    independent.
    """

    bots: tuple[str, ...]
    speaker: Ints
    tested: Ints
    inquiries: Ints  # judged inquiries
    contradictions: Ints
    number: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    copies: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    openers: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    personas: Ints = field(default_factory=lambda: np.empty(0, np.int64))

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
        """A number for each dialogue that is equal for copies within one pair."""
        return self.copies if len(self.copies) else np.arange(len(self))

    @property
    def cluster(self) -> Ints:
        """The cluster of each dialogue, which is the unit that varies independently. It is the opener if there
        are enough openers, else the dialogue, with its copies in the same cluster.
        """
        return self.openers if self.opener_number >= FEW else self.copy

    def ways(self) -> tuple[Ints, ...]:
        """The clusterings of the dialogues. If enough personas are drawn, these are the clusters, the personas,
        and their intersection; otherwise only the clusters.
        """
        if self.persona_number < FEW:
            return (self.cluster,)
        persona = np.where(self.personas >= 0, self.personas, self.personas.max() + 1 + self.copy)
        return crossing(self.cluster, persona)

    @property
    def opener_number(self) -> int:
        """The number of openers; 0 if unknown."""
        return len(np.unique(self.openers))

    @property
    def persona_number(self) -> int:
        """The number of drawn personas."""
        return len(np.unique(self.personas[self.personas >= 0]))

    def cell(self) -> Ints:
        """The index of each dialogue's pair in the flattened speaker × tested matrix."""
        return self.speaker * len(self.bots) + self.tested

    def only(self, keep: ArrayLike) -> Counts:
        """Return the counts of the dialogues that a mask or index selects."""
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
            self.personas[pick] if len(self.personas) else self.personas,
        )

    def without(self, bot: int) -> Counts:
        """The counts without all dialogues in which the bot took part, in either seat."""
        others = self.only((self.speaker != bot) & (self.tested != bot))
        bots = tuple(name for i, name in enumerate(self.bots) if i != bot)
        return replace(
            others,
            bots=bots,
            speaker=others.speaker - (others.speaker > bot),
            tested=others.tested - (others.tested > bot),
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
    """Sums and second moments over the dialogues of each pair (speaker × tested). Rates and errors are computed
    from them.
    """

    bots: tuple[str, ...]
    dialogues: Floats
    informative: Floats  # dialogues with a judged inquiry
    inquiries: Floats
    contradictions: Floats
    cc: Floats
    cm: Floats
    mm: Floats

    def rates(self) -> Floats:
        """C_ij (equations 2 and 3); nan if the pair has no judged inquiry."""
        return ratio(self.contradictions, self.inquiries)

    def variances(self) -> Floats:
        """The cluster-robust (linearised) variance of C_ij; nan if fewer than two dialogues are informative."""
        rate = self.rates()
        residual = self.cc - 2 * rate * self.cm + rate**2 * self.mm
        correction = ratio(self.dialogues, self.dialogues - 1)
        variance = (
            correction * np.maximum(residual, 0) / np.where(self.inquiries > 0, self.inquiries, np.nan) ** 2
        )
        return np.where(self.informative >= 2, variance, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class Inquiries:
    """All inquiries as vectors, one element per inquiry. The analysis then applies τ, kinds and distances to them.

    `score` is nan if the judge gave no score. In that case `reason` says why, as an index into `reasons`;
    otherwise it is −1. `evasive` and `relevant` are 0, 1, or nan if unknown.
    """

    dialogues: Counts  # one entry per dialogue; its counts are not used
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
    relevant_drawn: Floats | None = None  # `relevant` by random labels only; None if all are random
    failed: tuple[int, ...] = ()  # dialogues that failed, by bot under test
    turns: int = 0  # replies of the bot under test in a full dialogue
    unsaid: tuple[int, ...] = ()  # replies missing because dialogues ended early, by bot

    @property
    def bots(self) -> tuple[str, ...]:
        return self.dialogues.bots

    @property
    def tested(self) -> Ints:
        return self.dialogues.tested[self.dialogue]

    def where(self, kind: Kinds = None, distance: int | None = None) -> Bools:
        """Return a mask of the inquiries of these kinds at this distance. None stands for all kinds or all
        distances.
        """
        mask = np.ones(len(self.dialogue), bool)
        if kind is not None:
            wanted = (kind,) if isinstance(kind, str) else kind
            mask &= np.isin(self.kind, [self.kinds.index(name) for name in wanted if name in self.kinds])
        if distance is not None:
            mask &= self.distance == distance
        return mask

    def counts(self, tau: float, mask: Bools | None = None) -> Counts:
        """Count the judged inquiries and the contradictions (score > τ) of each dialogue."""
        judged = np.isfinite(self.score)
        if mask is not None:
            judged = judged & mask
        d, size = self.dialogues, len(self.dialogues)
        inquiries = np.bincount(self.dialogue[judged], minlength=size)
        above = judged & (self.score > tau)  # False for nan
        contradictions = np.bincount(self.dialogue[above], minlength=size)
        return replace(d, inquiries=inquiries, contradictions=contradictions)


def crossing(one: Ints, other: Ints) -> tuple[Ints, Ints, Ints]:
    """Return both clusterings and their intersection."""
    _, first = np.unique(one, return_inverse=True)
    _, second = np.unique(other, return_inverse=True)
    return one, other, first.astype(np.int64) * (int(second.max(initial=0)) + 1) + second


def ratio(part: ArrayLike, whole: ArrayLike) -> Floats:
    """Return part / whole; nan where the whole is 0."""
    p, w = np.asarray(part, float), np.asarray(whole, float)
    result: Floats = np.divide(p, w, out=np.full(np.broadcast(p, w).shape, np.nan), where=w > 0)
    return result


def mean_of_cells(rates: Floats, axis: int = 0) -> Floats:
    """C_j (equation 4): the mean over the cells that have a rate; nan if no cell has a rate."""
    known = np.isfinite(rates)
    return ratio(np.where(known, rates, 0.0).sum(axis), known.sum(axis))


def content(data: Inquiries) -> str:
    """Return a hash of everything that statistics of these inquiries depend on."""
    hashed = hashlib.blake2b(digest_size=16)
    for part in (data, data.dialogues):
        for one in fields(part):
            value = getattr(part, one.name)
            if isinstance(value, np.ndarray):
                hashed.update(f"{one.name} {value.dtype.str} {len(value)} ".encode())
                hashed.update(np.ascontiguousarray(value).data)
            elif not isinstance(value, Counts):
                hashed.update(f"{one.name} {value!r} ".encode())
    return hashed.hexdigest()
