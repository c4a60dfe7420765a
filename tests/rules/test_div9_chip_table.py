"""New Zealand's Division 9 on a layout: chips, colours, spoken bets, bets put right, payment.

Amounts are minor units. A seat 1 with value chips and a seat 2 with pink chips at 500 are there.
"""

from typing import Any

import pytest

import taisai
from taisai.core.kernel.messages import PlayedPart
from taisai.core.rules.reason import Refusal
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.colours import AssignColour, ConvertColour, ReleaseColour
from taisai.core.table.chips.gaming_day import OpenDay
from taisai.core.table.chips.layout_bets import (
    BetPutRight,
    BetsRecorded,
    CorrectRecord,
    PutBetRight,
    RecordBets,
    TakeBackBets,
)
from taisai.core.table.chips.payout import payout_guide
from taisai.core.table.chips.pieces import BoxChips, Chips, Pieces, stacked
from taisai.core.table.chips.rulings import (
    BetRuled,
    LateBetRefused,
    RefuseLateBet,
    RuleOnBet,
    SeparateStack,
    StackSeparated,
)
from taisai.core.table.chips.seats import BuyChips, ChipsExchanged, ExchangeChips
from taisai.core.table.opening import RegisterEquipment
from taisai.core.table.round import ConfirmResult, OpenBets, Settle
from taisai.core.table.setup import OpenTable, RegisterDice
from taisai.runtime.opening import acts_wanted
from tests.kit.chip_tables import (
    HUNDRED,
    bets,
    chips_betting,
    chips_closed,
    chips_confirmed,
    chips_uncovered,
    closed_chip_table,
    open_chip_table,
)
from tests.kit.tables import Table

DIV9 = "div9/2"
PINK: Chips = (Pieces("pink", 4),)
FIVE: Chips = (Pieces(500, 1),)


def chip_table_state(table: Table) -> dict[str, int]:
    """Read the display rack: what a piece of each colour in use is worth."""
    assert table.state.chips is not None
    return table.state.chips.marked


def moved(reason: str = "moved-by-dealer", note: str = "the rake") -> PutBetRight:
    """Ask for seat 1's chip on Small to be put on Odd."""
    return PutBetRight("1", "small", "odd", HUNDRED, reason, note)  # type: ignore[arg-type]


def test_3_1_what_is_paid_for_chips_goes_into_the_drop_box() -> None:
    table = open_chip_table(DIV9)
    # 400.00 for value chips and 200.00 for coloured ones.
    assert table.balance("drop:box") == 60_000
    table.does("dealer", BuyChips("1", HUNDRED, 4_000, 6_000))
    assert (table.balance("drop:box"), table.balance("cash:patrons")) == (70_000, -64_000)


def test_3_4_a_the_display_rack_tells_each_colour_in_use_and_its_value() -> None:
    table = open_chip_table(DIV9)
    assert chip_table_state(table) == {"pink": 500}
    table.does("dealer", AssignColour("1", "blue", 2_500))
    assert chip_table_state(table) == {"pink": 500, "blue": 2_500}
    table.does("dealer", ReleaseColour("1"))
    assert chip_table_state(table) == {"pink": 500}


def test_3_4_b_a_value_stays_while_any_piece_of_the_colour_is_out() -> None:
    table = open_chip_table(DIV9)
    assert table.refuses("dealer", AssignColour("2", "blue", 1_000))[0] == "COLOUR_ASSIGNED"
    assert table.refuses("dealer", AssignColour("1", "pink", 1_000))[0] == "COLOUR_TAKEN"
    assert table.refuses("dealer", ReleaseColour("2"))[0] == "COLOUR_OUT"
    table.does("dealer", ConvertColour("2", 40))
    table.does("dealer", ReleaseColour("2"))
    table.does("dealer", AssignColour("2", "pink", 1_000))
    assert chip_table_state(table) == {"pink": 1_000}


