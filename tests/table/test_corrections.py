"""Correcting settled rounds: reversals [D8], results found wrong [D11], rulings."""

import pytest

from taisai.core.kernel.messages import Delivery, Netted, Posting, SettledLine
from taisai.core.table import state as table_state
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    Rule,
    RulingRecorded,
    VoidSettledRounds,
)
from taisai.core.table.damage import DiceQuarantined
from taisai.core.table.positions import (
    CashOut,
    ReceiveCredits,
    ReleaseUnclaimed,
    SetOwnLimits,
    UnclaimedReleased,
    newest_session,
)
from taisai.core.table.round import AmendResult
from taisai.core.table.setup import (
    EnrolTerminal,
    RegisterDice,
)
from taisai.core.table.state import Phase
from tests.kit.tables import Table, open_table

SINGAPORE = ["ts6/2", "tso5/2", "etg8/2"]
DAMAGED = {"ts6/2": "5.6", "tso5/2": "5.6", "etg8/2": "5.4"}
WRONG = {"ts6/2": "3.8", "tso5/2": "3.8", "etg8/2": "5.5"}


def void(first: int, note: str = "a chipped die") -> VoidSettledRounds:
    return VoidSettledRounds(first, note)


def correct(number: int, *faces: int) -> CorrectSettledRound:
    return CorrectSettledRound(number, faces, "misread")


def two_rounds(address: str = "ts6/2") -> Table:
    """Let 7 lose 5,000 and win 8,000, and 8 win 4,000 and lose 1,000; the house pays 6,000."""
    table = open_table(address)
    table.betting(t7={"big": 5_000}, t8={"small": 4_000}).settled(1, 2, 3)
    table.betting(t7={"small": 8_000}, t8={"triple-6": 1_000}).settled(1, 2, 4)
    assert (table.credits("7"), table.credits("8")) == (103_000, 103_000)
    assert table.balance("house:bank") == -6_000
    return table


# --- damaged dice --------------------------------------------------------------------------------


@pytest.mark.parametrize("address", SINGAPORE)
def test_damaged_dice_void_every_round_they_touched(address: str) -> None:
    table = two_rounds(address)
    events = table.agrees("supervisor", void(1))
    assert isinstance(events[1], DiceQuarantined)
    assert events[2:] == (
        RoundsReversed(
            first=1,
            last=2,
            rounds=(1, 2),
            netted=(Netted("7", 0, 3_000, 0), Netted("8", 0, 3_000, 0)),
            clause=DAMAGED[address],
            note="a chipped die",
            at=table.at,
        ),
    )
    assert (table.credits("7"), table.credits("8")) == (100_000, 100_000)
    assert (table.balance("house:bank"), table.balance("house:void-shortfall")) == (0, 0)
    assert [record.void for record in table.state.history.values()] == [True, True]


def test_a_net_debit_beyond_free_credits_is_shortfall_and_vouchers_are_untouched() -> None:
    """7 owes 8,000 − 5,000 = 3,000 over both rounds and has 2,000: the venue is short of 1,000."""
    table = two_rounds().betting(t7={"big": 2_000})
    table.does("terminal", CashOut("7"), "7")
    *_, reversed_ = table.agrees("supervisor", void(1))
    assert isinstance(reversed_, RoundsReversed)
    assert reversed_.netted == (Netted("7", 0, 2_000, 1_000), Netted("8", 0, 3_000, 0))
    assert (table.credits("7"), table.credits("8")) == (0, 100_000)
    assert table.balance("house:void-shortfall") == -1_000
    assert table.balance("house:bank") == 0
    assert list(table.state.transits_open.values()) == [Delivery("T1", "7", 101_000, "7@1")]
    assert (table.seat("7").corrections, table.seat("8").corrections) == (
        -2_000,
        -3_000,
    )


def short_of_5_000() -> Table:
    """7 wins 2,500, loses 4,000 and leaves; the first round was lost: the venue is short."""
    table = open_table().betting(t7={"small": 2_500})
    table.settled(1, 2, 3)
    table.betting(t7={"big": 4_000}).settled(1, 2, 3)
    table.does("terminal", CashOut("7"), "7")
    (_, resettled) = table.agrees("supervisor", correct(1, 4, 5, 6))
    assert isinstance(resettled, RoundResettled)
    assert resettled.gone == (Netted("7@1", 0, 0, 5_000),)
    return table


