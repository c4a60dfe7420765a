"""What the events of a felt table do to money: chips bought, bet, paid and counted, as postings."""

from collections.abc import Callable, Iterator
from typing import Any

from taisai.core import felt_events as e
from taisai.core.accounts import (
    CASH,
    CASH_DIFFERENCE,
    COUNTED,
    DIFFERENCE,
    DROP,
    FLOOR,
    HOUSE,
    PATRONS,
    SETTLED_TRANSITS,
    SHORTFALL,
    VAULT,
    credits_of,
    in_transit,
    kept_as,
    stakes_of,
)
from taisai.core.messages import Event, Posting

_Postings = Iterator[Posting]


def felt_postings(event: Event) -> list[Posting]:
    """Derive the postings of an event of a felt table; nothing moves where nothing is due."""
    post = _POST.get(type(event))
    return [] if post is None else [each for each in post(event) if each.amount]


def _apart(counted: int, expected: int, account: str, difference: str) -> Posting:
    """Enter what was counted beyond what the books said, or what was missing."""
    if counted >= expected:
        return Posting(difference, account, counted - expected)
    return Posting(account, difference, expected - counted)


def _left(event: e.SeatLeft | e.PlayerWalkedAway) -> _Postings:
    yield Posting(credits_of(event.seat), FLOOR, event.taken)


def _kept(event: e.MoneyKept) -> _Postings:
    yield Posting(credits_of(event.seat), kept_as(event.kept), event.amount)


def _kept_paid(event: e.KeptPaid) -> _Postings:
    yield Posting(kept_as(event.kept), FLOOR, event.amount)


def _bought(event: e.ChipsBought) -> _Postings:
    """Put what was paid into the drop box; the chips come out of the rack."""
    yield Posting(PATRONS, DROP, event.cash)
    yield Posting(FLOOR, DROP, event.dropped)
    yield Posting(HOUSE, credits_of(event.seat), event.cash + event.dropped)


def _brought(event: e.ChipsExchanged) -> _Postings:
    yield Posting(FLOOR, credits_of(event.seat), event.brought)


def _colour_bought(event: e.ColourBought) -> _Postings:
    yield Posting(FLOOR, credits_of(event.seat), event.brought)
    yield Posting(PATRONS, DROP, event.cash)
    yield Posting(HOUSE, credits_of(event.seat), event.cash)


def _recorded(event: e.BetsRecorded) -> _Postings:
    yield Posting(FLOOR, credits_of(event.seat), event.brought)
    staked = sum(bet.amount for bet in event.bets)
    yield Posting(credits_of(event.seat), stakes_of(event.seat), staked)


def _corrected(event: e.RecordCorrected) -> _Postings:
    yield Posting(stakes_of(event.seat), credits_of(event.seat), event.before.amount)
    yield Posting(FLOOR, credits_of(event.seat), event.brought)
    yield Posting(credits_of(event.seat), stakes_of(event.seat), event.after.amount)


def _taken_back(event: e.BetsTakenBack) -> _Postings:
    back = sum(bet.amount for bet in event.bets)
    yield Posting(stakes_of(event.seat), credits_of(event.seat), back)


def _rejected(event: e.ExcessRejected) -> _Postings:
    yield Posting(stakes_of(event.seat), credits_of(event.seat), event.bet.amount)


def _not_recovered(event: e.RecoveryRecorded) -> _Postings:
    """What could not be had is still the player's, and the house's loss [D8]."""
    yield Posting(SHORTFALL, credits_of(event.seat), event.missing)


def _day_opened(event: e.DayOpened) -> _Postings:
    yield _apart(event.amount, event.expected, HOUSE, DIFFERENCE)


def _filled(event: e.FloatFilled) -> _Postings:
    way = in_transit(event.transit)
    yield Posting(SETTLED_TRANSITS, way, event.amount)
    yield Posting(way, HOUSE, event.amount)


def _credited(event: e.FloatCredited) -> _Postings:
    yield Posting(HOUSE, in_transit(event.transit), event.amount)


def _credit_returned(event: e.CreditReturned) -> _Postings:
    way = in_transit(event.transit)
    yield Posting(way, HOUSE, event.amount)
    yield Posting(way, DIFFERENCE, event.missing)


def _drop_counted(event: e.DropCounted) -> _Postings:
    yield Posting(DROP, COUNTED, event.expected)
    yield _apart(event.cash + event.chips, event.expected, COUNTED, DIFFERENCE)


def _day_closed(event: e.DayClosed) -> _Postings:
    yield _apart(event.closing, event.expected, HOUSE, DIFFERENCE)


def _fill_sent(event: e.FillSent) -> _Postings:
    yield Posting(VAULT, in_transit(event.transit), event.amount)


def _credit_received(event: e.CreditReceived) -> _Postings:
    way = in_transit(event.transit)
    yield Posting(SETTLED_TRANSITS, way, event.amount)
    yield Posting(way, VAULT, event.amount)


def _fill_returned(event: e.FillReturned) -> _Postings:
    way = in_transit(event.transit)
    yield Posting(way, VAULT, event.amount)
    yield Posting(way, DIFFERENCE, event.missing)


def _shift(event: e.ShiftClosed) -> _Postings:
    """Enter the drawer's difference; the counter's account is what it holds, its sign turned."""
    yield _apart(event.expected, event.count, CASH, CASH_DIFFERENCE)


_POST: dict[type[Event], Callable[[Any], _Postings]] = {
    e.SeatLeft: _left,
    e.PlayerWalkedAway: _left,
    e.MoneyKept: _kept,
    e.KeptPaid: _kept_paid,
    e.ChipsBought: _bought,
    e.ChipsExchanged: _brought,
    e.ColourBought: _colour_bought,
    e.BetsRecorded: _recorded,
    e.RecordCorrected: _corrected,
    e.BetsTakenBack: _taken_back,
    e.ExcessRejected: _rejected,
    e.RecoveryRecorded: _not_recovered,
    e.DayOpened: _day_opened,
    e.FloatFilled: _filled,
    e.FloatCredited: _credited,
    e.CreditReturned: _credit_returned,
    e.DropCounted: _drop_counted,
    e.DayClosed: _day_closed,
    e.FillSent: _fill_sent,
    e.CreditReceived: _credit_received,
    e.FillReturned: _fill_returned,
    e.ShiftClosed: _shift,
}
