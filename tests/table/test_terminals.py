"""Player Terminals: credits in and out, lost connections, bars, locks, and limits of players."""

import pytest

from taisai.core.kernel.messages import Posting, Role
from taisai.core.kernel.transits import CloseTransit, TransitClosed
from taisai.core.streams import TableCommand, TableEvent
from taisai.core.table.betting import ClearBets, PlaceBets
from taisai.core.table.corrections import CorrectSettledRound, Rule, VoidSettledRounds
from taisai.core.table.positions import (
    BarLifted,
    BarTerminal,
    CashedOut,
    CashOut,
    ClearLock,
    CreditsReceived,
    EndOwnLimits,
    LiftBar,
    LockCleared,
    LoseTerminal,
    OwnLimitsEnded,
    OwnLimitsSet,
    ReceiveCredits,
    RestoreTerminal,
    SessionEnded,
    SetOwnLimits,
    TerminalBarred,
    TerminalLocked,
    TerminalLost,
    TerminalRestored,
    shown_session,
)
from taisai.core.table.round import RoundSettled, Settle
from taisai.core.table.setup import EnrolTerminal, RegisterDice
from tests.kit.tables import ADDRESSES, Table, open_table, stakes


def place(terminal: str, box: str, stake: int) -> PlaceBets:
    return PlaceBets(terminal, stakes({box: stake}))


def own(loss: int | None = None, seconds: int | None = None) -> SetOwnLimits:
    return SetOwnLimits("7", loss, seconds)


# --- credits -------------------------------------------------------------------------------------


def test_credits_arrive_from_the_cage_once() -> None:
    table = open_table()
    assert table.does("system", ReceiveCredits("cage-1", "7", 5_000)) == (
        CreditsReceived("cage-1", "7", 5_000, table.at),
    )
    assert (table.credits(), table.seat().drop) == (105_000, 105_000)
    assert table.refuses("system", ReceiveCredits("cage-1", "7", 5_000)) == (
        "TRANSIT_CLOSED",
        None,
    )
    assert table.refuses("system", ReceiveCredits("cage-2", "9", 1)) == ("UNKNOWN_TERMINAL", None)
    for amount in (0, -1, 10**25):
        assert table.refuses("system", ReceiveCredits("cage-2", "7", amount)) == (
            "BAD_AMOUNT",
            None,
        )


def test_what_has_arrived_is_never_received_again() -> None:
    table = open_table()
    for number in (5, 4, 3, 6, 9):
        table.does("system", ReceiveCredits(f"cage-T1-{number}", "7", 5_000))
    assert table.state.transits_received.runs["cage-T1"] == [(1, 6), (9, 9)]
    for number in (1, 3, 6, 9):
        again = ReceiveCredits(f"cage-T1-{number}", "7", 5_000)
        assert table.refuses("system", again)[0] == "TRANSIT_CLOSED"
    assert table.refuses("system", ReceiveCredits("cage", "7", 5_000))[0] == "NO_TRANSIT"


@pytest.mark.parametrize("address", ADDRESSES)
def test_free_credits_are_cashed_out_mid_round_and_stakes_stay(address: str) -> None:
    table = open_table(address).betting(t7={"small": 4_000})
    (cashed,) = table.does("terminal", CashOut("7"), "7")
    assert isinstance(cashed, CashedOut)
    assert (cashed.terminal, cashed.amount) == ("7", 96_000)
    assert cashed.transit == "T1-1"
    assert (table.credits(), table.live(), table.seat().out) == (0, 4_000, 96_000)
    assert table.balance(f"transit:{cashed.transit}") == 96_000
    table.settled(1, 2, 3)
    assert table.credits() == 8_000
    assert table.does("system", CloseTransit(cashed.transit)) == (
        TransitClosed(cashed.transit, 96_000),
    )
    assert table.state.transits_open == {}
    assert f"transit:{cashed.transit}" not in table.state.ledger.balances
    assert table.refuses("system", CloseTransit(cashed.transit)) == ("TRANSIT_CLOSED", None)


def test_every_transit_has_a_name_of_its_own() -> None:
    table = open_table()
    table.does("terminal", CashOut("7"), "7")
    table.does("terminal", CashOut("8"), "8")
    assert list(table.state.transits_open) == ["T1-1", "T1-2"]


