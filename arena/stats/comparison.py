"""Compares each bot of one release with the bot of the same name in another release.

A bot's rate also changes with its partners. Therefore only pairs whose speaker is identical in both releases
count.

Dialogues with the same opener and seed are compared as pairs, all other dialogues as independent samples. If
there are enough openers, dialogues with the same opener are treated as correlated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from arena.stats.changes import Measured, Side, measure
from arena.stats.counts import Counts, Floats, Ints
from arena.stats.distributions import holm

MARGIN = 0.03
RELATIVE_MARGIN = 0.5
LEAST_MARGIN = 0.01  # lower bound of the margin, however low the rates are
LEVEL = 0.95
POWER = 0.8


class Verdict(StrEnum):
    """The verdict on B against A. B contradicts itself less, more, or about as often (within the margin), or the
    data are unclear, or the bot is unchanged.
    """

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    UNCLEAR = "unclear"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings that must be equal before two releases may be compared."""

    judge: str
    revision: str
    inquirer: str
    turns: frozenset[int]
    openers: frozenset[str]  # as configured
    tau: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """One side of a comparison: its counts, the identities of its bots, and a code per dialogue that is equal for
    equal openers and seeds.
    """

    name: str
    counts: Counts
    identities: tuple[str, ...]
    unit: Ints
    setting: Setting


@dataclass(frozen=True, slots=True)
class Change:
    """One bot's change from A to B over the pairs that count. Interval and p-value are adjusted for all changed
    bots.
    """

    bot: str
    rate_a: float
    rate_b: float
    delta: float
    low: float
    high: float
    p_value: float  # adjusted by Holm's procedure over the changed bots
    detectable: float  # the change that this many dialogues detect with 80% power
    verdict: Verdict
    speakers: tuple[str, ...]
    paired: int  # dialogues that are compared with a twin
    unpaired: int
    self_pair: SelfPair | None = None
    inquiries: tuple[int, int] = (0, 0)  # behind the rates

    @property
    def more_dialogues(self) -> int | None:
        """The approximate number of further dialogues per release that would detect a change of this size. None
        if the verdict is not `unclear` or if no number can be given.
        """
        told_apart_at = self.detectable / abs(self.delta) if self.delta else np.inf
        if self.verdict is not Verdict.UNCLEAR or not 1 < told_apart_at < np.inf:
            return None
        each = self.paired + self.unpaired / 2
        return int(np.ceil(each * (told_apart_at**2 - 1)))


@dataclass(frozen=True, slots=True)
class SelfPair:
    """The rates of the bot in dialogues with itself. They get no verdict, because both participants changed."""

    rate_a: float
    rate_b: float
    delta: float
    low: float
    high: float
    inquiries: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Comparison:
    a: str
    b: str
    comparable: bool
    reasons: tuple[str, ...]
    changes: tuple[Change, ...]
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default_factory=tuple)
    revision: str = ""  # the judge's revision; empty if the sides differ

    @property
    def regressed(self) -> tuple[str, ...]:
        return tuple(c.bot for c in self.changes if c.verdict is Verdict.WORSE)

    @property
    def unclear(self) -> tuple[str, ...]:
        return tuple(c.bot for c in self.changes if c.verdict is Verdict.UNCLEAR)


def compare(
    a: Release,
    b: Release,
    *,
    margin: float = MARGIN,
    relative_margin: float = RELATIVE_MARGIN,
    level: float = LEVEL,
    force: bool = False,
) -> Comparison:
    """Compare every bot that both releases have. If the releases are not comparable, return only the reasons
    unless `force`.
    """
    shared = [name for name in a.counts.bots if name in b.counts.bots]
    judged = _tested(a, b, shared)
    speakers = {name: _speakers(a, b, name) for name in judged}
    changed = [name for name in judged if _identity(a, name) != _identity(b, name)]
    reasons = [*obstacles(a.setting, b.setting), *_nothing_shared(speakers)]
    revision = a.setting.revision if a.setting.revision == b.setting.revision else ""
    only_a = tuple(name for name in a.counts.bots if name not in shared)
    only_b = tuple(name for name in b.counts.bots if name not in shared)
    if reasons and not force:
        return Comparison(a.name, b.name, False, tuple(reasons), (), only_a, only_b, revision=revision)
    measured = {name: _measured(a, b, name, speakers[name]) for name in judged}
    tested = [name for name in changed if np.isfinite(measured[name].p_value)]
    adjusted = dict(zip(tested, holm(np.array([measured[name].p_value for name in tested])), strict=True))
    changes = tuple(
        _change(
            a, b, name, speakers[name], measured[name], name in changed, adjusted, len(tested),
            (margin, relative_margin), level,
        )
        for name in judged
    )  # fmt: skip
    notes = tuple(_lonely(speakers))
    return Comparison(a.name, b.name, not reasons, tuple(reasons), changes, only_a, only_b, notes, revision)


