"""What can be asked of a table, of the cage and of the house: commands, in the imperative.

What a felt table alone is asked stands on a page of its own, and is named here with the rest.
"""
# ruff: noqa: I001, PLC0414 - whoever asks for a command finds it here, wherever it is written.

from msgspec import Struct

from taisai.core.felt_commands import (
    AdvisePlayer as AdvisePlayer,
    AssignColour as AssignColour,
    BuyChips as BuyChips,
    BuyColour as BuyColour,
    CloseDay as CloseDay,
    CloseShift as CloseShift,
    ConvertColour as ConvertColour,
    CorrectRecord as CorrectRecord,
    CountDrop as CountDrop,
    DrawerCommand,
    ExchangeChips as ExchangeChips,
    FeltCommand,
    LeaveSeat as LeaveSeat,
    OpenDay as OpenDay,
    OpenShift as OpenShift,
    PayKept as PayKept,
    PayWinners as PayWinners,
    PutBetRight as PutBetRight,
    ReceiveCredit as ReceiveCredit,
    ReceiveFill as ReceiveFill,
    RecordBets as RecordBets,
    RecordRecovery as RecordRecovery,
    RejectExcess as RejectExcess,
    ReleaseColour as ReleaseColour,
    ReturnCredit as ReturnCredit,
    ReturnFill as ReturnFill,
    SendCredit as SendCredit,
    SendFill as SendFill,
    TakeBackBets as TakeBackBets,
    TakeSeat as TakeSeat,
)
from taisai.core.felt_messages import ChipSet, Form
from taisai.core.messages import (
    Actor,
    BoxStake,
    Command as Command,
    Equipment,
    LimitsAsked,
    Posting,
    Role,
)


class CreateTable(Command, frozen=True):
    table: str
    currency: str
    equipment: Equipment = Equipment()
    lock_above: int | None = None
    form: Form = "electronic"
    chips: ChipSet | None = None


class EnrolTerminal(Command, frozen=True):
    terminal: str
    place: str


class AdoptRulebook(Command, frozen=True):
    canonical: str
    pay_table: int


class SetLimits(Command, frozen=True):
    limits: LimitsAsked


class RegisterDice(Command, frozen=True):
    dice_set: str
    seal: str


class RecordChecks(Command, frozen=True):
    checks: tuple[str, ...]


class OpenTable(Command, frozen=True):
    pass


class GiveNotice(Command, frozen=True):
    pass


class CloseTable(Command, frozen=True):
    pass


class OpenBets(Command, frozen=True):
    pass


class RecordTumble(Command, frozen=True):
    times: int
    flat: bool = True
    concealed: bool = True


class CloseBets(Command, frozen=True):
    bell: bool = False


class PressFace(Command, frozen=True):
    face: int


class EnterResult(Command, frozen=True):
    """Enter three faces; without them, the last three pressed."""

    faces: tuple[int, ...] | None = None


class ConfirmResult(Command, frozen=True):
    pass


class AmendResult(Command, frozen=True):
    faces: tuple[int, ...]


class Settle(Command, frozen=True):
    pass


class PublishChain(Command, frozen=True):
    """Publish the end of a chain of secrets, with its beginning sealed for the house alone."""

    commitment: str
    length: int
    sealed: str


class RevealSecret(Command, frozen=True):
    round: int
    secret: str


class AbandonChain(Command, frozen=True):
    """Use no more secrets of a chain: from a backup on, those that follow may be known."""

    by: str
    second: str
    note: str


class PlaceBets(Command, frozen=True):
    terminal: str
    bets: tuple[BoxStake, ...]
    #: With a round it is for that one alone, however late it arrives.
    round: int | None = None


class WithdrawBets(Command, frozen=True):
    terminal: str
    bets: tuple[BoxStake, ...]
    round: int | None = None


class ClearBets(Command, frozen=True):
    terminal: str
    round: int | None = None


class ReportIrregularity(Command, frozen=True):
    code: str
    note: str = ""


class RecordInterruption(Command, frozen=True):
    note: str = ""


class DeclareOutcome(Command, frozen=True):
    """Say what the dice showed, or with no faces that no outcome was established."""

    faces: tuple[int, ...] | None = None


class VoidSettledRounds(Command, frozen=True):
    """Void the rounds that damaged dice touched; without a name, the set in use is meant."""

    first: int
    note: str
    dice_set: str | None = None


class CorrectSettledRound(Command, frozen=True):
    round: int
    faces: tuple[int, ...]
    note: str


class Rule(Command, frozen=True):
    """The shift manager's ruling where no clause covers what happened."""

    note: str
    postings: tuple[Posting, ...] = ()
    voids_round: bool = False


