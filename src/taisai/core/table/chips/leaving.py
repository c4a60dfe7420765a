"""Leaving a seat: with chips in hand, the colour converted, or away from bets on the layout."""

from taisai.core.kernel.ledger import credits_of
from taisai.core.kernel.messages import Actor, Command, Decision, Instant
from taisai.core.kernel.registry import CHIP_TABLE, command, decides
from taisai.core.kernel.roles import PLACING
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.chips.colours import ConvertColour, convert_colour
from taisai.core.table.chips.seats import (
    PlayerWalkedAway,
    SeatLeft,
    known_value,
    paying_refusal,
    recovery_refusal,
    seat_refusal,
)
from taisai.core.table.state import TableState, chip_table_of, clause_for


@command(at=CHIP_TABLE, by=PLACING)
class LeaveSeat(Command, frozen=True):
    """Leave the table; with bets on the layout the player walks away from them.

    Pieces of a colour do not leave the table: `converts` turns them into value chips first.
    """

    seat: str
    converts: bool = False


@decides
def leave_seat(state: TableState, command: LeaveSeat, actor: Actor, at: Instant) -> Decision:
    """Let a player leave: with chips in hand, or away from bets, which are settled all the same.

    [ts6 5.3]
    """
    chip_table, seat = chip_table_of(state), command.seat
    refusal = seat_refusal(state, seat) or paying_refusal(state)
    if refusal is not None:
        return refusal
    if chip_table.seated[seat]:
        return refuse("SEAT_EMPTY", seat=seat)
    refusal = recovery_refusal(state, seat)
    if refusal is not None:
        return refusal
    if state.positions[seat].bets:
        taken = known_value(state, seat)
        return (PlayerWalkedAway(seat, taken, clause_for(state, "walked-away")),)
    colour = chip_table.colour_of(seat)
    left = SeatLeft(seat, state.ledger.balance(credits_of(seat)))
    if colour is None or not chip_table.colours[colour].out:
        return (left,)
    if not command.converts:
        return refuse("COLOUR_OUT", colour=colour, count=chip_table.colours[colour].out)
    converted = convert_colour(state, ConvertColour(seat, chip_table.in_front(colour)), actor, at)
    return converted if isinstance(converted, Refusal) else (*converted, left)
