"""What is announced to everybody who watches a table: no names, no notes, nobody's money.

An event here has the name of the one it was made from, and less in it.
"""

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.dice import Faces
from taisai.core.streams import union
from taisai.protocol.roads import Parity, Size


class PublicEvent(Struct, frozen=True, tag=True):
    """Something that happened at a table, as everybody may know it."""


class RulebookAdopted(PublicEvent, frozen=True):
    key: str
    sha256: str
    pay_table: int


class LimitsSet(PublicEvent, frozen=True):
    """Other limits are in force; they are in the table's view."""


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
    words: str | None
    clause: str


class TumbleRecorded(PublicEvent, frozen=True):
    times: int


class BetsClosed(PublicEvent, frozen=True):
    """Bets are closed, by the dealer's words or at once for a report that may void the round."""

    words: str
    bell: bool
    clause: str
    report: str | None = None
    displayed: bool = False


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


class ChainRetired(PublicEvent, frozen=True):
    pass


class IrregularityReported(PublicEvent, frozen=True):
    code: str
    ruling: str
    clause: str | None
    in_doubt: bool


class ReportDeclined(PublicEvent, frozen=True):
    """What put the round in doubt is found not to have happened: it goes on, bets closed."""

    round: int
    code: str
    clause: str
    tumbles_again: bool


class VoidAnnounced(PublicEvent, frozen=True):
    """The dealer has announced a void spin by the document's words; it is void without, too."""

    round: int
    words: str
    clause: str


class InterruptionRecorded(PublicEvent, frozen=True):
    ruling: Literal["conclude", "wait", "void-round", "testify", "none"]
    clause: str | None


class PlayResumed(PublicEvent, frozen=True):
    """It has been said what happened at a chip table meanwhile, and play goes on."""


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
    """A seat of a chip table is free, and so is the colour its player had."""

    seat: str


class ColourAssigned(PublicEvent, frozen=True):
    """A colour is one player's, at the value marked on the display rack."""

    seat: str
    colour: str
    value: int


class ColourReleased(PublicEvent, frozen=True):
    colour: str


class LosersCollected(PublicEvent, frozen=True):
    """Losing bets are collected at a chip table; the winning ones are paid next."""

    round: int


if TYPE_CHECKING:
    AnyPublicEvent = PublicEvent
else:
    AnyPublicEvent = union(tuple(PublicEvent.__subclasses__()))