class Rectify(Command, frozen=True):
    note: str


class DeclareSafeProcedure(Command, frozen=True):
    note: str


class ReceiveCredits(Command, frozen=True):
    transit: str
    terminal: str
    amount: int


class CashOut(Command, frozen=True):
    terminal: str


class CloseTransit(Command, frozen=True):
    transit: str


class LoseTerminal(Command, frozen=True):
    terminal: str


class RestoreTerminal(Command, frozen=True):
    terminal: str


class SetOwnLimits(Command, frozen=True):
    terminal: str
    loss: int | None = None
    session_seconds: int | None = None


class BarTerminal(Command, frozen=True):
    terminal: str
    note: str


class LiftBar(Command, frozen=True):
    terminal: str
    note: str


class ClearLock(Command, frozen=True):
    terminal: str


class Approve(Command, frozen=True):
    """The second person's own command: it names what is pending and the version it was asked at."""

    pending: str
    version: int


class Decline(Command, frozen=True):
    pending: str


TableCommand = (
    CreateTable
    | EnrolTerminal
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
    | PublishChain
    | RevealSecret
    | AbandonChain
    | PlaceBets
    | WithdrawBets
    | ClearBets
    | ReportIrregularity
    | RecordInterruption
    | DeclareOutcome
    | VoidSettledRounds
    | CorrectSettledRound
    | Rule
    | Rectify
    | DeclareSafeProcedure
    | ReceiveCredits
    | CashOut
    | CloseTransit
    | LoseTerminal
    | RestoreTerminal
    | SetOwnLimits
    | BarTerminal
    | LiftBar
    | ClearLock
    | FeltCommand
    | Approve
    | Decline
)


class OpenCage(Command, frozen=True):
    currency: str
    voucher_days: int = 30
    approve_above: int | None = None


class SellVoucher(Command, frozen=True):
    """Take cash over the counter and print a voucher for it."""

    value: int
    place: str


class PrintVoucher(Command, frozen=True):
    """Turn what a terminal cashed out, now in transit, into a voucher."""

    transit: str
    table: str
    terminal: str
    value: int


class TakeVoucher(Command, frozen=True):
    """Take a voucher at a terminal: its value goes into transit to the table."""

    number: str
    table: str
    terminal: str


class PayVoucher(Command, frozen=True):
    """Pay a voucher out in cash over the counter; what waits for approval names its serial."""

    number: str
    serial: int | None = None


class SkipSerials(Command, frozen=True):
    """Leave out serials up to a number: from a backup on, they may be those of vouchers out."""

    upto: int
    by: str
    second: str
    note: str


CageCommand = (
    OpenCage
    | SellVoucher
    | PrintVoucher
    | TakeVoucher
    | PayVoucher
    | SkipSerials
    | DrawerCommand
    | CloseTransit
    | Approve
    | Decline
)


class OpenHouse(Command, frozen=True):
    """Open a house: its one currency, and whether it is a demo, is settled by its first event."""

    name: str
    currency: str
    demo: bool = False


class AdmitTable(Command, frozen=True):
    """Take a table, or the cage, into the house; it must have the house's currency."""

    stream: str
    currency: str


class RestoreHouse(Command, frozen=True):
    """Say by whom a house was restored from a backup, whose newest checkpoint is named."""

    by: str
    second: str
    checkpoint: int


class EngageStaff(Command, frozen=True):
    """Take a person on where there is no server to ask: two persons are named by the command."""

    person: str
    roles: tuple[str, ...]
    by: str
    second: str


class AppointStaff(Command, frozen=True):
    person: str
    roles: tuple[str, ...]


class ChangeRoles(Command, frozen=True):
    person: str
    roles: tuple[str, ...]


class DismissStaff(Command, frozen=True):
    person: str


class IssueTerminalKey(Command, frozen=True):
    """Give a terminal a key; the key itself is never here."""

    table: str
    terminal: str


class RecordLogIn(Command, frozen=True):
    person: str
    role: Role
    place: str


class RecordLogOut(Command, frozen=True):
    person: str


class RecordLockOut(Command, frozen=True):
    person: str
    place: str


HouseCommand = (
    OpenHouse
    | AdmitTable
    | RestoreHouse
    | EngageStaff
    | AppointStaff
    | ChangeRoles
    | DismissStaff
    | IssueTerminalKey
    | RecordLogIn
    | RecordLogOut
    | RecordLockOut
    | Approve
    | Decline
)


class Order(Struct, frozen=True, gc=False):
    """A command with the id its sender chose for it and who that is."""

    id: str
    actor: Actor
    command: TableCommand | CageCommand | HouseCommand
