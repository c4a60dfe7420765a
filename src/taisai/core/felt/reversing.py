"""What reversals and rulings do to chips: taken from players, given to them, kept for who is gone.

What is taken from a player may turn out not to be had, and is then still in the chips it was in.
"""

from taisai.core.accounts import credits_of
from taisai.core.books import meter_of
from taisai.core.events import RecoveryRecorded
from taisai.core.felt.common import felt_of, known_value, unpaid_to
from taisai.core.felt.rack import move
from taisai.core.felt_state import Felt
from taisai.core.messages import Netted, Posting
from taisai.core.table_state import TableState


def _take_from_seat(state: TableState, seat: str, amount: int) -> int:
    """Take chips from in front of a player: value chips first, then pieces, which are counted."""
    felt = felt_of(state)
    colour = felt.colour_of(seat)
    if colour is None:
        move(felt, amount)
        return 0
    own = felt.colours[colour]
    left = max(0, state.ledger.balance(credits_of(seat)) - unpaid_to(state, seat))
    short = felt.in_front(colour) * own.value - left
    pieces = max(0, -(-short // own.value))
    own.out -= pieces
    move(felt, amount - pieces * own.value)
    return pieces


def _leave_with_seat(state: TableState, seat: str, amount: int) -> None:
    """Undo what a reversal took and nobody had: first the pieces are out again, then the rest."""
    felt = felt_of(state)
    # In a journal from before it was lowered, more may be left than is owed.
    owed = max(0, felt.recovering.get(seat, 0) - amount)
    pieces, colour = felt.pieces_taken.get(seat, 0), felt.colour_of(seat)
    worth = 0
    if colour is not None:
        own = felt.colours[colour]
        wanted = amount // own.value if owed else pieces
        # Neither more than the player has, nor more pieces than there are.
        known = max(0, known_value(state, seat)) // own.value
        back = min(pieces, wanted, known, felt.chips.pieces - own.out)
        own.out += back
        pieces -= back
        worth = back * own.value
    move(felt, worth - amount)
    felt.recovering[seat], felt.pieces_taken[seat] = owed, pieces
    if not owed:
        nothing_owed(felt, seat)


def nothing_owed(felt: Felt, seat: str) -> None:
    """Have nothing more to say of what was taken from a seat."""
    felt.recovering.pop(seat, None)
    felt.pieces_taken.pop(seat, None)


def put_right(state: TableState, netted: tuple[Netted, ...], gone: tuple[Netted, ...]) -> None:
    """Move the chips of a reversal, and remember what is to be had from whom."""
    felt = felt_of(state)
    for each in netted:
        if each.given:
            _give_back(state, each.terminal, each.given)
        if each.taken:
            _take_back(state, each.terminal, each.taken)
    for each in gone:
        move(felt, each.taken - each.given)
        _keep(felt, each.terminal, each.given - each.taken)
    corrected(felt, sum(each.given - each.taken for each in (*netted, *gone)))


def _give_back(state: TableState, seat: str, amount: int) -> None:
    """Give a player chips; what an earlier reversal took and nobody had is left with them."""
    felt = felt_of(state)
    left = min(amount, felt.recovering.get(seat, 0))
    if left:
        _leave_with_seat(state, seat, left)
    move(felt, left - amount)


def _take_back(state: TableState, seat: str, amount: int) -> None:
    """Take chips from a player, who may not give them; who walked away left them on the table."""
    felt = felt_of(state)
    pieces = _take_from_seat(state, seat, amount)
    if not felt.seated[seat]:
        felt.recovering[seat] = felt.recovering.get(seat, 0) + amount
        felt.pieces_taken[seat] = felt.pieces_taken.get(seat, 0) + pieces


def _keep(felt: Felt, name: str, more: int) -> None:
    """Put to what is kept for a player who is gone, or take from it."""
    held = felt.kept.pop(name, 0) + more
    if held:
        felt.kept[name] = held


def corrected(felt: Felt, given: int) -> None:
    """Count what was given to players to put something right."""
    if felt.day is not None:
        felt.day.corrections += given


def ruled(state: TableState, postings: tuple[Posting, ...]) -> None:
    """Move the chips of a ruling between players and the rack."""
    felt = felt_of(state)
    for posting in postings:
        branch, _, seat = posting.source.partition(":")
        if branch == "terminal":
            _take_from_seat(state, seat, posting.amount)
            corrected(felt, -posting.amount)
        if posting.destination.startswith("terminal:"):
            move(felt, -posting.amount)
            corrected(felt, posting.amount)


def not_recovered(state: TableState, event: RecoveryRecorded) -> None:
    """Leave with a player what could not be had, and say no more of the rest."""
    felt = felt_of(state)
    _leave_with_seat(state, event.seat, event.missing)
    nothing_owed(felt, event.seat)
    corrected(felt, event.missing)
    state.terminals[event.seat].corrections += event.missing
    for name in ("table", f"terminal:{event.seat}"):
        meter_of(state, name).corrections += event.missing
