"""Exact distributions: moments by their definitions, chances and quantiles by counting."""

from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

from taisai.maths import Distribution, MathsError

AMOUNTS = st.integers(-50, 50) | st.integers(-(10**30), 10**30)
MAPPINGS = st.dictionaries(AMOUNTS, st.integers(1, 1000), min_size=1, max_size=8)


def listed(weights: dict[int, int]) -> list[int]:
    """Write a distribution out, each amount as often as its weight."""
    return sorted(value for value, weight in weights.items() for _ in range(weight))


@given(MAPPINGS)
def test_moments_are_those_of_the_definitions(weights: dict[int, int]) -> None:
    net, total = Distribution.from_mapping(weights), sum(weights.values())
    mean = sum(Fraction(value * weight, total) for value, weight in weights.items())
    central = [
        sum(Fraction(weight, total) * (value - mean) ** n for value, weight in weights.items())
        for n in (2, 3)
    ]
    assert [net.mean, net.variance, net.third_central_moment] == [mean, *central]
    if central[0]:
        assert abs(net.skewness_squared) == central[1] ** 2 / central[0] ** 3
        assert (net.skewness_squared > 0) == (central[1] > 0)


@given(MAPPINGS, AMOUNTS)
def test_chances_are_counted(weights: dict[int, int], value: int) -> None:
    net, all_of_it = Distribution.from_mapping(weights), listed(weights)
    for chance, holds in (
        (net.probability, int.__eq__),
        (net.below, int.__lt__),
        (net.at_most, int.__le__),
        (net.at_least, int.__ge__),
        (net.above, int.__gt__),
    ):
        for each in (value, *weights):
            count = sum(holds(amount, each) for amount in all_of_it)
            assert chance(each) == Fraction(count, len(all_of_it))


@given(MAPPINGS, st.fractions(0, 1))
def test_a_quantile_is_the_first_amount_that_reaches_the_share(
    weights: dict[int, int], share: Fraction
) -> None:
    net = Distribution.from_mapping(weights)
    found = net.quantile(share)
    assert found in weights
    assert net.at_most(found) >= share
    assert all(net.at_most(value) < share for value in weights if value < found)


def test_a_share_is_taken_as_it_is_written() -> None:
    net = Distribution.from_mapping({0: 1, 1: 19})
    assert net.quantile("0.05") == net.quantile("1/20") == net.quantile(Fraction(1, 20)) == 0
    # The float is slightly more than a twentieth, and is taken exactly.
    assert net.quantile(0.05) == 1
    assert net.quantile(0) == 0
    assert net.quantile(1) == 1


def test_roots_agree_with_scipy() -> None:
    weights = {-1: 125, 1: 75, 2: 15, 12: 1}
    net, sample = Distribution.from_mapping(weights), listed(weights)
    assert net.standard_deviation == pytest.approx(stats.tstd(sample, ddof=0), rel=1e-12)
    assert net.skewness == pytest.approx(stats.skew(sample), rel=1e-12)
    assert Distribution.from_mapping({-12: 1, 1: 215}).skewness < 0


@pytest.mark.parametrize("unit", [1, 10**24, 10**150])
def test_roots_of_very_large_amounts_are_taken_in_whole_numbers(unit: int) -> None:
    net = Distribution.from_mapping({-unit: 1, 2 * unit: 2})
    assert net.standard_deviation == pytest.approx(sqrt(2) * unit, rel=1e-15)
    assert net.skewness == pytest.approx(-1 / sqrt(2), rel=1e-15)


def test_one_amount_alone_spreads_and_leans_nowhere() -> None:
    net = Distribution.from_mapping({7: 3})
    assert [net.mean, net.variance] == [Fraction(7), Fraction(0)]
    assert [net.skewness, net.standard_deviation] == [0, 0]


def test_equality_is_of_chances_and_not_of_totals() -> None:
    one, same = Distribution.from_mapping({-1: 1, 1: 2}), Distribution.from_mapping({1: 8, -1: 4})
    assert one == same
    assert hash(one) == hash(same)
    assert one != Distribution.from_mapping({-1: 2, 1: 1})
    assert one != Distribution.from_mapping({-1: 1, 2: 2})
    assert one != {-1: 1, 1: 2}


def test_it_is_told_and_iterated_from_the_lowest() -> None:
    net = Distribution.from_mapping({2: 1, -1: 3})
    assert list(net) == [(-1, Fraction(3, 4)), (2, Fraction(1, 4))]
    assert list(net.pairs()) == [(-1, 3), (2, 1)]
    assert len(net) == 2
    assert repr(net) == "<Distribution {-1: 3/4, 2: 1/4}>"
    many = Distribution.from_mapping(dict.fromkeys(range(20), 1))
    assert repr(many) == "<Distribution of 20 amounts from 0 to 19>"


def test_scaling_turns_amounts_and_keeps_chances() -> None:
    net = Distribution.from_mapping({-1: 3, 2: 1})
    assert net.scaled(-2) == Distribution.from_mapping({2: 3, -4: 1})
    assert net.scaled(3) == Distribution.from_mapping({-3: 3, 6: 1})
    with pytest.raises(MathsError, match="other than zero"):
        net.scaled(0)


def test_amounts_that_cannot_come_are_left_out() -> None:
    assert Distribution.from_mapping({1: 0, 2: 5}).values == (2,)


@pytest.mark.parametrize("weights", [{}, {1: 0}, {1: -1, 2: 3}, {1: 0.5}, {1.5: 1}, {True: 1}])
def test_what_is_no_distribution_is_refused(weights: dict[int, int]) -> None:
    with pytest.raises(MathsError, match=r"^a distribution "):
        Distribution.from_mapping(weights)


@pytest.mark.parametrize("share", [-1, "1.1", "half", float("nan"), True, "1/0", float("inf")])
def test_what_is_no_share_is_refused(share: float | str) -> None:
    with pytest.raises(MathsError, match="share"):
        Distribution.from_mapping({1: 1}).quantile(share)


@pytest.mark.parametrize(
    "share", ["1e-99999999", "1E99999999", "1e-9_9_9_9_9_9_9_9", "0." + "0" * 1_000 + "1"]
)
def test_a_share_too_long_to_be_one_is_refused_before_it_is_written_out(share: str) -> None:
    with pytest.raises(MathsError, match="at most 1000 characters, and an exponent of at most"):
        Distribution.from_mapping({1: 1}).quantile(share)


def test_a_share_as_small_as_its_limit_is_taken() -> None:
    assert Distribution.from_mapping({1: 1, 2: 1}).quantile("1e-999") == 1
