"""Betting plans: state machines whose states give the stake and the next state after each outcome.

A plan counts in units and knows neither box nor bank; `plans.sitting` puts it on a table. Here are
the well-known plans, and users' own plans, from a file in TOML or JSON:

    name = "one-three-two-six"
    first = "one"
    at_maximum = "hold"      # or "restart", "stop"
    cannot_pay = "stop"      # or "rest", "restart"

    [states.one]
    stake = 1                # in units; 0 sits a round out
    win = "three"
    loss = "one"

`win` and `loss` name the next state; left out, the player leaves the table there.
"""

from collections.abc import Callable, Hashable, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from taisai.core.rules.reason import printable
from taisai.maths.errors import MathsError

#: The default line of Labouchère's plan.
LINE = (1, 2, 3, 4)
LINE_MAX = 20
#: The Paroli begins again after so many wins in a row.
PAROLI_WINS = 3
_LINE_UNITS_MAX = 10**6

PLAN_FILE_MAX = 1024 * 1024
STATES_MAX = 10_000
UNITS_MAX = 10**9


class AtMaximum(StrEnum):
    """What a plan does if its stake is more than the table's maximum.

    HOLD bets the maximum, and a loss leaves the plan where it is; RESTART begins again from the
    first state; STOP leaves the table.
    """

    HOLD = "hold"
    RESTART = "restart"
    STOP = "stop"


class CannotPay(StrEnum):
    """What a plan does if the bank cannot pay its stake.

    STOP leaves the table; REST bets what is left, as far as the limits allow; RESTART begins again
    from the first state. If even that cannot be paid the bank is ruined.
    """

    STOP = "stop"
    REST = "rest"
    RESTART = "restart"


class Plan(Struct, frozen=True):
    """A betting plan; `after` gives None if the player then leaves the table."""

    name: str
    first: Hashable
    stake: Callable[[Any], int]
    after: Callable[[Any, bool], Hashable | None]
    at_maximum: AtMaximum = AtMaximum.HOLD
    cannot_pay: CannotPay = CannotPay.STOP


# --- plans by name ------------------------------------------------------------------------------


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
        type(units) is int and 1 <= units <= _LINE_UNITS_MAX for units in first
    ):
        raise MathsError(
            f"a line has from 1 to {LINE_MAX} whole numbers, each from 1 to {_LINE_UNITS_MAX}"
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

    return Plan(name, first, stake, lambda state, has_won: (won if has_won else lost)(state))


@cache
def fibonacci_number(place: int) -> int:
    """Give the number at a place of 1, 1, 2, 3, 5, …"""
    earlier, number = 0, 1
    for _ in range(place):
        earlier, number = number, earlier + number
    return number


PLANS: dict[str, Callable[[], Plan]] = {
    make().name: make for make in (flat, martingale, dalembert, fibonacci, labouchere, paroli)
}


def plan_named(name: str) -> Plan:
    """Find a plan by its name."""
    if name not in PLANS:
        raise MathsError(f"there is no plan {name[:40]!r}; there are {', '.join(PLANS)}")
    return PLANS[name]()


# --- plans from files ---------------------------------------------------------------------------


class StateContent(Struct, forbid_unknown_fields=True):
    """A state of a plan file: its stake in units, and where a win and a loss lead."""

    stake: int
    win: str | None = None
    loss: str | None = None


class PlanContent(Struct, forbid_unknown_fields=True):
    """A plan file as it is written."""

    first: str
    states: dict[str, StateContent]
    name: str = ""
    at_maximum: AtMaximum = AtMaximum.HOLD
    cannot_pay: CannotPay = CannotPay.STOP


def plan_from_file(path: Path) -> Plan:
    """Read a plan file, TOML or, if its name ends in .json, JSON; refuse an invalid one."""
    try:
        with path.open("rb") as file:
            data = file.read(PLAN_FILE_MAX + 1)
    except OSError as error:
        raise MathsError(f"the plan file {path} cannot be read: {error.strerror}") from None
    return plan_from_text(data, path.name)


def plan_from_text(data: bytes, file_name: str) -> Plan:
    """Read a plan from the text of a file; its name gives the format."""
    if len(data) > PLAN_FILE_MAX:
        raise MathsError(f"{file_name}, not a plan: it is over {PLAN_FILE_MAX} bytes")
    decode = msgspec.json.decode if file_name.lower().endswith(".json") else msgspec.toml.decode
    try:
        content = decode(data, type=PlanContent)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise MathsError(f"{file_name}, not a plan: {printable(str(error))[:200]}") from None
    _check(content, file_name)
    return _plan_of(content, file_name)


def _check(content: PlanContent, file_name: str) -> None:
    states = content.states
    if not 1 <= len(states) <= STATES_MAX:
        raise MathsError(f"{file_name}: a plan has from 1 to {STATES_MAX} states")
    if content.first not in states:
        raise MathsError(f"{file_name}: the first state {_shown(content.first)} is not among them")
    if not any(state.stake for state in states.values()):
        raise MathsError(f"{file_name}: the plan never bets; give a state a stake of 1 or more")
    for name, state in states.items():
        if not 0 <= state.stake <= UNITS_MAX:
            raise MathsError(
                f"{file_name}, state {_shown(name)}: the stake is from 0 to {UNITS_MAX} units"
            )
        for after in (state.win, state.loss):
            if after is not None and after not in states:
                raise MathsError(
                    f"{file_name}, state {_shown(name)}: it leads to {_shown(after)}, which is "
                    "no state of the plan"
                )


def _shown(name: str) -> str:
    return repr(printable(name[:40]))


def _plan_of(content: PlanContent, file_name: str) -> Plan:
    states = content.states
    return Plan(
        name=printable((content.name or file_name)[:80]),
        first=content.first,
        stake=lambda state: states[state].stake,
        after=lambda state, won: states[state].win if won else states[state].loss,
        at_maximum=content.at_maximum,
        cannot_pay=content.cannot_pay,
    )
