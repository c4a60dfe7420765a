"""A betting plan: a machine with states that says what to stake, and where a win or a loss leads.

A plan counts in units and knows neither box nor bank; `planning.play` puts it on a table.
"""

from collections.abc import Callable, Hashable
from enum import StrEnum

from msgspec import Struct


class AtMaximum(StrEnum):
    """What a plan does where it asks for more than the table's maximum.

    HOLD bets the maximum, and a loss leaves the plan where it is; RESTART begins again from the
    first state; STOP leaves the table.
    """

    HOLD = "hold"
    RESTART = "restart"
    STOP = "stop"


class CannotPay(StrEnum):
    """What a plan does where the bank cannot pay the stake it asks for.

    STOP leaves the table; REST bets what is left, as far as the limits allow; RESTART begins again
    from the first state. Where even that cannot be paid the bank is ruined.
    """

    STOP = "stop"
    REST = "rest"
    RESTART = "restart"


class Plan(Struct, frozen=True):
    """A betting plan; `after` gives None where the plan has the player leave the table."""

    name: str
    first: Hashable
    stake: Callable[[Hashable], int]
    after: Callable[[Hashable, bool], Hashable | None]
    at_maximum: AtMaximum = AtMaximum.HOLD
    cannot_pay: CannotPay = CannotPay.STOP
