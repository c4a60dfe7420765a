"""Tails of the chi-square and binomial distributions, for the tests, in plain Python.

The incomplete gamma and beta functions are summed as a series or a continued fraction, whichever
converges for the argument; the relative error is below 1e-9 (with ten million throws, 1e-6).
"""

import math
from collections.abc import Callable
from statistics import NormalDist

_TINY = 1e-300
_CLOSE = 1e-15
_STEPS_MAX = 1_000_000
_HALVINGS = 200


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Give the chance that a chi-square of so many degrees is at least this."""
    if statistic <= 0:
        return 1.0
    shape, value = degrees / 2, statistic / 2
    log_front = shape * math.log(value) - value - math.lgamma(shape)
    if value < shape + 1:
        return max(0.0, 1.0 - math.exp(log_front) * _gamma_series(shape, value))
    return math.exp(log_front) * _gamma_fraction(shape, value)


def _gamma_series(shape: float, value: float) -> float:
    term = total = 1 / shape
    step = shape
    while abs(term) > _CLOSE * total:
        step += 1
        term *= value / step
        total += term
    return total


def _gamma_fraction(shape: float, value: float) -> float:
    """Sum the continued fraction of the upper incomplete gamma function by Lentz's method."""
    last = value + 1 - shape
    above, below = 1 / _TINY, 1 / last
    total = below
    for step in range(1, _STEPS_MAX):
        part = -step * (step - shape)
        last += 2
        below = 1 / _away_from_zero(part * below + last)
        above = _away_from_zero(last + part / above)
        total *= above * below
        if abs(above * below - 1) < _CLOSE:
            return total
    raise AssertionError("the continued fraction of a gamma function does not converge")


def chi_square_critical(degrees: int, chance: float) -> float:
    """Give the value that a chi-square of so many degrees reaches with this chance."""
    high = 10.0 + degrees
    while chi_square_tail(high, degrees) > chance:
        high *= 2
    return crossing(lambda statistic: chi_square_tail(statistic, degrees) <= chance, high)


def poisson_chance(count: int, mean: float) -> float:
    """Give the chance of a count by the law of Poisson."""
    if mean <= 0:
        return 1.0 if count == 0 else 0.0
    return math.exp(count * math.log(mean) - mean - math.lgamma(count + 1))


def binomial_at_least(count: int, trials: int, chance: float) -> float:
    """Give the chance that of so many trials at least so many succeed."""
    if count <= 0:
        return 1.0
    if count > trials or chance <= 0:
        return 0.0
    if chance >= 1:
        return 1.0
    return _beta_part(count, trials - count + 1, chance)


def binomial_at_most(count: int, trials: int, chance: float) -> float:
    """Give the chance that of so many trials at most so many succeed."""
    return binomial_at_least(trials - count, trials, 1 - chance)


def two_sided(at_least: float, at_most: float) -> float:
    """Give the p-value of a two-sided test: twice the smaller tail."""
    return min(1.0, 2 * min(at_least, at_most))


def _beta_part(a: float, b: float, value: float) -> float:
    """Give the regularised incomplete beta function, from whichever end converges."""
    if value > (a + 1) / (a + b + 2):
        return max(0.0, 1.0 - _beta_front(b, a, 1 - value) * _beta_fraction(b, a, 1 - value))
    return min(1.0, _beta_front(a, b, value) * _beta_fraction(a, b, value))


def _beta_front(a: float, b: float, value: float) -> float:
    log_beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    return math.exp(a * math.log(value) + b * math.log1p(-value) - log_beta) / a


def _beta_fraction(a: float, b: float, value: float) -> float:
    """Sum the continued fraction of the incomplete beta function by Lentz's method."""
    above, below = 1.0, 1 / _away_from_zero(1 - (a + b) * value / (a + 1))
    total = below
    for step in range(1, _STEPS_MAX):
        even = step * (b - step) * value / ((a + 2 * step - 1) * (a + 2 * step))
        odd = -(a + step) * (a + b + step) * value / ((a + 2 * step) * (a + 2 * step + 1))
        for part in (even, odd):
            below = 1 / _away_from_zero(1 + part * below)
            above = _away_from_zero(1 + part / above)
            total *= above * below
        if abs(above * below - 1) < _CLOSE:
            return total
    raise AssertionError("the continued fraction of a beta function does not converge")


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def crossing(is_beyond: Callable[[float], bool], high: float) -> float:
    """Find by bisection where a condition begins to hold, below a number where it holds."""
    low = 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if high - low <= 1e-12 * high:
            break
        low, high = (low, middle) if is_beyond(middle) else (middle, high)
    return high


def share_reaching(count: int, trials: int, power: float) -> float:
    """Give the chance of one trial with which at least so many succeed with this power."""
    return crossing(lambda share: binomial_at_least(count, trials, share) >= power, 1.0)


def normal_quantile(chance: float) -> float:
    """Give the number that a standard normal variable is below with this chance."""
    return NormalDist().inv_cdf(chance)
