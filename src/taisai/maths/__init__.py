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

Names are imported when first asked for, so that a question that needs no numpy loads none.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from taisai.maths.columns import BetColumns as BetColumns
    from taisai.maths.columns import ColumnSettlement as ColumnSettlement
    from taisai.maths.columns import box_ids as box_ids
    from taisai.maths.columns import settle_columns as settle_columns
    from taisai.maths.comparing import Comparison as Comparison
    from taisai.maths.comparing import compare as compare
    from taisai.maths.distribution import Distribution as Distribution
    from taisai.maths.exposure import Exposure as Exposure
    from taisai.maths.exposure import LiveExposure as LiveExposure
    from taisai.maths.exposure import exposure_of as exposure_of
    from taisai.maths.exposure import exposure_of_bets as exposure_of_bets
    from taisai.maths.failures import MathsError as MathsError
    from taisai.maths.fairness import Throws as Throws
    from taisai.maths.fairness import examine as examine
    from taisai.maths.figures import Figure as Figure
    from taisai.maths.par import ParSheet as ParSheet
    from taisai.maths.par import par_sheet as par_sheet
    from taisai.maths.plans import Plan as Plan
    from taisai.maths.plans import Played as Played
    from taisai.maths.plans import Sitting as Sitting
    from taisai.maths.plans import plan_from_file as plan_from_file
    from taisai.maths.plans import plan_named as plan_named
    from taisai.maths.plans import play_plan as play_plan
    from taisai.maths.playing import Play as Play
    from taisai.maths.playing import RoundOutcome as RoundOutcome
    from taisai.maths.ruin import RuinWithin as RuinWithin
    from taisai.maths.ruin import expected_rounds as expected_rounds
    from taisai.maths.ruin import ruin_by_bank as ruin_by_bank
    from taisai.maths.ruin import ruin_ever as ruin_ever
    from taisai.maths.ruin import ruin_within as ruin_within
    from taisai.maths.ruin import target_first as target_first
    from taisai.maths.sessions import Session as Session
    from taisai.maths.sessions import approximate_session as approximate_session
    from taisai.maths.sessions import session as session
    from taisai.maths.simulated_sessions import RepeatedSession as RepeatedSession
    from taisai.maths.simulated_sessions import SimulatedSessions as SimulatedSessions
    from taisai.maths.simulated_sessions import simulate_sessions as simulate_sessions
    from taisai.maths.simulating import Simulation as Simulation
    from taisai.maths.simulating import simulate as simulate
    from taisai.maths.simulating import throw as throw
    from taisai.maths.slates import Slate as Slate
    from taisai.maths.slates import nets_of_boxes as nets_of_boxes
    from taisai.maths.varying import DrawnBets as DrawnBets
    from taisai.maths.varying import ListedBets as ListedBets
    from taisai.maths.watching import FairnessMonitor as FairnessMonitor

_HOMES = {
    "BetColumns": "taisai.maths.columns",
    "ColumnSettlement": "taisai.maths.columns",
    "Comparison": "taisai.maths.comparing",
    "Distribution": "taisai.maths.distribution",
    "DrawnBets": "taisai.maths.varying",
    "Exposure": "taisai.maths.exposure",
    "FairnessMonitor": "taisai.maths.watching",
    "Figure": "taisai.maths.figures",
    "ListedBets": "taisai.maths.varying",
    "LiveExposure": "taisai.maths.exposure",
    "MathsError": "taisai.maths.failures",
    "ParSheet": "taisai.maths.par",
    "Plan": "taisai.maths.plans",
    "Play": "taisai.maths.playing",
    "Played": "taisai.maths.plans",
    "RepeatedSession": "taisai.maths.simulated_sessions",
    "RoundOutcome": "taisai.maths.playing",
    "RuinWithin": "taisai.maths.ruin",
    "Session": "taisai.maths.sessions",
    "SimulatedSessions": "taisai.maths.simulated_sessions",
    "Simulation": "taisai.maths.simulating",
    "Sitting": "taisai.maths.plans",
    "Slate": "taisai.maths.slates",
    "Throws": "taisai.maths.fairness",
    "approximate_session": "taisai.maths.sessions",
    "box_ids": "taisai.maths.columns",
    "compare": "taisai.maths.comparing",
    "examine": "taisai.maths.fairness",
    "expected_rounds": "taisai.maths.ruin",
    "exposure_of": "taisai.maths.exposure",
    "exposure_of_bets": "taisai.maths.exposure",
    "nets_of_boxes": "taisai.maths.slates",
    "par_sheet": "taisai.maths.par",
    "plan_from_file": "taisai.maths.plans",
    "plan_named": "taisai.maths.plans",
    "play_plan": "taisai.maths.plans",
    "ruin_by_bank": "taisai.maths.ruin",
    "ruin_ever": "taisai.maths.ruin",
    "ruin_within": "taisai.maths.ruin",
    "session": "taisai.maths.sessions",
    "settle_columns": "taisai.maths.columns",
    "simulate": "taisai.maths.simulating",
    "simulate_sessions": "taisai.maths.simulated_sessions",
    "target_first": "taisai.maths.ruin",
    "throw": "taisai.maths.simulating",
}

__all__ = [
    "BetColumns",
    "ColumnSettlement",
    "Comparison",
    "Distribution",
    "DrawnBets",
    "Exposure",
    "FairnessMonitor",
    "Figure",
    "ListedBets",
    "LiveExposure",
    "MathsError",
    "ParSheet",
    "Plan",
    "Play",
    "Played",
    "RepeatedSession",
    "RoundOutcome",
    "RuinWithin",
    "Session",
    "SimulatedSessions",
    "Simulation",
    "Sitting",
    "Slate",
    "Throws",
    "approximate_session",
    "box_ids",
    "compare",
    "examine",
    "expected_rounds",
    "exposure_of",
    "exposure_of_bets",
    "nets_of_boxes",
    "par_sheet",
    "plan_from_file",
    "plan_named",
    "play_plan",
    "ruin_by_bank",
    "ruin_ever",
    "ruin_within",
    "session",
    "settle_columns",
    "simulate",
    "simulate_sessions",
    "target_first",
    "throw",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
