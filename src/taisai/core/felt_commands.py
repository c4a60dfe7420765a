"""What can be asked at a felt table, of its gaming day, and of the cage beside it."""

from typing import Literal

from taisai.core.felt_messages import BoxChips, Chips
from taisai.core.messages import Command


class TakeSeat(Command, frozen=True):
    seat: str


class LeaveSeat(Command, frozen=True):
    """Leave the table; with bets lying there the player walks away from them."""

    seat: str


class BuyChips(Command, frozen=True):
    """Buy value chips for cash, or for chips for value, which both go into the drop box."""

    seat: str
    chips: Chips
    cash: int
    dropped: int = 0


class ExchangeChips(Command, frozen=True):
    """Change chips at the change block."""

    seat: str
    given: Chips
    taken: Chips


class AssignColour(Command, frozen=True):
    """Give a player a colour at a value, marked on the display rack."""

    seat: str
    colour: str
    value: int


class BuyColour(Command, frozen=True):
    """Buy chips of the player's own colour, for cash or for value chips."""

    seat: str
    count: int
    cash: int = 0
    given: Chips = ()


class ConvertColour(Command, frozen=True):
    """Turn chips of the player's own colour back into value chips."""

    seat: str
    count: int


class ReleaseColour(Command, frozen=True):
    seat: str


class RecordBets(Command, frozen=True):
    """Record chips as they lie on the layout, of one player on several boxes."""

    seat: str
    bets: tuple[BoxChips, ...]
    oral: bool = False
    on_behalf: bool = False


class CorrectRecord(Command, frozen=True):
    """Record anew what one player has on one box."""

    seat: str
    box: str
    chips: Chips
    note: str


class TakeBackBets(Command, frozen=True):
    """Give a player back what they no longer want to bet."""

    seat: str
    bets: tuple[BoxChips, ...]


class RejectExcess(Command, frozen=True):
    seat: str
    box: str
    chips: Chips


class AdvisePlayer(Command, frozen=True):
    """Tell a player that a bet is below the minimum."""

    seat: str
    box: str


class PutBetRight(Command, frozen=True):
    """Move a bet to where its player had meant it, in a case that the document allows."""

    seat: str
    from_box: str
    to_box: str
    chips: Chips
    reason: Literal["touching-line", "moved-by-dealer", "moved-by-patron"]
    note: str


class PayWinners(Command, frozen=True):
    """Say that the losing bets are collected and the winning ones paid."""


class PayKept(Command, frozen=True):
    """Hand out what was kept for a player."""

    kept: str


class RecordRecovery(Command, frozen=True):
    """Say how much of what a reversal takes from a player could not be had."""

    seat: str
    missing: int
    note: str


class OpenDay(Command, frozen=True):
    """Open a gaming day with a count of the rack."""

    date: str
    count: Chips


class ReceiveFill(Command, frozen=True):
    """Take a fill from the cage into the rack."""

    transit: str
    chips: Chips


class SendCredit(Command, frozen=True):
    """Send chips of the rack to the cage."""

    chips: Chips


class ReturnCredit(Command, frozen=True):
    """Put chips back into the rack that were sent to the cage and not received there."""

    transit: str
    chips: Chips


class CountDrop(Command, frozen=True):
    """Count the drop box: its cash, and its chips for value."""

    cash: int
    chips: int


class CloseDay(Command, frozen=True):
    """Close the gaming day with a count of the rack."""

    count: Chips


FeltCommand = (
    TakeSeat
    | LeaveSeat
    | BuyChips
    | ExchangeChips
    | AssignColour
    | BuyColour
    | ConvertColour
    | ReleaseColour
    | RecordBets
    | CorrectRecord
    | TakeBackBets
    | RejectExcess
    | AdvisePlayer
    | PutBetRight
    | PayWinners
    | PayKept
    | RecordRecovery
    | OpenDay
    | ReceiveFill
    | SendCredit
    | ReturnCredit
    | CountDrop
    | CloseDay
)


class SendFill(Command, frozen=True):
    """Send chips from the cage to a table."""

    table: str
    chips: Chips


class ReceiveCredit(Command, frozen=True):
    """Take chips that a table sent into the cage."""

    transit: str
    table: str
    chips: Chips


class ReturnFill(Command, frozen=True):
    """Put chips back into the cage that were sent to a table and not received there."""

    transit: str
    chips: Chips


class OpenShift(Command, frozen=True):
    """Open a cashier's shift with a count of the drawer."""

    count: int


class CloseShift(Command, frozen=True):
    """Close a cashier's shift, one's own or another's, with a count of the drawer."""

    count: int


DrawerCommand = SendFill | ReceiveCredit | ReturnFill | OpenShift | CloseShift
