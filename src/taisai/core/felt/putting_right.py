"""Putting a bet right that was moved or misplaced, in the cases that the document allows.

Division 9 alone has such cases: a bet that touches a line [div9 4.3], and one that the dealer or
another patron moved; never a call bet that the dealer placed wrongly [div9 4.9].
"""

from taisai.core.chips import taken_from
from taisai.core.commands import PutBetRight, RecordRecovery
from taisai.core.decision import Decision, clause_for, in_force, pay_table_in_force
from taisai.core.events import BetPutRight, RecoveryRecorded
from taisai.core.felt.common import felt_of, own_stacks_of, recorded, seat_refusal
from taisai.core.felt.recording import held_refusal
from taisai.core.messages import Actor
from taisai.core.round import not_playing
from taisai.core.rules.bets import box_refusal
from taisai.core.rules.money import is_amount
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table_state import Phase, TableState

_AFTER_CLOSE = (Phase.NO_MORE_BETS, Phase.RESULT, Phase.CONFIRMED)


def put_bet_right(state: TableState, command: PutBetRight, actor: Actor) -> Decision:
    """Move a bet to where it was meant to lie, after the close and before it is settled."""
    felt, seat = felt_of(state), command.seat
    refusal = not_playing(state) or seat_refusal(state, seat)
    if refusal is not None:
        return refusal
    clause = _clause_for(state, command.reason)
    if clause is None:
        return refuse("NO_PUTTING_RIGHT", in_force(state).content.procedure.settlement.basis_clause)
    refusal = (
        _place_refusal(state, command, clause)
        or held_refusal(state, seat, command.from_box, command.chips)
        or box_refusal(pay_table_in_force(state), command.to_box)
    )
    if refusal is not None:
        return refusal
    if _is_call_bet(state, command):
        return refuse("CALL_BET_STANDS", clause)
    if not command.note.strip():
        return refuse("NOTE_MISSING", clause)
    return (
        BetPutRight(
            seat=seat,
            from_box=command.from_box,
            to_box=command.to_box,
            amount=recorded(felt, command.from_box, command.chips).amount,
            chips=command.chips,
            reason=command.reason,
            clause=clause,
            note=command.note,
            by=actor.person,
        ),
    )


def _clause_for(state: TableState, reason: str) -> str | None:
    """Name the clause that lets a bet be put right for a reason, if the document has one."""
    if reason == "touching-line":
        return clause_for(state, "touching-line")
    return in_force(state).content.procedure.settlement.corrections_clause


def _place_refusal(state: TableState, command: PutBetRight, clause: str) -> Refusal | None:
    if state.phase not in _AFTER_CLOSE:
        open_ = state.phase is Phase.BETTING
        return refuse("BETS_STILL_OPEN" if open_ else "ROUND_NOT_OPEN", clause)
    if command.from_box == command.to_box:
        return refuse("SAME_BOX", clause, box=command.to_box)
    return None


def _is_call_bet(state: TableState, command: PutBetRight) -> bool:
    """Say whether chips were placed by the dealer at a player's call: not enough are the player's.

    Whoever had a bet placed answers for where it was put [div9 4.6], and the exception is made to
    4.9 alone: any bet that touches a line may be paid as it was meant [div9 4.3].
    """
    if command.reason == "touching-line":
        return False
    own = own_stacks_of(felt_of(state), command.seat, command.from_box)
    return taken_from(own, command.chips) is None


def record_recovery(state: TableState, command: RecordRecovery, actor: Actor) -> Decision:
    """Enter what a reversal could not get back from a player as the house's loss [D8]."""
    owed = felt_of(state).recovering.get(command.seat)
    if owed is None:
        return refuse("NOTHING_OWED", seat=command.seat[:64])
    if not is_amount(command.missing) or command.missing > owed:
        return refuse("BAD_AMOUNT", amount=str(command.missing)[:40])
    if command.missing % felt_of(state).chips.smallest:
        return refuse("BAD_AMOUNT", amount=str(command.missing)[:40])
    if not command.note.strip():
        return refuse("NOTE_MISSING")
    return (RecoveryRecorded(command.seat, command.missing, command.note, actor.person),)
