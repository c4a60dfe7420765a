"""The float form of a session: near whole numbers to the last tail, and within its own bound."""

import decimal
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from math import factorial, inf, log10

import pytest

import taisai
from taisai.maths import Distribution, MathsError, Slate, approximate_session, session
from taisai.maths.sessions.approximate import CERTAIN, IMPOSSIBLE, RELATIVE_ERROR_MAX, Chance
from taisai.maths.sessions.exact import fan

NETS = {
    "small": {-1: 111, 1: 105},
    "single": {-1: 125, 1: 75, 2: 15, 12: 1},
    "total-4": {-1: 213, 62: 3},
    "two levels": {-1010: 1, 990: 90, 1000: 125},
    "jackpot": {-5: 200, 1: 15, 1000: 1},
}
#: The error promised for boxes; amounts with gaps between them have the general promise.
PROMISED = {"small": 1e-10, "single": 1e-10, "total-4": 1e-10}


FIFTY = decimal.Context(prec=60, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
BERNOULLI = ["1/6", "-1/30", "1/42", "-1/30", "5/66", "-691/2730", "7/6", "-3617/510", "43867/798"]


def log_factorial(number: int) -> Decimal:
    """Give the logarithm of a factorial: by multiplying, or by Stirling's series."""
    if number < 1000:
        return Decimal(factorial(number)).ln()
    n = Decimal(number)
    sum_ = n * n.ln() - n + (2 * PI * n).ln() / 2
    for k, text in enumerate(BERNOULLI, start=1):
        b = Fraction(text)
        sum_ += Decimal(b.numerator) / b.denominator / (2 * k * (2 * k - 1) * n ** (2 * k - 1))
    return sum_


def error_of(chance: Chance, exact: Fraction) -> Fraction:
    """Give the relative error of a chance."""
    return abs(Fraction(chance.value) / exact - 1)


def some_of(values: tuple[int, ...]) -> tuple[int, ...]:
    """Choose amounts from end to end, including all near the ends."""
    step = max(1, len(values) // 40)
    return (*values[:4], *values[4:-4:step], *values[-4:])


@pytest.mark.parametrize("name", NETS)
@pytest.mark.parametrize("rounds", [1, 2, 9, 200])
def test_tails_are_within_the_stated_error_of_whole_numbers(name: str, rounds: int) -> None:
    net = Distribution.from_mapping(NETS[name])
    exact, floats = session(net, rounds).bankroll, approximate_session(net, rounds)
    for value in some_of(exact.values):
        for chance, truth in (
            (floats.at_least(value), exact.at_least(value)),
            (floats.at_most(value), exact.at_most(value)),
        ):
            promised = PROMISED.get(name, RELATIVE_ERROR_MAX)
            assert error_of(chance, truth) <= chance.relative_error <= promised


@pytest.mark.parametrize("name", ["small", "single", "total-4"])
def test_a_thousand_rounds_are_right_beyond_what_a_float_can_hold(name: str) -> None:
    net = Distribution.from_mapping(NETS[name])
    exact, floats = session(net, 1000).bankroll, approximate_session(net, 1000)
    deepest = 0.0
    for value in some_of(exact.values):
        found = floats.at_least(value)
        assert error_of(found, exact.at_least(value)) <= found.relative_error <= 1e-9
        deepest = min(deepest, found.log10)
    # The highest net of all: every round is the best one.
    best = net.weights[-1] / net.total
    assert deepest == pytest.approx(1000 * log10(best), rel=1e-12)
    assert deepest < -300


@pytest.mark.parametrize("name", ["small", "single", "total-4"])
def test_single_amounts_are_within_the_stated_error(name: str) -> None:
    net = Distribution.from_mapping(NETS[name])
    exact, floats = session(net, 400).bankroll, approximate_session(net, 400)
    for value in some_of(exact.values):
        found = floats.probability(value)
        assert error_of(found, exact.probability(value)) <= found.relative_error <= 1e-6


@pytest.mark.parametrize("rounds", [10**4, 10**6, 10**9])
@pytest.mark.parametrize("share", ["0", "0.001", "0.35", "0.5", "0.999", "1"])
def test_very_many_rounds_agree_with_the_binomial_to_fifty_digits(rounds: int, share: str) -> None:
    wins = min(max(int(Fraction(share) * rounds), 1), rounds - 1)
    net = Distribution.from_mapping(NETS["small"])
    found = approximate_session(net, rounds).probability(2 * wins - rounds)
    with decimal.localcontext(FIFTY):
        ways = log_factorial(rounds) - log_factorial(wins) - log_factorial(rounds - wins)
        win, lose = (Decimal(35) / 72).ln(), (Decimal(37) / 72).ln()
        exact = (ways + wins * win + (rounds - wins) * lose).exp()
        assert abs(found.value / exact - 1) <= found.relative_error <= 1e-10


def test_the_fifty_digits_are_those_of_whole_numbers() -> None:
    with decimal.localcontext(FIFTY):
        for number in (1000, 1234):
            assert abs(log_factorial(number) - Decimal(factorial(number)).ln()) < Decimal("1e-44")


def test_being_ahead_agrees_with_the_published_figures() -> None:
    table = taisai.pay_table("ts6/2")
    for box, ahead in (("small", "0.18130"), ("single-3", "0.19117"), ("total-4", "0.31893")):
        played = approximate_session(Slate.of(table, {box: 100}), 1000)
        assert f"{float(played.ahead):.5f}" == ahead
        whole = sum(float(each) for each in (played.ahead, played.even, played.behind))
        assert whole == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("name", NETS)
@pytest.mark.parametrize("rounds", [3, 60, 700])
def test_quantiles_are_those_of_whole_numbers(name: str, rounds: int) -> None:
    net = Distribution.from_mapping(NETS[name])
    exact, floats = session(net, rounds), approximate_session(net, rounds)
    for share in ("1e-6", "0.013", "0.3", "0.5", "0.77", "0.999", "0.999999"):
        assert floats.quantile(share) == exact.quantile(share)
    assert (floats.mean, floats.variance) == (exact.mean, exact.variance)
    assert floats.expected_loss == exact.expected_loss


def test_ten_thousand_million_rounds_lose_what_they_must() -> None:
    played = approximate_session(Distribution.from_mapping(NETS["total-4"]), 10**10)
    assert played.ahead.log10 < -500_000
    assert played.ahead.relative_error < 1e-11
    assert played.quantile("0.5") == pytest.approx(float(played.mean), rel=1e-6)


def test_what_cannot_be_is_impossible_and_what_must_be_is_certain() -> None:
    played = approximate_session(Distribution.from_mapping(NETS["small"]), 10)
    assert played.probability(1) == played.probability(12) == IMPOSSIBLE
    assert played.at_least(11) == played.at_most(-11) == IMPOSSIBLE
    assert played.at_least(-10) == played.at_most(10) == CERTAIN
    assert IMPOSSIBLE.log10 == -inf
    # Between two amounts the chance of more is that of the higher.
    assert played.at_least(1) == played.at_least(2)
    assert played.at_most(1) == played.at_most(0)


def test_one_amount_alone_is_certain() -> None:
    played = approximate_session(Distribution.from_mapping({-3: 5}), 1000)
    assert repr(played) == "<LongSession of 1000 rounds of <Distribution {-3: 1}>>"
    assert played.at_most(-3000) == CERTAIN
    assert float(played.probability(-3000)) == 1
    assert played.quantile("0.5") == -3000


def test_an_amount_hidden_between_others_is_not_guessed() -> None:
    # 1 comes by the rarest amount alone, beside 0 and 1000, which are frequent.
    net = Distribution.from_mapping({0: 10**12, 1: 1, 1000: 10**12})
    played = approximate_session(net, 50)
    with pytest.raises(MathsError, match="cannot tell this chance to six digits"):
        played.probability(25_003)
    exact = session(net, 50).bankroll
    assert error_of(played.at_least(25_003), exact.at_least(25_003)) < 1e-9


def test_what_would_not_fit_is_refused() -> None:
    table = taisai.pay_table("ts6/2")
    slate = Slate.of(table, {"small": 1_000_003, "single-2": 999_983, "total-4": 77})
    with pytest.raises(MathsError, match="would need more than 400 MB"):
        _ = approximate_session(slate, 10**6).ahead
    with pytest.raises(MathsError, match="from 1 to 10,000,000,000"):
        approximate_session(slate, 10**18)
    with pytest.raises(MathsError, match="shares from 1e-9"):
        approximate_session(Distribution.from_mapping(NETS["small"]), 9).quantile("1e-10")


def test_the_outline_for_a_picture_has_the_mean_and_the_spread() -> None:
    played = approximate_session(Distribution.from_mapping(NETS["single"]), 5000)
    outline = played.outline()
    assert float(outline.mean) == pytest.approx(float(played.mean), abs=1e-6)
    assert float(outline.variance) == pytest.approx(float(played.variance), rel=1e-6)


def test_a_fan_is_made_of_quantiles_on_the_way() -> None:
    net = Distribution.from_mapping(NETS["single"])
    spread = fan(net, 200, shares=("0.05", "0.5"), stops=4)
    assert spread.rounds == (0, 50, 100, 150, 200)
    assert spread.expected[-1] == 200 * net.mean
    for share in ("0.05", "0.5"):
        there = [session(net, rounds).quantile(share) for rounds in spread.rounds[1:]]
        assert spread.quantiles[float(share)] == (0, *there)
    with pytest.raises(MathsError, match="a fan has at least one share"):
        fan(net, 200, shares=())


def test_without_numpy_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from taisai.maths import Distribution, MathsError, approximate_session\n"
        "try: approximate_session(Distribution.from_mapping({1: 1}), 5)\n"
        "except MathsError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=60
    )
    needs = 'the float form of a session needs an extra: pip install "taisai[maths]"'
    assert done.stdout.strip() == needs
