"""Before a table opens: equipment is registered, and each check is an act of its own [D32].

Each act is recorded, also if it found a fault; the newest act decides whether a check is met.
"""

from typing import Literal

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant
from taisai.core.kernel.name_profile import is_name
from taisai.core.kernel.names import compared
from taisai.core.kernel.registry import TABLE, applies, command, decides, event
from taisai.core.kernel.roles import PIT
from taisai.core.rules.dice import Faces, result_of
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table.setup import TableStopped, end_of_use
from taisai.core.table.state import (
    IN_ROUND,
    Phase,
    TableState,
    equipment_known,
    pay_table_in_force,
    ruling_on,
    sorted_faces,
)

Check = Literal["equipment-on", "test-runs-light", "tumbler-works", "dice-sealed"]
#: The most tumbles of a tumbler on trial.
TUMBLES_MAX = 1_000


@command(at=TABLE, by=PIT)
class RegisterEquipment(Command, frozen=True):
    """Say which piece of equipment is in use: its rack, its bell, its reader, by number or name."""

    equipment: str
    identity: str


@event(at=TABLE, posts=False)
class EquipmentRegistered(Event, frozen=True):
    equipment: str
    identity: str
    clause: str | None
    by: str


@decides
def register_equipment(
    state: TableState, command: RegisterEquipment, actor: Actor, _at: Instant
) -> Decision:
    """Register equipment that the document requires, or a reader of dice, between rounds.

    [div9 3.4(a), 3.4(b), 3.4(c), 3.4(e), 3.4(f)] [D32]
    """
    if state.rulebook is None:
        return refuse("NO_RULEBOOK")
    if state.phase in IN_ROUND:
        return refuse("ROUND_UNDER_WAY")
    asked = {each.code: each.clause for each in equipment_known(state)}
    if command.equipment not in asked:
        return refuse("UNKNOWN_EQUIPMENT", equipment=printable(command.equipment[:40]))
    if not is_name(command.identity):
        return refuse("NAME_MISSING")
    clause = asked[command.equipment]
    return (EquipmentRegistered(command.equipment, command.identity, clause, actor.person),)


@applies
def equipment_registered(state: TableState, event: EquipmentRegistered) -> None:
    state.registered[event.equipment] = event.identity
    if event.equipment == "tumbler":
        # Another tumbler needs a new trial, and the seal of the dice in it is read again.
        state.checks -= {"tumbler-works", "dice-sealed"}


#: The code of the set of dice in use, among the pieces of equipment.
DICE = "dice"


@command(at=TABLE, by=("technician", *PIT))
class WithdrawEquipment(Command, frozen=True):
    """Take a registered piece of equipment, or the set of dice in use, away from the table."""

    equipment: str


@event(at=TABLE, posts=False)
class EquipmentWithdrawn(Event, frozen=True):
    """A piece of equipment is no longer at the table: which one it was."""

    equipment: str
    identity: str
    by: str


@decides
def withdraw_equipment(
    state: TableState, command: WithdrawEquipment, actor: Actor, _at: Instant
) -> Decision:
    """Withdraw equipment or dice from a closed table, which needs others before it opens [D32]."""
    if state.phase is not Phase.CLOSED:
        return refuse("TABLE_NOT_CLOSED")
    name = command.equipment
    identity = state.dice_set if name == DICE else state.registered.get(name)
    if identity is None:
        return refuse("UNKNOWN_EQUIPMENT", equipment=printable(name[:40]))
    return (EquipmentWithdrawn(name, identity, actor.person),)


@applies
def equipment_withdrawn(state: TableState, event: EquipmentWithdrawn) -> None:
    if event.equipment == DICE:
        end_of_use(state, event.identity)
        state.dice_set = None
        state.checks -= {"dice-sealed"}
        return
    del state.registered[event.equipment]
    if event.equipment == "tumbler":
        state.checks -= {"tumbler-works", "dice-sealed"}


# --- the acts ------------------------------------------------------------------------------------


def act_refusal(state: TableState, *phases: Phase) -> Refusal | None:
    """Refuse an act of the opening at a table without rules, or while the table plays."""
    if state.rulebook is None:
        return refuse("NO_RULEBOOK")
    if state.phase in phases:
        return None
    return refuse("ROUND_UNDER_WAY" if Phase.READY in phases else "TABLE_NOT_CLOSED")


def clause_of(state: TableState, check: Check) -> str | None:
    """Name the clause that requires a check, if there is one."""
    checks = () if state.rulebook is None else state.rulebook.content.procedure.opening_checks
    return next((each.clause for each in checks if each.code == check), None)


def _found(state: TableState, check: Check, *, good: bool) -> None:
    state.checks = state.checks | {check} if good else state.checks - {check}


@command(at=TABLE, by=PIT, part="opening")
class SwitchOn(Command, frozen=True):
    """Say that the electronic equipment is on, and what it has its power from."""

    power: str


@event(at=TABLE, posts=False)
class EquipmentSwitchedOn(Event, frozen=True):
    power: str
    clause: str | None
    by: str


@decides
def switch_on(state: TableState, command: SwitchOn, actor: Actor, _at: Instant) -> Decision:
    """Record that the equipment is connected and on, on a closed table [div9 5.0(a)] [D32]."""
    refusal = act_refusal(state, Phase.CLOSED)
    if refusal is not None:
        return refusal
    if not is_name(command.power):
        return refuse("NAME_MISSING")
    clause = clause_of(state, "equipment-on")
    return (EquipmentSwitchedOn(command.power, clause, actor.person),)


