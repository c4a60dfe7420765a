"""Examples of commands."""

from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.fills import ReceiveCredit, ReturnFill, SendFill
from taisai.core.cage.unclaimed import PayUnclaimed
from taisai.core.cage.vouchers import (
    OpenCage,
    PayVoucher,
    PrintVoucher,
    ReplaceVoucherKey,
    SellVoucher,
    SetVoucherTerms,
    SkipSerials,
    TakeVoucher,
    VoidVoucher,
)
from taisai.core.kernel.approvals import Approve, Decline
from taisai.core.kernel.messages import BoxStake, Command, Equipment, Posting
from taisai.core.kernel.transits import CloseTransit
from taisai.core.rules.reason import because
from taisai.core.table.approval import AdoptDepartures
from taisai.core.table.betting import ClearBets, PlaceBets, WithdrawBets
from taisai.core.table.chips.by_hand import EnterRoundByHand, SeatPaid, SeatStack
from taisai.core.table.chips.collecting import CollectLosers
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
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import BoxChips, Pieces
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.seats import BuyChips, ExchangeChips, TakeSeat
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.damage import FindUndamaged, ReportDamage
from taisai.core.table.interruption import DeclareOutcome, RecordInterruption, ResumePlay
from taisai.core.table.irregularities import AnnounceVoid, ReportIrregularity
from taisai.core.table.opening import (
    ReadSeal,
    RegisterEquipment,
    RunTest,
    SwitchOn,
    TryTumbler,
    VerifyTest,
    WithdrawEquipment,
)
from taisai.core.table.positions import (
    BarTerminal,
    CashOut,
    ClearLock,
    EndOwnLimits,
    LiftBar,
    LoseTerminal,
    ReceiveCredits,
    RestoreTerminal,
    SetOwnLimits,
)
from taisai.core.table.provably_fair import (
    AbandonChain,
    PublishChain,
    RetireChain,
    RevealSecret,
)
from taisai.core.table.round import (
    AmendResult,
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    PressFace,
    Settle,
)
from taisai.core.table.service import (
    EndSession,
    MarkTerminalFailed,
    ReturnTerminal,
    SetWinAside,
)
from taisai.core.table.setup import (
    AdoptRulebook,
    CloseTable,
    CreateTable,
    DeclareSafeProcedure,
    EnrolTerminal,
    GiveNotice,
    OpenTable,
    Rectify,
    RegisterDice,
    SetLimits,
)
from taisai.core.table.state import Departure
from taisai.core.table.tumble import RecordTumble
from taisai.core.venue.alerts import AcknowledgeAlert, AssignAlert
from taisai.core.venue.nodes import DrainNode, MoveStream
from taisai.core.venue.setup import (
    AcceptClock,
    AdmitTable,
    OpenVenue,
    PlaceTable,
    RecordDealer,
    RenameVenue,
    ReplaceSealingKey,
    RestoreVenue,
    TakeOverVenue,
)
from taisai.core.venue.staff import (
    AppointStaff,
    ChangeRoles,
    DismissStaff,
    EngageStaff,
    GiveCode,
    MakeCode,
    RecordCredentials,
    RecordLockOut,
    RecordLogIn,
    RecordLogOut,
    ReinstateStaff,
    SuspendStaff,
)
from taisai.core.venue.terminal_keys import (
    IssueTerminalKey,
    RecordSecondConnection,
    WithdrawTerminal,
)
from tools.protocol.examples.afternoon import (
    CANONICAL,
    COMMITMENT,
    FINGERPRINT,
    HUNDREDS,
    LIMITS,
    PENDING,
    SECRET,
    TABLE,
    TERMINAL,
)

_STOPPED = because("PIT_STOPPED", table=TABLE, clause="7.4")

