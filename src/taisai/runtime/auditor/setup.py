"""Auditing how a table is set up, opened, stopped and closed."""

import hashlib
from datetime import datetime
from typing import Any

from taisai.core.kernel.messages import Instant, LimitsAsked
from taisai.core.table.approval import AdoptDepartures, DeparturesAdopted, DeparturesSet
from taisai.core.table.betting import RoundVoided
from taisai.core.table.damage import DiceFoundUndamaged, DiceQuarantined, FindUndamaged
from taisai.core.table.interruption import InterruptionRecorded
from taisai.core.table.irregularities import IrregularityReported
from taisai.core.table.opening import LightsVerified
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.setup import (
    AdoptRulebook,
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
from taisai.runtime.auditor.chips import ChipTable
from taisai.runtime.auditor.opening import check_equipment
from taisai.runtime.auditor.pay_tables import Rules, read_rules
from taisai.runtime.auditor.provably_fair import check_stop
from taisai.runtime.auditor.registry import audits
from taisai.runtime.auditor.table import UNDER_WAY, AuditedTable, Position


@audits
def created(table: AuditedTable, event: TableCreated, _: Instant) -> None:
    """A table is created once, under its own name."""
    if table.created or event.table != table.name:
        raise table.wrong("it was created twice, or under another name")
    table.created = True
    table.equipment = event.equipment
    table.handpay_threshold = event.handpay_threshold
    table.operator = event.operator
    if event.chips is not None:
        table.chips = ChipTable(event.chips)


@audits
def enrolled(table: AuditedTable, event: TerminalEnrolled, _: Instant) -> None:
    """A terminal is enrolled once, by two persons."""
    command = table.second.take(EnrolTerminal, "a terminal was enrolled")
    if event.terminal in table.positions or command.terminal != event.terminal:
        raise table.wrong(
            "terminal {terminal} was enrolled twice, or unasked", terminal=event.terminal
        )
    table.positions[event.terminal] = Position()


@audits
def adopted(table: AuditedTable, event: RulebookAdopted, at: Instant) -> None:
    """A rulebook is adopted on a closed table, by two persons, with its right fingerprint."""
    table.expect("closed")
    command = table.second.take(AdoptRulebook, "a rulebook was adopted")
    rules = read_rules(event.canonical, event.pay_table)
    fingerprint = hashlib.sha256(event.canonical.encode()).hexdigest()
    asked = (command.pay_table, event.sha256, event.key)
    if asked != (event.pay_table, fingerprint, rules.key):
        raise table.wrong("the rulebook adopted is not the one it is said to be")
    if event.departures != _written(table, rules, at):
        raise table.wrong(
            "{key} was adopted by {departures}, which is not written so",
            key=rules.key,
            departures=event.departures,
        )
    table.rules = rules
    table.adopted = [each for each in table.adopted if each[0] <= table.round]
    table.adopted.append((table.round + 1, rules))
    table.limits = None
    table.checks = set()
    table.tested = None


@audits
def departing(table: AuditedTable, event: DeparturesSet, _: Instant) -> None:
    """A departure has a person's name and a paper."""
    table.planned = _papers(table, event)


@audits
def departing_by_two(table: AuditedTable, event: DeparturesAdopted, _: Instant) -> None:
    """Two persons agreed to exactly these departures; those of the plan stay."""
    command = table.second.take(AdoptDepartures, "departures were adopted")
    asked, agreed = table.second.persons()
    if (event.by, event.second) != (asked.person, agreed.person):
        raise table.wrong("departures are laid to others than those who agreed")
    if command.departures != event.departures:
        raise table.wrong("the departures adopted are not those agreed to")
    if asked.role not in ("pit-manager", "shift-manager"):
        raise table.wrong("a {role} had departures adopted", role=asked.role)
    table.agreed = _papers(table, event)


def _papers(table: AuditedTable, event: DeparturesSet | DeparturesAdopted) -> tuple[Any, ...]:
    """Give the departures of an event, each approved by a person and a paper."""
    if not all(each.approved_by.strip() and each.reference.strip() for each in event.departures):
        raise table.wrong("a departure that nobody approved, or without its paper")
    return event.departures


def _written(table: AuditedTable, rules: Rules, at: Instant) -> tuple[Any, ...]:
    """Give a table's departures from a rulebook; it is an error if one is missing [D30]."""
    if table.operator is None:
        return ()
    form = "terminals" if table.chips is None else "chips"
    since = 0.0 if rules.effective is None else datetime.fromisoformat(rules.effective).timestamp()
    wrong = {
        "operator": rules.approval.get("operator", table.operator) != table.operator,
        "form": form not in rules.approval["forms"],
        "dice": table.equipment.tumbler not in rules.approval["dice"],
        "date": at < 1000 * since,
    }
    own = [each for each in (*table.planned, *table.agreed) if each.rulebook == rules.key]
    for aspect, so in wrong.items():
        if so and aspect not in [each.aspect for each in own]:
            raise table.wrong(
                "{key} is not approved for it: {aspect}", key=rules.key, aspect=aspect
            )
    return tuple(each for each in own if wrong[each.aspect])


@audits
def limited(table: AuditedTable, event: LimitsSet, _: Instant) -> None:
    """Limits are set between rounds, by two persons, and when a chip table has been paid."""
    table.expect("closed", "between")
    table.expect_playing()
    command = table.second.take(SetLimits, "limits were set")
    if command.limits != event.limits:
        raise table.wrong("the limits set are not those agreed to")
    _check_sign(table, event.limits)
    table.limits = event.limits


def _check_sign(table: AuditedTable, limits: LimitsAsked) -> None:
    """A sign has no limit of zero, and a Differential exactly if the pay table has one."""
    own = [each for pair in limits.boxes.values() for each in pair]
    if 0 in (limits.minimum, limits.maximum, limits.differential, *own):
        raise table.wrong("a limit of nothing was set")
    rules = table.rules_in_force()
    pairs = [set(pair) for pair in rules.limits.get("differential_pairs", ())]
    if any(pair <= set(rules.boxes) for pair in pairs) is (limits.differential is None):
        raise table.wrong("limits were set without the Differential, or with one nobody knows")


@audits
def dice_registered(table: AuditedTable, event: DiceRegistered, _: Instant) -> None:
    """Dice are changed between rounds only, and never for damaged ones."""
    table.expect("closed", "between")
    if event.dice_set in table.quarantined or event.seal in table.quarantined.values():
        raise table.wrong(
            "damaged dice came back: {dice_set} under seal {seal}",
            dice_set=event.dice_set,
            seal=event.seal,
        )
    table.dice_in_use = event.dice_set
    table.seals[event.dice_set] = event.seal
    table.checks -= {"dice-sealed"}
    table.dice.append((table.round + 1, event.dice_set))


@audits
def quarantined(table: AuditedTable, event: DiceQuarantined, _: Instant) -> None:
    """Damaged dice are out of play, and their round is void, or the game stops."""
    rules, name = table.rules_in_force(), event.dice_set
    if table.seals.get(name) != event.seal or name in table.quarantined:
        raise table.wrong(
            "dice {name} were put away, which are not here, or are already", name=name
        )
    if event.clause != rules.ground_of("damaged-dice"):
        raise table.wrong("damaged dice are put away by {clause}", clause=event.clause)
    table.quarantined[name] = event.seal
    if name != table.dice_in_use:
        return
    table.dice_in_use = None
    table.dice.append((table.round + 1, None))
    fault = rules.irregularities.get("damaged-dice", {})
    if fault.get("stops_table"):
        table.due = () if table.stopped else (TableStopped,)
    elif table.phase in UNDER_WAY and fault:
        table.due = (RoundVoided, IrregularityReported)


@audits
def undamaged(table: AuditedTable, event: DiceFoundUndamaged, _: Instant) -> None:
    """Dice leave quarantine when two persons have found them whole."""
    command = table.second.take(FindUndamaged, "dice were found undamaged")
    if command.dice_set != event.dice_set or event.dice_set not in table.quarantined:
        raise table.wrong(
            "dice {dice_set} were found undamaged, and not those put away", dice_set=event.dice_set
        )
    del table.quarantined[event.dice_set]


@audits
def opened(table: AuditedTable, _: TableOpened, at: Instant) -> None:
    """A table opens with rules, limits and dice, with every check made, and not while stopped."""
    table.expect("closed")
    _written(table, table.rules_in_force(), at)
    missing = table.checks_missing()
    if missing:
        raise table.wrong("it opened without {named}", named=", ".join(missing))
    check_equipment(table)
    if table.limits is None or table.dice_in_use is None:
        raise table.wrong("it opened without limits or dice")
    if table.stopped:
        raise table.wrong("it opened while it was stopped")
    if table.chips is not None and table.chips.day is None:
        raise table.wrong("it opened without a gaming day")
    table.phase = "between"
    table.notice = False
    table.tested = None


@audits
def noticed(table: AuditedTable, _: NoticeGiven, __: Instant) -> None:
    """Notice is given to the players."""
    table.notice = True


@audits
def closed(table: AuditedTable, _: TableClosed, __: Instant) -> None:
    """A table closes between rounds, after notice."""
    table.expect("between")
    table.expect_playing()
    if not table.notice:
        raise table.wrong("it closed without notice")
    table.phase = "closed"
    table.checks = set()


@audits
def stopped(table: AuditedTable, event: TableStopped, _: Instant) -> None:
    """A table stops if the rulebook says so of a fault, or if its dice were not its secret's."""
    secret = table.happened(SecretRevealed)
    if secret is not None:
        check_stop(table, event, agrees=secret.agrees)
        table.stopped = True
        return
    code = _fault(table)
    if code is None or table.stopped:
        raise table.wrong("it stopped without a fault, or twice")
    fault = table.rules_in_force().irregularities[code]
    if event.clause != (fault.get("stops_clause") or fault.get("clause")):
        raise table.wrong("it stopped by {clause}", clause=event.clause)
    table.stopped = True


def _fault(table: AuditedTable) -> str | None:
    """Find why a table stops: a report, damaged dice, an interruption."""
    reported = table.happened(IrregularityReported)
    if reported is not None:
        return str(reported.code)
    if table.happened(DiceQuarantined) is not None:
        return "damaged-dice"
    if table.happened(LightsVerified) is not None:
        # Wrong lights in a test run are a malfunction of the equipment.
        return "malfunction"
    if table.happened(InterruptionRecorded) is None:
        return None
    drawn = table.phase in ("shown", "called") or "device" in table.reported
    return "interrupted-with-outcome" if drawn else "interrupted-without-outcome"


@audits
def rectified(table: AuditedTable, _: TableRectified, __: Instant) -> None:
    """Only a stopped table is rectified."""
    if not table.stopped:
        raise table.wrong("it was rectified and not stopped")
    table.stopped = False


@audits
def made_safe(table: AuditedTable, _: SafeProcedureDeclared, __: Instant) -> None:
    """A safe procedure takes two persons."""
    table.second.take(DeclareSafeProcedure, "a safe procedure was declared")
    if not table.stopped:
        raise table.wrong("a safe procedure was declared and nothing was stopped")
    table.stopped = False
