"""The smallest bias that would be found, checked by throwing dice with just that bias."""

from math import isclose

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats  # type: ignore[import-untyped]

from taisai.maths.fairness.detection import (
    Loading,
    _power,
    critical_count,
    detectable,
    face_excess,
    result_excess,
    throws_needed,
)
from taisai.maths.fairness.tails import chi_square_critical

LEVEL = 0.01 / 17
SAMPLES = 4_000
ONE_KNOWN, ONE_OF_THREE, ALL_ALIKE = Loading(1, 1), Loading(1, 3), Loading(3, 3)


def faces(generator: np.random.Generator, throws: int, excess: float) -> npt.NDArray[np.int64]:
    shares = np.full(6, 1 / 6 - excess / 5)
    shares[5] = 1 / 6 + excess
    return generator.multinomial(throws, shares, SAMPLES)


def found_share(counts: npt.NDArray[np.int64]) -> float:
    expected = counts.sum(axis=1, keepdims=True) / 6
    statistics = ((counts - expected) ** 2 / expected).sum(axis=1)
    return float((statistics >= stats.chi2.isf(LEVEL, 5)).mean())


@pytest.mark.parametrize("throws", [60, 200, 2_000, 200_000])
@pytest.mark.parametrize("power", [0.8, 0.9])
def test_a_face_with_the_bias_told_is_found_as_often_as_told(throws: int, power: float) -> None:
    generator = np.random.default_rng(throws)
    excess = face_excess(throws, ONE_KNOWN, LEVEL, power)
    assert excess is not None
    error = (power * (1 - power) / SAMPLES) ** 0.5
    # With few throws the law of k is slightly skewed: one in a hundred is allowed for that.
    assert abs(found_share(faces(generator, throws, excess)) - power) <= 4 * error + 0.01
    assert found_share(faces(generator, throws, excess / 2)) < power / 2


def test_dice_not_known_one_from_another_hide_more() -> None:
    throws, power, generator = 3_000, 0.9, np.random.default_rng(2)
    excess = face_excess(throws, ONE_OF_THREE, LEVEL, power)
    alike = face_excess(throws, ALL_ALIKE, LEVEL, power)
    assert excess is not None
    assert alike is not None
    found = found_share(faces(generator, throws, excess) + faces(generator, 2 * throws, 0.0))
    assert abs(found - power) <= 0.03
    assert isclose(excess, 3 * alike, rel_tol=0.02)
    assert abs(found_share(faces(generator, 3 * throws, alike)) - power) <= 0.03


@pytest.mark.parametrize("excess", [0.0, 0.0005, 0.001, 0.002])
def test_with_many_throws_the_power_is_that_of_the_noncentral_law(excess: float) -> None:
    throws = 1_000_000
    shift = max(7.2 * throws * excess**2, 1e-12)
    expected = stats.ncx2.sf(stats.chi2.isf(LEVEL, 5), 5, shift)
    critical = chi_square_critical(5, LEVEL)
    assert isclose(_power(throws, ONE_KNOWN, excess, critical), expected, abs_tol=0.003)


@pytest.mark.parametrize("ways", [1, 3, 6])
@pytest.mark.parametrize("throws", [100, 10_000, 1_000_000])
def test_a_result_with_the_bias_told_is_found_as_often_as_told(ways: int, throws: int) -> None:
    fair, level = ways / 216, LEVEL / 112
    count = critical_count(throws, fair, level)
    assert (
        stats.binom.sf(count - 1, throws, fair) <= level < stats.binom.sf(count - 2, throws, fair)
    )
    excess = result_excess(throws, ways, LEVEL, 0.8)
    assert excess is not None
    assert isclose(stats.binom.sf(count - 1, throws, fair + excess), 0.8, rel_tol=1e-6)
    counts = np.random.default_rng(ways).binomial(throws, fair + excess, SAMPLES)
    assert abs(float((counts >= count).mean()) - 0.8) <= 4 * (0.16 / SAMPLES) ** 0.5


def test_few_throws_find_nothing_and_more_find_less() -> None:
    assert all(found.excess is None for found in detectable(1, 0.01, 12, dice_known=True))
    few, many = (detectable(n, 0.01, 17, dice_known=True) for n in (1_000, 100_000))
    for before, after in zip(few, many, strict=True):
        assert before.excess is not None
        assert after.excess is not None
        assert after.excess < before.excess / 5
    assert {found.power for found in few} == {0.8, 0.9}
    most = detectable(10_000_000, 0.01, 17, dice_known=False)
    assert all(found.excess is not None and 0 < found.excess < 0.002 for found in most)


def test_throws_needed_find_one_in_a_hundred() -> None:
    throws = throws_needed(0.01, 17, 0.9, dice_known=True)
    excess = face_excess(throws, ONE_KNOWN, LEVEL, 0.9)
    assert excess is not None
    assert isclose(excess, 0.01, rel_tol=1e-4)
    assert isclose(throws_needed(0.01, 17, 0.9, dice_known=False), 3 * throws, rel_tol=0.02)
