"""A round as the documents tell it: bets, tumble, close, entry, confirmation, settlement [D5]."""

from taisai.core.approvals import EXPIRES_AFTER_MS
from taisai.core.commands import (
    AmendResult,
    CloseBets,
    EnterResult,
    PressFace,
    RecordTumble,
)
from taisai.core.decision import (
    Decision,
    in_force,
    is_face,
    limits_in_force,
    pay_table_in_force,
    ruling_on,
    sorted_faces,
)
from taisai.core.drawing import chain_refusal
from taisai.core.events import (
    BetsClosed,
    BetsOpened,
    FacePressed,
    ResultAmended,
    ResultConfirmed,
    ResultEntered,
    ResultReported,
    ResultsDisagreed,
    RoundSettled,
    RoundStarted,
    TableEvent,
    TerminalLocked,
    TumbleRecorded,
)
from taisai.core.felt.common import paying_refusal, recovery_refusal
from taisai.core.felt.paying import settle_felt
from taisai.core.felt.seats import keep_money
from taisai.core.irregularities import doubt, tumble_irregularity
from taisai.core.messages import Actor, Instant, PlayedPart
from taisai.core.rules.bets import Bet
from taisai.core.rules.dice import Faces, result_of
from taisai.core.rules.limit_checks import reject_at_close
from taisai.core.rules.money import write_odds
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.settling import settle_lines
from taisai.core.table_state import IN_ROUND, Phase, TableState


def not_playing(state: TableState) -> Refusal | None:
    """Refuse to go on where the table is closed, stopped, in doubt or waiting."""
    if state.phase in (Phase.NEW, Phase.CLOSED):
        return refuse("TABLE_CLOSED")
    if state.in_doubt is not None:
        found = ruling_on(state, state.in_doubt)
        clause = None if found is None else found.clause
        return refuse("ROUND_IN_DOUBT", clause, code=state.in_doubt)
    if state.waiting:
        return refuse("OUTCOME_TO_DECLARE")
    return None


def open_bets(state: TableState, actor: Actor, at: Instant) -> Decision:
    """Call for bets; never before the winners of the last round are paid [div9 4.4]."""
    refusal = not_playing(state)
    if refusal is not None:
        return refusal
    procedure = in_force(state).content.procedure
    if state.phase not in (Phase.READY, Phase.TUMBLED):
        clause = procedure.betting.after_payment_clause or procedure.betting.opens_clause
        return refuse("ROUND_UNDER_WAY", clause)
    if state.stopped is not None:
        return refuse("TABLE_STOPPED", state.stopped)
    refusal = chain_refusal(state) or _unpaid(state) or _owing(state)
    if refusal is not None:
        return refusal
    if procedure.tumble.order == "before-bets" and not state.tumbled:
        return refuse("TUMBLE_FIRST", procedure.tumble.order_clause)
    words = procedure.betting.opens_words or procedure.betting.opens
    opened = BetsOpened(words, procedure.betting.opens_clause, actor.person)
    return (*_kept(state), *_start(state, at), opened)


def _unpaid(state: TableState) -> Refusal | None:
    """Begin nothing at a felt table before its winners are paid [div9 4.4]."""
    return None if state.felt is None else paying_refusal(state)


def _owing(state: TableState) -> Refusal | None:
    """Call for no bets at a felt table before it is said what a reversal could get back [D8]."""
    return None if state.felt is None else recovery_refusal(state)


def _kept(state: TableState) -> tuple[TableEvent, ...]:
    """Keep, at a felt table, what a void round gave back to players who walked away."""
    return () if state.felt is None or state.phase in IN_ROUND else keep_money(state)


def _start(state: TableState, at: Instant) -> tuple[TableEvent, ...]:
    return () if state.phase in IN_ROUND else (RoundStarted(state.round + 1, at),)


def record_tumble(state: TableState, command: RecordTumble, actor: Actor, at: Instant) -> Decision:
    """Record a tumble; what physically happened is recorded, and voids the round by its clause."""
    refusal = not_playing(state) or _tumble_refusal(state, command)
    if refusal is not None:
        return refusal
    recorded = TumbleRecorded(command.times, command.flat, command.concealed, actor.person)
    events = (*_kept(state), *_start(state, at), recorded)
    code = tumble_irregularity(state, command)
    return events if code is None else (*events, *doubt(state, code, actor, at, "", started=events))


