"""What would happen, as sentences before it does, from the events that a command comes to."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved
from taisai.core.rules.reason import Reason, because
from taisai.core.streams import TableEvent
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import RoundResettled
from taisai.core.table.irregularities import IrregularityReported
from taisai.core.table.round import ResultAmended
from taisai.core.table.setup import TableStopped
from taisai.core.table.state import TableState
from taisai.projections.sentences import sentences_of, write_dice
from taisai.wording import say

#: What each ruling comes to for the people at the table.
_RULINGS = {
    "advise-then-stands": "RULING_ADVISE",
    "amend-before-settlement": "RULING_AMEND",
    "conclude": "RULING_CONCLUDE",
    "dice-prevail": "RULING_DICE_PREVAIL",
    "no-effect-on-later-rounds": "RULING_NO_EFFECT",
    "operator-may-correct": "RULING_MAY_CORRECT",
    "operator-may-pay": "RULING_MAY_PAY",
    "player-answers": "RULING_PLAYER_ANSWERS",
    "refuse": "RULING_REFUSE",
    "reject-then-pro-rata": "RULING_REJECT",
    "return-bets": "RULING_RETURN",
    "settle": "RULING_SETTLE",
    "shift-manager-rules": "RULING_SHIFT_MANAGER",
    "stop-until-rectified": "RULING_STOP",
}


class Foretold(Struct, frozen=True):
    """Something that would happen, in a sentence, and the clause or decision behind it."""

    sentence: str
    clause: str | None = None


class Lying(NamedTuple):
    """What is on a table: how many bets, each terminal's on each box, and how much in all."""

    bets: int
    amount: int


def lying_on(state: TableState) -> Lying:
    """Count what is on a table; a void round gives back all of it."""
    bets = sum(len(seat.bets) for seat in state.positions.values())
    return Lying(bets, sum(state.box_totals.values()))


class Foreteller:
    """Tells the events that would come at a table, in a language.

    `named` says whether the dice of a correction are those somebody named, and not a guess.
    """

    def __init__(self, state: TableState, lying: Lying, language: str, *, named: bool) -> None:
        self._lying = lying
        self._language = language
        self._named = named
        rulebook = state.rulebook
        self._void_clause = (
            None if rulebook is None else rulebook.content.procedure.settlement.void_clause
        )

    def tell(self, events: tuple[TableEvent, ...]) -> list[Foretold]:
        """Say what would happen, in its order."""
        return [
            Foretold(say(reason, self._language), clause)
            for event in events
            for reason, clause in self._reasons(event)
        ]

    def _reasons(self, event: TableEvent) -> Iterator[tuple[Reason, str | None]]:
        match event:
            case IrregularityReported(in_doubt=True):
                yield because("WILL_DOUBT"), event.clause
            case IrregularityReported(ruling=ruling):
                if ruling in _RULINGS:
                    yield because(_RULINGS[ruling]), event.clause
            case ApprovalRequested():
                yield because("WILL_WAIT"), None
            case CommandApproved():
                pass
            case RoundVoided():
                yield because("WILL_VOID", round=event.round), event.clause
                yield self._returned(), self._void_clause
            case TableStopped():
                yield because("WILL_STOP"), event.clause
            case ResultAmended() if not self._named:
                yield because("WILL_AMEND", before=write_dice(event.before)), event.clause
            case RoundResettled() if not self._named:
                yield because("WILL_RESETTLE", round=event.round), event.clause
            case _:
                clause = getattr(event, "clause", None)
                yield from ((reason, clause) for reason in sentences_of(event))

    def _returned(self) -> Reason:
        if not self._lying.bets:
            return because("WILL_RETURN_NOTHING")
        return because("WILL_RETURN", bets=self._lying.bets, returned_cents=self._lying.amount)
