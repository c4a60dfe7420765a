"""Significant events: what a regulator, a pit or an auditor wants to see apart from the play.

Every type of event is either significant, or routine, or significant in some cases; the tables here
say which, and a test holds that none is forgotten.
"""

import heapq
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import msgspec

from taisai.core.cage.drawer import ShiftClosed, ShiftOpened
from taisai.core.cage.fills import CreditReceived, FillReturned, FillSent
from taisai.core.cage.vouchers import (
    CageOpened,
    SerialsSkipped,
    VoucherIssued,
    VoucherPaid,
    VoucherTaken,
)
from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved, CommandDeclined
from taisai.core.kernel.messages import Event
from taisai.core.kernel.transits import TransitClosed
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.chips.colours import (
    ColourAssigned,
    ColourBought,
    ColourConverted,
    ColourReleased,
)
from taisai.core.table.chips.gaming_day import (
    CreditReturned,
    DayClosed,
    DayOpened,
    DropCounted,
    FloatCredited,
    FloatFilled,
)
from taisai.core.table.chips.layout_bets import (
    BetPutRight,
    BetsRecorded,
    BetsTakenBack,
    ExcessRejected,
    PlayerAdvised,
    RecordCorrected,
)
from taisai.core.table.chips.payout import WinnersPaid
from taisai.core.table.chips.recovery import RecoveryRecorded
from taisai.core.table.chips.seats import (
    ChipsBought,
    ChipsExchanged,
    PlayerWalkedAway,
    SeatLeft,
    SeatTaken,
    UnclaimedSetAside,
)
from taisai.core.table.corrections import RoundResettled, RoundsReversed, RulingRecorded
from taisai.core.table.irregularities import InterruptionRecorded, IrregularityReported
from taisai.core.table.positions import (
    BarLifted,
    CashedOut,
    CreditsReceived,
    LockCleared,
    OwnLimitsSet,
    SessionEnded,
    TerminalBarred,
    TerminalLocked,
    TerminalLost,
    TerminalRestored,
    UnclaimedPaid,
)
from taisai.core.table.provably_fair import ChainAbandoned, ChainPublished, SecretRevealed
from taisai.core.table.round import (
    BetsClosed,
    BetsOpened,
    FacePressed,
    ResultAmended,
    ResultConfirmed,
    ResultEntered,
    ResultReported,
    ResultsDisagreed,
    RoundSettled,
    RoundStarted,
    TumbleRecorded,
)
from taisai.core.table.setup import (
    ChecksRecorded,
    DiceRegistered,
    LimitsSet,
    NoticeGiven,
    RulebookAdopted,
    SafeProcedureDeclared,
    TableClosed,
    TableCreated,
    TableOpened,
    TableRectified,
    TableStopped,
    TerminalEnrolled,
)
from taisai.core.venue.setup import TableAdmitted, VenueOpened, VenueRestored
from taisai.core.venue.staff import (
    LockedOut,
    LoggedIn,
    LoggedOut,
    RolesChanged,
    StaffAppointed,
    StaffDismissed,
)
from taisai.core.venue.terminal_keys import TerminalKeyIssued
from taisai.projections.sentences import tell
from taisai.runtime.records.columns import Row
from taisai.runtime.records.entries import Entry, Names, Source, names
from taisai.wording import say

SIGNIFICANT: frozenset[type[Event]] = frozenset(
    {
        # Opening and closing, and everything a table is set up by.
        *(VenueOpened, CageOpened, TableAdmitted, TableCreated, TerminalEnrolled),
        *(RulebookAdopted, LimitsSet, DiceRegistered, ChecksRecorded, ChainPublished),
        *(TableOpened, TableClosed),
        # A backup restored.
        *(VenueRestored, ChainAbandoned, SerialsSkipped),
        # Who works here, who came and went, and which terminals were given keys.
        *(StaffAppointed, RolesChanged, StaffDismissed, TerminalKeyIssued),
        *(LoggedIn, LoggedOut, LockedOut),
        # Faults, interruptions, and what was done about them.
        *(ResultsDisagreed, ResultAmended, RoundVoided),
        *(IrregularityReported, InterruptionRecorded),
        *(TableStopped, TableRectified, SafeProcedureDeclared),
        *(RoundsReversed, RoundResettled, RulingRecorded),
        # Terminals.
        *(TerminalLost, TerminalRestored, OwnLimitsSet),
        *(TerminalBarred, BarLifted, TerminalLocked, LockCleared),
        # Felt tables: counts, fills and credits, bets put right or read again, money kept.
        *(DayOpened, DayClosed, DropCounted, FloatFilled, FloatCredited),
        *(FillSent, CreditReceived, ShiftOpened, ShiftClosed),
        *(FillReturned, CreditReturned),
        *(BetPutRight, RecordCorrected, ExcessRejected, PlayerAdvised),
        *(PlayerWalkedAway, UnclaimedSetAside, UnclaimedPaid, RecoveryRecorded),
        # Two persons.
        *(ApprovalRequested, CommandApproved, CommandDeclined),
    }
)

