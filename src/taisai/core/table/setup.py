"""Setting a table up: creating it, its rules, limits, dice and checks; open, stopped, closed."""

from functools import lru_cache

from taisai.core.kernel.messages import (
    CAGE_STREAM,
    Actor,
    Command,
    Decision,
    Equipment,
    Event,
    Instant,
    LimitsAsked,
)
from taisai.core.kernel.name_profile import is_name, machine_refusal
from taisai.core.kernel.names import compared
from taisai.core.kernel.registry import TABLE, TERMINALS, Dated, applies, command, decides, event
from taisai.core.kernel.roles import MANAGERS, PIT, PIT_AND_DEALER
from taisai.core.kernel.transits import is_the_cages
from taisai.core.rules.limits import Limits, displayed_limits, set_limits
from taisai.core.rules.money import is_amount
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.proof import RulebookError
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.rulebook import Rulebook, rulebook_from_canonical
from taisai.core.table.approval import approval_refusal, relied_on
from taisai.core.table.chips.payout import unclaimed_refusal
from taisai.core.table.chips.pieces import ChipSet, is_chip_set
from taisai.core.table.chips.seats import set_aside_unclaimed
from taisai.core.table.chips.state import ChipTable, day_of
from taisai.core.table.state import (
    DICE_SETS_MAX,
    DICE_SPANS_MAX,
    IN_ROUND,
    NOT_OPEN,
    TERMINALS_MAX,
    Adoption,
    Departure,
    Phase,
    Position,
    TableState,
    check_refusal,
    equipment_refusal,
    in_force,
    is_interrupted,
    pay_table_in_force,
)


@command(at=TABLE, by=("technician", "system"), opens=True, wire=False)
class CreateTable(Command, frozen=True):
    table: str
    currency: str
    equipment: Equipment = Equipment()
    handpay_threshold: int | None = None
    #: The chips of a chip table; a table with terminals has none.
    chips: ChipSet | None = None
    #: Who operates the house; a demo has no operator, and may play any rulebook [D30].
    operator: str | None = None


@event(at=TABLE, posts=False)
class TableCreated(Event, frozen=True):
    table: str
    currency: str
    equipment: Equipment
    handpay_threshold: int | None
    #: The chips of a chip table; a table with terminals has none.
    chips: ChipSet | None = None
    operator: str | None = None


@decides
def create_table(state: TableState, command: CreateTable, _actor: Actor, _at: Instant) -> Decision:
    """Create a table; a venue has one currency, and so has each of its tables."""
    if state.phase is not Phase.NEW:
        return refuse("TABLE_EXISTS", table=state.table)
    if command.handpay_threshold is not None and not is_amount(command.handpay_threshold):
        return refuse("BAD_AMOUNT", amount=str(command.handpay_threshold)[:40])
    if not (is_name(command.table) and is_name(command.currency)):
        return refuse("NAME_MISSING")
    refusal = machine_refusal(command.table) or _form_refusal(command)
    if refusal is not None:
        return refusal
    if command.table == CAGE_STREAM or is_the_cages(command.table):
        # Its transits would have the same names as those of the cage.
        return refuse("CAGES_NAME", table=command.table)
    return (
        TableCreated(
            command.table,
            command.currency,
            command.equipment,
            command.handpay_threshold,
            command.chips,
            command.operator,
        ),
    )


def _form_refusal(command: CreateTable) -> Refusal | None:
    """Refuse a chip table with impossible chips, or with a handpay threshold."""
    chips = command.chips
    if chips is None:
        return None
    if not is_chip_set(chips) or command.handpay_threshold is not None:
        return refuse("BAD_CHIP_SET")
    return None if all(map(is_name, chips.colours)) else refuse("NAME_MISSING")


@applies
def table_created(state: TableState, event: TableCreated) -> None:
    state.phase = Phase.CLOSED
    state.table = event.table
    state.currency = event.currency
    state.equipment = event.equipment
    state.handpay_threshold = event.handpay_threshold
    state.operator = event.operator
    if event.chips is not None:
        state.chips = ChipTable(event.chips)


@command(at=TERMINALS, by=("technician",), second=("technician", *PIT), wire=False)
class EnrolTerminal(Command, frozen=True):
    terminal: str
    place: str


