"""Plans of a person's own, written as a small file in TOML or JSON.

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

from collections.abc import Hashable
from pathlib import Path

import msgspec

from taisai.core.rules.reason import printable
from taisai.maths.failures import MathsError
from taisai.maths.planning.plan import AtMaximum, CannotPay, Plan

PLAN_FILE_MAX = 1024 * 1024
STATES_MAX = 10_000
UNITS_MAX = 10**9


class StateContent(msgspec.Struct, forbid_unknown_fields=True):
    """A state of a plan file: its stake in units, and where a win and a loss lead."""

    stake: int
    win: str | None = None
    loss: str | None = None


class PlanContent(msgspec.Struct, forbid_unknown_fields=True):
    """A plan file as it is written."""

    first: str
    states: dict[str, StateContent]
    name: str = ""
    at_maximum: AtMaximum = AtMaximum.HOLD
    cannot_pay: CannotPay = CannotPay.STOP


def plan_from_file(path: Path) -> Plan:
    """Read a plan file, TOML or, where it ends in .json, JSON; refuse what is none."""
    try:
        with path.open("rb") as file:
            data = file.read(PLAN_FILE_MAX + 1)
    except OSError as error:
        raise MathsError(f"the plan file {path} cannot be read: {error.strerror}") from None
    return plan_from_text(data, path.name)


def plan_from_text(data: bytes, file_name: str) -> Plan:
    """Read a plan as a file holds it; its name tells the format."""
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
    states: dict[Hashable, StateContent] = dict(content.states.items())

    def after(state: Hashable, won: bool) -> Hashable | None:
        return states[state].win if won else states[state].loss

    return Plan(
        name=printable((content.name or file_name)[:80]),
        first=content.first,
        stake=lambda state: states[state].stake,
        after=after,
        at_maximum=content.at_maximum,
        cannot_pay=content.cannot_pay,
    )
