"""Bets from terminals: placed, added to, withdrawn, cleared, all of a batch or none of it."""

import msgspec
import pytest

from taisai.core.kernel.messages import BoxStake, LimitsAsked
from taisai.core.streams import TableCommand
from taisai.core.table.betting import (
    BetsRegistered,
    BetsWithdrawn,
    ClearBets,
    PlaceBets,
    WithdrawBets,
)
from taisai.core.table.round import BetsClosed, CloseBets, ConfirmResult
from taisai.core.table.setup import TerminalEnrolled
from taisai.core.table.state import Phase, TableState
from taisai.projections.position_view import PositionProjection
from tests.kit.tables import ADDRESSES, Table, open_table, stakes

PER_BOX = ["ts6/2", "tso5/2"]
PER_PLAYER = ["etg8/2", "div9/2"]


def place(terminal: str, **bets: int) -> PlaceBets:
    return PlaceBets(terminal, stakes({box.replace("_", "-"): bets[box] for box in bets}))


def withdraw(terminal: str, **bets: int) -> WithdrawBets:
    return WithdrawBets(terminal, stakes({box.replace("_", "-"): bets[box] for box in bets}))


def betting(address: str = "ts6/2", limits: LimitsAsked | None = None) -> Table:
    return open_table(address, limits).betting()


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_bet_moves_credits_to_stakes(address: str) -> None:
    table = betting(address)
    events = table.does("terminal", place("7", small=5_000, total_9=2_000), "7")
    assert events == (BetsRegistered("7", (BoxStake("small", 5_000), BoxStake("total-9", 2_000))),)
    assert (table.credits(), table.live()) == (93_000, 7_000)
    assert table.seat().bets == {"small": 5_000, "total-9": 2_000}
    assert (table.state.box_totals, table.state.live) == ({"small": 5_000, "total-9": 2_000}, 7_000)


def sent(box: str, amount: int) -> BoxStake:
    """Give a bet as it is read from a message."""
    return msgspec.json.decode(msgspec.json.encode(BoxStake(box, amount)), type=BoxStake)


def test_equal_bets_of_positions_are_held_as_one_object() -> None:
    """As they come, each has a box and an amount of its own; views hold the same as the state."""
    table = betting()
    for terminal in ("7", "8"):
        for amount in (3_000, 2_000):
            bet = sent("total-9", amount)
            table.does("terminal", PlaceBets(terminal, (bet,)), terminal)
    view = PositionProjection(TableState())
    for terminal in ("7", "8"):
        view.fold(TerminalEnrolled(terminal, "1"), {})
        for amount, left in ((3_000, 97_000), (2_000, 95_000)):
            bet = sent("total-9", amount)
            touched = {"credits": left, "stakes": 100_000 - left}
            view.bets_registered(BetsRegistered(terminal, (bet,)), touched)
    held = [table.seat("7").bets, table.seat("8").bets, view["7"].bets, view["8"].bets]
    assert held == [{"total-9": 5_000}] * 4
    assert len({id(box) for bets in held for box in bets}) == 1
    assert len({id(amount) for bets in held for amount in bets.values()}) == 1


def test_a_box_named_twice_in_a_batch_is_one_bet() -> None:
    table = betting()
    batch = (BoxStake("small", 600), BoxStake("big", 1_000), BoxStake("small", 600))
    assert table.does("terminal", PlaceBets("7", batch), "7") == (
        BetsRegistered("7", (BoxStake("small", 1_200), BoxStake("big", 1_000))),
    )


def test_bets_are_added_to_and_taken_back_in_part_and_whole() -> None:
    table = betting()
    table.places("7", {"small": 1_000})
    table.places("7", {"small": 500})
    assert table.does("terminal", withdraw("7", small=300), "7") == (
        BetsWithdrawn("7", (BoxStake("small", 300),)),
    )
    assert (table.seat().bets, table.live(), table.credits()) == ({"small": 1_200}, 1_200, 98_800)
    table.does("terminal", withdraw("7", small=1_200), "7")
    assert (table.seat().bets, table.state.box_totals, table.live()) == ({}, {}, 0)
    assert (table.credits(), table.balance("stake:7")) == (100_000, 0)


