"""Tai Sai, version 6, and Tai Sai (Open Cover), version 5: what must be seen at a table [D31]."""

import pytest

import taisai
from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.reason import Refusal
from taisai.core.table.setup import OpenTable, RegisterDice, SetLimits
from taisai.projections.table_view import view_of
from tests.kit.tables import Table

KEYS = ["ts6", "tso5"]
TABLES = [f"{key}/{number}" for key in KEYS for number in (1, 2, 3)]
ON_EVERY_TABLE = pytest.mark.parametrize("address", TABLES)


def without_limits(address: str) -> Table:
    """Give a closed table with its rulebook and dice, and no limits yet."""
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


@pytest.mark.parametrize("key", KEYS)
def test_3_3_the_whole_sign_is_displayed_where_limits_differ(key: str) -> None:
    """A kind has one line, and each box that differs from it has its own: every box is on it."""
    table = without_limits(f"{key}/2")
    own = {"big": (None, 200_000), "triple": (500, 2_000), "total-9": (2_000, None)}
    table.agrees("supervisor", SetLimits(LimitsAsked(1_000, 100_000, 100, 50_000, own)))
    sign = {line.name: (line.minimum, line.maximum) for line in view_of(table.state).sign}
    general = (1_000, 100_000)
    assert sign["big"] == (1_000, 200_000)
    assert sign["triple"] == (500, 2_000)
    assert (sign["small"], sign["any-triple"], sign["domino"]) == (general, general, general)
    totals = {name: limits for name, limits in sign.items() if name.startswith("total")}
    assert totals == {"total": general, "total-9": (2_000, 100_000)}


@pytest.mark.parametrize("key", KEYS)
def test_3_3_limits_that_are_the_same_everywhere_are_a_sign_of_their_own(key: str) -> None:
    table = without_limits(f"{key}/2")
    table.agrees("supervisor", SetLimits(LimitsAsked(1_000, 100_000, 100, 50_000)))
    view = view_of(table.state)
    assert view.sign == ()
    assert view.limits == LimitsAsked(1_000, 100_000, 100, 50_000)
    # A limit that is set on a box and is the table's own changes nothing on the sign.
    same = LimitsAsked(1_000, 100_000, 100, 50_000, {"big": (1_000, None)})
    table.agrees("supervisor", SetLimits(same))
    assert view_of(table.state).sign == ()
