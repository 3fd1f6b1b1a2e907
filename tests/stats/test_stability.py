"""Stability curves: the paper's figure, speed of thought, and what references may say."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from arena.core.errors import InputError
from arena.stats import simulate
from arena.stats import stability as module
from arena.stats.counts import Counts
from arena.stats.intervals import contradiction_rates, errors_of
from arena.stats.stability import Curve, neighbours, separation, stability
from tests.stats import trials

# ── the same by every sub-sample there is ─────────────────────────────────────────────────────────

# (speaker, tested): (inquiries, contradictions) of each dialogue; some ask nothing, some pairs do not exist
WHOLE = {
    ("a", "a"): [(4, 1), (2, 1)], ("a", "b"): [(3, 1), (0, 0)], ("a", "c"): [(2, 1), (5, 4)],
    ("b", "a"): [(5, 0), (2, 2)], ("b", "b"): [(4, 2), (4, 1)], ("b", "c"): [(3, 3), (3, 0)],
    ("c", "a"): [(2, 0), (3, 1)], ("c", "b"): [(6, 3), (1, 0)], ("c", "c"): [(1, 1), (4, 1)],
}  # fmt: skip
OTHERS = {
    ("a", "b"): [(3, 1), (0, 0), (2, 2)], ("a", "c"): [(2, 1), (5, 4), (1, 0)],
    ("b", "a"): [(5, 0), (2, 2), (3, 1)], ("b", "c"): [(0, 0), (0, 0), (3, 2)],
    ("c", "a"): [(0, 0), (0, 0), (0, 0)], ("c", "b"): [(6, 2), (1, 1), (4, 0)],
}  # fmt: skip
Dialogues = dict[tuple[str, str], list[tuple[int, int]]]


def counted(dialogues: Dialogues, bots: str = "abc") -> Counts:
    rows = [(bots.index(i), bots.index(j), m, c) for (i, j), cell in dialogues.items() for m, c in cell]
    return Counts.of(tuple(bots), *np.array(rows).T)


def mean_rates(dialogues: Dialogues, bots: str) -> list[Fraction | float]:
    """Of each bot, the mean over the speakers of contradictions by inquiries."""
    collected = []
    for j in bots:
        asked = [
            (sum(m for m, _ in cell), sum(c for _, c in cell)) for (_, b), cell in dialogues.items() if b == j
        ]
        rates = [Fraction(c, m) for m, c in asked if m]
        collected.append(sum(rates) / len(rates) if rates else math.nan)
    return collected


def expected(dialogues: Dialogues, reference: str, size: int) -> tuple[float, float]:
    """(share with the reference ranking, mean τ) over all ways to draw so many dialogues of each pair."""
    exact, kendall = [], []
    dialogues = {pair: cell for pair, cell in dialogues.items() if set(pair) <= set(reference)}
    for chosen in itertools.product(*(itertools.product(cell, repeat=size) for cell in dialogues.values())):
        means = mean_rates(dict(zip(dialogues, map(list, chosen), strict=True)), reference)
        pairs = list(itertools.combinations(means, 2))
        exact.append(all(a < b for a, b in itertools.pairwise(means)))
        kendall.append(sum((a < b) - (a > b) for a, b in pairs) / len(pairs))
    return sum(exact) / len(exact), sum(kendall) / len(kendall)


@pytest.mark.parametrize("dialogues", [WHOLE, OTHERS])
def test_curves_are_those_of_all_draws(dialogues: Dialogues) -> None:
    """The dialogues twice over: up to half of them are drawn, with replacement."""
    counts = counted({pair: cell * 2 for pair, cell in dialogues.items()})
    most = len(dialogues["a", "b"])
    for reference in map("".join, itertools.permutations("abc")):
        measured = stability(counts, list(reference), rounds=6000)
        curves = {"": measured.curve} | measured.leave_one_out
        assert set(curves) == {"", *reference}
        for gone, curve in curves.items():
            assert curve.dialogues == tuple(range(1, most + 1))
            exact, tau = expected(dialogues, reference.replace(gone, ""), 1)
            assert curve.agreement[0] == pytest.approx(exact, abs=1e-9 if exact in (0, 1) else 0.03)
            assert curve.kendall[0] == pytest.approx(tau, abs=0.05)
            if gone:
                exact, tau = expected(dialogues, reference.replace(gone, ""), 2)
                assert curve.agreement[1] == pytest.approx(exact, abs=1e-9 if exact in (0, 1) else 0.03)


def test_what_the_data_are_sure_of_makes_clusters() -> None:
    table = np.broadcast_to(np.array([0.05, 0.06, 0.6]), (3, 3))
    counts = simulate.tournament(
        ("a", "b", "c"), table, np.full((3, 3), 4.0), 60, 0.0, np.random.default_rng(3)
    )
    measured = stability(counts, ["a", "b", "c"], rounds=300)
    assert measured.clusters == (("a", "b"), ("c",))
    assert measured.curve.same_clusters[-1] == 1.0 > measured.curve.agreement[-1]
    assert max(measured.curve.dialogues) == 30


def test_equals_are_stable_at_no_number() -> None:
    rng = np.random.default_rng(9)
    given = 0
    for seed in range(60):
        counts = simulate.tournament(("a", "b"), np.full((2, 2), 0.3), np.full((2, 2), 4.0), 60, 0.1, rng)
        given += stability(counts, rounds=200, seed=seed).curve.stable_at() is not None
    assert given <= 6  # 2% expected; make measure has more


def test_two_bots_leave_nobody_out_and_strangers_count_as_speakers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK", 7 * 18)  # seven rounds at a time
    measured = stability(counted(WHOLE), ["b", "", " ", "a"], rounds=6000)
    assert (measured.reference, measured.leave_one_out, measured.given) == (("b", "a"), {}, True)
    exact = np.mean(
        [
            rates[1] < rates[0]
            for chosen in itertools.product(*WHOLE.values())
            for rates in [mean_rates({pair: [one] for pair, one in zip(WHOLE, chosen, strict=True)}, "ab")]
        ]
    )
    assert measured.curve.agreement[0] == pytest.approx(exact, abs=0.03)
    assert measured.notes[0] == "Left out of the ranking: c."
    monkeypatch.setattr(module, "BLOCK", 1)
    assert stability(counted(WHOLE), rounds=3).curve.kendall, "one round is the least"
    two = stability(counted({("a", "b"): [(2, 1)], ("b", "a"): [(4, 1)]}, "ab"), rounds=3)
    assert (two.reference, two.curve.agreement, two.leave_one_out) == (("a", "b"), (1.0,), {})


def test_what_is_thinned_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = counted({pair: cell * 5 for pair, cell in WHOLE.items()})
    monkeypatch.setattr(module, "SIZES", 4)
    assert stability(counts, rounds=3).curve.dialogues == (1, 2, 4, 5)
    monkeypatch.setattr(module, "WORK", 45 * 150)
    for rounds, built in ((150, 150), (151, 150), (10**6, 150)):
        measured = stability(counts, rounds=rounds)
        assert measured.rounds == built
        assert ("150 rounds, as the tournament is large." in measured.notes) == (rounds > 150)
    monkeypatch.setattr(module, "WORK", 1)
    assert stability(counts, rounds=200).rounds == 100


def test_equal_rates_are_said() -> None:
    equal = {("a", "b"): [(2, 1)], ("b", "a"): [(4, 2)], ("a", "c"): [(2, 2)]}
    assert any("equal rates" in note for note in stability(counted(equal), rounds=3).notes)
    assert not any("equal" in note for note in stability(counted(WHOLE), rounds=3).notes)
    assert stability(counted(equal), rounds=3).curve.agreement == (0.0,), "equals are in no order"


def test_a_curve_is_stable_from_where_it_stays() -> None:
    curve = Curve((1, 5, 9, 12), (0.99, 0.5, 0.95, 0.96), (0.0,) * 4, (1.0,) * 4)
    assert [curve.stable_at(share) for share in (0.4, 0.95, 0.96, 0.97)] == [1, 9, 12, None]


@pytest.mark.parametrize("level", [0.95, 0.5])
def test_the_extrapolated_number_is_the_least_at_which_the_intervals_part(level: float) -> None:
    counts = counted(
        {pair: cell * 3 for pair, cell in WHOLE.items()} | {("a", "b"): [(4, 3), (2, 2), (3, 1)]}
    )
    rates, errors = contradiction_rates(counts.cells()), errors_of(counts.cells())
    z = norm.ppf((1 + level) / 2)
    for first, second in itertools.permutations(range(3), 2):
        a, b = sorted((first, second), key=lambda bot: rates[bot])
        separated = separation(counts, first, second, level=level)
        assert (separated.better, separated.worse) == ("abc"[a], "abc"[b])
        assert separated.difference == pytest.approx(rates[b] - rates[a]) and separated.difference > 0
        assert separated.have == (5.5 if 1 in (a, b) else 6)
        noise = z * math.sqrt(errors[a] ** 2 + errors[b] ** 2)

        def overlap(dialogues: float, gap: float) -> bool:
            shrunk = math.sqrt(separated.have / dialogues)  # noqa: B023
            return gap < z * (errors[a] + errors[b]) * shrunk  # noqa: B023

        for gap, number in ((0.0, separated.need), (noise, separated.low), (-noise, separated.high)):
            if (gap := separated.difference + gap) <= 0:
                assert number == math.inf
            else:
                assert number == int(number) and not overlap(number, gap)
                assert number == 1 or overlap(number - 1, gap)
        assert (
            separated.more == max(0.0, separated.need - separated.have)
            and separated.more == separation(counts, b, a, level=level).more
        )


def test_without_a_spread_or_a_gap_nothing_is_extrapolated() -> None:
    equal = counted({("a", "b"): [(2, 1), (4, 1)], ("b", "a"): [(4, 1), (2, 1)]}, "ab")
    separated = separation(equal, 0, 1)
    assert (separated.better, separated.worse, separated.need, separated.more) == (
        "a",
        "b",
        math.inf,
        math.inf,
    )
    single = separation(counted({("a", "b"): [(2, 1)], ("b", "a"): [(4, 1)]}, "ab"), 0, 1)
    assert (single.better, single.have, single.need) == ("a", 1.0, math.inf)
    silent = separation(counted({("a", "a"): [(1, 1)]}, "abc"), 1, 2)
    assert (silent.have, silent.need) == (0.0, math.inf)


# ── the paper's figure ────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def played() -> Counts:
    rng = np.random.default_rng(4)
    return simulate.tournament(trials.BOTS, trials.AUTO, trials.QUESTIONS, 60, 0.1, rng)


@pytest.mark.parametrize("correlation", [0.0, 0.2])
def test_the_papers_figure_2(correlation: float) -> None:
    """Averaged over tournaments, the experts' ranking comes out in 95% at 75 to 200 dialogues per pair."""
    reached = trials.reaches(trials.reproduced(400, correlation))
    assert reached is not None and 75 <= reached <= 200


