"""Examples of commands."""

from taisai.core.cage.drawer import CloseShift
from taisai.core.cage.drawer import OpenShift
from taisai.core.cage.fills import ReceiveCredit
from taisai.core.cage.fills import ReturnFill
from taisai.core.cage.fills import SendFill
from taisai.core.cage.vouchers import OpenCage
from taisai.core.cage.vouchers import PayVoucher
from taisai.core.cage.vouchers import PrintVoucher
from taisai.core.cage.vouchers import SellVoucher
from taisai.core.cage.vouchers import SkipSerials
from taisai.core.cage.vouchers import TakeVoucher
from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.approvals import Decline
from taisai.core.kernel.messages import Command
from taisai.core.kernel.transits import CloseTransit
from taisai.core.table.betting import ClearBets
from taisai.core.table.betting import PlaceBets
from taisai.core.table.betting import WithdrawBets
from taisai.core.table.chips.colours import AssignColour
from taisai.core.table.chips.colours import BuyColour
from taisai.core.table.chips.colours import ConvertColour
from taisai.core.table.chips.colours import ReleaseColour
from taisai.core.table.chips.gaming_day import CloseDay
from taisai.core.table.chips.gaming_day import CountDrop
from taisai.core.table.chips.gaming_day import OpenDay
from taisai.core.table.chips.gaming_day import ReceiveFill
from taisai.core.table.chips.gaming_day import ReturnCredit
from taisai.core.table.chips.gaming_day import SendCredit
from taisai.core.table.chips.layout_bets import AdvisePlayer
from taisai.core.table.chips.layout_bets import CorrectRecord
from taisai.core.table.chips.layout_bets import PutBetRight
from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.chips.layout_bets import RejectExcess
from taisai.core.table.chips.layout_bets import TakeBackBets
from taisai.core.table.chips.payout import PayWinners
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.seats import BuyChips
from taisai.core.table.chips.seats import ExchangeChips
from taisai.core.table.chips.seats import LeaveSeat
from taisai.core.table.chips.seats import PayUnclaimed
from taisai.core.table.chips.seats import TakeSeat
from taisai.core.table.corrections import CorrectSettledRound
from taisai.core.table.corrections import Rule
from taisai.core.table.corrections import VoidSettledRounds
from taisai.core.table.irregularities import RecordInterruption
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.positions import BarTerminal
from taisai.core.table.positions import CashOut
from taisai.core.table.positions import ClearLock
from taisai.core.table.positions import LiftBar
from taisai.core.table.positions import LoseTerminal
from taisai.core.table.positions import ReceiveCredits
from taisai.core.table.positions import RestoreTerminal
from taisai.core.table.positions import SetOwnLimits
from taisai.core.table.provably_fair import AbandonChain
from taisai.core.table.provably_fair import PublishChain
from taisai.core.table.provably_fair import RevealSecret
from taisai.core.table.round import AmendResult
from taisai.core.table.round import CloseBets
from taisai.core.table.round import ConfirmResult
from taisai.core.table.round import DeclareOutcome
from taisai.core.table.round import EnterResult
from taisai.core.table.round import OpenBets
from taisai.core.table.round import PressFace
from taisai.core.table.round import RecordTumble
from taisai.core.table.round import Settle
from taisai.core.table.setup import AdoptRulebook
from taisai.core.table.setup import CloseTable
from taisai.core.table.setup import CreateTable
from taisai.core.table.setup import DeclareSafeProcedure
from taisai.core.table.setup import EnrolTerminal
from taisai.core.table.setup import GiveNotice
from taisai.core.table.setup import OpenTable
from taisai.core.table.setup import RecordChecks
from taisai.core.table.setup import Rectify
from taisai.core.table.setup import RegisterDice
from taisai.core.table.setup import SetLimits
from taisai.core.venue.setup import AdmitTable
from taisai.core.venue.setup import OpenVenue
from taisai.core.venue.setup import RestoreVenue
from taisai.core.venue.staff import AppointStaff
from taisai.core.venue.staff import ChangeRoles
from taisai.core.venue.staff import DismissStaff
from taisai.core.venue.staff import EngageStaff
from taisai.core.venue.staff import RecordLockOut
from taisai.core.venue.staff import RecordLogIn
from taisai.core.venue.staff import RecordLogOut
from taisai.core.venue.terminal_keys import IssueTerminalKey
from taisai.core.table.chips.pieces import BoxChips
from taisai.core.table.chips.pieces import Pieces
from taisai.core.kernel.messages import BoxStake
from taisai.core.kernel.messages import Equipment
from taisai.core.kernel.messages import Posting
from tools.protocol.examples.afternoon import (
    CANONICAL,
    COMMITMENT,
    HUNDREDS,
    LIMITS,
    PENDING,
    SECRET,
    TABLE,
    TERMINAL,
)