def test_d8_a_shortfall_is_covered_by_what_a_later_correction_gives() -> None:
    """The second round was won: 8,000 are due, of which 5,000 were had; 3,000 are set aside."""
    table = short_of_5_000()
    (_, resettled) = table.agrees("supervisor", correct(2, 4, 5, 6))
    assert isinstance(resettled, RoundResettled)
    assert resettled.gone == (Netted("7@1", 3_000, 0, 0, 5_000),)
    assert (table.state.unclaimed, table.state.shortfalls) == ({"7@1": 3_000}, {})
    assert table.balance("house:void-shortfall") == 0
    # 2,500 lost and 4,000 won over both rounds.
    assert table.balance("house:bank") == 2_500 - 4_000


def test_d8_a_shortfall_is_of_one_session_and_is_had_back_once() -> None:
    """The next player's win is theirs; the first player's is covered as far as it goes."""
    table = short_of_5_000()
    table.does("system", ReceiveCredits("cage-T1-9", "7", 9_000))
    table.betting(t7={"big": 3_000}).settled(1, 2, 3)
    (_, resettled) = table.agrees("supervisor", correct(3, 4, 5, 6))
    assert isinstance(resettled, RoundResettled)
    assert resettled.netted == (Netted("7", 6_000, 0, 0),)
    (_, back) = table.agrees("supervisor", correct(1, 1, 2, 3))
    assert isinstance(back, RoundResettled)
    assert back.gone == (Netted("7@1", 0, 0, 0, 5_000),)
    (_, again) = table.agrees("supervisor", correct(2, 4, 5, 6))
    assert isinstance(again, RoundResettled)
    assert again.gone == (Netted("7@1", 8_000, 0, 0),)


def test_d8_what_a_player_repays_by_a_ruling_is_no_shortfall_any_more() -> None:
    """7 has 90,000 beside what is bet, and owes 100,000 of the first round."""
    table = open_table().betting(t7={"small": 50_000})
    table.settled(1, 2, 3)
    table.betting(t7={"big": 50_000, "single-6": 10_000})
    table.agrees("supervisor", correct(1, 4, 5, 6))
    assert (table.credits("7"), table.state.shortfalls) == (0, {"7@1": 10_000})
    table.settled(4, 5, 6)
    for repaid, left in ((4_000, {"7@1": 6_000}), (9_000, {})):
        repays = Posting("terminal:7", "house:void-shortfall", repaid)
        table.agrees("shift-manager", Rule("repaid", (repays,)))
        assert table.state.shortfalls == left
    table.agrees("shift-manager", Rule("x", (Posting("house:bank", "house:void-shortfall", 1),)))


def test_d21_a_ruling_ends_the_limits_of_who_left_long_ago() -> None:
    """Ten minutes after 7 has left, 1,000 are put there for another player, who has no limits."""
    for minutes, events in ((9, 2), (10, 3)):
        table = open_table()
        table.does("terminal", SetOwnLimits("7", 0), "7")
        table.does("terminal", CashOut("7"), "7")
        table.at += minutes * 60_000
        gives = Rule("goodwill", (Posting("house:bank", "terminal:7", 1_000),))
        assert len(table.agrees("shift-manager", gives)) == events
        assert table.seat("7").is_bound == (minutes < 10)
        # Their losses are counted from there, and so is their time.
        assert table.seat("7").session_in == 1_000
        assert (table.seat("7").session_began == table.at) == (minutes == 10)


def test_d21_who_comes_to_a_terminal_next_is_never_touched() -> None:
    """Who cashed out owes 3,000 over both rounds; the next player's 2,000 are their own."""
    table = two_rounds()
    table.does("terminal", CashOut("7"), "7")
    table.does("system", ReceiveCredits("cage-99", "7", 2_000))
    *_, reversed_ = table.agrees("supervisor", void(1))
    assert isinstance(reversed_, RoundsReversed)
    assert reversed_.netted == (Netted("8", 0, 3_000, 0),)
    assert reversed_.gone == (Netted("7@1", 0, 0, 3_000),)
    assert (table.credits("7"), table.seat("7").corrections) == (2_000, 0)
    assert table.balance("house:void-shortfall") == -3_000


