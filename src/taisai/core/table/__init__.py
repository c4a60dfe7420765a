"""A table, with terminals or with chips. Importing it registers its subjects."""

from taisai.core.table import (
    approval,
    betting,
    corrections,
    damage,
    interruption,
    irregularities,
    people,
    positions,
    provably_fair,
    round,
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
    "damage",
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
    "setup",
    "tumble",
]
