"""What a client says: who it is, what it wants to watch, and what it asks for."""

from typing import Literal

from msgspec import Struct

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.fills import ReceiveCredit, ReturnFill, SendFill
from taisai.core.cage.vouchers import TakeVoucher
from taisai.core.kernel.approvals import Decline
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.chips.colours import AssignColour, BuyColour, ConvertColour, ReleaseColour
from taisai.core.table.chips.gaming_day import (
    CloseDay,
    CountDrop,
    OpenDay,
    ReceiveFill,
    ReturnCredit,
    SendCredit,
)
from taisai.core.table.chips.layout_bets import (
    AdvisePlayer,
    CorrectRecord,
    PutBetRight,
    RecordBets,
    RejectExcess,
    TakeBackBets,
)
from taisai.core.table.chips.payout import PayWinners
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.seats import BuyChips, ExchangeChips, LeaveSeat, TakeSeat
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.irregularities import RecordInterruption, ReportIrregularity
from taisai.core.table.positions import (
    BarTerminal,
    CashOut,
    ClearLock,
    LiftBar,
    PayUnclaimed,
    SetOwnLimits,
)
from taisai.core.table.round import (
    AmendResult,
    CloseBets,
    ConfirmResult,
    DeclareOutcome,
    EnterResult,
    OpenBets,
    PressFace,
    RecordTumble,
    Settle,
)
from taisai.core.table.setup import (
    AdoptRulebook,
    CloseTable,
    DeclareSafeProcedure,
    GiveNotice,
    OpenTable,
    RecordChecks,
    Rectify,
    RegisterDice,
    SetLimits,
)

Language = Literal["en", "zh-Hans", "zh-Hant"]

#: What terminals and staff may ask for over the socket. Selling and paying vouchers goes over HTTP,
#: since the answer is a number that is written down nowhere; an approval comes with a PIN.
WireCommand = (
    PlaceBets
    | WithdrawBets
    | ClearBets
    | TakeVoucher
    | CashOut
    | SetOwnLimits
    | AdoptRulebook
    | SetLimits
    | RegisterDice
    | RecordChecks
    | OpenTable
    | GiveNotice
    | CloseTable
    | OpenBets
    | RecordTumble
    | CloseBets
    | PressFace
    | EnterResult
    | ConfirmResult
    | AmendResult
    | Settle
    | ReportIrregularity
    | RecordInterruption
    | DeclareOutcome
    | VoidSettledRounds
    | CorrectSettledRound
    | Rule
    | Rectify
    | DeclareSafeProcedure
    | BarTerminal
    | LiftBar
    | ClearLock
    | Decline
    | TakeSeat
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
    | PayUnclaimed
    | RecordRecovery
    | OpenDay
    | ReceiveFill
    | SendCredit
    | ReturnCredit
    | CountDrop
    | CloseDay
    | SendFill
    | ReceiveCredit
    | ReturnFill
    | OpenShift
    | CloseShift
)


class SentByClient(Struct, frozen=True, tag=True, forbid_unknown_fields=True, gc=False):
    """Something a client says."""


class TerminalKey(Struct, frozen=True, forbid_unknown_fields=True):
    """A Player Terminal, and the key it was given when it was enrolled."""

    table: str
    terminal: str
    key: str

    def __repr__(self) -> str:
        """Name the terminal; a key is never shown."""
        return f"TerminalKey({self.table!r}, {self.terminal!r}, key=…)"


class Hello(SentByClient, frozen=True):
    """Say who this is: a terminal with its key, staff with a session, or a visitor with neither.

    In a browser the session comes as a cookie instead. `after` is the last sequence that a terminal
    has of its private channel: it is told what it missed, or gets a snapshot.
    """

    protocol: int
    terminal: TerminalKey | None = None
    session: str | None = None
    language: Language = "en"
    after: int | None = None

    def __repr__(self) -> str:
        """Say who it is; a session is never shown."""
        return f"Hello({self.protocol}, {self.terminal!r}, session=…, {self.language})"


class Watch(SentByClient, frozen=True):
    """Watch a table's public channel, and its staff channel where one may.

    `after` is the last sequence one has of the channel.
    """

    table: str
    after: int | None = None


class Unwatch(SentByClient, frozen=True):
    """Watch a table no longer."""

    table: str


class Ask(SentByClient, frozen=True):
    """Ask a table, or `cage`, to do something; the id is the sender's own and begins with the time.

    The same id with the same content gets the same answer, whenever and however often it is sent.
    """

    to: str
    id: str
    command: WireCommand


class Grant(SentByClient, frozen=True):
    """Approve what waits for a second person, with one's own PIN; `to` may be `house` too."""

    to: str
    id: str
    pending: str
    version: int
    pin: str

    def __repr__(self) -> str:
        """Say what is approved; a PIN is never shown."""
        return f"Grant({self.to!r}, {self.id!r}, {self.pending!r}, {self.version}, pin=…)"


class Deal(SentByClient, frozen=True):
    """Hand a table over to the automatic dealer, or take it back as the person who asks."""

    table: str
    id: str
    automatic: bool


class Ping(SentByClient, frozen=True):
    """Ask for a `Pong`."""

    number: int = 0


ClientMessage = Hello | Watch | Unwatch | Ask | Grant | Deal | Ping
