"""Auditing irregularities: each ruled by the rulebook, found by two persons, and announced."""

from taisai.core.kernel.approvals import ApprovalRequested, CommandDeclined
from taisai.core.kernel.messages import Instant
from taisai.core.table.betting import RoundVoided
from taisai.core.table.irregularities import (
    IrregularityReported,
    ReportDeclined,
    ReportIrregularity,
    VoidAnnounced,
)
from taisai.core.table.round import BetsClosed
from taisai.core.table.setup import TableStopped
from taisai.runtime.auditor.approvals import one_alone
from taisai.runtime.auditor.betting import check_read
from taisai.runtime.auditor.registry import audits, routine
from taisai.runtime.auditor.table import UNDER_WAY, AuditedTable

#: A person who reports one of these has seen the dice.
_SEEN = ("die-not-flat", "dice-exposed", "tumbled-too-early")


@audits
def irregular(table: AuditedTable, event: IrregularityReported, _: Instant) -> None:
    """An irregularity is ruled on by the rulebook's clause for it."""
    if table.phase == "closed":
        raise table.wrong("an irregularity of a closed table")
    rules = table.rules_in_force()
    ruled = (rules.ruling_on(event.code), rules.ground_of(event.code))
    if (event.ruling, event.clause) != ruled:
        raise table.wrong(
            "{code} was ruled {ruling} by {clause}, not {ruled}",
            code=event.code,
            ruling=event.ruling,
            clause=event.clause,
            ruled=ruled,
        )
    if event.ruling == "activate-tumbler":
        raise table.wrong(
            "{code} was reported, where the tumbler is simply activated", code=event.code
        )
    if event.device and table.equipment.tumbler == "keyed":
        raise table.wrong("a device read {code} at a table that has none", code=event.code)
    expected = table.due_codes.pop(0) if table.due_codes else (event.code,)
    if event.code not in expected:
        raise table.wrong(
            "a tumble was reported as {code}, not {expected}", code=event.code, expected=expected[0]
        )
    table.due = (IrregularityReported,) if table.due_codes else ()
    found = rules.irregularities.get(event.code, {})
    if found.get("words"):
        table.to_announce = event.code
    if event.code == "uncovered-tumble":
        _check_uncovered(table)
    if event.ruling in ("void-round", "void-affected-rounds"):
        _check_fact(table, event)
    elif found.get("stops_table") and not table.stopped:
        table.due = (TableStopped,)


def _check_uncovered(table: AuditedTable) -> None:
    """Dice without a cover end the reading after the close; before it they are exposed [D29]."""
    covered = table.rules_in_force().procedure["tumble"]["cover"] == "covered"
    if covered and table.phase in ("begun", "betting"):
        raise table.wrong("dice in sight before the close were left to a ruling")
    if table.phase == "shut" and table.tumbled and not table.in_sight:
        check_read(table)
        table.in_sight = True


def _check_fact(table: AuditedTable, event: IrregularityReported) -> None:
    """What voids closes the bets at once; a report on seen dice waits for a supervisor [D20]."""
    table.expect(*UNDER_WAY)
    waits = not event.device and _seen(table, event.code)
    if event.in_doubt != waits:
        reported = {"code": event.code, "by": event.by}
        if event.in_doubt:
            raise table.wrong("{code}, reported by {by}, waits for a supervisor", **reported)
        raise table.wrong("{code}, reported by {by}, voids the round by itself", **reported)
    if waits:
        if event.code in table.doubted:
            raise table.wrong("{code} was reported again while it waits", code=event.code)
        table.doubted[event.code] = event.by
        look_at_dice(table)
    follows = (ApprovalRequested,) if waits else (RoundVoided,)
    if table.phase == "betting":
        table.closes_for = event.code, follows
        table.due = (BetsClosed,)
    else:
        table.due = follows


def look_at_dice(table: AuditedTable) -> None:
    """Whoever reported a die not flat, or tumbled dice exposed, has looked at them [D22]."""
    looked = "die-not-flat" in table.doubted or ("dice-exposed" in table.doubted and table.tumbled)
    table.in_sight = table.in_sight or looked


def _seen(table: AuditedTable, code: str) -> bool:
    """Say whether a person may have seen the dice before the round is void [D14]."""
    if code in _SEEN or table.seen_before:
        return True
    shown = table.rules_in_force().procedure["tumble"]["cover"] == "open"
    return shown and code == "bad-tumble"


@routine
@audits
def declined(table: AuditedTable, event: CommandDeclined, _: Instant) -> None:
    """To decline a report of the dice is to find that it did not happen."""
    order = table.second.decline(event)
    if isinstance(order.command, ReportIrregularity):
        table.due = (ReportDeclined,)
        table.declining = order, event


@audits
def report_declined(table: AuditedTable, event: ReportDeclined, _: Instant) -> None:
    """A finding is on the declined report, by the person who declined it, for the reason given.

    The round goes on as it was; the tumble counts, unless bets had not opened on it, or the tumble
    on record is the one that is found not to have come too early [D20].
    """
    if table.declining is None:
        raise table.wrong(
            "{code} is found not to have happened, and nobody was asked", code=event.code
        )
    order, declined = table.declining
    table.declining = None
    said = (event.code, event.reported_by, event.by, event.note, event.round, event.clause)
    code = order.command.code
    ground = table.rules_in_force().ground_of(code)
    asked = (code, table.doubted.get(code), declined.by, declined.note, table.round, ground)
    if said != asked or one_alone(event.by.person, event.reported_by):
        raise table.wrong(
            "{code} is found not to have happened, other than was declined", code=event.code
        )
    again = table.phase == "begun" or (code == "tumbled-too-early" and table.tumbled_open)
    if event.tumbles_again != again:
        if again:
            raise table.wrong("the dice are not to be tumbled again")
        raise table.wrong("the dice are to be tumbled again")
    del table.doubted[code]
    table.tumbled = table.tumbled and not again
    table.in_sight = table.in_sight and not again
    irregularities = table.rules_in_force().irregularities
    left = [each for each in table.doubted if irregularities.get(each, {}).get("words")]
    table.to_announce = left[-1] if left else None


@audits
def announced(table: AuditedTable, event: VoidAnnounced, _: Instant) -> None:
    """A void spin is announced once, in the document's words for what happened [div9 7.1]."""
    if table.phase == "closed":
        raise table.wrong("a void spin is announced at a closed table")
    table.expect_people("betting")
    rules = table.rules_in_force()
    words = rules.irregularities.get(event.code, {}).get("words")
    said = (event.code, event.round, event.words, event.clause)
    if said != (table.to_announce, table.round, words, rules.ground_of(event.code)):
        raise table.wrong("“{words}” was announced, and was not to be", words=event.words)
    table.to_announce = None
