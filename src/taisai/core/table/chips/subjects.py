"""What only a chip table has. Importing it registers its subjects."""

from taisai.core.table.chips import (
    by_hand,
    collecting,
    colours,
    gaming_day,
    layout_bets,
    leaving,
    recovery,
    rulings,
    seats,
)

__all__ = [
    "by_hand",
    "collecting",
    "colours",
    "gaming_day",
    "layout_bets",
    "leaving",
    "recovery",
    "rulings",
    "seats",
]
