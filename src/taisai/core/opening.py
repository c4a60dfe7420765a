"""Setting a table up, opening it and closing it."""

from taisai.core.chips import is_chip_set
from taisai.core.commands import (
    AdoptRulebook,
    CloseTable,
    CreateTable,
    EnrolTerminal,
    GiveNotice,
    RecordChecks,
    RegisterDice,
    SetLimits,
)
from taisai.core.decision import Decision, in_force, is_name, limits_from
from taisai.core.events import (
    ChecksRecorded,
    DiceRegistered,
    LimitsSet,
    NoticeGiven,
    RulebookAdopted,
    TableClosed,
    TableCreated,
    TableOpened,
    TerminalEnrolled,
)
from taisai.core.felt.common import paying_refusal
from taisai.core.felt.seats import keep_money
from taisai.core.messages import CAGE, Actor
from taisai.core.rules.money import is_amount
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.proof import RulebookError
from taisai.core.rules.reason import Refusal, printable, refuse
from taisai.core.rules.rulebook import rulebook_from_canonical
from taisai.core.table_state import IN_ROUND, TERMINALS_MAX, Phase, TableState


def create_table(state: TableState, command: CreateTable) -> Decision:
    """Create a table; a house has one currency, and so has each of its tables."""
    if state.phase is not Phase.NEW:
        return refuse("TABLE_EXISTS", table=state.table)
    if command.lock_above is not None and not is_amount(command.lock_above):
        return refuse("BAD_AMOUNT", amount=str(command.lock_above)[:40])
    if not (is_name(command.table) and is_name(command.currency)):
        return refuse("NAME_MISSING")
    refusal = _form_refusal(command)
    if refusal is not None:
        return refusal
    if command.table == CAGE:
        # What it sent to the cage would have the names of what the cage sends.
        return refuse("STREAM_EXISTS", stream=CAGE)
    equipment, lock_above = command.equipment, command.lock_above
    return (TableCreated(command.table, command.currency, equipment, lock_above, command.chips),)


def _form_refusal(command: CreateTable) -> Refusal | None:
    """A felt table has chips that can be, and no terminal to lock; an electronic one has none."""
    if command.form == "electronic":
        return None if command.chips is None else refuse("BAD_CHIP_SET")
    chips = command.chips
    if chips is None or not is_chip_set(chips) or command.lock_above is not None:
        return refuse("BAD_CHIP_SET")
    return None if all(map(is_name, chips.colours)) else refuse("NAME_MISSING")


def enrol_terminal(state: TableState, command: EnrolTerminal) -> Decision:
    """Enrol a terminal at its place."""
    if not is_name(command.terminal):
        return refuse("NAME_MISSING")
    if command.terminal in state.terminals:
        return refuse("TERMINAL_EXISTS", terminal=command.terminal)
    if len(state.terminals) >= TERMINALS_MAX:
        return refuse("TOO_MANY_TERMINALS", most=TERMINALS_MAX)
    return (TerminalEnrolled(command.terminal, command.place),)


def adopt_rulebook(state: TableState, command: AdoptRulebook) -> Decision:
    """Take a rulebook and one of its pay tables, proved again, on a closed table only."""
    if state.phase is not Phase.CLOSED:
        return refuse("TABLE_NOT_CLOSED")
    try:
        rulebook = rulebook_from_canonical(command.canonical.encode(), "the rulebook")
    except RulebookError as error:
        return refuse("RULEBOOK_REFUSED", fault=error.faults[0])
    if command.pay_table not in rulebook.pay_tables:
        return refuse("UNKNOWN_PAY_TABLE", pay_table=f"{rulebook.key}/{command.pay_table}")
    canonical = rulebook.canonical.decode()
    return (RulebookAdopted(rulebook.key, rulebook.sha256, canonical, command.pay_table),)


