"""The mathematics of a pay table: exact where that is possible, and it nearly always is.

There are 56 results. Everything here follows from the rows of a compiled pay table and whole minor
units; floats appear only where an answer says so.

    >>> import taisai
    >>> from taisai.maths import Slate, session
    >>> small = Slate.of(taisai.pay_table("ts6/2"), {"small": 1000})
    >>> small.house_edge
    Fraction(1, 36)
    >>> round(float(session(small, 1000).ahead), 5)
    0.1813

This is the one face of the package. Names are imported when first asked for, so that a question
that needs no numpy loads none.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taisai.maths.comparison import Comparison as Comparison
    from taisai.maths.comparison import compare as compare
    from taisai.maths.distribution import Distribution as Distribution
    from taisai.maths.errors import MathsError as MathsError
    from taisai.maths.exposure import Exposure as Exposure
    from taisai.maths.exposure import LiveExposure as LiveExposure
    from taisai.maths.exposure import exposure_of as exposure_of
    from taisai.maths.exposure import exposure_of_bets as exposure_of_bets
    from taisai.maths.fairness.examination import examine as examine
    from taisai.maths.fairness.monitor import FairnessMonitor as FairnessMonitor
    from taisai.maths.fairness.monitor import MonitorState as MonitorState
    from taisai.maths.fairness.throws import Throws as Throws
    from taisai.maths.figures import Figure as Figure
    from taisai.maths.par.sheet import ParSheet as ParSheet
    from taisai.maths.par.sheet import par_sheet as par_sheet
    from taisai.maths.plans.plan import Plan as Plan
    from taisai.maths.plans.plan import plan_from_file as plan_from_file
    from taisai.maths.plans.plan import plan_named as plan_named
    from taisai.maths.plans.play import play_plan as play_plan
    from taisai.maths.plans.result import Played as Played
    from taisai.maths.plans.sitting import Sitting as Sitting
    from taisai.maths.ruin import RuinWithin as RuinWithin
    from taisai.maths.ruin import expected_rounds as expected_rounds
    from taisai.maths.ruin import ruin_ever as ruin_ever
    from taisai.maths.ruin import ruin_within as ruin_within
    from taisai.maths.ruin import target_first as target_first
    from taisai.maths.sessions.exact import Session as Session
    from taisai.maths.sessions.exact import approximate_session as approximate_session
    from taisai.maths.sessions.exact import session as session
    from taisai.maths.simulation.columns import BetColumns as BetColumns
    from taisai.maths.simulation.columns import ColumnSettlement as ColumnSettlement
    from taisai.maths.simulation.columns import DrawnBets as DrawnBets
    from taisai.maths.simulation.columns import ListedBets as ListedBets
    from taisai.maths.simulation.columns import box_ids as box_ids
    from taisai.maths.simulation.columns import settle_columns as settle_columns
    from taisai.maths.simulation.play import Play as Play
    from taisai.maths.simulation.play import RoundOutcome as RoundOutcome
    from taisai.maths.simulation.rounds import Simulation as Simulation
    from taisai.maths.simulation.rounds import simulate as simulate
    from taisai.maths.simulation.rounds import throw as throw
    from taisai.maths.simulation.sessions import RepeatedSession as RepeatedSession
    from taisai.maths.simulation.sessions import SimulatedSessions as SimulatedSessions
    from taisai.maths.simulation.sessions import simulate_sessions as simulate_sessions
    from taisai.maths.slates import Slate as Slate
    from taisai.maths.slates import nets_of_boxes as nets_of_boxes

#: The public names of each module.
_NAMES = {
    "comparison": ("Comparison", "compare"),
    "distribution": ("Distribution",),
    "errors": ("MathsError",),
    "exposure": ("Exposure", "LiveExposure", "exposure_of", "exposure_of_bets"),
    "fairness.examination": ("examine",),
    "fairness.monitor": ("FairnessMonitor", "MonitorState"),
    "fairness.throws": ("Throws",),
    "figures": ("Figure",),
    "par.sheet": ("ParSheet", "par_sheet"),
    "plans.plan": ("Plan", "plan_from_file", "plan_named"),
    "plans.play": ("play_plan",),
    "plans.result": ("Played",),
    "plans.sitting": ("Sitting",),
    "ruin": (
        "RuinWithin",
        "expected_rounds",
        "ruin_ever",
        "ruin_within",
        "target_first",
    ),
    "sessions.exact": ("Session", "approximate_session", "session"),
    "simulation.columns": (
        "BetColumns",
        "ColumnSettlement",
        "DrawnBets",
        "ListedBets",
        "box_ids",
        "settle_columns",
    ),
    "simulation.play": ("Play", "RoundOutcome"),
    "simulation.rounds": ("Simulation", "simulate", "throw"),
    "simulation.sessions": ("RepeatedSession", "SimulatedSessions", "simulate_sessions"),
    "slates": ("Slate", "nets_of_boxes"),
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ModuleNotFoundError as missing:
        if missing.name != "numpy":
            raise
        from taisai.maths.errors import missing_extra  # noqa: PLC0415 - only where it is missing

        raise missing_extra(f"taisai.maths.{name}", "maths") from None


def __dir__() -> list[str]:
    return sorted(_HOMES)
