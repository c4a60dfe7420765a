"""What the events of a felt table take off its boxes, or lay on them."""

from collections.abc import Callable
from typing import Any

from taisai.core.kernel.messages import Event
from taisai.core.table.chips.layout_bets import (
    BetPutRight,
    BetsRecorded,
    BetsTakenBack,
    ExcessRejected,
    RecordCorrected,
)

#: Boxes, each with what was taken off it; less than nothing was laid on it.
Taken = list[tuple[str, int]]


def moved_on_felt(event: Event) -> Taken:
    """Tell what an event takes off each box; most events move nothing."""
    move = _MOVES.get(type(event))
    return [] if move is None else move(event)


_MOVES: dict[type[Event], Callable[[Any], Taken]] = {
    BetsRecorded: lambda event: [(bet.box, -bet.amount) for bet in event.bets],
    BetsTakenBack: lambda event: [(bet.box, bet.amount) for bet in event.bets],
    RecordCorrected: lambda event: [(event.before.box, event.before.amount - event.after.amount)],
    ExcessRejected: lambda event: [(event.bet.box, event.bet.amount)],
    BetPutRight: lambda event: [
        (event.from_box, event.amount),
        (event.to_box, -event.amount),
    ],
}