def test_3_4_c_chips_are_changed_at_the_change_block_for_their_worth() -> None:
    table = open_chip_table(DIV9)
    (event,) = table.does("dealer", ExchangeChips("1", HUNDRED, (Pieces(2_500, 4),)))
    assert isinstance(event, ChipsExchanged)
    asked = ExchangeChips("1", HUNDRED, (Pieces(2_500, 5),))
    assert table.refuses("dealer", asked)[0] == "CHIPS_DIFFER"


def test_4_3_smaller_chips_lie_on_top() -> None:
    counts: dict[int | str, int] = {100: 3, 10_000: 1, 2_500: 2}
    assert stacked(counts, {}) == (Pieces(10_000, 1), Pieces(2_500, 2), Pieces(100, 3))


def test_4_3_bets_are_value_chips_or_the_players_own_colour() -> None:
    table = open_chip_table(DIV9).betting()
    (event,) = table.does("dealer", RecordBets("2", bets(small=PINK)))
    assert isinstance(event, BetsRecorded)
    assert event.bets[0].amount == 2_000
    assert table.refuses("dealer", RecordBets("1", bets(small=PINK)))[0] == "COLOUR_NOT_YOURS"


def test_4_3_a_bet_on_the_line_is_paid_where_it_was_meant_if_two_persons_say_so() -> None:
    table = chips_betting(DIV9).closed()
    *_, event = table.agrees("supervisor", moved("touching-line"))
    assert isinstance(event, BetPutRight)
    assert (event.to_box, event.clause) == ("odd", "4.3")


def test_4_4_no_bet_is_called_for_until_the_winners_are_paid() -> None:
    table = chips_confirmed(DIV9)
    assert table.refuses("dealer", OpenBets()) == ("ROUND_UNDER_WAY", "4.4")
    table.ruled().does("dealer", CollectLosers())
    assert table.refuses("dealer", OpenBets()) == ("ROUND_UNDER_WAY", "4.4")
    assert table.refuses("dealer", BuyChips("1", HUNDRED, 10_000)) == ("WINNERS_FIRST", "4.4")
    table.does("dealer", Settle())
    table.betting()


def test_4_5_a_spoken_bet_comes_with_its_chips_and_before_the_close() -> None:
    table = open_chip_table(DIV9).betting()
    asked = RecordBets("1", bets(big=HUNDRED), oral=True)
    assert table.refuses("dealer", RecordBets("1", bets(big=()), oral=True)) == (
        "CHIPS_FIRST",
        "4.5",
    )
    (event,) = table.does("dealer", asked)
    assert isinstance(event, BetsRecorded)
    assert (event.oral, event.clause) == (True, "4.5")
    table.closed()
    assert table.refuses("dealer", asked) == ("BETS_CLOSED", "4.7")


def test_4_9_what_lies_there_at_the_result_is_read_late_with_a_supervisor() -> None:
    table = chips_uncovered(DIV9)
    read = RecordBets("1", bets(even=HUNDRED), note="behind the rail")
    event = table.agrees("dealer", read)[-1]
    assert isinstance(event, BetsRecorded)
    assert (event.lay_at, event.late) == ("result", True)


def test_4_3_a_stack_of_both_stays_one_while_chips_of_both_are_left() -> None:
    table = open_chip_table(DIV9).betting()
    table.does("dealer", RecordBets("2", bets(odd=(Pieces("pink", 2), Pieces(500, 1)))))
    table.does("dealer", TakeBackBets("2", bets(odd=(Pieces("pink", 1),))))
    assert table.state.chips is not None
    assert table.state.chips.mixed == (("2", "odd"),)


def test_4_7_what_is_placed_after_no_more_bets_is_refused_and_noted_as_late() -> None:
    table = chips_closed(DIV9)
    (event,) = table.does("dealer", RefuseLateBet("1", "big", HUNDRED))
    assert isinstance(event, LateBetRefused)
    assert (event.irregularity, event.clause) == ("late-bet", "4.7")


