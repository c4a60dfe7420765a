"""A table, with terminals or with chips. Importing it registers its subjects."""

from taisai.core.table import (
    betting,
    corrections,
    irregularities,
    positions,
    provably_fair,
    round,
    setup,
)
from taisai.core.table.chips import colours, gaming_day, layout_bets, payout, recovery, seats

__all__ = [
    "betting",
    "colours",
    "corrections",
    "gaming_day",
    "irregularities",
    "layout_bets",
    "payout",
    "positions",
    "provably_fair",
    "recovery",
    "round",
    "seats",
    "setup",
]
