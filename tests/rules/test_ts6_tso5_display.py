"""Tai Sai, version 6, and Tai Sai (Open Cover), version 5: what must be seen at a table [D31]."""

import pytest

import taisai
from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.reason import Refusal
from taisai.core.table.setup import OpenTable, RegisterDice, SetLimits
from tests.kit.tables import Table

KEYS = ["ts6", "tso5"]
TABLES = [f"{key}/{number}" for key in KEYS for number in (1, 2, 3)]
ON_EVERY_TABLE = pytest.mark.parametrize("address", TABLES)


def without_limits(address: str) -> Table:
    """Have a closed table with its rulebook and dice, and no limits yet."""
    table = Table(address).created().adopts()
    table.does("supervisor", RegisterDice("D1", "S1"))
    return table


@ON_EVERY_TABLE
def test_1_3_every_pay_table_has_big_and_small_to_be_apart(address: str) -> None:
    """Table 3 has no Odd and Even, and still a Differential: Big and Small are on all three."""
    table = without_limits(address)
    asked = SetLimits(LimitsAsked(1_000, 100_000, 100))
    assert table.refuses("supervisor", asked) == ("DIFFERENTIAL_MISSING", "3.3")


@ON_EVERY_TABLE
def test_3_3_a_table_does_not_open_without_a_differential_on_its_sign(address: str) -> None:
    table = without_limits(address)
    table.refuses("supervisor", SetLimits(LimitsAsked(1_000, 100_000, 100)))
    assert table.refuses("supervisor", OpenTable()) == ("NO_LIMITS", "3.3")
    table.agrees("supervisor", SetLimits(LimitsAsked(1_000, 100_000, 100, 50_000)))
    table.does("supervisor", OpenTable())


@pytest.mark.parametrize("key", KEYS)
def test_3_3_a_table_that_is_open_keeps_a_differential_on_its_sign(key: str) -> None:
    table = without_limits(f"{key}/2")
    table.agrees("supervisor", SetLimits(LimitsAsked(1_000, 100_000, 100, 50_000)))
    table.does("supervisor", OpenTable())
    asked = SetLimits(LimitsAsked(1_000, 100_000, 100))
    assert table.refuses("supervisor", asked) == ("DIFFERENTIAL_MISSING", "3.3")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (LimitsAsked(0, 100_000, 100, 50_000), "min"),
        (LimitsAsked(0, 0, 100, 50_000), "min"),
        (LimitsAsked(1_000, 100_000, 100, 0), "differential"),
        (LimitsAsked(1_000, 100_000, 100, 50_000, {"triple": (0, None)}), "boxes.triple.min"),
        (LimitsAsked(1_000, 100_000, 100, 50_000, {"big": (0, 0)}), "boxes.big.min"),
    ],
)
def test_3_3_a_limit_of_nothing_is_refused(key: str, asked: LimitsAsked, named: str) -> None:
    found = without_limits(f"{key}/2").ask("supervisor", SetLimits(asked))
    assert isinstance(found, Refusal)
    assert (found.code, found.clause) == ("BAD_LIMITS", "3.3")
    sentence = f"the limits' {named} is nothing; at least one step, 1.00, is right"
    assert taisai.say(found.reason) == sentence