def _lonely(speakers: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for name, same in speakers.items():
        if not same:
            yield f"{name}: no speaker is the same bot in both releases."


def _nothing_shared(speakers: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the reason if there is nothing to compare. `speakers` holds, for each bot, the speakers over which it
    can be compared.
    """
    if not speakers:
        yield "no bot name occurs in both"
    elif not any(speakers.values()):
        yield "no pair is left whose speaker is the same bot (by identity) in both"


def _change(
    a: Release,
    b: Release,
    name: str,
    speakers: Sequence[str],
    measured: Measured,
    changed: bool,
    adjusted: dict[str, float],
    tested: int,
    margins: tuple[float, float],
    level: float,
) -> Change:
    nan = float("nan")
    own = _self_pair(a, b, name, level)
    if not changed:  # the same bot twice: any difference is chance
        return Change(
            name, measured.rate_a, measured.rate_b, measured.delta, nan, nan, nan, nan, Verdict.UNCHANGED,
            tuple(speakers), measured.paired, measured.unpaired, own, measured.inquiries,
        )  # fmt: skip
    p = adjusted.get(name, nan)
    # The level that Holm's procedure uses for this bot, so that interval and p-value agree
    steps = p / measured.p_value if np.isfinite(p) and 0 < p < 1 else float(max(tested, 1))
    each = 1 - (1 - level) / max(1.0, min(steps, float(max(tested, 1))))
    low, high = measured.interval(each)
    return Change(
        name,
        measured.rate_a,
        measured.rate_b,
        measured.delta,
        low,
        high,
        p,
        measured.detectable(1 - (1 - level) / max(tested, 1), POWER),
        verdict(measured.delta, low, high, p, _margin(measured, *margins), 1 - level),
        tuple(speakers),
        measured.paired,
        measured.unpaired,
        own,
        measured.inquiries,
    )


def _margin(measured: Measured, margin: float, relative: float) -> float:
    """The size below which a difference is negligible: `margin`, or a share of the mean rate (at least
    LEAST_MARGIN) where that is smaller.
    """
    return min(margin, max(relative * (measured.rate_a + measured.rate_b) / 2, LEAST_MARGIN))


def obstacles(a: Setting, b: Setting) -> list[str]:
    """Return sentences that say why two settings cannot be compared."""
    reasons = []
    if a.judge != b.judge:
        reasons.append(f"the judges differ ({a.judge}, {b.judge})")
    elif a.revision != b.revision:
        reasons.append(f"the revisions of judge {a.judge} differ ({a.revision[:12]}, {b.revision[:12]})")
    if a.tau != b.tau:
        reasons.append(f"the thresholds differ ({a.tau:g}, {b.tau:g}): give one with --tau")
    if a.inquirer != b.inquirer:
        reasons.append("the inquirers differ")
    if a.turns != b.turns:
        reasons.append(f"the numbers of turns differ ({_list(a.turns)}; {_list(b.turns)})")
    if a.openers != b.openers:
        reasons.append("the openers differ")
    return reasons


def verdict(delta: float, low: float, high: float, p_value: float, margin: float, alpha: float) -> Verdict:
    """Return the verdict. `same` is tested first, because a significant difference within the margin does not
    matter.
    """
    if not (np.isfinite(delta) and np.isfinite(low) and np.isfinite(high)):
        return Verdict.UNCLEAR
    if -margin < low and high < margin:
        return Verdict.SAME
    if p_value <= alpha and (low > 0 or high < 0):
        return Verdict.BETTER if delta < 0 else Verdict.WORSE
    return Verdict.UNCLEAR


def _list(turns: frozenset[int]) -> str:
    return ", ".join(str(t) for t in sorted(turns))


def _tested(a: Release, b: Release, names: Sequence[str]) -> list[str]:
    """Return the bots that are under test in one of the releases; an interviewer never is."""
    tested = {side.counts.bots[j] for side in (a, b) for j in np.unique(side.counts.tested)}
    return [name for name in names if name in tested]


def _identity(release: Release, name: str) -> str:
    return release.identities[release.counts.bots.index(name)]


def _speakers(a: Release, b: Release, tested: str) -> list[str]:
    """The speakers over which the bot `tested` is compared, without the bot itself. Such a speaker has the same
    identity and judged inquiries in both releases.
    """
    rates_a, rates_b = a.counts.cells().inquiries, b.counts.cells().inquiries
    j, k = a.counts.bots.index(tested), b.counts.bots.index(tested)
    names = []
    for i, name in enumerate(a.counts.bots):
        if name == tested or name not in b.counts.bots:
            continue
        o = b.counts.bots.index(name)
        if a.identities[i] == b.identities[o] and rates_a[i, j] > 0 and rates_b[o, k] > 0:
            names.append(name)
    return names


def _measured(a: Release, b: Release, tested: str, speakers: Sequence[str]) -> Measured:
    return measure(_side(a, tested, speakers), _side(b, tested, speakers), len(speakers))


def _side(release: Release, tested: str, speakers: Sequence[str]) -> Side:
    """The bot's dialogues with these speakers. Each speaker is a cell."""
    counts = release.counts
    cell: Floats = np.full(len(counts.bots), -1)
    for place, name in enumerate(speakers):
        cell[counts.bots.index(name)] = place
    of = cell[counts.speaker].astype(np.int64)
    at = np.flatnonzero((counts.tested == counts.bots.index(tested)) & (of >= 0))
    openers, personas = (known[at] if len(known) else known for known in (counts.openers, counts.personas))
    return Side(
        of[at],
        release.unit[at],
        counts.copy[at],
        openers,
        personas,
        counts.inquiries[at],
        counts.contradictions[at],
    )


def _self_pair(a: Release, b: Release, name: str, level: float) -> SelfPair | None:
    measured = _measured(a, b, name, [name])
    if not (np.isfinite(measured.rate_a) and np.isfinite(measured.rate_b)):
        return None
    low, high = measured.interval(level)
    return SelfPair(measured.rate_a, measured.rate_b, measured.delta, low, high, measured.inquiries)