def test_4_3_value_and_colour_chips_together_are_put_right_before_the_close() -> None:
    table = open_chip_table(DIV9).betting()
    together = (Pieces("pink", 1), Pieces(500, 1))
    table.does("dealer", RecordBets("2", bets(odd=together)))
    (event,) = table.does("dealer", SeparateStack("2", "odd"))
    assert isinstance(event, StackSeparated)
    assert table.refuses("dealer", SeparateStack("2", "odd"))[0] == "NOT_MIXED"
    table.does("dealer", RecordBets("2", bets(even=together)))
    table.does("dealer", CorrectRecord("2", "even", (Pieces("pink", 2),), "all pink"))
    assert table.refuses("dealer", SeparateStack("2", "even"))[0] == "NOT_MIXED"
    table.does("dealer", RecordBets("2", bets(small=together)))
    table.closed()
    assert table.refuses("dealer", SeparateStack("2", "small")) == ("BETS_CLOSED", "4.7")


def test_4_3_value_and_colour_chips_in_one_stack_after_the_close_await_a_ruling() -> None:
    table = open_chip_table(DIV9).betting()
    table.does("dealer", RecordBets("2", bets(small=(Pieces("pink", 1), Pieces(500, 1)))))
    ruling = RuleOnBet("2", "small", "returned", "nobody can tell whose")
    assert table.refuses("shift-manager", ruling) == ("NO_RULING_AWAITED", "D6")
    table.closed().entered(1, 2, 6).does("dealer", ConfirmResult())
    for act in (CollectLosers(), Settle()):
        refusal = table.ask("dealer", act)
        assert isinstance(refusal, Refusal)
        named = "bets that are left to a ruling await one before anything is collected or paid"
        assert taisai.say(refusal.reason) == f"{named} (1): seat 2 on Small"
    in_front = table.credits("2")
    *_, event = table.agrees("shift-manager", ruling, "supervisor")
    assert isinstance(event, BetRuled)
    assert (event.why, event.bet.amount, event.plays, event.clause) == (
        "mixed-stack",
        1_000,
        0,
        "D6",
    )
    assert (table.credits("2"), table.live("2")) == (in_front + 1_000, 0)
    assert table.paid().lines == ()


def outside(box: str, chips: Chips) -> Table:
    """Put a bet of seat 1 outside the limits, from 10.00 to 1000.00, until it is confirmed."""
    table = open_chip_table(DIV9).betting()
    table.does("dealer", RecordBets("1", (BoxChips(box, chips),)))
    return table.confirmed(1, 2, 6)


def test_2_0_a_bet_over_the_maximum_that_lies_there_plays_as_it_is_ruled() -> None:
    # 1100.00 lie on Small; 1000.00 of it plays, at 1 to 1.
    table = outside("small", (Pieces(10_000, 11),))
    assert table.refuses("dealer", Settle()) == ("BETS_TO_RULE", "D6")
    ruling = RuleOnBet("1", "small", "plays", "as on the sign", 100_000)
    *_, event = table.agrees("shift-manager", ruling, "supervisor")
    assert isinstance(event, BetRuled)
    assert (event.why, event.verdict, event.plays) == ("over-limit", "plays", 100_000)
    settled = table.paid()
    assert [(line.stake, line.won, line.back) for line in settled.lines] == [
        (110_000, 100_000, 210_000)
    ]
    assert settled.playing == (PlayedPart("1", "small", 110_000, 100_000, "ruled", "D6"),)


@pytest.mark.parametrize(
    ("verdict", "lost"), [("stands", 500), ("returned", 0)], ids=["stands", "returned"]
)
def test_2_0_a_bet_under_the_minimum_that_lies_there_is_lost_only_if_it_stands(
    verdict: Any, lost: int
) -> None:
    table = outside("big", (Pieces(500, 1),))
    assert table.refuses("dealer", CollectLosers()) == ("BETS_TO_RULE", "D6")
    table.agrees("shift-manager", RuleOnBet("1", "big", verdict, "unseen"), "supervisor")
    assert table.paid().collected == lost


