"""The acts before a table opens, when all is well, for a demo and for simulated people [D32]."""

from collections.abc import Iterator

from taisai.core.rules.dice import Faces
from taisai.core.table.opening import (
    ReadSeal,
    RegisterEquipment,
    RunTest,
    SwitchOn,
    TryTumbler,
    VerifyTest,
)
from taisai.core.table.state import TableState, equipment_asked

#: A throw that lights areas of many kinds: a pair, a single face, an even total that is small.
TEST_FACES: Faces = (2, 2, 6)

Act = RegisterEquipment | SwitchOn | RunTest | VerifyTest | TryTumbler | ReadSeal


def acts_wanted(state: TableState) -> tuple[Act, ...]:
    """List the acts that a table with its dice still needs before it opens."""
    return (*_equipment(state), *_checks(state))


def _equipment(state: TableState) -> Iterator[Act]:
    for each in equipment_asked(state):
        if each.code not in state.registered:
            yield RegisterEquipment(each.code, f"{each.code} 1")


def _checks(state: TableState) -> Iterator[Act]:
    if state.rulebook is None:
        return
    procedure = state.rulebook.content.procedure
    acts: dict[str, tuple[Act, ...]] = {
        "equipment-on": (SwitchOn("mains"),),
        "test-runs-light": (RunTest(TEST_FACES), VerifyTest(right=True)),
        "tumbler-works": (TryTumbler(procedure.tumble.at_least),),
        "dice-sealed": (ReadSeal(state.dice_seals.get(state.dice_set or "", "")),),
    }
    for check in procedure.opening_checks:
        if check.code not in state.checks:
            yield from acts[check.code]
