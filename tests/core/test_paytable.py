"""A compiled pay table: exact chances, and every area of every winning box lit."""

from fractions import Fraction

import pytest

import taisai
from taisai.core.rules.dice import RESULTS
from taisai.rulebooks import KEYS


def test_chances_are_exact() -> None:
    boxes = taisai.pay_table("ts6/2").boxes
    assert boxes["small"].probability == Fraction(35, 72)
    assert boxes["single-1"].probability == Fraction(91, 216)
    assert boxes["three-126"].probability == Fraction(1, 36)


def test_both_sides_of_the_chip_table_light_up() -> None:
    table = taisai.pay_table("ts6/3")
    lit = table.lit_areas(taisai.result_of((4, 4, 4)))
    assert sorted(area.box for area in lit) == sorted(
        [
            "any-triple",
            "any-triple",
            "single-4",
            "single-4",
            "total-12",
            "total-12",
            "triple-4",
            "triple-4",
        ]
    )


@pytest.mark.parametrize("key", KEYS)
def test_what_is_lit_is_what_wins(key: str) -> None:
    for table in taisai.rulebook(key).pay_tables.values():
        assert taisai.rulebook(key).key == table.rulebook_key == key
        for result in RESULTS:
            lit = {area.box for area in table.lit_areas(result)}
            assert lit == set(table.winners(result))
            unlit = [area for area in table.layout.areas if area.box not in lit]
            assert len(unlit) + len(table.lit_areas(result)) == len(table.layout.areas)
