"""Tests of counts: exact laws by enumeration, draws against exact laws, scipy for large counts."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import factorial, isclose, prod

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

from taisai.maths.fairness.count_tests import (
    EXPECTED_MIN,
    WORK_MAX,
    exact_tail,
    exact_work,
    furthest_result,
    goodness,
    independence,
    pair_of_dice,
    score_of,
    statistic_of,
)
from taisai.maths.fairness.monte_carlo import (
    DRAWS_MAX,
    DRAWS_MIN,
    Chance,
    Method,
    draws_for,
    estimate,
)
from taisai.maths.fairness.throws import (
    FACE_WEIGHTS,
    PATTERN_WEIGHTS,
    RESULT_WEIGHTS,
    TOTAL_WEIGHTS,
    Floats,
    Throws,
)

CHANCE = Chance(seed=7, most=40_000)


def drawn(throws: int, seed: int) -> Throws:
    generator = np.random.default_rng(seed)
    return Throws(generator.integers(0, 216, throws, dtype=np.uint8), dice_known=True)


def enumerated(throws: int, weights: Sequence[int], least: Fraction) -> Fraction:
    """Add up the multinomial chance of all counts whose chi-square is at least this."""
    whole, total = sum(weights), Fraction(0)
    for counts in product(range(throws + 1), repeat=len(weights)):
        if sum(counts) == throws and chi_square(counts, weights) >= least:
            ways = factorial(throws) // prod(map(factorial, counts))
            chance = prod(Fraction(w, whole) ** o for w, o in zip(weights, counts, strict=True))
            total += ways * chance
    return total


def chi_square(counts: Sequence[int], weights: Sequence[int]) -> Fraction:
    throws, whole = sum(counts), sum(weights)
    expected = [Fraction(throws * weight, whole) for weight in weights]
    return sum(((o - e) ** 2 / e for o, e in zip(counts, expected, strict=True)), start=Fraction(0))


@pytest.mark.parametrize(
    ("counts", "weights"),
    [
        ((3, 0, 1, 1, 2, 0), FACE_WEIGHTS),
        ((0, 0, 0, 0, 0, 5), FACE_WEIGHTS),
        ((1, 1, 1, 1, 1, 1), FACE_WEIGHTS),
        ((6, 5, 1), PATTERN_WEIGHTS),
        ((20, 9, 3), PATTERN_WEIGHTS),
        ((1, 0, 2, 4), (1, 3, 6, 10)),
    ],
)
def test_an_exact_p_value_is_the_sum_over_all_counts(
    counts: tuple[int, ...], weights: tuple[int, ...]
) -> None:
    throws, observed = sum(counts), chi_square(counts, weights)
    score = score_of(np.array(counts), weights)
    assert isclose(statistic_of(score, throws, weights), float(observed), abs_tol=1e-12)
    expected = float(enumerated(throws, weights, observed))
    assert isclose(exact_tail(throws, score, weights), expected, rel_tol=1e-9)


def test_two_throws_among_56_results_by_hand() -> None:
    """Only two equal triples are further off than two different ones, and so on down."""
    counts = np.zeros(56, dtype=np.int64)
    counts[0] = 2
    outcome = goodness("results", counts, RESULT_WEIGHTS, CHANCE)
    assert outcome.method is Method.EXACT
    assert isclose(outcome.p, 6 / 216**2, rel_tol=1e-6)


@pytest.mark.parametrize("weights", [FACE_WEIGHTS, TOTAL_WEIGHTS, RESULT_WEIGHTS, PATTERN_WEIGHTS])
def test_draws_agree_with_the_exact_law(weights: tuple[int, ...]) -> None:
    shares = np.array(weights) / sum(weights)
    counts = np.random.default_rng(3).multinomial(18, shares)
    score = score_of(counts, weights)
    simulated = np.random.default_rng(4).multinomial(18, shares, 40_000)
    scores = [score_of(row, weights) for row in simulated[:4_000]]
    p = exact_tail(18, score, weights)
    error = (p * (1 - p) / len(scores)) ** 0.5
    assert abs(np.mean([each >= score for each in scores]) - p) <= 4 * error


def test_the_method_follows_the_counts() -> None:
    small, medium, large = drawn(20, 1), drawn(900, 2), drawn(216 * EXPECTED_MIN, 3)
    methods = [
        goodness("results", throws.result_counts, RESULT_WEIGHTS, CHANCE).method
        for throws in (small, medium, large)
    ]
    assert methods == [Method.EXACT, Method.MONTE_CARLO, Method.ASYMPTOTIC]
    assert (
        exact_work(900, score_of(medium.result_counts, RESULT_WEIGHTS), RESULT_WEIGHTS) > WORK_MAX
    )


@pytest.mark.parametrize("seed", range(4))
def test_monte_carlo_and_the_large_law_agree_where_they_meet(seed: int) -> None:
    """Just below the rule p comes from draws, and the chi-square law is close to it already."""
    throws = drawn(216 * EXPECTED_MIN - 1, seed)
    found = goodness("totals", throws.total_counts, TOTAL_WEIGHTS, CHANCE)
    assert found.method is Method.MONTE_CARLO
    assert found.error is not None
    expected = np.array(TOTAL_WEIGHTS) / 216 * len(throws)
    statistic, p = stats.chisquare(throws.total_counts, expected)
    assert isclose(found.statistic, statistic)
    assert abs(found.p - p) <= 4 * found.error + 0.01


def test_the_large_law_holds_far_out_at_its_rule() -> None:
    """One p-value in a thousand below 1/1000, when the rarest result is expected 20 times."""
    shares = np.array(RESULT_WEIGHTS) / 216
    expected = 216 * EXPECTED_MIN * shares
    counts = np.random.default_rng(11).multinomial(216 * EXPECTED_MIN, shares, 40_000)
    statistics = ((counts - expected) ** 2 / expected).sum(axis=1)
    rate = float((statistics >= stats.chi2.isf(1e-3, 55)).mean())
    assert abs(rate - 1e-3) <= 4 * (1e-3 / 40_000) ** 0.5 + 2e-4


def test_draws_stop_when_enough_is_known_and_go_on_when_it_matters() -> None:
    def uniform(generator: np.random.Generator, size: int) -> Floats:
        return generator.random(size)

    likely = estimate(uniform, 0.5, 1, CHANCE, "a")
    assert abs(likely.p - 0.5) <= 4 * likely.error
    assert likely.draws < 1_200
    rare = estimate(uniform, 0.999, 1, CHANCE, "a")
    assert (rare.draws, abs(rare.p - 0.001) <= 4 * rare.error) == (CHANCE.most, True)
    never = estimate(uniform, 2.0, 1, CHANCE, "a")
    assert never.p == 1 / (CHANCE.most + 1)
    assert estimate(uniform, 0.5, 1, CHANCE, "a") == likely
    assert estimate(uniform, 0.5, 1, CHANCE._replace(seed=8), "a") != likely
    assert (draws_for(1, 0.5), draws_for(10_000, 1e-4)) == (DRAWS_MIN, DRAWS_MAX)
    assert draws_for(17, 0.01) * 0.01 / 17 >= 10


def test_p_values_from_draws_are_valid() -> None:
    """Fair dice get a p-value of u or less with a chance of u at the most."""
    shares = np.array(TOTAL_WEIGHTS) / 216
    samples = np.random.default_rng(21).multinomial(300, shares, 500)
    outcomes = [
        goodness("r", counts, TOTAL_WEIGHTS, Chance(number, 2_000))
        for number, counts in enumerate(samples)
    ]
    assert {outcome.method for outcome in outcomes} == {Method.MONTE_CARLO}
    found = [outcome.p for outcome in outcomes]
    for level in (0.05, 0.2, 0.5):
        error = (level * (1 - level) / len(found)) ** 0.5
        assert np.mean(np.array(found) <= level) <= level + 3.5 * error


def test_the_result_furthest_off_is_judged_as_the_worst_of_56() -> None:
    counts = drawn(2_160, 5).result_counts
    counts[0] = 40
    outcome = furthest_result("furthest", counts)
    throws = int(counts.sum())
    tails = [
        2 * min(stats.binom.sf(c - 1, throws, w / 216), stats.binom.cdf(c, throws, w / 216))
        for c, w in zip(counts.tolist(), RESULT_WEIGHTS, strict=True)
    ]
    assert outcome.details["cell"] == 0
    assert isclose(outcome.p, 56 * min(tails), rel_tol=1e-9)


def test_independence_is_scipys_chi_square_of_a_table() -> None:
    table = drawn(3_000, 6).pair_counts(0, 2)
    expected = stats.chi2_contingency(table, correction=False)
    assert isclose(independence(table[None])[0], expected.statistic)
    outcome = pair_of_dice("dice-1-3", drawn(3_000, 6), 0, 2, CHANCE)
    assert isclose(outcome.p, expected.pvalue)
    assert outcome.method is Method.ASYMPTOTIC


def test_a_shuffled_pair_of_dice_agrees_with_every_order() -> None:
    """Five throws have 120 orders of the second die: all of them, against draws of them."""
    from itertools import permutations  # noqa: PLC0415 - of use here alone

    dice = [(1, 1, 3), (2, 2, 3), (3, 3, 3), (4, 4, 3), (1, 5, 3)]
    throws = Throws.of(dice, dice_known=True)
    observed = independence(throws.pair_counts(0, 1)[None])[0]
    extreme = []
    for order in permutations([face for _, face, _ in dice]):
        shuffled = [(one, other, 1) for (one, _, _), other in zip(dice, order, strict=True)]
        table = Throws.of(shuffled, dice_known=True).pair_counts(0, 1)
        extreme.append(independence(table[None])[0] >= observed - 1e-9)
    found = pair_of_dice("dice-1-2", throws, 0, 1, CHANCE)
    assert found.error is not None
    assert abs(found.p - np.mean(extreme)) <= 4 * found.error + 1e-12


def test_a_die_that_follows_another_is_found() -> None:
    generator = np.random.default_rng(8)
    first = generator.integers(0, 6, 400)
    second = np.where(generator.random(400) < 0.25, first, generator.integers(0, 6, 400))
    codes = (36 * first + 6 * second + generator.integers(0, 6, 400)).astype(np.uint8)
    throws = Throws(codes, dice_known=True)
    assert pair_of_dice("dice-1-2", throws, 0, 1, CHANCE).p < 1e-3
    assert pair_of_dice("dice-1-3", throws, 0, 2, CHANCE).p > 1e-3