@pytest.mark.parametrize("plays", [None, 0, -500, 25, 110_000, 120_000])
def test_2_0_a_part_that_plays_is_less_than_lies_there_and_is_paid_in_chips(
    plays: int | None,
) -> None:
    # The smallest chip is of 0.50.
    table = outside("small", (Pieces(10_000, 11),))
    asked = RuleOnBet("1", "small", "plays", "a part", plays)
    assert table.refuses("shift-manager", asked) == ("NOT_A_PART", "D6")
    stands = RuleOnBet("1", "small", "stands", "a part", 100_000)
    assert table.refuses("shift-manager", stands) == ("NOT_A_PART", "D6")


def test_2_0_the_shift_manager_rules_on_a_bet_with_a_reason_and_where_one_is_awaited() -> None:
    table = outside("small", (Pieces(10_000, 11),))
    stands = RuleOnBet("1", "small", "stands", "unseen")
    for role in ("dealer", "supervisor", "pit-manager"):
        assert table.refuses(role, stands)[0] == "NOT_ALLOWED"
    unsaid = RuleOnBet("1", "small", "stands", " ")
    assert table.refuses("shift-manager", unsaid) == ("NOTE_MISSING", "D6")
    for box, code in (("big", "NO_RULING_AWAITED"), ("total-18", "UNKNOWN_BOX")):
        other = RuleOnBet("1", box, "stands", "unseen")
        assert table.refuses("shift-manager", other)[0] == code
    nobody = RuleOnBet("7", "small", "stands", "unseen")
    assert table.refuses("shift-manager", nobody)[0] == "SEAT_EMPTY"


def test_2_0_what_was_ruled_on_a_bet_counts_as_long_as_it_lies_as_it_did() -> None:
    table = open_chip_table(DIV9).betting()
    table.does("dealer", RecordBets("1", bets(small=(Pieces(500, 1),))))
    table.closed()
    # The dice are covered and it stands as it lies: no money moves, and one person rules.
    (event,) = table.does("shift-manager", RuleOnBet("1", "small", "stands", "unseen"))
    assert isinstance(event, BetRuled)
    table.does("dealer", CorrectRecord("1", "small", (Pieces(100, 5),), "five of 1.00"))
    table.entered(1, 2, 6).does("dealer", ConfirmResult())
    assert table.refuses("dealer", Settle()) == ("BETS_TO_RULE", "D6")


def test_2_0_so_many_bets_to_be_ruled_on_are_named_in_part() -> None:
    table = open_chip_table(DIV9).betting()
    boxes = [f"total-{number}" for number in range(4, 15)]
    table.does("dealer", RecordBets("1", tuple(BoxChips(box, FIVE) for box in boxes)))
    refusal = table.confirmed(1, 2, 6).ask("dealer", Settle())
    assert isinstance(refusal, Refusal)
    said = taisai.say(refusal.reason)
    assert "(11): seat 1 on Total 4, seat 1 on Total 5" in said
    assert said.endswith("seat 1 on Total 13, …")


def test_4_6_a_bet_placed_with_the_dealers_help_is_the_players() -> None:
    table = open_chip_table(DIV9).betting()
    (event,) = table.does("dealer", RecordBets("1", bets(big=HUNDRED), on_behalf=True))
    assert isinstance(event, BetsRecorded)
    assert (event.on_behalf, event.clause, table.live("1")) == (True, "4.6", 10_000)


@pytest.mark.parametrize("reason", ["moved-by-dealer", "moved-by-patron"])
def test_4_9_a_bet_that_was_moved_is_put_right_before_it_is_settled(reason: str) -> None:
    table = chips_betting(DIV9)
    assert table.refuses("supervisor", moved(reason)) == ("BETS_STILL_OPEN", "4.9")
    table.confirmed(1, 2, 6)
    assert table.refuses("supervisor", moved(reason, " ")) == ("NOTE_MISSING", "4.9")
    assert table.refuses("dealer", moved(reason))[0] == "NOT_ALLOWED"
    table.agrees("supervisor", moved(reason))
    # 1, 2, 6 makes 9: Odd wins as Small would have, 100.00 at 1 to 1, and Total 9 at 7 to 1.
    settled = table.paid()
    won = {(line.position, line.box): line.won for line in settled.lines}
    assert (won["1", "odd"], won["1", "total-9"], won["2", "small"]) == (10_000, 35_000, 2_000)
    assert ("1", "small") not in won


