"""Tails of chi-square and binomial laws, compared with scipy."""

from math import isclose

import pytest
from scipy import stats  # type: ignore[import-untyped]

from taisai.maths.fairness.tails import (
    binomial_at_least,
    binomial_at_most,
    chi_square_critical,
    chi_square_tail,
    normal_quantile,
    share_reaching,
    two_sided,
)


@pytest.mark.parametrize("degrees", [1, 2, 5, 15, 25, 55])
def test_chi_square_tails_are_scipys(degrees: int) -> None:
    for statistic in (0.01, 0.5, 3.0, 11.07, 25.0, 60.0, 120.0, 400.0):
        expected = float(stats.chi2.sf(statistic, degrees))
        assert isclose(chi_square_tail(statistic, degrees), expected, rel_tol=1e-9, abs_tol=1e-14)
    assert chi_square_tail(0.0, degrees) == 1.0
    assert isclose(chi_square_critical(degrees, 1e-4), stats.chi2.isf(1e-4, degrees), rel_tol=1e-9)


@pytest.mark.parametrize("trials", [1, 7, 216, 50_000, 10_000_000])
def test_binomial_tails_are_scipys(trials: int) -> None:
    for chance in (1 / 216, 1 / 36, 1 / 6, 0.5):
        middle, spread = trials * chance, (trials * chance * (1 - chance)) ** 0.5
        for step in (-6, -1, 0, 1, 6):
            count = min(max(round(middle + step * spread), 0), trials)
            at_least = stats.binom.sf(count - 1, trials, chance)
            at_most = stats.binom.cdf(count, trials, chance)
            assert isclose(binomial_at_least(count, trials, chance), at_least, rel_tol=1e-6)
            assert isclose(binomial_at_most(count, trials, chance), at_most, rel_tol=1e-6)


def test_binomial_tails_at_the_ends() -> None:
    assert binomial_at_least(0, 10, 0.3) == 1.0
    assert binomial_at_least(11, 10, 0.3) == 0.0
    assert binomial_at_least(3, 10, 0.0) == 0.0
    assert binomial_at_least(3, 10, 1.0) == 1.0
    assert binomial_at_most(10, 10, 0.3) == 1.0
    assert two_sided(0.7, 0.6) == 1.0


def test_the_share_that_reaches_a_count() -> None:
    share = share_reaching(25, 1_000, 0.9)
    assert isclose(stats.binom.sf(24, 1_000, share), 0.9, rel_tol=1e-8)
    assert isclose(normal_quantile(0.995), stats.norm.ppf(0.995))