@pytest.mark.parametrize("somebody_came", [False, True])
def test_d21_what_an_ended_session_is_owed_is_set_aside_until_the_cage_has_paid_it(
    *, somebody_came: bool
) -> None:
    """7 lost 5,000, cashed out 95,000 and is owed the 5,000, whether somebody came since or not."""
    table = open_table().betting(t7={"big": 5_000})
    table.settled(1, 2, 3)
    table.does("terminal", CashOut("7"), "7")
    if somebody_came:
        table.does("system", ReceiveCredits("cage-99", "7", 2_000))
    *_, reversed_ = table.agrees("supervisor", void(1))
    assert isinstance(reversed_, RoundsReversed)
    assert (reversed_.netted, reversed_.gone) == ((), (Netted("7@1", 5_000, 0, 0),))
    assert table.state.unclaimed == {"7@1": 5_000}
    release, before = ReleaseUnclaimed("cage-T1-9", "7@1", 5_000), table.balance("transit:settled")
    assert table.refuses("supervisor", release) == ("NOT_ALLOWED", None)
    assert table.does("system", release) == (
        UnclaimedReleased("cage-T1-9", "7@1", 5_000, 0, in_chips=False),
    )
    assert (table.state.unclaimed, table.balance("transit:settled")) == ({}, before + 5_000)
    assert table.refuses("system", release) == ("TRANSIT_CLOSED", None)


def test_d21_what_the_cage_has_paid_is_released_though_a_correction_took_it_meanwhile() -> None:
    """7 won 5,000 after all, is paid 10,000, and then did not win: the house is 10,000 short."""
    table = open_table().betting(t7={"big": 5_000})
    table.settled(1, 2, 3)
    table.does("terminal", CashOut("7"), "7")
    table.agrees("supervisor", CorrectSettledRound(1, (4, 5, 6), "the camera"))
    assert table.state.unclaimed == {"7@1": 10_000}
    table.agrees("supervisor", CorrectSettledRound(1, (1, 2, 3), "another camera"))
    told = table.does("system", ReleaseUnclaimed("cage-T1-9", "7@1", 10_000))
    assert told == (UnclaimedReleased("cage-T1-9", "7@1", 0, 10_000, in_chips=False),)
    assert table.balance("house:void-shortfall") == -10_000


def test_d21_two_players_before_one_round_have_two_sessions() -> None:
    """Who came, bet nothing and left has a code of their own, and none of the next player's."""
    table = open_table()
    table.does("terminal", CashOut("7"), "7")
    table.does("system", ReceiveCredits("cage-99", "7", 2_000))
    assert newest_session(table.seat("7"), "7") == "7@2"
    table.betting(t7={"big": 2_000})
    table.settled(1, 2, 3)
    *_, reversed_ = table.agrees("supervisor", void(1))
    assert isinstance(reversed_, RoundsReversed)
    assert reversed_.gone == (Netted("7@2", 2_000, 0, 0),)


def test_d21_credits_that_a_ruling_gives_begin_a_session_too() -> None:
    """The earlier player lost 5,000; the ruling's 1,000 are the next player's, and stay so."""
    table = open_table().betting(t7={"big": 5_000})
    table.settled(1, 2, 3)
    table.does("terminal", CashOut("7"), "7")
    table.agrees("shift-manager", Rule("goodwill", (Posting("house:bank", "terminal:7", 1_000),)))
    assert table.seat("7").sessions == ((1, 1), (2, 2))
    *_, reversed_ = table.agrees("supervisor", void(1))
    assert isinstance(reversed_, RoundsReversed)
    assert (reversed_.netted, reversed_.gone) == ((), (Netted("7@1", 5_000, 0, 0),))
    assert table.credits("7") == 1_000


def test_only_the_rounds_from_the_first_named_are_touched() -> None:
    """From round 2 on: 7 gives back 8,000, 8 gets its 1,000; round 1 stands."""
    table = two_rounds()
    *_, reversed_ = table.agrees("supervisor", void(2))
    assert isinstance(reversed_, RoundsReversed)
    assert reversed_.netted == (Netted("7", 0, 8_000, 0), Netted("8", 1_000, 0, 0))
    assert (table.credits("7"), table.credits("8")) == (95_000, 104_000)
    assert [record.void for record in table.state.history.values()] == [False, True]


