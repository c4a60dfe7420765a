"""Tumbling the dice: how often, when, under which cover, and what was wrong with a tumble.

A tumble is a fact and recorded as one [D5]. The irregularities module voids the round for it [D20];
a second tumble, and one without the cover after the close, are left to a ruling [D29].
"""

from taisai.core.kernel.messages import Actor, Command, Decision, Event, Instant
from taisai.core.kernel.registry import TABLE, applies, command, decides, event
from taisai.core.kernel.roles import DEALING
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.rules.rulebook import Rulebook
from taisai.core.table.chips.layout_bets import reading_ends
from taisai.core.table.irregularities import (
    LOOKED_AT,
    IrregularityReported,
    as_ruled,
    device_refusal,
    established,
)
from taisai.core.table.provably_fair import chain_refusal
from taisai.core.table.round import started, unclaimed_from_void, void_refusal
from taisai.core.table.state import (
    ENTERED,
    Phase,
    TableState,
    check_refusal,
    dice_refusal,
    in_force,
    not_open,
    not_playing,
)

#: The phases before the close, when nobody may see the dice.
_BEFORE_CLOSE = (Phase.READY, Phase.TUMBLED, Phase.BETTING)


@command(at=TABLE, by=("device", *DEALING), part="tumble")
class RecordTumble(Command, frozen=True):
    times: int
    flat: bool = True
    concealed: bool = True


@event(at=TABLE, significant=False, posts=False)
class TumbleRecorded(Event, frozen=True):
    times: int
    flat: bool
    concealed: bool
    by: str


@decides
def record_tumble(state: TableState, command: RecordTumble, actor: Actor, at: Instant) -> Decision:
    """Record a tumble as it happened; a wrong tumble voids the round by its clause.

    A tumble is recorded even while the round is in doubt: it happened.

    [ts6 3.7; tso5 3.7; etg8 3.6; div9 6.1]
    """
    refusal = not_open(state) or device_refusal(state, actor) or _tumble_refusal(state, command)
    if refusal is not None:
        return refusal
    recorded = TumbleRecorded(command.times, command.flat, command.concealed, actor.person)
    code = tumble_irregularity(state, command)
    shows = in_force(state).content.procedure.tumble.cover == "open" or not command.concealed
    read = reading_ends(state, actor) if shows and code is None else ()
    events = (*unclaimed_from_void(state), *started(state, at), *read, recorded)
    events += _to_be_ruled(state, command, actor)
    if code is None or (code in state.doubts and actor.role != "device"):
        return events
    return (*events, *established(state, code, actor, at, "", started=events))


def tumble_irregularity(state: TableState, command: RecordTumble) -> str | None:
    """Give the irregularity of a tumble that voids the round, if there is one.

    [ts6 5.5.1, 5.5.2, 5.5.3; tso5 5.5.3; etg8 5.3.1, 5.3.2, 5.3.3; div9 3.4(e)(iv), 7.1(a), 7.1(b),
    7.1(c)]
    """
    tumble = in_force(state).content.procedure.tumble
    early = state.phase in _BEFORE_CLOSE
    if tumble.order == "after-close" and early:
        return "tumbled-too-early"
    if command.times < tumble.at_least:
        return "bad-tumble"
    if not command.flat:
        return "die-not-flat"
    if tumble.cover == "covered" and early and not command.concealed:
        return "dice-exposed"
    return None


def _to_be_ruled(
    state: TableState, command: RecordTumble, actor: Actor
) -> tuple[IrregularityReported, ...]:
    """Report a fault for which no clause voids the round, so that a supervisor knows of it [D29].

    [ts6 3.7; etg8 3.6; div9 6.6]
    """
    codes = []
    if state.tumbled and state.phase in (Phase.BETTING, Phase.NO_MORE_BETS):
        codes.append("second-tumble")
    covered = in_force(state).content.procedure.tumble.cover == "covered"
    if covered and state.phase is Phase.NO_MORE_BETS and not command.concealed:
        codes.append("uncovered-tumble")
    return tuple(as_ruled(state, code, actor) for code in codes)


def _tumble_refusal(state: TableState, command: RecordTumble) -> Refusal | None:
    tumble = in_force(state).content.procedure.tumble
    if type(command.times) is not int or not 0 <= command.times <= 1000:
        return refuse("BAD_AMOUNT", amount=str(command.times)[:40])
    if state.phase is Phase.READY and tumble.order != "before-bets":
        return refuse("ROUND_NOT_OPEN", tumble.order_clause)
    if state.phase is Phase.READY and state.stopped is not None:
        return refuse("TABLE_STOPPED", state.stopped)
    if state.phase is Phase.READY and (missing := check_refusal(state)) is not None:
        return missing
    if state.phase in ENTERED:
        return refuse("RESULT_IS_ENTERED", tumble.clause)
    starts = state.phase is Phase.READY
    refusal = dice_refusal(state) if starts else None
    return refusal or chain_refusal(state) or void_refusal(state)


@applies
def tumble_recorded(state: TableState, event: TumbleRecorded) -> None:
    state.tumbled = True
    state.tumbled_early = state.phase in _BEFORE_CLOSE
    if tumble_shows_dice(in_force(state), state.phase, state.doubts, event):
        state.uncovered = True


def tumble_shows_dice(
    rulebook: Rulebook, phase: Phase, doubts: tuple[str, ...], event: TumbleRecorded
) -> bool:
    """Say whether the dice can be seen after a tumble."""
    covered = rulebook.content.procedure.tumble.cover == "covered"
    shown = phase is Phase.NO_MORE_BETS and not event.concealed
    return not covered or shown or any(code in LOOKED_AT for code in doubts)


@command(at=TABLE, by=DEALING, part="entry")
class LiftCover(Command, frozen=True):
    """Say that the cover is lifted: from here on the dice can be seen."""


@event(at=TABLE, significant=False, posts=False)
class CoverLifted(Event, frozen=True):
    """The cover of the tumbler is lifted, and the dice can be seen."""

    clause: str
    by: str


@decides
def lift_cover(state: TableState, _command: LiftCover, actor: Actor, _at: Instant) -> Decision:
    """Record that the dice can be seen, after the close [ts6 3.7; etg8 3.6; div9 6.3] [D22].

    A cover lifted before the close is an irregularity, and is reported as one.
    """
    refusal = not_playing(state) or _cover_refusal(state)
    if refusal is not None:
        return refusal
    clause = in_force(state).content.procedure.uncovering_clause
    return (*reading_ends(state, actor), CoverLifted(clause, actor.person))


def _cover_refusal(state: TableState) -> Refusal | None:
    """Refuse to lift a cover that does not exist, is not on, or must still hide the dice."""
    procedure = in_force(state).content.procedure
    tumble = procedure.tumble
    if tumble.cover != "covered":
        return refuse("NO_COVER", tumble.clause)
    if state.phase in ENTERED:
        return refuse("RESULT_IS_ENTERED", procedure.uncovering_clause)
    if state.phase is not Phase.NO_MORE_BETS:
        open_ = state.phase is Phase.BETTING
        return refuse("BETS_STILL_OPEN" if open_ else "ROUND_NOT_OPEN", tumble.order_clause)
    if not state.tumbled:
        return refuse("NOT_TUMBLED", tumble.clause)
    return refuse("COVER_IS_LIFTED", procedure.uncovering_clause) if state.uncovered else None


@applies
def cover_lifted(state: TableState, _: CoverLifted) -> None:
    state.uncovered = True
