"""Bets in columns: the same as the core's settlement and a plain loop, with the same refusals."""

from fractions import Fraction
from importlib import resources
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import taisai
from taisai.core.rules.bets import Bet
from taisai.core.rules.dice import RESULTS, THROWS, Result
from taisai.core.rules.paytable import PayTable
from taisai.core.rules.settlement import Settlement, settle
from taisai.maths.engines import numba_engine as on_numba
from taisai.maths.engines import numpy_engine as on_numpy
from taisai.maths.engines.choice import ENGINES
from taisai.maths.engines.payouts import payout_rows
from taisai.maths.errors import MathsError
from taisai.maths.simulation.columns import BetColumns, box_ids, settle_columns

ADDRESSES = ["ts6/1", "ts6/3", "tso5/2", "etg8/1", "etg8/2", "div9/2"]
PLAYERS = 23
#: A box that pays 8.5 to 1.
HALVES = box_ids(taisai.pay_table("etg8/2"))["total-8"]


def thirds_table() -> PayTable:
    """Give a pay table that pays thirds and sixths, which no shift divides."""
    text = (resources.files("taisai.rulebooks") / "ts6.toml").read_text("utf-8")
    for old, new in (('"ts6"', '"mine"'), ('pays = "31"', 'pays = "92/3"')):
        assert old in text
        text = text.replace(old, new)
    text = text.replace('"Double Dice Bet", pays = "11"', '"Double Dice Bet", pays = "65/6"')
    table = taisai.read_rulebook(text, "mine.toml").pay_tables[1]
    assert table.step == 6
    return table


def table_of(address: str) -> PayTable:
    return thirds_table() if address == "thirds" else taisai.pay_table(address)


def some_bets(table: PayTable, bets: int, seed: int) -> tuple[Any, Any, Any]:
    """Make random bets, each stake on the step of every box."""
    source = np.random.default_rng(seed)
    return (
        source.integers(0, PLAYERS, bets),
        source.integers(0, len(table.boxes), bets),
        source.integers(1, 1000, bets) * table.step,
    )


def plain_settlement(table: PayTable, faces: Any, columns: tuple[Any, Any, Any]) -> Settlement:
    keys = list(table.boxes)
    bets = [
        Bet(str(player), keys[box], stake)
        for player, box, stake in zip(*(column.tolist() for column in columns), strict=True)
    ]
    settlement = settle(table, taisai.result_of(faces), bets)
    assert isinstance(settlement, Settlement)
    return settlement


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("address", [*ADDRESSES, "thirds"])
def test_a_round_in_columns_is_the_cores_settlement(address: str, engine: str) -> None:
    table = table_of(address)
    for number, faces in enumerate([(1, 2, 3), (2, 2, 5), (6, 6, 6), (4, 5, 6)]):
        columns = some_bets(table, 400, number)
        settled = settle_columns(table, faces, columns, players=PLAYERS, engine=engine)
        expected = plain_settlement(table, faces, columns)
        assert (settled.collected, settled.paid) == (expected.collected, expected.paid)
        for player in range(PLAYERS):
            own = [bet for bet in expected.bets if bet.player == str(player)]
            assert settled.staked[player] == sum(bet.stake for bet in own)
            assert settled.back[player] == sum(bet.back for bet in own)
        assert settled.net.sum() == expected.paid - expected.collected


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_a_large_round_is_what_a_plain_loop_makes_of_it(
    engine: str, kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_numba, "WORTH_A_THREAD", 1_000)
    monkeypatch.setattr(on_numpy, "WORTH_A_THREAD", 1_000)
    table = taisai.pay_table("etg8/2")
    players, boxes, stakes = some_bets(table, 150_000, 5)
    columns = (players.astype(kind), boxes.astype(np.uint8), stakes.astype(kind))
    result = taisai.result_of((1, 1, 4))
    staked, back = [0] * PLAYERS, [0] * PLAYERS
    odds = [box.odds_on(result) for box in table.boxes.values()]
    for player, box, stake in zip(*(column.tolist() for column in columns), strict=True):
        staked[player] += stake
        won = odds[box]
        back[player] += 0 if won is None else stake + won.numerator * stake // won.denominator
    for threads in (1, 2, 9):
        settled = settle_columns(table, (4, 1, 1), columns, engine=engine, threads=threads)
        assert (settled.staked.tolist(), settled.back.tolist()) == (staked, back)
        assert settled.result == result
    players, boxes, stakes = columns
    boxes[140_000] = 104
    with pytest.raises(MathsError, match="no box number 104"):
        settle_columns(table, (4, 1, 1), columns, engine=engine, threads=3)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("address", [*ADDRESSES, "thirds"])
