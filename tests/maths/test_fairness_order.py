"""Tests of the order of throws: every order of a few throws, and simulation of many."""

from collections import Counter
from itertools import pairwise, permutations
from math import isclose

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

from taisai.maths.fairness.monte_carlo import Chance, Method
from taisai.maths.fairness.order_tests import (
    ALL_FACES,
    DICE,
    ECHO_THROWS_MIN,
    RUNS_EXACT_MAX,
    TOTALS,
    centred,
    echoes,
    run_chances,
    runs,
    serial,
)
from taisai.maths.fairness.throws import Throws

CHANCE = Chance(seed=5, most=40_000)
ECHOES = {"totals": TOTALS, "faces": ALL_FACES, "die": DICE[1]}


def drawn(throws: int, seed: int) -> Throws:
    generator = np.random.default_rng(seed)
    return Throws(generator.integers(0, 216, throws, dtype=np.uint8), dice_known=True)


@pytest.mark.parametrize(("big", "small"), [(1, 1), (3, 5), (4, 4), (1, 7), (6, 2)])
def test_chances_of_runs_are_those_of_every_order(big: int, small: int) -> None:
    orders = list(permutations("b" * big + "s" * small))
    counted = Counter(1 + sum(one != other for one, other in pairwise(order)) for order in orders)
    chances = run_chances(big, small)
    assert isclose(chances.sum(), 1)
    for number, chance in enumerate(chances):
        assert isclose(chance, counted[number] / len(orders), abs_tol=1e-12)


def test_runs_by_the_large_law_are_close_to_the_exact_ones() -> None:
    throws = drawn(RUNS_EXACT_MAX, 1)
    exact = runs("runs", throws)
    large = runs("runs", Throws(np.append(throws.codes, throws.codes[:1]), dice_known=True))
    assert (exact.method, large.method) == (Method.EXACT, Method.ASYMPTOTIC)
    assert abs(exact.p - large.p) < 0.01


def test_totals_that_alternate_or_stay_are_found() -> None:
    low, high = (1, 2, 3), (6, 5, 4)
    assert runs("runs", Throws.of([low, high] * 10)).p < 1e-4
    assert runs("runs", Throws.of([low] * 10 + [high] * 10)).p < 1e-4
    assert runs("runs", Throws.of([low] * 10)).p == 1.0


@pytest.mark.parametrize("name", ECHOES)
def test_an_echo_is_centred_on_both_sides_and_has_a_variance_of_one(name: str) -> None:
    """For throws of loaded dice too, over all pairs of the throws."""
    echo = ECHOES[name]
    codes = np.random.default_rng(2).integers(0, 216, 120, dtype=np.uint8)
    symbols = echo.symbol_of[np.minimum(codes, 180)]
    table = centred(echo.likeness, symbols)[np.ix_(symbols, symbols)]
    assert np.allclose(table.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(table.mean(axis=1), 0, atol=1e-12)
    assert isclose((table**2).mean(), 1)
    assert not centred(echo.likeness, symbols[:1]).any()


def test_the_echo_of_totals_is_their_serial_correlation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taisai.maths.fairness.order_tests._PAIRS_AT_A_TIME", 1_999)
    throws = drawn(5_000, 3)
    totals = np.array([code // 36 + code // 6 % 6 + code % 6 + 3 for code in throws.codes.tolist()])
    outcome = serial("echo-totals", throws, TOTALS, 3, CHANCE)
    away = totals - totals.mean()
    for lag, found in enumerate(outcome.details["correlations"], start=1):
        expected = (away[:-lag] * away[lag:]).mean() / totals.var()
        assert isclose(found, expected, rel_tol=1e-9)
    assert isclose(outcome.p, stats.chi2.sf(outcome.statistic, 3))


def test_the_echo_of_faces_is_the_sum_over_faces() -> None:
    """Faces counted one by one in each throw, their products added up by hand."""
    throws = drawn(300, 4)
    shown = np.array(
        [
            [(code // 36, code // 6 % 6, code % 6).count(face) for face in range(6)]
            for code in throws.codes.tolist()
        ]
    )
    away = shown - shown.mean(axis=0)
    products = away @ away.T
    symbols = ALL_FACES.symbol_of[throws.codes]
    found = echoes(symbols, centred(ALL_FACES.likeness, symbols), 2)
    for lag in (1, 2):
        total = np.trace(products, offset=lag)
        assert isclose(found[lag - 1], total / ((300 - lag) * (products**2).mean()) ** 0.5)


@pytest.mark.parametrize("name", ECHOES)
def test_draws_of_echoes_agree_with_every_order(name: str) -> None:
    """Five throws have 120 orders: all of them, against draws of them."""
    dice = [(1, 2, 2), (3, 2, 5), (1, 4, 1), (6, 4, 6), (6, 6, 6)]
    throws, echo = Throws.of(dice, dice_known=True), ECHOES[name]
    found = serial("echo", throws, echo, 2, CHANCE)
    every = np.array(list(permutations(echo.symbol_of[throws.codes].tolist())), dtype=np.uint8)
    scores = centred(echo.likeness, every[0])
    extreme = (echoes(every, scores, 2) ** 2).sum(axis=0) >= found.statistic - 1e-9
    assert found.method is Method.MONTE_CARLO
    assert found.error is not None
    assert abs(found.p - extreme.mean()) <= 4 * found.error + 1e-12


@pytest.mark.parametrize("name", ECHOES)
@pytest.mark.parametrize("highest", [216, 150])
def test_the_large_law_of_echoes_holds_at_its_rule(name: str, highest: int) -> None:
    """For fair dice, and for dice that never show some throws: only the order is tested."""
    echo, generator = ECHOES[name], np.random.default_rng(17)
    statistics = []
    for _ in range(1_500):
        codes = generator.integers(0, highest, ECHO_THROWS_MIN, dtype=np.uint8)
        symbols = echo.symbol_of[codes]
        statistics.append((echoes(symbols, centred(echo.likeness, symbols), 5) ** 2).sum())
    for level in (0.01, 0.1):
        rate = float((np.array(statistics) >= stats.chi2.isf(level, 5)).mean())
        assert abs(rate - level) <= 4 * (level * (1 - level) / len(statistics)) ** 0.5


@pytest.mark.parametrize("name", ECHOES)
def test_throws_that_are_repeated_are_found(name: str) -> None:
    generator = np.random.default_rng(9)
    codes = generator.integers(0, 216, 600, dtype=np.uint8)
    again = generator.random(600) < 0.35
    for place in np.flatnonzero(again[2:]) + 2:
        codes[place] = codes[place - 2]
    outcome = serial("echo", Throws(codes, dice_known=True), ECHOES[name], 5, CHANCE)
    assert outcome.p < 1e-3
    assert outcome.details["lag"] == 2
