"""A round in its order, as each document has it: announcements, tumble, entry, settlement."""

from collections.abc import Callable

import pytest

from taisai.core.kernel.approvals import Decline
from taisai.core.kernel.messages import Equipment, SettledLine
from taisai.core.table.interruption import DeclareOutcome
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import (
    AmendResult,
    BetsClosed,
    BetsOpened,
    CloseBets,
    ConfirmResult,
    EnterResult,
    FacePressed,
    OpenBets,
    PressFace,
    ResultAmended,
    ResultConfirmed,
    ResultEntered,
    ResultReported,
    ResultsDisagreed,
    RoundSettled,
    RoundStarted,
    Settle,
)
from taisai.core.table.state import Phase
from taisai.core.table.tumble import CoverLifted, LiftCover, RecordTumble, TumbleRecorded
from tests.kit.chip_tables import open_chip_table
from tests.kit.tables import ADDRESSES, Table, open_table

SIMULATED = Equipment("simulated")
TWO_SOURCES = Equipment("reader", read_by_dealer_too=True)


@pytest.mark.parametrize(
    ("address", "words", "opens", "closes", "closed"),
    [
        ("ts6/2", "Place your Bets, please", "3.2", "No more Bets", "3.6"),
        ("tso5/2", "Place your Bets, please", "3.2", "No more Bets", "3.6"),
        ("etg8/2", None, "3.2", "No More Bets", "3.5"),
    ],
)
def test_bets_are_called_and_closed_in_the_documents_words(
    address: str, words: str | None, opens: str, closes: str, closed: str
) -> None:
    table = open_table(address)
    started, opened = table.does("dealer", OpenBets())
    assert started == RoundStarted(1, table.at)
    assert opened == BetsOpened(words, opens, "dan")
    assert table.does("dealer", CloseBets()) == (
        BetsClosed(closes, bell=False, clause=closed, by="dan", displayed=words is None),
    )
    assert table.refuses("dealer", CloseBets()) == ("BETS_NOT_OPEN", closed)


def test_6_1_the_dice_are_tumbled_before_place_your_bets() -> None:
    table = open_table("div9/2")
    assert table.refuses("dealer", OpenBets()) == ("TUMBLE_FIRST", "6.1")
    assert table.does("dealer", RecordTumble(3)) == (
        RoundStarted(1, table.at),
        TumbleRecorded(3, flat=True, concealed=True, by="dan"),
    )
    assert table.state.phase is Phase.TUMBLED
    assert table.does("dealer", OpenBets()) == (BetsOpened("Place your bets", "6.1", "dan"),)


def test_6_2_no_more_bets_is_called_with_the_bell() -> None:
    table = open_table("div9/2").betting()
    assert table.refuses("dealer", CloseBets()) == ("BELL_FIRST", "6.2")
    assert table.does("dealer", CloseBets(bell=True)) == (
        BetsClosed("No more bets", bell=True, clause="6.2", by="dan"),
    )


def test_4_4_no_bets_before_the_winners_are_paid() -> None:
    table = open_table("div9/2").betting(t7={"small": 1_000}).confirmed(1, 2, 3)
    assert table.refuses("dealer", OpenBets()) == ("ROUND_UNDER_WAY", "4.4")
    assert open_table("ts6/2").betting().refuses("dealer", OpenBets()) == (
        "ROUND_UNDER_WAY",
        "3.2",
    )


@pytest.mark.parametrize(
    ("address", "order"), [("ts6/2", "5.5.3"), ("tso5/2", "5.5.3"), ("etg8/2", "5.3.3")]
)
def test_no_tumble_before_the_round_is_opened(address: str, order: str) -> None:
    table = open_table(address)
    assert table.refuses("dealer", RecordTumble(3)) == ("ROUND_NOT_OPEN", order)


@pytest.mark.parametrize(("address", "clause"), [("ts6/2", "3.7"), ("etg8/2", "3.6")])
def test_covered_dice_are_tumbled_before_or_after_the_close(address: str, clause: str) -> None:
    table = open_table(address).betting()
    table.does("dealer", RecordTumble(3))
    table.closed()
    table.entered(1, 2, 3)
    assert table.refuses("dealer", RecordTumble(3)) == ("RESULT_IS_ENTERED", clause)


def in_sight(table: Table) -> bool:
    return table.state.uncovered