COMMANDED: tuple[Command, ...] = (
    PlaceBets(TERMINAL, (BoxStake("small", 5_000), BoxStake("total-10", 1_000))),
    WithdrawBets(TERMINAL, (BoxStake("small", 2_000),)),
    ClearBets(TERMINAL),
    TakeVoucher("482915073366104927", TABLE, TERMINAL),
    CashOut(TERMINAL),
    SetOwnLimits(TERMINAL, loss=50_000, session_seconds=7_200),
    AdoptRulebook(CANONICAL, 2),
    SetLimits(LIMITS),
    RegisterDice("D7", "S-10442"),
    RecordChecks(("equipment-on", "dice-sealed")),
    OpenTable(),
    GiveNotice(),
    CloseTable(),
    OpenBets(),
    RecordTumble(3),
    CloseBets(bell=True),
    PressFace(5),
    EnterResult((2, 3, 5)),
    ConfirmResult(),
    AmendResult((2, 3, 6)),
    Settle(),
    ReportIrregularity("die-not-flat", "One die leans against the wall."),
    RecordInterruption("The mains failed."),
    DeclareOutcome((2, 3, 5)),
    VoidSettledRounds(212, "A chipped die was found."),
    CorrectSettledRound(214, (2, 3, 6), "The camera shows a six."),
    Rule("Goodwill for the long wait.", (Posting("house:bank", "terminal:T1-1", 2_000),)),
    Rectify("The display was replaced."),
    DeclareSafeProcedure("Results are called aloud until the display is back."),
    BarTerminal(TERMINAL, "At the player's own wish."),
    LiftBar(TERMINAL, "The player asked for it in writing."),
    ClearLock(TERMINAL),
    Decline(PENDING),
    Approve(PENDING, 1_043),
    CreateTable(TABLE, "SGD", Equipment("simulated"), handpay_threshold=1_000_000),
    EnrolTerminal(TERMINAL, "Pit 2, seat 1"),
    PublishChain(COMMITMENT, 10_000, "gAAAA…"),
    RevealSecret(214, SECRET),
    AbandonChain("ann", "bob", "Restored from a backup."),
    ReceiveCredits("cage-311", TERMINAL, 100_000),
    CloseTransit("cage-311"),
    LoseTerminal(TERMINAL),
    RestoreTerminal(TERMINAL),
    OpenCage("SGD", voucher_days=30, approve_above=1_000_000),
    SellVoucher(100_000, "Counter 1"),
    PrintVoucher("T1-88", TABLE, TERMINAL, 105_000),
    PayVoucher("482915073366104927"),
    SkipSerials(52_000, "ann", "bob", "Restored from a backup."),
    TakeSeat("3"),
    LeaveSeat("3"),
    BuyChips("3", HUNDREDS, cash=20_000),
    ExchangeChips("3", (Pieces(10_000, 1),), (Pieces(2_500, 4),)),
    AssignColour("3", "pink", 500),
    BuyColour("3", 20, cash=10_000),
    ConvertColour("3", 20),
    ReleaseColour("3"),
    RecordBets("3", (BoxChips("small", HUNDREDS), BoxChips("odd", (Pieces("pink", 4),)))),
    CorrectRecord("3", "small", (Pieces(10_000, 1),), "One chip, not two."),
    TakeBackBets("3", (BoxChips("odd", (Pieces("pink", 1),)),)),
    RejectExcess("3", "small", (Pieces(10_000, 1),)),
    AdvisePlayer("3", "odd"),
    PutBetRight("3", "small", "odd", HUNDREDS, "moved-by-dealer", "The rake caught it."),
    PayWinners(),
    PayUnclaimed("3@214"),
    RecordRecovery("3", 5_000, "The player has left the pit."),
    OpenDay("2026-11-16", HUNDREDS),
    ReceiveFill("cage-F92", HUNDREDS),
    SendCredit(HUNDREDS),
    ReturnCredit("T2-118", HUNDREDS),
    CountDrop(30_000, 0),
    CloseDay(HUNDREDS),
    SendFill("T2", HUNDREDS),
    ReceiveCredit("T2-118", "T2", HUNDREDS),
    ReturnFill("cage-F92", HUNDREDS),
    OpenShift(100_000),
    CloseShift(99_800),
    OpenVenue("The Lantern", "SGD"),
    AdmitTable("table/T1", "SGD"),
    RestoreVenue("ann", "bob", 5_512),
    EngageStaff("tom", ("technician",), "ann", "bob"),
    AppointStaff("dan", ("dealer",)),
    ChangeRoles("dan", ("dealer", "supervisor")),
    DismissStaff("dan"),
    IssueTerminalKey(TABLE, TERMINAL),
    RecordLogIn("dan", "dealer", "192.0.2.17"),
    RecordLogOut("dan"),
    RecordLockOut("dan", "192.0.2.17"),
)
