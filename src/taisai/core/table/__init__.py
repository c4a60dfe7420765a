"""A table, with terminals or with chips. Importing it registers its subjects."""

from taisai.core.table import (
    approval,
    betting,
    corrections,
    damage,
    irregularities,
    opening,
    people,
    positions,
    provably_fair,
    round,
    setup,
    tumble,
)
from taisai.core.table.chips import (
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
    "collecting",
    "colours",
    "corrections",
    "damage",
    "gaming_day",
    "irregularities",
    "layout_bets",
    "opening",
    "people",
    "positions",
    "provably_fair",
    "recovery",
    "round",
    "rulings",
    "seats",
    "setup",
    "tumble",
]