@pytest.mark.parametrize(
    ("address", "clause", "order"),
    [("ts6/2", "3.7", "5.5.3"), ("etg8/2", "3.6", "5.3.3"), ("div9/2", "6.3", "6.1")],
)
@pytest.mark.parametrize("opened", [open_table, open_chip_table])
def test_a_cover_is_lifted_once_after_the_close_off_dice_that_were_tumbled(
    opened: Callable[[str], Table], address: str, clause: str, order: str
) -> None:
    table = opened(address)
    assert table.refuses("dealer", LiftCover()) == ("ROUND_NOT_OPEN", order)
    table.betting()
    assert table.refuses("dealer", LiftCover()) == ("BETS_STILL_OPEN", order)
    table.closed()
    if not table.before_bets:
        assert table.refuses("dealer", LiftCover())[0] == "NOT_TUMBLED"
    table.tumbled()
    assert not in_sight(table)
    assert table.does("dealer", LiftCover()) == (CoverLifted(clause, "dan"),)
    assert in_sight(table)
    assert table.refuses("dealer", LiftCover()) == ("COVER_IS_LIFTED", clause)
    table.entered(1, 2, 3)
    assert table.refuses("dealer", LiftCover()) == ("RESULT_IS_ENTERED", clause)
    table.does("dealer", ConfirmResult())
    table.paid()
    assert not in_sight(table)


def test_dice_tumbled_in_the_open_have_no_cover_to_lift() -> None:
    table = open_chip_table("tso5/2").betting().closed()
    assert table.refuses("dealer", LiftCover()) == ("NO_COVER", "3.7")
    assert not in_sight(table)
    assert in_sight(table.tumbled())


def test_dice_that_were_tumbled_uncovered_after_the_close_have_none_either() -> None:
    table = open_chip_table("ts6/2").betting().closed()
    table.does("dealer", RecordTumble(3, concealed=False))
    assert table.refuses("dealer", LiftCover()) == ("COVER_IS_LIFTED", "3.7")
    table.does("dealer", EnterResult((1, 2, 3)))


def test_a_result_shows_that_the_dice_were_seen() -> None:
    table = open_table().betting().closed().tumbled()
    assert not in_sight(table)
    assert in_sight(table.entered(1, 2, 3))


@pytest.mark.parametrize(("address", "clause"), [("ts6/2", "3.7"), ("div9/2", "6.3")])
def test_at_a_chip_table_nobody_enters_dice_before_the_cover_is_lifted(
    address: str, clause: str
) -> None:
    table = open_chip_table(address).betting().closed().tumbled()
    assert table.refuses("dealer", PressFace(1)) == ("COVER_FIRST", clause)
    assert table.refuses("dealer", EnterResult((1, 2, 3))) == ("COVER_FIRST", clause)
    table.does("dealer", LiftCover())
    table.entered(1, 2, 3)


def test_a_count_of_tumbles_is_a_count() -> None:
    table = open_table().betting()
    for times in (-1, 1_001):
        assert table.refuses("dealer", RecordTumble(times)) == ("BAD_AMOUNT", None)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_result_is_entered_after_the_close_of_dice_that_were_tumbled(address: str) -> None:
    table = open_table(address)
    assert table.refuses("dealer", EnterResult((1, 2, 3))) == ("ROUND_NOT_OPEN", None)
    table.betting()
    refused, clause = table.refuses("dealer", EnterResult((1, 2, 3)))
    assert (refused, clause) == (
        "BETS_STILL_OPEN",
        {"ts6/2": "3.6", "tso5/2": "3.6", "etg8/2": "3.5", "div9/2": "6.2"}[address],
    )
    table.closed()
    if not table.before_bets:
        assert table.refuses("dealer", PressFace(1))[0] == "NOT_TUMBLED"
    table.tumbled().entered(6, 1, 3)
    assert table.told[-1] == ResultEntered((1, 3, 6), "keyed", "dan")
    assert table.refuses("dealer", EnterResult((1, 2, 3))) == ("RESULT_IS_ENTERED", None)


def test_3_3_the_last_three_buttons_are_echoed_and_entered() -> None:
    table = open_table("div9/2").betting().closed()
    assert table.refuses("dealer", EnterResult()) == ("BAD_DICE", None)
    for face in (4, 5, 2, 6, 2):
        assert table.does("supervisor", PressFace(face)) == (FacePressed(face),)
    assert table.state.echo == (2, 6, 2)
    assert table.refuses("dealer", PressFace(7)) == ("BAD_DICE", None)
    assert table.does("supervisor", EnterResult()) == (ResultEntered((2, 2, 6), "keyed", "sue"),)


