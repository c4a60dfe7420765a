"""A table: `decide` answers a command with events or a refusal, and changes nothing.

Time, ids and dice come with the command. A person's mistake is a refusal; nothing raises for one.
"""

from collections.abc import Callable
from typing import Any

from taisai.core import commands as c
from taisai.core.approvals import approval_refusal, decline_refusal, request
from taisai.core.betting import clear_bets, place_bets, withdraw_bets
from taisai.core.commands import Approve, Command, Decline, Order, ReportIrregularity, Rule
from taisai.core.corrections import correct_settled_round, rule, void_settled_rounds
from taisai.core.decision import Decision, note_refusal
from taisai.core.drawing import abandon_chain, publish_chain, reveal_secret
from taisai.core.events import CommandApproved, CommandDeclined
from taisai.core.evolving import evolve
from taisai.core.felt.colours import assign_colour, buy_colour, convert_colour, release_colour
from taisai.core.felt.paying import pay_winners
from taisai.core.felt.putting_right import put_bet_right, record_recovery
from taisai.core.felt.recording import (
    advise_player,
    correct_record,
    record_bets,
    reject_excess,
    take_back_bets,
)
from taisai.core.felt.seats import buy_chips, exchange_chips, leave_seat, pay_kept, take_seat
from taisai.core.gaming_day import (
    close_day,
    count_drop,
    open_day,
    receive_fill,
    return_credit,
    send_credit,
)
from taisai.core.irregularities import (
    declare_outcome,
    declare_safe_procedure,
    record_interruption,
    rectify,
    report_irregularity,
    void_approved,
)
from taisai.core.messages import Actor, Instant
from taisai.core.opening import (
    adopt_rulebook,
    close_table,
    create_table,
    enrol_terminal,
    give_notice,
    open_table,
    record_checks,
    register_dice,
    set_table_limits,
)
from taisai.core.people import MAY, MAY_APPROVE, takes_two
from taisai.core.round import (
    amend_result,
    close_bets,
    confirm_result,
    enter_result,
    open_bets,
    press_face,
    record_tumble,
    settle_round,
)
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table_state import Phase, TableState
from taisai.core.terminals import (
    bar_terminal,
    cash_out,
    clear_lock,
    close_transit,
    lift_bar,
    lose_terminal,
    receive_credits,
    restore_terminal,
    set_own_limits,
)

__all__ = ["decide", "evolve"]

_Handler = Callable[[TableState, Any, Actor, Instant], Decision]

#: Each command with the function that decides it.
_HANDLERS: dict[type[Command], _Handler] = {
    c.PlaceBets: place_bets,
    c.WithdrawBets: lambda state, command, actor, _: withdraw_bets(state, command, actor),
    c.ClearBets: lambda state, command, actor, _: clear_bets(state, command, actor),
    c.CreateTable: lambda state, command, _, __: create_table(state, command),
    c.EnrolTerminal: lambda state, command, _, __: enrol_terminal(state, command),
    c.AdoptRulebook: lambda state, command, _, __: adopt_rulebook(state, command),
    c.SetLimits: lambda state, command, _, __: set_table_limits(state, command),
    c.RegisterDice: lambda state, command, actor, _: register_dice(state, command, actor),
    c.RecordChecks: lambda state, command, actor, _: record_checks(state, command, actor),
    c.OpenTable: lambda state, _, actor, __: open_table(state, actor),
    c.GiveNotice: lambda state, command, actor, _: give_notice(state, command, actor),
    c.CloseTable: lambda state, command, actor, _: close_table(state, command, actor),
    c.OpenBets: lambda state, _, actor, at: open_bets(state, actor, at),
    c.RecordTumble: record_tumble,
    c.CloseBets: lambda state, command, actor, _: close_bets(state, command, actor),
    c.PressFace: lambda state, command, _, __: press_face(state, command),
    c.EnterResult: lambda state, command, actor, _: enter_result(state, command, actor),
    c.ConfirmResult: lambda state, _, actor, at: confirm_result(state, actor, at),
    c.AmendResult: lambda state, command, _, __: amend_result(state, command),
    c.Settle: lambda state, _, actor, at: settle_round(state, actor, at),
    c.PublishChain: lambda state, command, _, __: publish_chain(state, command),
    c.RevealSecret: lambda state, command, _, __: reveal_secret(state, command),
    c.AbandonChain: lambda state, command, _, __: abandon_chain(state, command),
    c.ReportIrregularity: report_irregularity,
    c.RecordInterruption: lambda state, command, _, __: record_interruption(state, command),
    c.DeclareOutcome: lambda state, command, actor, _: declare_outcome(state, command, actor),
    c.VoidSettledRounds: lambda state, command, _, __: void_settled_rounds(state, command),
    c.CorrectSettledRound: lambda state, command, _, __: correct_settled_round(state, command),
    c.Rule: lambda state, command, actor, _: rule(state, command, actor),
    c.Rectify: lambda state, command, actor, _: rectify(state, command, actor),
    c.DeclareSafeProcedure: lambda state, command, actor, _: declare_safe_procedure(
        state, command, actor
    ),
    c.ReceiveCredits: lambda state, command, _, at: receive_credits(state, command, at),
    c.CashOut: lambda state, command, actor, _: cash_out(state, command, actor),
    c.CloseTransit: lambda state, command, _, __: close_transit(state, command),
    c.LoseTerminal: lambda state, command, _, __: lose_terminal(state, command),
    c.RestoreTerminal: lambda state, command, _, __: restore_terminal(state, command),
    c.SetOwnLimits: lambda state, command, actor, _: set_own_limits(state, command, actor),
    c.BarTerminal: lambda state, command, actor, _: bar_terminal(state, command, actor),
    c.LiftBar: lambda state, command, actor, _: lift_bar(state, command, actor),
    c.ClearLock: lambda state, command, actor, _: clear_lock(state, command, actor),
}

