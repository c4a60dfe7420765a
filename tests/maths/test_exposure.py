"""Exposure: what the house pays on each result, compared with rounds settled by the core."""

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import taisai
from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.bets import Bet
from taisai.core.rules.dice import RESULTS, Result, result_of
from taisai.core.rules.limits import Limits, set_limits
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.settlement import Settlement, settle
from taisai.maths.errors import MathsError
from taisai.maths.exposure import (
    BETS_MAX,
    Exposure,
    LiveExposure,
    Room,
    exposure_of,
    exposure_of_bets,
)

ADDRESSES = [
    f"{key}/{number}"
    for key in ("ts6", "tso5", "etg8", "div9")
    for number in taisai.rulebook(key).pay_tables
]
STEP = 100


def limits_on(
    table: PayTable, minimum: int, maximum: int, differential: int | None = None
) -> Limits:
    limits = set_limits(table, LimitsAsked(minimum, maximum, STEP, differential))
    assert isinstance(limits, Limits)
    return limits


def random_bets(table: PayTable, seed: int, count: int = 60) -> list[Bet]:
    source = random.Random(seed)  # noqa: S311 - seeded bets, nothing secret
    boxes = list(table.boxes)
    return [
        Bet(f"p{source.randrange(8)}", source.choice(boxes), STEP * source.randrange(1, 40))
        for _ in range(count)
    ]


def settled_pays(table: PayTable, bets: list[Bet], limits: Limits | None = None) -> tuple[int, ...]:
    """Settle the round on each result, and give the amounts that the house pays."""
    pays = []
    for result in RESULTS:
        settled = settle(table, result, bets, limits)
        assert isinstance(settled, Settlement)
        pays.append(settled.paid - settled.collected)
    return tuple(pays)


@pytest.mark.parametrize("address", ADDRESSES)
def test_what_the_venue_pays_is_what_settlement_pays(address: str) -> None:
    table = taisai.pay_table(address)
    bets = random_bets(table, seed=len(address) + table.number)
    exposure = exposure_of_bets(table, bets)
    assert exposure.pays == settled_pays(table, bets)
    throws = [exposure.pays[result_of(dice).index] for dice in product(range(1, 7), repeat=3)]
    assert exposure.expected == Fraction(sum(throws), 216)
    assert exposure.worst == max(throws)
    assert exposure.worst_probability == Fraction(throws.count(max(throws)), 216)
    assert exposure.losing_probability == Fraction(sum(pay > 0 for pay in throws), 216)


def test_the_expected_is_the_edge_of_every_stake() -> None:
    table = taisai.pay_table("etg8/2")
    stakes = {box: 200 * number for number, box in enumerate(table.boxes, start=1)}
    edges = sum(table.boxes[box].house_edge * stake for box, stake in stakes.items())
    assert exposure_of(table, stakes).expected == -edges


def test_the_drivers_and_the_losers_come_to_the_worst_case() -> None:
    table = taisai.pay_table("ts6/2")
    exposure = exposure_of(table, {"small": 50_000, "triple-1": 2_000, "double-1": 3_000})
    (worst,) = exposure.worst_results
    assert worst.faces == (1, 1, 1)
    drivers = exposure.drivers()
    assert [(each.box, each.pays) for each in drivers] == [
        ("triple-1", 360_000),
        ("double-1", 33_000),
    ]
    assert exposure.collected(worst) == 50_000
    assert exposure.worst == 360_000 + 33_000 - 50_000


@pytest.mark.parametrize("address", ["ts6/1", "etg8/1", "div9/2"])
def test_every_driver_list_accounts_for_its_result(address: str) -> None:
    table = taisai.pay_table(address)
    exposure = exposure_of_bets(table, random_bets(table, seed=5))
    for result in RESULTS:
        paid = sum(driver.pays for driver in exposure.drivers(result))
        assert paid - exposure.collected(result) == exposure.pays[result.index]


