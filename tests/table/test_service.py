"""Terminals out of service at any table, and sessions that staff end [D21]."""

import pytest

from taisai.core.kernel.messages import Posting, Role
from taisai.core.streams import TableCommand
from taisai.core.table.betting import PlaceBets, WithdrawBets
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.positions import (
    ClearLock,
    ReceiveCredits,
    SetOwnLimits,
)
from taisai.core.table.service import (
    EndSession,
    MarkTerminalFailed,
    ReturnTerminal,
    SetWinAside,
    WinSetAside,
)
from taisai.core.table.setup import EnrolTerminal
from taisai.core.table.state import LockedWin
from tests.kit.tables import ADDRESSES, Table, open_table, stakes

WHY = "the screen is dark"
NOTED = (MarkTerminalFailed, ReturnTerminal, EndSession)


@pytest.mark.parametrize("kind", NOTED)
def test_it_takes_the_pit_a_terminal_that_is_there_and_a_reason(
    kind: type[MarkTerminalFailed | ReturnTerminal | EndSession],
) -> None:
    table = open_table()
    roles: tuple[Role, ...] = ("dealer", "cage", "terminal", "technician", "auditor", "system")
    for role in roles:
        assert table.refuses(role, kind("7", WHY), "7")[0] == "NOT_ALLOWED"
    assert table.refuses("supervisor", kind("9", WHY)) == ("UNKNOWN_TERMINAL", None)
    assert table.refuses("supervisor", kind("7", " ")) == ("NOTE_MISSING", None)
    assert table.refuses("supervisor", kind("7", "x" * 501)) == ("NOTE_LONG", None)


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_round_goes_on_whatever_the_document(address: str) -> None:
    table = open_table(address).betting(t7={"small": 4_000})
    table.does("supervisor", MarkTerminalFailed("7", WHY))
    assert table.refuses("supervisor", MarkTerminalFailed("7", WHY)) == ("ALREADY_SO", None)
    table.settled(1, 2, 3)
    assert table.credits() == 104_000


def test_staff_take_bets_back_at_a_failed_terminal_and_place_none() -> None:
    table = open_table("ts6/2").betting(t7={"small": 4_000})
    table.does("supervisor", MarkTerminalFailed("7", WHY))
    more = PlaceBets("7", stakes({"small": 1_000}))
    assert table.refuses("dealer", more) == ("TERMINAL_FAILED", None)
    table.does("dealer", WithdrawBets("7", stakes({"small": 4_000})))
    assert (table.credits(), table.live()) == (100_000, 0)


def test_d21_an_ended_session_takes_its_credits_and_its_limits_with_it() -> None:
    table = open_table()
    table.does("terminal", SetOwnLimits("7", 5_000, 600), "7")
    table.does("shift-manager", EndSession("7", WHY))
    seat = table.seat()
    assert (seat.is_bound, seat.session_began, seat.session_in) == (False, None, 0)
    assert (seat.session_ended, seat.left, seat.out) == (table.at, True, 100_000)
    assert table.state.meters["table"].out == 100_000
    assert table.state.unclaimed == {"7@1": 100_000}
    assert table.refuses("supervisor", EndSession("7", WHY)) == ("NO_SESSION", None)


def test_d21_the_next_credits_are_another_players_and_corrections_find_the_first() -> None:
    """7 lost 20.00 on Big; the dice were 4, 5, 6, which pays it 1 to 1: 40.00 back."""
    table = open_table("etg8/2").betting(t7={"big": 2_000})
    table.settled(1, 2, 3)
    table.does("supervisor", EndSession("7", WHY))
    table.does("system", ReceiveCredits("cage-9", "7", 5_000))
    table.agrees("supervisor", CorrectSettledRound(1, (4, 5, 6), "misread"))
    assert table.credits() == 5_000
    assert table.state.unclaimed == {"7@1": 98_000 + 4_000}


def test_d21_who_lost_all_has_a_session_for_ten_minutes() -> None:
    table = open_table().betting(t7={"total-9": 100_000})
    table.settled(6, 6, 6)
    later = table.copy()
    table.does("supervisor", EndSession("7", WHY))
    assert (table.state.unclaimed, table.seat().left) == ({}, True)
    later.at += 600_000
    assert later.refuses("supervisor", EndSession("7", WHY)) == ("NO_SESSION", None)