@pytest.mark.parametrize("faces", [(), (1, 2), (1, 2, 3, 4), (0, 1, 2), (1, 2, 7)])
def test_what_three_dice_cannot_show_is_refused(faces: tuple[int, ...]) -> None:
    table = open_table().betting().closed().tumbled()
    assert table.refuses("dealer", EnterResult(faces)) == ("BAD_DICE", None)
    table.entered(1, 2, 3)
    assert table.refuses("dealer", AmendResult(faces)) == ("BAD_DICE", None)


def test_a_result_is_confirmed_once_and_lights_its_winners() -> None:
    table = open_table("div9/1").betting().closed().tumbled()
    assert table.refuses("dealer", ConfirmResult()) == ("NO_RESULT", None)
    assert table.refuses("dealer", Settle()) == ("NO_RESULT", None)
    table.entered(1, 1, 4)
    assert table.refuses("dealer", Settle()) == ("NOT_CONFIRMED", None)
    winners = ("small", "double-1", "total-6", "domino-14", "single-1", "single-4")
    assert table.does("dealer", ConfirmResult()) == (ResultConfirmed((1, 1, 4), winners, "dan"),)
    assert table.refuses("dealer", ConfirmResult()) == ("RESULT_IS_CONFIRMED", None)


@pytest.mark.parametrize(
    ("address", "clause"),
    [("ts6/2", "5.10"), ("tso5/2", "5.10"), ("etg8/2", "5.5"), ("div9/2", "7.2")],
)
def test_a_wrong_entry_is_amended_by_two_persons_before_settlement(
    address: str, clause: str
) -> None:
    table = open_table(address).betting(t7={"small": 1_000})
    assert table.refuses("dealer", AmendResult((1, 2, 3))) == ("NO_RESULT", None)
    table.confirmed(5, 5, 6)
    assert table.refuses("dealer", AmendResult((6, 5, 5))) == ("NOTHING_TO_AMEND", clause)
    events = table.agrees("dealer", AmendResult((3, 2, 1)), "supervisor")
    assert events[1:] == (ResultAmended((1, 2, 3), (5, 5, 6), clause),)
    assert table.refuses("dealer", Settle()) == ("NOT_CONFIRMED", None)
    table.does("dealer", ConfirmResult())
    table.does("dealer", Settle())
    assert table.credits() == 101_000


def test_a_round_is_held_while_somebody_says_that_the_entry_is_wrong() -> None:
    table = open_table("div9/2").betting().closed().entered(5, 5, 6)
    table.does("dealer", AmendResult((1, 2, 3)))
    asked_at = table.at
    assert table.refuses("dealer", ConfirmResult()) == ("AMENDMENT_WAITS", "7.2")
    table.does("supervisor", Decline(table.approval().pending))
    table.does("dealer", ConfirmResult())
    table.does("dealer", AmendResult((1, 2, 3)))
    assert table.refuses("dealer", Settle()) == ("AMENDMENT_WAITS", "7.2")
    table.at += 60_000
    table.does("dealer", Settle())
    assert table.at > asked_at + 60_000


def test_settlement_says_what_each_box_paid_and_by_which_clause() -> None:
    """1,000 on Small wins 1,000; 2,000 on Double 2 wins 22,000; 3,000 on Big is collected."""
    table = open_table("ts6/2")
    table.betting(t7={"small": 1_000, "double-2": 2_000}, t8={"big": 3_000})
    settled = table.settled(2, 5, 2)
    assert settled == RoundSettled(
        round=1,
        faces=(2, 2, 5),
        lines=(
            SettledLine("7", "small", 1_000, 1_000, 2_000),
            SettledLine("7", "double-2", 2_000, 22_000, 24_000),
            SettledLine("8", "big", 3_000, 0, 0),
        ),
        odds={"small": "1", "double-2": "11", "big": None},
        clauses={"small": "4.1.2", "double-2": "4.1.2", "big": "3.9"},
        collected=3_000,
        paid=23_000,
        by="dan",
        at=table.at,
        sessions={"7": 1, "8": 1},
    )
    assert (table.credits("7"), table.credits("8")) == (123_000, 97_000)
    assert (table.live("7"), table.live("8"), table.balance("house:bank")) == (0, 0, -20_000)
    assert table.state.phase is Phase.READY
    assert table.refuses("dealer", Settle()) == ("NO_RESULT", None)