@event(at=TERMINALS, posts=False)
class TerminalEnrolled(Event, frozen=True):
    terminal: str
    place: str


@decides
def enrol_terminal(
    state: TableState, command: EnrolTerminal, _actor: Actor, _at: Instant
) -> Decision:
    """Enrol a terminal at its place."""
    refusal = machine_refusal(command.terminal)
    if refusal is not None:
        return refusal
    if command.terminal in state.positions:
        return refuse("TERMINAL_EXISTS", terminal=command.terminal)
    if len(state.positions) >= TERMINALS_MAX:
        return refuse("TOO_MANY_TERMINALS", most=TERMINALS_MAX)
    return (TerminalEnrolled(command.terminal, command.place),)


@applies
def terminal_enrolled(state: TableState, event: TerminalEnrolled) -> None:
    state.positions[event.terminal] = Position(place=event.place)


@command(at=TABLE, by=MANAGERS, second=PIT, dated=Dated.COMPARED)
class AdoptRulebook(Command, frozen=True):
    canonical: str
    pay_table: int


@event(at=TABLE, posts=False)
class RulebookAdopted(Event, frozen=True):
    """Carries the rulebook's canonical content, so that the journal alone replays the table."""

    key: str
    sha256: str
    canonical: str
    pay_table: int
    #: The written departures by which it is played here, if any [D30].
    departures: tuple[Departure, ...] = ()


@decides
def adopt_rulebook(
    state: TableState, command: AdoptRulebook, _actor: Actor, at: Instant
) -> Decision:
    """Adopt a rulebook, proved again, and one of its pay tables, on a closed table only.

    In a real house only as it is approved, or by a written departure [D30].
    """
    if state.phase is not Phase.CLOSED:
        return refuse("TABLE_NOT_CLOSED")
    try:
        rulebook = journaled_rulebook(command.canonical)
    except RulebookError as error:
        return refuse("RULEBOOK_REFUSED", fault=error.faults[0])
    if command.pay_table not in rulebook.pay_tables:
        return refuse("UNKNOWN_PAY_TABLE", pay_table=f"{rulebook.key}/{command.pay_table}")
    refusal = approval_refusal(state, rulebook, at)
    if refusal is not None:
        return refusal
    return (
        RulebookAdopted(
            rulebook.key,
            rulebook.sha256,
            rulebook.canonical.decode(),
            command.pay_table,
            relied_on(state, rulebook, at),
        ),
    )


@applies
def rulebook_adopted(state: TableState, event: RulebookAdopted) -> None:
    state.rulebook = journaled_rulebook(event.canonical)
    first, rules = state.round + 1, f"{event.sha256}/{event.pay_table}"
    if state.adopted and state.adopted[-1].first == first:
        # No round was played under the one before.
        state.adopted.pop()
    state.adopted.append(Adoption(first, state.version, rules))
    state.pay_table = state.rulebook.pay_tables[event.pay_table]
    # The limits and the checks belonged to the former pay table.
    state.limits = None
    state.checks = frozenset()
    state.tested = None
    state.sides = state.pay_table.sides


@lru_cache(maxsize=16)
def journaled_rulebook(canonical: str) -> Rulebook:
    """Give the rulebook that an event carries, proved once for all tables that play it."""
    return rulebook_from_canonical(canonical.encode(), "the journal")


@command(at=TABLE, by=PIT, second=PIT)
class SetLimits(Command, frozen=True):
    limits: LimitsAsked


@event(at=TABLE, posts=False)
class LimitsSet(Event, frozen=True):
    limits: LimitsAsked


@decides
def set_table_limits(
    state: TableState, command: SetLimits, _actor: Actor, _at: Instant
) -> Decision:
    """Set limits and Differential, between rounds only, as the sign shows them [D31]."""
    if state.pay_table is None:
        return refuse("NO_RULEBOOK")
    if state.phase in IN_ROUND:
        return refuse("ROUND_UNDER_WAY", in_force(state).content.limits.displayed_clause)
    if is_interrupted(state):
        # Rounds dealt by hand while the system was away are settled by the limits of that time.
        return refuse("TESTIMONY_FIRST")
    limits = displayed_limits(state.pay_table, command.limits)
    if isinstance(limits, Refusal):
        return limits
    chips = None if state.chips is None else state.chips.chip_set
    return step_refusal(chips, state.pay_table, limits.step) or (LimitsSet(command.limits),)


