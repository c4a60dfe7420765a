"""What the house can lose on what is on a table now: one derivation for the console and the pit."""

from collections.abc import Mapping

from taisai.core.table.chips.payout import playing_of
from taisai.core.table.state import TableState
from taisai.maths import Exposure
from taisai.projections.figures.sums import pricing_of


def exposure_on(state: TableState, stakes: Mapping[str, int]) -> Exposure | None:
    """Work out what the house pays on each result for stakes on boxes; none without a pay table."""
    if state.rulebook is None or state.pay_table is None:
        return None
    wins = pricing_of(state.rulebook, state.pay_table.number).wins(stakes)
    return Exposure(state.pay_table, stakes, [-win for win in wins])


def playing_on(state: TableState) -> Mapping[str, int]:
    """Say what would play on each box now: of a chip table that is over-full, only a part [D2]."""
    if state.chips is None or state.pay_table is None or state.limits is None:
        return state.box_totals
    found: dict[str, int] = {}
    for bet, part in playing_of(state):
        found[bet.box] = found.get(bet.box, 0) + part.stake
    return found