def test_a_round_is_reversed_once() -> None:
    table = two_rounds()
    table.agrees("supervisor", void(2))
    *_, reversed_ = table.agrees("supervisor", void(1))
    assert isinstance(reversed_, RoundsReversed)
    assert reversed_.rounds == (1,)
    assert (table.credits("7"), table.credits("8")) == (100_000, 100_000)


def test_who_neither_won_nor_lost_over_the_rounds_is_left_alone() -> None:
    table = open_table().betting(t7={"small": 1_000, "big": 1_000})
    table.settled(1, 2, 3)
    *_, reversed_ = table.agrees("supervisor", void(1))
    assert isinstance(reversed_, RoundsReversed)
    assert reversed_.netted == ()


def test_the_round_under_way_is_void_too_and_its_stakes_come_back_first() -> None:
    """7 has won 8,000 net of nothing, holds 3,000 free and 5,000 at stake: all 8,000 are taken."""
    table = open_table().betting(t7={"small": 8_000})
    table.settled(1, 2, 3)
    table.betting(t7={"big": 5_000})
    table.does("terminal", CashOut("7"), "7")
    table.does("system", ReceiveCredits("cage-99", "7", 3_000))
    events = table.agrees("supervisor", void(1))
    assert isinstance(events[1], DiceQuarantined)
    assert events[2:] == (
        RoundVoided(2, "damaged-dice", "5.6", (SettledLine("7", "big", 5_000, 0, 5_000),)),
        RoundsReversed(1, 2, (1,), (Netted("7", 0, 8_000, 0),), "5.6", "a chipped die", table.at),
    )
    assert (table.credits(), table.live(), table.state.phase) == (0, 0, Phase.READY)
    assert table.balance("house:void-shortfall") == 0


def test_a_reversal_reaches_no_further_back_than_the_dice() -> None:
    table = two_rounds()
    table.does("supervisor", RegisterDice("D2", "S2"))
    table.betting().settled(1, 2, 3)
    assert table.refuses("supervisor", void(2)) == ("ROUND_OUT_OF_RANGE", "5.6")
    assert table.refuses("supervisor", void(4)) == ("ROUND_OUT_OF_RANGE", "5.6")
    assert table.refuses("supervisor", void(3, " ")) == ("NOTE_MISSING", "5.6")
    table.agrees("supervisor", void(3))


def test_dice_found_damaged_later_void_the_rounds_they_were_used_for() -> None:
    """The first set was used for rounds 1 and 2; round 3, under way with another, goes on."""
    table = two_rounds()
    table.does("supervisor", RegisterDice("D2", "S2"))
    table.betting(t7={"total-9": 103_000 - 6_000})
    damaged = VoidSettledRounds(2, "a chipped die", "D1")
    assert table.refuses("supervisor", VoidSettledRounds(3, "x", "D1")) == (
        "ROUND_OUT_OF_RANGE",
        "5.6",
    )
    assert table.refuses("supervisor", VoidSettledRounds(2, "x", "D9")) == ("NO_DICE", "5.6")
    events = table.agrees("supervisor", damaged)
    assert isinstance(events[1], DiceQuarantined)
    assert events[2:] == (
        RoundsReversed(
            first=2,
            last=2,
            rounds=(2,),
            netted=(Netted("7", 0, 6_000, 2_000), Netted("8", 1_000, 0, 0)),
            clause="5.6",
            note="a chipped die",
            at=table.at,
        ),
    )
    assert (table.credits("7"), table.live("7")) == (0, 97_000)
    assert table.state.phase is Phase.BETTING


def test_damaged_dice_are_the_shift_managers_where_the_document_is_silent() -> None:
    table = two_rounds("div9/2")
    assert table.refuses("supervisor", void(1)) == ("SHIFT_MANAGER_RULES", "D6")


def test_without_rules_nothing_is_put_right() -> None:
    table = Table().created()
    assert table.refuses("supervisor", void(1)) == ("TABLE_CLOSED", None)
    assert table.refuses("supervisor", correct(1, 1, 1, 1)) == ("TABLE_CLOSED", None)
    assert table.refuses("shift-manager", Rule("anything")) == ("TABLE_CLOSED", None)


def test_history_is_kept_for_so_many_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 2)
    table = two_rounds()
    table.betting().settled(6, 6, 6)
    assert list(table.state.history) == [2, 3]
    assert table.state.history_lines == 2


