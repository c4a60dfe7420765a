"""Bands of return: chances and quantiles of long sessions, against whole numbers and scipy."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom  # type: ignore[import-untyped]

import taisai
from taisai.maths.distribution import Distribution
from taisai.maths.errors import MathsError
from taisai.maths.sessions.exact import session
from taisai.maths.sessions.quantile_bands import CHANCE_ERROR, ROUNDS_MAX, LongSum
from taisai.maths.slates import Slate

#: The largest error seen in a chance, and a thousandth of the error allowed.
SEEN = CHANCE_ERROR / 1000
ENDS = (Fraction(1, 20), Fraction(19, 20))


def net_of(box: str) -> Distribution:
    return Slate.of(taisai.pay_table("etg8/2"), {box: 2}).net


@pytest.mark.parametrize("rounds", [1, 2, 7, 100, 1000])
@pytest.mark.parametrize("box", ["small", "single-1", "total-4", "triple-1"])
def test_chances_and_quantiles_are_those_of_whole_numbers(box: str, rounds: int) -> None:
    net = net_of(box)
    bankroll = session(net, rounds).bankroll
    near = LongSum(net, rounds)
    some = range(0, len(bankroll.values), max(1, len(bankroll.values) // 150))
    for place in some:
        exact = bankroll.cumulative[place] / bankroll.total
        assert near.at_most(bankroll.values[place]) == pytest.approx(exact, abs=SEEN)
    for share in (*ENDS, Fraction(1, 1000), Fraction(1, 2), Fraction(9_999, 10_000)):
        assert near.quantile(share) == (bankroll.quantile(share), True)


def test_a_slate_of_many_boxes_is_met_as_well() -> None:
    slate = Slate.of(taisai.pay_table("ts6/2"), {"small": 700, "single-3": 500, "total-10": 300})
    bankroll = session(slate, 60).bankroll
    near = LongSum(slate.net, 60)
    for share in ENDS:
        assert near.quantile(share) == (bankroll.quantile(share), True)
    middle = bankroll.quantile("1/2")
    assert near.at_most(middle) == pytest.approx(float(bankroll.at_most(middle)), abs=SEEN)
    assert near.at_most(middle + 1) == near.at_most(middle), "between two amounts lies nothing"


@pytest.mark.parametrize("rounds", [10**4, 10**5, 10**6, 10**7, 10**8])
@pytest.mark.parametrize("box", ["small", "total-4", "triple-1"])
def test_long_sessions_of_one_price_are_binomial(box: str, rounds: int) -> None:
    net = net_of(box)
    lose, win = net.values
    chance = net.weights[1] / 216
    near = LongSum(net, rounds)
    for share in ENDS:
        wins = int(binom.ppf(float(share), rounds, chance))
        assert near.quantile(share) == (lose * rounds + (win - lose) * wins, True)
    mean = round(rounds * chance)
    spread = round((rounds * chance) ** 0.5)
    for wins in range(mean - 4 * spread, mean + 4 * spread, max(1, spread // 3)):
        found = near.at_most(lose * rounds + (win - lose) * wins)
        # scipy's own binomial is good to about ten digits at this size.
        assert found == pytest.approx(binom.cdf(wins, rounds, chance), abs=1e-10)


def test_long_sessions_of_three_prices_are_the_power_of_a_polynomial() -> None:
    net, rounds = net_of("single-1"), 20_000
    degrees = [(value - net.values[0]) // 2 for value in net.values]
    size = degrees[-1] * rounds + 1
    terms = np.zeros(size)
    terms[degrees] = np.array(net.weights) / 216
    cumulative = np.cumsum(np.fft.irfft(np.fft.rfft(terms, size) ** rounds, size))
    near = LongSum(net, rounds)
    for share in ENDS:
        found = near.quantile(share)
        place = (found.value - net.values[0] * rounds) // 2
        assert cumulative[place - 1] < share <= cumulative[place]
        assert near.at_most(found.value) == pytest.approx(cumulative[place], abs=1e-9)


def test_a_share_met_to_a_hair_is_said_not_to_be_certain() -> None:
    coin = Distribution((-1, 1), (1, 1), 2)
    # Of an odd number of tosses of a fair coin exactly half end below zero.
    found = LongSum(coin, 1001).quantile(Fraction(1, 2))
    assert found.value in (-1, 1)
    assert not found.exact
    assert LongSum(coin, 1001).quantile(Fraction(51, 100)) == (1, True)


def test_what_cannot_vary_has_one_end() -> None:
    sure = LongSum(Distribution((-3,), (216,), 216), 50)
    assert sure.quantile(Fraction(1, 20)) == (-150, True)
    assert (sure.at_most(-151), sure.at_most(-150)) == (0, 1)


def test_what_has_no_bands_is_refused() -> None:
    net = net_of("small")
    for rounds in (0, -1, ROUNDS_MAX + 1, 10**18, True, 2.0):
        with pytest.raises(MathsError, match="from 1 to 100,000,000"):
            LongSum(net, rounds)  # type: ignore[arg-type]
    for share in (0, 1, Fraction(3, 2)):
        with pytest.raises(MathsError, match="between 0 and 1"):
            LongSum(net, 10).quantile(Fraction(share))
    wide = Distribution((-1, 0, 10**9), (1, 1, 1), 3)
    with pytest.raises(MathsError, match="too many terms"):
        LongSum(wide, 10**6)
