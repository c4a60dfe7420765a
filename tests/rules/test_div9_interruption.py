"""New Zealand's Division 9 interrupted: the dice decide the game under way, and no other begins.

Amounts are minor units. At the chip table seat 1 has 10000 on Small and 5000 on 9, seat 2 has pink
chips at 500: four on Small, one on Odd, two on triple 2.
"""

from taisai.core.table.chips.by_hand import EnterRoundByHand, SeatPaid, SeatStack
from taisai.core.table.chips.rulings import bets_to_rule
from taisai.core.table.interruption import (
    DeclareOutcome,
    InterruptionRecorded,
    RecordInterruption,
    ResumePlay,
)
from taisai.core.table.round import OpenBets, RoundSettled, Settle
from taisai.core.table.setup import DeclareSafeProcedure, Rectify, TableStopped
from taisai.core.table.state import Phase
from taisai.core.table.tumble import RecordTumble
from tests.kit.chip_tables import CHIPS_INTERRUPTED, HUNDRED
from tests.kit.tables import open_table

DIV9 = "div9/2"


def test_7_3_an_interrupted_game_ends_by_the_dice_even_with_bets_still_open() -> None:
    table = open_table(DIV9).betting(t7={"small": 3_000})
    assert table.does("system", RecordInterruption("power")) == (
        InterruptionRecorded("conclude", "7.3", "power"),
        TableStopped("7.4", "power"),
    )
    table.confirmed(1, 2, 6).does("dealer", Settle())
    assert table.credits() == 103_000


def test_7_4_a_game_whose_dice_are_entered_ends_too_and_no_further_one_begins() -> None:
    table = open_table(DIV9).betting(t7={"small": 3_000}).confirmed(1, 2, 6)
    assert table.does("system", RecordInterruption("power")) == (
        InterruptionRecorded("conclude", "7.3", "power"),
        TableStopped("7.4", "power"),
    )
    table.does("dealer", Settle())
    assert table.refuses("dealer", RecordTumble(3)) == ("TABLE_STOPPED", "7.4")


def test_7_3_nobody_declares_that_there_was_no_outcome() -> None:
    table = open_table(DIV9).betting(t7={"small": 3_000}).closed()
    table.does("system", RecordInterruption())
    assert table.refuses("supervisor", DeclareOutcome()) == ("SHIFT_MANAGER_RULES", "7.3")
    table.agrees("supervisor", DeclareOutcome((1, 2, 6)), "dealer")
    assert table.state.phase is Phase.RESULT


def test_7_3_at_a_chip_table_the_game_is_entered_as_it_was_dealt_by_hand() -> None:
    table = CHIPS_INTERRUPTED["betting"](DIV9)
    assert table.state.stopped == "7.4"
    # 40000 bought, and 10000 + 7 x 5000 won: a total of 9 pays 7 to 1 [4.10].
    table.agrees("supervisor", EnterRoundByHand((1, 2, 6), ()))
    assert (table.credits("1"), table.state.phase) == (85_000, Phase.READY)


def test_7_3_a_game_dealt_by_hand_was_settled_as_it_lay_and_awaits_no_ruling() -> None:
    # 500 of seat 2 on Odd is under the minimum of 1000, which is a ruling at any other time [D22].
    table = CHIPS_INTERRUPTED["shut"](DIV9)
    assert [(each.seat, each.box) for each in bets_to_rule(table.state)] == [("2", "odd")]
    settled = table.agrees("supervisor", EnterRoundByHand((1, 2, 6), ()))
    won = {
        (line.position, line.box): line.won
        for event in settled
        if isinstance(event, RoundSettled)
        for line in event.lines
    }
    assert won["2", "odd"] == 500


def test_7_4_no_further_game_begins_until_it_is_rectified() -> None:
    table = open_table(DIV9).betting(t7={"small": 3_000})
    table.does("system", RecordInterruption())
    table.settled(1, 2, 6)
    assert table.refuses("dealer", RecordTumble(3)) == ("TABLE_STOPPED", "7.4")
    table.does("technician", Rectify("another cable"))
    table.does("dealer", RecordTumble(3))


def test_7_4_games_dealt_by_hand_meanwhile_want_a_safe_procedure() -> None:
    table = CHIPS_INTERRUPTED["ready"](DIV9)
    entered = EnterRoundByHand(
        (1, 2, 6), (SeatPaid("1", 10_000),), (SeatStack("1", "odd", HUNDRED),)
    )
    assert table.refuses("supervisor", entered) == ("TABLE_STOPPED", "7.4")
    table.agrees("supervisor", DeclareSafeProcedure("dealt by hand, two persons watch"))
    table.agrees("supervisor", entered)
    table.agrees("supervisor", ResumePlay())
    table.does("dealer", RecordTumble(3))
    table.does("dealer", OpenBets())
    assert table.credits("1") == 50_000
