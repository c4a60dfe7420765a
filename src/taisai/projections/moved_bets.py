"""The amounts that each event puts on boxes or takes off them: the only place that lists this.

The view of a table, the records and the replay of a round use it.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from taisai.core.kernel.messages import Event
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn
from taisai.core.table.chips.collecting import LosersCollected
from taisai.core.table.chips.layout_bets import (
    AdvisedBetReturned,
    BetPutRight,
    BetsRecorded,
    BetsTakenBack,
    ExcessRejected,
    RecordCorrected,
)
from taisai.core.table.chips.pieces import Chips, Pieces, RecordedBet
from taisai.core.table.chips.rulings import BetRuled
from taisai.core.table.round import BetsClosed


class MovedBet(NamedTuple):
    """An amount put on a box; negative, its chips too, if it was taken off.

    It belongs to a terminal, without chips, or at a chip table to a seat.
    """

    whose: str
    box: str
    amount: int
    chips: Chips = ()


def _on(seat: str, bet: RecordedBet) -> MovedBet:
    return MovedBet(seat, bet.box, bet.amount, bet.chips)


def _off(seat: str, bet: RecordedBet) -> MovedBet:
    return MovedBet(seat, bet.box, -bet.amount, _less(bet.chips))


def _less(chips: Chips) -> Chips:
    return tuple(Pieces(each.chip, -each.count) for each in chips)


def _put_right(event: BetPutRight) -> list[MovedBet]:
    bet = RecordedBet(event.from_box, event.amount, event.chips)
    return [_off(event.seat, bet), MovedBet(event.seat, event.to_box, event.amount, event.chips)]


#: For each event what it puts on boxes and takes off, until the bets are settled or void.
MOVES: dict[type[Event], Callable[[Any], Iterable[MovedBet]]] = {
    BetsRegistered: lambda event: (
        MovedBet(event.terminal, bet.box, bet.stake) for bet in event.bets
    ),
    BetsWithdrawn: lambda event: (
        MovedBet(event.terminal, bet.box, -bet.stake) for bet in event.bets
    ),
    BetsClosed: lambda event: (
        MovedBet(name, box, -amount) for name, box, amount in event.rejected
    ),
    BetsRecorded: lambda event: (_on(event.seat, bet) for bet in event.bets),
    BetsTakenBack: lambda event: (_off(event.seat, bet) for bet in event.bets),
    ExcessRejected: lambda event: [_off(event.seat, event.bet)],
    AdvisedBetReturned: lambda event: [_off(event.seat, event.bet)],
    BetRuled: lambda event: [_off(event.seat, event.bet)] if event.verdict == "returned" else (),
    # A bet that is moved or read again is taken off and put on.
    RecordCorrected: lambda event: [_off(event.seat, event.before), _on(event.seat, event.after)],
    BetPutRight: _put_right,
}


def on_the_layout(event: Event) -> Iterable[MovedBet]:
    """Give what an event changes in the chips seen on the boxes.

    Collected losing bets are still bets until the round is paid, but they are no longer seen on
    the boxes [D23].
    """
    if isinstance(event, LosersCollected):
        return _collected(event)
    moves = MOVES.get(type(event))
    return () if moves is None else moves(event)


def _collected(event: LosersCollected) -> Iterator[MovedBet]:
    """Give the bets put back on their boxes, then those taken off, each with its change."""
    for line in event.put_back:
        yield MovedBet(line.seat, line.box, line.amount, (*line.chips, *_less(line.change)))
    for line in event.collected:
        yield MovedBet(line.seat, line.box, -line.amount, (*_less(line.chips), *line.change))