def test_a_terminal_cashes_out_for_itself_and_staff_for_it() -> None:
    table = open_table()
    assert table.refuses("terminal", CashOut("7"), "8") == ("NOT_YOUR_TERMINAL", None)
    assert table.refuses("terminal", CashOut("9"), "9") == ("UNKNOWN_TERMINAL", None)
    table.does("supervisor", CashOut("7"))
    table.does("terminal", CashOut("8"), "8")
    assert table.refuses("terminal", CashOut("8"), "8") == ("NO_CREDITS", None)


# --- lost connections ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "clause"),
    [("ts6/2", None), ("tso5/2", None), ("etg8/2", "5.2.1"), ("div9/2", None)],
)
def test_a_lost_terminal_is_settled_all_the_same(address: str, clause: str | None) -> None:
    table = open_table(address).betting(t7={"small": 4_000})
    assert table.does("system", LoseTerminal("7")) == (TerminalLost("7", clause),)
    assert not table.seat().connected
    table.settled(1, 2, 3)
    assert table.credits() == 104_000
    assert table.refuses("system", LoseTerminal("7")) == ("ALREADY_SO", None)
    assert table.does("system", RestoreTerminal("7")) == (TerminalRestored("7"),)
    assert table.refuses("system", RestoreTerminal("7")) == ("ALREADY_SO", None)


def test_all_terminals_lost_do_not_stop_the_round() -> None:
    table = open_table("etg8/2").betting(t7={"small": 4_000}, t8={"big": 2_000})
    table.does("system", LoseTerminal("7"))
    table.does("system", LoseTerminal("8"))
    table.settled(1, 2, 3)
    assert (table.credits("7"), table.credits("8")) == (104_000, 98_000)


def test_an_unknown_terminal_is_refused_whatever_is_asked_of_it() -> None:
    table = open_table()
    asked: list[tuple[Role, TableCommand]] = [
        ("system", LoseTerminal("9")),
        ("system", RestoreTerminal("9")),
        ("terminal", SetOwnLimits("9")),
        ("supervisor", BarTerminal("9", "x")),
        ("pit-manager", LiftBar("9", "x")),
        ("dealer", ClearLock("9")),
    ]
    for role, command in asked:
        assert table.refuses(role, command, "9") == ("UNKNOWN_TERMINAL", None)


# --- bars and locks ------------------------------------------------------------------------------


def test_a_barred_terminal_takes_no_bets_but_may_take_them_back_and_cash_out() -> None:
    table = open_table().betting(t7={"small": 4_000})
    assert table.refuses("cage", BarTerminal("7", " ")) == ("NOTE_MISSING", None)
    assert table.does("cage", BarTerminal("7", "self-excluded")) == (
        TerminalBarred("7", "cat", "self-excluded"),
    )
    assert table.refuses("cage", BarTerminal("7", "again")) == ("ALREADY_SO", None)
    assert table.refuses("terminal", place("7", "small", 1_000), "7") == ("TERMINAL_BARRED", None)
    assert table.refuses("dealer", place("7", "small", 1_000)) == ("TERMINAL_BARRED", None)
    table.does("terminal", ClearBets("7"), "7")
    table.does("terminal", CashOut("7"), "7")
    assert table.refuses("pit-manager", LiftBar("7", "")) == ("NOTE_MISSING", None)
    assert table.does("pit-manager", LiftBar("7", "a year is over")) == (
        BarLifted("7", "pat", "a year is over"),
    )
    assert table.refuses("pit-manager", LiftBar("7", "again")) == ("ALREADY_SO", None)


def test_a_win_above_the_threshold_locks_the_terminal_until_an_attendant_clears_it() -> None:
    """Above 11,000: Double 2 pays 11 on 1,000, which is not above it; with Small 1,000 more is."""
    table = open_table(handpay_threshold=11_000)
    table.betting(t7={"double-2": 1_000, "small": 1_000}, t8={"double-2": 1_000})
    table.confirmed(2, 2, 5)
    settled, locked = table.does("dealer", Settle())
    assert isinstance(settled, RoundSettled)
    assert locked == TerminalLocked("7", 12_000, 1, 12_000)
    assert (table.seat("7").locked, table.seat("8").locked) == (True, False)
    table.betting()
    assert table.refuses("terminal", place("7", "small", 1_000), "7") == ("TERMINAL_LOCKED", None)
    assert table.refuses("terminal", CashOut("7"), "7") == ("TERMINAL_LOCKED", None)
    assert table.does("dealer", ClearLock("7")) == (LockCleared("7", "dan"),)
    assert table.refuses("dealer", ClearLock("7")) == ("ALREADY_SO", None)
    table.places("7", {"small": 1_000})


