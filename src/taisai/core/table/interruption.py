"""Interruptions: what becomes of a round that was cut short, and the testimony of two persons.

A table with terminals stops with the system [D9]. A chip table does not: people may have gone on
dealing, so nothing is ruled automatically there, and two persons say what happened [D27].
"""

from typing import Literal

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant
from taisai.core.kernel.registry import CHIP_TABLE, TABLE, applies, command, decides, event
from taisai.core.kernel.roles import PIT, PIT_AND_DEALER
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.betting import voided
from taisai.core.table.round import ResultEntered
from taisai.core.table.setup import TableStopped
from taisai.core.table.state import (
    ENTERED,
    IN_ROUND,
    NOT_OPEN,
    Phase,
    TableState,
    chip_table_of,
    ground_of,
    in_force,
    is_interrupted,
    outcome_is_recorded,
    ruling_on,
    sorted_faces,
)

#: The facts that two persons may testify to if the journal lacks them.
Fact = Literal["closed", "tumbled"]
_WITH, _WITHOUT = "interrupted-with-outcome", "interrupted-without-outcome"


@command(at=TABLE, by=("system", *PIT))
class RecordInterruption(Command, frozen=True):
    note: str = ""


@event(at=TABLE, posts=False, irregular=True)
class InterruptionRecorded(Event, frozen=True):
    """A technical interruption: the round goes on, waits for people, or is void.

    At a chip table two persons say what happened meanwhile.
    """

    ruling: Literal["conclude", "wait", "void-round", "testify", "none"]
    clause: str | None
    note: str


@decides
def record_interruption(
    state: TableState, command: RecordInterruption, _actor: Actor, _at: Instant
) -> Decision:
    """Apply the rule for a technical interruption: conclude, wait, void, or ask people [D9, D27].

    [ts6 5.4, 5.4.1, 5.4.2; etg8 5.1, 5.1.1, 5.1.2; div9 7.3, 7.4]
    """
    note = command.note
    if state.chips is not None and state.phase not in NOT_OPEN:
        code = _WITH if outcome_is_recorded(state) else _WITHOUT
        ruled = InterruptionRecorded("testify", ground_of(state, ruling_on(state, code)), note)
        return (ruled, *_stopped(state, code, note))
    if state.phase not in IN_ROUND:
        return (InterruptionRecorded("none", None, note),)
    there = _outcome_is_there(state)
    code = _WITH if there else _WITHOUT
    found = ruling_on(state, code)
    clause, voids = ground_of(state, found), found is not None and found.ruling == "void-round"
    if not there and (state.in_doubt is not None or _physical_dice_wait(state)):
        return (InterruptionRecorded("wait", clause, note), *_stopped(state, code, note))
    if voids:
        return (InterruptionRecorded("void-round", clause, note), voided(state, code))
    return (InterruptionRecorded("conclude", clause, note), *_stopped(state, code, note))


def _outcome_is_there(state: TableState) -> bool:
    """Say whether a result is recorded, or follows from what the journal holds."""
    if outcome_is_recorded(state):
        return True
    verifiable = state.equipment.tumbler == "verifiable" and state.in_doubt is None
    return verifiable and state.phase is Phase.NO_MORE_BETS


def _physical_dice_wait(state: TableState) -> bool:
    """Say whether there are dice on the table, with bets closed, that two persons can look at."""
    physical = state.equipment.tumbler in ("keyed", "reader")
    return physical and state.phase is Phase.NO_MORE_BETS


def _stopped(state: TableState, code: str, note: str) -> tuple[Event, ...]:
    """Stop the table if the document has the equipment repaired first [div9 7.4]."""
    found = ruling_on(state, code)
    if found is None or not found.stops_table or state.stopped is not None:
        return ()
    return (TableStopped(found.stops_clause or ground_of(state, found), note),)


@applies
def interruption_recorded(state: TableState, event: InterruptionRecorded) -> None:
    if event.ruling in ("wait", "testify"):
        state.waiting = True
    if event.ruling == "testify":
        chip_table_of(state).interrupted = True


@command(at=TABLE, by=PIT, second=PIT_AND_DEALER)
class DeclareOutcome(Command, frozen=True):
    """Say what the dice showed, or with no faces that no outcome was established.

    `testified` is what both persons saw and the journal lacks.
    """

    faces: tuple[int, ...] | None = None
    testified: tuple[Fact, ...] = ()


@event(at=TABLE, posts=False, irregular=True)
class OutcomeTestified(Event, frozen=True):
    """Two persons testify to what the journal lacks of a round: its close, its tumble."""

    facts: tuple[Fact, ...]
    by: str


