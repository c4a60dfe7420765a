"""Auditing interruptions: the ruling on a round cut short, and what two persons testified."""

from taisai.core.kernel.messages import Instant
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.by_hand import (
    EnterRoundByHand,
    HandPaymentDiffered,
    RoundDealtByHand,
)
from taisai.core.table.interruption import (
    DeclareOutcome,
    InterruptionRecorded,
    OutcomeTestified,
    PlayResumed,
    ResumePlay,
)
from taisai.core.table.round import ResultEntered, RoundSettled
from taisai.core.table.setup import TableStopped
from taisai.runtime.auditor.chips import chips_of
from taisai.runtime.auditor.registry import audits
from taisai.runtime.auditor.table import UNDER_WAY, AuditedTable, throw_of

_PEOPLE_LOOK = ("keyed", "reader")


@audits
def interrupted(table: AuditedTable, event: InterruptionRecorded, _: Instant) -> None:
    """An interrupted round is concluded, waits for people, or is void, as D9 and D27 say."""
    code, ruling = _ruling_on_interruption(table)
    if event.ruling != ruling:
        raise table.wrong(
            "an interruption was ruled {ruling}, not {ruling_2}",
            ruling=event.ruling,
            ruling_2=ruling,
        )
    if ruling == "none":
        return
    rules = table.rules_in_force()
    if event.clause != rules.ground_of(code):
        raise table.wrong("an interruption was ruled by {clause}", clause=event.clause)
    table.waiting |= ruling in ("wait", "testify")
    if ruling == "testify":
        chips_of(table).interrupted = True
    if ruling == "void-round":
        table.due = (RoundVoided,)
    elif rules.irregularities.get(code, {}).get("stops_table") and not table.stopped:
        table.due = (TableStopped,)


def _ruling_on_interruption(table: AuditedTable) -> tuple[str, str]:
    """Give the documents' case that applies, of the two, and its ruling."""
    drawn = table.phase in ("shown", "called") or "device" in table.reported
    if table.phase == "closed" or (table.chips is None and table.phase == "between"):
        return "", "none"
    if table.chips is None and not table.doubted and table.phase == "shut":
        # The secret of a verifiable round gives its dice, drawn or not.
        drawn |= table.equipment.tumbler == "verifiable"
    code = "interrupted-with-outcome" if drawn else "interrupted-without-outcome"
    if table.chips is not None:
        return code, "testify"
    looks = table.phase == "shut" and table.equipment.tumbler in _PEOPLE_LOOK
    if not drawn and (looks or table.doubted):
        return code, "wait"
    voids = table.rules_in_force().ruling_on(code) == "void-round"
    return code, "void-round" if voids else "conclude"


@audits
def testified(table: AuditedTable, event: OutcomeTestified, _: Instant) -> None:
    """Two persons testify to exactly what the journal lacks, at a table where people deal."""
    command = table.second.take(DeclareOutcome, "something was testified to")
    lacking = {"closed": table.phase == "betting", "tumbled": not table.tumbled}
    facts = [fact for fact, so in lacking.items() if so]
    if sorted(event.facts) != facts or set(command.testified) != set(facts):
        raise table.wrong(
            "{facts} was testified to, and {facts_2} is lacking", facts=event.facts, facts_2=facts
        )
    table.expect("betting", "shut")
    if table.chips is None and (facts != ["tumbled"] or table.equipment.tumbler != "keyed"):
        raise table.wrong("{facts} was testified to where devices deal", facts=event.facts)
    table.phase = "shut"
    table.tumbled = True
    table.due = (ResultEntered,)


@audits
def resumed(table: AuditedTable, _: PlayResumed, __: Instant) -> None:
    """Play goes on at a chip table when two persons have said what happened."""
    layout = chips_of(table)
    if not layout.interrupted:
        raise table.wrong("play was resumed that was not interrupted")
    if not isinstance(table.second.granted, DeclareOutcome):
        table.second.take(ResumePlay, "play was resumed")
    table.waiting = layout.interrupted = False


# --- rounds dealt by hand ------------------------------------------------------------------------


@audits
def dealt_by_hand(table: AuditedTable, event: RoundDealtByHand, _: Instant) -> None:
    """A round dealt by hand is entered by two persons, before play resumes."""
    layout = chips_of(table)
    command = table.second.take(EnterRoundByHand, "a round was entered that was dealt by hand")
    table.expect(*UNDER_WAY)
    if event.round != table.round or not layout.interrupted or table.doubted:
        raise table.wrong("round {round} was entered as dealt by hand", round=event.round)
    if table.equipment.tumbler not in _PEOPLE_LOOK:
        raise table.wrong(
            "dice of a {tumbler} tumbler were thrown by hand", tumbler=table.equipment.tumbler
        )
    layout.by_hand = command


def check_by_hand(table: AuditedTable, event: RoundSettled) -> None:
    """Check that a round was entered as two persons said, and find players paid otherwise."""
    layout = chips_of(table)
    command: EnterRoundByHand | None = layout.by_hand
    if command is None:
        return
    layout.by_hand, layout.settled_by_hand = None, table.round
    if throw_of(command.faces) != throw_of(event.faces):
        raise table.wrong("a round dealt by hand was entered with {faces}", faces=event.faces)
    _check_layout(table, command)
    won: dict[str, int] = {}
    for line in event.lines:
        won[line.position] = won.get(line.position, 0) + line.won
    paid = {each.seat: each.amount for each in command.paid}
    layout.differs = {
        seat: (paid.get(seat, 0), won.get(seat, 0))
        for seat in {*won, *paid}
        if paid.get(seat, 0) != won.get(seat, 0)
    }


def _check_layout(table: AuditedTable, command: EnterRoundByHand) -> None:
    """Check that the layout is as two persons said; bets of players who left, apart."""
    layout = chips_of(table)
    if command.stacks is None:
        return
    said: dict[tuple[str, str, int | str], int] = {}
    for stack in command.stacks:
        for each in stack.chips:
            where = (stack.seat, stack.box, each.chip)
            said[where] = said.get(where, 0) + each.count
    spoken_of = {stack.seat for stack in command.stacks}
    lies: dict[tuple[str, str, int | str], int] = {}
    for own in layout.stacks:
        if own.seat in spoken_of or not layout.seated[own.seat]:
            for chip, count in own.chips.items():
                where = (own.seat, own.box, chip)
                lies[where] = lies.get(where, 0) + count
    if said != {where: count for where, count in lies.items() if count}:
        raise table.wrong(
            "{lies} was settled as dealt by hand, and {said} was said to lie there",
            lies=lies,
            said=said,
        )


@audits
def differed(table: AuditedTable, event: HandPaymentDiffered, _: Instant) -> None:
    """Each player paid otherwise than by the dice is named; an overpayment is to be recovered."""
    layout = chips_of(table)
    if layout.differs.pop(event.seat, None) != (event.paid, event.due):
        raise table.wrong(
            "seat {seat} was paid {paid}, and is due {due}",
            seat=event.seat,
            paid=event.paid,
            due=event.due,
        )
    if event.paid > event.due and not layout.seated[event.seat]:
        owing = layout.recovering.get(event.seat, 0)
        layout.recovering[event.seat] = owing + event.paid - event.due
    if layout.differs:
        table.due = (HandPaymentDiffered,)