def test_where_nobody_has_been_no_session_is_ended() -> None:
    table = open_table()
    table.agrees("technician", EnrolTerminal("12", "bank 2"), "supervisor")
    assert table.refuses("supervisor", EndSession("12", WHY)) == ("NO_SESSION", None)


def test_a_locked_terminal_is_cleared_before_its_session_is_ended() -> None:
    table = open_table(handpay_threshold=1_000).betting(t7={"small": 5_000})
    table.settled(1, 2, 3)
    end: TableCommand = EndSession("7", WHY)
    assert table.refuses("supervisor", end) == ("TERMINAL_LOCKED", None)
    table.does("dealer", ClearLock("7"))
    table.does("supervisor", end)
    assert table.state.unclaimed == {"7@1": 105_000}


def locked() -> Table:
    """Let 7 win 50.00 on Small, which locks it: it holds 1,050.00."""
    table = open_table(handpay_threshold=1_000).betting(t7={"small": 5_000})
    table.settled(1, 2, 3)
    return table


def test_d42_a_locked_win_is_set_aside_and_what_was_there_before_it_stays() -> None:
    table = locked()
    assert table.refuses("dealer", SetWinAside("7")) == ("NOT_ALLOWED", None)
    assert table.refuses("cage", SetWinAside("8")) == ("TERMINAL_NOT_LOCKED", None)
    assert table.refuses("cage", SetWinAside("99")) == ("UNKNOWN_TERMINAL", None)
    (aside,) = table.does("cage", SetWinAside("7"))
    assert aside == WinSetAside("7", "7@1", 5_000, "cat", table.at)
    seat = table.seat()
    assert (table.credits(), table.state.unclaimed) == (100_000, {"7@1": 5_000})
    assert (seat.locked, seat.locked_wins, seat.out, seat.session_ended) == (False, (), 5_000, None)
    # The money that left counts as taken out: the session has won 50.00 as before.
    assert table.credits() - seat.session_in == 5_000
    assert table.refuses("supervisor", SetWinAside("7")) == ("TERMINAL_NOT_LOCKED", None)
    table.betting(t7={"small": 5_000})


def test_d42_what_a_correction_took_of_a_win_is_not_paid() -> None:
    """Of 1,000.00 all but 20.00 had been lost; the win is put right before it is paid."""
    table = open_table("etg8/2", handpay_threshold=1_000).betting(t7={"big": 98_000})
    table.settled(1, 2, 3)
    table.betting(t7={"small": 2_000})
    table.settled(1, 2, 3)
    assert (table.seat().locked_wins, table.credits()) == ((LockedWin(2, 2_000, 2_000),), 4_000)
    nothing = table.copy()
    table.agrees("supervisor", CorrectSettledRound(2, (4, 5, 6), "misread"))
    assert table.credits() == 0
    assert table.refuses("cage", SetWinAside("7")) == ("NO_WIN_LEFT", None)
    nothing.does("supervisor", SetWinAside("7"))
    assert nothing.credits() == 2_000


def test_d42_a_win_that_a_correction_took_back_is_not_paid_out_of_earlier_credits() -> None:
    table = open_table("etg8/2", handpay_threshold=1_000).betting(t7={"small": 2_000})
    table.settled(1, 2, 3)
    table.agrees("supervisor", CorrectSettledRound(1, (4, 5, 6), "misread"))
    assert (table.credits(), table.seat().locked) == (98_000, True)
    assert table.refuses("cage", SetWinAside("7")) == ("NO_WIN_LEFT", None)
    table.does("dealer", ClearLock("7"))
    table.betting(t7={"small": 98_000})