@decides
def declare_outcome(
    state: TableState, command: DeclareOutcome, actor: Actor, _at: Instant
) -> Decision:
    """Declare what the dice showed, or that there was no outcome, if the round waits for it.

    Only dice that were tumbled, and bets that were closed, have an outcome [D27].

    [ts6 5.4.1, 5.4.2; etg8 5.1.1, 5.1.2; div9 7.3]
    """
    if not state.waiting:
        return refuse("NOTHING_TO_DECLARE")
    if state.in_doubt is not None:
        # A report in doubt is answered first, by a supervisor who did not report it [D20].
        return refuse("ROUND_IN_DOUBT", what=state.in_doubt)
    if command.faces is None:
        return _no_outcome(state, actor)
    refusal = _testimony_refusal(state, command.testified)
    if refusal is not None:
        return refusal
    faces = sorted_faces(command.faces)
    if isinstance(faces, Refusal):
        return faces
    facts = tuple(dict.fromkeys(command.testified))
    testified = (OutcomeTestified(facts, actor.person),) if facts else ()
    entered = ResultEntered(faces, "declared", actor.person)
    return (*testified, entered, *_resumed(state, actor))


def _no_outcome(state: TableState, actor: Actor) -> Decision:
    """Void the round under way, if the document voids a round without an outcome."""
    if state.phase not in IN_ROUND:
        return refuse("NO_ROUND")
    if state.phase in ENTERED:
        return refuse("RESULT_IS_ENTERED", ground_of(state, ruling_on(state, _WITH)))
    found = ruling_on(state, _WITHOUT)
    if found is not None and found.ruling != "void-round":
        # The dice are on the table: what they show counts, unless there is a ruling.
        return refuse("SHIFT_MANAGER_RULES", ground_of(state, found))
    return (voided(state, _WITHOUT), *_resumed(state, actor))


def _testimony_refusal(state: TableState, testified: tuple[Fact, ...]) -> Refusal | None:
    """Refuse an outcome of dice that were never tumbled, or tumbled with bets still open [D27].

    Where people deal and not devices, they may testify to what the journal lacks, and to no more.
    """
    procedure = in_force(state).content.procedure
    if state.phase not in (Phase.BETTING, Phase.NO_MORE_BETS):
        entered = state.phase in ENTERED
        return refuse("RESULT_IS_ENTERED" if entered else "ROUND_NOT_OPEN")
    is_open, in_chips = state.phase is Phase.BETTING, state.chips is not None
    if is_open and not (in_chips and "closed" in testified):
        code = "CLOSE_NOT_TESTIFIED" if in_chips else "BETS_STILL_OPEN"
        return refuse(code, procedure.betting.closes_clause)
    by_people = in_chips or state.equipment.tumbler == "keyed"
    if not state.tumbled and not (by_people and "tumbled" in testified):
        code = "TUMBLE_NOT_TESTIFIED" if by_people else "NOT_TUMBLED"
        return refuse(code, procedure.tumble.clause)
    known = {"closed": not is_open, "tumbled": state.tumbled}
    return refuse("IN_THE_JOURNAL") if any(known[fact] for fact in testified) else None


@applies
def outcome_testified(state: TableState, _: OutcomeTestified) -> None:
    """Enter the close of bets and the tumble, whichever of them was lacking."""
    state.phase = Phase.NO_MORE_BETS
    state.tumbled = True


@command(at=CHIP_TABLE, by=PIT, second=PIT_AND_DEALER)
class ResumePlay(Command, frozen=True):
    """Say that everything which happened meanwhile is entered, and play goes on as it stands."""

    note: str = ""


@event(at=CHIP_TABLE, posts=False)
class PlayResumed(Event, frozen=True):
    """Two persons have said what happened during an interruption, and play goes on."""

    by: str
    note: str = ""


@decides
def resume_play(state: TableState, command: ResumePlay, actor: Actor, _at: Instant) -> Decision:
    """Let a chip table go on as it is, as two persons say [D27] [ts6 5.4; div9 7.3]."""
    if not is_interrupted(state):
        return refuse("NOTHING_TO_DECLARE")
    return (PlayResumed(actor.person, command.note),)


def _resumed(state: TableState, actor: Actor) -> tuple[Event, ...]:
    """End an interruption, after what was said about the round under way."""
    return (PlayResumed(actor.person),) if is_interrupted(state) else ()


@applies
def play_resumed(state: TableState, _: PlayResumed) -> None:
    state.waiting = chip_table_of(state).interrupted = False
