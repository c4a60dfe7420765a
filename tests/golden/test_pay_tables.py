"""Every box of every pay table on all 216 throws, against rows transcribed from the documents.

The rows are literal: which results win, at which odds, and which clause decides. Nothing here
computes a winner.
"""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import taisai

ROWS = Path(__file__).parent / "pay_tables"

BOX_COUNTS = {
    "ts6/1": 50,
    "ts6/2": 104,
    "ts6/3": 107,
    "tso5/1": 50,
    "tso5/2": 104,
    "tso5/3": 107,
    "etg8/1": 56,
    "etg8/2": 104,
    "etg8/3": 104,
    "div9/1": 50,
    "div9/2": 106,
}

#: One stake that every odds of every table pays whole.
STAKE = 1000

Row = tuple[str, str, str, str, str, dict[str, str]]


def rows_of(address: str) -> list[Row]:
    """Read the literal rows of a pay table; the winners map each result to its odds."""
    text = (ROWS / f"{address.replace('/', '-')}.txt").read_text("utf-8")
    rows = []
    for line in text.splitlines():
        if line.startswith("#") or not line:
            continue
        box, name, wins, triple, loses, payouts = line.split(" | ")
        groups = (group.split(": ") for group in payouts.split("; "))
        winners = {result: odds for odds, results in groups for result in results.split()}
        rows.append((box, name, wins, triple, loses, winners))
    return rows


def throws() -> list[tuple[int, int, int]]:
    return [(a, b, c) for a, b, c in product(range(1, 7), repeat=3)]


def test_there_are_eleven_pay_tables_of_known_size() -> None:
    assert sorted(path.stem.replace("-", "/") for path in ROWS.glob("*.txt")) == sorted(BOX_COUNTS)
    assert sum(BOX_COUNTS.values()) == 942
    assert {address: len(taisai.pay_table(address).boxes) for address in BOX_COUNTS} == BOX_COUNTS


@pytest.mark.parametrize("address", BOX_COUNTS)
def test_boxes_names_and_clauses_are_the_documents(address: str) -> None:
    expected = [row[:5] for row in rows_of(address)]
    boxes = taisai.pay_table(address).boxes
    ours = [
        (key, box.bet_name, box.wins_clause, box.triple_clause, box.loses_clause)
        for key, box in boxes.items()
    ]
    assert ours == expected


@pytest.mark.no_cover  # 203,472 settlements have the same few outcomes
@pytest.mark.parametrize("address", BOX_COUNTS)
def test_every_box_on_every_throw_settles_as_the_document_says(address: str) -> None:
    table = taisai.pay_table(address)
    rows = rows_of(address)
    bets = [taisai.Bet("ann", row[0], STAKE) for row in rows]
    for throw in throws():
        result = "".join(map(str, sorted(throw)))
        triple = len(set(throw)) == 1
        settlement = taisai.settle(table, taisai.result_of(throw), bets)
        assert isinstance(settlement, taisai.Settlement)
        winners = []
        for (box, _, wins, beaten, loses, paid), bet in zip(rows, settlement.bets, strict=True):
            odds = paid.get(result)
            assert bet.box == box
            if odds is None:
                assert (bet.outcome, bet.odds, bet.won, bet.back) == ("lose", None, 0, 0)
                assert bet.clause == (beaten if triple else loses)
            else:
                won = int(Fraction(odds) * STAKE)
                assert (bet.outcome, bet.odds) == ("win", Fraction(odds))
                assert (bet.won, bet.back) == (won, won + STAKE)
                assert bet.clause == wins
                winners.append(box)
        assert list(settlement.winners) == winners


@pytest.mark.parametrize("address", BOX_COUNTS)
def test_ways_and_house_edge_follow_from_the_rows(address: str) -> None:
    boxes = taisai.pay_table(address).boxes
    for box, *_, paid in rows_of(address):
        won = [paid.get("".join(map(str, sorted(throw)))) for throw in throws()]
        returned = sum(Fraction(odds) + 1 for odds in won if odds is not None)
        assert boxes[box].ways == sum(odds is not None for odds in won)
        assert boxes[box].house_edge == 1 - returned / 216


@pytest.mark.parametrize(
    ("address", "box", "edge"),
    [
        ("ts6/1", "small", "1/36"),
        ("ts6/1", "big", "1/36"),
        ("ts6/2", "odd", "1/36"),
        ("etg8/1", "even", "1/36"),
        ("ts6/1", "domino-12", "1/36"),
        ("div9/1", "single-6", "1/27"),
        ("ts6/1", "triple-4", "35/216"),
        ("ts6/2", "four-6543", "1/9"),
        ("etg8/1", "four-6543", "1/18"),
        ("etg8/1", "total-8", "11/144"),
        ("div9/2", "three-221", "11/72"),
        ("ts6/2", "three-221", "7/24"),
        ("ts6/2", "three-126", "5/36"),
    ],
)
def test_known_edges_come_out_exactly(address: str, box: str, edge: str) -> None:
    assert str(taisai.pay_table(address).boxes[box].house_edge) == edge