@pytest.mark.parametrize(("kind", "bets"), [(np.int32, 50), (np.int64, 50), (np.int32, 5)])
def test_rounds_are_paid_as_the_odds_say(address: str, engine: str, kind: Any, bets: int) -> None:
    table = table_of(address)
    source = np.random.default_rng(9)
    results = np.arange(56)
    boxes = source.integers(0, len(table.boxes), (56, bets))
    stakes = (source.integers(1, 1000, boxes.shape) * table.step).astype(kind)
    columns = BetColumns(table, boxes, stakes)
    back = columns.back(results, engine=engine)
    assert back.dtype == kind
    lying = list(table.boxes.values())
    for number, result in enumerate(RESULTS):
        for place in range(bets):
            odds = lying[boxes[number, place]].odds_on(result)
            expected = 0 if odds is None else (odds + 1) * int(stakes[number, place])
            assert back[number, place] == expected
    net = columns.net(results.astype(np.uint8), 0, engine)
    assert net.tolist() == (back.sum(axis=1) - stakes.sum(axis=1)).tolist()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("narrow", [True, False])
def test_stakes_are_paid_by_narrow_and_by_wide_multiples(narrow: bool, engine: str) -> None:
    table = table_of("etg8/2" if narrow else "thirds")
    rows = payout_rows(table)
    for width, kind in ((32, np.int32), (64, np.int64)):
        assert (rows.narrow(width).dtype == np.uint16) == narrow
        boxes = np.tile(np.arange(len(table.boxes)), (56, 1))
        most = min(rows.largest(width), rows.largest(64, boxes.size))
        largest = most // table.step * table.step
        columns = BetColumns(table, boxes, np.full(boxes.shape, largest, kind))
        back = columns.back(np.arange(56), engine=engine)
        for number, box in enumerate(table.boxes.values()):
            odds = [box.odds_on(result) for result in RESULTS]
            assert back[:, number].tolist() == [
                0 if each is None else (each + 1) * largest for each in odds
            ]


@pytest.mark.parametrize("engine", ENGINES)
def test_one_unit_on_each_box_comes_to_its_house_edge(engine: str) -> None:
    table = taisai.pay_table("etg8/2")
    count = len(table.boxes)
    boxes = np.tile(np.arange(count), (56, 1))
    columns = BetColumns(table, boxes, np.full((56, count), 2))
    back = columns.back(np.arange(56), engine=engine)
    for number, box in enumerate(table.boxes.values()):
        returned = sum(int(back[result.index, number]) * result.throws for result in RESULTS)
        assert 2 * THROWS - returned == 2 * THROWS * box.house_edge


def test_stakes_too_large_for_32_bits_are_paid_in_64() -> None:
    table = taisai.pay_table("ts6/2")
    stakes = np.full((1, 1), 2**31 - 1, np.int32)
    columns = BetColumns(table, [[box_ids(table)["triple-2"]]], stakes)
    index = taisai.result_of((2, 2, 2)).index
    odds = table.boxes["triple-2"].odds[0]
    for engine in ENGINES:
        assert columns.back([index], engine=engine)[0, 0] == (odds + 1) * (2**31 - 1)