def test_several_boxes_are_taken_back_at_once() -> None:
    table = betting()
    table.places("7", {"small": 5_000, "double-2": 1_000, "odd": 2_000})
    table.does("terminal", withdraw("7", small=1_000, double_2=1_000), "7")
    assert table.seat().bets == {"small": 4_000, "odd": 2_000}
    assert table.does("terminal", ClearBets("7"), "7") == (
        BetsWithdrawn("7", (BoxStake("small", 4_000), BoxStake("odd", 2_000))),
    )
    assert (table.credits(), table.live(), table.state.live) == (100_000, 0, 0)
    assert table.refuses("terminal", ClearBets("7"), "7") == ("NO_BETS_PLACED", None)


def test_a_batch_is_registered_whole_or_not_at_all() -> None:
    table = betting()
    for bets, code in (
        ({"small": 1_000, "nowhere": 1_000}, "UNKNOWN_BOX"),
        ({"small": 1_000, "domino-21": 1_000}, "UNKNOWN_BOX"),
        ({"small": 1_000, "four-6541": 1_000}, "BOX_NOT_ON_TABLE"),
        ({"small": 1_000, "big": 0}, "BAD_STAKE"),
        ({"small": 1_000, "big": -1_000}, "BAD_STAKE"),
        ({"small": 1_000, "big": 1_050}, "OFF_STEP"),
        ({"small": 1_000, "big": 900}, "BELOW_MINIMUM"),
        ({"small": 1_000, "triple-1": 100_100}, "ABOVE_MAXIMUM"),
        ({"small": 60_000, "big": 60_000}, "NOT_ENOUGH_CREDITS"),
        ({}, "BATCH_SIZE"),
    ):
        assert table.refuses("terminal", PlaceBets("7", stakes(bets)), "7")[0] == code
    assert (table.state.live, table.credits()) == (0, 100_000)


def test_two_hundred_bets_are_a_batch_and_one_more_is_not() -> None:
    table = betting()
    hundred = (BoxStake("small", 100),) * 100 + (BoxStake("big", 100),) * 100
    table.does("terminal", PlaceBets("7", hundred), "7")
    assert table.seat().bets == {"small": 10_000, "big": 10_000}
    more = (BoxStake("small", 100),) * 201
    assert table.refuses("terminal", PlaceBets("7", more), "7") == ("BATCH_SIZE", None)


@pytest.mark.parametrize("address", PER_BOX)
def test_3_5_the_balance_of_a_box_is_open_to_any_player(address: str) -> None:
    """100,000 may lie on a box in all: 70,000 of one player leave 30,000 to another."""
    table = betting(address)
    table.places("7", {"total-9": 70_000})
    assert table.refuses("terminal", place("8", total_9=30_100), "8") == ("ABOVE_MAXIMUM", "5.1")
    table.places("8", {"total-9": 30_000})
    assert table.state.box_totals == {"total-9": 100_000}


@pytest.mark.parametrize("address", PER_PLAYER)
def test_limits_are_each_players_own_where_the_document_says_nothing_else(address: str) -> None:
    table = betting(address, LimitsAsked(1_000, 70_000, 100))
    table.places("7", {"total-9": 70_000})
    assert table.refuses("terminal", place("7", total_9=100), "7") == ("ABOVE_MAXIMUM", "D6")
    table.places("8", {"total-9": 70_000})
    assert table.state.box_totals == {"total-9": 140_000}


@pytest.mark.parametrize(
    ("address", "clause"),
    [("ts6/2", "5.2"), ("tso5/2", "5.2"), ("etg8/2", "D6"), ("div9/2", "D6")],
)
def test_a_bet_under_the_minimum_is_refused_and_may_be_made_up(address: str, clause: str) -> None:
    table = betting(address)
    assert table.refuses("terminal", place("7", small=900), "7") == ("BELOW_MINIMUM", clause)
    table.places("7", {"small": 1_000})
    table.places("7", {"small": 100})
    assert table.refuses("terminal", withdraw("7", small=200), "7") == ("BELOW_MINIMUM", clause)
    table.does("terminal", withdraw("7", small=100), "7")
    assert table.seat().bets == {"small": 1_000}


