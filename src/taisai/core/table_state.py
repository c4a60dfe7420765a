"""The state of a table: what the events so far come to, held so that a bet costs the same always.

`evolve` alone changes it; everything that decides only reads it.
"""

from enum import StrEnum

from msgspec import Struct, field

from taisai.core.commands import Order
from taisai.core.felt_state import Felt
from taisai.core.ledger import Ledger
from taisai.core.messages import Delivery, Equipment, Instant, SettledLine
from taisai.core.rules.dice import Faces
from taisai.core.rules.limits import Limits
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.rulebook import Rulebook

#: Settled rounds are kept for reversal as long as they are among this many, and this many lines.
HISTORY_ROUNDS = 500
HISTORY_LINES = 1_000_000
TERMINALS_MAX = 20_000
TRANSITS_KEPT = 10_000
DICE_SETS_KEPT = 100


class Phase(StrEnum):
    """Where a table is in its round."""

    NEW = "new"
    CLOSED = "closed"
    READY = "ready"
    TUMBLED = "tumbled"
    BETTING = "betting"
    NO_MORE_BETS = "no-more-bets"
    RESULT = "result"
    CONFIRMED = "confirmed"


#: The phases in which a round is under way.
IN_ROUND = (Phase.TUMBLED, Phase.BETTING, Phase.NO_MORE_BETS, Phase.RESULT, Phase.CONFIRMED)


class Terminal(Struct, array_like=True):
    """A Player Terminal: its place, what stands in its way, and its books since it was enrolled."""

    place: str
    connected: bool = True
    barred: bool = False
    locked: bool = False
    loss_limit: int | None = None
    session_seconds: int | None = None
    session_began: Instant | None = None
    session_in: int = 0
    bought: int = 0
    cashed: int = 0
    staked: int = 0
    back: int = 0
    corrections: int = 0
    #: What lies on each box; on the sides of a Differential also each placement, newest last.
    bets: dict[str, int] = {}
    placed: dict[str, list[tuple[int, int]]] = {}


class Meter(Struct, array_like=True):
    """Running sums of a table, a terminal, a dealer or a kind of bet."""

    turnover: int = 0
    collected: int = 0
    won: int = 0
    drop: int = 0
    out: int = 0
    voided: int = 0
    corrections: int = 0

    @property
    def hold(self) -> int:
        """Tell what the house kept."""
        return self.collected - self.won


class RoundRecord(Struct):
    """A finished round, kept so that it can be put right; `version` is of the event that set it."""

    number: int
    faces: Faces | None
    lines: tuple[SettledLine, ...]
    void: bool
    rules: str
    version: int
    #: What the secret of the round gives, at a verifiable table, once it is revealed.
    drawn: Faces | None = None


class Chain(Struct):
    """The secrets of a verifiable table: what is published of them, and what is revealed.

    `link` is the newest secret that is known, at first the commitment; `shown` is the result of
    the round whose secret is the next, once that round has one. `last` is the last round that the
    chain serves, where it was abandoned before its end.
    """

    commitment: str
    length: int
    sealed: str
    first: int
    link: str
    revealed: int = 0
    shown: Faces | None = None
    last: int | None = None

    @property
    def next_round(self) -> int:
        """Name the round whose secret is the next to be revealed."""
        return self.first + self.revealed

    @property
    def left(self) -> int:
        """Count the secrets that are still to be revealed."""
        last = self.first + self.length - 1 if self.last is None else self.last
        return last - self.next_round + 1

    @property
    def used_up(self) -> bool:
        """Say whether every secret is revealed that serves a round."""
        return self.left == 0


class Pending(Struct, frozen=True):
    """A command that waits for its second person."""

    hash: str
    order: Order
    at: Instant
    version: int


class TableState(Struct):
    """A table: rules in force, phase, live bets, terminals, books and history."""

    version: int = 0
    phase: Phase = Phase.NEW
    table: str = ""
    currency: str = ""
    equipment: Equipment = Equipment()
    lock_above: int | None = None
    rulebook: Rulebook | None = None
    pay_table: PayTable | None = None
    limits: Limits | None = None
    sides: frozenset[str] = frozenset()
    dice_set: str | None = None
    #: The rounds that each set of dice was used for, from first to last; the set in use is open.
    dice_rounds: dict[str, tuple[int, int | None]] = {}
    checks: frozenset[str] = frozenset()
    notice_given: bool = False
    stopped: str | None = None
    pending: Pending | None = None
    round: int = 0
    tumbled: bool = False
    echo: tuple[int, ...] = ()
    reported: dict[str, Faces] = {}
    faces: Faces | None = None
    in_doubt: str | None = None
    waiting: bool = False
    chain: Chain | None = None
    lying: dict[str, int] = {}
    placements: int = 0
    live: int = 0
    terminals: dict[str, Terminal] = {}
    ledger: Ledger = field(default_factory=Ledger)
    meters: dict[str, Meter] = {}
    history: dict[int, RoundRecord] = {}
    history_lines: int = 0
    transits_open: dict[str, Delivery] = {}
    transits_received: dict[str, None] = {}
    #: What a felt table keeps beside the rest; an electronic one has none.
    felt: Felt | None = None
