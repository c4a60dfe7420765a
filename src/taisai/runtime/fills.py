"""Fills and credits: chips that people carry between a rack and the cage, held against each other.

The core of one stream cannot see another. So before chips are sent or taken, the house compares
what is asked with the table they are for, and with what is on its way: durably sent, not closed.
"""

from collections.abc import Callable, Mapping, Sequence

from taisai.core.cage.fills import (
    CreditReceived,
    FillReturned,
    FillSent,
    ReceiveCredit,
    ReturnFill,
    SendFill,
)
from taisai.core.cage.state import CageState
from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.messages import Command, Delivery, Event
from taisai.core.kernel.names import NAME_MAX
from taisai.core.kernel.transits import TRANSIT_MAX, other_amount
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.table.chips.gaming_day import (
    CreditReturned,
    FloatFilled,
    ReceiveFill,
    ReturnCredit,
)
from taisai.core.table.chips.pieces import Chips, value_of
from taisai.core.table.state import TableState
from taisai.runtime.streams import CAGE, table_of, table_stream

#: What may move chips from one stream to another; nothing else is looked at twice.
MOVES_CHIPS: frozenset[type[Command]] = frozenset(
    {SendFill, ReceiveFill, ReturnFill, ReceiveCredit, ReturnCredit, Approve}
)

#: Chips on their way, by transit: the stream that they left, and what was sent.
OnTheWay = Mapping[str, tuple[str, Delivery]]


def chips_sent(state: TableState | CageState) -> Mapping[str, Delivery]:
    """Tell the chips that have left a stream and are not closed there."""
    if isinstance(state, CageState):
        return state.fills_open
    return {} if state.chips is None else state.chips.credits_open


#: The newest state of the cage or of a table that takes commands.
AtWork = Callable[[str], TableState | CageState | None]


class Fills:
    """Says whether chips may be sent, or taken as what was sent."""

    def __init__(self, on_the_way: OnTheWay, at_work: AtWork) -> None:
        self._on_the_way = on_the_way
        self._at_work = at_work
        #: What was decided to be put back: it may be durable where a stream is suspended.
        self._put_back: set[str] = set()

    def refusal(self, stream: str, events: Sequence[Event]) -> Refusal | None:
        """Look at what was decided, when it is asked for and again when it is approved."""
        for event in events:
            asked = event.order.command if isinstance(event, ApprovalRequested) else event
            match asked:
                case SendFill(table=table, chips=chips) | FillSent(table=table, chips=chips):
                    return self._nobody_takes(table, chips)
                case ReceiveFill(transit=transit, chips=chips):
                    return self._no_fill(stream, transit, chips)
                case FloatFilled(transit=transit, chips=chips):
                    return self._no_fill(stream, transit, chips)
                case ReceiveCredit(transit=transit, table=table, chips=chips):
                    return self._no_credit(transit, table, chips)
                case CreditReceived(transit=transit, table=table, chips=chips):
                    return self._no_credit(transit, table, chips)
                case ReturnFill(transit=transit) | ReturnCredit(transit=transit):
                    return self._has_arrived(stream, transit)
                case FillReturned(transit=transit) | CreditReturned(transit=transit):
                    return self._puts_back(stream, transit)
                case _:
                    pass
        return None

    def _table(self, table: str) -> TableState | None:
        state = self._at_work(table_stream(table))
        return state if isinstance(state, TableState) else None

    def _sent(self, transit: str) -> tuple[str, Delivery] | None:
        """Find what has left durably, and is not being put back where it left."""
        found = self._on_the_way.get(transit)
        if found is None:
            return None
        source = self._at_work(found[0])
        gone = transit in self._put_back if source is None else transit not in chips_sent(source)
        return None if gone else found

    def _has_arrived(self, stream: str, transit: str) -> Refusal | None:
        """Refuse to put back what the other side has, or may have while nobody can look there."""
        found = self._on_the_way.get(transit)
        if found is None:
            return refuse("TRANSIT_CLOSED", transit=printable(transit[:TRANSIT_MAX]))
        other = table_stream(found[1].table) if stream == CAGE else CAGE
        state = self._at_work(other)
        if state is None:
            return refuse("TABLE_SUSPENDED", stream=other)
        if transit in state.transits_received:
            return refuse("TRANSIT_CLOSED", transit=transit)
        return None

    def _puts_back(self, stream: str, transit: str) -> Refusal | None:
        refusal = self._has_arrived(stream, transit)
        if refusal is None:
            self._put_back.add(transit)
        return refusal

    def _nobody_takes(self, table: str, chips: Chips) -> Refusal | None:
        """Refuse a fill for a table where nobody could take it, or whose rack has no such chips."""
        state = self._table(table)
        if state is None or state.chips is None:
            return refuse("FILL_NO_TABLE", table=printable(table[:NAME_MAX]))
        if state.chips.day is None:
            return refuse("FILL_NO_DAY", table=table)
        values = state.chips.chip_set.values
        wrong = next((each.chip for each in chips if each.chip not in values), None)
        return None if wrong is None else refuse("FILL_CHIP", table=table, chip_cents=wrong)

    def _no_fill(self, stream: str, transit: str, chips: Chips) -> Refusal | None:
        """Refuse a fill that is not on its way to this table, or not as it was sent."""
        source, sent = self._sent(transit) or (None, None)
        if source != CAGE or sent is None:
            return refuse("FILL_UNKNOWN", transit=printable(transit[:TRANSIT_MAX]))
        if table_stream(sent.table) != stream:
            return refuse("FILL_ELSEWHERE", transit=transit, table=sent.table)
        return _other_amount(transit, sent, chips)

    def _no_credit(self, transit: str, table: str, chips: Chips) -> Refusal | None:
        """Refuse a credit that is not on its way from the table named, or not as it was sent."""
        source, sent = self._sent(transit) or (CAGE, None)
        if source == CAGE or sent is None:
            return refuse("CREDIT_UNKNOWN", transit=printable(transit[:TRANSIT_MAX]))
        if source != table_stream(table):
            return refuse("CREDIT_ELSEWHERE", transit=transit, table=table_of(source) or source)
        return _other_amount(transit, sent, chips)


def _other_amount(transit: str, sent: Delivery, chips: Chips) -> Refusal | None:
    counted = value_of(chips, {})
    if counted == sent.amount:
        return None
    return other_amount(transit, sent.amount, counted)