# --- limits players set for themselves -----------------------------------------------------------


def with_limits(loss: int | None = None, seconds: int | None = None) -> Table:
    table = open_table().betting()
    assert table.does("terminal", own(loss, seconds), "7") == (OwnLimitsSet("7", loss, seconds),)
    return table


def test_a_loss_limit_counts_what_is_lost_and_what_is_at_stake() -> None:
    """5,000 to lose: 3,000 lost leave 2,000 to bet; a win of 2,000 makes it 4,000 again."""
    table = with_limits(loss=5_000)
    assert table.refuses("terminal", place("7", "big", 5_100), "7") == ("LOSS_LIMIT", None)
    table.places("7", {"big": 3_000})
    assert table.refuses("terminal", place("7", "small", 2_100), "7") == ("LOSS_LIMIT", None)
    table.settled(1, 2, 3)
    table.betting()
    assert table.refuses("terminal", place("7", "small", 2_100), "7") == ("LOSS_LIMIT", None)
    table.places("7", {"small": 2_000})
    table.settled(1, 2, 3)
    table.betting()
    assert table.refuses("terminal", place("7", "small", 4_100), "7") == ("LOSS_LIMIT", None)
    table.places("7", {"small": 4_000})


def test_what_is_bought_in_addition_does_not_raise_a_loss_limit() -> None:
    table = with_limits(loss=5_000)
    table.does("system", ReceiveCredits("cage-99", "7", 50_000))
    assert table.refuses("terminal", place("7", "big", 5_100), "7") == ("LOSS_LIMIT", None)
    table.places("7", {"big": 5_000})


def test_a_session_ends_when_the_player_said_it_would() -> None:
    table = open_table().betting()
    began = table.seat().session_began
    assert began is not None
    table.does("terminal", own(seconds=600), "7")
    table.at = began + 600_000 - 2_000
    table.places("7", {"small": 1_000})
    table.at = began + 600_000 - 1_000
    assert table.refuses("terminal", place("7", "small", 1_000), "7") == ("SESSION_OVER", None)
    table.does("terminal", ClearBets("7"), "7")


def test_a_limit_of_ones_own_is_tightened_in_a_session_and_never_loosened() -> None:
    table = with_limits(loss=5_000, seconds=600)
    for loss, seconds in ((5_001, 600), (None, 600), (5_000, 601), (5_000, None)):
        assert table.refuses("terminal", own(loss, seconds), "7") == ("ONLY_TIGHTER", None)
    table.does("terminal", own(4_000, 500), "7")
    assert (table.seat().loss_limit, table.seat().session_seconds) == (4_000, 500)


def test_own_limits_are_amounts_set_by_the_terminal_itself() -> None:
    table = open_table()
    assert table.refuses("terminal", own(loss=-1), "7") == ("BAD_AMOUNT", None)
    assert table.refuses("terminal", own(seconds=-1), "7") == ("BAD_AMOUNT", None)
    assert table.refuses("terminal", own(seconds=366 * 24 * 3600 + 1), "7") == ("BAD_AMOUNT", None)
    assert table.refuses("terminal", own(loss=1_000), "8") == ("NOT_YOUR_TERMINAL", None)
    assert table.refuses("supervisor", own(loss=1_000)) == ("NOT_ALLOWED", None)


MINUTES_10 = 600_000


def returns(table: Table, after_ms: int, amount: int = 20_000) -> tuple[TableEvent, ...]:
    """Receive credits at terminal 7, this long after the last order."""
    table.at += after_ms - 1_000
    return table.does("system", ReceiveCredits(f"cage-{table.at}", "7", amount))


def test_d21_own_limits_last_ten_minutes_after_the_session() -> None:
    """One millisecond short of ten minutes they hold, and what was lost still counts.

    100,000 came in and 3,000 was lost: of a limit of 5,000 there is 2,000 left.
    """
    table = with_limits(loss=5_000)
    table.places("7", {"big": 3_000})
    table.settled(1, 2, 3)
    table.does("terminal", CashOut("7"), "7")
    (received,) = returns(table, MINUTES_10 - 1)
    assert isinstance(received, CreditsReceived)
    table.betting()
    assert table.refuses("terminal", place("7", "big", 2_100), "7") == ("LOSS_LIMIT", None)
    table.places("7", {"big": 2_000})