def test_the_largest_amounts_are_settled_exactly_and_one_more_is_refused() -> None:
    table = taisai.pay_table("ts6/2")
    odds = max(odds for box in table.boxes.values() for odds in box.odds)
    largest = (2**63 - 1) // (2 * int(odds + 1))
    box = box_ids(table)["triple-6"]
    assert table.boxes["triple-6"].odds == (odds,)
    for engine in ENGINES:
        settled = settle_columns(
            table, (6, 6, 6), ([0, 0], [box] * 2, [largest] * 2), engine=engine
        )
        assert settled.back[0] == 2 * largest * (odds + 1)
        with pytest.raises(MathsError, match=f"{largest + 1} is too large to add up 2 such bets"):
            settle_columns(table, (6, 6, 6), ([0, 0], [box] * 2, [1, largest + 1]), engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("address", ["etg8/2", "thirds"])
def test_products_are_added_up_before_they_are_divided_and_stay_exact(
    address: str, engine: str
) -> None:
    # Where stakes pay halves or thirds, the sum of the products comes close to 64 bits first.
    table = table_of(address)
    highest = max(odds + 1 for box in table.boxes.values() for odds in box.odds)
    key = next(key for key, box in table.boxes.items() if max(box.odds) + 1 == highest)
    faces = next(r.faces for r in RESULTS if table.boxes[key].odds_on(r) == highest - 1)
    twos = table.step & -table.step
    assert twos == 2
    bets = 7
    largest = int((2**63 - 1) / (highest * bets * twos))
    stake = largest - largest % table.step
    columns = ([0] * bets, [box_ids(table)[key]] * bets, [stake] * bets)
    settled = settle_columns(table, faces, columns, engine=engine)
    assert settled.back[0] == highest * stake * bets
    assert settled.paid == (highest - 1) * stake * bets
    with pytest.raises(MathsError, match="too large to add up 7 such bets"):
        settle_columns(table, faces, (*columns[:2], [stake + table.step] * bets), engine=engine)


def in_halves(table: PayTable, faces: Any, columns: tuple[Any, Any, Any], players: int) -> Any:
    """Settle as the numba engine first tries, with both sums of a player in one number."""
    round_ = payout_rows(table).on(taisai.result_of(faces).index)
    kinds = (np.int64, np.uint8, np.int64)
    ids, boxes, stakes = (np.array(*each) for each in zip(columns, kinds, strict=True))
    return on_numba._in_halves(round_, (ids, boxes, stakes), players, 1)


@pytest.mark.parametrize("past", [0, 1])
@pytest.mark.parametrize(("box", "times"), [("big", 0), ("small", 2)])
def test_sums_that_pass_a_half_of_a_number_are_added_up_in_full(
    box: str, times: int, past: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = taisai.pay_table("ts6/2")
    assert table.step == table.boxes["small"].odds[0] == 1
    # Big loses, and the stakes alone may fill a half; Small gives back twice as much as them.
    own = (2**32 - 1) // max(times, 1) + past
    columns = ([0, 1, 1, 2], [box_ids(table)[box]] * 4, [7, own - 9, 9, 5])
    assert (in_halves(table, (1, 2, 3), columns, 3) is None) == bool(past)
    for tried in (0, 64):
        monkeypatch.setattr(on_numba, "SEEMS_SMALL", tried)
        for engine in ENGINES:
            settled = settle_columns(table, (1, 2, 3), columns, engine=engine)
            assert settled.staked.tolist() == [7, own, 5]
            assert settled.back.tolist() == [7 * times, own * times, 5 * times]
            assert settled.collected == (0 if times else own + 12)


BETS = st.tuples(st.integers(0, 3), st.integers(0, 103), st.integers(1, 2**40).map(lambda n: 2 * n))


@given(st.lists(BETS, min_size=1, max_size=40), st.sampled_from(RESULTS), st.sampled_from([0, 64]))
def test_sums_of_any_size_are_what_whole_numbers_make_of_them(
    bets: list[tuple[int, int, int]], result: Result, tried: int
) -> None:
    table = taisai.pay_table("etg8/2")
    odds = [box.odds_on(result) for box in table.boxes.values()]
    staked, back = [0] * 4, [Fraction(0)] * 4
    for player, box, stake in bets:
        won = odds[box]
        staked[player] += stake
        back[player] += 0 if won is None else (won + 1) * stake
    columns = cast("tuple[Any, Any, Any]", tuple(map(list, zip(*bets, strict=True))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_numba, "SEEMS_SMALL", tried)
        for engine in ENGINES:
            settled = settle_columns(table, result.faces, columns, players=4, engine=engine)
            assert settled.staked.tolist() == staked
            assert settled.back.tolist() == back


def test_halves_are_tried_where_stakes_let_expect_that_they_do() -> None:
    round_ = payout_rows(taisai.pay_table("etg8/2")).on(0)
    assert round_.shift == 1
    for stake, small in ((2**20, True), (2**27 - 1, True), (2**27, False), (2**40, False)):
        # Four bets to a player, whose products count half steps.
        assert on_numba._sums_seem_small(round_, np.full(40, stake), 10) == small


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("bets", [1, 2, 3, 64, 65])
def test_columns_that_begin_or_end_anywhere_are_settled_alike(engine: str, bets: int) -> None:
    # Boxes are looked up two at a time; a column may be odd in length, and lie at an odd address.
    table = taisai.pay_table("etg8/2")
    players, boxes, stakes = some_bets(table, bets + 1, bets)
    small = np.zeros(bets + 1, np.uint8)
    small[-1] = box_ids(table)["small"]
    for lying in (boxes.astype(np.uint8), small):
        columns = (players[1:], lying[1:], stakes[1:])
        settled = settle_columns(table, (1, 2, 3), columns, players=PLAYERS, engine=engine)
        expected = plain_settlement(table, (1, 2, 3), columns)
        assert (settled.collected, settled.paid) == (expected.collected, expected.paid)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_the_first_wrong_row_is_named_whichever_thread_finds_one(
    engine: str, kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_numba, "WORTH_A_THREAD", 1_000)
    monkeypatch.setattr(on_numpy, "WORTH_A_THREAD", 1_000)
    table = taisai.pay_table("etg8/2")
    players, boxes, stakes = some_bets(table, 90_000, 6)
    columns = (players.astype(kind), boxes.astype(np.uint8), stakes)
    for row in (89_999, 70_001, 70_000, 12_345):
        columns[0][row] = -row
        with pytest.raises(MathsError, match=f"player -{row} of row {row} is not between 0 and 22"):
            settle_columns(table, (1, 2, 3), columns, players=PLAYERS, engine=engine, threads=4)


@pytest.mark.parametrize("engine", ENGINES)
def test_stakes_of_any_part_are_looked_over(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_numba, "WORTH_A_THREAD", 1_000)
    monkeypatch.setattr(on_numpy, "WORTH_A_THREAD", 1_000)
    monkeypatch.setattr(on_numpy, "PART", 5_000)
    table = taisai.pay_table("etg8/2")
    for row in (0, 12_345, 29_999):
        for stake, sentence in (
            (-4, "a stake of -4 is none"),
            (2**60, "is too large to add up 30,000 such bets"),
            (3, "a stake of 3 on total-8 would not pay a whole amount"),
        ):
            players, boxes, stakes = some_bets(table, 30_000, 7)
            boxes[row], stakes[row] = HALVES, stake
            with pytest.raises(MathsError, match=sentence):
                settle_columns(table, (1, 2, 3), (players, boxes, stakes), engine=engine, threads=3)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (([0], [0], [0]), "a stake of 0 is none"),
        (([0], [0], [-4]), "a stake of -4 is none"),
        (([0, 0], [0, HALVES], [1, 3]), "3 on total-8 would not pay a whole amount; the step .* 2"),
        (([5], [0], [2]), "player 5 of row 0 is not between 0 and 4"),
        (([0, -1], [0, 0], [2, 2]), "player -1 of row 1 is not between 0 and 4"),
        (([0], [104], [2]), "no box number 104 on etg8/2; they are 0 to 103"),
        (([0], np.array([200], np.uint8), [2]), "no box number 200 on etg8/2"),
        (([0], [-1], [2]), "no box number -1"),
        (([0, 1], [0], [2]), "three columns of one length"),
        (([], [], []), "the players are whole numbers"),
        ((np.zeros(0, int),) * 3, "three columns of one length, not empty"),
        (([0], [0], [2.5]), "the stakes are whole numbers"),
        (([0], [0], np.array([2**63], np.uint64)), "the stakes are whole numbers of at most 64"),
    ],
)
def test_bad_columns_are_refused(columns: Any, sentence: str, engine: str) -> None:
    table = taisai.pay_table("etg8/2")
    with pytest.raises(MathsError, match=sentence):
        settle_columns(table, (1, 2, 3), columns, players=5, engine=engine)


def test_players_and_dice_are_refused_in_a_sentence() -> None:
    table = taisai.pay_table("ts6/2")
    with pytest.raises(MathsError, match="players is a whole number from 1 to 100,000,000"):
        settle_columns(table, (1, 2, 3), ([10**9], [0], [1]))
    with pytest.raises(MathsError, match="the number of players is a whole number"):
        settle_columns(table, (1, 2, 3), ([0], [0], [1]), players=0)
    with pytest.raises(MathsError, match="a list is no throw"):
        settle_columns(table, (1, 2, 7), ([0], [0], [1]))


def test_bad_rounds_are_refused() -> None:
    table = taisai.pay_table("etg8/2")
    with pytest.raises(MathsError, match="one row for each round"):
        BetColumns(table, [0, 1], [2, 2])
    with pytest.raises(MathsError, match="one row for each round"):
        BetColumns(table, [[0, 1]], [[2]])
    with pytest.raises(MathsError, match="would not pay a whole amount"):
        BetColumns(table, [[box_ids(table)["total-8"]]], [[3]])
    with pytest.raises(MathsError, match="no box number 104"):
        BetColumns(table, [[104]], [[2]])
    columns = BetColumns(table, [[0, 1]], [[3, 2]])
    for results in ([56], [-1], [0, 0]):
        with pytest.raises(MathsError, match="one result for each of the 1 rounds"):
            columns.back(results)
    with pytest.raises(MathsError, match="written as int64, shaped as stakes"):
        columns.back([0], out=np.zeros((1, 2), np.int32))