def step_refusal(chips: ChipSet | None, table: PayTable, step: int) -> Refusal | None:
    """Refuse, at a chip table, a step at which a payment could not be made in chips."""
    whole = table.step if chips is None else chips.smallest * table.step
    return refuse("STEP_NOT_CHIPS", step_cents=step, whole_cents=whole) if step % whole else None


@applies
def limits_set(state: TableState, event: LimitsSet) -> None:
    limits = set_limits(pay_table_in_force(state), event.limits)
    assert isinstance(limits, Limits), "limits were checked before they were set"
    state.limits = limits


@command(at=TABLE, by=PIT)
class RegisterDice(Command, frozen=True):
    dice_set: str
    seal: str


@event(at=TABLE, posts=False)
class DiceRegistered(Event, frozen=True):
    dice_set: str
    seal: str
    by: str


@decides
def register_dice(state: TableState, command: RegisterDice, actor: Actor, _at: Instant) -> Decision:
    """Register a set of dice with its seal, between rounds [div9 3.4(d)]."""
    if state.phase in IN_ROUND:
        return refuse("ROUND_UNDER_WAY")
    if not (is_name(command.dice_set) and is_name(command.seal)):
        return refuse("NAME_MISSING")
    refusal = quarantine_refusal(state, command.dice_set, command.seal) or _room_refusal(
        state, command.dice_set
    )
    if refusal is not None:
        return refusal
    return (DiceRegistered(command.dice_set, command.seal, actor.person),)


def quarantine_refusal(state: TableState, name: str, seal: str) -> Refusal | None:
    """Refuse a set that is in quarantine, under its name or its seal [D25]."""
    for found, sealed in state.quarantined.items():
        if compared(name) == compared(found) or compared(seal) == compared(sealed):
            return refuse("DICE_QUARANTINED", dice_set=found)
    return None


def _room_refusal(state: TableState, name: str) -> Refusal | None:
    """Refuse a set whose rounds there is no room to remember: they may have to be voided [D24]."""
    used = state.dice_rounds.get(name)
    if used is None:
        full = len(state.dice_rounds) >= DICE_SETS_MAX
        return refuse("TOO_MANY_DICE", most=DICE_SETS_MAX) if full else None
    often = len(used) >= DICE_SPANS_MAX
    return refuse("DICE_TOO_OFTEN", dice_set=name, most=DICE_SPANS_MAX) if often else None


@applies
def dice_registered(state: TableState, event: DiceRegistered) -> None:
    name = event.dice_set
    if state.dice_set is not None:
        end_of_use(state, state.dice_set)
    # However often it comes back, a set keeps all the rounds it was ever used for [D24].
    used = state.dice_rounds.setdefault(name, [])
    first = state.round + 1
    if used and used[-1][1] == state.round:
        first = used.pop()[0]
    used.append((first, None))
    state.dice_seals[name] = event.seal
    state.dice_set = name
    # Other dice have another seal, which is read before play [D32].
    state.checks -= {"dice-sealed"}


def end_of_use(state: TableState, name: str) -> None:
    """End the run of rounds of the set in use; a run without rounds is forgotten."""
    first, _ = state.dice_rounds[name].pop()
    if first <= state.round:
        state.dice_rounds[name].append((first, state.round))


@command(at=TABLE, by=PIT)
class OpenTable(Command, frozen=True):
    pass


@event(at=TABLE, posts=False)
class TableOpened(Event, frozen=True):
    by: str


