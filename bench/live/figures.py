"""Figures taken in turn, their medians and ratios, and how they are shown beside what to reach."""

import statistics
from collections import defaultdict


class Figures:
    """What was measured, by server and by what it is, run after run."""

    def __init__(self) -> None:
        self._taken: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))

    def add(self, server: str, **figures: float) -> None:
        """Note what one run came to."""
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
        """Give the median of the ratios of runs that were taken together."""
        pairs = zip(self._taken[one][name], self._taken[other][name], strict=True)
        return statistics.median(first / second for first, second in pairs)


def at_least(what: str, measured: float, to_reach: float, unit: str = "") -> None:
    """Show a figure that should be large."""
    _line(what, measured, f"to reach {to_reach:,g}{unit}", missed=measured < to_reach)


def at_most(what: str, measured: float, to_reach: float, unit: str = "") -> None:
    """Show a figure that should be small."""
    _line(what, measured, f"at most {to_reach:,g}{unit}", missed=measured > to_reach)


def _line(what: str, measured: float, to_reach: str, missed: bool) -> None:
    shown = f"{measured:,.0f}" if measured >= 1_000 else f"{measured:.2f}"
    print(f"{what:62} {shown:>8}   {to_reach}{'   MISSED' if missed else ''}")