def test_d42_what_is_due_of_a_win_follows_each_correction_of_its_round() -> None:
    table = open_table("etg8/2", handpay_threshold=1_000)
    table.betting(t7={"small": 2_000, "single-1": 1_000}).settled(1, 2, 3)
    assert table.seat().locked_wins == (LockedWin(1, 3_000, 3_000),)
    table.agrees("supervisor", CorrectSettledRound(1, (2, 2, 3), "misread"))
    assert table.seat().locked_wins == (LockedWin(1, 2_000, 2_000),)
    table.agrees("supervisor", CorrectSettledRound(1, (4, 5, 6), "misread"))
    assert table.seat().locked_wins == (LockedWin(1, 0, 0),)
    table.agrees("supervisor", CorrectSettledRound(1, (1, 2, 3), "misread"))
    (aside,) = table.does("cage", SetWinAside("7"))
    assert isinstance(aside, WinSetAside)
    assert (aside.amount, table.credits()) == (3_000, 100_000)


def test_d42_a_reversed_round_leaves_nothing_to_pay_by_hand() -> None:
    table = open_table("etg8/2", handpay_threshold=1_000).betting(t7={"small": 2_000})
    table.settled(1, 2, 3)
    table.agrees("supervisor", VoidSettledRounds(1, "chipped"))
    assert (table.credits(), table.seat().locked_wins) == (100_000, ())
    assert table.refuses("cage", SetWinAside("7")) == ("NO_WIN_LEFT", None)


def test_d42_a_large_win_by_correction_locks_as_one_at_once_does() -> None:
    table = open_table("etg8/2", handpay_threshold=1_000).betting(t7={"small": 2_000})
    table.settled(4, 5, 6)
    assert not table.seat().locked
    table.agrees("supervisor", CorrectSettledRound(1, (1, 2, 3), "misread"))
    assert (table.seat().locked_wins, table.credits()) == ((LockedWin(1, 2_000, 2_000),), 102_000)
    table.does("cage", SetWinAside("7"))
    assert (table.credits(), table.state.unclaimed) == (100_000, {"7@1": 2_000})


def test_d42_what_covers_an_earlier_shortfall_is_not_paid_by_hand() -> None:
    """The session owes 60.00 of round 1; of the 80.00 that round 2 gives back 20.00 are left."""
    table = open_table("etg8/2", handpay_threshold=3_000).betting(t7={"small": 3_000})
    table.settled(1, 2, 3)
    table.betting(t7={"small": 4_000, "big": 93_000}).settled(3, 3, 3)
    table.betting(t7={"small": 6_000})
    table.agrees("supervisor", CorrectSettledRound(1, (4, 5, 6), "misread"))
    assert table.state.shortfalls == {"7@1": 6_000}
    table.agrees("supervisor", CorrectSettledRound(2, (1, 2, 3), "misread"))
    assert table.seat().locked_wins == (LockedWin(2, 4_000, 2_000),)
    assert table.credits() == 2_000


def test_d42_at_or_under_the_threshold_a_correction_locks_nothing() -> None:
    table = open_table("etg8/2", handpay_threshold=2_000).betting(t7={"small": 2_000})
    table.settled(4, 5, 6)
    table.agrees("supervisor", CorrectSettledRound(1, (1, 2, 3), "misread"))
    assert (table.seat().locked, table.credits()) == (False, 102_000)


def test_d42_a_correction_after_a_win_was_set_aside_takes_what_the_terminal_has() -> None:
    """The 40.00 that round 2 gave are owed back: 20.00 are there, and 20.00 are set aside."""
    table = open_table("etg8/2", handpay_threshold=1_000).betting(t7={"big": 98_000})
    table.settled(1, 2, 3)
    table.betting(t7={"small": 2_000})
    table.settled(1, 2, 3)
    table.does("cage", SetWinAside("7"))
    table.agrees("supervisor", CorrectSettledRound(2, (4, 5, 6), "misread"))
    assert (table.credits(), table.state.unclaimed) == (0, {"7@1": 2_000})
    assert table.state.shortfalls == {"7@1": 2_000}


def test_d42_whose_win_was_all_there_is_has_left() -> None:
    table = open_table("etg8/2", handpay_threshold=1_000).betting(t7={"small": 100_000})
    table.settled(1, 2, 3)
    table.agrees("shift-manager", Rule("wager", (Posting("terminal:7", "house:bank", 100_000),)))
    (aside,) = table.does("pit-manager", SetWinAside("7"))
    assert isinstance(aside, WinSetAside)
    assert (aside.amount, table.credits(), table.seat().session_ended) == (100_000, 0, table.at)
