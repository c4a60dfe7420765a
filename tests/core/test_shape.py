"""A file without the shape of a rulebook is refused with the place, in its own words."""

from typing import Any

import pytest

from taisai.core.rules.rulebook import shape_fault

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
        ("Expected `str`, got `int` - at `$.title`", "title: Expected 'str', got 'int'"),
        (
            "Object missing required field `key`",
            "not a rulebook: Object missing required field 'key'",
        ),
        (
            "Expected `int` - at `$.pay_tables[0].bets[0].rows[0].pays`",
            "pay table 2, kind total, row Total, pays: Expected 'int'",
        ),
        ("Expected `object` - at `$.clauses[1]`", "clauses 2: Expected 'object'"),
        ("Expected `object` - at `$.clauses[0].gist`", "clauses 1.1, gist: Expected 'object'"),
        ("Expected `array` - at `$.kinds[...].totals`", "kinds, totals: Expected 'array'"),
        ("Expected `str` - at `$.people[0].role`", "people 1, role: Expected 'str'"),
        ("Expected `str` - at `$.cells[0].row`", "cells 1, row: Expected 'str'"),
    ],
)
def test_a_fault_of_shape_is_placed_in_words(error: str, fault: str) -> None:
    assert shape_fault(error, DATA) == fault