def _tumble_refusal(state: TableState, command: RecordTumble) -> Refusal | None:
    tumble = in_force(state).content.procedure.tumble
    if type(command.times) is not int or not 0 <= command.times <= 1000:
        return refuse("BAD_AMOUNT", amount=str(command.times)[:40])
    if state.phase is Phase.READY and tumble.order != "before-bets":
        return refuse("ROUND_NOT_OPEN", tumble.order_clause)
    if state.phase is Phase.READY and state.stopped is not None:
        return refuse("TABLE_STOPPED", state.stopped)
    if state.phase in (Phase.RESULT, Phase.CONFIRMED):
        return refuse("RESULT_IS_ENTERED", tumble.clause)
    if state.tumbled and state.phase is Phase.NO_MORE_BETS:
        return refuse("ALREADY_TUMBLED", tumble.clause)
    return chain_refusal(state) or _unpaid(state)


def close_bets(state: TableState, command: CloseBets, actor: Actor) -> Decision:
    """Call the bets closed; the excess that a withdrawal left behind is rejected [D4]."""
    refusal = not_playing(state)
    if refusal is not None:
        return refusal
    betting = in_force(state).content.procedure.betting
    if state.phase is not Phase.BETTING:
        return refuse("BETS_NOT_OPEN", betting.closes_clause)
    if betting.bell and not command.bell:
        return refuse("BELL_FIRST", betting.closes_clause)
    rejected = _rejected(state)
    rules = pay_table_in_force(state).limit_rules
    return (
        BetsClosed(
            words=betting.closes_words,
            bell=command.bell,
            clause=betting.closes_clause,
            by=actor.person,
            rejected=rejected,
            rejected_clause=rules.rejected_clause if rejected else None,
        ),
    )


def _rejected(state: TableState) -> tuple[tuple[str, str, int], ...]:
    limits = limits_in_force(state)
    if limits.differential is None or state.felt is not None:
        # What a dealer let lie plays pro rata.
        return ()
    table = pay_table_in_force(state)
    found = [
        (position, terminal, box, amount)
        for terminal, seat in state.terminals.items()
        for box, placed in seat.placed.items()
        for position, amount in placed
    ]
    bets = [Bet(terminal, box, amount) for _, terminal, box, amount in sorted(found)]
    rejections = reject_at_close(table, limits, bets)
    return tuple(
        (bets[each.position].player, bets[each.position].box, each.amount) for each in rejections
    )


def press_face(state: TableState, command: PressFace) -> Decision:
    """Press a button of the entry terminal; its light shows the last three [div9 3.3]."""
    refusal = not_playing(state) or _entry_refusal(state, "keyed")
    if refusal is not None:
        return refusal
    if not is_face(command.face):
        return refuse("BAD_DICE", dice=str(command.face)[:40])
    return (FacePressed(command.face),)


def _sources(state: TableState) -> tuple[str, ...]:
    if state.equipment.tumbler == "keyed":
        return ("keyed",)
    return ("device", "keyed") if state.equipment.read_by_dealer_too else ("device",)


def _entry_refusal(state: TableState, source: str) -> Refusal | None:
    """A result can be entered only after the close, of dice that were tumbled."""
    procedure = in_force(state).content.procedure
    if state.phase is Phase.BETTING:
        return refuse("BETS_STILL_OPEN", procedure.betting.closes_clause)
    if state.phase is not Phase.NO_MORE_BETS:
        entered = state.phase in (Phase.RESULT, Phase.CONFIRMED)
        return refuse("RESULT_IS_ENTERED" if entered else "ROUND_NOT_OPEN")
    if not state.tumbled:
        return refuse("NOT_TUMBLED", procedure.tumble.clause)
    if source not in _sources(state):
        return refuse("DEVICE_ENTERS" if source == "keyed" else "DEALER_ENTERS")
    return None