def test_d21_the_next_player_after_ten_minutes_is_not_bound_by_the_last() -> None:
    table = with_limits(loss=5_000, seconds=600)
    table.does("terminal", CashOut("7"), "7")
    seat = table.seat()
    assert (seat.loss_limit, seat.session_seconds) == (5_000, 600)
    ended, received = returns(table, MINUTES_10)
    assert (ended, type(received)) == (OwnLimitsEnded("7"), CreditsReceived)
    assert (seat.loss_limit, seat.session_seconds) == (None, None)
    assert (seat.session_began, seat.session_in) == (table.at, 20_000)
    table.places("7", {"small": 20_000})


def test_d21_who_lost_all_is_bound_for_ten_minutes_too() -> None:
    """The session ends with the settlement; the time it began at counts as long as the limit."""
    table = open_table().betting(t7={"total-9": 100_000})
    table.does("terminal", own(seconds=3_600), "7")
    table.settled(6, 6, 6)
    began, ended = table.seat().session_began, table.at
    assert table.seat().session_ended == ended
    returns(table, MINUTES_10 - 1)
    assert (table.seat().session_seconds, table.seat().session_began) == (3_600, began)
    table.betting(t7={"total-9": 20_000}).settled(6, 6, 6)
    assert returns(table, MINUTES_10)[0] == OwnLimitsEnded("7")
    assert (table.seat().session_seconds, table.seat().session_began) == (None, table.at)


#: Ways to take the 100,000 that a player still has, of 200,000 that the first round paid.
TAKES_ALL: dict[str, tuple[Role, TableCommand]] = {
    "a reversal": ("supervisor", VoidSettledRounds(1, "a chipped die", "D1")),
    "a correction": ("supervisor", CorrectSettledRound(1, (5, 6, 6), "misread")),
    "a ruling": ("shift-manager", Rule("x", (Posting("terminal:7", "house:bank", 100_000),))),
}


def with_winnings() -> Table:
    """Let 7, limited to an hour, win 100,000 in one round and lose them with other dice."""
    table = open_table("etg8/2").betting(t7={"small": 100_000})
    table.does("terminal", own(seconds=3_600), "7")
    table.settled(1, 2, 3)
    table.does("supervisor", RegisterDice("D2", "S2"))
    table.betting(t7={"big": 100_000}).settled(1, 2, 3)
    assert (table.credits(), table.seat().session_ended) == (100_000, None)
    return table


@pytest.mark.parametrize("how", TAKES_ALL)
def test_d21_who_is_left_with_nothing_when_money_is_put_right_is_bound_for_ten_minutes(
    how: str,
) -> None:
    table = with_winnings()
    table.agrees(*TAKES_ALL[how])
    began, ended = table.seat().session_began, table.at
    assert (table.credits(), table.seat().session_ended) == (0, ended)
    assert shown_session(table.state, "7", ended + MINUTES_10 - 1) == (1, "7@1")
    assert shown_session(table.state, "7", ended + MINUTES_10) is None
    soon = table.copy()
    returns(soon, MINUTES_10 - 1)
    assert (soon.seat().session_seconds, soon.seat().session_began) == (3_600, began)
    assert returns(table, MINUTES_10)[0] == OwnLimitsEnded("7")
    assert (table.seat().session_seconds, table.seat().session_began) == (None, table.at)


@pytest.mark.parametrize("how", TAKES_ALL)
def test_who_has_bets_on_the_table_plays_on_when_money_is_put_right(how: str) -> None:
    """A round later 7 has the 100,000 at stake, and wins as much again."""
    table = with_winnings().betting(t7={"small": 100_000})
    if how == "a ruling":
        table.does("system", ReceiveCredits("cage-99", "7", 100_000))
    table.agrees(*TAKES_ALL[how])
    assert (table.credits(), table.live(), table.seat().session_ended) == (0, 100_000, None)
    table.settled(1, 2, 3)
    assert (table.credits(), table.seat().session_ended) == (200_000, None)


def test_a_ruling_that_comes_to_nothing_does_not_end_a_session_once_more() -> None:
    table = with_winnings()
    table.agrees(*TAKES_ALL["a ruling"])
    ended = table.at
    back_and_forth = (
        Posting("house:bank", "terminal:7", 500),
        Posting("terminal:7", "house:bank", 500),
    )
    table.agrees("shift-manager", Rule("on the wrong terminal", back_and_forth))
    assert (table.credits(), table.seat().session_ended) == (0, ended)


