"""What each event puts on boxes and takes off them: the one place that says so.

The view of a table, the records and the replay of a round go by it.
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
    """What was put on a box; what was taken off it has a minus, its chips as well.

    It is a terminal's, which has no chips, or at a chip table a seat's.
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


#: What events put on boxes and take off them, until the bets are settled or void.
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
    # What is moved or read anew is taken off and put on.
    RecordCorrected: lambda event: [_off(event.seat, event.before), _on(event.seat, event.after)],
    BetPutRight: _put_right,
}


def on_the_layout(event: Event) -> Iterable[MovedBet]:
    """Say what an event changes of what can be seen on the boxes.

    Losing bets that are collected are bets until the round is paid, and are seen there no more
    [D23].
    """
    if isinstance(event, LosersCollected):
        return _collected(event)
    moves = MOVES.get(type(event))
    return () if moves is None else moves(event)


def _collected(event: LosersCollected) -> Iterator[MovedBet]:
    """Give what goes back to its box, then what is taken off; change lies there in its place."""
    for line in event.put_back:
        yield MovedBet(line.seat, line.box, line.amount, (*line.chips, *_less(line.change)))
    for line in event.collected:
        yield MovedBet(line.seat, line.box, -line.amount, (*_less(line.chips), *line.change))
