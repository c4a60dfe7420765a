"""The state of a table: the result of all its events so far, laid out for cheap bets.

Only `evolve` changes it; deciding functions only read it.
"""

from bisect import bisect_right
from collections.abc import Sequence
from enum import StrEnum
from operator import itemgetter
from typing import ClassVar, Literal, NamedTuple

from msgspec import Struct, field

from taisai.core.kernel.approvals import EXPIRES_AFTER_MS, Pending
from taisai.core.kernel.ledger import UNCLAIMED, Ledger
from taisai.core.kernel.messages import Delivery, Equipment, Instant, SettledLine
from taisai.core.kernel.registry import CHIP_TABLE, COMMANDS, TABLE, TERMINALS, At, Place
from taisai.core.kernel.transits import Received
from taisai.core.rules.dice import FACES, Faces, are_dice
from taisai.core.rules.limits import Limits
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.rulebook import Rulebook
from taisai.core.rules.schema import EquipmentContent, IrregularityContent
from taisai.core.table.chips.pieces import Form
from taisai.core.table.chips.state import ChipTable, layout_cleared

#: The most rounds that are held, and the most of their lines; the journal has all [D24].
HISTORY_ROUNDS = 500
HISTORY_LINES = 1_000_000
TERMINALS_MAX = 20_000
#: The most sets of dice that a table remembers with their rounds [D24]: three a day for nine years,
#: those put away included. And how often one set may come back after others.
DICE_SETS_MAX = 10_000
DICE_SPANS_MAX = 1_000


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


#: The phases in which a table takes no bets and has no round.
NOT_OPEN = (Phase.NEW, Phase.CLOSED)
#: The phases in which the outcome of a round is entered, and those after "No More Bets".
ENTERED = (Phase.RESULT, Phase.CONFIRMED)
AFTER_CLOSE = (Phase.NO_MORE_BETS, *ENTERED)
#: The phases in which a round is under way.
IN_ROUND = (Phase.TUMBLED, Phase.BETTING, *AFTER_CLOSE)


class Meter(Struct, array_like=True, gc=False):
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
        """Give what the house kept."""
        return self.collected - self.won


class LockedWin(Struct, array_like=True, frozen=True, gc=False):
    """A win that locked a terminal: all that the round gave it, and how much of that is there."""

    round: int
    won: int
    due: int


class Position(Meter, gc=False):
    """A Player Terminal or a seat, where bets come from: its meter, its sessions and its limits.

    There are thousands, and none has a reference back to itself: collecting garbage among them
    would take a tenth of the time of a settlement.
    """

    # Fields that every bet reads are together: one position of thousands is seldom in the cache.
    connected: bool = True
    #: Whether staff have taken it out of service [etg8 5.2].
    failed: bool = False
    barred: bool = False
    locked: bool = False
    loss_limit: int | None = None
    session_seconds: int | None = None
    #: Chips that a player brought to a seat, besides those bought there.
    brought: int = 0
    #: The stake on each box; on the sides of a Differential also each placement, newest last.
    bets: dict[str, int] = {}
    placed: dict[str, list[tuple[int, int]]] = {}
    place: str = ""
    session_began: Instant | None = None
    session_in: int = 0
    #: The first round and the number of each session, as far back as history goes [D21].
    sessions: tuple[tuple[int, int], ...] = ()
    #: The wins for which it is locked.
    locked_wins: tuple[LockedWin, ...] = ()
    #: When the last session ended, and whether its player has left with the money.
    session_ended: Instant | None = None
    left: bool = False

    @property
    def is_bound(self) -> bool:
        """Say whether a player has set limits for themself."""
        return self.loss_limit is not None or self.session_seconds is not None


class RoundRecord(Struct):
    """A finished round, kept so that it can be put right; `version` is that of its event."""

    number: int
    faces: Faces | None
    lines: tuple[SettledLine, ...]
    void: bool
    rules: str
    version: int
    #: The dice by the round's secret, at a verifiable table, once it is revealed.
    drawn: Faces | None = None
    #: The number of the session that bet at each position [D21].
    sessions: dict[str, int] = {}
    #: Whether it was settled again later.
    again: bool = False


class Adoption(Struct, frozen=True, array_like=True):
    """An adoption of a rulebook: its first round, the version of its event, and its rules."""

    first: int
    version: int
    rules: str


#: What a rulebook is approved for.
Aspect = Literal["operator", "form", "dice", "date"]


class Departure(Struct, frozen=True, array_like=True):
    """A written departure from what a rulebook is approved for: who approved it, which paper."""

    rulebook: str
    aspect: Aspect
    approved_by: str
    reference: str


