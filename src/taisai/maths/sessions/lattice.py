"""A round's net as a polynomial in whole numbers, and its powers, by Miller's recurrence.

With p(x) = p0 + p1·x^d1 + … and c = p^N, comparing p·c' with N·p'·c gives
`k·p0·c[k] = Σ (N·d − k + d)·p_d·c[k − d]`: a few products by small numbers and one division
that always comes out even. Nothing is rounded, so that the last tail is as exact as the middle.
"""

from collections.abc import Sequence
from heapq import heappop, heappush
from math import comb, gcd

from taisai.maths.distribution import Distribution

Terms = Sequence[tuple[int, int]]


class Lattice:
    """A round's net on its own scale: from the lowest amount up, in steps of what all have common.

    `terms` are the degrees and weights of its polynomial, `total` the sum of the weights, both in
    lowest terms.
    """

    def __init__(self, net: Distribution) -> None:
        self.low = net.values[0]
        self.step = gcd(*(value - self.low for value in net.values)) or 1
        common = gcd(*net.weights)
        self.total = sum(net.weights) // common
        self.terms = [
            ((value - self.low) // self.step, weight // common) for value, weight in net.pairs()
        ]

    def degree_of(self, value: int, rounds: int) -> tuple[int, bool]:
        """Place an amount after so many rounds: the step at or under it, and if it is on it."""
        degree, beside = divmod(value - self.low * rounds, self.step)
        return degree, not beside


def power(terms: Terms, exponent: int) -> list[tuple[int, int]]:
    """Raise a polynomial to a power: degree and coefficient of every term that is not zero.

    `terms` are degrees with positive coefficients, ascending, and the first degree is 0.
    """
    if len(terms) == 1:
        return [(0, terms[0][1] ** exponent)]
    if len(terms) == 2:
        return _binomial(terms, exponent)
    top = terms[-1][0]
    if exponent * top <= 4 * sums_at_most(terms, exponent):
        return [(k, c) for k, c in enumerate(_dense(terms, exponent)) if c]
    return _sparse(terms, exponent)


def sums_at_most(terms: Terms, exponent: int) -> int:
    """Give a bound on how many terms the power has."""
    top = terms[-1][0]
    return min(exponent * top + 1, comb(exponent + len(terms) - 1, len(terms) - 1))


def _binomial(terms: Terms, exponent: int) -> list[tuple[int, int]]:
    """Raise two terms: each coefficient is the one before by a ratio of small numbers."""
    (_, p0), (degree, p1) = terms
    coefficient = p0**exponent
    power = [(0, coefficient)]
    for k in range(1, exponent + 1):
        coefficient = coefficient * ((exponent - k + 1) * p1) // (k * p0)
        power.append((k * degree, coefficient))
    return power


def _dense(terms: Terms, exponent: int) -> list[int]:
    """Raise a polynomial most of whose sums of degrees are met."""
    (_, p0), *others = terms
    top = others[-1][0]
    # Below the first coefficient stand zeros, so that no index needs asking whether it is there.
    found = [0] * top + [p0**exponent]
    steps = [(top - degree, (exponent + 1) * degree * p, p) for degree, p in others]
    for k in range(1, exponent * top + 1):
        weighted = 0
        for back, start, p in steps:
            weighted += found[k + back] * (start - k * p)
        found.append(weighted // (k * p0))
    return found[top:]


def _sparse(terms: Terms, exponent: int) -> list[tuple[int, int]]:
    """Raise a polynomial whose sums of degrees lie far apart: only those met are visited.

    A sum that is met is a smaller one met and one degree more, so that the degrees after each
    coefficient that is not zero are all there is to visit.
    """
    (_, p0), *others = terms
    found = {0: p0**exponent}
    waiting = [degree for degree, _ in others]
    last = 0
    while waiting:
        k = heappop(waiting)
        if k == last:
            continue
        last = k
        weighted = 0
        for degree, p in others:
            before = found.get(k - degree)
            if before is not None:
                weighted += before * ((exponent * degree - k + degree) * p)
        if weighted:
            found[k] = weighted // (k * p0)
            for degree, _ in others:
                heappush(waiting, k + degree)
    return list(found.items())
