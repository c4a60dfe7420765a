"""Limits and Differential as gauges: what is on a box, how much more it takes, what goes back."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.limits import Limits, above_differential
from taisai.core.rules.money import AMOUNT_MAX
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.reason import Refusal, because, refuse
from taisai.core.table.round import BetsClosed, CloseBets
from taisai.core.table.state import TableState, limits_in_force, pay_table_in_force
from taisai.maths import Exposure
from taisai.server.console.dry_run import ask
from taisai.server.console.guide import layout_order
from taisai.wording import name_box, say


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
    # Where no side is too far ahead nothing goes back, however many bets there are to look at.
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
    """Close the bets, carrying nothing out, and see what of each box would go back [D4]."""
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
        # With nothing to lose, what ends the room is a limit.
        found = Exposure(table, staked, [0] * len(RESULTS)).room(box, AMOUNT_MAX, limits)
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
