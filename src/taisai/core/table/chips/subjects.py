"""The subjects that only a chip table has. Importing this registers them."""

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