class Chain(Struct):
    """A chain of secrets of a verifiable table: what is published, and what is revealed.

    `link` is the newest known secret, at first the commitment; `shown` is the result of the round
    whose secret is next, once that round has one. `last` is the last round that the chain serves,
    if it was ended early.
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
        """The round whose secret is the next to be revealed."""
        return self.first + self.revealed

    @property
    def left(self) -> int:
        """The number of secrets still to be revealed."""
        last = self.first + self.length - 1 if self.last is None else self.last
        return last - self.next_round + 1

    @property
    def used_up(self) -> bool:
        """Say whether every secret for a round of the chain is revealed."""
        return self.left == 0

    @property
    def goes_on(self) -> bool:
        """Say whether it serves further rounds: not once it was ended, even if a secret is owed."""
        return self.last is None and not self.used_up


class TableState(Struct):
    """A table: rules in force, phase, live bets, positions, books and history."""

    version: int = 0
    phase: Phase = Phase.NEW
    table: str = ""
    currency: str = ""
    equipment: Equipment = Equipment()
    handpay_threshold: int | None = None
    #: Who operates a real house; a demo has no operator [D30].
    operator: str | None = None
    #: Written departures: those of the plan, and those that two persons adopted.
    planned_departures: tuple[Departure, ...] = ()
    adopted_departures: tuple[Departure, ...] = ()
    rulebook: Rulebook | None = None
    pay_table: PayTable | None = None
    limits: Limits | None = None
    sides: frozenset[str] = frozenset()
    dice_set: str | None = None
    #: For each set of dice its runs of rounds, each from first to last; the last run of the set in
    #: use is open. Then the newest seal of each set, and the seals of damaged sets.
    dice_rounds: dict[str, list[tuple[int, int | None]]] = {}
    dice_seals: dict[str, str] = {}
    quarantined: dict[str, str] = {}
    #: The number or name of each piece of equipment in use.
    registered: dict[str, str] = {}
    checks: frozenset[str] = frozenset()
    #: The faces of a test run that is not verified yet.
    tested: Faces | None = None
    notice_given: bool = False
    stopped: str | None = None
    pending: Pending | None = None
    #: Reports that put the round in doubt, each until a supervisor has answered it [D20].
    lasting: dict[str, Pending] = {}
    doubts: tuple[str, ...] = ()
    round: int = 0
    tumbled: bool = False
    #: Whether the recorded tumble came before the bets were closed.
    tumbled_early: bool = False
    #: Whether the dice can be seen: the cover is lifted, or they were tumbled uncovered or read.
    uncovered: bool = False
    echo: tuple[int, ...] = ()
    reported: dict[str, Faces] = {}
    faces: Faces | None = None
    waiting: bool = False
    #: The irregularity whose words the dealer has to announce [div9 7.1] [D32].
    to_announce: str | None = None
    #: Reports that are left to a ruling, each with its round, the oldest first [D29].
    unruled: dict[str, int] = {}
    chain: Chain | None = None
    #: The stakes on each box, of all positions together.
    box_totals: dict[str, int] = {}
    placements: int = 0
    live: int = 0
    positions: dict[str, Position] = {}
    ledger: Ledger = field(default_factory=Ledger)
    #: The meters of the table, of dealers and of kinds of bet; each position has its own.
    meters: dict[str, Meter] = {}
    history: dict[int, RoundRecord] = {}
    history_lines: int = 0
    #: Of rounds no longer in history: the runs of reversed ones, and the version of the event that
    #: settled a round again; then all adoptions of rulebooks [D24].
    reversed: list[tuple[int, int]] = []
    resettled: dict[int, int] = {}
    adopted: list[Adoption] = []
    #: What corrections could not recover from each session, until a later one covers it.
    shortfalls: dict[str, int] = {}
    transits_open: dict[str, Delivery] = {}
    transits_received: Received = field(default_factory=Received)
    #: The number of transits sent to the cage.
    transits_sent: int = 0
    #: The state that only a chip table has; a table with terminals has none.
    chips: ChipTable | None = None

    places: ClassVar[At] = TABLE

    @property
    def departures(self) -> tuple[Departure, ...]:
        """The written departures in force, by the plan or by two persons [D30]."""
        return self.planned_departures + self.adopted_departures

    @property
    def unclaimed(self) -> dict[str, int]:
        """The money set aside for each session that has ended."""
        found = self.ledger.balances.items()
        return {
            account.removeprefix(UNCLAIMED): held
            for account, held in found
            if account.startswith(UNCLAIMED)
        }

    @property
    def in_doubt(self) -> str | None:
        """The oldest report on the dice that waits for a supervisor [D20]."""
        return self.doubts[0] if self.doubts else None

    @property
    def form(self) -> Form:
        """The form of table it is."""
        return "terminals" if self.chips is None else "chips"

    @property
    def terminals(self) -> dict[str, Position]:
        """The terminals; none at a chip table, where the positions are seats without screens."""
        return self.positions if self.chips is None else {}

    @property
    def place(self) -> Place:
        """The place for its form of table."""
        return _TERMINALS if self.chips is None else _CHIP_TABLE


(_TERMINALS,), (_CHIP_TABLE,) = TERMINALS, CHIP_TABLE


def in_force(state: TableState) -> Rulebook:
    """Give the rulebook in force; every open table has one."""
    assert state.rulebook is not None, "a table is opened on a rulebook"
    return state.rulebook


def pay_table_in_force(state: TableState) -> PayTable:
    """Give the pay table in force."""
    assert state.pay_table is not None, "a table is opened on a pay table"
    return state.pay_table


def rules_of(state: TableState) -> str:
    """Name the rules in force exactly, so that a round is later corrected by the same rules."""
    return f"{in_force(state).sha256}/{pay_table_in_force(state).number}"


def limits_in_force(state: TableState) -> Limits:
    """Give the limits in force."""
    assert state.limits is not None, "a table is opened with limits"
    return state.limits


def ruling_on(state: TableState, code: str) -> IrregularityContent | None:
    """Find what the rulebook in force rules on an irregularity."""
    return ruling_of(in_force(state), code)


def ruling_of(rulebook: Rulebook, code: str) -> IrregularityContent | None:
    """Find what a rulebook rules on an irregularity."""
    irregularities = rulebook.content.irregularities
    return next((each for each in irregularities if each.code == code), None)


def ground_of(state: TableState, irregularity: IrregularityContent | None) -> str:
    """Name the clause or decision behind a ruling of the rulebook in force."""
    return ground_in(in_force(state), irregularity)


def ground_in(rulebook: Rulebook, irregularity: IrregularityContent | None) -> str:
    """Name the clause or decision behind a ruling, or that of the shift manager without one."""
    found = irregularity or ruling_of(rulebook, "not-covered")
    ground = None if found is None else found.clause or found.decision
    return ground or "D6"


def clause_for(state: TableState, code: str) -> str | None:
    """Name the clause of an irregularity, if there is a rulebook with one."""
    if state.rulebook is None:
        return None
    found = ruling_on(state, code)
    return None if found is None else found.clause


def sorted_faces(faces: Sequence[int]) -> Faces | Refusal:
    """Check three faces, and sort them from low to high."""
    if not are_dice(tuple(faces)):
        return refuse("BAD_DICE", dice=" ".join(str(face) for face in faces)[:40])
    low, middle, high = sorted(faces)
    return low, middle, high


def is_face(face: object) -> bool:
    """Say whether a value is a face, a button of the entry terminal."""
    return type(face) is int and face in FACES


def outcome_is_recorded(state: TableState) -> bool:
    """Say whether the journal holds the dice of the round under way."""
    return state.phase in ENTERED or "device" in state.reported


def not_playing(state: TableState) -> Refusal | None:
    """Refuse to go on if the table is closed, stopped, in doubt or waiting."""
    if state.in_doubt is not None:
        found = ruling_on(state, state.in_doubt)
        clause = None if found is None else found.clause
        return refuse("ROUND_IN_DOUBT", clause, what=state.in_doubt)
    return not_open(state)


def not_open(state: TableState) -> Refusal | None:
    """Refuse to go on if the table is closed, or its outcome waits to be declared."""
    if state.phase in NOT_OPEN:
        return refuse("TABLE_CLOSED")
    if state.waiting:
        return refuse("TESTIMONY_FIRST" if is_interrupted(state) else "OUTCOME_TO_DECLARE")
    return None


def is_interrupted(state: TableState) -> bool:
    """Say whether a chip table waits for two persons after an interruption [D27]."""
    return state.chips is not None and state.chips.interrupted


def amendment_waits(state: TableState, at: Instant) -> Refusal | None:
    """Refuse to go on while an amendment of the entry waits for approval [div9 7.2]."""
    pending = state.pending
    if pending is None or COMMANDS[type(pending.order.command)].part != "amendment":
        return None
    if at - pending.at > EXPIRES_AFTER_MS:
        return None
    return refuse("AMENDMENT_WAITS", in_force(state).content.procedure.amendment.clause)


def unconfirmed_refusal(state: TableState, at: Instant) -> Refusal | None:
    """Refuse to collect or pay before the result is confirmed, and while it is disputed."""
    refusal = not_playing(state) or amendment_waits(state, at)
    if refusal is not None or state.phase is Phase.CONFIRMED:
        return refusal
    return refuse("NOT_CONFIRMED" if state.phase is Phase.RESULT else "NO_RESULT")


class EquipmentAsked(NamedTuple):
    """A piece of equipment that a table must have, and the clause that requires it, if any."""

    code: str
    clause: str | None


#: The dice reader of a table whose dice a device reads: the table requires it, no document does.
_READER = EquipmentAsked("reader", None)


def _named(state: TableState) -> tuple[EquipmentContent, ...]:
    return () if state.rulebook is None else state.rulebook.content.procedure.equipment


def equipment_known(state: TableState) -> tuple[EquipmentAsked, ...]:
    """List the equipment that may be registered: what the document names, and a reader of dice."""
    read = (_READER,) if state.equipment.tumbler == "reader" else ()
    return (*(EquipmentAsked(each.code, each.clause) for each in _named(state)), *read)


def equipment_asked(state: TableState) -> tuple[EquipmentAsked, ...]:
    """List the equipment that the table must have as it is played [div9 3.4]."""
    in_use = {"always"}
    if state.chips is not None:
        in_use |= {"chips"} | ({"colours"} if state.chips.chip_set.colours else set())
    idle = {each.code for each in _named(state) if each.when not in in_use}
    return tuple(each for each in equipment_known(state) if each.code not in idle)


def equipment_refusal(state: TableState) -> Refusal | None:
    """Refuse to open without equipment that the document or the table requires [div9 3.4] [D32]."""
    for each in equipment_asked(state):
        if each.code not in state.registered:
            return refuse("EQUIPMENT_MISSING", each.clause, equipment=each.code)
    return None


def check_refusal(state: TableState) -> Refusal | None:
    """Refuse to go on without a check of the opening, the seal of other dice among them.

    [div9 5.0] [D32]
    """
    checks = () if state.rulebook is None else state.rulebook.content.procedure.opening_checks
    for check in checks:
        if check.code not in state.checks:
            return refuse("CHECK_MISSING", check.clause, check=check.code)
    return None


def dice_refusal(state: TableState) -> Refusal | None:
    """Refuse to begin a round without dice, for example after a damaged set was put away [D25]."""
    return refuse("NO_DICE", clause_for(state, "damaged-dice")) if state.dice_set is None else None


def end_round(state: TableState, record: RoundRecord) -> None:
    """End the round under way, and remember it so that it can be put right."""
    for position in state.positions.values():
        if position.bets:
            position.bets = {}
            if position.placed:
                position.placed = {}
    if state.chips is not None:
        layout_cleared(state.chips, void=record.void)
    state.box_totals = {}
    state.live = 0
    state.round = record.number
    state.phase = Phase.READY
    state.tumbled = state.uncovered = False
    state.lasting = {}
    state.doubts = ()
    state.waiting = is_interrupted(state)
    state.faces = None
    state.history[record.number] = record
    state.history_lines += len(record.lines)
    while len(state.history) > HISTORY_ROUNDS or (
        state.history_lines > HISTORY_LINES and len(state.history) > 1
    ):
        oldest = state.history.pop(next(iter(state.history)))
        state.history_lines -= len(oldest.lines)
        _note_put_right(state, oldest)


def _note_put_right(state: TableState, record: RoundRecord) -> None:
    """Remember that a round no longer in history was reversed or settled again [D24]."""
    if record.void and record.faces is not None:
        note_reversed(state, record.number)
    elif record.again:
        state.resettled[record.number] = record.version


def note_reversed(state: TableState, number: int) -> None:
    """Remember that an old round was reversed, in one run with its neighbours."""
    state.resettled.pop(number, None)
    runs = state.reversed
    place = bisect_right(runs, (number, number))
    first = last = number
    if place < len(runs) and runs[place][0] == number + 1:
        last = runs.pop(place)[1]
    if place and runs[place - 1][1] == number - 1:
        place -= 1
        first = runs.pop(place)[0]
    runs.insert(place, (first, last))


def is_reversed(state: TableState, number: int) -> bool:
    """Say whether a round no longer in history was reversed."""
    place = bisect_right(state.reversed, number, key=itemgetter(0))
    return place > 0 and number <= state.reversed[place - 1][1]


def newest_ended(state: TableState) -> int:
    """Give the number of the newest round that has ended."""
    return state.round - (state.phase in IN_ROUND)


def every_meter(state: TableState) -> dict[str, Meter]:
    """Give all meters of a table by name: its own, its dealers', by kind of bet, its positions'."""
    sums = Meter.__struct_fields__
    own = {
        f"terminal:{name}": Meter(*(getattr(position, each) for each in sums))
        for name, position in state.positions.items()
    }
    return {**state.meters, **own}


def next_transit(state: TableState) -> str:
    """Name the next transit from a table to the cage."""
    return f"{state.table}-{state.transits_sent + 1}"


def chip_table_of(state: TableState) -> ChipTable:
    """Give the chip table's own state; call it only at a chip table."""
    assert state.chips is not None, "a chip table has chips"
    return state.chips
