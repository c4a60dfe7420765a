"""What one Player Terminal alone is told: its bets, its money, its rounds with their reasons."""

from msgspec import Struct

from taisai.core.kernel.messages import BoxStake, Instant
from taisai.core.rules.dice import Faces


class PrivateEvent(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """Something that happened to a terminal."""


class BetsRegistered(PrivateEvent, frozen=True):
    """Bets on the table, for good; `on_behalf` when staff placed them for the player."""

    bets: tuple[BoxStake, ...]
    on_behalf: bool = False


class BetsWithdrawn(PrivateEvent, frozen=True):
    bets: tuple[BoxStake, ...]
    on_behalf: bool = False


class BetsRejected(PrivateEvent, frozen=True):
    """What the Differential left as excess at the close, given back."""

    bets: tuple[BoxStake, ...]
    clause: str | None = None


class Line(Struct, frozen=True, omit_defaults=True, gc=False):
    """One box settled: what it won, everything that came back, and by which clause."""

    box: str
    stake: int
    won: int = 0
    back: int = 0
    odds: str | None = None
    clause: str | None = None
    sentence: str | None = None


class RoundSettled(PrivateEvent, frozen=True):
    """The terminal's own lines of a settled round; why, in words, is in `recall` over HTTP."""

    round: int
    faces: Faces
    lines: tuple[Line, ...]
    won: int
    back: int


class RoundVoided(PrivateEvent, frozen=True):
    """A void round: what lay on it is returned."""

    round: int
    code: str
    clause: str
    lines: tuple[Line, ...]
    back: int


class RoundsCorrected(PrivateEvent, frozen=True):
    """Settled rounds put right: given to the terminal, or taken from its free credits."""

    rounds: tuple[int, ...]
    given: int
    taken: int
    clause: str


class CreditsReceived(PrivateEvent, frozen=True):
    transit: str
    amount: int


class CashedOut(PrivateEvent, frozen=True):
    """Credits on their way to the cage; the voucher follows as `VoucherPrinted`."""

    transit: str
    amount: int


class SessionEnded(PrivateEvent, frozen=True):
    pass


class OwnLimitsSet(PrivateEvent, frozen=True):
    loss: int | None
    session_seconds: int | None


class TerminalLost(PrivateEvent, frozen=True):
    clause: str | None = None


class TerminalRestored(PrivateEvent, frozen=True):
    pass


class TerminalBarred(PrivateEvent, frozen=True):
    pass


class BarLifted(PrivateEvent, frozen=True):
    pass


class TerminalLocked(PrivateEvent, frozen=True):
    """A large win locks the terminal until an attendant comes."""

    won: int


class LockCleared(PrivateEvent, frozen=True):
    pass


class RulingRecorded(PrivateEvent, frozen=True):
    """A ruling of the shift manager moved money of this terminal."""

    clause: str


AnyPrivateEvent = (
    BetsRegistered
    | BetsWithdrawn
    | BetsRejected
    | RoundSettled
    | RoundVoided
    | RoundsCorrected
    | CreditsReceived
    | CashedOut
    | SessionEnded
    | OwnLimitsSet
    | TerminalLost
    | TerminalRestored
    | TerminalBarred
    | BarLifted
    | TerminalLocked
    | LockCleared
    | RulingRecorded
)


class TerminalView(Struct, frozen=True):
    """A terminal as it stands now: its money, and what lies on the table for it."""

    table: str
    terminal: str
    place: str
    credits: int
    staked: int
    bets: dict[str, int] = {}
    locked: bool = False
    barred: bool = False
    loss_limit: int | None = None
    session_seconds: int | None = None
    session_began: Instant | None = None
    #: The last round it had bets in, so that nothing is missed by being away when it was settled.
    last: RoundSettled | RoundVoided | None = None
