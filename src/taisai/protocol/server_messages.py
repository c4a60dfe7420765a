"""What the server sends: answers by id, snapshots, and what happened, each channel in sequence.

A sequence is the version of the table's journal that a message leads to, so it means the same
after a reconnection, a restart, or through another node. A message says which sequence it follows:
with `after ≤ mine < sequence` it is next; `sequence ≤ mine` is old; with `after > mine` something
was missed, and the client watches again from what it has.
"""

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from taisai.core.kernel.messages import Instant, Role
from taisai.core.rules.reason import Reason
from taisai.core.streams import CageEvent, TableEvent, VenueEvent, union
from taisai.core.table.chips.pieces import Chips, ChipSet
from taisai.protocol.chip_table import (
    BetToRule,
    ChipDay,
    ChipSeat,
    ChipStack,
    LimitNotice,
    PayoutGuide,
    SeatMoney,
)
from taisai.protocol.console import LogLine, Step
from taisai.protocol.private import AnyPrivateEvent
from taisai.protocol.public import AnyPublicEvent
from taisai.protocol.views import PositionView, TableView, changes_of

if TYPE_CHECKING:
    from taisai.protocol.views import Changes as PositionChanges
    from taisai.protocol.views import Changes as TableChanges
else:
    PositionChanges, TableChanges = changes_of(PositionView), changes_of(TableView)


class SentByServer(Struct, frozen=True, tag=True, omit_defaults=True, gc=False):
    """Something the server sends."""


class Welcome(SentByServer, frozen=True):
    """Who one is taken for, the venue, and its time, which ids must begin with.

    `checkpoint` is the number of the newest that the venue has signed, to be remembered. `gateways`
    are all addresses at which the venue is reached: whoever loses this one comes back by another.
    """

    protocol: int
    venue: str
    currency: str
    at: Instant
    tables: tuple[str, ...]
    role: Role | Literal["visitor"]
    name: str | None = None
    demo: bool = False
    checkpoint: int = 0
    gateways: tuple[str, ...] = ()


class TableSnapshot(SentByServer, frozen=True):
    """A table as it is at a sequence; everything known of its public channel before is replaced."""

    table: str
    sequence: int
    at: Instant
    view: TableView
    closes_at: Instant | None = None
    dealer: Literal["automatic", "person"] = "person"
    suspended: bool = False


class TerminalSnapshot(SentByServer, frozen=True):
    """A terminal as it is at a sequence of its private channel."""

    sequence: int
    at: Instant
    view: PositionView


class Public(SentByServer, frozen=True):
    """What happened at a table, and what it changed in the table's view.

    Bets are announced to nobody else: what they change in `totals` comes ten times a second at
    the most, with no events.
    """

    table: str
    sequence: int
    after: int
    at: Instant
    events: tuple[AnyPublicEvent, ...] = ()
    changes: TableChanges = {}


class Private(SentByServer, frozen=True):
    """What happened to this terminal, and what it changed in the terminal's view.

    With an `id` it is the answer, too, to the bets that were sent under that id: they are
    registered, with `sequence` as their version, and no `Registered` follows.
    """

    table: str
    sequence: int
    after: int
    at: Instant
    events: tuple[AnyPrivateEvent, ...] = ()
    changes: PositionChanges = {}
    id: str | None = None


class Staff(SentByServer, frozen=True):
    """What happened at a table or in the cage, for staff: the events as the journal has them.

    Bets are not among them: their boxes are in the table's view. `log` has each event in the
    reader's language, in the same order; null stands for one that a log leaves out. It is empty
    where the message would be too long with it.
    """

    to: str
    sequence: int
    after: int
    at: Instant
    events: tuple[TableEvent | CageEvent | VenueEvent, ...]
    log: tuple[LogLine | None, ...] = ()


class Steps(SentByServer, frozen=True):
    """How each step of the Game Console stands, for staff who watch a table; the newest counts.

    `due` is the step that comes now, whoever takes it: a person, a device, the automatic dealer.
    """

    table: str
    due: str | None
    steps: tuple[Step, ...]
    pressed: tuple[int, ...]


