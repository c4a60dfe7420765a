"""Combinations in which every two values of two different factors occur together at least once."""

from collections.abc import Mapping, Sequence
from itertools import combinations, product

Row = dict[str, str]
Pair = frozenset[tuple[str, str]]


def pairs_of(row: Mapping[str, str]) -> set[Pair]:
    """Give all pairs of values in a row."""
    return {frozenset(pair) for pair in combinations(row.items(), 2)}


def all_pairs(factors: Mapping[str, Sequence[str]]) -> set[Pair]:
    """Give all pairs that must occur."""
    return {
        frozenset({(one, left), (other, right)})
        for one, other in combinations(factors, 2)
        for left, right in product(factors[one], factors[other])
    }


def covering(factors: Mapping[str, Sequence[str]]) -> list[Row]:
    """Choose rows greedily, each with the most new pairs."""
    rows = [dict(zip(factors, values, strict=True)) for values in product(*factors.values())]
    missing, chosen = all_pairs(factors), list[Row]()
    while missing:
        best = max(rows, key=lambda row: len(pairs_of(row) & missing))
        chosen.append(best)
        missing -= pairs_of(best)
    return chosen
