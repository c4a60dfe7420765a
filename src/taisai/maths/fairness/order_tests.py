"""Tests of the order of throws: runs of low and high totals, echoes of earlier throws.

Both test the order alone: whatever the chances of the dice, any order of these same throws is as
likely as another, and the observed order is compared with all of them.

An echo at lag k is a sum over throws i of g(throw i, throw i+k). With the means of g taken off for
each of the two, by how often throws came, the terms and the echoes at different lags are
uncorrelated; each sum has a variance of (n-k) v, with v the mean of g squared, and the squares of
the scaled echoes add up to a chi-square with a degree for each lag. With few throws, orders are
drawn at random.
"""

import math
from typing import Any, Final, NamedTuple

import numpy as np

from taisai.core.rules.dice import FACES, RESULTS
from taisai.maths.fairness.monte_carlo import Chance, Method, Outcome, sampled
from taisai.maths.fairness.tails import chi_square_tail, two_sided
from taisai.maths.fairness.throws import FACE_OF, RESULT_OF, TOTAL_OF, Codes, Counts, Floats, Throws

LAGS_MAX: Final = 50
#: With at least so many throws, the chi-square law of echoes is accurate enough.
ECHO_THROWS_MIN: Final = 1_000
#: Up to so many throws the law of runs is summed exactly; beyond, it is normal.
RUNS_EXACT_MAX: Final = 100_000
_BIG: Final = 8
_PAIRS_AT_A_TIME: Final = 1_000_000
_NOTHING: Final = 1e-12


class Echo(NamedTuple):
    """The basis of an echo: a symbol for each throw, and a likeness of any two symbols."""

    symbol_of: Codes
    likeness: Floats


#: How often each face shows in each result.
_SHOWN: Final = np.array([[result.count(face) for face in FACES] for result in RESULTS], np.float64)
#: Compares totals: the echo is their serial correlation.
TOTALS: Final = Echo(TOTAL_OF, np.outer(np.arange(16.0), np.arange(16.0)))
#: Compares how often each face shows, if the dice cannot be distinguished.
ALL_FACES: Final = Echo(RESULT_OF, _SHOWN @ _SHOWN.T)
#: Compare the faces of one die: whether a face repeats.
DICE: Final = tuple(Echo(FACE_OF[die], np.eye(6)) for die in range(3))


def serial(key: str, throws: Throws, echo: Echo, lags: int, chance: Chance) -> Outcome:
    """Test whether throws echo earlier ones, over all lags at once."""
    lags = min(lags, len(throws) - 1)
    symbols = echo.symbol_of[throws.codes]
    scores = centred(echo.likeness, symbols)
    scaled = echoes(symbols, scores, lags)
    statistic = float((scaled**2).sum())
    common: dict[str, Any] = {
        "key": key,
        "statistic": statistic,
        "degrees": lags,
        "details": _strongest(scaled, len(throws)),
    }
    if len(throws) >= ECHO_THROWS_MIN:
        p = chi_square_tail(statistic, lags)
        return Outcome(p=p, method=Method.ASYMPTOTIC, **common)

    def shuffled(generator: np.random.Generator, size: int) -> Floats:
        rows = np.broadcast_to(symbols, (size, len(symbols)))
        drawn = generator.permuted(rows, axis=1)
        return np.asarray((echoes(drawn, scores, lags) ** 2).sum(axis=0))

    return sampled(shuffled, statistic, len(throws) * lags, chance, common)


def centred(likeness: Floats, symbols: Codes) -> Floats:
    """Center a likeness by the frequencies of symbols, and scale it to a variance of 1."""
    shares = np.bincount(symbols, minlength=len(likeness)) / len(symbols)
    means = likeness @ shares
    scores = likeness - means - means[:, None] + shares @ means
    variance = float(shares @ scores**2 @ shares)
    return scores / math.sqrt(variance) if variance > _NOTHING else np.zeros_like(scores)