@pytest.mark.parametrize("bot", ["DialoGPT", "DialoFlow"])
def test_the_papers_figure_2_with_one_of_the_close_pair_left_out(bot: str) -> None:
    reached = trials.reaches(trials.reproduced(400, 0.1, bot))
    assert reached is not None and reached <= 50


def test_the_curve_is_what_sub_samples_say(played: Counts) -> None:
    """Against the plainest way to do it: draw, rank, compare."""
    result = stability(played, simulate.AIH_EXPERTS, rounds=400, seed=1)
    rng = np.random.default_rng(2)
    size = 20
    wanted = [trials.BOTS.index(name) for name in simulate.AIH_EXPERTS]
    same = 0
    for _ in range(400):
        picked = [rng.choice(np.flatnonzero(played.cell() == cell), size) for cell in range(16)]
        rates = contradiction_rates(played.only(np.concatenate(picked)).cells())[wanted]
        same += all(a < b for a, b in itertools.pairwise(rates))
    at = result.curve.dialogues.index(size)
    assert result.curve.agreement[at] == pytest.approx(same / 400, abs=0.1)


def test_leaving_a_bot_out_equals_a_tournament_without_it(played: Counts) -> None:
    whole = stability(played, rounds=300, seed=1)
    rest = stability(played.without(3), rounds=300, seed=1)
    ours = whole.leave_one_out["DialoFlow"]
    assert rest.reference == tuple(name for name in whole.reference if name != "DialoFlow")
    assert ours.agreement == pytest.approx(rest.curve.agreement, abs=0.11)


