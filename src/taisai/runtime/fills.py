"""Fills and credits: chips that people carry between a rack and the cage, held against each other.

The core of one stream cannot see another. So before chips are sent or taken, the house compares
what is asked with the table they are for, and with what is on its way: durably sent, not closed.
"""

from collections.abc import Callable, Mapping, Sequence

from taisai.core.cage import CageState
from taisai.core.chips import Chips, value_of
from taisai.core.commands import Approve, Command, ReceiveCredit, ReceiveFill, SendFill
from taisai.core.decision import NAME_MAX
from taisai.core.events import ApprovalRequested, CreditReceived, Event, FillSent, FloatFilled
from taisai.core.messages import Delivery
from taisai.core.reason import Refusal, printable, refuse
from taisai.core.table_state import TableState
from taisai.runtime.streams import CAGE, table_of, table_stream

#: What may move chips from one stream to another; nothing else is looked at twice.
MOVES_CHIPS: frozenset[type[Command]] = frozenset({SendFill, ReceiveFill, ReceiveCredit, Approve})

#: Chips on their way, by transit: the stream that they left, and what was sent.
OnTheWay = Mapping[str, tuple[str, Delivery]]


def chips_sent(state: TableState | CageState) -> Mapping[str, Delivery]:
    """Tell the chips that have left a stream and are not closed there."""
    if isinstance(state, CageState):
        return state.fills_open
    return {} if state.felt is None else state.felt.credits_open


class Fills:
    """Says whether chips may be sent, or taken as what was sent."""

    def __init__(self, on_the_way: OnTheWay, table: Callable[[str], TableState | None]) -> None:
        self._on_the_way = on_the_way
        self._table = table

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
                case _:
                    pass
        return None

    def _nobody_takes(self, table: str, chips: Chips) -> Refusal | None:
        """Refuse a fill for a table where nobody could take it, or whose rack has no such chips."""
        state = self._table(table)
        if state is None or state.felt is None:
            return refuse("FILL_NO_TABLE", table=printable(table[:NAME_MAX]))
        if state.felt.day is None:
            return refuse("FILL_NO_DAY", table=table)
        values = state.felt.chips.values
        wrong = next((each.chip for each in chips if each.chip not in values), None)
        return None if wrong is None else refuse("FILL_CHIP", table=table, chip_cents=wrong)

    def _no_fill(self, stream: str, transit: str, chips: Chips) -> Refusal | None:
        """Refuse a fill that is not on its way to this table, or not as it was sent."""
        source, sent = self._on_the_way.get(transit, (None, None))
        if source != CAGE or sent is None:
            return refuse("FILL_UNKNOWN", transit=printable(transit[:NAME_MAX]))
        if table_stream(sent.table) != stream:
            return refuse("FILL_ELSEWHERE", transit=transit, table=sent.table)
        return _other_amount(transit, sent, chips)

    def _no_credit(self, transit: str, table: str, chips: Chips) -> Refusal | None:
        """Refuse a credit that is not on its way from the table named, or not as it was sent."""
        source, sent = self._on_the_way.get(transit, (CAGE, None))
        if source == CAGE or sent is None:
            return refuse("CREDIT_UNKNOWN", transit=printable(transit[:NAME_MAX]))
        if source != table_stream(table):
            return refuse("CREDIT_ELSEWHERE", transit=transit, table=table_of(source) or source)
        return _other_amount(transit, sent, chips)


def _other_amount(transit: str, sent: Delivery, chips: Chips) -> Refusal | None:
    counted = value_of(chips, {})
    if counted == sent.amount:
        return None
    return refuse("CHIPS_ARRIVED", transit=transit, sent_cents=sent.amount, counted_cents=counted)