def echoes(symbols: Codes, scores: Floats, lags: int) -> Floats:
    """Give the echo at each lag, in standard deviations; each row is a separate sequence."""
    return np.array([_echo_at(lag, symbols, scores) for lag in range(1, lags + 1)])


def _echo_at(lag: int, symbols: Codes, scores: Floats) -> Floats:
    pairs = symbols.shape[-1] - lag
    total = np.zeros(symbols.shape[:-1])
    for first in range(0, pairs, _PAIRS_AT_A_TIME):
        last = min(first + _PAIRS_AT_A_TIME, pairs)
        places = symbols[..., first:last].astype(np.uint16) * np.uint16(len(scores))
        places += symbols[..., first + lag : last + lag]
        total += scores.ravel()[places].sum(axis=-1)
    return total / math.sqrt(pairs)


def _strongest(scaled: Floats, throws: int) -> dict[str, Any]:
    """Give the lag with the strongest echo, and each lag's correlation."""
    lag = int(np.abs(scaled).argmax()) + 1
    roots = np.sqrt(throws - np.arange(1, len(scaled) + 1))
    return {"lag": lag, "correlations": [float(value) for value in scaled / roots]}


def runs(key: str, throws: Throws) -> Outcome:
    """Test the number of runs of totals on one side of the middle, against all orders.

    Totals of 11 and more are on the big side, triples too: exactly half of the 216.
    """
    is_big = TOTAL_OF[throws.codes] >= _BIG
    big = int(is_big.sum())
    small = len(throws) - big
    counted = 1 + int((is_big[1:] != is_big[:-1]).sum())
    mean = 1 + 2 * big * small / len(throws)
    exactly = len(throws) <= RUNS_EXACT_MAX
    tails = (_exact_run_tails if exactly else _large_run_tails)(counted, big, small)
    return Outcome(
        key=key,
        statistic=float(counted),
        p=two_sided(*tails),
        method=Method.EXACT if exactly else Method.ASYMPTOTIC,
        details={"runs": counted, "expected": mean},
    )


def _exact_run_tails(counted: int, big: int, small: int) -> tuple[float, float]:
    """Give the chances of at least and at most so many runs, over every order of the throws."""
    if not big or not small:
        return 1.0, 1.0
    chances = run_chances(big, small)
    return float(chances[counted:].sum()), float(chances[: counted + 1].sum())


def run_chances(big: int, small: int) -> Floats:
    """Give the chance of each number of runs, from 0, over every order of so many of two kinds."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, big + small + 1)))])
    halves = np.arange(1, min(big, small) + 1)
    together = _log_choose(logs, big + small, np.array(big))
    in_big, in_small = (
        _log_choose(logs, big - 1, halves - 1),
        _log_choose(logs, small - 1, halves - 1),
    )
    chances = np.zeros(2 * len(halves) + 2)
    chances[2 * halves] = 2 * np.exp(in_big + in_small - together)
    more_big, more_small = _log_choose(logs, big - 1, halves), _log_choose(logs, small - 1, halves)
    chances[2 * halves + 1] = np.exp(more_big + in_small - together)
    chances[2 * halves + 1] += np.exp(in_big + more_small - together)
    return chances


def _log_choose(logs: Floats, of: int, chosen: Counts) -> Floats:
    """Give the logarithm of a binomial coefficient, also of 0 when too many are chosen."""
    within = np.minimum(chosen, of)
    coefficient = logs[of] - logs[within] - logs[of - within]
    return np.where(chosen <= of, coefficient, -np.inf)


def _large_run_tails(counted: int, big: int, small: int) -> tuple[float, float]:
    if not big or not small:
        return 1.0, 1.0
    throws = big + small
    mean = 1 + 2 * big * small / throws
    deviation = math.sqrt((mean - 1) * (mean - 2) / (throws - 1))
    above = (counted - 0.5 - mean) / deviation
    below = (counted + 0.5 - mean) / deviation
    return _normal_tail(above), _normal_tail(-below)


def _normal_tail(value: float) -> float:
    return math.erfc(value / math.sqrt(2)) / 2
