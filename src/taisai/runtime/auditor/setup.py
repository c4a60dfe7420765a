"""Auditing how a table is set up, opened, stopped and closed."""

import hashlib

from taisai.core.kernel.messages import Instant
from taisai.core.table.irregularities import IrregularityReported
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.setup import (
    AdoptRulebook,
    ChecksRecorded,
    DeclareSafeProcedure,
    DiceRegistered,
    EnrolTerminal,
    LimitsSet,
    NoticeGiven,
    RulebookAdopted,
    SafeProcedureDeclared,
    SetLimits,
    TableClosed,
    TableCreated,
    TableOpened,
    TableRectified,
    TableStopped,
    TerminalEnrolled,
)
from taisai.runtime.auditor.chips import Layout
from taisai.runtime.auditor.pay_tables import read_rules
from taisai.runtime.auditor.provably_fair import check_stop
from taisai.runtime.auditor.table import Seat, Watched


def created(table: Watched, event: TableCreated, _: Instant) -> None:
    """A table is created once, under its own name."""
    if table.created or event.table != table.name:
        raise table.wrong("it was created twice, or under another name")
    table.created = True
    table.equipment = event.equipment
    table.handpay_threshold = event.handpay_threshold
    if event.chips is not None:
        table.felt = Layout(event.chips)


def enrolled(table: Watched, event: TerminalEnrolled, _: Instant) -> None:
    """A terminal is enrolled once, by two persons."""
    command = table.second.take(EnrolTerminal, "a terminal was enrolled")
    if event.terminal in table.seats or command.terminal != event.terminal:
        raise table.wrong(f"terminal {event.terminal} was enrolled twice, or unasked")
    table.seats[event.terminal] = Seat()


def adopted(table: Watched, event: RulebookAdopted, _: Instant) -> None:
    """A rulebook is adopted on a closed table, by two persons, as its fingerprint says."""
    table.expect("closed")
    command = table.second.take(AdoptRulebook, "a rulebook was adopted")
    rules = read_rules(event.canonical, event.pay_table)
    fingerprint = hashlib.sha256(event.canonical.encode()).hexdigest()
    asked = (command.pay_table, event.sha256, event.key)
    if asked != (event.pay_table, fingerprint, rules.key):
        raise table.wrong("the rulebook adopted is not the one it is said to be")
    table.rules = rules
    table.limits = None
    table.checks = set()


def limited(table: Watched, event: LimitsSet, _: Instant) -> None:
    """Limits are set between rounds, by two persons, and when a felt has been paid."""
    table.expect("closed", "between")
    if table.felt is not None and table.felt.owed is not None:
        raise table.wrong("limits were set before the winners were paid")
    command = table.second.take(SetLimits, "limits were set")
    if command.limits != event.limits:
        raise table.wrong("the limits set are not those agreed to")
    table.limits = event.limits


def dice_registered(table: Watched, event: DiceRegistered, _: Instant) -> None:
    """Dice are changed between rounds only."""
    table.expect("closed", "between")
    if table.dice_in_use is not None:
        table.dice[table.dice_in_use][1] = table.round
    table.dice_in_use = event.dice_set
    table.dice[event.dice_set] = [table.round + 1, None]


def checked(table: Watched, event: ChecksRecorded, _: Instant) -> None:
    """Checks belong to a closed table."""
    table.expect("closed")
    table.checks |= set(event.checks)


def opened(table: Watched, _: TableOpened, __: Instant) -> None:
    """A table opens on rules, limits and dice, with every check made, and not while stopped."""
    table.expect("closed")
    asked = {check["code"] for check in table.rules_in_force().procedure.get("opening_checks", ())}
    if not asked <= table.checks:
        raise table.wrong(f"it opened without {', '.join(sorted(asked - table.checks))}")
    if table.limits is None or table.dice_in_use is None:
        raise table.wrong("it opened without limits or dice")
    if table.stopped:
        raise table.wrong("it opened while it was stopped")
    if table.felt is not None and table.felt.day is None:
        raise table.wrong("it opened without a gaming day")
    table.phase = "between"
    table.notice = False


def noticed(table: Watched, _: NoticeGiven, __: Instant) -> None:
    """Notice is given to those who play."""
    table.notice = True


def closed(table: Watched, _: TableClosed, __: Instant) -> None:
    """A table closes between rounds, after notice."""
    table.expect("between")
    if not table.notice:
        raise table.wrong("it closed without notice")
    if table.felt is not None and table.felt.owed is not None:
        raise table.wrong("it closed before the winners were paid")
    table.phase = "closed"
    table.checks = set()


def stopped(table: Watched, event: TableStopped, _: Instant) -> None:
    """A table stops where the rulebook says so of a fault, or where its dice were not drawn."""
    secret = table.happened(SecretRevealed)
    if secret is not None:
        check_stop(table, event, agrees=secret.agrees)
        table.stopped = True
        return
    reported = table.happened(IrregularityReported)
    if reported is None or table.stopped:
        raise table.wrong("it stopped without a fault, or twice")
    fault = table.rules_in_force().irregularities[reported.code]
    if event.clause != (fault.get("stops_clause") or fault.get("clause")):
        raise table.wrong(f"it stopped by {event.clause}")
    table.stopped = True


def rectified(table: Watched, _: TableRectified, __: Instant) -> None:
    """Only what is stopped is rectified."""
    if not table.stopped:
        raise table.wrong("it was rectified and not stopped")
    table.stopped = False


def made_safe(table: Watched, _: SafeProcedureDeclared, __: Instant) -> None:
    """A safe procedure takes two persons."""
    table.second.take(DeclareSafeProcedure, "a safe procedure was declared")
    if not table.stopped:
        raise table.wrong("a safe procedure was declared and nothing was stopped")
    table.stopped = False