def test_a_triple_takes_small_and_says_so() -> None:
    table = open_table("etg8/2").betting(t7={"small": 1_000, "any-triple": 1_000})
    settled = table.settled(2, 2, 2)
    assert settled.clauses == {"small": "3.9", "any-triple": "4.1.2"}
    assert (settled.collected, settled.paid) == (1_000, 32_000)
    assert table.credits() == 100_000 - 1_000 + 32_000


def test_half_odds_pay_whole_amounts() -> None:
    """1,100 on Total 8 at 8.5 to 1 wins 9,350; 700 is under the minimum, 1,101 off the step."""
    table = open_table("etg8/2").betting(t7={"total-8": 1_100})
    assert table.settled(1, 1, 6).lines == (SettledLine("7", "total-8", 1_100, 9_350, 10_450),)


def test_a_round_without_bets_is_settled_too() -> None:
    settled = open_table().betting().settled(6, 6, 6)
    assert (settled.lines, settled.odds, settled.collected, settled.paid) == ((), {}, 0, 0)


def test_rounds_are_numbered_one_after_another_void_ones_too() -> None:
    table = open_table()
    table.betting().settled(1, 2, 3)
    table.betting()
    table.does("dealer", ReportIrregularity("bad-tumble"))
    started, _ = table.does("dealer", OpenBets())
    assert started == RoundStarted(3, table.at)


def test_a_device_enters_where_there_is_one() -> None:
    table = open_table(equipment=SIMULATED).betting(t7={"small": 1_000}).closed()
    table.does("device", RecordTumble(3))
    assert table.refuses("dealer", PressFace(1)) == ("DEVICE_ENTERS", None)
    assert table.refuses("dealer", EnterResult((1, 2, 3))) == ("DEVICE_ENTERS", None)
    assert table.does("device", EnterResult((1, 2, 3))) == (
        ResultEntered((1, 2, 3), "device", "tumbler"),
    )
    assert table.refuses("supervisor", AmendResult((1, 2, 4))) == ("DEVICE_ENTERS", "5.10")


def test_the_dealer_enters_where_there_is_no_device() -> None:
    table = open_table().betting().closed().tumbled()
    assert table.refuses("device", EnterResult((1, 2, 3))) == ("DEALER_ENTERS", None)


def test_two_sources_that_agree_make_a_result() -> None:
    table = open_table(equipment=TWO_SOURCES).betting().closed().tumbled()
    assert table.does("device", EnterResult((3, 2, 1))) == (ResultReported("device", (1, 2, 3)),)
    assert table.does("device", EnterResult((1, 1, 1))) == (ResultReported("device", (1, 1, 1)),)
    assert table.refuses("dealer", ConfirmResult()) == ("NO_RESULT", None)
    assert table.does("dealer", EnterResult((1, 1, 1))) == (
        ResultReported("keyed", (1, 1, 1)),
        ResultEntered((1, 1, 1), "keyed", "dan"),
    )
    assert table.state.phase is Phase.RESULT


def test_two_sources_that_disagree_make_the_round_wait_for_the_supervisor() -> None:
    table = open_table(equipment=TWO_SOURCES).betting(t7={"small": 1_000}).closed().tumbled()
    table.does("dealer", EnterResult((1, 2, 3)))
    assert table.does("device", EnterResult((1, 2, 4))) == (
        ResultReported("device", (1, 2, 4)),
        ResultsDisagreed(),
    )
    assert table.refuses("dealer", EnterResult((1, 2, 4))) == ("OUTCOME_TO_DECLARE", None)
    events = table.agrees("supervisor", DeclareOutcome((4, 2, 1)), "dealer")
    assert events[1:] == (ResultEntered((1, 2, 4), "declared", "sue"),)
    table.does("dealer", ConfirmResult())
    table.does("dealer", Settle())
    assert table.credits() == 101_000


def test_a_reader_alone_can_be_amended_for_it_reads_dice_that_lie_there() -> None:
    table = open_table(equipment=Equipment("reader")).betting().closed().tumbled()
    table.does("device", EnterResult((1, 2, 3)))
    events = table.agrees("supervisor", AmendResult((1, 2, 4)))
    assert events[1:] == (ResultAmended((1, 2, 4), (1, 2, 3), "5.10"),)