def test_nothing_on_the_layout_is_no_exposure() -> None:
    exposure = exposure_of_bets(taisai.pay_table("ts6/2"), [])
    assert exposure.pays == (0,) * 56
    assert exposure.worst == exposure.expected == 0
    assert exposure.drivers() == []


def test_with_limits_it_is_the_exposure_of_what_plays() -> None:
    table = taisai.pay_table("ts6/2")
    limits = limits_on(table, minimum=100, maximum=40_000, differential=20_000)
    bets = [Bet("a", "small", 30_000), Bet("b", "small", 20_000), Bet("c", "big", 1_000)]
    exposure = exposure_of_bets(table, bets, limits)
    # Big's 1,000 and the Differential let 21,000 of the 50,000 on Small play.
    assert exposure.stakes == {"small": 21_000, "big": 1_000}
    assert exposure.pays == settled_pays(table, bets, limits)
    assert exposure_of_bets(table, bets).stakes == {"small": 50_000, "big": 1_000}


def test_what_plays_can_be_the_greater_risk() -> None:
    """What goes back pro rata cannot be lost to the house either."""
    table = taisai.pay_table("ts6/2")
    limits = limits_on(table, minimum=100, maximum=10_000)
    bets = [Bet("a", "big", 90_000), Bet("b", "triple-1", 1_000)]
    assert exposure_of_bets(table, bets, limits).worst == 180_000 - 10_000
    assert exposure_of_bets(table, bets).worst == 180_000 - 90_000


# --- updated as bets come and go -----------------------------------------------------------------

_CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["small", "big", "odd", "even", "triple-2", "total-9", "single-3"]),
        st.sampled_from(["a", "b", "c", "d"]),
        st.integers(-30, 60),
    ),
    max_size=25,
)
_SETTINGS = st.sampled_from(
    [
        {"minimum": 100, "maximum": 3_000},
        {"minimum": 300, "maximum": 3_000, "differential": 900},
        {"minimum": 1_000, "maximum": 2_000, "differential": 0},
        {"minimum": 0, "maximum": 10**9, "differential": 500},
    ]
)


@given(_CHANGES)
def test_kept_up_it_is_what_settling_all_bets_again_gives(
    changes: list[tuple[str, str, int]],
) -> None:
    table = taisai.pay_table("ts6/2")
    live = LiveExposure(table)
    lies: dict[tuple[str, str], int] = {}
    for box, player, steps in changes:
        before = lies.get((player, box), 0)
        amount = max(STEP * steps, -before)
        lies[player, box] = before + amount
        live.change(box, amount)
    bets = [Bet(player, box, stake) for (player, box), stake in lies.items() if stake]
    assert live.pays == settled_pays(table, bets)
    assert live.worst == max(live.pays)
    assert [live.on(result) for result in RESULTS] == list(live.pays)
    assert live.snapshot().stakes == exposure_of_bets(table, bets).stakes


def test_a_snapshot_stays_as_it_was() -> None:
    live = LiveExposure(taisai.pay_table("etg8/1"))
    live.change("total-8", 20)
    before = live.snapshot()
    live.change("total-8", 80)
    assert (before.worst, live.worst) == (170, 850)
    assert (before.stakes["total-8"], live.snapshot().stakes["total-8"]) == (20, 100)


def test_sums_beyond_64_bits_stay_exact() -> None:
    live = LiveExposure(taisai.pay_table("ts6/2"))
    live.change("triple-1", 10**24)
    live.change("small", 7)
    assert live.worst == 180 * 10**24 - 7


# --- room ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["ts6/2", "etg8/1", "div9/1"])
@pytest.mark.parametrize("most", [0, 20_000, 1_000_000])
def test_room_is_the_last_step_that_fits(address: str, most: int) -> None:
    table = taisai.pay_table(address)
    bets = random_bets(table, seed=11, count=30)
    exposure = exposure_of_bets(table, bets)
    for key, box in table.boxes.items():
        room = exposure.room(key, most)
        assert room.amount is not None
        wins = [result for result in RESULTS if box.met[result.index]]
        passed = [exposure.pays[result.index] > most for result in wins]
        assert room.amount % box.step == 0
        if any(passed):
            assert room.amount == 0
            continue
        assert pays_on(exposure, key, room.amount, wins) <= most
        assert pays_on(exposure, key, room.amount + box.step, wins) > most


