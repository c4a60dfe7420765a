"""Monte Carlo p-values: draws of fair dice from a seed, until the p-value is accurate enough.

Draws go on until 400 of them are at least as extreme as the observation, or until there are enough
for a small p-value to decide. Either way the p-value is that of a valid test, whatever the number
of draws [Besag and Clifford 1991], and its own standard error is shown beside it.
"""

import math
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
from msgspec import Struct

from taisai.maths.fairness.throws import Floats

#: So many draws as extreme as the observation give its chance to one part in twenty.
EXTREME_ENOUGH: Final = 400
DRAWS_MIN: Final = 20_000
DRAWS_MAX: Final = 2_000_000
#: Numbers drawn at a time, so that memory stays small.
_NUMBERS_AT_A_TIME: Final = 1_000_000
_SLACK: Final = 1e-9

#: Draws so many samples of fair dice and returns the statistic of each.
Sampler = Callable[[np.random.Generator, int], Floats]


class Estimate(NamedTuple):
    """A p-value from draws, with their number and its standard error."""

    p: float
    draws: int
    error: float


class Chance(NamedTuple):
    """The source of draws, and their greatest number."""

    seed: int
    most: int = DRAWS_MIN
    group: int = 0

    def generator(self, name: str) -> np.random.Generator:
        """Give the generator of one test, which does not depend on the draws of other tests."""
        return np.random.default_rng([self.seed, self.group, crc32(name.encode())])


def draws_for(tests: int, alpha: float) -> int:
    """Give how many draws are needed to decide by the smallest of so many p-values."""
    return min(max(DRAWS_MIN, math.ceil(10 * tests / alpha)), DRAWS_MAX)


def estimate(
    sampler: Sampler, observed: float, numbers: int, chance: Chance, name: str
) -> Estimate:
    """Estimate how often fair dice are at least as extreme; `numbers` go into each draw."""
    generator = chance.generator(name)
    most_at_a_time = min(max(_NUMBERS_AT_A_TIME // numbers, 20), 5_000)
    least = observed - _SLACK * max(1.0, abs(observed))
    drawn = extreme = 0
    while drawn < chance.most:
        # Most p-values are large, and accurate enough after two draws for each extreme one.
        size = min(most_at_a_time, max(2 * EXTREME_ENOUGH, drawn), chance.most - drawn)
        hits = np.flatnonzero(sampler(generator, size) >= least)
        missing = EXTREME_ENOUGH - extreme
        if len(hits) >= missing:
            draws = drawn + int(hits[missing - 1]) + 1
            p = EXTREME_ENOUGH / draws
            return Estimate(p, draws, p * math.sqrt((1 - p) / EXTREME_ENOUGH))
        drawn += size
        extreme += len(hits)
    p = (extreme + 1) / (drawn + 1)
    return Estimate(p, drawn, math.sqrt(p * (1 - p) / drawn))


class Method(StrEnum):
    """How a p-value was found."""

    EXACT = "exact"
    MONTE_CARLO = "monte-carlo"
    ASYMPTOTIC = "asymptotic"
    ANYTIME = "anytime-valid"


class Outcome(Struct, frozen=True, kw_only=True):
    """The outcome of a test: its statistic, its p-value and its method, and what stood out.

    `p` is the chance that fair dice give a statistic as extreme. `adjusted` is Holm's p-value for
    the number of all tests; it equals `p` until it is adjusted.
    """

    key: str
    statistic: float
    p: float
    method: Method
    degrees: int | None = None
    draws: int | None = None
    error: float | None = None
    adjusted: float = 1.0
    is_rejected: bool = False
    details: dict[str, Any] = {}


def sampled(
    sampler: Sampler, observed: float, numbers: int, chance: Chance, common: dict[str, Any]
) -> Outcome:
    """Test an observation by draws; `common` has the outcome's fields that need no draws."""
    found = estimate(sampler, observed, numbers, chance, common["key"])
    return Outcome(
        p=found.p, draws=found.draws, error=found.error, method=Method.MONTE_CARLO, **common
    )