@decides
def open_table(state: TableState, _command: OpenTable, actor: Actor, at: Instant) -> Decision:
    """Open a table that has rules, limits, dice and the required equipment and checks.

    [div9 3.4, 5.0, 5.0(a), 5.0(b), 5.0(c), 5.0(d)] [D32]
    """
    if state.phase is not Phase.CLOSED:
        return refuse("TABLE_NOT_CLOSED")
    if state.rulebook is None:
        return refuse("NO_RULEBOOK")
    refusal = approval_refusal(state, state.rulebook, at)
    if refusal is not None:
        return refusal
    if state.limits is None:
        return refuse("NO_LIMITS", state.rulebook.content.limits.displayed_clause)
    if state.dice_set is None:
        return refuse("NO_DICE")
    refusal = equipment_refusal(state) or check_refusal(state)
    if refusal is not None:
        return refusal
    if state.stopped is not None:
        return refuse("TABLE_STOPPED", state.stopped)
    if state.chips is not None and state.chips.day is None:
        return refuse("NO_GAMING_DAY")
    return (TableOpened(actor.person),)


@applies
def table_opened(state: TableState, _: TableOpened) -> None:
    state.phase = Phase.READY
    state.notice_given = False
    state.tested = None
    if state.chips is not None:
        # A day on which the table was open is counted and closed after the table has closed.
        day_of(state.chips).played = True


@command(at=TABLE, by=PIT_AND_DEALER)
class GiveNotice(Command, frozen=True):
    pass


@event(at=TABLE, significant=False, posts=False, shown=True)
class NoticeGiven(Event, frozen=True):
    by: str


@decides
def give_notice(state: TableState, _command: GiveNotice, actor: Actor, _at: Instant) -> Decision:
    """Tell the players that the table is about to close."""
    if state.phase in NOT_OPEN:
        return refuse("TABLE_CLOSED")
    return (NoticeGiven(actor.person),)


@applies
def notice_given(state: TableState, _: NoticeGiven) -> None:
    state.notice_given = True


@command(at=TABLE, by=PIT)
class CloseTable(Command, frozen=True):
    pass


@event(at=TABLE, posts=False)
class TableClosed(Event, frozen=True):
    by: str


@decides
def close_table(state: TableState, _command: CloseTable, actor: Actor, _at: Instant) -> Decision:
    """Close a table between rounds, after notice."""
    if state.phase is not Phase.READY:
        return refuse("TABLE_CLOSED" if state.phase is Phase.CLOSED else "ROUND_UNDER_WAY")
    if not state.notice_given:
        return refuse("NOTICE_FIRST")
    if is_interrupted(state):
        return refuse("TESTIMONY_FIRST")
    refusal = unclaimed_refusal(state)
    if refusal is not None:
        return refusal
    return (*set_aside_unclaimed(state), TableClosed(actor.person))


@applies
def table_closed(state: TableState, _: TableClosed) -> None:
    state.phase = Phase.CLOSED
    state.checks = frozenset()


@event(at=TABLE, posts=False)
class TableStopped(Event, frozen=True):
    clause: str
    note: str


@applies
def table_stopped(state: TableState, event: TableStopped) -> None:
    state.stopped = event.clause


@command(at=TABLE, by=("technician", *PIT))
class Rectify(Command, frozen=True):
    note: str


@event(at=TABLE, posts=False)
class TableRectified(Event, frozen=True):
    by: str
    note: str


@decides
def rectify(state: TableState, command: Rectify, actor: Actor, _at: Instant) -> Decision:
    """Put a stopped table back in order [div9 7.4]."""
    return _go_on_refusal(state, command) or (TableRectified(actor.person, command.note),)


def _go_on_refusal(state: TableState, command: "Rectify | DeclareSafeProcedure") -> Refusal | None:
    """Refuse to go on if the table is not stopped, or without a reason."""
    if state.stopped is None:
        return refuse("NOT_STOPPED")
    return None if command.note.strip() else refuse("NOTE_MISSING", state.stopped)


@command(at=TABLE, by=PIT, second=PIT)
class DeclareSafeProcedure(Command, frozen=True):
    note: str


@event(at=TABLE, posts=False)
class SafeProcedureDeclared(Event, frozen=True):
    by: str
    note: str


@applies
def table_rectified(state: TableState, _: TableRectified | SafeProcedureDeclared) -> None:
    state.stopped = None


@decides
def declare_safe_procedure(
    state: TableState, command: DeclareSafeProcedure, actor: Actor, _at: Instant
) -> Decision:
    """Go on by a procedure that keeps the game honest, with who and why [div9 7.4]."""
    return _go_on_refusal(state, command) or (SafeProcedureDeclared(actor.person, command.note),)