def pays_on(exposure: Exposure, key: str, more: int, wins: list[Result]) -> int:
    """Add a stake to a box, and give the largest payment on the results that it wins on."""
    stakes = {**exposure.stakes, key: exposure.stakes.get(key, 0) + more}
    laid = exposure_of(exposure.table, {box: stake for box, stake in stakes.items() if stake})
    return max(laid.pays[result.index] for result in wins)


def test_room_keeps_to_the_step_of_the_limits() -> None:
    table = taisai.pay_table("ts6/2")
    limits = limits_on(table, minimum=100, maximum=10**9)
    exposure = exposure_of(table, {"triple-1": 2_000})
    # 500,000 less the 360,000 already there is 777 and a fraction at 180 to 1.
    assert exposure.room("triple-1", 500_000).amount == 777
    assert exposure.room("triple-1", 500_000, limits).amount == 700


@pytest.mark.parametrize(
    ("box", "amount", "by"),
    [
        ("small", 4_000, "differential"),
        ("big", 16_000, "differential"),
        ("total-4", 100, "exposure"),
        ("odd", 7_000, "exposure"),
        ("any-triple", 500, "maximum"),
    ],
)
def test_room_ends_at_whichever_comes_first(box: str, amount: int, by: str) -> None:
    table = taisai.pay_table("ts6/2")
    limits = set_limits(table, LimitsAsked(100, 25_000, 100, 10_000, {"any-triple": (None, 500)}))
    assert isinstance(limits, Limits)
    # The house pays 6,000 where Small wins, and gains 6,000 where Big does, 12,000 on a triple.
    exposure = exposure_of(table, {"small": 9_000, "big": 3_000})
    room = exposure.room(box, 13_000, limits)
    assert (room.amount, room.by) == (amount, by)


def test_room_where_the_limits_are_each_players_own_is_ended_by_exposure_alone() -> None:
    table = taisai.pay_table("etg8/1")
    limits = limits_on(table, minimum=100, maximum=500)
    room = exposure_of(table, {"small": 100_000}).room("small", 250_000, limits)
    assert room == Room("small", 150_000, RESULTS[1], "exposure")


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("box", "amount", "said"),
    [
        ("domino-21", 100, "domino-12"),
        ("three-126", 100, "has no betting box"),
        ("total-8", 1, "2"),
        ("small", -100, "^100 cannot be taken from small, on which 0 lies"),
        ("small", 10**24 + 1, "more money than there is"),
        ("small", True, "true on small is no whole number"),
        ("small", 1.5, "1.5 on small is no whole number"),
    ],
)
def test_a_change_that_cannot_be_is_refused_and_changes_nothing(
    box: str, amount: int, said: str
) -> None:
    live = LiveExposure(taisai.pay_table("etg8/1"))
    with pytest.raises(MathsError, match=said):
        live.change(box, amount)
    assert live.pays == (0,) * 56


def test_bets_are_refused_as_settlement_refuses_them() -> None:
    table = taisai.pay_table("etg8/1")
    limits = limits_on(table, minimum=100, maximum=1_000)
    with pytest.raises(MathsError, match="maximum"):
        exposure_of_bets(table, [Bet("a", "small", 1_100)], limits)
    for stakes in ({"small": 0}, {"small": -2}, {"smal": 2}):
        with pytest.raises(MathsError):
            exposure_of(table, stakes)
    with pytest.raises(MathsError, match="whole number"):
        exposure_of(table, {"small": 2}).room("small", 10**30)


def test_more_bets_than_a_layout_holds_are_refused() -> None:
    bets = [Bet("a", "small", 2)] * (BETS_MAX + 1)
    with pytest.raises(MathsError, match="1,000,001 bets"):
        exposure_of_bets(taisai.pay_table("etg8/1"), bets)
