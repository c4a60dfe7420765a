"""Requests for a second person's approval, as sentences in any language.

A request is one sentence, named after its command: `SetLimits` is `REQUEST_SET_LIMITS`. Its blanks
are filled as those of an event are; chips that a command counts are added up. Only a command with
several sentences, with a choice of them, or with blanks that no field fills, has a function.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from taisai.core.cage.unclaimed import PayUnclaimed
from taisai.core.cage.vouchers import SetVoucherTerms
from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.kernel.messages import Command, Event, Instant
from taisai.core.rules.reason import Reason, because
from taisai.core.table.approval import AdoptDepartures
from taisai.core.table.chips.layout_bets import PutBetRight, RecordBets
from taisai.core.table.chips.rulings import RuleOnBet
from taisai.core.table.interruption import DeclareOutcome
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.venue.nodes import MoveStream
from taisai.core.venue.setup import AcceptClock
from taisai.projections.filling import named

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def requests_of(command: Command, at: Instant) -> list[Reason]:
    """Give the sentences for a request made at a time."""
    match command:
        case AcceptClock():
            return [_clock(command, at)]
        case AdoptDepartures():
            return list(_departures(command))
        case DeclareOutcome():
            return list(_outcome(command))
    one = _ONE.get(type(command))
    return [named(command) if one is None else one(command)]


def _read_late(command: RecordBets) -> Reason:
    """Name the box of a stack that is read late: each such stack is approved separately."""
    return named(command, box=command.bets[0].box)


def _voucher_terms(command: SetVoucherTerms) -> Reason:
    alone = command.approve_above is None
    return named(command, "REQUEST_SET_VOUCHER_TERMS_ALONE" if alone else None)


def _unclaimed(command: PayUnclaimed) -> Reason:
    """Name the session: by its seat or terminal, and its number there."""
    position, _, number = command.session.partition("@")
    code = "REQUEST_PAY_UNCLAIMED_SEAT" if command.in_chips else None
    return named(command, code, seat=position, terminal=position, number=number)


def _move(command: MoveStream) -> Reason:
    own = {"cage": "REQUEST_MOVE_STREAM_CAGE", "venue": "REQUEST_MOVE_STREAM_VENUE"}
    return named(command, own.get(command.stream), table=command.stream.removeprefix("table/"))


_ONE: dict[type[Command], Callable[[Any], Reason]] = {
    ReportIrregularity: lambda command: named(
        command, "REQUEST_REPORT_IRREGULARITY_NOTE" if command.note else None, what=command.code
    ),
    RecordBets: _read_late,
    PutBetRight: lambda command: named(command, count=sum(each.count for each in command.chips)),
    RuleOnBet: lambda command: named(command, f"REQUEST_RULE_ON_BET_{command.verdict.upper()}"),
    SetVoucherTerms: _voucher_terms,
    PayUnclaimed: _unclaimed,
    MoveStream: _move,
}


# --- a request of several sentences, or of a moment ----------------------------------------------


def _departures(command: AdoptDepartures) -> Iterator[Reason]:
    yield named(command, None if command.departures else "REQUEST_END_DEPARTURES")
    for each in command.departures:
        yield because(
            "REQUEST_DEPARTURE",
            rulebook=each.rulebook,
            aspect=each.aspect,
            approved_by=each.approved_by,
            reference=each.reference,
        )


def _outcome(command: DeclareOutcome) -> Iterator[Reason]:
    yield named(command, "REQUEST_DECLARE_NO_OUTCOME" if command.faces is None else None)
    for fact in command.testified:
        yield because(f"REQUEST_TESTIFY_{fact.upper()}")


def _clock(command: AcceptClock, at: Instant) -> Reason:
    """Say what the machine's clock showed."""
    code = "REQUEST_ACCEPT_CLOCK_DATABASE" if command.database_ms else None
    try:
        shown = _EPOCH + timedelta(milliseconds=at + command.ahead_ms)
    except OverflowError:
        # A clock that is wrong may show a time that has no date.
        return named(command, code, time=f"{at + command.ahead_ms} ms")
    return named(command, code, time=f"{shown:%Y-%m-%d %H:%M:%S} UTC")


# --- that it was asked for -----------------------------------------------------------------------


def _requested(event: ApprovalRequested) -> Iterator[Reason]:
    """Say who made a request, and what it is for."""
    yield named(event, person=event.order.actor.person)
    yield from requests_of(event.order.command, event.at)


OF_REQUESTS: dict[type[Event], Callable[[Any], Iterator[Reason]]] = {ApprovalRequested: _requested}
