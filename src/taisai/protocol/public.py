"""What everybody may see of a table: its events without names, notes or others' money; its state.

An event here has the name of the one it was made from, and less in it.
"""

from typing import Literal

from msgspec import Struct

from taisai.core.kernel.messages import Instant, LimitsAsked
from taisai.core.rules.dice import Faces
from taisai.core.table.chips.pieces import Form
from taisai.protocol.felt import MarkedColour
from taisai.protocol.roads import Parity, Size


class PublicEvent(Struct, frozen=True, tag=True):
    """Something that happened at a table, as everybody may know it."""


class RulebookAdopted(PublicEvent, frozen=True):
    key: str
    sha256: str
    pay_table: int


class LimitsSet(PublicEvent, frozen=True):
    limits: LimitsAsked


class TableOpened(PublicEvent, frozen=True):
    pass


class NoticeGiven(PublicEvent, frozen=True):
    """The table will close after this round."""


class TableClosed(PublicEvent, frozen=True):
    pass


class RoundStarted(PublicEvent, frozen=True):
    round: int
    at: Instant


class BetsOpened(PublicEvent, frozen=True):
    words: str
    clause: str


class TumbleRecorded(PublicEvent, frozen=True):
    times: int


class BetsClosed(PublicEvent, frozen=True):
    words: str
    bell: bool
    clause: str


class ResultsDisagreed(PublicEvent, frozen=True):
    pass


class ResultEntered(PublicEvent, frozen=True):
    """The dice, and the call in words."""

    faces: Faces
    total: int
    call: str


class ResultConfirmed(PublicEvent, frozen=True):
    """The winning boxes, to be lit."""

    faces: Faces
    winners: tuple[str, ...]


class ResultAmended(PublicEvent, frozen=True):
    faces: Faces
    total: int
    call: str
    before: Faces
    clause: str


class RoundSettled(PublicEvent, frozen=True):
    """Losing bets are collected and winning ones paid; `odds` are of the winning boxes."""

    round: int
    faces: Faces
    odds: dict[str, str]
    total: int
    size: Size
    parity: Parity


class RoundVoided(PublicEvent, frozen=True):
    """Every bet of the round was returned; `sentence` says why."""

    round: int
    code: str
    clause: str
    sentence: str


class ChainPublished(PublicEvent, frozen=True):
    """The commitment to the secrets of a verifiable tumbler, from round `first` on."""

    commitment: str
    length: int
    first: int


class SecretRevealed(PublicEvent, frozen=True):
    """The secret of a round that is over: whoever has the commitment can check the dice."""

    round: int
    secret: str
    drawn: Faces
    agrees: bool


class ChainAbandoned(PublicEvent, frozen=True):
    pass


class IrregularityReported(PublicEvent, frozen=True):
    code: str
    ruling: str
    clause: str | None
    in_doubt: bool


class DoubtLifted(PublicEvent, frozen=True):
    """What put the round in doubt was not agreed to: the round goes on."""


class InterruptionRecorded(PublicEvent, frozen=True):
    ruling: Literal["conclude", "wait", "void-round", "none"]
    clause: str | None


class TableStopped(PublicEvent, frozen=True):
    clause: str


class TableRectified(PublicEvent, frozen=True):
    pass


class SafeProcedureDeclared(PublicEvent, frozen=True):
    pass


class RoundsReversed(PublicEvent, frozen=True):
    rounds: tuple[int, ...]
    clause: str


class RoundResettled(PublicEvent, frozen=True):
    round: int
    faces: Faces
    before: Faces
    clause: str
    total: int
    size: Size
    parity: Parity


class SeatTaken(PublicEvent, frozen=True):
    seat: str


class SeatLeft(PublicEvent, frozen=True):
    """A seat of a felt table is free, and so is the colour its player had."""

    seat: str


class ColourAssigned(PublicEvent, frozen=True):
    """A colour is one player's, at the value marked on the display rack."""

    seat: str
    colour: str
    value: int


class ColourReleased(PublicEvent, frozen=True):
    colour: str


class WinnersPaid(PublicEvent, frozen=True):
    """Losing bets are collected and winning ones paid at a felt table: bets may be placed again."""

    round: int


AnyPublicEvent = (
    RulebookAdopted
    | LimitsSet
    | TableOpened
    | NoticeGiven
    | TableClosed
    | RoundStarted
    | BetsOpened
    | TumbleRecorded
    | BetsClosed
    | ResultsDisagreed
    | ResultEntered
    | ResultConfirmed
    | ResultAmended
    | RoundSettled
    | RoundVoided
    | ChainPublished
    | SecretRevealed
    | ChainAbandoned
    | IrregularityReported
    | DoubtLifted
    | InterruptionRecorded
    | TableStopped
    | TableRectified
    | SafeProcedureDeclared
    | RoundsReversed
    | RoundResettled
    | SeatTaken
    | SeatLeft
    | ColourAssigned
    | ColourReleased
    | WinnersPaid
)


class RoundSummary(Struct, frozen=True):
    """A finished round, for the roads; without faces it was void before any were entered."""

    round: int
    faces: Faces | None
    void: bool = False
    total: int | None = None
    size: Size | None = None
    parity: Parity | None = None


class RulebookName(Struct, frozen=True):
    """Which rules a table plays by; the rest of them is at `/api/rulebooks`."""

    key: str
    title: str
    version: str | None
    sha256: str
    pay_table: str


class TableView(Struct, frozen=True):
    """A table as everybody may see it now."""

    table: str
    currency: str
    phase: str
    round: int
    tumbler: str
    rulebook: RulebookName | None = None
    limits: LimitsAsked | None = None
    totals: dict[str, int] = {}
    terminals: int = 0
    faces: Faces | None = None
    call: str | None = None
    winners: tuple[str, ...] = ()
    notice_given: bool = False
    stopped: str | None = None
    in_doubt: str | None = None
    waiting: bool = False
    commitment: str | None = None
    rounds: tuple[RoundSummary, ...] = ()
    form: Form = "terminals"
    seats: int = 0
    taken: tuple[str, ...] = ()
    marked: tuple[MarkedColour, ...] = ()
    paying: bool = False