#: Significant in some cases: an outcome that people declared, a secret that gave other dice.
SOMETIMES: dict[type[Event], Callable[[Any], bool]] = {
    ResultEntered: lambda event: event.source == "declared",
    SecretRevealed: lambda event: not event.agrees,
}

ROUTINE: frozenset[type[Event]] = frozenset(
    {
        *(NoticeGiven, RoundStarted, BetsOpened, TumbleRecorded, BetsClosed),
        *(FacePressed, ResultReported, ResultConfirmed, RoundSettled),
        *(BetsRegistered, BetsWithdrawn),
        *(CreditsReceived, CashedOut, SessionEnded, TransitClosed),
        *(VoucherIssued, VoucherTaken, VoucherPaid),
        *(SeatTaken, SeatLeft, ChipsBought, ChipsExchanged, WinnersPaid),
        *(ColourAssigned, ColourBought, ColourConverted, ColourReleased),
        *(BetsRecorded, BetsTakenBack),
    }
)

_WANTED: Names = names(*SIGNIFICANT, *SOMETIMES)

#: Left out of the details: what is long, and what stands in a column of its own.
_LEFT_OUT = frozenset(
    {
        *("type", "canonical", "lines", "returned", "netted", "gone", "winners", "playing"),
        *("sealed", "note", "clause"),
    }
)


def is_significant(event: Event) -> bool:
    """Say whether an event is significant."""
    case = SOMETIMES.get(type(event))
    return type(event) in SIGNIFICANT if case is None else case(event)


async def significant_entries(source: Source) -> AsyncIterator[Entry]:
    """Give the significant events of all streams asked for, in the order of their times."""
    async for entry in _merged(source):
        if is_significant(entry.event) and source.wants(terminal_of(entry.event)):
            yield entry


async def _merged(source: Source) -> AsyncIterator[Entry]:
    """Merge the streams by time; each is in order already, and holds one page in memory."""
    readings = {stream: _one_by_one(source, stream) for stream in source.streams}
    waiting = []
    for stream, reading in readings.items():
        first = await anext(reading, None)
        if first is not None:
            waiting.append((first.at, stream, first))
    heapq.heapify(waiting)
    while waiting:
        # A stream has one entry here at most: two are never compared beyond its name.
        _, stream, entry = waiting[0]
        yield entry
        following = await anext(readings[stream], None)
        if following is None:
            heapq.heappop(waiting)
        else:
            heapq.heapreplace(waiting, (following.at, stream, following))


async def _one_by_one(source: Source, stream: str) -> AsyncIterator[Entry]:
    async for entries in source.entries(stream, _WANTED):
        for entry in entries:
            yield entry


async def significant_rows(source: Source, language: str) -> AsyncIterator[list[Row]]:
    """Give a row for each significant event."""
    async for entry in significant_entries(source):
        yield [_row(entry, language)]


def _row(entry: Entry, language: str) -> Row:
    event, who = entry.event, entry.who
    return (
        entry.at,
        entry.stream,
        entry.version,
        type(event).__name__,
        round_of(entry),
        terminal_of(event),
        None if who is None else who.role,
        None if who is None else who.person,
        second_of(entry),
        getattr(event, "clause", None),
        note_of(event),
        summary_of(event, language),
        msgspec.json.encode(details_of(event)).decode(),
    )


def summary_of(event: Event, language: str) -> str:
    """Tell an event in one line."""
    return "; ".join(say(reason, language) for reason in tell(event))


def round_of(entry: Entry) -> int | None:
    """Name the round an event concerns, or that was under way."""
    number: int | None = getattr(entry.event, "round", entry.round)
    return number


def second_of(entry: Entry) -> str | None:
    """Name the second person: who approved, or whom the event itself names."""
    if entry.second is not None:
        return entry.second.person
    second: str | None = getattr(entry.event, "second", None)
    return second


def terminal_of(event: Event) -> str | None:
    """Name the terminal an event concerns, a command that waits for approval included."""
    if isinstance(event, ApprovalRequested):
        return _place_of(event.order.command)
    return _place_of(event)


def _place_of(message: object) -> str | None:
    """Name the terminal of a message, or the seat where it is of a felt table."""
    place: str | None = getattr(message, "terminal", None) or getattr(message, "seat", None)
    return place


def note_of(event: Event) -> str | None:
    """Give what was noted with an event, if anything."""
    if isinstance(event, ApprovalRequested):
        return getattr(event.order.command, "note", None) or None
    return getattr(event, "note", None) or None


def details_of(event: Event) -> dict[str, Any]:
    """Give an event's own fields as plain data, without what is long."""
    details = dict(_short(msgspec.to_builtins(event)))
    if isinstance(event, ApprovalRequested):
        command = event.order.command
        fields = dict(_short(msgspec.to_builtins(command)))
        details["order"]["command"] = {"type": type(command).__name__, **fields}
    return details


def _short(fields: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in fields.items() if name not in _LEFT_OUT)
