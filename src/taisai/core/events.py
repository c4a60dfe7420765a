"""What can have happened at a table: events, in the past tense, never rewritten.

What happens at felt tables, in the cage and in the house itself is written on pages of their own,
and named here with the rest.
"""
# ruff: noqa: I001, PLC0414 - whoever asks for an event finds it here, wherever it is written.

from typing import Literal

from taisai.core.cage_events import (
    CageOpened as CageOpened,
    SerialsSkipped as SerialsSkipped,
    VoucherIssued as VoucherIssued,
    VoucherPaid as VoucherPaid,
    VoucherTaken as VoucherTaken,
)
from taisai.core.commands import Order
from taisai.core.rules.dice import Faces
from taisai.core.felt_events import (
    BetPutRight as BetPutRight,
    BetsRecorded as BetsRecorded,
    BetsTakenBack as BetsTakenBack,
    ChipsBought as ChipsBought,
    ChipsExchanged as ChipsExchanged,
    ColourAssigned as ColourAssigned,
    ColourBought as ColourBought,
    ColourConverted as ColourConverted,
    ColourReleased as ColourReleased,
    CreditReceived as CreditReceived,
    CreditReturned as CreditReturned,
    DayClosed as DayClosed,
    DayOpened as DayOpened,
    DrawerEvent,
    DropCounted as DropCounted,
    ExcessRejected as ExcessRejected,
    FillReturned as FillReturned,
    FillSent as FillSent,
    FeltEvent,
    FloatCredited as FloatCredited,
    FloatFilled as FloatFilled,
    KeptPaid as KeptPaid,
    MoneyKept as MoneyKept,
    PlayerAdvised as PlayerAdvised,
    PlayerWalkedAway as PlayerWalkedAway,
    RecordCorrected as RecordCorrected,
    RecoveryRecorded as RecoveryRecorded,
    SeatLeft as SeatLeft,
    SeatTaken as SeatTaken,
    ShiftClosed as ShiftClosed,
    ShiftOpened as ShiftOpened,
    WinnersPaid as WinnersPaid,
)
from taisai.core.felt_messages import ChipSet
from taisai.core.house_events import (
    HouseOpened as HouseOpened,
    HouseRestored as HouseRestored,
    LockedOut as LockedOut,
    LoggedIn as LoggedIn,
    LoggedOut as LoggedOut,
    RolesChanged as RolesChanged,
    StaffAppointed as StaffAppointed,
    StaffDismissed as StaffDismissed,
    TableAdmitted as TableAdmitted,
    TerminalKeyIssued as TerminalKeyIssued,
)
from taisai.core.messages import (
    Actor,
    BoxStake,
    Equipment,
    Event as Event,
    Instant,
    LimitsAsked,
    Netted,
    PlayedPart,
    Posting,
    SettledLine,
)


class TableCreated(Event, frozen=True):
    table: str
    currency: str
    equipment: Equipment
    lock_above: int | None
    #: The chips of a felt table; an electronic one has none.
    chips: ChipSet | None = None


class TerminalEnrolled(Event, frozen=True):
    terminal: str
    place: str


class RulebookAdopted(Event, frozen=True):
    """Carries the rulebook's canonical content, so that the journal alone replays the table."""

    key: str
    sha256: str
    canonical: str
    pay_table: int


class LimitsSet(Event, frozen=True):
    limits: LimitsAsked


class DiceRegistered(Event, frozen=True):
    dice_set: str
    seal: str
    by: str


class ChecksRecorded(Event, frozen=True):
    checks: tuple[str, ...]
    by: str


class TableOpened(Event, frozen=True):
    by: str


class NoticeGiven(Event, frozen=True):
    by: str


class TableClosed(Event, frozen=True):
    by: str


class RoundStarted(Event, frozen=True):
    round: int
    at: Instant


class BetsOpened(Event, frozen=True):
    words: str
    clause: str
    by: str


class TumbleRecorded(Event, frozen=True):
    times: int
    flat: bool
    concealed: bool
    by: str


class BetsClosed(Event, frozen=True):
    """Bets are closed; what the Differential left as excess is given back, newest first."""

    words: str
    bell: bool
    clause: str
    by: str
    rejected: tuple[tuple[str, str, int], ...] = ()
    rejected_clause: str | None = None


class FacePressed(Event, frozen=True):
    face: int


class ResultReported(Event, frozen=True):
    """One of two sources has read the dice."""

    source: str
    faces: Faces


class ResultsDisagreed(Event, frozen=True):
    pass


class ResultEntered(Event, frozen=True):
    faces: Faces
    source: str
    by: str


class ResultConfirmed(Event, frozen=True):
    """The winning areas are lit and the result is called."""

    faces: Faces
    winners: tuple[str, ...]
    by: str


class ResultAmended(Event, frozen=True):
    faces: Faces
    before: Faces
    clause: str


class RoundSettled(Event, frozen=True):
    """Losing bets collected, then winning ones paid; what each box paid and by which clause.

    At a felt table `playing` tells whose bets were outside the limits, and what of them played.
    """

    round: int
    faces: Faces
    lines: tuple[SettledLine, ...]
    odds: dict[str, str | None]
    clauses: dict[str, str]
    collected: int
    paid: int
    by: str
    playing: tuple[PlayedPart, ...] = ()


class RoundVoided(Event, frozen=True):
    round: int
    code: str
    clause: str
    returned: tuple[SettledLine, ...]