def enter_result(state: TableState, command: EnterResult, actor: Actor) -> Decision:
    """Enter the faces; where two sources read the dice, they must agree."""
    source = "device" if actor.role == "device" else "keyed"
    refusal = not_playing(state) or _entry_refusal(state, source)
    if refusal is not None:
        return refusal
    faces = sorted_faces(state.echo if command.faces is None else command.faces)
    if isinstance(faces, Refusal):
        return faces
    entered = ResultEntered(faces, source, actor.person)
    if len(_sources(state)) == 1:
        return (entered,)
    return _compare(state, source, faces, entered)


def _compare(state: TableState, source: str, faces: Faces, entered: ResultEntered) -> Decision:
    reported = ResultReported(source, faces)
    others = {found for name, found in state.reported.items() if name != source}
    if not others:
        return (reported,)
    return (reported, entered) if others == {faces} else (reported, ResultsDisagreed())


def _amendment_waits(state: TableState, at: Instant) -> Refusal | None:
    """Hold the round while somebody says that the entry is wrong [div9 7.2]."""
    pending = state.pending
    if pending is None or not isinstance(pending.order.command, AmendResult):
        return None
    if at - pending.at > EXPIRES_AFTER_MS:
        return None
    return refuse("AMENDMENT_WAITS", in_force(state).content.procedure.amendment.clause)


def confirm_result(state: TableState, actor: Actor, at: Instant) -> Decision:
    """Confirm the faces: the winning areas light up and the result is called."""
    refusal = not_playing(state) or _amendment_waits(state, at)
    if refusal is not None:
        return refusal
    if state.phase is not Phase.RESULT or state.faces is None:
        entered = state.phase is Phase.CONFIRMED
        return refuse("RESULT_IS_CONFIRMED" if entered else "NO_RESULT")
    winners = pay_table_in_force(state).winners(result_of(state.faces))
    return (ResultConfirmed(state.faces, winners, actor.person),)


def amend_result(state: TableState, command: AmendResult) -> Decision:
    """Put a wrong entry right before the bets are settled [div9 7.2]."""
    refusal = not_playing(state)
    if refusal is not None:
        return refusal
    if state.phase not in (Phase.RESULT, Phase.CONFIRMED) or state.faces is None:
        return refuse("NO_RESULT")
    amendment = in_force(state).content.procedure.amendment
    if state.equipment.tumbler in ("simulated", "verifiable"):
        return refuse("DEVICE_ENTERS", amendment.clause)
    faces = sorted_faces(command.faces)
    if isinstance(faces, Refusal):
        return faces
    if faces == state.faces:
        return refuse("NOTHING_TO_AMEND", amendment.clause)
    return (ResultAmended(faces, state.faces, amendment.clause),)


def settle_round(state: TableState, actor: Actor, at: Instant) -> Decision:
    """Settle the round: collect first, then pay, in one event."""
    refusal = not_playing(state) or _amendment_waits(state, at)
    if refusal is not None:
        return refusal
    if state.phase is not Phase.CONFIRMED or state.faces is None:
        return refuse("NOT_CONFIRMED" if state.phase is Phase.RESULT else "NO_RESULT")
    table, result = pay_table_in_force(state), result_of(state.faces)
    playing: tuple[PlayedPart, ...] = ()
    if state.felt is None:
        bets = {terminal: seat.bets for terminal, seat in state.terminals.items() if seat.bets}
        settled = settle_lines(table, result, bets)
    else:
        settled, playing = settle_felt(state, result)
    boxes = [table.boxes[box] for box in state.lying]
    odds = {box.key: box.odds_on(result) for box in boxes}
    event = RoundSettled(
        round=state.round,
        faces=state.faces,
        lines=settled.lines,
        odds={box: None if each is None else write_odds(each) for box, each in odds.items()},
        clauses={box.key: box.clause_on(result) for box in boxes},
        collected=settled.collected,
        paid=settled.paid,
        by=actor.person,
        playing=playing,
    )
    return (event, *_locks(state, settled.won))


def _locks(state: TableState, won: dict[str, int]) -> tuple[TableEvent, ...]:
    """Lock each terminal that won more than the threshold, until an attendant has seen it."""
    if state.lock_above is None:
        return ()
    above = state.lock_above
    return tuple(
        TerminalLocked(terminal, amount) for terminal, amount in won.items() if amount > above
    )
