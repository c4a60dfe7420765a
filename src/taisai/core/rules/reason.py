"""Reasons and refusals: a code with parameters, made into a sentence elsewhere, in any language.

A parameter's name tells how it is written: `box` is a betting box, `seat_bets` are several with the
seats whose bets are on them, a name that ends in `_cents` is an amount of minor units, every other
value is written as it is.
"""

from collections.abc import Mapping
from typing import final

from msgspec import Struct


def shown(value: object) -> str:
    """Show a wrong value as JSON, cut short however large or deep it is."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int():
            text = str(value) if value.bit_length() < 1000 else "a number of hundreds of digits"
        case float():
            text = repr(value)
        case str():
            text = f'"{printable(value[:40])}"'
        case list() | tuple():
            return "a list"
        case dict():
            return "an object"
        case _:
            return f"a {type(value).__name__}"
    return text if len(text) <= 40 else f"{text[:37]}..."


def printable(text: str) -> str:
    """Remove characters that would move a screen's cursor or forge a line of an answer."""
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


class Reason(Struct, frozen=True):
    """A code and what fills the blanks of its sentence."""

    code: str
    params: Mapping[str, int | str] = {}


def because(code: str, **params: int | str) -> Reason:
    """Give a reason: its code, and by name what fills the blanks of its sentence."""
    return Reason(code, params)


@final
class Refusal(Struct, frozen=True):
    """A person's mistake, answered: the condition, its sentence and the clause or decision."""

    code: str
    reason: Reason
    clause: str | None = None


def refuse(code: str, clause: str | None = None, /, **params: int | str) -> Refusal:
    """Refuse with the sentence of the same code."""
    return Refusal(code, Reason(code, params), clause)
