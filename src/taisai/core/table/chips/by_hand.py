"""Rounds dealt by hand while the system was away, entered afterwards by two persons [D27].

Such a round is played again, step by step, on a copy of the table: what a dealer would be refused
is refused here too, and the same settlement moves the money. The chips have already moved, so
nothing is refused because the recorded rack has too few chips.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy

from msgspec import Struct
from msgspec.structs import replace

from taisai.core.kernel.decider import evolve
from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant
from taisai.core.kernel.registry import CHIP_TABLE, applies, command, decides, event
from taisai.core.kernel.roles import PIT, PIT_AND_DEALER
from taisai.core.rules.dice import Faces
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.chips.collecting import collected_by
from taisai.core.table.chips.layout_bets import (
    RecordBets,
    TakeBackBets,
    record_bets,
    take_back_bets,
)
from taisai.core.table.chips.payout import chips_paid, guide_by_hand
from taisai.core.table.chips.pieces import BoxChips, Chips, Pieces, counted
from taisai.core.table.chips.seats import seat_refusal, set_aside_unclaimed
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    OpenBets,
    ResultEntered,
    close_bets,
    confirm_result,
    open_bets,
    settlement,
    started,
    unclaimed_from_void,
    worked_out,
)
from taisai.core.table.state import (
    Phase,
    TableState,
    chip_table_of,
    in_force,
    is_interrupted,
    not_playing,
    sorted_faces,
)
from taisai.core.table.tumble import LiftCover, RecordTumble, lift_cover, record_tumble

#: The fields that the copy shares with the table: compiled rules, and rounds that are over.
_SHARED = ("rulebook", "pay_table", "limits", "history")


class SeatStack(Struct, frozen=True, array_like=True, gc=False):
    """Chips of a player on a box, as they lay at the close."""

    seat: str
    box: str
    chips: Chips


class SeatPaid(Struct, frozen=True, array_like=True, gc=False):
    """What a player was paid by hand for all winning bets, beside the stakes."""

    seat: str
    amount: int


@command(at=CHIP_TABLE, by=PIT, second=PIT_AND_DEALER)
class EnterRoundByHand(Command, frozen=True):
    """Enter a round that was dealt by hand: its stacks, its dice and what was paid.

    Without stacks it is the round under way with those that are recorded.
    """

    faces: tuple[int, ...]
    paid: tuple[SeatPaid, ...]
    stacks: tuple[SeatStack, ...] | None = None
    note: str = ""


@event(at=CHIP_TABLE, applies=False, posts=False)
class RoundDealtByHand(Event, frozen=True):
    """The round was dealt by hand while the system was away, and is entered from here on."""

    round: int
    by: str
    note: str


@event(at=CHIP_TABLE, posts=False)
class HandPaymentDiffered(Event, frozen=True):
    """A player was paid by hand more, or less, than the dice give."""

    seat: str
    paid: int
    due: int


class _Table:
    """A copy of the table on which a round is played, and the events of that round."""

    def __init__(self, state: TableState) -> None:
        own = {
            name: deepcopy(getattr(state, name))
            for name in state.__struct_fields__
            if name not in _SHARED
        }
        self.state = replace(state, **own, history=dict(state.history))
        chip_table_of(self.state).interrupted = self.state.waiting = False
        self.events: list[Event] = []

    def take(self, events: tuple[Event, ...]) -> None:
        """Apply the events of one step."""
        for each in events:
            evolve(self.state, each)
        self.events += events


class _Round(Struct, frozen=True):
    """A round as it is entered: the command, the dealer and the time."""

    command: EnterRoundByHand
    faces: Faces
    dealer: Actor
    at: Instant


@decides
def enter_round_by_hand(
    state: TableState, command: EnterRoundByHand, actor: Actor, at: Instant
) -> Decision:
    """Enter a round that was dealt by hand while the system was away, the open round first [D27].

    [ts6 5.4.1; div9 7.3]
    """
    refusal = _entry_refusal(state, command)
    if refusal is not None:
        return refusal
    faces = sorted_faces(command.faces)
    if isinstance(faces, Refusal):
        return faces
    table, played = _Table(state), _Round(command, faces, Actor(actor.person, "dealer"), at)
    for act in _ACTS:
        for decision in act(table.state, played):
            if isinstance(decision, Refusal):
                return decision
            table.take(decision)
    return tuple(table.events)


def _entry_refusal(state: TableState, command: EnterRoundByHand) -> Refusal | None:
    """Refuse a round that cannot have been dealt by hand, and impossible payments."""
    if not is_interrupted(state):
        return refuse("NOTHING_TO_DECLARE")
    if state.in_doubt is not None:
        return not_playing(state)
    if state.equipment.tumbler in ("simulated", "verifiable"):
        return refuse("DEVICE_ENTERS")
    smallest = chip_table_of(state).chip_set.smallest
    for each in command.paid:
        refusal = seat_refusal(state, each.seat)
        if refusal is not None:
            return refusal
        if not is_amount(each.amount) or each.amount % smallest:
            return refuse("BAD_AMOUNT", amount=str(each.amount)[:40])
    if len({each.seat for each in command.paid}) < len(command.paid):
        return refuse("PAID_TWICE")
    return None


def _begun(state: TableState, played: _Round) -> Iterator[Decision]:
    """Begin a round if none is under way, and open the bets, after the tumble if it comes first."""
    yield (*unclaimed_from_void(state), *started(state, played.at))
    yield (RoundDealtByHand(state.round, played.dealer.person, played.command.note),)
    tumble = in_force(state).content.procedure.tumble
    if state.phase is Phase.TUMBLED:
        if tumble.order == "before-bets" and not state.tumbled:
            yield _tumbled(state, played)
        yield open_bets(state, OpenBets(), played.dealer, played.at)


def _tumbled(state: TableState, played: _Round) -> Decision:
    at_least = in_force(state).content.procedure.tumble.at_least
    return record_tumble(state, RecordTumble(at_least), played.dealer, played.at)


def _laid(state: TableState, played: _Round) -> Iterator[Decision]:
    """Put on the layout the stacks that were there: those that differ from the record are replaced.

    The bets of a player who walked away stand as they are recorded [ts6 5.3].
    """
    stacks = played.command.stacks
    if stacks is None:
        return
    recorded = _by_seat((each.seat, each.box, each.chips) for each in chip_table_of(state).stacks)
    lay = _by_seat((each.seat, each.box, each.chips) for each in stacks)
    for seat in dict.fromkeys((*recorded, *lay)):
        before, after = recorded.get(seat, {}), lay.get(seat, {})
        stands = not after and chip_table_of(state).seated[seat]
        if stands or _pieces(before) == _pieces(after):
            continue
        if state.phase is not Phase.BETTING:
            yield refuse("LAYOUT_IS_RECORDED", seat=seat)
        if before:
            bets = tuple(BoxChips(box, _together(chips)) for box, chips in before.items())
            yield take_back_bets(state, TakeBackBets(seat, bets), played.dealer, played.at)
        if after:
            bets = tuple(BoxChips(box, chips) for box, laid in after.items() for chips in laid)
            yield record_bets(state, RecordBets(seat, bets), played.dealer, played.at)


_OnBoxes = dict[str, list[Chips]]


def _by_seat(stacks: Iterator[tuple[str, str, Chips]]) -> dict[str, _OnBoxes]:
    found: dict[str, _OnBoxes] = {}
    for seat, box, chips in stacks:
        found.setdefault(seat, {}).setdefault(box, []).append(chips)
    return found


def _together(chips: list[Chips]) -> Chips:
    """Combine the stacks of a box into one."""
    counts = counted(each for stack in chips for each in stack)
    return tuple(Pieces(chip, count) for chip, count in counts.items())


def _pieces(boxes: _OnBoxes) -> dict[str, dict[int | str, int]]:
    return {box: counted(each for stack in chips for each in stack) for box, chips in boxes.items()}


def _closed(state: TableState, played: _Round) -> Iterator[Decision]:
    """Close the bets, tumble if there was no tumble yet, and lift the cover."""
    if state.phase is Phase.BETTING:
        bell = in_force(state).content.procedure.betting.bell
        yield close_bets(state, CloseBets(bell=bell), played.dealer, played.at)
    if state.phase is Phase.NO_MORE_BETS and not state.tumbled:
        yield _tumbled(state, played)
    if state.phase is Phase.NO_MORE_BETS and not state.uncovered:
        yield lift_cover(state, LiftCover(), played.dealer, played.at)


def _read(state: TableState, played: _Round) -> Iterator[Decision]:
    """Enter the faces of the dice; refuse other faces than those entered before."""
    if state.phase is Phase.NO_MORE_BETS:
        yield (ResultEntered(played.faces, "declared", played.dealer.person),)
    if state.faces != played.faces:
        yield refuse("RESULT_IS_ENTERED")
    if state.phase is Phase.RESULT:
        yield confirm_result(state, ConfirmResult(), played.dealer, played.at)


def _paid(state: TableState, played: _Round) -> Iterator[Decision]:
    """Collect and pay by the dice, and record which players were paid a different amount."""
    settled, playing = worked_out(state)
    guide = guide_by_hand(state, settled.lines)
    yield collected_by(state, guide, played.dealer)
    chips = chips_paid(guide, chip_table_of(state).marked)
    yield (settlement(state, settled, playing, chips, played.dealer, played.at),)
    due = {seat: won for seat, won in settled.won.items() if won}
    paid = {each.seat: each.amount for each in played.command.paid}
    for seat in dict.fromkeys((*due, *paid)):
        if paid.get(seat, 0) != due.get(seat, 0):
            yield (HandPaymentDiffered(seat, paid.get(seat, 0), due.get(seat, 0)),)
    yield set_aside_unclaimed(state)


_ACTS: tuple[Callable[[TableState, _Round], Iterator[Decision]], ...] = (
    *(_begun, _laid, _closed, _read, _paid),
)


@applies
def hand_payment_differed(state: TableState, event: HandPaymentDiffered) -> None:
    """Make staff say how much of an overpayment came back, if the player is still there [D8]."""
    chip_table = chip_table_of(state)
    over = event.paid - event.due
    if over > 0 and not chip_table.seated[event.seat]:
        owed = chip_table.recovering.get(event.seat, 0)
        chip_table.recovering[event.seat] = owed + over
