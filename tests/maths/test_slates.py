"""Slates: every figure against a settlement of all 216 throws, and odd slates refused."""

import random
from fractions import Fraction
from itertools import product

import pytest

import taisai
from taisai.core.rules.dice import FACES, RESULTS
from taisai.core.rules.paytable import PayTable
from taisai.maths import Distribution, MathsError, Slate, nets_of_boxes
from taisai.maths.slates import net_of_box

ADDRESSES = [
    *("ts6/1", "ts6/2", "ts6/3", "tso5/1", "tso5/2", "tso5/3"),
    *("etg8/1", "etg8/2", "etg8/3", "div9/1", "div9/2"),
]
THROWS = [tuple(throw) for throw in product(FACES, repeat=3)]


def settled(table: PayTable, stakes: dict[str, int]) -> list[tuple[int, bool]]:
    """Settle every throw as a table would: the player's net, and whether a bet won."""
    bets = [taisai.Bet("a", box, stake) for box, stake in stakes.items()]
    nets = []
    for throw in THROWS:
        settlement = taisai.settle(table, taisai.result_of(throw), bets)
        assert isinstance(settlement, taisai.Settlement)
        back = sum(bet.back for bet in settlement.bets)
        nets.append((back - sum(stakes.values()), settlement.paid > 0))
    return nets


def drawn(table: PayTable, seed: object, count: int) -> dict[str, int]:
    """Draw stakes on this many boxes."""
    source = random.Random(f"{seed}")  # noqa: S311 - seeded, nothing secret
    boxes = source.sample(list(table.boxes), count)
    return {box: table.step * source.randrange(1, 300) for box in boxes}


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_slate_is_what_settling_all_throws_comes_to(address: str) -> None:
    table = taisai.pay_table(address)
    for count in (1, 2, 5):
        stakes = drawn(table, address, count)
        slate, nets = Slate.of(table, stakes), settled(table, stakes)
        counted: dict[int, int] = {}
        for net, _ in nets:
            counted[net] = counted.get(net, 0) + 1
        assert slate.net == Distribution.from_mapping(counted)
        assert slate.net.total == 216
        assert slate.hit_rate == Fraction(sum(won for _, won in nets), 216)
        assert slate.ahead == Fraction(sum(net > 0 for net, _ in nets), 216)
        assert slate.expected_loss == Fraction(-sum(net for net, _ in nets), 216)
        assert slate.house_edge == slate.expected_loss / sum(stakes.values())
        assert slate.return_to_player == 1 - slate.house_edge
        assert slate.edge_at_risk == slate.expected_loss / -min(net for net, _ in nets)
        assert [slate.rows[taisai.result_of(throw).index] for throw in THROWS] == [
            n for n, _ in nets
        ]


@pytest.mark.parametrize("address", ADDRESSES)
def test_each_box_alone_agrees_with_its_odds(address: str) -> None:
    table = taisai.pay_table(address)
    nets = nets_of_boxes(table)
    assert list(nets) == list(table.boxes)
    for key, box in table.boxes.items():
        slate = Slate.of(table, {key: table.step})
        assert slate.house_edge == box.house_edge
        assert slate.hit_rate == box.probability
        assert nets[key] == slate.net == net_of_box(box, table.step)
        rows = Distribution.from_pairs(
            (slate.rows[result.index], result.throws) for result in RESULTS
        )
        assert slate.net == rows


def test_boxes_that_pay_alike_share_what_is_worked_out() -> None:
    nets = nets_of_boxes(taisai.pay_table("etg8/2"), 100)
    assert nets["total-4"] is nets["total-17"]
    assert nets["total-4"] is not nets["total-5"]
    assert nets["double-1"].values == (-100, 1150)


def test_losses_add_up() -> None:
    table = taisai.pay_table("etg8/3")
    stakes = drawn(table, "losses", 12)
    parts = sum(stake * table.boxes[box].house_edge for box, stake in stakes.items())
    assert Slate.of(table, stakes).expected_loss == parts


def test_singles_that_cover_each_other_risk_little() -> None:
    slate = Slate.of(taisai.pay_table("ts6/2"), {f"single-{face}": 100 for face in FACES})
    assert slate.net.values == (-100, 0, 700)
    assert slate.hit_rate == 1
    assert slate.house_edge == Fraction(1, 27)
    assert slate.edge_at_risk == Fraction(6, 27)


def test_bets_on_one_box_are_summed() -> None:
    table = taisai.pay_table("ts6/2")
    twice = Slate.of(table, [("small", 100), ("big", 50), ("small", 200)])
    assert twice == Slate.of(table, {"small": 300, "big": 50})
    assert hash(twice) == hash(Slate.of(table, {"big": 50, "small": 300}))
    assert twice != Slate.of(taisai.pay_table("ts6/1"), {"small": 300, "big": 50})
    assert twice != "small"
    assert repr(twice) == "<Slate on ts6/2: small=300, big=50>"
    assert twice.staked == 350


@pytest.mark.parametrize(
    ("address", "stakes", "sentence"),
    [
        ("ts6/2", {}, "an empty slate has nothing to count"),
        ("ts6/2", {"small": 0}, "the stake on Small is 0"),
        ("ts6/2", {"small": -5}, "the stake on Small is -5"),
        ("ts6/2", {"small": 1.5}, "the stake on Small is 1.5"),
        ("ts6/2", {"small": True}, "the stake on Small is true"),
        ("ts6/2", {"small": 10**25}, "at most 10\\^24"),
        ("ts6/2", {"smal": 5}, "there is no betting box smal"),
        ("ts6/1", {"odd": 5}, "ts6/1 has no betting box Odd"),
        ("etg8/2", {"total-8": 5}, "5 on Total 8 is off the step; a multiple of 2 is right"),
        ("ts6/2", {7: 5}, "7 is no betting box"),
    ],
)
def test_odd_slates_are_refused_in_a_sentence(
    address: str, stakes: dict[str, int], sentence: str
) -> None:
    with pytest.raises(MathsError, match=sentence):
        Slate.of(taisai.pay_table(address), stakes)


def test_a_stake_that_some_box_cannot_pay_whole_is_refused_for_all_boxes() -> None:
    with pytest.raises(MathsError, match="1 on Total 8 is off the step"):
        nets_of_boxes(taisai.pay_table("etg8/1"), 1)
