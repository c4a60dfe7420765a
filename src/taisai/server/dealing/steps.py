"""What the automatic dealer does next at a table, decided from the table as it is and the time.

Nothing is remembered here but since when the table has been where it is: a person may do any step
first, a round may be void, a venue may start again, and the next step follows from what is there.
"""

from typing import assert_never

from msgspec import Struct

from taisai.core.kernel.approvals import EXPIRES_AFTER_MS
from taisai.core.kernel.messages import Command, Instant
from taisai.core.table.round import CloseBets, ConfirmResult, OpenBets, Settle
from taisai.core.table.state import Phase, TableState, in_force
from taisai.server.floor_plan import Pace


class Wait(Struct, frozen=True):
    """Do nothing before a moment, or before something happens; without one, only before that."""

    until: Instant | None = None


class Give(Struct, frozen=True):
    """Give a command now."""

    command: Command


class Tumble(Struct, frozen=True):
    """Have the device tumble for a new round, whose document has that before the bets."""


Step = Wait | Give | Tumble


class Turn(Struct, frozen=True):
    """Where a table is in a round, and since when the dealer has known it to be there."""

    round: int
    phase: Phase
    since: Instant


def turn_at(before: Turn | None, state: TableState, now: Instant) -> Turn:
    """Say where a table is; while it stays there, since when stays too."""
    if before is not None and (before.round, before.phase) == (state.round, state.phase):
        return before
    return Turn(state.round, state.phase, now)


def is_fit(state: TableState) -> bool:
    """Say whether a table can be dealt at: open, and nothing that people must see to first.

    Chips on a chip table are read, collected and paid by people.
    """
    return (
        state.phase not in (Phase.NEW, Phase.CLOSED)
        and state.chips is None
        and state.stopped is None
        and state.in_doubt is None
        and not state.waiting
    )


def closes_at(turn: Turn, pace: Pace) -> Instant:
    """Say when the bets that opened with this turn will be closed."""
    return turn.since + _ms(pace.countdown_seconds)


def next_step(
    state: TableState, turn: Turn, pace: Pace, now: Instant, *, device: bool = True
) -> Step:
    """Show the next step at a table that is fit; `device` says whether its dice come from one.

    Where a person reads the dice, that person says that the entry is right, too: only then are
    the winners lit and, a moment later, paid.
    """
    match state.phase:
        case Phase.READY:
            return _begin(state, turn, pace, now, device=device)
        case Phase.TUMBLED:
            return _when(turn.since, Give(OpenBets()), state, now)
        case Phase.BETTING:
            return _when(closes_at(turn, pace), Give(CloseBets(bell=True)), state, now)
        case Phase.RESULT if device:
            return _when(turn.since, Give(ConfirmResult()), state, now)
        case Phase.CONFIRMED:
            due = turn.since + _ms(pace.result_seconds)
            return _when(due, Give(Settle()), state, now)
        case Phase.NEW | Phase.CLOSED | Phase.NO_MORE_BETS | Phase.RESULT:
            return Wait()
        case phase:
            assert_never(phase)


def _begin(state: TableState, turn: Turn, pace: Pace, now: Instant, *, device: bool) -> Step:
    """Begin a round after the pause; with notice given, the pit closes the table instead."""
    due = turn.since + _ms(pace.pause_seconds)
    if state.notice_given:
        return Wait()
    if in_force(state).content.procedure.tumble.order != "before-bets":
        return _when(due, Give(OpenBets()), state, now)
    return _when(due, Tumble(), state, now) if device else Wait()


def _when(due: Instant, step: Step, state: TableState, now: Instant) -> Step:
    """Take a step when it is due, and not while something waits for its second person.

    Whatever happens at a table ends such a wait [D14]; so it is given its minute, but no more:
    nobody holds a table up by asking again and again.
    """
    if now < due:
        return Wait(due)
    if state.pending is not None:
        until = min(state.pending.at, due) + EXPIRES_AFTER_MS
        if now <= until:
            return Wait(until + 1)
    return step


def _ms(seconds: float) -> int:
    return round(seconds * 1_000)
