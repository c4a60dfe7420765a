"""Properties of every settlement, for any bets: money is conserved, shares keep their bounds."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

import taisai
from taisai.core.rules.apportionment import playing_stakes, share_pro_rata
from taisai.core.rules.bets import sum_by_player_and_box
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.limits import BoxLimits, Limits

ADDRESSES = [
    *("ts6/1", "ts6/2", "ts6/3", "tso5/1", "tso5/2", "tso5/3"),
    *("etg8/1", "etg8/2", "etg8/3", "div9/1", "div9/2"),
]
STEP = 100
PLAYERS = ["ann", "bob", "cat", "dan"]


@st.composite
def rounds(draw: st.DrawFn, addresses: list[str]) -> tuple[str, list[taisai.Bet]]:
    """Draw a pay table and bets on it, concentrated on a few boxes."""
    address = draw(st.sampled_from(addresses))
    boxes = list(taisai.pay_table(address).boxes)
    crowded = draw(st.lists(st.sampled_from(boxes), min_size=1, max_size=4))
    bets = draw(
        st.lists(
            st.builds(
                taisai.Bet,
                st.sampled_from(PLAYERS),
                st.sampled_from(["small", "big", *crowded]),
                st.integers(1, 400).map(lambda steps: steps * STEP),
            ),
            max_size=12,
        )
    )
    return address, bets


faces = st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6))


def settled(address: str, dice: tuple[int, int, int], bets: list[taisai.Bet]) -> taisai.Settlement:
    settlement = taisai.settle(taisai.pay_table(address), taisai.result_of(dice), bets)
    assert isinstance(settlement, taisai.Settlement)
    return settlement


@given(rounds(ADDRESSES), faces)
def test_money_is_conserved_and_every_stake_accounted_for(
    asked: tuple[str, list[taisai.Bet]], dice: tuple[int, int, int]
) -> None:
    address, bets = asked
    settlement = settled(address, dice, bets)
    staked = sum(bet.stake for bet in bets)
    back = sum(bet.back for bet in settlement.bets)
    assert sum(bet.stake for bet in settlement.bets) == staked
    assert back == staked - settlement.collected + settlement.paid
    assert settlement == settled(address, (dice[2], dice[0], dice[1]), bets)


@given(st.sampled_from(ADDRESSES))
def test_the_average_over_216_throws_is_the_house_edge(address: str) -> None:
    table = taisai.pay_table(address)
    bets = [taisai.Bet("ann", key, STEP) for key in table.boxes]
    kept = dict.fromkeys(table.boxes, 0)
    for result in RESULTS:
        settlement = taisai.settle(table, result, bets)
        assert isinstance(settlement, taisai.Settlement)
        for bet in settlement.bets:
            kept[bet.box] += (bet.stake - bet.back) * result.throws
    assert {key: Fraction(value, 216 * STEP) for key, value in kept.items()} == {
        key: box.house_edge for key, box in table.boxes.items()
    }


@given(
    stakes=st.lists(st.integers(1, 60), min_size=1, max_size=8),
    minimum=st.integers(0, 15),
    maximum=st.integers(0, 80),
)
def test_shares_keep_their_bounds(stakes: list[int], minimum: int, maximum: int) -> None:
    maximum = max(maximum, minimum)
    lying = [stake * STEP for stake in stakes]
    low, high = minimum * STEP, maximum * STEP
    shares = share_pro_rata(lying, low, high, STEP)
    exempt = [stake for stake in lying if stake < low]
    for stake, share in zip(lying, shares, strict=True):
        assert min(stake, low) <= share <= stake
        assert share % STEP == 0
        assert stake >= low or share == stake
    held = low * (len(lying) - len(exempt))
    # Never more than may play, except with exempt bets, or if the minimums alone are more.
    assert sum(shares) <= max(high, sum(exempt) + held)
    if sum(lying) > high and sum(exempt) + held <= high:
        assert sum(shares) == high
    assert sum(lying) > high or shares == lying


@given(
    stakes=st.lists(st.integers(1, 60), min_size=2, max_size=6),
    minimum=st.integers(0, 10),
    maximum=st.integers(10, 60),
)
def test_who_bets_more_never_plays_less(stakes: list[int], minimum: int, maximum: int) -> None:
    shares = share_pro_rata(stakes, minimum, maximum, 1)
    sharing = sorted(
        (stake, share) for stake, share in zip(stakes, shares, strict=True) if stake >= minimum
    )
    assert [share for _, share in sharing] == sorted(share for _, share in sharing)


@given(rounds(["ts6/1", "ts6/2", "tso5/3"]), st.integers(1, 60), st.integers(0, 60))
def test_nothing_plays_past_maximum_and_differential_but_minimums_and_the_exempt(
    asked: tuple[str, list[taisai.Bet]], maximum: int, differential: int
) -> None:
    address, bets = asked
    limits = Limits(
        step=STEP, general=BoxLimits(0, maximum * STEP), differential=differential * STEP
    )
    summed = sum_by_player_and_box(bets)
    playing = playing_stakes(taisai.pay_table(address), summed, limits)
    totals: dict[str, int] = {}
    for bet, part in zip(summed, playing, strict=True):
        assert 0 <= part.stake <= bet.stake
        totals[bet.box] = totals.get(bet.box, 0) + part.stake
    assert all(total <= maximum * STEP for total in totals.values())
    assert abs(totals.get("big", 0) - totals.get("small", 0)) <= differential * STEP