def test_without_a_reference_it_is_the_datas_own_and_says_so(played: Counts) -> None:
    result = stability(played, rounds=50)
    assert not result.given and "itself uncertain" in result.notes[0]
    assert max(result.curve.dialogues) == 30 and any("half of the 60" in note for note in result.notes)
    assert result == stability(played, rounds=50)


def test_a_reversed_reference_is_never_reached(played: Counts) -> None:
    result = stability(played, simulate.AIH_EXPERTS[::-1], rounds=50)
    assert result.curve.stable_at() is None
    assert result.curve.kendall[-1] < -0.7


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        (["Plato", "Nobody"], "names Nobody"),
        (["Plato", "Plato"], "twice"),
        (["Plato"], "at least two"),
        (["Plato", "  "], "at least two"),
    ],
)
def test_a_wrong_reference_is_one_clear_sentence(played: Counts, reference: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        stability(played, reference)


def test_a_bot_without_judged_inquiries_has_no_place(played: Counts) -> None:
    silent = played.only(played.tested != 1)
    with pytest.raises(InputError, match="No judged inquiry of Plato;"):
        stability(silent, ["Plato", "Blender"])
    measured = stability(silent, rounds=3)
    assert "Plato" not in measured.reference and len(measured.reference) == 3
    assert [(s.better, s.worse) for s in neighbours(silent)] == list(itertools.pairwise(measured.reference))


def test_a_partial_reference_ranks_only_its_bots(played: Counts) -> None:
    result = stability(played, ["Plato", "Blender"], rounds=20)
    assert result.reference == ("Plato", "Blender")
    assert any("Left out" in note for note in result.notes)


def test_unequal_pairs_are_sampled_up_to_the_smallest(played: Counts) -> None:
    fewer = played.only((played.cell() != 5) | (played.number < 10))
    result = stability(fewer, rounds=20)
    assert max(result.curve.dialogues) == 5
    assert any("10 to 60" in note for note in result.notes)


def test_nothing_judged_is_said() -> None:
    with pytest.raises(InputError, match="judged"):
        stability(Counts.of(("a", "b"), [0], [1], [0], [0]))
    with pytest.raises(InputError, match="two bots"):
        stability(Counts.of(("a", "b"), [0], [1], [2], [1]))


def test_the_extrapolated_number_does_separate() -> None:
    """At the number of dialogues it names, the intervals part about as often as not."""
    rng = np.random.default_rng(3)
    played = simulate.tournament(trials.BOTS, trials.AUTO, trials.QUESTIONS, 2000, 0, rng)
    separated = separation(played, 2, 3)
    assert (separated.better, separated.worse) == ("DialoGPT", "DialoFlow")
    assert separated.low <= separated.need <= separated.high
    assert 0.3 * 400 < separated.need < 3 * 400  # (1.96 (0.0114 + 0.0081) √200 / 0.033)² is about 270 to 400
    small = separation(played.only(played.number < 10), 2, 3)
    assert small.high == float("inf")


def test_neighbours_come_in_the_order_of_the_ranking(played: Counts) -> None:
    ranking = stability(played, rounds=1).reference
    assert [(s.better, s.worse) for s in neighbours(played)] == list(itertools.pairwise(ranking))
