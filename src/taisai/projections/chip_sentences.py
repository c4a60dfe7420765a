"""The events of a felt table told as sentences: seats, chips, colours, bets, counts."""

from collections.abc import Callable, Iterator
from typing import Any

from taisai.core.cage.drawer import ShiftClosed, ShiftOpened
from taisai.core.cage.fills import CreditReceived, FillReturned, FillSent
from taisai.core.kernel.messages import Event
from taisai.core.rules.reason import Reason, because
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
from taisai.core.table.chips.pieces import RecordedBet, value_of
from taisai.core.table.chips.recovery import RecoveryRecorded
from taisai.core.table.chips.seats import (
    ChipsBought,
    ChipsExchanged,
    PlayerWalkedAway,
    SeatLeft,
    SeatTaken,
    UnclaimedSetAside,
)
from taisai.core.table.positions import UnclaimedPaid

#: A sentence with the fields that fill its blanks, or several sentences.
FeltTeller = tuple[str, dict[str, str]] | Callable[[Any], Iterator[Reason]]


def _bet(seat: str, bet: RecordedBet) -> dict[str, int | str]:
    return {"seat": seat, "box": bet.box, "stake_cents": bet.amount}


def _recorded(event: BetsRecorded) -> Iterator[Reason]:
    for bet in event.bets:
        given = _bet(event.seat, bet)
        if event.oral:
            yield because("EVENT_BET_SPOKEN", **given)
        elif event.on_behalf:
            yield because("EVENT_BET_RECORDED_FOR", **given, person=event.by)
        else:
            yield because("EVENT_BET_RECORDED", **given)


def _corrected(event: RecordCorrected) -> Iterator[Reason]:
    before = event.before.amount
    yield because("EVENT_RECORD_CORRECTED", **_bet(event.seat, event.after), before_cents=before)


def _taken_back(event: BetsTakenBack) -> Iterator[Reason]:
    for bet in event.bets:
        yield because("EVENT_BET_TAKEN_BACK", **_bet(event.seat, bet))


def _rejected(event: ExcessRejected) -> Iterator[Reason]:
    yield because("EVENT_EXCESS_REJECTED", **_bet(event.seat, event.bet))


def _exchanged(event: ChipsExchanged) -> Iterator[Reason]:
    given = value_of(event.given, {})
    yield because("EVENT_CHIPS_EXCHANGED", seat=event.seat, amount_cents=given)


def _shift_closed(event: ShiftClosed) -> Iterator[Reason]:
    counts = {"count_cents": event.count, "expected_cents": event.expected}
    if event.by is None:
        yield because("EVENT_SHIFT_CLOSED", cashier=event.cashier, **counts)
    else:
        yield because("EVENT_SHIFT_CLOSED_FOR", cashier=event.cashier, person=event.by, **counts)


_AMOUNT = {"amount_cents": "amount"}

TELL_FELT: dict[type[Event], FeltTeller] = {
    SeatTaken: ("EVENT_SEAT_TAKEN", {"seat": "seat"}),
    SeatLeft: ("EVENT_SEAT_LEFT", {"seat": "seat", "amount_cents": "taken"}),
    PlayerWalkedAway: ("EVENT_WALKED_AWAY", {"seat": "seat", "amount_cents": "taken"}),
    UnclaimedSetAside: (
        "EVENT_UNCLAIMED_SET_ASIDE",
        {"seat": "seat", "session": "session", **_AMOUNT},
    ),
    UnclaimedPaid: ("EVENT_UNCLAIMED_PAID", {"session": "session", **_AMOUNT}),
    ChipsBought: (
        "EVENT_CHIPS_BOUGHT",
        {"seat": "seat", "cash_cents": "cash", "dropped_cents": "dropped"},
    ),
    ChipsExchanged: _exchanged,
    ColourAssigned: (
        "EVENT_COLOUR_ASSIGNED",
        {"seat": "seat", "colour": "colour", "value_cents": "value"},
    ),
    ColourBought: (
        "EVENT_COLOUR_BOUGHT",
        {"seat": "seat", "colour": "colour", "count": "count", **_AMOUNT},
    ),
    ColourConverted: (
        "EVENT_COLOUR_CONVERTED",
        {"seat": "seat", "colour": "colour", "count": "count", **_AMOUNT},
    ),
    ColourReleased: ("EVENT_COLOUR_RELEASED", {"seat": "seat", "colour": "colour"}),
    BetsRecorded: _recorded,
    RecordCorrected: _corrected,
    BetsTakenBack: _taken_back,
    ExcessRejected: _rejected,
    PlayerAdvised: ("EVENT_PLAYER_ADVISED", {"seat": "seat", "box": "box"}),
    BetPutRight: (
        "EVENT_BET_PUT_RIGHT",
        {
            "seat": "seat",
            "other_box": "from_box",
            "box": "to_box",
            "stake_cents": "amount",
            "why": "reason",
        },
    ),
    WinnersPaid: ("EVENT_WINNERS_PAID", {"round": "round"}),
    RecoveryRecorded: ("EVENT_NOT_RECOVERED", {"seat": "seat", "missing_cents": "missing"}),
    DayOpened: (
        "EVENT_DAY_OPENED",
        {"date": "date", "expected_cents": "expected", **_AMOUNT},
    ),
    FloatFilled: ("EVENT_FLOAT_FILLED", {"transit": "transit", **_AMOUNT}),
    FloatCredited: ("EVENT_FLOAT_CREDITED", {"transit": "transit", **_AMOUNT}),
    CreditReturned: (
        "EVENT_CREDIT_RETURNED",
        {"transit": "transit", "missing_cents": "missing", **_AMOUNT},
    ),
    DropCounted: (
        "EVENT_DROP_COUNTED",
        {"cash_cents": "cash", "chips_cents": "chips", "expected_cents": "expected"},
    ),
    DayClosed: (
        "EVENT_DAY_CLOSED",
        {
            "date": "date",
            "closing_cents": "closing",
            "expected_cents": "expected",
            "win_cents": "win",
        },
    ),
    FillSent: ("EVENT_FILL_SENT", {"transit": "transit", "table": "table", **_AMOUNT}),
    CreditReceived: (
        "EVENT_CREDIT_RECEIVED",
        {"transit": "transit", "table": "table", **_AMOUNT},
    ),
    ShiftOpened: ("EVENT_SHIFT_OPENED", {"cashier": "cashier", "count_cents": "count"}),
    FillReturned: (
        "EVENT_FILL_RETURNED",
        {"transit": "transit", "table": "table", "missing_cents": "missing", **_AMOUNT},
    ),
    ShiftClosed: _shift_closed,
}
