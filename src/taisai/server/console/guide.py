"""The payout guide and the gauges of a table: the bets on each box, before anything is done.

The payout guide is a dry run of the settlement; for a settled round it is the settlement itself.
The gauges compare each box with its limits, and each pair of boxes with the Differential.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from taisai.core.kernel.messages import Instant, SettledLine
from taisai.core.rules.dice import Faces, call_of, result_of
from taisai.core.rules.limits import Limits, above_differential
from taisai.core.rules.money import write_odds
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal, because, refuse
from taisai.core.table.round import BetsClosed, CloseBets, worked_out
from taisai.core.table.state import (
    ENTERED,
    Phase,
    RoundRecord,
    TableState,
    limits_in_force,
    pay_table_in_force,
    unconfirmed_refusal,
)
from taisai.projections.exposure import room_by_limits
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
    """Give the guide for the result that is entered, or for the last settled round."""
    if state.phase in ENTERED:
        lines = _tried(state, at)
        if isinstance(lines, Refusal):
            return lines
        assert state.faces is not None, "a result was entered"
        return _guide(state, state.round, state.faces, lines, language, settled=False)
    last = last_settled(state)
    if last is None or last.faces is None:
        return refuse("NO_GUIDE")
    return _guide(state, last.number, last.faces, last.lines, language, settled=True)


def last_settled(state: TableState) -> RoundRecord | None:
    """Find the newest round that is settled and stands."""
    return next((each for each in reversed(state.history.values()) if not each.void), None)


def _tried(state: TableState, at: Instant) -> tuple[SettledLine, ...] | Refusal:
    """Settle the round as if its result were confirmed, and carry nothing out."""
    confirmed = replace(state, phase=Phase.CONFIRMED)
    refusal = unconfirmed_refusal(confirmed, at)
    if refusal is not None:
        return refusal
    return worked_out(confirmed)[0].lines


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
        clause=None if rulebook is None else rulebook.content.procedure.settlement.clause,
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


class BoxGauge(Struct, frozen=True):
    """A box with money on it, against its limits."""

    box: str
    name: str
    staked: int
    minimum: int
    maximum: int
    #: How much more it takes of all players together; null where each player has their own maximum.
    room: int | None
    #: What ends the room: the maximum of the box, or the Differential.
    by: Literal["maximum", "differential"] | None
    sentence: str | None


class Side(Struct, frozen=True):
    """One side of a Differential pair."""

    box: str
    name: str
    staked: int


class PairGauge(Struct, frozen=True):
    """Two sides, how far they are apart, how far they may be, and what goes back at the close."""

    sides: tuple[Side, Side]
    apart: int
    #: The Differential; null where none is set.
    limit: int | None
    #: The larger side, where it is further ahead than that, and by how much.
    ahead: str | None
    over: int
    #: What is given back when the bets are closed: more than `over` where a rest is too small.
    rejected: int
    bets: int
    sentence: str
    clause: str | None


class Gauges(Struct, frozen=True):
    """What is on the boxes of a table against its limits and its Differential."""

    table: str
    phase: str
    #: Whether a maximum counts all players together on a box, or each player alone.
    scope: Literal["box", "player"]
    #: The command that gives the excess back; null where the rulebook has no Differential.
    rejects: str | None
    boxes: list[BoxGauge]
    pairs: list[PairGauge]


class _Rejected(NamedTuple):
    amount: int = 0
    bets: int = 0


def gauges_for(state: TableState, language: str, at: Instant) -> Gauges | Refusal:
    """Measure what is on a table; nothing is carried out."""
    if state.pay_table is None:
        return refuse("NO_RULEBOOK")
    if state.limits is None:
        return refuse("NO_LIMITS")
    table, limits = pay_table_in_force(state), limits_in_force(state)
    pairs = [pair for pair in table.limit_rules.differential_pairs if pair[0] in table.boxes]
    over = any(above_differential(table, limits, pair, state.box_totals) for pair in pairs)
    # If no side is too far ahead, nothing is given back, and no bets need to be checked.
    rejected = _rejected(state, at) if over else {}
    order = layout_order(table)
    return Gauges(
        table=state.table,
        phase=state.phase.value,
        scope=table.limit_rules.scope,
        rejects=CloseBets.__name__ if pairs else None,
        boxes=[
            _box(table, limits, state.box_totals, box, language)
            for box in sorted(state.box_totals, key=lambda box: order[box])
            if state.box_totals[box]
        ],
        pairs=[_pair(table, limits, state.box_totals, pair, rejected, language) for pair in pairs],
    )


def _rejected(state: TableState, at: Instant) -> dict[str, _Rejected]:
    """Find by a dry run what would be given back of each box when the bets close [D4]."""
    decision = ask(state, "dealer", CloseBets(bell=True), at)
    found: dict[str, _Rejected] = {}
    if not isinstance(decision, Refusal):
        (closed,) = decision
        assert isinstance(closed, BetsClosed), "closing the bets comes to that alone"
        for _, box, amount in closed.rejected:
            before = found.get(box, _Rejected())
            found[box] = _Rejected(before.amount + amount, before.bets + 1)
    return found


def _box(
    table: PayTable, limits: Limits, staked: Mapping[str, int], box: str, language: str
) -> BoxGauge:
    own = limits.of(box)
    room: int | None = None
    by: Literal["maximum", "differential"] | None = None
    sentence = None
    if table.limit_rules.scope == "player":
        sentence = say(because("ROOM_IS_EACH_PLAYERS"), language)
    else:
        found = room_by_limits(table, staked, box, limits)
        room = found.amount
        by = "differential" if found.by == "differential" else "maximum"
    return BoxGauge(
        box, name_box(box, language), staked[box], own.minimum, own.maximum, room, by, sentence
    )


def _pair(
    table: PayTable,
    limits: Limits,
    staked: Mapping[str, int],
    pair: tuple[str, str],
    rejected: Mapping[str, _Rejected],
    language: str,
) -> PairGauge:
    one, other = (Side(box, name_box(box, language), staked.get(box, 0)) for box in pair)
    over = above_differential(table, limits, pair, staked)
    back = [rejected.get(box, _Rejected()) for box in pair]
    amount = sum(each.amount for each in back)
    reason = because("EXCESS_AT_CLOSE", rejected_cents=amount) if amount else because("NO_EXCESS")
    rules = table.limit_rules
    return PairGauge(
        sides=(one, other),
        apart=abs(one.staked - other.staked),
        limit=limits.differential,
        ahead=None if over is None else over[0],
        over=0 if over is None else over[1],
        rejected=amount,
        bets=sum(each.bets for each in back),
        sentence=say(reason, language),
        clause=rules.rejected_clause if amount else rules.differential_clause,
    )
