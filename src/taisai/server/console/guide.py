"""The payout guide: what the dealer collects, then what the dealer pays, box by box.

It is the settlement itself, tried and not carried out; of a round that is settled, what was done.
"""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from taisai.core.kernel.messages import Instant, SettledLine
from taisai.core.rules.dice import Faces, call_of, result_of
from taisai.core.rules.money import write_odds
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.table.round import RoundSettled, Settle
from taisai.core.table.state import Phase, RoundRecord, TableState
from taisai.server.console.dry_run import ask
from taisai.wording import name_box, say

#: Terminals that are shown one by one, of each box that pays.
TERMINALS_SHOWN = 20


class CollectedBox(Struct, frozen=True):
    """A losing box: what is collected from it, of how many terminals."""

    box: str
    name: str
    stake: int
    bets: int


class PaidTerminal(Struct, frozen=True):
    """One terminal's bet on a box that pays."""

    terminal: str
    stake: int
    won: int
    back: int


class PaidBox(Struct, frozen=True):
    """A winning box: what is on it, at which odds, what it is paid and what goes back in all."""

    box: str
    name: str
    stake: int
    odds: str
    won: int
    back: int
    bets: int
    #: The first terminals, and how many more there are.
    terminals: list[PaidTerminal]
    more: int


class PayoutGuide(Struct, frozen=True):
    """A round as it is settled: losing boxes first, then winning ones, as on the layout."""

    table: str
    round: int
    faces: Faces
    call: str
    #: Whether it has been settled so; otherwise it would be.
    settled: bool
    #: The clause by which losing bets are collected before winning ones are paid.
    clause: str | None
    collect: list[CollectedBox]
    collected: int
    pay: list[PaidBox]
    paid: int
    back: int


def guide_for(state: TableState, language: str, at: Instant) -> PayoutGuide | Refusal:
    """Give the guide of the result that is entered, or of the last round that was settled."""
    if state.phase in (Phase.RESULT, Phase.CONFIRMED):
        tried = _tried(state, at)
        if isinstance(tried, Refusal):
            return tried
        return _guide(state, tried.round, tried.faces, tried.lines, language, settled=False)
    last = last_settled(state)
    if last is None or last.faces is None:
        return refuse("NO_GUIDE")
    return _guide(state, last.number, last.faces, last.lines, language, settled=True)


def last_settled(state: TableState) -> RoundRecord | None:
    """Find the newest round that is settled and stands."""
    return next((each for each in reversed(state.history.values()) if not each.void), None)


def _tried(state: TableState, at: Instant) -> RoundSettled | Refusal:
    """Settle the round as if its result were confirmed, and carry nothing out."""
    decision = ask(replace(state, phase=Phase.CONFIRMED), "dealer", Settle(), at)
    if isinstance(decision, Refusal):
        return decision
    settled = decision[0]
    assert isinstance(settled, RoundSettled), "settling comes first, then locks"
    return settled


def _guide(
    state: TableState,
    number: int,
    faces: Faces,
    lines: Sequence[SettledLine],
    language: str,
    *,
    settled: bool,
) -> PayoutGuide:
    by_box: dict[str, list[SettledLine]] = {}
    for line in lines:
        by_box.setdefault(line.box, []).append(line)
    order = layout_order(state.pay_table)
    boxes = sorted(by_box, key=lambda box: order.get(box, len(order)))
    lost = [box for box in boxes if not by_box[box][0].back]
    won = [box for box in boxes if by_box[box][0].back]
    collect = [_collected(box, by_box[box], language) for box in lost]
    pay = [_paid(box, by_box[box], language) for box in won]
    rulebook = state.rulebook
    return PayoutGuide(
        table=state.table,
        round=number,
        faces=faces,
        call=say(call_of(result_of(faces)), language),
        settled=settled,
        clause=None if rulebook is None else rulebook.content.procedure.settlement.order_clause,
        collect=collect,
        collected=sum(each.stake for each in collect),
        pay=pay,
        paid=sum(each.won for each in pay),
        back=sum(each.back for each in pay),
    )


def layout_order(table: PayTable | None) -> dict[str, int]:
    """Number the boxes as they are on the layout, row by row from the top left."""
    if table is None:
        return {}
    areas = sorted(table.layout.areas, key=lambda area: (area.y, area.x))
    return {box: place for place, box in enumerate(dict.fromkeys(area.box for area in areas))}


def _collected(box: str, lines: Sequence[SettledLine], language: str) -> CollectedBox:
    stake = sum(line.stake for line in lines)
    return CollectedBox(box, name_box(box, language), stake, len(lines))


def _paid(box: str, lines: Sequence[SettledLine], language: str) -> PaidBox:
    first = lines[0]
    shown = [
        PaidTerminal(line.position, line.stake, line.won, line.back)
        for line in lines[:TERMINALS_SHOWN]
    ]
    return PaidBox(
        box=box,
        name=name_box(box, language),
        stake=sum(line.stake for line in lines),
        odds=write_odds(Fraction(first.won, first.stake)),
        won=sum(line.won for line in lines),
        back=sum(line.back for line in lines),
        bets=len(lines),
        terminals=shown,
        more=len(lines) - len(shown),
    )
