"""A round of a chip table re-created from the journal, every chip and cent worked out by hand."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from taisai.core.table.chips.colours import AssignColour, BuyColour
from taisai.core.table.chips.layout_bets import CorrectRecord, RecordBets, TakeBackBets
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.seats import BuyChips, TakeSeat
from tests.kit.chip_tables import HUNDRED, bets, created, opened
from tests.records.recorded import RecordedTable, answered, written


def chip_table_evening() -> RecordedTable:
    """Play a round with everything that chips can go through, and pay it; then one of no bets.

    Seat 1 buys 3 hundreds and 4 chips of 25; seat 2 plays pink at 5.00 a piece.
    """
    table = opened(created(RecordedTable("ts6/2")))
    table.does("dealer", TakeSeat("1"))
    table.does("dealer", TakeSeat("2"))
    table.does("dealer", BuyChips("1", (Pieces(10_000, 3), Pieces(2_500, 4)), 40_000))
    table.does("dealer", AssignColour("2", "pink", 500))
    table.does("dealer", BuyColour("2", 40, 20_000))
    table.betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED, big=HUNDRED)))
    # A second look: not 4 pieces of pink but 6. Then 2 of them are taken back.
    table.does("dealer", RecordBets("2", bets(odd=(Pieces("pink", 4),))))
    table.does("dealer", CorrectRecord("2", "odd", (Pieces("pink", 6),), "two were hidden"))
    table.does("dealer", TakeBackBets("2", bets(odd=(Pieces("pink", 2),))))
    # Chips that nobody had seen in front of seat 1: 400.00 of the 600.00 were.
    table.does("dealer", RecordBets("1", bets(total_9=(Pieces(10_000, 3),))))
    table.settled(1, 2, 6)
    table.betting().settled(1, 1, 2)
    return table


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("chips"), chip_table_evening().decided)


@cache
def answer(path: Path, number: int) -> Any:
    return answered("audit", "round", str(path), "T1", str(number), "--json").json


def test_a_chip_table_round_is_told_until_its_winners_are_paid(journal: Path) -> None:
    names = [event["event"] for event in answer(journal, 1)["events"]]
    assert names[-2:] == ["LosersCollected", "RoundSettled"]
    paid = answer(journal, 1)["events"][-1]
    assert paid["details"]["round"] == 1


def test_it_ends_when_it_is_settled_and_nothing_of_the_next_is_in_it(journal: Path) -> None:
    first = answer(journal, 1)
    settled = next(each for each in first["events"] if each["event"] == "RoundSettled")
    assert first["ended_at"] == settled["at"]
    assert {each["round"] for each in first["events"]} == {1}


def test_a_round_that_nobody_bet_in_has_nothing_to_pay(journal: Path) -> None:
    assert answer(journal, 2)["events"][-1]["event"] == "RoundSettled"


def test_the_chips_of_each_seat_before_and_after(journal: Path) -> None:
    """Work out what each player has [1 2 6 is 9: small and odd win 1 to 1, total 9 pays 7 to 1].

    Seat 1 has 400.00 and brings 100.00; it stakes 100 on Small, 100 on Big, 300 on Total 9, and
    gets back 200 and 2,400. Seat 2 has 200.00 in pink; it stakes 20.00, then 30.00 in its place,
    takes 10.00 back, and gets 40.00 back for the 20.00 on Odd.
    """
    assert [
        [each[name] for name in ("terminal", "before", "received", "staked", "taken_back", "back")]
        for each in answer(journal, 1)["balances"]
    ] == [
        ["1", 40_000, 10_000, -50_000, 0, 260_000],
        ["2", 20_000, 0, -5_000, 3_000, 4_000],
    ]
    assert [each["after"] for each in answer(journal, 1)["balances"]] == [260_000, 22_000]
