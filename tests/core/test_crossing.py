"""Events that cross between streams are compared in both: forgetting one fails here.

The events of a command are read from its code: those that it names, itself or through the functions
it calls, and of those the ones whose postings go to or come from an account in transit.
"""

from types import FunctionType
from typing import Any

from taisai.core.cage.fills import FillReturned, FillSent
from taisai.core.cage.unclaimed import ClaimClosed, UnclaimedPaid
from taisai.core.cage.vouchers import SellVoucher, TakeVoucher, VoucherTaken
from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.ledger import in_transit
from taisai.core.kernel.messages import Command
from taisai.core.kernel.registry import COMMANDS, CROSSING, DATED, EVENTS, POSTINGS
from taisai.core.kernel.transits import TransitClosed
from taisai.core.table.chips.gaming_day import CreditReturned, FloatCredited, SendCredit
from taisai.core.table.positions import CashedOut, CashOut
from taisai.runtime.writer import _LOOKED_AT_TWICE
from tests.kit.reaching import names_in

#: Decided by a stream's own books: the other stream receives it whenever it comes, and
#: a voucher sold at the counter has come from no other stream.
DECIDED_ALONE = {CashOut, SellVoucher, SendCredit, TakeVoucher}
#: Money that leaves a stream, or has come back to its sender: no other stream is waited for.
OF_ONE_STREAM = {
    *(FillSent, FloatCredited, CashedOut, VoucherTaken),
    *(FillReturned, CreditReturned),
}
#: Paid at the cage before the table hears of it: the table waits for this one.
PAID_FIRST = {UnclaimedPaid}


def test_a_command_whose_money_crosses_between_streams_says_so() -> None:
    crossing = {kind for kind in COMMANDS if _crosses(kind) and not _is_carried(kind)}
    assert crossing - DECIDED_ALONE == CROSSING - {Approve}


def test_each_way_to_take_chips_that_were_sent_is_found() -> None:
    """If this found no way at all, the test above could not fail."""
    found = {kind.__name__ for kind in COMMANDS if _crosses(kind)}
    assert {"SendFill", "ReceiveFill", "ReturnFill", "PayUnclaimed", "CloseTransit"} <= found
    assert not {"PlaceBet", "BuyChips", "CloseBets", "OpenShift"} & found


def test_what_a_second_person_approves_may_cross_too() -> None:
    assert Approve in CROSSING


def test_the_writer_looks_twice_at_what_crosses_and_at_what_is_dated() -> None:
    assert CROSSING | DATED.keys() == _LOOKED_AT_TWICE


def test_an_event_in_whose_postings_something_arrives_or_is_closed_says_so() -> None:
    """`verify` reads streams in parallel: before these events it reads the other stream."""
    moving = {kind for kind, post in POSTINGS.items() if in_transit in _reached(post)}
    awaiting = {kind for kind, spec in EVENTS.items() if spec.transit is not None}
    # The cage closes a claim without moving anything.
    assert moving - OF_ONE_STREAM - PAID_FIRST == awaiting - {ClaimClosed}
    closing = {kind for kind in awaiting if EVENTS[kind].transit == "closes"}
    assert closing == {TransitClosed, ClaimClosed}


def _is_carried(kind: type[Command]) -> bool:
    """Say whether only the carrier gives the command, for money that has durably left."""
    return COMMANDS[kind].by == {"system"}


def _crosses(kind: type[Command]) -> bool:
    decided = {place.decides[kind] for place in COMMANDS[kind].at if kind in place.decides}
    events = {found for function in decided for found in _reached(function)} & POSTINGS.keys()
    return any(in_transit in _reached(POSTINGS[event]) for event in events)


def _reached(thing: Any, known: frozenset[Any] = frozenset()) -> frozenset[Any]:
    """Find the functions and classes of the core that a function names, directly or not."""
    known |= {thing}
    if isinstance(thing, FunctionType):
        for name in names_in(thing.__code__):
            found = thing.__globals__.get(name)
            is_ours = isinstance(found, FunctionType | type)
            if is_ours and found.__module__.startswith("taisai.core.") and found not in known:
                known = _reached(found, known)
    return known