class Exposure(SentByServer, frozen=True):
    """What the house would pay, net, on each result, for staff who watch a table.

    The results are in the order of `/api/results`. Below zero the house gains. The newest
    counts; it comes twice a second at the most.
    """

    table: str
    staked: int
    pays: tuple[int, ...]
    worst: int
    worst_on: tuple[int, ...]
    expected: int
    losing: str


class ChipTableView(SentByServer, frozen=True):
    """A chip table as its staff see it; the newest counts, ten times a second at the most.

    `rack` holds the value chips of the table; it is null with its value while the table is closed,
    since whoever is to count it is not told what to find. `colours` says how many pieces of each
    colour are in it, and `next_date` is the gaming day that would be opened now. Lists that are
    too long for a frame are sent as far as they go, and `more_…` says how much of each is left out.
    """

    table: str
    chip_set: ChipSet
    seats: tuple[ChipSeat, ...]
    stacks: tuple[ChipStack, ...]
    notices: tuple[LimitNotice, ...]
    rack: Chips | None
    rack_value: int | None
    colours: dict[str, int]
    paying: bool
    next_date: str
    guide: PayoutGuide | None = None
    day: ChipDay | None = None
    unclaimed: tuple[SeatMoney, ...] = ()
    recovering: tuple[SeatMoney, ...] = ()
    fills: tuple[SeatMoney, ...] = ()
    credits: tuple[SeatMoney, ...] = ()
    more_stacks: int = 0
    more_notices: int = 0
    more_unclaimed: int = 0
    #: Whether stacks are read: while bets are open, after the close, or once dice can be seen.
    reading: Literal["open", "closed", "late"] | None = None
    #: What is given back when the reading ends: advised, and still under the minimum.
    returning: tuple[ChipStack, ...] = ()
    #: Stacks of value and colour chips together, while they can be put beside each other.
    mixed: tuple[ChipStack, ...] = ()
    #: What awaits a ruling before anything is collected or paid.
    to_rule: tuple[BetToRule, ...] = ()
    more_to_rule: int = 0


class Countdown(SentByServer, frozen=True):
    """When the automatic dealer will close the bets, by the venue's time; null: it will not."""

    table: str
    closes_at: Instant | None = None


class Dealer(SentByServer, frozen=True):
    """Who deals at a table from now on."""

    table: str
    dealer: Literal["automatic", "person"]


class Suspended(SentByServer, frozen=True):
    """A table takes nothing until it has been read back; what is registered is safe."""

    table: str
    suspended: bool


class VoucherPrinted(SentByServer, frozen=True):
    """The voucher for what the terminal cashed out; its number is shown to no one else."""

    transit: str
    number: str
    value: int
    expires: Instant
    session: str | None = None

    def __repr__(self) -> str:
        """Say what it is worth; a live number is never shown."""
        return f"VoucherPrinted({self.transit!r}, number=…, {self.value})"


class Registered(SentByServer, frozen=True):
    """The answer to `id`: carried out and durable, as these versions of the journal.

    `pending` is the hash of a command that now waits for its second person, until `expires`.
    """

    id: str
    to: str
    first: int
    last: int
    at: Instant
    pending: str | None = None
    expires: Instant | None = None


class Refused(SentByServer, frozen=True):
    """The answer to `id`: nothing was changed, and why; `again` when it may be sent again as is."""

    id: str
    code: str
    sentence: str
    reason: Reason
    clause: str | None = None
    again: bool = False


class Done(SentByServer, frozen=True):
    """The answer to `id` of something that is not stored in the journal."""

    id: str


class Notice(SentByServer, frozen=True):
    """Something the pit is to know about the venue itself."""

    at: Instant
    stream: str
    code: str
    text: str


class Fault(SentByServer, frozen=True):
    """What was said cannot be understood or is not allowed; nothing was changed."""

    code: str
    sentence: str


class Pong(SentByServer, frozen=True):
    """The answer to a `Ping`, with the venue's time and the newest checkpoint, to be remembered."""

    number: int
    at: Instant
    checkpoint: int = 0


if TYPE_CHECKING:
    ServerMessage = SentByServer
else:
    ServerMessage = union(tuple(SentByServer.__subclasses__()))
