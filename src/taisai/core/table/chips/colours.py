"""Non-value chips: a colour belongs to one player at one table, at the value marked for it.

The display rack and its marker buttons are the colours in use with their values [div9 3.4(a),
3.4(b)]. A value cannot change while a piece is out, and no piece leaves the table.
"""

from collections.abc import Iterator

from taisai.core.kernel.ledger import DROP, FLOOR, HOUSE, PATRONS, credits_of
from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Posting
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.registry import CHIP_TABLE, applies, command, decides, event, posts
from taisai.core.kernel.roles import PLACING
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table.chips.pieces import Chips, fewest_chips, value_of
from taisai.core.table.chips.seats import (
    bought_in,
    chips_refusal,
    closed_refusal,
    known_value,
    paying_refusal,
    recovery_refusal,
    seat_refusal,
)
from taisai.core.table.chips.state import ChipTable, Coloured, put_in, take_out
from taisai.core.table.state import TableState, chip_table_of, limits_in_force


@command(at=CHIP_TABLE, by=PLACING)
class AssignColour(Command, frozen=True):
    """Give a player a colour at a value, marked on the display rack."""

    seat: str
    colour: str
    value: int


@event(at=CHIP_TABLE, routine=True, significant=False, posts=False)
class ColourAssigned(Event, frozen=True):
    """A colour is one player's, at the value marked on the display rack."""

    seat: str
    colour: str
    value: int
    by: str


@decides
def assign_colour(state: TableState, command: AssignColour, actor: Actor, _at: Instant) -> Decision:
    """Give a player a colour, at a value that makes every payment whole [div9 3.4(a), 3.4(b)]."""
    chip_table, seat, colour = chip_table_of(state), command.seat, command.colour
    refusal = seat_refusal(state, seat) or closed_refusal(state)
    if refusal is not None:
        return refusal
    if colour not in chip_table.chip_set.colours:
        return refuse("UNKNOWN_COLOUR", colour=printable(colour[:NAME_MAX]))
    if colour in chip_table.colours:
        return refuse("COLOUR_TAKEN", colour=colour, seat=chip_table.colours[colour].seat)
    own = chip_table.colour_of(seat)
    if own is not None:
        return refuse("COLOUR_ASSIGNED", seat=seat, colour=own)
    limits = limits_in_force(state)
    value = command.value
    if not is_amount(value) or value == 0 or value % limits.step or value > limits.general.maximum:
        return refuse("COLOUR_VALUE", value=str(value)[:40], step_cents=limits.step)
    return (ColourAssigned(seat, colour, value, actor.person),)


@applies
def colour_assigned(state: TableState, event: ColourAssigned) -> None:
    chip_table_of(state).colours[event.colour] = Coloured(event.seat, event.value)


@command(at=CHIP_TABLE, by=PLACING)
class BuyColour(Command, frozen=True):
    """Buy chips of the player's own colour, for cash or for value chips."""

    seat: str
    count: int
    cash: int = 0
    given: Chips = ()


@event(at=CHIP_TABLE, routine=True, significant=False)
class ColourBought(Event, frozen=True):
    seat: str
    colour: str
    count: int
    amount: int
    cash: int
    given: Chips
    brought: int
    by: str


@decides
def buy_colour(state: TableState, command: BuyColour, actor: Actor, _at: Instant) -> Decision:
    """Sell pieces of a player's own colour at the value marked, for cash or for value chips."""
    chip_table, seat = chip_table_of(state), command.seat
    colour = closed_refusal(state) or _own_colour(state, seat)
    if isinstance(colour, Refusal):
        return colour
    refusal = _count_refusal(command.count) or chips_refusal(chip_table, command.given)
    if refusal is not None:
        return refusal
    if not is_amount(command.cash):
        return refuse("BAD_AMOUNT", amount=str(command.cash)[:40])
    own = chip_table.colours[colour]
    amount, given = own.value * command.count, value_of(command.given, {})
    if command.cash + given != amount:
        return refuse("CHIPS_DIFFER", given_cents=command.cash + given, taken_cents=amount)
    if own.out + command.count > chip_table.chip_set.pieces:
        return refuse("COLOUR_SHORT", colour=colour, count=chip_table.chip_set.pieces - own.out)
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


