"""What is announced to one Player Terminal alone; its money and bets are in its view."""

from typing import TYPE_CHECKING

from msgspec import Struct

from taisai.core.kernel.messages import BoxStake
from taisai.core.streams import union


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


class RoundSettled(PrivateEvent, frozen=True):
    """A round that the terminal had bets in is settled; its lines are in `last` of the view."""

    round: int


class RoundVoided(PrivateEvent, frozen=True):
    """A void round: what was bet on it is returned, and is in `last` of the view."""

    round: int
    code: str
    clause: str


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


class SessionEndedByStaff(PrivateEvent, frozen=True):
    """Staff ended the session; what it held is set aside, and paid at the cage by its code."""

    amount: int


class WinSetAside(PrivateEvent, frozen=True):
    """The win that locked the terminal is set aside, and paid by hand at the cage by its code."""

    amount: int


class OwnLimitsSet(PrivateEvent, frozen=True):
    loss: int | None
    session_seconds: int | None


class OwnLimitsEnded(PrivateEvent, frozen=True):
    """The player's own limits are over, by staff or ten minutes after the session."""


class TerminalLost(PrivateEvent, frozen=True):
    clause: str | None = None


class TerminalRestored(PrivateEvent, frozen=True):
    pass


class TerminalFailed(PrivateEvent, frozen=True):
    """The terminal is out of service; its registered bets settle."""

    clause: str | None = None


class TerminalReturned(PrivateEvent, frozen=True):
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


if TYPE_CHECKING:
    AnyPrivateEvent = PrivateEvent
else:
    AnyPrivateEvent = union(tuple(PrivateEvent.__subclasses__()))