def set_table_limits(state: TableState, command: SetLimits) -> Decision:
    """Set limits and Differential, between rounds only."""
    if state.pay_table is None:
        return refuse("NO_RULEBOOK")
    if state.phase in IN_ROUND:
        return refuse("ROUND_UNDER_WAY", in_force(state).content.limits.displayed_clause)
    # What played of each bet is told by the limits that it was settled by.
    refusal = None if state.felt is None else paying_refusal(state)
    if refusal is not None:
        return refusal
    if command.limits.differential is not None and not has_differential(state.pay_table):
        return refuse("NO_DIFFERENTIAL", state.pay_table.limit_rules.decision)
    limits = limits_from(state.pay_table, command.limits)
    if isinstance(limits, Refusal):
        return limits
    return _step_refusal(state, limits.step) or (LimitsSet(command.limits),)


def _step_refusal(state: TableState, step: int) -> Refusal | None:
    """Refuse, at a felt table, a step at which some payment could not be made in chips."""
    if state.felt is None or state.pay_table is None:
        return None
    whole = state.felt.chips.smallest * state.pay_table.step
    return refuse("STEP_NOT_CHIPS", step_cents=step, whole_cents=whole) if step % whole else None


def has_differential(table: PayTable) -> bool:
    """Say whether the rulebook knows a Differential on this pay table."""
    return any(pair[0] in table.boxes for pair in table.limit_rules.differential_pairs)


def register_dice(state: TableState, command: RegisterDice, actor: Actor) -> Decision:
    """Register a set of dice with its seal, between rounds."""
    if state.phase in IN_ROUND:
        return refuse("ROUND_UNDER_WAY")
    if not (is_name(command.dice_set) and is_name(command.seal)):
        return refuse("NAME_MISSING")
    return (DiceRegistered(command.dice_set, command.seal, actor.person),)


def record_checks(state: TableState, command: RecordChecks, actor: Actor) -> Decision:
    """Record the supervisor's checks before the opening [div9 5.0]."""
    if state.phase is not Phase.CLOSED or state.rulebook is None:
        return refuse("TABLE_NOT_CLOSED" if state.phase is not Phase.CLOSED else "NO_RULEBOOK")
    asked = {check.code: check.clause for check in state.rulebook.content.procedure.opening_checks}
    for check in command.checks:
        if check not in asked:
            return refuse("UNKNOWN_CHECK", check=printable(check[:40]))
    return (ChecksRecorded(command.checks, actor.person),)


def open_table(state: TableState, actor: Actor) -> Decision:
    """Open a table that has rules, limits, dice and, where asked for, its checks."""
    if state.phase is not Phase.CLOSED:
        return refuse("TABLE_NOT_CLOSED")
    if state.rulebook is None:
        return refuse("NO_RULEBOOK")
    if state.limits is None:
        return refuse("NO_LIMITS", state.rulebook.content.limits.displayed_clause)
    if state.dice_set is None:
        return refuse("NO_DICE")
    for check in state.rulebook.content.procedure.opening_checks:
        if check.code not in state.checks:
            return refuse("CHECK_MISSING", check.clause, check=check.code)
    if state.stopped is not None:
        return refuse("TABLE_STOPPED", state.stopped)
    if state.felt is not None and state.felt.day is None:
        return refuse("NO_GAMING_DAY")
    return (TableOpened(actor.person),)


def give_notice(state: TableState, _: GiveNotice, actor: Actor) -> Decision:
    """Tell the players that the table is about to close."""
    if state.phase in (Phase.NEW, Phase.CLOSED):
        return refuse("TABLE_CLOSED")
    return (NoticeGiven(actor.person),)


def close_table(state: TableState, _: CloseTable, actor: Actor) -> Decision:
    """Close a table between rounds, after notice."""
    if state.phase is not Phase.READY:
        return refuse("TABLE_CLOSED" if state.phase is Phase.CLOSED else "ROUND_UNDER_WAY")
    if not state.notice_given:
        return refuse("NOTICE_FIRST")
    if state.felt is None:
        return (TableClosed(actor.person),)
    refusal = paying_refusal(state)
    return refusal or (*keep_money(state), TableClosed(actor.person))
