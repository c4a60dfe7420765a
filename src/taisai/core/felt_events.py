"""What can have happened at a felt table, to its rack and drop box, and in the cage beside it."""

from typing import Literal

from taisai.core.felt_messages import Chips, RecordedBet
from taisai.core.messages import Event


class SeatTaken(Event, frozen=True):
    seat: str


class SeatLeft(Event, frozen=True):
    """A player has left with the chips in front of them, which are no longer the table's affair."""

    seat: str
    taken: int


class PlayerWalkedAway(Event, frozen=True):
    """A player left while their bets lay there: they are settled all the same."""

    seat: str
    taken: int
    clause: str | None


class MoneyKept(Event, frozen=True):
    """What became of the bets of a player who walked away is set aside for them."""

    seat: str
    kept: str
    amount: int


class KeptPaid(Event, frozen=True):
    kept: str
    amount: int
    by: str


class ChipsBought(Event, frozen=True):
    seat: str
    chips: Chips
    cash: int
    dropped: int
    by: str


class ChipsExchanged(Event, frozen=True):
    """Chips changed at the change block; `brought` was not known to be in front of the player."""

    seat: str
    given: Chips
    taken: Chips
    brought: int
    by: str


class ColourAssigned(Event, frozen=True):
    """A colour is one player's, at the value marked on the display rack."""

    seat: str
    colour: str
    value: int
    by: str


class ColourBought(Event, frozen=True):
    seat: str
    colour: str
    count: int
    amount: int
    cash: int
    given: Chips
    brought: int
    by: str


class ColourConverted(Event, frozen=True):
    seat: str
    colour: str
    count: int
    amount: int
    chips: Chips
    by: str


class ColourReleased(Event, frozen=True):
    seat: str
    colour: str


class BetsRecorded(Event, frozen=True):
    """Chips as the dealer read them on the layout."""

    seat: str
    bets: tuple[RecordedBet, ...]
    brought: int
    by: str
    oral: bool = False
    on_behalf: bool = False
    clause: str | None = None


class RecordCorrected(Event, frozen=True):
    """What one player has on one box, read again before the close."""

    seat: str
    before: RecordedBet
    after: RecordedBet
    brought: int
    note: str
    by: str


class BetsTakenBack(Event, frozen=True):
    seat: str
    bets: tuple[RecordedBet, ...]
    by: str


class ExcessRejected(Event, frozen=True):
    seat: str
    bet: RecordedBet
    clause: str | None
    by: str


class PlayerAdvised(Event, frozen=True):
    """A player was told of the minimum, and may add to the bet or take it back."""

    seat: str
    box: str
    clause: str | None
    by: str


class BetPutRight(Event, frozen=True):
    """The operator moved a bet to where it was meant to lie."""

    seat: str
    from_box: str
    to_box: str
    amount: int
    chips: Chips
    reason: Literal["touching-line", "moved-by-dealer", "moved-by-patron"]
    clause: str
    note: str
    by: str


class WinnersPaid(Event, frozen=True):
    """The losing bets are collected and the winning ones paid, and the dealer says so."""

    round: int
    collected: Chips
    paid: Chips
    by: str


class RecoveryRecorded(Event, frozen=True):
    """So much of what a reversal takes from a player could not be had."""

    seat: str
    missing: int
    note: str
    by: str


class DayOpened(Event, frozen=True):
    """A gaming day begins with what was counted in the rack; `expected` is what the books say."""

    date: str
    count: Chips
    amount: int
    expected: int
    by: str


class FloatFilled(Event, frozen=True):
    transit: str
    chips: Chips
    amount: int
    by: str


class FloatCredited(Event, frozen=True):
    transit: str
    chips: Chips
    amount: int
    by: str


class CreditReturned(Event, frozen=True):
    """Chips on their way to the cage are in the rack again, but for what is missing of them."""

    transit: str
    chips: Chips
    amount: int
    missing: int
    by: str


class DropCounted(Event, frozen=True):
    cash: int
    chips: int
    expected: int
    by: str


class DayClosed(Event, frozen=True):
    """A gaming day ends: win is drop + closing - opening - fills + credits."""

    date: str
    count: Chips
    closing: int
    expected: int
    opening: int
    fills: int
    credits: int
    drop: int
    win: int
    by: str


FeltEvent = (
    SeatTaken
    | SeatLeft
    | PlayerWalkedAway
    | MoneyKept
    | KeptPaid
    | ChipsBought
    | ChipsExchanged
    | ColourAssigned
    | ColourBought
    | ColourConverted
    | ColourReleased
    | BetsRecorded
    | RecordCorrected
    | BetsTakenBack
    | ExcessRejected
    | PlayerAdvised
    | BetPutRight
    | WinnersPaid
    | RecoveryRecorded
    | DayOpened
    | FloatFilled
    | FloatCredited
    | CreditReturned
    | DropCounted
    | DayClosed
)


class FillSent(Event, frozen=True):
    transit: str
    table: str
    chips: Chips
    amount: int
    by: str


class CreditReceived(Event, frozen=True):
    transit: str
    table: str
    chips: Chips
    amount: int
    by: str


class FillReturned(Event, frozen=True):
    """Chips on their way to a table are in the cage again, but for what is missing of them."""

    transit: str
    table: str
    chips: Chips
    amount: int
    missing: int
    by: str


class ShiftOpened(Event, frozen=True):
    """A cashier's shift begins with what was counted in the drawer."""

    cashier: str
    count: int


class ShiftClosed(Event, frozen=True):
    """A cashier's shift ends: what was counted, beside what should be there.

    `by` is who closed it where that was not the cashier.
    """

    cashier: str
    count: int
    expected: int
    by: str | None = None


DrawerEvent = FillSent | CreditReceived | FillReturned | ShiftOpened | ShiftClosed
