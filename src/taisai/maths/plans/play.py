"""The outcome of a betting plan on a box, within the limits of a table, from a bank.

All courses of the rounds are counted exactly if the number of states and banks allows it; if the
integers would grow too long they are computed in floats with proven bounds; if there are too many
states the plan is simulated, with confidence intervals. The answer names the method and the reason.
No plan changes the edge: the average loss is the edge times the average turnover.
"""

from taisai.core.rules.paytable import PayTable
from taisai.maths.errors import MathsError, check_whole, missing_extra
from taisai.maths.plans.exact import TooLongError, played_exactly
from taisai.maths.plans.plan import Plan
from taisai.maths.plans.result import Method, Played
from taisai.maths.plans.sitting import CELLS_MAX, Cells, Play, Sitting, cells_of, play_of

SEED_MAX = 2**63 - 1


def play_plan(
    pay_table: PayTable,
    box: str,
    plan: Plan,
    sitting: Sitting,
    method: Method | None = None,
    seed: int = 0,
) -> Played:
    """Compute the outcome of a plan on a box; by default with the best possible method."""
    play = play_of(pay_table, box, plan, sitting)
    check_whole("a seed is", seed, 0, SEED_MAX)
    if method is Method.SIMULATED:
        return _simulated(play, seed, None, "a simulation was asked for")
    cells = cells_of(play)
    if cells is None:
        why = f"the plan comes to more than {CELLS_MAX} states with their banks"
        return _simulated(play, seed, method, why)
    if method is not Method.BOUNDED:
        try:
            return played_exactly(cells)
        except TooLongError:
            pass
    return _in_floats(cells, seed, method)


def _in_floats(cells: Cells, seed: int, method: Method | None) -> Played:
    why = f"exact integers over {len(cells.places)} states with banks would grow too long"
    if method is Method.EXACT:
        raise MathsError(f"the plan cannot be counted exactly: {why}")
    try:
        from taisai.maths.plans.float_bounds import (  # noqa: PLC0415 - numpy is an extra
            fits,
            played_in_floats,
        )
    except ImportError:
        raise missing_extra("a plan of this length", "maths") from None
    if not fits(cells):
        return _simulated(cells.play, seed, method, f"{why}, and so many take long to compute")
    return played_in_floats(cells, why if method is None else "floats were asked for")


def _simulated(play: Play, seed: int, method: Method | None, why: str) -> Played:
    if method is not None:
        raise MathsError(f"the plan cannot be answered without simulation: {why}")
    try:
        from taisai.maths.plans.simulation import (  # noqa: PLC0415 - numpy is an extra
            played_in_simulation,
            players_for,
        )
    except ImportError:
        raise missing_extra("a simulation", "maths") from None
    return played_in_simulation(play, seed, players_for(play.rounds), why)
