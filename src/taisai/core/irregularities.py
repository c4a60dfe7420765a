"""What goes wrong: reported, ruled by the document's clause, and recorded.

A report of what physically happened is never refused as out of order [D5]. A round voided after
its dice were uncovered takes two persons [D14]: until the second agrees it is in doubt, and nothing
more is bet or entered.
"""

from taisai.core.approvals import request
from taisai.core.commands import (
    DeclareOutcome,
    DeclareSafeProcedure,
    Order,
    RecordInterruption,
    RecordTumble,
    Rectify,
    ReportIrregularity,
)
from taisai.core.decision import Decision, ground_of, in_force, ruling_on, sorted_faces
from taisai.core.events import (
    InterruptionRecorded,
    IrregularityReported,
    ResultEntered,
    RoundVoided,
    SafeProcedureDeclared,
    TableEvent,
    TableRectified,
    TableStopped,
)
from taisai.core.messages import Actor, Instant, SettledLine
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table_state import IN_ROUND, Phase, TableState

#: Reports that mean somebody saw the dice.
_SEEN = ("die-not-flat", "dice-exposed", "tumbled-too-early")
#: These have commands of their own, which say what else is needed.
_ELSEWHERE = {
    "damaged-dice": "VoidSettledRounds",
    "wrong-result-settled": "CorrectSettledRound",
    "interrupted-with-outcome": "RecordInterruption",
    "interrupted-without-outcome": "RecordInterruption",
    "terminal-lost-registered": "LoseTerminal",
    "terminal-lost-unregistered": "LoseTerminal",
}


def voided(state: TableState, code: str, number: int | None = None) -> RoundVoided:
    """Void the round under way: every bet of it goes back."""
    returned = tuple(
        SettledLine(terminal, box, stake, 0, stake)
        for terminal, seat in state.terminals.items()
        for box, stake in seat.bets.items()
    )
    clause = ground_of(state, ruling_on(state, code))
    return RoundVoided(state.round if number is None else number, code, clause, returned)


def tumble_irregularity(state: TableState, command: RecordTumble) -> str | None:
    """Tell what was wrong with a tumble, if anything."""
    tumble = in_force(state).content.procedure.tumble
    early = state.phase in (Phase.READY, Phase.TUMBLED, Phase.BETTING)
    if tumble.order == "after-close" and early:
        return "tumbled-too-early"
    if command.times < tumble.at_least:
        return "bad-tumble"
    if not command.flat:
        return "die-not-flat"
    if tumble.cover == "covered" and early and not command.concealed:
        return "dice-exposed"
    return None


def _uncovered(state: TableState, code: str) -> bool:
    """Say whether the dice have been seen, as far as the table knows."""
    in_the_open = in_force(state).content.procedure.tumble.cover == "open"
    return (
        code in _SEEN
        or state.in_doubt is not None
        or (in_the_open and code == "bad-tumble")
        or (state.tumbled and state.phase in (Phase.NO_MORE_BETS, Phase.RESULT, Phase.CONFIRMED))
    )


def doubt(
    state: TableState,
    code: str,
    actor: Actor,
    at: Instant,
    note: str,
    started: tuple[TableEvent, ...] = (),
) -> tuple[TableEvent, ...]:
    """Void the round, at once or, where the dice were seen, with a second person."""
    clause = ground_of(state, ruling_on(state, code))
    seen = _uncovered(state, code)
    reported = IrregularityReported(code, "void-round", clause, actor.person, note, in_doubt=seen)
    if seen:
        order = Order("", actor, ReportIrregularity(code, note))
        return (reported, request(state, order, at, after=len(started) + 1))
    number = state.round if state.phase in IN_ROUND else state.round + 1
    return (reported, voided(state, code, number))


def report_irregularity(
    state: TableState, command: ReportIrregularity, actor: Actor, at: Instant
) -> Decision:
    """Rule on what was reported as the rulebook rules, and record it."""
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


def void_approved(state: TableState, command: ReportIrregularity) -> Decision:
    """Void the round in doubt, now that two persons say so."""
    assert state.in_doubt == command.code, "what waits is the report that put the round in doubt"
    return (voided(state, command.code),)


def record_interruption(state: TableState, command: RecordInterruption) -> Decision:
    """Apply the rule for a technical interruption: conclude, wait, or void [D9]."""
    if state.phase not in IN_ROUND:
        return (InterruptionRecorded("none", None, command.note),)
    without = ground_of(state, ruling_on(state, "interrupted-without-outcome"))
    outcome = ground_of(state, ruling_on(state, "interrupted-with-outcome"))
    if _outcome_is_there(state):
        return (InterruptionRecorded("conclude", outcome, command.note),)
    if state.in_doubt is not None or _physical_dice_lie(state):
        return (InterruptionRecorded("wait", without, command.note),)
    recorded = InterruptionRecorded("void-round", without, command.note)
    return (recorded, voided(state, "interrupted-without-outcome"))


def outcome_is_recorded(state: TableState) -> bool:
    """Say whether the journal has the dice of the round under way."""
    return state.phase in (Phase.RESULT, Phase.CONFIRMED) or "device" in state.reported


def _outcome_is_there(state: TableState) -> bool:
    """Say whether a result is recorded, or follows from what the journal holds."""
    if outcome_is_recorded(state):
        return True
    verifiable = state.equipment.tumbler == "verifiable" and state.in_doubt is None
    return verifiable and state.phase is Phase.NO_MORE_BETS


def _physical_dice_lie(state: TableState) -> bool:
    """Say whether dice lie on a table, bets closed, that two persons can look at."""
    physical = state.equipment.tumbler in ("keyed", "reader")
    return physical and state.phase is Phase.NO_MORE_BETS


def declare_outcome(state: TableState, command: DeclareOutcome, actor: Actor) -> Decision:
    """Declare what the dice showed, or that they showed nothing, where the round waits for it."""
    if not state.waiting:
        return refuse("NOTHING_TO_DECLARE")
    if command.faces is None:
        return (voided(state, "interrupted-without-outcome"),)
    if state.in_doubt is not None:
        return refuse("ROUND_IN_DOUBT", code=state.in_doubt)
    if state.phase is not Phase.NO_MORE_BETS:
        return refuse("BETS_STILL_OPEN", in_force(state).content.procedure.betting.closes_clause)
    faces = sorted_faces(command.faces)
    if isinstance(faces, Refusal):
        return faces
    return (ResultEntered(faces, "declared", actor.person),)


def rectify(state: TableState, command: Rectify, actor: Actor) -> Decision:
    """Put a stopped table back in order."""
    if state.stopped is None:
        return refuse("NOT_STOPPED")
    if not command.note.strip():
        return refuse("NOTE_MISSING", state.stopped)
    return (TableRectified(actor.person, command.note),)


def declare_safe_procedure(
    state: TableState, command: DeclareSafeProcedure, actor: Actor
) -> Decision:
    """Go on by a procedure that keeps the game honest, said who and why [div9 7.4]."""
    if state.stopped is None:
        return refuse("NOT_STOPPED")
    if not command.note.strip():
        return refuse("NOTE_MISSING", state.stopped)
    return (SafeProcedureDeclared(actor.person, command.note),)
