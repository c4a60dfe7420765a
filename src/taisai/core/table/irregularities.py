"""What goes wrong: reported, ruled by the document's clause, and recorded.

A report of what physically happened is never refused as out of order [D5]. A round voided after
its dice were uncovered takes two persons [D14]: until the second agrees it is in doubt, and nothing
more is bet or entered.
"""

from typing import Literal

from taisai.core.kernel.approvals import CommandDeclined, request
from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant, Order, Sender
from taisai.core.kernel.registry import TABLE, applies, command, decides, event, waits
from taisai.core.kernel.roles import PIT, PIT_AND_DEALER
from taisai.core.rules.reason import refuse
from taisai.core.table.betting import voided
from taisai.core.table.setup import TableStopped
from taisai.core.table.state import (
    IN_ROUND,
    Phase,
    TableState,
    ground_of,
    in_force,
    outcome_is_recorded,
    ruling_on,
)

#: Reports that mean somebody saw the dice.
_SEEN = ("die-not-flat", "dice-exposed", "tumbled-too-early")
#: These have commands of their own, which say what else is needed.
_ELSEWHERE = {
    "damaged-dice": "ReportDamage",
    "wrong-result-settled": "CorrectSettledRound",
    "interrupted-with-outcome": "RecordInterruption",
    "interrupted-without-outcome": "RecordInterruption",
    "terminal-lost-registered": "LoseTerminal",
    "terminal-lost-unregistered": "LoseTerminal",
}


@command(at=TABLE, by=("system", "device", *PIT_AND_DEALER), second=PIT_AND_DEALER, doubts=True)
class ReportIrregularity(Command, frozen=True):
    code: str
    note: str = ""


@event(at=TABLE, posts=False)
class IrregularityReported(Event, frozen=True):
    code: str
    ruling: str
    clause: str | None
    by: str
    note: str
    in_doubt: bool = False


@decides
def report_irregularity(
    state: TableState, command: ReportIrregularity, actor: Sender, at: Instant
) -> Decision:
    """Rule on what was reported as the rulebook rules, and record it.

    Where a second person agrees, the round that was in doubt is void.

    [ts6 5.5, 5.10, 5.14(a); etg8 5.3, 5.10(a); div9 7.1, 7.1(d), 7.3]
    """
    if actor.second is not None:
        assert state.in_doubt == command.code, "what waits is the report that put it in doubt"
        return (voided(state, command.code),)
    if state.phase in (Phase.NEW, Phase.CLOSED):
        return refuse("TABLE_CLOSED")
    if command.code in _ELSEWHERE:
        return refuse("HAS_ITS_OWN_COMMAND", code=command.code, name=_ELSEWHERE[command.code])
    found = ruling_on(state, command.code)
    clause = ground_of(state, found)
    ruling = "shift-manager-rules" if found is None else found.ruling
    if ruling == "void-round":
        if state.phase not in IN_ROUND:
            return refuse("NO_ROUND", clause)
        return doubt(state, command.code, actor, at, command.note)
    reported = IrregularityReported(command.code, ruling, clause, actor.person, command.note)
    if found is not None and found.stops_table and state.stopped is None:
        return (reported, TableStopped(found.stops_clause or clause, command.note))
    return (reported,)


def doubt(
    state: TableState,
    code: str,
    actor: Actor,
    at: Instant,
    note: str,
    started: tuple[Event, ...] = (),
) -> tuple[Event, ...]:
    """Void the round, at once or, where the dice were seen, with a second person."""
    clause = ground_of(state, ruling_on(state, code))
    seen = dice_were_seen(state, code)
    reported = IrregularityReported(code, "void-round", clause, actor.person, note, in_doubt=seen)
    if seen:
        order = Order("", Actor(actor.person, actor.role), ReportIrregularity(code, note))
        return (reported, request(state.version + len(started) + 1, order, at))
    number = state.round if state.phase in IN_ROUND else state.round + 1
    return (reported, voided(state, code, number))


def dice_were_seen(state: TableState, code: str) -> bool:
    """Say whether the dice have been seen, as far as the table knows."""
    in_the_open = in_force(state).content.procedure.tumble.cover == "open"
    return (
        code in _SEEN
        or state.in_doubt is not None
        or (in_the_open and code == "bad-tumble")
        or (state.tumbled and state.phase in (Phase.NO_MORE_BETS, Phase.RESULT, Phase.CONFIRMED))
    )


@waits
def _waits(_state: TableState, _command: ReportIrregularity) -> bool:
    """Never here: the report is recorded at once, and asks itself for a second person."""
    return False


@applies
def irregularity_reported(state: TableState, event: IrregularityReported) -> None:
    if event.in_doubt:
        state.in_doubt = event.code


@command(at=TABLE, by=("system", *PIT))
class RecordInterruption(Command, frozen=True):
    note: str = ""


@event(at=TABLE, posts=False)
class InterruptionRecorded(Event, frozen=True):
    """A technical interruption: the round goes on, waits for a declaration, or was void anyway."""

    ruling: Literal["conclude", "wait", "void-round", "none"]
    clause: str | None
    note: str


@decides
def record_interruption(
    state: TableState, command: RecordInterruption, _actor: Actor, _at: Instant
) -> Decision:
    """Apply the rule for a technical interruption: conclude, wait, or void [D9].

    [ts6 5.4.1, 5.4.2; etg8 5.1.1, 5.1.2]
    """
    if state.phase not in IN_ROUND:
        return (InterruptionRecorded("none", None, command.note),)
    without = ground_of(state, ruling_on(state, "interrupted-without-outcome"))
    outcome = ground_of(state, ruling_on(state, "interrupted-with-outcome"))
    if _outcome_is_there(state):
        return (InterruptionRecorded("conclude", outcome, command.note),)
    if state.in_doubt is not None or _physical_dice_wait(state):
        return (InterruptionRecorded("wait", without, command.note),)
    recorded = InterruptionRecorded("void-round", without, command.note)
    return (recorded, voided(state, "interrupted-without-outcome"))


def _outcome_is_there(state: TableState) -> bool:
    """Say whether a result is recorded, or follows from what the journal holds."""
    if outcome_is_recorded(state):
        return True
    verifiable = state.equipment.tumbler == "verifiable" and state.in_doubt is None
    return verifiable and state.phase is Phase.NO_MORE_BETS


def _physical_dice_wait(state: TableState) -> bool:
    """Say whether dice are on a table, bets closed, that two persons can look at."""
    physical = state.equipment.tumbler in ("keyed", "reader")
    return physical and state.phase is Phase.NO_MORE_BETS


@applies
def interruption_recorded(state: TableState, event: InterruptionRecorded) -> None:
    if event.ruling == "wait":
        state.waiting = True


@applies
def command_declined(state: TableState, event: CommandDeclined) -> None:
    if event.lifts_doubt:
        state.in_doubt = None
