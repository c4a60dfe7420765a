"""Terminals that fail under `etg8`: the round goes on, bets settle or are never registered."""

from taisai.core.table.betting import ClearBets, PlaceBets
from taisai.core.table.positions import CashOut, ReceiveCredits, shown_session
from taisai.core.table.service import (
    EndSession,
    MarkTerminalFailed,
    ReturnTerminal,
    SessionEndedByStaff,
    TerminalFailed,
    TerminalReturned,
)
from tests.kit.tables import Table, open_table, stakes

DARK = "the screen is dark"


def failed(**bets: dict[str, int]) -> Table:
    """Let staff take terminal 7 out of service, with some bets on the table."""
    table = open_table("etg8/2").betting(**bets)
    table.does("supervisor", MarkTerminalFailed("7", DARK))
    return table


def test_5_2_the_round_goes_on_where_staff_mark_a_terminal_or_all_as_failed() -> None:
    """7 and 8 have 40.00 and 20.00 on the table; 1, 2, 3 pays Small and not Big."""
    table = open_table("etg8/2").betting(t7={"small": 4_000}, t8={"big": 2_000})
    for terminal in ("7", "8"):
        told = table.does("supervisor", MarkTerminalFailed(terminal, DARK))
        assert told == (TerminalFailed(terminal, "sue", DARK, "5.2.1"),)
    table.settled(1, 2, 3)
    assert (table.credits("7"), table.credits("8")) == (104_000, 98_000)


def test_5_2_a_failed_terminal_takes_no_bets_and_no_credits_until_staff_put_it_back() -> None:
    table = failed()
    bet = PlaceBets("7", stakes({"small": 1_000}))
    assert table.refuses("terminal", bet, "7") == ("TERMINAL_FAILED", "5.2.2")
    receive = ReceiveCredits("cage-9", "7", 5_000)
    assert table.refuses("system", receive) == ("TERMINAL_FAILED", None)
    back = ReturnTerminal("7", "a new screen")
    assert table.refuses("dealer", back)[0] == "NOT_ALLOWED"
    assert table.does("pit-manager", back) == (TerminalReturned("7", "pat", "a new screen"),)
    assert table.refuses("supervisor", back) == ("ALREADY_SO", None)
    table.does("terminal", bet, "7")
    table.does("system", receive)
    assert table.credits() == 100_000 - 1_000 + 5_000


def test_5_2_1_registered_bets_of_a_failed_terminal_are_collected_and_paid() -> None:
    """10.00 on a total of 10 at 6.5 to 1 gives 75.00 back; 10.00 on Big is collected."""
    table = failed(t7={"total-10": 1_000, "big": 1_000})
    table.settled(1, 4, 5)
    assert table.credits() == 100_000 - 2_000 + 7_500


def test_5_2_1_a_session_is_ended_only_when_its_registered_bets_are_settled() -> None:
    table = failed(t7={"small": 4_000})
    end = EndSession("7", DARK)
    assert table.refuses("supervisor", end) == ("SESSION_HAS_BETS", "5.2.1")
    table.settled(1, 2, 3)
    (ended,) = table.does("supervisor", end)
    assert ended == SessionEndedByStaff("7", "7@1", 104_000, "sue", DARK, table.at)
    assert (table.credits(), table.balance("unclaimed:7@1")) == (0, 104_000)


def test_5_2_2_bets_that_were_on_their_way_stay_in_the_players_credits() -> None:
    table = failed(t7={"small": 4_000})
    for late in (PlaceBets("7", stakes({"big": 5_000})), ClearBets("7")):
        assert table.refuses("terminal", late, "7") == ("TERMINAL_FAILED", "5.2.2")
    assert (table.credits(), table.live()) == (96_000, 4_000)


def test_5_2_2_the_credits_of_a_failed_terminal_are_paid_by_staff() -> None:
    table = failed()
    assert table.refuses("terminal", CashOut("7"), "7") == ("TERMINAL_FAILED", None)
    table.does("supervisor", CashOut("7"))
    assert (table.credits(), table.balance("transit:T1-1")) == (0, 100_000)


def test_5_2_nobody_is_shown_the_rounds_of_a_session_that_staff_ended() -> None:
    table = failed(t7={"small": 4_000})
    table.settled(1, 2, 3)
    assert shown_session(table.state, "7", table.at) == (1, "7@1")
    table.does("supervisor", EndSession("7", DARK))
    assert shown_session(table.state, "7", table.at) is None