def _own_colour(state: TableState, seat: str) -> str | Refusal:
    """Find a player's colour, or refuse if the player may not buy or convert it now."""
    refusal = seat_refusal(state, seat) or paying_refusal(state)
    if refusal is not None:
        return refusal
    colour = chip_table_of(state).colour_of(seat)
    return refuse("NO_COLOUR", seat=seat) if colour is None else colour


def _count_refusal(count: int) -> Refusal | None:
    if is_amount(count) and count > 0:
        return None
    return refuse("BAD_AMOUNT", amount=str(count)[:40])


@applies
def colour_bought(state: TableState, event: ColourBought) -> None:
    chip_table = chip_table_of(state)
    put_in(chip_table, event.given)
    chip_table.colours[event.colour].out += event.count
    bought_in(state, event.seat, event.cash, event.brought)


@posts
def _post_colour_bought(event: ColourBought) -> Iterator[Posting]:
    yield Posting(FLOOR, credits_of(event.seat), event.brought)
    yield Posting(PATRONS, DROP, event.cash)
    yield Posting(HOUSE, credits_of(event.seat), event.cash)


@command(at=CHIP_TABLE, by=PLACING)
class ConvertColour(Command, frozen=True):
    """Turn chips of the player's own colour back into value chips."""

    seat: str
    count: int


@event(at=CHIP_TABLE, routine=True, significant=False, posts=False)
class ColourConverted(Event, frozen=True):
    seat: str
    colour: str
    count: int
    amount: int
    chips: Chips
    by: str


@decides
def convert_colour(
    state: TableState, command: ConvertColour, actor: Actor, _at: Instant
) -> Decision:
    """Turn pieces back into value chips at the value marked, before they leave the table."""
    chip_table, seat = chip_table_of(state), command.seat
    colour = _own_colour(state, seat)
    if isinstance(colour, Refusal):
        return colour
    refusal = _count_refusal(command.count)
    if refusal is not None:
        return refusal
    held = chip_table.in_front(colour)
    if command.count > held:
        return refuse("COLOUR_SHORT", colour=colour, count=held)
    amount = chip_table.colours[colour].value * command.count
    chips = from_rack(chip_table, amount)
    if chips is None:
        return refuse("RACK_SHORT", amount_cents=amount)
    return (ColourConverted(seat, colour, command.count, amount, chips, actor.person),)


def from_rack(chip_table: ChipTable, amount: int) -> Chips | None:
    """Break an amount into the fewest value chips that the rack has."""
    return fewest_chips(amount, chip_table.value_chips, {})


@applies
def colour_converted(state: TableState, event: ColourConverted) -> None:
    chip_table = chip_table_of(state)
    chip_table.colours[event.colour].out -= event.count
    take_out(chip_table, event.chips)


@command(at=CHIP_TABLE, by=PLACING)
class ReleaseColour(Command, frozen=True):
    seat: str


@event(at=CHIP_TABLE, routine=True, significant=False, posts=False)
class ColourReleased(Event, frozen=True):
    seat: str
    colour: str


@decides
def release_colour(
    state: TableState, command: ReleaseColour, _actor: Actor, _at: Instant
) -> Decision:
    """Take a colour back onto the display rack, once none of it is out [div9 3.4(b)]."""
    chip_table = chip_table_of(state)
    colour = _own_colour(state, command.seat)
    if isinstance(colour, Refusal):
        return colour
    if chip_table.colours[colour].out:
        return refuse("COLOUR_OUT", colour=colour, count=chip_table.colours[colour].out)
    refusal = recovery_refusal(state, command.seat)
    if refusal is not None:
        # The answer may still put pieces out again.
        return refusal
    return (ColourReleased(command.seat, colour),)


@applies
def colour_released(state: TableState, event: ColourReleased) -> None:
    chip_table = chip_table_of(state)
    del chip_table.colours[event.colour]
    chip_table.pieces_taken.pop(event.seat, None)
