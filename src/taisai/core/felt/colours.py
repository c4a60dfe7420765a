"""Non-value chips: a colour belongs to one player at one table, at the value marked for it.

The display rack and its marker buttons are the colours in use with their values [div9 3.4(a),
3.4(b)]. A value cannot change while a piece is out, and no piece leaves the table.
"""

from taisai.core.chips import Chips, fewest_chips, value_of
from taisai.core.commands import AssignColour, BuyColour, ConvertColour, ReleaseColour
from taisai.core.decision import NAME_MAX, Decision, limits_in_force
from taisai.core.events import ColourAssigned, ColourBought, ColourConverted, ColourReleased
from taisai.core.felt.common import (
    chips_refusal,
    closed_refusal,
    felt_of,
    known_value,
    paying_refusal,
    recovery_refusal,
    seat_refusal,
)
from taisai.core.felt_state import Felt
from taisai.core.messages import Actor
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table_state import TableState


def assign_colour(state: TableState, command: AssignColour, actor: Actor) -> Decision:
    """Give a player a colour, at a value that makes every payment whole."""
    felt, seat, colour = felt_of(state), command.seat, command.colour
    refusal = seat_refusal(state, seat) or closed_refusal(state)
    if refusal is not None:
        return refusal
    if colour not in felt.chips.colours:
        return refuse("UNKNOWN_COLOUR", colour=printable(colour[:NAME_MAX]))
    if colour in felt.colours:
        return refuse("COLOUR_TAKEN", colour=colour, seat=felt.colours[colour].seat)
    own = felt.colour_of(seat)
    if own is not None:
        return refuse("COLOUR_ASSIGNED", seat=seat, colour=own)
    limits = limits_in_force(state)
    value = command.value
    if not is_amount(value) or value == 0 or value % limits.step or value > limits.general.maximum:
        return refuse("COLOUR_VALUE", value=str(value)[:40], step_cents=limits.step)
    return (ColourAssigned(seat, colour, value, actor.person),)


def _own_colour(state: TableState, seat: str) -> str | Refusal:
    """Find the colour of a player who may do something with it now."""
    refusal = seat_refusal(state, seat) or paying_refusal(state)
    if refusal is not None:
        return refusal
    colour = felt_of(state).colour_of(seat)
    return refuse("NO_COLOUR", seat=seat) if colour is None else colour


def buy_colour(state: TableState, command: BuyColour, actor: Actor) -> Decision:
    """Sell pieces of a player's own colour at the value marked, for cash or for value chips."""
    felt, seat = felt_of(state), command.seat
    colour = closed_refusal(state) or _own_colour(state, seat)
    if isinstance(colour, Refusal):
        return colour
    refusal = _count_refusal(command.count) or chips_refusal(felt, command.given)
    if refusal is not None:
        return refusal
    if not is_amount(command.cash):
        return refuse("BAD_AMOUNT", amount=str(command.cash)[:40])
    own = felt.colours[colour]
    amount, given = own.value * command.count, value_of(command.given, {})
    if command.cash + given != amount:
        return refuse("CHIPS_DIFFER", given_cents=command.cash + given, taken_cents=amount)
    if own.out + command.count > felt.chips.pieces:
        return refuse("COLOUR_SHORT", colour=colour, count=felt.chips.pieces - own.out)
    return (
        ColourBought(
            seat=seat,
            colour=colour,
            count=command.count,
            amount=amount,
            cash=command.cash,
            given=command.given,
            brought=max(0, given - known_value(state, seat)),
            by=actor.person,
        ),
    )


def _count_refusal(count: int) -> Refusal | None:
    if is_amount(count) and count > 0:
        return None
    return refuse("BAD_AMOUNT", amount=str(count)[:40])


def convert_colour(state: TableState, command: ConvertColour, actor: Actor) -> Decision:
    """Turn pieces back into value chips at the value marked, before they leave the table."""
    felt, seat = felt_of(state), command.seat
    colour = _own_colour(state, seat)
    if isinstance(colour, Refusal):
        return colour
    refusal = _count_refusal(command.count)
    if refusal is not None:
        return refusal
    held = felt.in_front(colour)
    if command.count > held:
        return refuse("COLOUR_SHORT", colour=colour, count=held)
    amount = felt.colours[colour].value * command.count
    chips = from_rack(felt, amount)
    if chips is None:
        return refuse("RACK_SHORT", amount_cents=amount)
    return (ColourConverted(seat, colour, command.count, amount, chips, actor.person),)


def from_rack(felt: Felt, amount: int) -> Chips | None:
    """Break an amount into the fewest value chips that the rack has."""
    return fewest_chips(amount, felt.value_chips, {})


def release_colour(state: TableState, command: ReleaseColour) -> Decision:
    """Take a colour back onto the display rack, once none of it is out."""
    felt = felt_of(state)
    colour = _own_colour(state, command.seat)
    if isinstance(colour, Refusal):
        return colour
    if felt.colours[colour].out:
        return refuse("COLOUR_OUT", colour=colour, count=felt.colours[colour].out)
    refusal = recovery_refusal(state, command.seat)
    if refusal is not None:
        # It may turn out that pieces are out after all.
        return refusal
    return (ColourReleased(command.seat, colour),)
