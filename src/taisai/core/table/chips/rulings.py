"""What the dealer does not take as it lies: chips placed after the close, mixed stacks [D22]."""

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant
from taisai.core.kernel.registry import CHIP_TABLE, applies, command, decides, event
from taisai.core.kernel.roles import PLACING
from taisai.core.rules.bets import box_refusal
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.betting import phase_refusal
from taisai.core.table.chips.layout_bets import AFTER_CLOSE
from taisai.core.table.chips.pieces import Chips, RecordedBet
from taisai.core.table.chips.seats import chips_refusal, recorded, seat_refusal
from taisai.core.table.state import (
    TableState,
    chip_table_of,
    ground_of,
    in_force,
    not_playing,
    pay_table_in_force,
)


@command(at=CHIP_TABLE, by=PLACING)
class RefuseLateBet(Command, frozen=True):
    """Refuse chips that were placed after the close, and note it."""

    seat: str
    box: str
    chips: Chips
    note: str = ""


@event(at=CHIP_TABLE, routine=True, applies=False, posts=False)
class LateBetRefused(Event, frozen=True):
    """Chips placed after the close were refused: they are no bet."""

    seat: str
    bet: RecordedBet
    irregularity: str
    clause: str
    note: str
    by: str


@decides
def refuse_late_bet(
    state: TableState, command: RefuseLateBet, actor: Actor, _at: Instant
) -> Decision:
    """Refuse a bet that was placed, or added to, after the close [ts6 5.7; div9 4.7(a)] [D22]."""
    chip_table = chip_table_of(state)
    refusal = (
        not_playing(state)
        or _after_close_refusal(state)
        or seat_refusal(state, command.seat)
        or box_refusal(pay_table_in_force(state), command.box)
        or chips_refusal(chip_table, command.chips, command.seat)
    )
    if refusal is not None or not command.chips:
        return refusal or refuse("BAD_CHIPS")
    bet = recorded(chip_table, command.box, command.chips)
    late = in_force(state).content.procedure.betting.late_clause
    return (LateBetRefused(command.seat, bet, "late-bet", late, command.note, actor.person),)


def _after_close_refusal(state: TableState) -> Refusal | None:
    if state.phase in AFTER_CLOSE:
        return None
    return refuse("NOTHING_IS_LATE", in_force(state).content.procedure.betting.late_clause)


@command(at=CHIP_TABLE, by=PLACING)
class SeparateStack(Command, frozen=True):
    """Put a player's value chips and coloured ones on a box beside each other."""

    seat: str
    box: str


@event(at=CHIP_TABLE, routine=True, posts=False)
class StackSeparated(Event, frozen=True):
    """Value and coloured chips that were one stack are two."""

    seat: str
    box: str
    clause: str
    by: str


@decides
def separate_stack(
    state: TableState, command: SeparateStack, actor: Actor, _at: Instant
) -> Decision:
    """Put right, before the close, a stack of value and coloured chips [div9 4.3] [D22]."""
    refusal = seat_refusal(state, command.seat) or phase_refusal(state)
    if refusal is not None:
        return refusal
    if (command.seat, command.box) not in chip_table_of(state).mixed:
        return refuse("NOT_MIXED", seat=command.seat)
    clause = ground_of(state, None)
    return (StackSeparated(command.seat, command.box, clause, actor.person),)


@applies
def stack_separated(state: TableState, event: StackSeparated) -> None:
    chip_table, where = chip_table_of(state), (event.seat, event.box)
    chip_table.mixed = tuple(each for each in chip_table.mixed if each != where)
