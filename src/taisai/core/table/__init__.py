"""A table, with terminals or with chips. Importing it registers its subjects."""

from taisai.core.table import (
    approval,
    betting,
    corrections,
    damage,
    interruption,
    irregularities,
    opening,
    people,
    positions,
    provably_fair,
    round,
    service,
    setup,
    tumble,
)
from taisai.core.table.chips import subjects

__all__ = [
    "approval",
    "betting",
    "corrections",
    "damage",
    "interruption",
    "irregularities",
    "opening",
    "people",
    "positions",
    "provably_fair",
    "round",
    "service",
    "setup",
    "subjects",
    "tumble",
]
