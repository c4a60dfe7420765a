"""A table and a terminal as they stand, made from the state: what a snapshot holds."""

from itertools import islice
from typing import Any

from taisai.core.kernel.ledger import credits_of, stakes_of
from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.dice import call_of, result_of
from taisai.core.rules.limits import Limits
from taisai.core.table.state import Phase, RoundRecord, TableState
from taisai.protocol.felt import MarkedColour
from taisai.protocol.private import RoundSettled, RoundVoided, TerminalView
from taisai.protocol.public import RoundSummary, RulebookName, TableView
from taisai.protocol.roads import NO_MARK, mark_of
from taisai.wording import say

#: Finished rounds that a snapshot shows, for the roads.
ROUNDS_SHOWN = 120


def table_view(state: TableState, language: str = "en") -> TableView:
    """Show a table as everybody may see it."""
    result = None if state.faces is None else result_of(state.faces)
    return TableView(
        table=state.table,
        currency=state.currency,
        phase=state.phase.value,
        round=state.round,
        tumbler=state.equipment.tumbler,
        rulebook=_rulebook(state),
        limits=None if state.limits is None else limits_shown(state.limits),
        totals=dict(state.box_totals),
        terminals=0 if state.chips is not None else len(state.positions),
        faces=state.faces,
        call=None if result is None else say(call_of(result), language),
        winners=_winners(state),
        notice_given=state.notice_given,
        stopped=state.stopped,
        in_doubt=state.in_doubt,
        waiting=state.waiting,
        commitment=None if state.chain is None else state.chain.commitment,
        rounds=_rounds(state),
        **_felt(state),
    )


def _felt(state: TableState) -> dict[str, Any]:
    """Show what everybody sees of a felt: its seats, and the display rack."""
    felt = state.chips
    if felt is None:
        return {}
    return {
        "form": "felt",
        "seats": felt.chip_set.seats,
        "taken": tuple(felt.seated),
        "marked": tuple(
            MarkedColour(colour, each.seat, each.value) for colour, each in felt.colours.items()
        ),
        "paying": felt.paying,
    }


def terminal_view(
    state: TableState, terminal: str, last: RoundSettled | RoundVoided | None
) -> TerminalView:
    """Show a terminal its own money and bets; `last` is how its last round came out."""
    seat, ledger = state.positions[terminal], state.ledger
    return TerminalView(
        table=state.table,
        terminal=terminal,
        place=seat.place,
        credits=ledger.balance(credits_of(terminal)),
        staked=ledger.balance(stakes_of(terminal)),
        bets=dict(seat.bets),
        locked=seat.locked,
        barred=seat.barred,
        loss_limit=seat.loss_limit,
        session_seconds=seat.session_seconds,
        session_began=seat.session_began,
        last=last,
    )


def _winners(state: TableState) -> tuple[str, ...]:
    """Name the boxes that are lit."""
    if state.phase is not Phase.CONFIRMED or state.faces is None or state.pay_table is None:
        return ()
    return state.pay_table.winners(result_of(state.faces))


def _rulebook(state: TableState) -> RulebookName | None:
    rulebook, pay_table = state.rulebook, state.pay_table
    if rulebook is None or pay_table is None:
        return None
    content = rulebook.content
    return RulebookName(
        content.key, content.title, content.version, rulebook.sha256, pay_table.address
    )


def limits_shown(limits: Limits) -> LimitsAsked:
    """Show limits as they are in force on each box."""
    return LimitsAsked(
        limits.general.minimum,
        limits.general.maximum,
        limits.step,
        limits.differential,
        {box: (each.minimum, each.maximum) for box, each in limits.boxes.items()},
    )


def _rounds(state: TableState) -> tuple[RoundSummary, ...]:
    """Give the last rounds, the newest last."""
    newest = islice(reversed(state.history.values()), ROUNDS_SHOWN)
    return tuple(reversed([summary_of(each) for each in newest]))


def summary_of(record: RoundRecord) -> RoundSummary:
    """Give a finished round as the roads show it."""
    mark = NO_MARK if record.faces is None else mark_of(record.faces)
    return RoundSummary(record.number, record.faces, record.void, *mark)