def test_no_more_is_taken_back_than_lies_there() -> None:
    table = betting()
    table.places("7", {"small": 1_000})
    table.places("8", {"small": 5_000})
    assert table.refuses("terminal", withdraw("7", small=1_100), "7") == ("MORE_THAN_STAKED", None)
    assert table.refuses("terminal", withdraw("7", big=1_000), "7") == ("MORE_THAN_STAKED", None)
    bad = WithdrawBets("7", (BoxStake("small", -100),))
    assert table.refuses("terminal", bad, "7") == ("BAD_STAKE", None)


@pytest.mark.parametrize("address", PER_BOX)
def test_5_1_a_bet_beyond_the_differential_is_refused_a_batch_by_what_it_leaves(
    address: str,
) -> None:
    """Big 6,000 alone is refused; with Small 3,000 in the same batch it is registered."""
    table = betting(address, LimitsAsked(1_000, 10_000, 100, 5_000))
    assert table.refuses("terminal", place("7", big=6_000), "7") == ("ABOVE_DIFFERENTIAL", "5.1")
    table.places("7", {"big": 6_000, "small": 3_000})
    assert table.refuses("terminal", place("8", odd=5_100), "8") == ("ABOVE_DIFFERENTIAL", "5.1")


def test_an_excess_that_a_withdrawal_left_is_rejected_at_the_close_newest_first() -> None:
    """A 6,000 and B 1,000 on Big against 4,000 of C that goes: 2,000 too much, B's 1,000 first."""
    table = betting("ts6/2", LimitsAsked(1_000, 10_000, 100, 5_000))
    table.enrols("C")
    table.places("C", {"small": 4_000})
    table.places("7", {"big": 6_000})
    table.places("8", {"big": 1_000})
    table.does("terminal", ClearBets("C"), "C")
    (closed,) = table.does("dealer", CloseBets())
    assert isinstance(closed, BetsClosed)
    assert closed.rejected == (("7", "big", 1_000), ("8", "big", 1_000))
    assert closed.rejected_clause == "5.1"
    assert (table.seat("7").bets, table.seat("8").bets) == ({"big": 5_000}, {})
    assert (table.credits("7"), table.credits("8")) == (95_000, 100_000)


def test_what_a_rejection_leaves_under_the_minimum_goes_back_too() -> None:
    """A 4,300, then B 2,500 on Big; C's 4,000 on Small go: of B 1,800, then the 700 left."""
    table = betting("ts6/2", LimitsAsked(1_000, 10_000, 100, 5_000))
    table.enrols("C")
    table.places("C", {"small": 4_000})
    table.places("7", {"big": 4_300})
    table.places("8", {"big": 2_500})
    table.does("terminal", ClearBets("C"), "C")
    (closed,) = table.does("dealer", CloseBets())
    assert isinstance(closed, BetsClosed)
    assert closed.rejected == (("8", "big", 2_500),)
    assert table.state.box_totals == {"big": 4_300}


def test_two_placements_of_one_player_are_rejected_newest_first() -> None:
    """5,000 then 2,000 then 1,000 on Big, 4,000 of Small gone: 1,000 and 2,000 go back."""
    table = betting("ts6/2", LimitsAsked(1_000, 10_000, 100, 5_000))
    table.places("8", {"small": 4_000})
    for stake in (5_000, 2_000, 1_000):
        table.places("7", {"big": stake})
    table.does("terminal", withdraw("7", big=200), "7")
    table.does("terminal", ClearBets("8"), "8")
    (closed,) = table.does("dealer", CloseBets())
    assert isinstance(closed, BetsClosed)
    assert closed.rejected == (("7", "big", 2_000), ("7", "big", 800))
    assert (table.seat("7").bets, table.credits("7")) == ({"big": 5_000}, 95_000)
    assert table.seat("7").placed == {"big": [(1, 5_000)]}


def test_a_table_without_a_differential_rejects_nothing() -> None:
    table = betting("etg8/2", LimitsAsked(1_000, 100_000, 100))
    table.places("7", {"big": 90_000})
    (closed,) = table.does("dealer", CloseBets())
    assert isinstance(closed, BetsClosed)
    assert (closed.rejected, closed.rejected_clause) == ((), None)


