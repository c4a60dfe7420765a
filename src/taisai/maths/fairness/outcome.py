"""What one test of throws comes to, before and after it is seen among the others."""

from enum import StrEnum
from typing import Any

from msgspec import Struct


class Method(StrEnum):
    """How a p-value was found."""

    EXACT = "exact"
    MONTE_CARLO = "monte-carlo"
    ASYMPTOTIC = "asymptotic"
    ANYTIME = "anytime-valid"


class Outcome(Struct, frozen=True, kw_only=True):
    """A test: its statistic, its p-value and how that was found, and what stood out.

    `p` is the chance that fair dice give a statistic as extreme. `adjusted` is Holm's: what is left
    of it among all tests made; it stands at `p` until the test has been seen among them.
    """

    key: str
    statistic: float
    p: float
    method: Method
    degrees: int | None = None
    draws: int | None = None
    error: float | None = None
    adjusted: float = 1.0
    is_rejected: bool = False
    details: dict[str, Any] = {}
