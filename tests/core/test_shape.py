"""A file without the shape of a rulebook is refused with the place, in its own words."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from taisai.core.rules.rulebook import shape_fault
from taisai.core.rules.shape import plainly

DATA: dict[str, Any] = {
    "title": 5,
    "clauses": [{"number": "1.1"}, "text"],
    "pay_tables": [
        {"number": 2, "bets": [{"kind": "total", "rows": [{"name": "Total", "pays": []}]}]},
    ],
    "kinds": {"small": {"totals": 7}},
    "cells": [{"row": 3}],
}


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        ("Expected `str`, got `int` - at `$.title`", "title: a text is right, not a whole number"),
        (
            "Object missing required field `key`",
            "not a rulebook: the key 'key' is missing",
        ),
        (
            "Expected `int` - at `$.pay_tables[0].bets[0].rows[0].pays`",
            "pay table 2, kind total, row Total, pays: a whole number is right",
        ),
        ("Expected `object` - at `$.clauses[1]`", "clauses 2: a section is right"),
        ("Expected `object` - at `$.clauses[0].gist`", "clauses 1.1, gist: a section is right"),
        ("Expected `array` - at `$.kinds[...].totals`", "kinds, totals: a list is right"),
        ("Expected `str` - at `$.people[0].role`", "people 1, role: a text is right"),
        ("Expected `str` - at `$.cells[0].row`", "cells 1, row: a text is right"),
    ],
)
def test_a_fault_of_shape_is_placed_in_words(error: str, fault: str) -> None:
    assert shape_fault(error, DATA) == fault


class Part(Struct, forbid_unknown_fields=True):
    colour: Literal["red", "green"]
    when: datetime | None = None
    share: Annotated[float, Meta(gt=0)] = 1.0
    sizes: tuple[Annotated[int, Meta(ge=1)], int] = (1, 1)


class Whole(Struct, forbid_unknown_fields=True):
    parts: dict[str, list[Part]]
    named: Annotated[str, Meta(min_length=2)] | int | Part = 5


MOMENT = "a date and a time with its zone, like 2023-10-06T08:00:00+08:00, is right"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({}, "the key 'parts' is missing"),
        ({"pats": {}}, "there is no key 'pats'; the keys are parts, named"),
        (
            {"parts\n" + "x" * 99: {}},
            f"there is no key 'parts\ufffd{'x' * 34}'; the keys are parts, named",
        ),
        (
            {"parts": {"a": [{"clr": 5}]}},
            "there is no key 'clr'; the keys are colour, when, share, sizes",
        ),
        ({"parts": {"a": [{"colour": "blue"}]}}, "'blue' is none of green, red"),
        ({"parts": {"a": [{"colour": "red", "when": "now"}]}}, MOMENT),
        ({"parts": {"a": [{"colour": "red", "when": date(2026, 1, 2)}]}}, f"{MOMENT}, not a date"),
        ({"parts": {"a": [{"colour": "red", "share": 0.0}]}}, "a number, above 0.0, is right"),
        (
            {"parts": {"a": [{"colour": "red", "sizes": [1]}]}},
            "a list, exactly 2 long, is right, not 1",
        ),
        (
            {"parts": {"a": [{"colour": "red", "sizes": [0, 0]}]}},
            "a whole number, at least 1, is right",
        ),
        ({"parts": {}, "named": "x"}, "a text, at least 2 long, is right"),
        (
            {"parts": {}, "named": True},
            "a whole number, a text or a section is right, not true or false",
        ),
        (
            {"parts": {}, "named": {"size": 5}},
            "there is no key 'size'; the keys are colour, when, share, sizes",
        ),
    ],
)
def test_what_the_decoder_of_a_type_complains_of_is_put_plainly(
    value: object, sentence: str
) -> None:
    """The complaints are the decoder's own: another version of it may not word them otherwise."""
    with pytest.raises(msgspec.ValidationError) as complaint:
        msgspec.convert(value, Whole)
    what, _, path = str(complaint.value).partition(" - at `$")
    assert plainly(what, path.removesuffix("`"), Whole) == sentence


def test_a_complaint_that_nobody_foresaw_is_left_as_it_is() -> None:
    assert plainly("Something `odd`\n", "", Whole) == "Something 'odd'\ufffd"
