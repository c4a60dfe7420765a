"""What the house can lose on the bets of a table now: one derivation for console and pit.

The server gets all its figures about a table's bets from here.
"""

from collections.abc import Mapping

from taisai.core.rules.dice import RESULTS
from taisai.core.rules.limits import Limits
from taisai.core.rules.money import AMOUNT_MAX, write_fraction
from taisai.core.rules.paytable import PayTable
from taisai.core.table.chips.payout import playing_of
from taisai.core.table.state import TableState
from taisai.maths import Exposure, Room
from taisai.projections.figures.sums import pricing_of
from taisai.protocol import server_messages


def exposure_on(state: TableState, stakes: Mapping[str, int]) -> Exposure | None:
    """Compute what the house pays on each result for stakes on boxes; None without a pay table."""
    if state.rulebook is None or state.pay_table is None:
        return None
    wins = pricing_of(state.rulebook, state.pay_table.number).wins(stakes)
    return Exposure(state.pay_table, stakes, [-win for win in wins])


def playing_on(state: TableState) -> Mapping[str, int]:
    """Give what would play on each box now; at a chip table a part of an over-full box [D2]."""
    if state.chips is None or state.pay_table is None or state.limits is None:
        return state.box_totals
    found: dict[str, int] = {}
    for bet, part in playing_of(state):
        found[bet.box] = found.get(bet.box, 0) + part.stake
    return found


def exposure_message(table: str, found: Exposure) -> server_messages.Exposure:
    """Make the message of what the house would pay on each result."""
    staked = found.staked
    return server_messages.Exposure(
        table=table,
        staked=staked,
        pays=found.pays,
        worst=found.worst,
        worst_on=tuple(result.index for result in found.worst_results) if staked else (),
        expected=round(found.expected),
        losing=write_fraction(found.losing_probability),
    )


def room_by_limits(table: PayTable, staked: Mapping[str, int], box: str, limits: Limits) -> Room:
    """Give the room of a box by the limits alone: with nothing to lose, only a limit ends it."""
    return Exposure(table, staked, [0] * len(RESULTS)).room(box, AMOUNT_MAX, limits)