def test_a_session_without_limits_begins_anew_with_the_next_credits() -> None:
    """Who lost all had no limits: the time and the losses of the next player are their own."""
    table = open_table().betting(t7={"total-9": 100_000})
    table.settled(6, 6, 6)
    returns(table, 5_000)
    assert (table.seat().session_began, table.seat().session_in) == (table.at, 20_000)


def test_d21_players_end_their_limits_without_a_session_and_staff_at_any_time() -> None:
    table = with_limits(loss=5_000)
    end = EndOwnLimits("7", "asked for it, slept over it")
    assert table.refuses("supervisor", EndOwnLimits("7", " ")) == ("NOTE_MISSING", None)
    assert table.refuses("supervisor", EndOwnLimits("99", "x")) == ("UNKNOWN_TERMINAL", None)
    assert table.refuses("supervisor", EndOwnLimits("8", "x")) == ("ALREADY_SO", None)
    assert table.refuses("terminal", end, "7") == ("NOT_ALLOWED", None)
    began = table.seat().session_began
    (ended,) = table.does("supervisor", end)
    assert ended == OwnLimitsEnded("7", "sue", end.note)
    assert (table.seat().loss_limit, table.seat().session_began) == (None, began)
    table.does("terminal", own(loss=5_000), "7")
    table.does("terminal", CashOut("7"), "7")
    table.does("terminal", own(), "7")
    assert (table.seat().loss_limit, table.seat().session_in) == (None, 0)


def test_limits_that_are_set_before_the_credits_are_for_them() -> None:
    """However long ago the last player left, and looser than theirs were."""
    table = with_limits(loss=5_000)
    table.does("terminal", CashOut("7"), "7")
    table.at += 2 * MINUTES_10
    table.does("terminal", own(loss=9_000), "7")
    table.does("terminal", own(loss=10_000), "7")
    returns(table, 5_000)
    assert (table.seat().loss_limit, table.seat().session_began) == (10_000, table.at)
    table.places("7", {"small": 10_000})


def test_a_player_who_cashes_out_with_bets_on_the_table_is_still_playing() -> None:
    table = with_limits(loss=5_000)
    table.places("7", {"small": 5_000})
    table.does("terminal", CashOut("7"), "7")
    assert (table.seat().loss_limit, table.seat().session_in) == (5_000, 5_000)
    assert table.seat().session_ended is None
    table.settled(1, 2, 3)
    table.does("terminal", CashOut("7"), "7")
    assert table.seat().session_ended == table.at


def test_d21_a_terminal_shows_the_session_that_is_there() -> None:
    """Round 1 is the first player's, round 2 the second's, who lost all; then nobody's."""
    table = open_table().betting(t7={"big": 5_000})
    table.agrees("technician", EnrolTerminal("9", "seat 9"))
    assert shown_session(table.state, "9", table.at) is None
    table.settled(1, 2, 3)
    assert shown_session(table.state, "7", table.at) == (1, "7@1")
    table.does("terminal", CashOut("7"), "7")
    assert shown_session(table.state, "7", table.at) is None
    returns(table, 5_000, 5_000)
    assert shown_session(table.state, "7", table.at) == (2, "7@2")
    table.betting(t7={"big": 5_000}).settled(1, 2, 3)
    ended = table.at
    assert shown_session(table.state, "7", ended + MINUTES_10 - 1) == (2, "7@2")
    assert shown_session(table.state, "7", ended + MINUTES_10) is None
    table.does("terminal", CashOut("7"), "7")
    assert shown_session(table.state, "7", table.at) is None


def test_a_player_who_lost_all_ends_the_session_by_cashing_out_nothing() -> None:
    table = open_table().betting(t7={"total-9": 100_000})
    table.does("terminal", own(seconds=600), "7")
    assert table.refuses("terminal", CashOut("7"), "7") == ("NO_CREDITS", None)
    table.settled(6, 6, 6)
    assert table.does("terminal", CashOut("7"), "7") == (SessionEnded("7"),)
    seat = table.seat()
    assert (seat.session_began, seat.session_seconds, seat.session_in) == (None, None, 0)
    assert table.refuses("terminal", CashOut("7"), "7") == ("NO_CREDITS", None)
