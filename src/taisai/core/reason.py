"""Why something is so, as a code with parameters: the sentence is made elsewhere, in any language.

A parameter's name tells how it is written: `box` is a betting box, a name that ends in `_cents` is
an amount of minor units, everything else is written as it stands.
"""

from collections.abc import Mapping

from msgspec import Struct


class Reason(Struct, frozen=True):
    """A code and what fills the blanks of its sentence."""

    code: str
    params: Mapping[str, int | str] = {}


def because(code: str, **params: int | str) -> Reason:
    """Give a reason: its code, and by name what fills the blanks of its sentence."""
    return Reason(code, params)


class Refusal(Struct, frozen=True):
    """A person's mistake, answered: the condition, its sentence and the clause or decision."""

    code: str
    reason: Reason
    clause: str | None = None


def refuse(code: str, clause: str | None = None, /, **params: int | str) -> Refusal:
    """Refuse with the sentence of the same code."""
    return Refusal(code, Reason(code, params), clause)
