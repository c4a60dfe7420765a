"""The commands that open a table, as they are tried: each with the fields to fill in [D32]."""

from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.limits import has_differential
from taisai.core.table.opening import (
    ReadSeal,
    RegisterEquipment,
    RunTest,
    SwitchOn,
    TryTumbler,
    VerifyTest,
)
from taisai.core.table.state import TableState
from taisai.protocol.client_messages import WireCommand

#: The checks that there can be, in the order in which they are made.
CHECKS = ("equipment-on", "test-runs-light", "tumbler-works", "dice-sealed")
#: Stands for a text that a person has to enter.
_SAID = "–"

#: A command that is tried, and the fields of it that a person fills in.
Tried = tuple[WireCommand, tuple[str, ...]]


def registered(equipment: str) -> Tried:
    """Give the command that registers a piece of equipment."""
    return RegisterEquipment(equipment, _SAID), ("identity",)


def act_of(state: TableState, check: str) -> Tried:
    """Give the command that makes a check: a test run is made, and then verified."""
    match check:
        case "equipment-on":
            return SwitchOn(_SAID), ("power",)
        case "test-runs-light" if state.tested is None:
            return RunTest(RESULTS[0].faces), ("faces",)
        case "test-runs-light":
            return VerifyTest(right=True), ("right", "note")
        case "tumbler-works":
            rules = state.rulebook
            least = 3 if rules is None else rules.content.procedure.tumble.at_least
            return TryTumbler(least), ("times",)
        case _:
            return ReadSeal(_SAID), ("seal", "intact")


def smallest_limits(state: TableState) -> LimitsAsked:
    """Give limits that are valid for any pay table."""
    step = 1 if state.pay_table is None else state.pay_table.step
    if state.chips is not None:
        step *= state.chips.chip_set.smallest
    apart = state.pay_table is not None and has_differential(state.pay_table)
    return LimitsAsked(step, step, step, step if apart else None)
