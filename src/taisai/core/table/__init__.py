"""A table, with terminals or with chips. Importing it registers its subjects.

What becomes of damaged dice comes with the corrections.
"""

from taisai.core.table import (
    approval,
    betting,
    corrections,
    interruption,
    irregularities,
    people,
    positions,
    provably_fair,
    round,
    service,
    setup,
    tumble,
)
from taisai.core.table.chips import (
    by_hand,
    collecting,
    colours,
    gaming_day,
    layout_bets,
    recovery,
    rulings,
    seats,
)

__all__ = [
    "approval",
    "betting",
    "by_hand",
    "collecting",
    "colours",
    "corrections",
    "gaming_day",
    "interruption",
    "irregularities",
    "layout_bets",
    "people",
    "positions",
    "provably_fair",
    "recovery",
    "round",
    "rulings",
    "seats",
    "service",
    "setup",
    "tumble",
]
