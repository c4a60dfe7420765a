"""Figures taken in turn, their medians and ratios."""

import statistics
from collections import defaultdict


class Figures:
    """The figures by server and name, run after run."""

    def __init__(self) -> None:
        self._taken: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))

    def add(self, server: str, **figures: float) -> None:
        """Add the figures of one run."""
        for name, figure in figures.items():
            self._taken[server][name].append(figure)

    def servers(self) -> list[str]:
        """Name the servers that were measured."""
        return list(self._taken)

    def median(self, server: str, name: str) -> float:
        """Give the median over the runs."""
        return statistics.median(self._taken[server][name])

    def most(self, server: str, name: str) -> float:
        """Give the largest over the runs."""
        return max(self._taken[server][name])

    def ratio(self, name: str, one: str, other: str) -> float:
        """Give the median of the ratios of runs that belong together."""
        pairs = zip(self._taken[one][name], self._taken[other][name], strict=True)
        return statistics.median(first / second for first, second in pairs)