def test_history_is_kept_for_so_many_lines_and_the_last_round_always(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_state, "HISTORY_LINES", 1)
    table = two_rounds()
    assert (list(table.state.history), table.state.history_lines) == ([2], 2)


# --- a wrong result found after settlement -------------------------------------------------------


@pytest.mark.parametrize("address", SINGAPORE)
def test_a_wrong_result_is_settled_again_by_the_dice_and_later_rounds_stand(address: str) -> None:
    """Small was paid on 1, 2, 3; the dice were 5, 6, 6: 7 gives back 10,000, 8 gets 16,000."""
    table = open_table(address)
    table.betting(t7={"small": 5_000}, t8={"big": 8_000}).settled(1, 2, 3)
    table.betting(t7={"odd": 1_000}).settled(1, 2, 4)
    events = table.agrees("supervisor", correct(1, 6, 5, 6))
    assert events[1:] == (
        RoundResettled(
            round=1,
            faces=(5, 6, 6),
            before=(1, 2, 3),
            lines=(
                SettledLine("7", "small", 5_000, 0, 0),
                SettledLine("8", "big", 8_000, 8_000, 16_000),
            ),
            netted=(Netted("7", 0, 10_000, 0), Netted("8", 16_000, 0, 0)),
            clause=WRONG[address],
            note="misread",
            at=table.at,
            sessions={"7": 1, "8": 1},
        ),
    )
    assert (table.credits("7"), table.credits("8")) == (96_000, 108_000)
    assert table.state.history[1].faces == (5, 6, 6)
    assert table.refuses("supervisor", correct(1, 5, 6, 6)) == ("NOTHING_TO_AMEND", WRONG[address])


def test_a_corrected_round_is_reversed_as_it_was_settled_last() -> None:
    """After the correction 7 is 5,000 down and 8 is 8,000 up; void, both are where they began."""
    table = open_table()
    table.betting(t7={"small": 5_000}, t8={"big": 8_000}).settled(1, 2, 3)
    table.agrees("supervisor", correct(1, 5, 6, 6))
    *_, reversed_ = table.agrees("supervisor", void(1))
    assert isinstance(reversed_, RoundsReversed)
    assert reversed_.netted == (Netted("7", 5_000, 0, 0), Netted("8", 0, 8_000, 0))
    assert (table.credits("7"), table.credits("8"), table.balance("house:bank")) == (
        100_000,
        100_000,
        0,
    )


def test_a_correction_takes_no_more_than_is_there_and_leaves_live_stakes_alone() -> None:
    """7 was paid 10,000 wrongly, cashed out, and has 1,000 free beside 2,000 at stake."""
    table = open_table().betting(t7={"small": 5_000})
    table.settled(1, 2, 3)
    table.betting(t7={"big": 2_000})
    table.does("terminal", CashOut("7"), "7")
    table.does("system", ReceiveCredits("cage-99", "7", 1_000))
    (_, resettled) = table.agrees("supervisor", correct(1, 6, 6, 5))
    assert isinstance(resettled, RoundResettled)
    assert resettled.netted == (Netted("7", 0, 1_000, 9_000),)
    assert (table.credits(), table.live()) == (0, 2_000)
    assert table.balance("house:void-shortfall") == -9_000


def test_what_cannot_be_corrected_says_why() -> None:
    table = two_rounds()
    assert table.refuses("supervisor", correct(3, 1, 1, 1)) == ("NO_SUCH_ROUND", None)
    assert table.refuses("supervisor", correct(1, 1, 1)) == ("BAD_DICE", None)
    nameless = CorrectSettledRound(1, (1, 1, 1), "")
    assert table.refuses("supervisor", nameless) == ("NOTE_MISSING", "3.8")
    table.agrees("supervisor", void(1))
    assert table.refuses("supervisor", correct(1, 1, 1, 1)) == ("ROUND_IS_VOID", "3.8")


def test_7_2_in_division_9_amendment_ends_at_settlement() -> None:
    table = two_rounds("div9/2")
    assert table.refuses("supervisor", correct(1, 1, 1, 1)) == ("SHIFT_MANAGER_RULES", "D11")
    assert table.refuses("supervisor", AmendResult((1, 1, 1))) == ("NO_RESULT", None)


