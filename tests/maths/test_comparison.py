"""Pay tables side by side: the boxes against their odds, the cheapest slates against a solver."""

import random
from fractions import Fraction
from importlib import resources

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, milp  # type: ignore[import-untyped]

import taisai
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.paytable import PayTable
from taisai.maths import MathsError, Slate, compare
from taisai.maths.comparison import cheapest

ADDRESSES = [
    *("ts6/1", "ts6/2", "ts6/3", "tso5/1", "etg8/1", "etg8/2", "etg8/3", "div9/1", "div9/2"),
]


def own_table(old: str, new: str, *, allow_player_edge: bool = False) -> PayTable:
    """Take the first pay table of a custom rulebook: one of ours, changed once."""
    text = (resources.files("taisai.rulebooks") / "ts6.toml").read_text("utf-8")
    assert old in text
    changed = text.replace(old, new, 1)
    book = taisai.read_rulebook(changed, "own.toml", allow_player_edge=allow_player_edge)
    return next(iter(book.pay_tables.values()))


def test_two_tables_box_by_box() -> None:
    first, second = taisai.pay_table("ts6/3"), taisai.pay_table("etg8/2")
    found = compare(first, second)
    assert {each.box for each in found.boxes} == {*first.boxes, *second.boxes}
    assert [each.box for each in found.boxes][: len(first.boxes)] == list(first.boxes)
    for each in found.boxes:
        for table, priced in ((first, each.first), (second, each.second)):
            box = table.boxes.get(each.box)
            assert (priced is None) == (box is None)
            if priced is not None and box is not None:
                told = (priced.odds, priced.ways, priced.house_edge)
                assert told == (box.odds, box.ways, box.house_edge)


def test_a_difference_is_the_second_edge_less_the_first() -> None:
    first, second = taisai.pay_table("ts6/2"), taisai.pay_table("etg8/2")
    found = {each.box: each for each in compare(first, second).boxes}
    # By hand: 15 in 216 at 6 to 1 keeps an eighth, 27 in 216 at 6.5 to 1 a sixteenth.
    assert found["total-10"].difference == Fraction(1, 16) - Fraction(1, 8)
    assert found["small"].difference == 0
    comparison = compare(first, second)
    assert comparison.cheaper_on(first) == ()
    assert len(comparison.cheaper_on(second)) == 27
    assert compare(second, first).cheaper_on(second) == tuple(
        box for box in second.boxes if box in comparison.cheaper_on(second)
    )


def test_a_box_on_one_table_alone_has_no_difference() -> None:
    found = {
        each.box: each
        for each in compare(taisai.pay_table("ts6/1"), taisai.pay_table("ts6/2")).boxes
    }
    assert found["odd"].first is None
    assert found["odd"].difference is None


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_slate_is_cheaper_per_unit_or_for_its_swing(address: str) -> None:
    table = taisai.pay_table(address)
    low = cheapest(table)
    assert low.house_edge == min(box.house_edge for box in table.boxes.values())
    source = random.Random(address)  # noqa: S311 - seeded, nothing secret
    for count in (1, 1, 2, 3, 8):
        boxes = source.sample(list(table.boxes), count)
        slate = Slate.of(table, {box: table.step * source.randrange(1, 50) for box in boxes})
        assert slate.house_edge >= low.house_edge
        assert slate.expected_loss**2 / slate.net.variance >= low.swing_squared
    for box in low.per_unit:
        assert table.boxes[box].house_edge == low.house_edge
    for box in low.for_swing:
        net = Slate.of(table, {box: table.step}).net
        assert net.mean**2 / net.variance == low.swing_squared


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_cheapest_cover_is_that_of_a_solver(address: str) -> None:
    table = taisai.pay_table(address)
    cover = cheapest(table, 100).covering
    assert cover is not None
    assert cover.hit_rate == 1
    costs = np.array([float(100 * box.house_edge) for box in table.boxes.values()])
    met = np.array([[times > 0 for times in box.met] for box in table.boxes.values()]).T
    solved = milp(
        costs,
        integrality=np.ones(len(costs)),
        constraints=LinearConstraint(met.astype(float), lb=np.ones(len(RESULTS))),
    )
    assert solved.success
    assert float(cover.expected_loss) == pytest.approx(solved.fun, rel=1e-9)


def test_the_least_stake_is_rounded_up_to_what_pays_whole() -> None:
    # Every edge-1/36 box of the table takes a single unit, so that the cheapest round costs 1/36.
    low = cheapest(taisai.pay_table("etg8/2"), 1)
    assert {slate.staked for slate in low.at_minimum} == {1}
    assert low.at_minimum[0].expected_loss == Fraction(1, 36)
    assert cheapest(taisai.pay_table("etg8/2"), 7).at_minimum[0].staked == 7


def test_a_box_that_costs_nothing_is_in_every_cover() -> None:
    table = own_table(
        'pays = "62", boxes = ["total-4", "total-17"]',
        'pays = "75", boxes = ["total-4", "total-17"]',
        allow_player_edge=True,
    )
    low = cheapest(table)
    assert low.per_unit == low.for_swing == ("total-4", "total-17")
    assert low.house_edge == 1 - Fraction(3 * 76, 216)
    assert low.swing_squared < 0
    assert low.covering is not None
    assert {"total-4", "total-17"} < set(low.covering.stakes)
    assert low.covering.hit_rate == 1


@pytest.mark.parametrize("minimum", [0, -1, 1.5, True, 10**24])
def test_a_least_stake_that_is_none_is_refused(minimum: int) -> None:
    table = taisai.pay_table("ts6/1")
    with pytest.raises(MathsError, match="the least stake is a whole number"):
        compare(table, table, minimum)


def test_a_search_that_goes_on_for_too_long_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("taisai.maths.comparison.BRANCHES_MAX", 3)
    assert cheapest(taisai.pay_table("ts6/1")).covering is None