COMMANDED: tuple[Command, ...] = (
    PlaceBets(TERMINAL, (BoxStake("small", 5_000), BoxStake("total-10", 1_000))),
    WithdrawBets(TERMINAL, (BoxStake("small", 2_000),)),
    ClearBets(TERMINAL),
    TakeVoucher("482915073366104927", TABLE, TERMINAL),
    CashOut(TERMINAL),
    SetOwnLimits(TERMINAL, loss=50_000, session_seconds=7_200),
    EndOwnLimits(TERMINAL, "The player asked for it."),
    AdoptRulebook(CANONICAL, 2),
    AdoptDepartures((Departure("ts6", "dice", "the regulator", "letter 18 of 2026"),)),
    SetLimits(LIMITS),
    RegisterDice("D7", "S-10442"),
    RegisterEquipment("bell", "B-3"),
    WithdrawEquipment("bell"),
    SwitchOn("mains"),
    RunTest((2, 2, 6)),
    VerifyTest(right=True),
    TryTumbler(3),
    ReadSeal("S-10442"),
    ReportDamage("A chipped die was found."),
    FindUndamaged("D7", "A hair, and no chip."),
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
    AnnounceVoid(),
    RecordInterruption("The mains failed."),
    DeclareOutcome((2, 3, 5), ("tumbled",)),
    ResumePlay("Nothing was dealt meanwhile."),
    EnterRoundByHand(
        (2, 3, 5),
        (SeatPaid("3", 2_500),),
        (SeatStack("3", "small", (Pieces(2_500, 1),)),),
        "Dealt by hand while the server was away.",
    ),
    VoidSettledRounds(212, "A chipped die was found."),
    CorrectSettledRound(214, (2, 3, 6), "The camera shows a six."),
    Rule("Goodwill for the long wait.", (Posting("house:bank", "terminal:T1-1", 2_000),)),
    Rectify("The display was replaced."),
    DeclareSafeProcedure("Results are called aloud until the display is back."),
    MarkTerminalFailed(TERMINAL, "The screen is dark."),
    ReturnTerminal(TERMINAL, "It was started again."),
    EndSession(TERMINAL, "The player has gone."),
    BarTerminal(TERMINAL, "At the player's own wish."),
    LiftBar(TERMINAL, "The player asked for it in writing."),
    ClearLock(TERMINAL),
    SetWinAside(TERMINAL),
    Decline(PENDING, "The cover was on all the time."),
    Approve(PENDING, 1_043),
    CreateTable(TABLE, "SGD", Equipment("simulated"), handpay_threshold=1_000_000),
    EnrolTerminal(TERMINAL, "Pit 2, seat 1"),
    PublishChain(COMMITMENT, 10_000, "gAAAA…"),
    RevealSecret(214, SECRET),
    AbandonChain("ann", "bob", "Restored from a backup."),
    RetireChain("The venue was not stopped in order."),
    ReceiveCredits("cage-T1-311", TERMINAL, 100_000),
    CloseTransit("cage-T1-311"),
    LoseTerminal(TERMINAL),
    RestoreTerminal(TERMINAL),
    OpenCage("SGD", voucher_days=30, approve_above=1_000_000),
    SetVoucherTerms(voucher_days=60, approve_above=500_000),
    SellVoucher(100_000, "Counter 1"),
    PrintVoucher("T1-88", TABLE, TERMINAL, 105_000, f"{TERMINAL}@3"),
    PayVoucher("482915073366104927"),
    VoidVoucher("482915073366104927", "The player wanted 500.00."),
    ReplaceVoucherKey(FINGERPRINT, "Ann Lee", "Bob Tan"),
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
    CollectLosers(),
    RecordRecovery("3", 5_000, "The player has left the pit."),
    OpenDay("2026-11-16", HUNDREDS),
    ReceiveFill("cage-T2-92", HUNDREDS),
    SendCredit(HUNDREDS),
    ReturnCredit("T2-118", HUNDREDS),
    CountDrop(30_000, 0),
    CloseDay(HUNDREDS),
    SendFill("T2", HUNDREDS),
    ReceiveCredit("T2-118", "T2", HUNDREDS),
    ReturnFill("cage-T2-92", HUNDREDS),
    PayUnclaimed("1234567890123452", "T2", "3@2", 40_000, in_chips=True),
    OpenShift(100_000),
    CloseShift(99_800),
    OpenVenue("The Lantern", "SGD"),
    RenameVenue("The Paper Lantern"),
    RecordDealer("table/T1", automatic=True, by="may"),
    PlaceTable("table/T1", (2, 1)),
    AdmitTable("table/T1", "SGD"),
    RestoreVenue("ann", "bob", 5_512),
    TakeOverVenue("ann", "bob", "machine1:/srv/venue", 8),
    EngageStaff("tom", ("technician",), "ann", "bob"),
    AppointStaff("dan", ("dealer",)),
    ChangeRoles("dan", ("dealer", "supervisor")),
    SuspendStaff("dan"),
    ReinstateStaff("dan"),
    DismissStaff("dan"),
    IssueTerminalKey(TABLE, TERMINAL),
    WithdrawTerminal(TABLE, TERMINAL),
    ReplaceSealingKey(FINGERPRINT, "Ann Lee", "Bob Tan"),
    RecordSecondConnection(TABLE, TERMINAL, "198.51.100.9", "192.0.2.17"),
    RecordLogIn("dan", "dealer", "192.0.2.17"),
    RecordLogOut("dan"),
    MakeCode("dan"),
    AcceptClock(2_000),
    DrainNode("east"),
    MoveStream(f"table/{TABLE}", "west"),
    AcknowledgeAlert("7c19a0be55d2f413", _STOPPED, TABLE, "The reader is being cleaned."),
    AssignAlert("7c19a0be55d2f413", _STOPPED, "tom", TABLE),
    GiveCode("dan", "Ann Lee", "Bob Tan"),
    RecordCredentials("dan"),
    RecordLockOut("dan", "192.0.2.17"),
)