# --- rulings -------------------------------------------------------------------------------------


def test_5_14_a_ruling_is_recorded_and_one_that_moves_nothing_takes_one_person() -> None:
    table = open_table()
    assert table.refuses("pit-manager", Rule("a cat")) == ("NOT_ALLOWED", None)
    assert table.refuses("shift-manager", Rule(" ")) == ("NOTE_MISSING", "5.14")
    assert table.does("shift-manager", Rule("a cat on the layout")) == (
        RulingRecorded("a cat on the layout", "5.14", (), "sam", table.at),
    )


@pytest.mark.parametrize(("address", "clause"), [("etg8/2", "5.10"), ("div9/2", "D6")])
def test_a_ruling_that_moves_money_takes_two_and_makes_none(address: str, clause: str) -> None:
    table = open_table(address)
    postings = (
        Posting("house:bank", "terminal:7", 1_500),
        Posting("terminal:8", "terminal:7", 500),
        Posting("terminal:8", "house:void-shortfall", 200),
    )
    events = table.agrees("shift-manager", Rule("goodwill", postings), "supervisor")
    assert events[1:] == (RulingRecorded("goodwill", clause, postings, "sam", table.at),)
    assert (table.credits("7"), table.credits("8")) == (102_000, 99_300)
    assert (table.balance("house:bank"), table.balance("house:void-shortfall")) == (-1_500, 200)
    assert (table.seat("7").corrections, table.seat("8").corrections) == (2_000, -700)


def test_a_ruling_cannot_overdraw_a_player_nor_touch_what_is_not_its_own() -> None:
    table = open_table().betting(t7={"small": 40_000})
    for postings, code in (
        ((Posting("terminal:7", "house:bank", 60_001),), "OVERDRAWN"),
        ((Posting("terminal:7", "terminal:7", 60_001),), "OVERDRAWN"),
        (
            (
                Posting("terminal:7", "house:bank", 60_000),
                Posting("terminal:7", "house:bank", 1),
            ),
            "OVERDRAWN",
        ),
        ((Posting("stake:7", "house:bank", 1),), "UNKNOWN_ACCOUNT"),
        ((Posting("house:bank", "terminal:9", 1),), "UNKNOWN_ACCOUNT"),
        ((Posting("house:bank", "vouchers:outstanding", 1),), "UNKNOWN_ACCOUNT"),
        ((Posting("house:bank", "terminal:7", 0),), "BAD_AMOUNT"),
        ((Posting("terminal:7", "house:bank", -1),), "BAD_AMOUNT"),
        ((Posting("house:bank", "terminal:7", 1),) * 1_001, "BATCH_SIZE"),
    ):
        assert table.refuses("shift-manager", Rule("x", postings)) == (code, "5.14")


def test_a_ruling_may_pass_on_what_it_has_just_given() -> None:
    table = open_table()
    postings = (
        Posting("house:bank", "terminal:7", 50_000),
        Posting("terminal:7", "terminal:8", 150_000),
    )
    table.agrees("shift-manager", Rule("a bet that moved", postings))
    assert (table.credits("7"), table.credits("8")) == (0, 250_000)


def test_a_ruling_that_passes_money_through_a_terminal_nobody_came_to_recovers_nothing() -> None:
    table = open_table()
    table.agrees("technician", EnrolTerminal("99", "a new place"))
    postings = (
        Posting("house:bank", "terminal:99", 500),
        Posting("terminal:99", "house:void-shortfall", 500),
    )
    table.agrees("shift-manager", Rule("entered in the wrong place", postings))
    assert (table.credits("99"), table.balance("house:void-shortfall")) == (0, 500)
    assert table.state.shortfalls == {}


def test_a_ruling_may_void_the_round_by_two_persons() -> None:
    table = open_table()
    assert table.refuses("shift-manager", Rule("x", voids_round=True)) == ("NO_ROUND", "5.14")
    table.betting(t7={"small": 3_000})
    events = table.agrees("shift-manager", Rule("a fire alarm", voids_round=True))
    assert events[1:] == (
        RulingRecorded("a fire alarm", "5.14", (), "sam", table.at),
        RoundVoided(1, "not-covered", "5.14", (SettledLine("7", "small", 3_000, 0, 3_000),)),
    )
    assert (table.credits(), table.state.phase) == (100_000, Phase.READY)
