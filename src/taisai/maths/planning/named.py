"""The plans that everybody has heard of, as machines."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from taisai.maths.failures import MathsError
from taisai.maths.planning.plan import Plan

#: The line that Labouchère's players write down where nothing else is said.
LINE = (1, 2, 3, 4)
LINE_MAX = 20
#: After so many wins in a row the Paroli begins again.
PAROLI_WINS = 3
_UNITS_MAX = 10**6


def flat() -> Plan:
    """Stake one unit, whatever happens."""
    return Plan("flat", 0, lambda _: 1, lambda _, __: 0)


def martingale() -> Plan:
    """Double after every loss; begin again after a win."""
    return _of_numbers("martingale", 0, lambda lost: 2**lost, lambda _: 0, lambda lost: lost + 1)


def dalembert() -> Plan:
    """Stake one unit more after a loss, one less after a win."""
    return _of_numbers(
        "dalembert",
        1,
        lambda units: units,
        lambda units: max(1, units - 1),
        lambda units: units + 1,
    )


def fibonacci() -> Plan:
    """Go one number further along 1, 1, 2, 3, 5, … after a loss, two back after a win."""
    return _of_numbers(
        "fibonacci", 0, fibonacci_number, lambda place: max(0, place - 2), lambda place: place + 1
    )


def paroli() -> Plan:
    """Double after every win, three times at most; begin again after a loss."""
    return _of_numbers(
        "paroli", 0, lambda won: 2**won, lambda won: (won + 1) % PAROLI_WINS, lambda _: 0
    )


def labouchere(line: Sequence[int] = LINE) -> Plan:
    """Stake the first and the last number of a line; strike them out after a win, else add the sum.

    When the line is used up the plan begins again.
    """
    first = tuple(line)
    if not 1 <= len(first) <= LINE_MAX or not all(
        type(units) is int and 1 <= units <= _UNITS_MAX for units in first
    ):
        raise MathsError(
            f"a line has from 1 to {LINE_MAX} whole numbers, each from 1 to {_UNITS_MAX}"
        )

    def after(line: Any, won: bool) -> tuple[int, ...]:
        if won:
            return line[1:-1] or first
        return (*line, _ends(line))

    return Plan("labouchere", first, _ends, after)


def _ends(line: Any) -> int:
    return int(line[0] if len(line) == 1 else line[0] + line[-1])


def _of_numbers(
    name: str,
    first: int,
    stake: Callable[[int], int],
    won: Callable[[int], int],
    lost: Callable[[int], int],
) -> Plan:
    """Make a plan whose states are numbers."""

    def stake_of(state: Any) -> int:
        return stake(state)

    def after(state: Any, has_won: bool) -> int:
        return won(state) if has_won else lost(state)

    return Plan(name, first, stake_of, after)


@cache
def fibonacci_number(place: int) -> int:
    """Give the number at a place of 1, 1, 2, 3, 5, …"""
    earlier, number = 0, 1
    for _ in range(place):
        earlier, number = number, earlier + number
    return number


PLANS: dict[str, Callable[[], Plan]] = {
    "flat": flat,
    "martingale": martingale,
    "dalembert": dalembert,
    "fibonacci": fibonacci,
    "labouchere": labouchere,
    "paroli": paroli,
}


def plan_named(name: str) -> Plan:
    """Find a plan by its name."""
    if name not in PLANS:
        raise MathsError(f"there is no plan {name[:40]!r}; there are {', '.join(PLANS)}")
    return PLANS[name]()
