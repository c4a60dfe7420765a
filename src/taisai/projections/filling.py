"""Filling the blanks of a sentence from the fields of an event or of a command."""

import re
from functools import cache
from string import Formatter
from typing import Any

from taisai.core.kernel.messages import Actor, Command, Event
from taisai.core.rules.dice import Faces
from taisai.core.rules.reason import Reason, because
from taisai.core.table.chips.pieces import value_chips
from taisai.wording import words


def write_dice(faces: Faces) -> str:
    """Write three faces so that no spreadsheet takes them for a date."""
    return " ".join(map(str, faces))


@cache
def sentence_of(kind: type[Command | Event]) -> str:
    """Give the code of the sentence for an event's or a command's class."""
    said = "REQUEST" if issubclass(kind, Command) else "EVENT"
    return said + re.sub("(?=[A-Z])", "_", kind.__name__).upper()


@cache
def _blanks(code: str) -> dict[str, str]:
    """Find the blanks of a sentence, each with the field for it."""
    parts = Formatter().parse(words("en")["sentences"][code])
    return {blank: blank.removesuffix("_cents") for _, blank, _, _ in parts if blank is not None}


def named(message: Command | Event, code: str | None = None, /, **given: Any) -> Reason:
    """Fill the blanks of a message's sentence: from the given values, else from its fields."""
    code = code or sentence_of(type(message))
    return because(
        code,
        **{
            blank: given[blank] if blank in given else _written(getattr(message, field), blank)
            for blank, field in _blanks(code).items()
        },
    )


def _written(value: Any, blank: str) -> int | str:
    """Write a field for the blank of a sentence."""
    match value:
        case tuple() if blank.endswith("_cents"):
            return value_chips(value)
        case Actor(person=person):
            return person
        case (int(), int(), int()):
            return write_dice(value)
        case tuple() if any(hasattr(each, "approved_by") for each in value):
            return _departures(value)
        case tuple():
            return ", ".join(value) or "–"
        case _:
            plain: int | str = value
            return plain


def _departures(departures: tuple[Any, ...]) -> str:
    """Write departures: the rulebook and its part, who approved it, and the paper."""
    written = (
        f"{each.rulebook} {each.aspect}: {each.approved_by}, {each.reference}"
        for each in departures
    )
    return "; ".join(written)
