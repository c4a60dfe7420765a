"""What reversals and rulings do to chips: taken from players, given to them, set aside for them.

An amount taken from a player may turn out to be unrecoverable, and is then still in the same chips.
"""

from collections.abc import Iterator

from taisai.core.kernel.ledger import SHORTFALL, credits_of
from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Netted, Posting
from taisai.core.kernel.registry import CHIP_TABLE, applies, command, decides, event, posts
from taisai.core.kernel.roles import PIT, PIT_AND_DEALER
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import refuse
from taisai.core.table.chips.seats import known_value
from taisai.core.table.chips.state import corrected, move, nothing_owed
from taisai.core.table.positions import falls_short, meters_with, newest_session
from taisai.core.table.state import TableState, chip_table_of


@command(at=CHIP_TABLE, by=PIT_AND_DEALER, second=PIT)
class RecordRecovery(Command, frozen=True):
    """Say how much of what a reversal takes from a player could not be had."""

    seat: str
    missing: int
    note: str


@event(at=CHIP_TABLE)
class RecoveryRecorded(Event, frozen=True):
    """So much of what a reversal takes from a player could not be had."""

    seat: str
    missing: int
    note: str
    by: str


@decides
def record_recovery(
    state: TableState, command: RecordRecovery, actor: Actor, _at: Instant
) -> Decision:
    """Enter what a reversal could not recover from a player as the house's loss [D8] [ts6 5.6]."""
    owed = chip_table_of(state).recovering.get(command.seat)
    if owed is None:
        return refuse("NOTHING_OWED", seat=command.seat[:64])
    if not is_amount(command.missing) or command.missing > owed:
        return refuse("BAD_AMOUNT", amount=str(command.missing)[:40])
    if command.missing % chip_table_of(state).chip_set.smallest:
        return refuse("BAD_AMOUNT", amount=str(command.missing)[:40])
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    return (RecoveryRecorded(command.seat, command.missing, command.note, actor.person),)


@applies
def recovery_recorded(state: TableState, event: RecoveryRecorded) -> None:
    """Leave the unrecovered amount with the player, and treat the rest as recovered."""
    chip_table = chip_table_of(state)
    _leave_with_seat(state, event.seat, event.missing)
    nothing_owed(chip_table, event.seat)
    corrected(chip_table, event.missing)
    position = state.positions[event.seat]
    falls_short(state, newest_session(position, event.seat), event.missing)
    for meter in meters_with(state, position):
        meter.corrections += event.missing


def _leave_with_seat(state: TableState, seat: str, amount: int) -> None:
    """Undo the unrecovered part of a reversal: first pieces of a colour, then value chips."""
    chip_table = chip_table_of(state)
    owed = chip_table.recovering[seat] - amount
    pieces, colour = chip_table.pieces_taken.get(seat, 0), chip_table.colour_of(seat)
    worth = 0
    if colour is not None:
        own = chip_table.colours[colour]
        wanted = amount // own.value if owed else pieces
        # Not more than the player has, and not more pieces than there are.
        known = max(0, known_value(state, seat)) // own.value
        back = min(pieces, wanted, known, chip_table.chip_set.pieces - own.out)
        own.out += back
        pieces -= back
        worth = back * own.value
    move(chip_table, worth - amount)
    chip_table.recovering[seat], chip_table.pieces_taken[seat] = owed, pieces
    if not owed:
        nothing_owed(chip_table, seat)


@posts
def _post_recovery_recorded(event: RecoveryRecorded) -> Iterator[Posting]:
    """Post the unrecovered amount to the player, as the house's loss [D8]."""
    yield Posting(SHORTFALL, credits_of(event.seat), event.missing)


def _take_from_seat(state: TableState, seat: str, amount: int) -> int:
    """Take chips from in front of a player: value chips first, then pieces, which are counted."""
    chip_table = chip_table_of(state)
    colour = chip_table.colour_of(seat)
    if colour is None:
        move(chip_table, amount)
        return 0
    own = chip_table.colours[colour]
    left = max(0, state.ledger.balance(credits_of(seat)))
    short = chip_table.in_front(colour) * own.value - left
    pieces = max(0, -(-short // own.value))
    own.out -= pieces
    move(chip_table, amount - pieces * own.value)
    return pieces


def put_right(state: TableState, netted: tuple[Netted, ...], gone: tuple[Netted, ...]) -> None:
    """Move the chips of a reversal, and remember what has to be recovered from which seat."""
    chip_table = chip_table_of(state)
    for each in netted:
        if each.given:
            _give_back(state, each.position, each.given)
        if each.taken:
            _take_back(state, each.position, each.taken)
    for each in gone:
        move(chip_table, each.taken - each.given)
    corrected(chip_table, sum(each.given - each.taken for each in (*netted, *gone)))


def _give_back(state: TableState, seat: str, amount: int) -> None:
    """Give a player chips, first by leaving them what an earlier reversal has not recovered."""
    chip_table = chip_table_of(state)
    left = min(amount, chip_table.recovering.get(seat, 0))
    if left:
        _leave_with_seat(state, seat, left)
    move(chip_table, left - amount)


def _take_back(state: TableState, seat: str, amount: int) -> None:
    """Take chips from a player, who may refuse; one who walked away left them on the table."""
    chip_table = chip_table_of(state)
    pieces = _take_from_seat(state, seat, amount)
    if not chip_table.seated[seat]:
        chip_table.recovering[seat] = chip_table.recovering.get(seat, 0) + amount
        chip_table.pieces_taken[seat] = chip_table.pieces_taken.get(seat, 0) + pieces


def ruled(state: TableState, postings: tuple[Posting, ...]) -> None:
    """Move the chips of a ruling between players and the rack."""
    chip_table = chip_table_of(state)
    for posting in postings:
        branch, _, seat = posting.source.partition(":")
        if branch == "terminal":
            _take_from_seat(state, seat, posting.amount)
            corrected(chip_table, -posting.amount)
        if posting.destination.startswith("terminal:"):
            move(chip_table, -posting.amount)
            corrected(chip_table, posting.amount)
