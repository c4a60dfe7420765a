"""Chips: an amount is made of the fewest possible, checked against every combination."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.core.table.chips import pieces as chips_module
from taisai.core.table.chips.pieces import (
    Chips,
    ChipSet,
    Pieces,
    are_pieces,
    coloured,
    fewest_chips,
    is_chip_set,
    plain_chips,
    stacked,
    taken_from,
    value_chips,
    value_of,
)

VENUE = ChipSet((100, 500, 2_500, 10_000), 7, ("pink", "blue"), 200)
MARKED = {"pink": 500, "blue": 250}


def by_brute_force(amount: int, held: dict[int | str, int], marked: dict[str, int]) -> int | None:
    """Try every combination of chips, and count the pieces of the smallest that is right."""
    worth = {chip: chip if isinstance(chip, int) else marked[chip] for chip in held}
    made = [
        sum(counts)
        for counts in product(*(range(count + 1) for count in held.values()))
        if sum(count * worth[chip] for chip, count in zip(held, counts, strict=True)) == amount
    ]
    return min(made, default=None)


@given(
    held=st.dictionaries(st.integers(1, 12), st.integers(0, 4), max_size=4),
    pink=st.tuples(st.integers(1, 12), st.integers(0, 4)),
    amount=st.integers(0, 120),
)
def test_no_combination_has_fewer_chips(
    held: dict[int, int], pink: tuple[int, int], amount: int
) -> None:
    rack: dict[int | str, int] = {"pink": pink[1], **dict[int | str, int](held.items())}
    marked = {"pink": pink[0]}
    found = fewest_chips(amount, rack, marked)
    least = by_brute_force(amount, rack, marked)
    if found is None:
        assert least is None
        return
    assert value_of(found, marked) == amount
    assert sum(each.count for each in found) == least
    assert taken_from(tuple(Pieces(chip, n) for chip, n in rack.items()), found) is not None


@pytest.mark.parametrize(
    ("amount", "held", "expected"),
    [
        # 62 to 1 on 10.00: six hundreds and four fives would be ten; the rack has two hundreds.
        (62_000, {10_000: 6, 500: 99}, (Pieces(10_000, 6), Pieces(500, 4))),
        (
            62_000,
            {10_000: 2, 2_500: 20, 500: 99},
            (Pieces(10_000, 2), Pieces(2_500, 16), Pieces(500, 4)),
        ),
        # Three twenties are fewer than a fifty and a ten that is not there.
        (6_000, {5_000: 1, 2_000: 3}, (Pieces(2_000, 3),)),
        # The own colour before a value chip of the same worth.
        (1_000, {500: 9, "pink": 1}, (Pieces("pink", 1), Pieces(500, 1))),
        (1_000, {500: 9, "pink": 9}, (Pieces("pink", 2),)),
        (750, {500: 9, "blue": 9}, (Pieces(500, 1), Pieces("blue", 1))),
        (0, {500: 9}, ()),
        (300, {500: 9}, None),
        (5_000, {500: 9}, None),
        (100, {500: 0, 100: -3}, None),
    ],
)
def test_an_amount_by_hand(amount: int, held: dict[int | str, int], expected: Chips | None) -> None:
    assert fewest_chips(amount, held, MARKED) == expected


def test_large_payments_are_broken_at_once() -> None:
    # 180 to 1 on 10,000.00 from a float with colours worth 7.50, which fit nothing.
    held: dict[int | str, int] = dict.fromkeys(VENUE.values, 100_000) | {"pink": 200}
    paid = fewest_chips(180_000_000, held, {"pink": 750})
    assert paid == (Pieces(10_000, 18_000),)


def test_a_million_chips_of_a_kind_are_not_tried_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chips_module, "TRIES_MAX", 20)
    assert plain_chips(100_000_000, (100,)) == (Pieces(100, 1_000_000),)
    # 10 does not go into 2, nor 6: of the larger, 999,999 leave 12, which are two of the smaller.
    held: dict[int | str, int] = {10: 1_000_000, 6: 2}
    assert fewest_chips(10_000_002, held, {}) == (Pieces(10, 999_999), Pieces(6, 2))
    assert fewest_chips(10_000_001, held, {}) is None


def test_a_search_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chips_module, "TRIES_MAX", 3)
    assert fewest_chips(6_100, {5_000: 1, 2_000: 3, 100: 1}, {}) is None


def test_plain_chips_are_the_fewest_of_a_full_float() -> None:
    assert plain_chips(13_700, VENUE.values) == (
        Pieces(10_000, 1),
        Pieces(2_500, 1),
        Pieces(500, 2),
        Pieces(100, 2),
    )
    assert plain_chips(0, VENUE.values) == ()


def test_a_stack_is_written_from_the_bottom_up_with_small_chips_on_top() -> None:
    counts: dict[int | str, int] = {100: 3, "pink": 1, 10_000: 1, 500: 2, 2_500: 0}
    assert stacked(counts, MARKED) == (
        Pieces(10_000, 1),
        Pieces("pink", 1),
        Pieces(500, 2),
        Pieces(100, 3),
    )


def test_values_and_colours_are_told_apart() -> None:
    stack = (Pieces(500, 2), Pieces("blue", 3))
    assert value_of(stack, MARKED) == 1_750
    assert value_chips(stack) == 1_000
    assert coloured(stack) == {"blue": 3}
    assert taken_from(stack, (Pieces("blue", 4),)) is None
    assert taken_from(stack, (Pieces("blue", 3),)) == {500: 2, "blue": 0}


@pytest.mark.parametrize(
    "chips",
    [
        ChipSet((), 7),
        ChipSet((0, 100), 7),
        ChipSet((-100,), 7),
        ChipSet((500, 100), 7),
        ChipSet((100, 100), 7),
        ChipSet((100, 250), 7),
        ChipSet((100,), 0),
        ChipSet((100,), 65),
        ChipSet((100,), 7, ("pink", "pink")),
        ChipSet((100,), 7, tuple(f"c{n}" for n in range(65))),
        ChipSet((100,), 7, ("pink",), -1),
        ChipSet(tuple(range(100, 2_600, 100)), 7),
    ],
)
def test_no_such_set_of_chips(chips: ChipSet) -> None:
    assert not is_chip_set(chips)


def test_a_set_of_chips() -> None:
    assert is_chip_set(VENUE)
    assert VENUE.smallest == 100


@pytest.mark.parametrize(
    ("chips", "good"),
    [
        ((), True),
        ((Pieces(100, 1), Pieces("pink", 2)), True),
        ((Pieces(100, 0),), False),
        ((Pieces(100, -1),), False),
        ((Pieces(100, 1), Pieces(100, 1)), False),
        ((Pieces(100, 10**9),), False),
        (tuple(Pieces(n, 1) for n in range(1, 40)), False),
    ],
)
def test_what_a_stack_can_be(chips: Chips, good: bool) -> None:
    assert are_pieces(chips) is good