@pytest.mark.parametrize(
    ("address", "opens", "late"),
    [
        ("ts6/2", "3.2", "5.7"),
        ("tso5/2", "3.2", "5.7"),
        ("etg8/2", "3.2", "3.5"),
        ("div9/2", "6.1", "4.7"),
    ],
)
def test_no_bet_before_the_call_nor_after_the_close(address: str, opens: str, late: str) -> None:
    table = open_table(address)
    asked: list[TableCommand] = [place("7", small=1_000), withdraw("7", small=1_000)]
    asked.append(ClearBets("7"))
    for command in asked:
        assert table.refuses("terminal", command, "7") == ("BETS_NOT_OPEN", opens)
    table.betting(t7={"small": 2_000})
    for bring in (table.closed, table.tumbled, lambda: table.entered(1, 2, 3)):
        bring()
        for command in asked:
            assert table.refuses("terminal", command, "7") == ("BETS_CLOSED", late)
    table.does("dealer", ConfirmResult())
    assert table.refuses("terminal", asked[0], "7") == ("BETS_CLOSED", late)
    assert table.state.live == 2_000


@pytest.mark.parametrize(
    ("address", "late"), [("ts6/2", "5.7"), ("tso5/2", "5.7"), ("etg8/2", "3.5"), ("div9/2", "4.7")]
)
def test_what_was_meant_for_another_round_is_taken_into_none(address: str, late: str) -> None:
    table = betting(address)
    meant = table.state.round
    bets = stakes({"small": 2_000})
    table.does("terminal", PlaceBets("7", bets, meant), "7")
    for other in (meant - 1, meant + 1):
        for command in (
            PlaceBets("7", bets, other),
            WithdrawBets("7", bets, other),
            ClearBets("7", other),
        ):
            assert table.refuses("terminal", command, "7") == ("OTHER_ROUND", late)
    assert table.state.box_totals == {"small": 2_000}
    table.does("terminal", ClearBets("7", meant), "7")
    assert table.state.box_totals == {}


def test_no_bet_at_a_closed_table() -> None:
    table = Table().created().adopted()
    assert table.refuses("terminal", place("7", small=1_000), "7") == ("TABLE_CLOSED", None)
    assert table.state.phase is Phase.CLOSED


def test_a_terminal_bets_for_itself_alone() -> None:
    table = betting()
    for command in (place("7", small=1_000), withdraw("7", small=1_000), ClearBets("7")):
        assert table.refuses("terminal", command, "8") == ("NOT_YOUR_TERMINAL", None)
    assert table.refuses("terminal", place("9", small=1_000), "9") == ("UNKNOWN_TERMINAL", None)
    assert table.refuses("terminal", withdraw("9", small=1_000), "9") == (
        "UNKNOWN_TERMINAL",
        None,
    )
    assert table.refuses("terminal", ClearBets("9"), "9") == ("UNKNOWN_TERMINAL", None)


@pytest.mark.parametrize("address", ["ts6/2", "tso5/2", "div9/2"])
def test_pit_staff_bet_for_a_player_who_asks_and_it_is_recorded(address: str) -> None:
    table = betting(address)
    assert table.does("dealer", place("7", small=2_000)) == (
        BetsRegistered("7", (BoxStake("small", 2_000),), "dan"),
    )
    assert table.does("supervisor", withdraw("7", small=1_000)) == (
        BetsWithdrawn("7", (BoxStake("small", 1_000),), "sue"),
    )
    assert table.does("pit-manager", ClearBets("7")) == (
        BetsWithdrawn("7", (BoxStake("small", 1_000),), "pat"),
    )


def test_nobody_bets_for_a_player_where_the_document_does_not_provide_for_it() -> None:
    table = betting("etg8/2")
    table.places("7", {"small": 2_000})
    for command in (place("7", small=2_000), withdraw("7", small=1_000), ClearBets("7")):
        assert table.refuses("dealer", command) == ("NO_BETS_ON_BEHALF", "D6")
