"""The events of a felt table told as sentences: seats, chips, colours, bets, counts."""

from collections.abc import Callable, Iterator
from typing import Any

from taisai.core import events as e
from taisai.core.chips import value_of
from taisai.core.events import Event
from taisai.core.felt_messages import RecordedBet
from taisai.core.rules.reason import Reason, because

#: A sentence with the fields that fill its blanks, or several sentences.
FeltTeller = tuple[str, dict[str, str]] | Callable[[Any], Iterator[Reason]]


def _bet(seat: str, bet: RecordedBet) -> dict[str, int | str]:
    return {"seat": seat, "box": bet.box, "stake_cents": bet.amount}


def _recorded(event: e.BetsRecorded) -> Iterator[Reason]:
    for bet in event.bets:
        given = _bet(event.seat, bet)
        if event.oral:
            yield because("EVENT_BET_SPOKEN", **given)
        elif event.on_behalf:
            yield because("EVENT_BET_RECORDED_FOR", **given, person=event.by)
        else:
            yield because("EVENT_BET_RECORDED", **given)


def _corrected(event: e.RecordCorrected) -> Iterator[Reason]:
    before = event.before.amount
    yield because("EVENT_RECORD_CORRECTED", **_bet(event.seat, event.after), before_cents=before)


def _taken_back(event: e.BetsTakenBack) -> Iterator[Reason]:
    for bet in event.bets:
        yield because("EVENT_BET_TAKEN_BACK", **_bet(event.seat, bet))


def _rejected(event: e.ExcessRejected) -> Iterator[Reason]:
    yield because("EVENT_EXCESS_REJECTED", **_bet(event.seat, event.bet))


def _exchanged(event: e.ChipsExchanged) -> Iterator[Reason]:
    given = value_of(event.given, {})
    yield because("EVENT_CHIPS_EXCHANGED", seat=event.seat, amount_cents=given)


def _shift_closed(event: e.ShiftClosed) -> Iterator[Reason]:
    counts = {"count_cents": event.count, "expected_cents": event.expected}
    if event.by is None:
        yield because("EVENT_SHIFT_CLOSED", cashier=event.cashier, **counts)
    else:
        yield because("EVENT_SHIFT_CLOSED_FOR", cashier=event.cashier, person=event.by, **counts)


_AMOUNT = {"amount_cents": "amount"}

TELL_FELT: dict[type[Event], FeltTeller] = {
    e.SeatTaken: ("EVENT_SEAT_TAKEN", {"seat": "seat"}),
    e.SeatLeft: ("EVENT_SEAT_LEFT", {"seat": "seat", "amount_cents": "taken"}),
    e.PlayerWalkedAway: ("EVENT_WALKED_AWAY", {"seat": "seat", "amount_cents": "taken"}),
    e.MoneyKept: ("EVENT_MONEY_KEPT", {"seat": "seat", "kept": "kept", **_AMOUNT}),
    e.KeptPaid: ("EVENT_KEPT_PAID", {"kept": "kept", **_AMOUNT}),
    e.ChipsBought: (
        "EVENT_CHIPS_BOUGHT",
        {"seat": "seat", "cash_cents": "cash", "dropped_cents": "dropped"},
    ),
    e.ChipsExchanged: _exchanged,
    e.ColourAssigned: (
        "EVENT_COLOUR_ASSIGNED",
        {"seat": "seat", "colour": "colour", "value_cents": "value"},
    ),
    e.ColourBought: (
        "EVENT_COLOUR_BOUGHT",
        {"seat": "seat", "colour": "colour", "count": "count", **_AMOUNT},
    ),
    e.ColourConverted: (
        "EVENT_COLOUR_CONVERTED",
        {"seat": "seat", "colour": "colour", "count": "count", **_AMOUNT},
    ),
    e.ColourReleased: ("EVENT_COLOUR_RELEASED", {"seat": "seat", "colour": "colour"}),
    e.BetsRecorded: _recorded,
    e.RecordCorrected: _corrected,
    e.BetsTakenBack: _taken_back,
    e.ExcessRejected: _rejected,
    e.PlayerAdvised: ("EVENT_PLAYER_ADVISED", {"seat": "seat", "box": "box"}),
    e.BetPutRight: (
        "EVENT_BET_PUT_RIGHT",
        {
            "seat": "seat",
            "other_box": "from_box",
            "box": "to_box",
            "stake_cents": "amount",
            "why": "reason",
        },
    ),
    e.WinnersPaid: ("EVENT_WINNERS_PAID", {"round": "round"}),
    e.RecoveryRecorded: ("EVENT_NOT_RECOVERED", {"seat": "seat", "missing_cents": "missing"}),
    e.DayOpened: (
        "EVENT_DAY_OPENED",
        {"date": "date", "expected_cents": "expected", **_AMOUNT},
    ),
    e.FloatFilled: ("EVENT_FLOAT_FILLED", {"transit": "transit", **_AMOUNT}),
    e.FloatCredited: ("EVENT_FLOAT_CREDITED", {"transit": "transit", **_AMOUNT}),
    e.CreditReturned: (
        "EVENT_CREDIT_RETURNED",
        {"transit": "transit", "missing_cents": "missing", **_AMOUNT},
    ),
    e.DropCounted: (
        "EVENT_DROP_COUNTED",
        {"cash_cents": "cash", "chips_cents": "chips", "expected_cents": "expected"},
    ),
    e.DayClosed: (
        "EVENT_DAY_CLOSED",
        {
            "date": "date",
            "closing_cents": "closing",
            "expected_cents": "expected",
            "win_cents": "win",
        },
    ),
    e.FillSent: ("EVENT_FILL_SENT", {"transit": "transit", "table": "table", **_AMOUNT}),
    e.CreditReceived: (
        "EVENT_CREDIT_RECEIVED",
        {"transit": "transit", "table": "table", **_AMOUNT},
    ),
    e.ShiftOpened: ("EVENT_SHIFT_OPENED", {"cashier": "cashier", "count_cents": "count"}),
    e.FillReturned: (
        "EVENT_FILL_RETURNED",
        {"transit": "transit", "table": "table", "missing_cents": "missing", **_AMOUNT},
    ),
    e.ShiftClosed: _shift_closed,
}
