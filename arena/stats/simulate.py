"""Simulates tournaments, to test the statistics."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from arena.stats.counts import Counts, Ints

# AIH (Li et al. 2021), Table 3 (both halves) and Table 5 (questions); rows speak, columns are tested
AIH_BOTS = ("Blender", "Plato", "DialoGPT", "DialoFlow")
AIH_EXPERTS = ("Plato", "DialoGPT", "DialoFlow", "Blender")
AIH_AUTO = (
    (0.431, 0.240, 0.324, 0.362),
    (0.431, 0.263, 0.293, 0.357),
    (0.425, 0.251, 0.344, 0.345),
    (0.427, 0.264, 0.344, 0.371),
)
AIH_HUMAN = (
    (0.487, 0.282, 0.398, 0.396),
    (0.411, 0.212, 0.500, 0.435),
    (0.404, 0.211, 0.304, 0.431),
    (0.462, 0.268, 0.310, 0.377),
)
AIH_QUESTIONS = (
    (6.54, 6.13, 2.62, 5.12),
    (6.54, 5.34, 1.98, 4.36),
    (6.25, 4.45, 1.67, 3.79),
    (6.15, 5.79, 2.25, 4.21),
)


def play(
    rates: ArrayLike,
    questions: ArrayLike,
    dialogues: int,
    correlation: float,
    rng: np.random.Generator,
    *,
    turns: int = 15,
    rounds: int = 1,
) -> tuple[Ints, Ints]:
    """Return (inquiries, contradictions), each rounds × speakers × tested × dialogues.

    A dialogue has a binomial number of inquiries, at most one per turn. Its contradiction rate is drawn from a
    beta distribution. The spread of that distribution gives two inquiries of one dialogue the requested
    correlation.
    """
    p, q = np.asarray(rates, float), np.asarray(questions, float)
    shape = (rounds, *p.shape, dialogues)
    asked = rng.binomial(turns, np.broadcast_to((q / turns)[None, :, :, None], shape))
    chance = np.broadcast_to(p[None, :, :, None], shape)
    if correlation > 0:
        strength = (1 - correlation) / correlation
        tiny = 1e-9
        chance = rng.beta(np.maximum(chance * strength, tiny), np.maximum((1 - chance) * strength, tiny))
    return asked, rng.binomial(asked, chance)


def tournament(
    bots: tuple[str, ...],
    rates: ArrayLike,
    questions: ArrayLike,
    dialogues: int,
    correlation: float,
    rng: np.random.Generator,
) -> Counts:
    """Simulate one tournament of all ordered pairs."""
    asked, contradictions = play(rates, questions, dialogues, correlation, rng)
    return from_arrays(bots, asked[0], contradictions[0])


def from_arrays(bots: tuple[str, ...], inquiries: Ints, contradictions: Ints) -> Counts:
    """Return counts from arrays of the shape speakers × tested × dialogues."""
    n, _, dialogues = inquiries.shape
    speaker, tested, number = (a.ravel() for a in np.indices((n, n, dialogues)))
    return Counts.of(bots, speaker, tested, inquiries.ravel(), contradictions.ravel(), number)
