"""Monte Carlo p-values: what fair dice do, drawn by a seed until it is known well enough.

Draws go on until 400 of them were at least as extreme as what was observed, or until there are so
many that a small p-value can decide. Either way the p-value is one of a valid test, whatever the
number of draws [Besag and Clifford 1991], and its own standard error is shown beside it.
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

#: Draws so many samples of fair dice and gives the statistic of each.
Sampler = Callable[[np.random.Generator, int], Floats]


class Estimate(NamedTuple):
    """A p-value from draws: how many there were, and its standard error."""

    p: float
    draws: int
    error: float


class Chance(NamedTuple):
    """Where draws come from, and how many there may be."""

    seed: int
    most: int = DRAWS_MIN
    group: int = 0

    def generator(self, name: str) -> np.random.Generator:
        """Give the numbers of one test; what other tests draw does not change them."""
        return np.random.default_rng([self.seed, self.group, crc32(name.encode())])


def draws_for(tests: int, alpha: float) -> int:
    """Say how many draws let the smallest of so many p-values be well below what decides."""
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
        # Most p-values are large, and known well enough after two draws for each extreme one.
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
    """A test: its statistic, its p-value and how that was found, and what stood out.

    `p` is the chance that fair dice give a statistic as extreme. `adjusted` is Holm's: what is left
    of it among all tests made; it stands at `p` until the test has been seen among them.
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
    """Judge an observation by draws; `common` is what the outcome says whatever they come to."""
    found = estimate(sampler, observed, numbers, chance, common["key"])
    return Outcome(
        p=found.p, draws=found.draws, error=found.error, method=Method.MONTE_CARLO, **common
    )
