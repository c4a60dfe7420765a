"""A round of a chip table re-created from the journal, every chip and cent computed by hand."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.records.chip_table_evenings import chip_table_evening, returned_evening
from tests.records.recorded import answered, rows_of, written


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
    """Compute what each player has [1 2 6 is 9: small and odd win 1 to 1, total 9 pays 7 to 1].

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


@pytest.fixture(scope="module")
def returned_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("returned"), returned_evening().decided)


@pytest.fixture(scope="module")
def returned(returned_journal: Path) -> Any:
    return answer(returned_journal, 1)


def test_what_each_event_moved_is_told_in_chips(returned: Any) -> None:
    names = {each["version"]: each["event"] for each in returned["events"]}
    assert returned["form"] == "chips"
    assert [
        (names[each["version"]], each["terminal"], each["box"], each["amount"], each["chips"])
        for each in returned["moves"]
    ] == [
        ("BetsRecorded", "1", "small", 10_000, [[10_000, 1]]),
        ("BetsRecorded", "2", "odd", 500, [["pink", 1]]),
        ("BetsRecorded", "2", "even", 1_000, [["pink", 1], [500, 1]]),
        ("BetRuled", "2", "even", -1_000, [["pink", -1], [500, -1]]),
        ("AdvisedBetReturned", "2", "odd", -500, [["pink", -1]]),
    ]


def test_a_bet_that_is_returned_is_counted_as_taken_back(returned: Any) -> None:
    """On 1 2 6 seat 1 wins 100.00 on Small; seat 2 brought 5.00, and gets its 15.00 back."""
    names = ("before", "received", "staked", "taken_back", "back", "put_right", "after")
    assert [[each[name] for name in names] for each in returned["balances"]] == [
        [40_000, 0, -10_000, 0, 20_000, 0, 50_000],
        [20_000, 500, -1_500, 1_500, 0, 0, 20_500],
    ]


def test_a_bet_that_is_returned_was_not_withdrawn_by_its_player(returned_journal: Path) -> None:
    rows = rows_of(returned_journal, "placements")
    assert [[row["terminal"], row["box"], row["action"], row["amount"]] for row in rows] == [
        ["1", "small", "placed", 10_000],
        ["2", "odd", "placed", 500],
        ["2", "even", "placed", 1_000],
        ["2", "even", "rejected", 1_000],
        ["2", "odd", "rejected", 500],
    ]


def test_what_is_read_again_and_collected_is_told_in_chips(journal: Path) -> None:
    story = answer(journal, 1)
    versions = {each["event"]: each["version"] for each in story["events"]}
    told = [
        [each["terminal"], each["box"], each["amount"], each["chips"]]
        for each in story["moves"]
        if each["version"] in (versions["RecordCorrected"], versions["LosersCollected"])
    ]
    # On 1 2 6, which is 9 and odd, Big alone has lost.
    assert told == [
        ["2", "odd", -2_000, [["pink", -4]]],
        ["2", "odd", 3_000, [["pink", 6]]],
        ["1", "big", -10_000, [[10_000, -1]]],
    ]