@applies
def equipment_switched_on(state: TableState, _: EquipmentSwitchedOn) -> None:
    _found(state, "equipment-on", good=True)


@command(at=TABLE, by=PIT, part="opening")
class RunTest(Command, frozen=True):
    """Enter faces on the closed table, so that the layout lights as it would for them."""

    faces: tuple[int, ...]


@event(at=TABLE, posts=False)
class LayoutTested(Event, frozen=True):
    """Faces were entered as a test: no round, no bets, no money; these boxes were lit."""

    faces: Faces
    lit: tuple[str, ...]
    clause: str | None
    by: str


@decides
def run_test(state: TableState, command: RunTest, actor: Actor, _at: Instant) -> Decision:
    """Light the layout for faces entered on the closed table [div9 3.3(b), 5.0(b)] [D32]."""
    refusal = act_refusal(state, Phase.CLOSED)
    if refusal is not None:
        return refusal
    faces = sorted_faces(command.faces)
    if isinstance(faces, Refusal):
        return faces
    lit = pay_table_in_force(state).winners(result_of(faces))
    return (LayoutTested(faces, lit, clause_of(state, "test-runs-light"), actor.person),)


@applies
def layout_tested(state: TableState, event: LayoutTested) -> None:
    state.tested = event.faces
    _found(state, "test-runs-light", good=False)


@command(at=TABLE, by=PIT, part="opening")
class VerifyTest(Command, frozen=True):
    """Say whether the areas that were lit are the right ones."""

    right: bool
    note: str = ""


@event(at=TABLE, posts=False)
class LightsVerified(Event, frozen=True):
    faces: Faces
    right: bool
    note: str
    clause: str | None
    by: str


@decides
def verify_test(state: TableState, command: VerifyTest, actor: Actor, _at: Instant) -> Decision:
    """Record whether a test run lit the right areas; a wrong light stops the table.

    [div9 5.0(b), 7.4] [D32]
    """
    refusal = act_refusal(state, Phase.CLOSED)
    if refusal is not None:
        return refusal
    if state.tested is None:
        return refuse("NO_TEST_RUN", clause_of(state, "test-runs-light"))
    if not command.right and not command.note.strip():
        return refuse("NOTE_MISSING", clause_of(state, "test-runs-light"))
    clause = clause_of(state, "test-runs-light")
    verified = LightsVerified(state.tested, command.right, command.note, clause, actor.person)
    return (verified,) if command.right else (verified, *_stopped(state, command.note))


def _stopped(state: TableState, note: str) -> tuple[Event, ...]:
    """Stop a table whose equipment fails, if the document says so."""
    fault = ruling_on(state, "malfunction")
    if fault is None or not fault.stops_table or state.stopped is not None:
        return ()
    return (TableStopped(fault.stops_clause or fault.clause or "D6", note),)


@applies
def lights_verified(state: TableState, event: LightsVerified) -> None:
    state.tested = None
    _found(state, "test-runs-light", good=event.right)


@command(at=TABLE, by=PIT, part="opening")
class TryTumbler(Command, frozen=True):
    """Say how often the tumbler tumbled when it was activated to try it."""

    times: int


@event(at=TABLE, posts=False)
class TumblerTried(Event, frozen=True):
    times: int
    works: bool
    clause: str | None
    by: str


@decides
def try_tumbler(state: TableState, command: TryTumbler, actor: Actor, _at: Instant) -> Decision:
    """Record a trial of the tumbler; it works if it tumbles as often as in a round.

    [div9 5.0(c)] [D32]
    """
    refusal = act_refusal(state, Phase.CLOSED, Phase.READY)
    if refusal is not None:
        return refusal
    if type(command.times) is not int or not 0 <= command.times <= TUMBLES_MAX:
        return refuse("BAD_AMOUNT", amount=str(command.times)[:40])
    assert state.rulebook is not None, "an act of the opening has rules"
    works = command.times >= state.rulebook.content.procedure.tumble.at_least
    clause = clause_of(state, "tumbler-works")
    return (TumblerTried(command.times, works, clause, actor.person),)


@applies
def tumbler_tried(state: TableState, event: TumblerTried) -> None:
    _found(state, "tumbler-works", good=event.works)


@command(at=TABLE, by=PIT, part="opening")
class ReadSeal(Command, frozen=True):
    """Read the seal of the dice in the tumbler: what is on it, and whether it is whole."""

    seal: str
    intact: bool = True


@event(at=TABLE, posts=False)
class SealRead(Event, frozen=True):
    dice_set: str
    seal: str
    intact: bool
    #: Whether it is whole, and the one that was registered with the set.
    agrees: bool
    clause: str | None
    by: str


@decides
def read_seal(state: TableState, command: ReadSeal, actor: Actor, _at: Instant) -> Decision:
    """Record the seal as it was read, compared with the registered one.

    [div9 3.4(e)(iii), 5.0(d)] [D32]
    """
    refusal = act_refusal(state, Phase.CLOSED, Phase.READY)
    if refusal is not None:
        return refusal
    if state.dice_set is None:
        return refuse("NO_DICE")
    if not is_name(command.seal):
        return refuse("NAME_MISSING")
    sealed = state.dice_seals[state.dice_set]
    agrees = command.intact and compared(command.seal) == compared(sealed)
    clause = clause_of(state, "dice-sealed")
    return (SealRead(state.dice_set, command.seal, command.intact, agrees, clause, actor.person),)


@applies
def seal_read(state: TableState, event: SealRead) -> None:
    _found(state, "dice-sealed", good=event.agrees)