@pytest.mark.parametrize("how", [{"oral": True}, {"on_behalf": True}])
def test_4_9_a_call_bet_stands_where_the_dealer_placed_it(how: dict[str, Any]) -> None:
    table = open_chip_table(DIV9).betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED), **how))
    table.closed()
    assert table.refuses("supervisor", moved()) == ("CALL_BET_STANDS", "4.9")
    assert table.refuses("supervisor", moved("moved-by-patron")) == ("CALL_BET_STANDS", "4.9")


def test_4_9_a_players_own_stack_is_put_right_beside_a_call_bet() -> None:
    table = open_chip_table(DIV9).betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED)))
    table.does("dealer", RecordBets("1", bets(small=HUNDRED), oral=True))
    table.closed()
    both = PutBetRight("1", "small", "odd", (Pieces(10_000, 2),), "moved-by-dealer", "the rake")
    assert table.refuses("supervisor", both) == ("CALL_BET_STANDS", "4.9")
    table.agrees("supervisor", moved())
    # It is the player's own that was moved: what is left there was called, and stands.
    assert table.refuses("supervisor", moved()) == ("CALL_BET_STANDS", "4.9")
    assert table.state.chips is not None
    assert [(stack.box, stack.called) for stack in table.state.chips.stacks] == [
        ("small", True),
        ("odd", False),
    ]


def test_4_3_a_call_bet_on_the_line_is_paid_where_it_was_meant_too() -> None:
    table = open_chip_table(DIV9).betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED), oral=True))
    table.closed()
    table.agrees("supervisor", moved("touching-line"))
    back = PutBetRight("1", "odd", "small", HUNDRED, "moved-by-dealer", "the rake")
    assert table.refuses("supervisor", back) == ("CALL_BET_STANDS", "4.9"), "it is one still"


@pytest.mark.parametrize(
    ("clause", "equipment"),
    [
        ("3.4(a)", "display-rack"),
        ("3.4(b)", "marker-buttons"),
        ("3.4(c)", "change-block"),
        ("3.4(e)", "tumbler"),
        ("3.4(f)", "bell"),
    ],
)
def test_3_4_with_colours_a_chip_table_opens_with_all_of_its_equipment(
    clause: str, equipment: str
) -> None:
    table = closed_chip_table(DIV9)
    table.agrees("supervisor", OpenDay("2026-11-16", ()))
    table.does("supervisor", RegisterDice("D1", "S1"))
    missing = RegisterEquipment(equipment, f"{equipment} 1")
    for act in acts_wanted(table.state):
        if act != missing:
            table.does("supervisor", act)
    assert table.refuses("supervisor", OpenTable()) == ("EQUIPMENT_MISSING", clause)
    table.does("supervisor", missing)
    table.prepared()
    table.does("supervisor", OpenTable())


def test_6_5_the_dealer_is_led_first_to_what_is_collected_then_to_what_is_paid() -> None:
    table = chips_confirmed(DIV9).ruled()
    assert table.refuses("dealer", Settle()) == ("LOSERS_FIRST", "6.5")
    guide = payout_guide(table.state)
    assert [(line.box, line.seat, line.chips) for line in guide.collect] == [
        ("triple-2", "2", (Pieces("pink", 2),))
    ]
    # Small and Odd pay 1 to 1, Total 9 pays 7 to 1: 350.00.
    assert {(line.box, line.seat): line.chips for line in guide.pay} == {
        ("odd", "2"): (Pieces("pink", 1),),
        ("small", "1"): HUNDRED,
        ("small", "2"): PINK,
        ("total-9", "1"): (Pieces(10_000, 3), Pieces(2_500, 2)),
    }