class ChainPublished(Event, frozen=True):
    """The end of a chain of secrets, one for each round from `first` on, before any bet on them."""

    commitment: str
    length: int
    sealed: str
    first: int


class SecretRevealed(Event, frozen=True):
    """The secret of a round that is over, the dice it gives, and whether those were shown."""

    round: int
    secret: str
    drawn: Faces
    agrees: bool


class ChainAbandoned(Event, frozen=True):
    """No secret of the chain serves another round; the one that is owed still comes out."""

    by: str
    second: str
    note: str


class BetsRegistered(Event, frozen=True):
    terminal: str
    bets: tuple[BoxStake, ...]
    on_behalf_by: str | None = None


class BetsWithdrawn(Event, frozen=True):
    terminal: str
    bets: tuple[BoxStake, ...]
    on_behalf_by: str | None = None


class IrregularityReported(Event, frozen=True):
    code: str
    ruling: str
    clause: str | None
    by: str
    note: str
    in_doubt: bool = False


class InterruptionRecorded(Event, frozen=True):
    """A technical interruption: the round goes on, waits for a declaration, or was void anyway."""

    ruling: Literal["conclude", "wait", "void-round", "none"]
    clause: str | None
    note: str


class TableStopped(Event, frozen=True):
    clause: str
    note: str


class TableRectified(Event, frozen=True):
    by: str
    note: str


class SafeProcedureDeclared(Event, frozen=True):
    by: str
    note: str


class RoundsReversed(Event, frozen=True):
    first: int
    last: int
    rounds: tuple[int, ...]
    netted: tuple[Netted, ...]
    clause: str
    note: str
    #: At a felt table, players who left since: what is given them is kept, under the name here.
    gone: tuple[Netted, ...] = ()


class RoundResettled(Event, frozen=True):
    round: int
    faces: Faces
    before: Faces
    lines: tuple[SettledLine, ...]
    netted: tuple[Netted, ...]
    clause: str
    note: str
    gone: tuple[Netted, ...] = ()


class RulingRecorded(Event, frozen=True):
    note: str
    clause: str
    postings: tuple[Posting, ...]
    by: str


class CreditsReceived(Event, frozen=True):
    transit: str
    terminal: str
    amount: int
    at: Instant


class CashedOut(Event, frozen=True):
    transit: str
    terminal: str
    amount: int


class SessionEnded(Event, frozen=True):
    """A player without credits has left; the limits they set for themselves go with them."""

    terminal: str


class TransitClosed(Event, frozen=True):
    transit: str
    amount: int


class TerminalLost(Event, frozen=True):
    """A terminal is out of reach; what is registered for it stays and settles."""

    terminal: str
    clause: str | None = None


class TerminalRestored(Event, frozen=True):
    terminal: str


class OwnLimitsSet(Event, frozen=True):
    terminal: str
    loss: int | None
    session_seconds: int | None


class TerminalBarred(Event, frozen=True):
    terminal: str
    by: str
    note: str


class BarLifted(Event, frozen=True):
    terminal: str
    by: str
    note: str


class TerminalLocked(Event, frozen=True):
    terminal: str
    won: int


class LockCleared(Event, frozen=True):
    terminal: str
    by: str


class ApprovalRequested(Event, frozen=True):
    """A command that takes two persons waits for the second."""

    pending: str
    order: Order
    at: Instant


class CommandApproved(Event, frozen=True):
    pending: str
    by: Actor


class CommandDeclined(Event, frozen=True):
    """The second person does not agree; a round that was in doubt for it goes on."""

    pending: str
    by: Actor
    lifts_doubt: bool = False


TableEvent = (
    TableCreated
    | TerminalEnrolled
    | RulebookAdopted
    | LimitsSet
    | DiceRegistered
    | ChecksRecorded
    | TableOpened
    | NoticeGiven
    | TableClosed
    | RoundStarted
    | BetsOpened
    | TumbleRecorded
    | BetsClosed
    | FacePressed
    | ResultReported
    | ResultsDisagreed
    | ResultEntered
    | ResultConfirmed
    | ResultAmended
    | RoundSettled
    | RoundVoided
    | ChainPublished
    | SecretRevealed
    | ChainAbandoned
    | BetsRegistered
    | BetsWithdrawn
    | IrregularityReported
    | InterruptionRecorded
    | TableStopped
    | TableRectified
    | SafeProcedureDeclared
    | RoundsReversed
    | RoundResettled
    | RulingRecorded
    | CreditsReceived
    | CashedOut
    | SessionEnded
    | TransitClosed
    | TerminalLost
    | TerminalRestored
    | OwnLimitsSet
    | TerminalBarred
    | BarLifted
    | TerminalLocked
    | LockCleared
    | FeltEvent
    | ApprovalRequested
    | CommandApproved
    | CommandDeclined
)


CageEvent = (
    CageOpened
    | VoucherIssued
    | VoucherTaken
    | VoucherPaid
    | SerialsSkipped
    | DrawerEvent
    | TransitClosed
    | ApprovalRequested
    | CommandApproved
    | CommandDeclined
)


HouseEvent = (
    HouseOpened
    | TableAdmitted
    | HouseRestored
    | StaffAppointed
    | RolesChanged
    | StaffDismissed
    | TerminalKeyIssued
    | LoggedIn
    | LoggedOut
    | LockedOut
    | ApprovalRequested
    | CommandApproved
    | CommandDeclined
)
