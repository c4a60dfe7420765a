"""Examples of events as stored in the journal, and as sent to staff."""

from taisai.core.cage.drawer import ShiftClosed, ShiftOpened
from taisai.core.cage.fills import CreditReceived, FillReturned, FillSent
from taisai.core.cage.unclaimed import ClaimClosed, UnclaimedPaid
from taisai.core.cage.vouchers import (
    CageOpened,
    SerialsSkipped,
    VoucherIssued,
    VoucherKeyReplaced,
    VoucherPaid,
    VoucherTaken,
    VoucherTermsSet,
    VoucherVoided,
)
from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved, CommandDeclined
from taisai.core.kernel.messages import (
    Actor,
    BoxStake,
    Equipment,
    Event,
    Netted,
    Posting,
    SettledLine,
)
from taisai.core.kernel.transits import TransitClosed
from taisai.core.rules.reason import because
from taisai.core.table.approval import DeparturesAdopted, DeparturesSet
from taisai.core.table.betting import BetsRegistered, BetsWithdrawn, RoundVoided
from taisai.core.table.chips.by_hand import HandPaymentDiffered, RoundDealtByHand
from taisai.core.table.chips.collecting import LosersCollected
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
from taisai.core.table.chips.pieces import CollectedChips, Pieces, RecordedBet
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
from taisai.core.table.damage import DiceFoundUndamaged, DiceQuarantined
from taisai.core.table.interruption import InterruptionRecorded, OutcomeTestified, PlayResumed
from taisai.core.table.irregularities import IrregularityReported, ReportDeclined, VoidAnnounced
from taisai.core.table.opening import (
    EquipmentRegistered,
    EquipmentSwitchedOn,
    EquipmentWithdrawn,
    LayoutTested,
    LightsVerified,
    SealRead,
    TumblerTried,
)
from taisai.core.table.positions import (
    BarLifted,
    CashedOut,
    CreditsReceived,
    LockCleared,
    OwnLimitsEnded,
    OwnLimitsSet,
    SessionEnded,
    TerminalBarred,
    TerminalLocked,
    TerminalLost,
    TerminalRestored,
    UnclaimedReleased,
)
from taisai.core.table.provably_fair import (
    ChainAbandoned,
    ChainPublished,
    ChainRetired,
    SecretRevealed,
)
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
)
from taisai.core.table.service import (
    SessionEndedByStaff,
    TerminalFailed,
    TerminalReturned,
    WinSetAside,
)
from taisai.core.table.setup import (
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
from taisai.core.table.state import Departure
from taisai.core.table.tumble import TumbleRecorded
from taisai.core.venue.alerts import AlertAcknowledged, AlertAssigned
from taisai.core.venue.nodes import NodeDrained, StreamMoved
from taisai.core.venue.setup import (
    DealerChanged,
    SealingKeyReplaced,
    TableAdmitted,
    TablePlaced,
    VenueOpened,
    VenueRenamed,
    VenueRestored,
    VenueTakenOver,
)
from taisai.core.venue.staff import (
    LockedOut,
    LoggedIn,
    LoggedOut,
    RolesChanged,
    StaffAppointed,
    StaffDismissed,
    StaffReinstated,
    StaffSuspended,
)
from taisai.core.venue.terminal_keys import (
    TerminalConnectedTwice,
    TerminalKeyIssued,
    TerminalWithdrawn,
)
from tools.protocol.examples.afternoon import (
    BEGAN,
    CANONICAL,
    COMMITMENT,
    FINGERPRINT,
    HUNDREDS,
    LIMITS,
    PENDING,
    SECRET,
    TABLE,
    TERMINAL,
    TUMBLED,
    WAITING,
)

_DAYS_30 = 30 * 24 * 3_600_000
_LINES = (
    SettledLine(TERMINAL, "small", 5_000, 5_000, 10_000),
    SettledLine(TERMINAL, "total-10", 1_000, 6_000, 7_000),
)
_NETTED = (Netted(TERMINAL, 0, 6_000, 0),)

_STOPPED = because("PIT_STOPPED", table=TABLE, clause="7.4")

HAPPENED: tuple[Event, ...] = (
    TableCreated(TABLE, "SGD", Equipment("simulated"), 1_000_000),
    TerminalEnrolled(TERMINAL, "Pit 2, seat 1"),
    RulebookAdopted("ts6", FINGERPRINT, CANONICAL, 2),
    DeparturesSet((Departure("ts6", "form", "the regulator", "letter 17 of 2026"),)),
    DeparturesAdopted(
        (Departure("ts6", "dice", "the regulator", "letter 18 of 2026"),), "may", "sue"
    ),
    LimitsSet(LIMITS),
    DiceRegistered("D7", "S-10442", "sue"),
    EquipmentRegistered("bell", "B-3", "3.4(f)", "sue"),
    EquipmentWithdrawn("bell", "B-3", "tom"),
    EquipmentSwitchedOn("mains", "5.0(a)", "sue"),
    LayoutTested((2, 2, 6), ("small", "double-2", "total-10", "domino-26"), "5.0(b)", "sue"),
    LightsVerified((2, 2, 6), right=True, note="", clause="5.0(b)", by="sue"),
    TumblerTried(3, works=True, clause="5.0(c)", by="sue"),
    SealRead("D7", "S-10442", intact=True, agrees=True, clause="5.0(d)", by="sue"),
    DiceQuarantined("D7", "S-10442", "5.6", "dan", "A chipped die was found."),
    DiceFoundUndamaged("D7", "sue", "pat", "A hair, and no chip."),
    TableOpened("sue"),
    NoticeGiven("dan"),
    TableClosed("sue"),
    RoundStarted(214, BEGAN),
    BetsOpened("Place your Bets, please", "3.2", "dan"),
    TumbleRecorded(3, flat=True, concealed=True, by="dan"),
    BetsClosed("No more Bets", bell=True, clause="3.6", by="dan"),
    FacePressed(5),
    ResultReported("reader", (2, 3, 5)),
    ResultsDisagreed(),
    ResultEntered((2, 3, 5), "keyed", "dan"),
    ResultConfirmed((2, 3, 5), ("small", "even", "total-10"), "dan"),
    ResultAmended((2, 3, 6), (2, 3, 5), "5.10"),
    RoundSettled(
        round=214,
        faces=(2, 3, 5),
        lines=_LINES,
        odds={"small": "1", "total-10": "6"},
        clauses={"small": "4.1.2", "total-10": "4.1.2"},
        collected=0,
        paid=11_000,
        by="dan",
        at=BEGAN,
    ),
    RoundVoided(214, "die-not-flat", "5.5.2", (SettledLine(TERMINAL, "small", 5_000, 0, 5_000),)),
    ChainPublished(COMMITMENT, 10_000, "gAAAA…", 215),
    SecretRevealed(215, SECRET, (1, 4, 4), agrees=True),
    ChainAbandoned("ann", "bob", "Restored from a backup."),
    ChainRetired("The venue was not stopped in order."),
    BetsRegistered(TERMINAL, (BoxStake("small", 5_000),)),
    BetsWithdrawn(TERMINAL, (BoxStake("small", 2_000),), on_behalf_by="dan"),
    IrregularityReported("die-not-flat", "void-round", "5.5.2", "dan", "One die leans."),
    ReportDeclined(
        214, "dice-exposed", "5.5.3", "dan", Actor("sue", "supervisor"), "The cover was on."
    ),
    VoidAnnounced(31, "die-not-flat", "No spin", "7.1(a)", "dan"),
    InterruptionRecorded("wait", "5.4", "The mains failed."),
    OutcomeTestified(("tumbled",), "sue"),
    PlayResumed("sue", "Nothing was dealt meanwhile."),
    RoundDealtByHand(214, "sue", "Dealt by hand while the server was away."),
    HandPaymentDiffered("3", 2_000, 2_500),
    TableStopped("5.8", "The lights fail."),
    TableRectified("tom", "The display was replaced."),
    SafeProcedureDeclared("sue", "Results are called aloud."),
    RoundsReversed(212, 213, (212, 213), _NETTED, "5.6", "A chipped die was found.", BEGAN),
    RoundResettled(
        214, (2, 3, 6), (2, 3, 5), _LINES[:1], _NETTED, "5.10", "The camera shows a six.", BEGAN
    ),
    RulingRecorded(
        "Goodwill for the long wait.",
        "5.14",
        (Posting("house:bank", "terminal:T1-1", 2_000),),
        "may",
        BEGAN,
    ),
    CreditsReceived("cage-T1-311", TERMINAL, 100_000, BEGAN),
    CashedOut("T1-88", TERMINAL, 105_000, f"{TERMINAL}@3", BEGAN),
    SessionEnded(TERMINAL),
    TransitClosed("cage-T1-311", 100_000),
    TerminalLost(TERMINAL, "5.3"),
    TerminalRestored(TERMINAL),
    OwnLimitsSet(TERMINAL, 50_000, 7_200),
    OwnLimitsEnded(TERMINAL, "sue", "The player asked for it."),
    TerminalFailed(TERMINAL, "sue", "The screen is dark.", "5.2.1"),
    TerminalReturned(TERMINAL, "sue", "It was started again."),
    SessionEndedByStaff(TERMINAL, f"{TERMINAL}@3", 105_000, "sue", "The player has gone.", BEGAN),
    TerminalBarred(TERMINAL, "sue", "At the player's own wish."),
    BarLifted(TERMINAL, "pat", "The player asked for it in writing."),
    TerminalLocked(TERMINAL, 1_500_000, 7, 1_500_000),
    LockCleared(TERMINAL, "dan"),
    WinSetAside(TERMINAL, f"{TERMINAL}@3", 1_500_000, "cat", BEGAN),
    ApprovalRequested(PENDING, WAITING, TUMBLED),
    CommandApproved(PENDING, Actor("sue", "supervisor")),
    CommandDeclined(PENDING, Actor("sue", "supervisor")),
    CageOpened("SGD", 30, 1_000_000),
    VoucherTermsSet(60, 500_000, "may", "sue"),
    VoucherIssued(
        serial=51_201,
        last_four="4927",
        value=105_000,
        place="T1/T1-1",
        at=BEGAN,
        expires=BEGAN + _DAYS_30,
        order="print-T1-88",
        transit="T1-88",
        session=f"{TERMINAL}@3",
    ),
    VoucherTaken(51_201, "cage-T1-311", TABLE, TERMINAL, 100_000),
    VoucherPaid(51_201, 105_000, "cat"),
    VoucherVoided(51_202, 50_000, "cat", "The player wanted 500.00."),
    UnclaimedPaid("cage-T2-93", "T2", "3@2", 40_000, in_chips=True, by="cat"),
    ClaimClosed("cage-T2-93", 40_000),
    VoucherKeyReplaced(FINGERPRINT, 51_201, BEGAN + _DAYS_30, "Ann Lee", "Bob Tan"),
    SerialsSkipped(52_000, "ann", "bob", "Restored from a backup."),
    SeatTaken("3"),
    SeatLeft("3", 35_000),
    PlayerWalkedAway("3", 5_000, "5.3"),
    UnclaimedSetAside("3", "3@2", 40_000),
    UnclaimedReleased("cage-T2-93", "3@2", 40_000, 0, in_chips=True),
    ChipsBought("3", HUNDREDS, 20_000, 0, "dan"),
    ChipsExchanged("3", (Pieces(10_000, 1),), (Pieces(2_500, 4),), 0, "dan"),
    ColourAssigned("3", "pink", 500, "dan"),
    ColourBought("3", "pink", 20, 10_000, 10_000, (), 0, "dan"),
    ColourConverted("3", "pink", 20, 10_000, (Pieces(10_000, 1),), "dan"),
    ColourReleased("3", "pink"),
    BetsRecorded("3", (RecordedBet("small", 20_000, HUNDREDS),), 0, "dan"),
    RecordCorrected(
        "3",
        RecordedBet("small", 20_000, HUNDREDS),
        RecordedBet("small", 10_000, (Pieces(10_000, 1),)),
        0,
        "One chip, not two.",
        "dan",
    ),
    BetsTakenBack("3", (RecordedBet("odd", 500, (Pieces("pink", 1),)),), "dan"),
    ExcessRejected("3", RecordedBet("small", 20_000, HUNDREDS), "5.1", "dan"),
    PlayerAdvised("3", "odd", "5.2", "dan"),
    BetPutRight(
        seat="3",
        from_box="small",
        to_box="odd",
        amount=20_000,
        chips=HUNDREDS,
        reason="moved-by-dealer",
        clause="4.9",
        note="The rake caught it.",
        by="sue",
    ),
    LosersCollected(214, (CollectedChips("big", "1", 20_000, HUNDREDS),), "dan"),
    RecoveryRecorded("3", 5_000, "The player has left the pit.", "dan"),
    DayOpened("2026-11-16", HUNDREDS, 20_000, 20_000, "sue"),
    FloatFilled("cage-T2-92", HUNDREDS, 20_000, "dan"),
    FloatCredited("T2-118", HUNDREDS, 20_000, "dan"),
    CreditReturned("T2-118", HUNDREDS, 20_000, 0, "dan"),
    DropCounted(30_000, 0, 30_000, "sue"),
    DayClosed(
        date="2026-11-16",
        count=HUNDREDS,
        closing=20_000,
        expected=20_000,
        opening=20_000,
        fills=0,
        credits=0,
        drop=30_000,
        win=30_000,
        by="sue",
    ),
    FillSent("cage-T2-92", "T2", HUNDREDS, 20_000, "cat"),
    CreditReceived("T2-118", "T2", HUNDREDS, 20_000, "cat"),
    FillReturned("cage-T2-92", "T2", HUNDREDS, 20_000, 10_000, "cat"),
    ShiftOpened("cat", 100_000),
    ShiftClosed("cat", 99_800, 100_000),
    VenueOpened("The Lantern", "SGD"),
    VenueRenamed("The Paper Lantern", "may", "sue"),
    DealerChanged("table/T1", automatic=True, by="may"),
    TablePlaced("table/T1", (2, 1), "may"),
    TableAdmitted("table/T1"),
    VenueRestored("ann", "bob", 5_512),
    VenueTakenOver("ann", "bob", "machine1:/srv/venue", 8),
    StaffAppointed("dan", ("dealer",), "may", "tom"),
    RolesChanged("dan", ("dealer", "supervisor"), "may", "tom"),
    StaffSuspended("dan", "may"),
    StaffReinstated("dan", "may", "tom"),
    StaffDismissed("dan", "may", "tom"),
    TerminalKeyIssued(TABLE, TERMINAL, "tom"),
    TerminalWithdrawn(TABLE, TERMINAL, "tom"),
    SealingKeyReplaced(FINGERPRINT, "Ann Lee", "Bob Tan"),
    TerminalConnectedTwice(TABLE, TERMINAL, "198.51.100.9", "192.0.2.17", BEGAN),
    NodeDrained("east", "may", "sue"),
    StreamMoved(f"table/{TABLE}", "west", "may", "sue"),
    AlertAcknowledged("7c19a0be55d2f413", _STOPPED, TABLE, "sue", "The reader is dirty.", BEGAN),
    AlertAssigned("7c19a0be55d2f413", _STOPPED, TABLE, "tom", "may", "", BEGAN),
    LoggedIn("dan", "dealer", "192.0.2.17"),
    LoggedOut("dan"),
    LockedOut("dan", "192.0.2.17"),
)