#: What is asked of felt tables alone.
_AT_FELT: dict[type[Command], _Handler] = {
    c.TakeSeat: lambda state, command, _, __: take_seat(state, command),
    c.LeaveSeat: lambda state, command, _, __: leave_seat(state, command),
    c.BuyChips: lambda state, command, actor, _: buy_chips(state, command, actor),
    c.ExchangeChips: lambda state, command, actor, _: exchange_chips(state, command, actor),
    c.AssignColour: lambda state, command, actor, _: assign_colour(state, command, actor),
    c.BuyColour: lambda state, command, actor, _: buy_colour(state, command, actor),
    c.ConvertColour: lambda state, command, actor, _: convert_colour(state, command, actor),
    c.ReleaseColour: lambda state, command, _, __: release_colour(state, command),
    c.RecordBets: lambda state, command, actor, _: record_bets(state, command, actor),
    c.CorrectRecord: lambda state, command, actor, _: correct_record(state, command, actor),
    c.TakeBackBets: lambda state, command, actor, _: take_back_bets(state, command, actor),
    c.RejectExcess: lambda state, command, actor, _: reject_excess(state, command, actor),
    c.AdvisePlayer: lambda state, command, actor, _: advise_player(state, command, actor),
    c.PutBetRight: lambda state, command, actor, _: put_bet_right(state, command, actor),
    c.PayWinners: lambda state, _, actor, __: pay_winners(state, actor),
    c.PayKept: lambda state, command, actor, _: pay_kept(state, command, actor),
    c.RecordRecovery: lambda state, command, actor, _: record_recovery(state, command, actor),
    c.OpenDay: open_day,
    c.ReceiveFill: lambda state, command, actor, _: receive_fill(state, command, actor),
    c.SendCredit: lambda state, command, actor, _: send_credit(state, command, actor),
    c.ReturnCredit: lambda state, command, actor, _: return_credit(state, command, actor),
    c.CountDrop: lambda state, command, actor, _: count_drop(state, command, actor),
    c.CloseDay: lambda state, command, actor, _: close_day(state, command, actor),
}

#: What is asked of electronic tables alone: it is about Player Terminals.
_AT_TERMINALS = frozenset(
    {
        *(c.EnrolTerminal, c.PlaceBets, c.WithdrawBets, c.ClearBets),
        *(c.ReceiveCredits, c.CashOut, c.LoseTerminal, c.RestoreTerminal),
        *(c.SetOwnLimits, c.BarTerminal, c.LiftBar, c.ClearLock),
    }
)
_FELT_HANDLERS = _AT_FELT | {
    kind: handler for kind, handler in _HANDLERS.items() if kind not in _AT_TERMINALS
}


def decide(state: TableState, order: Order, at: Instant) -> Decision:
    """Answer a command: the events it comes to, or why it is refused."""
    command, actor = order.command, order.actor
    kind = type(command)
    if kind not in MAY or actor.role not in MAY[kind]:
        return refuse("NOT_ALLOWED", role=actor.role, command=kind.__name__)
    if state.phase is Phase.NEW and kind is not c.CreateTable:
        return refuse("NO_TABLE")
    too_long = note_refusal(command)
    if too_long is not None:
        return too_long
    handler = (_HANDLERS if state.felt is None else _FELT_HANDLERS).get(kind)
    if handler is None:
        return _second_person(state, command, actor, at)
    decision = handler(state, command, actor, at)
    if kind not in MAY_APPROVE or isinstance(decision, Refusal) or not _takes_two(command):
        return decision
    return (request(state, order, at),)


def _second_person(state: TableState, command: Command, actor: Actor, at: Instant) -> Decision:
    match command:
        case Approve():
            return _approve(state, command, actor, at)
        case Decline():
            return _decline(state, command, actor)
        case _ if type(command) in _AT_FELT:
            return refuse("ONLY_AT_FELT")
        case _ if type(command) in _AT_TERMINALS:
            return refuse("ONLY_AT_TERMINALS")
        case _:
            return refuse("NOT_ALLOWED", role=actor.role, command=type(command).__name__)


def _takes_two(command: Command) -> bool:
    """Say whether a command waits for a second person; a ruling does where it moves money."""
    if isinstance(command, Rule):
        return bool(command.postings) or command.voids_round
    return takes_two(type(command))


def _approve(state: TableState, command: Approve, actor: Actor, at: Instant) -> Decision:
    """Carry out what is pending, decided anew on the state as it is now."""
    refusal = approval_refusal(state.pending, command, actor, at)
    if refusal is not None:
        return refusal
    assert state.pending is not None, "an approval without anything pending is refused"
    order = state.pending.order
    if isinstance(order.command, ReportIrregularity):
        decision = void_approved(state, order.command)
    else:
        handlers = _HANDLERS if state.felt is None else _FELT_HANDLERS
        decision = handlers[type(order.command)](state, order.command, order.actor, at)
    if isinstance(decision, Refusal):
        return decision
    return (CommandApproved(state.pending.hash, actor), *decision)


def _decline(state: TableState, command: Decline, actor: Actor) -> Decision:
    refusal = decline_refusal(state.pending, command.pending, actor)
    if refusal is not None:
        return refusal
    assert state.pending is not None, "declining without anything pending is refused"
    doubted = isinstance(state.pending.order.command, ReportIrregularity)
    return (CommandDeclined(command.pending, actor, lifts_doubt=doubted),)
