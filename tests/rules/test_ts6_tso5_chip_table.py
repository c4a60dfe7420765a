"""Tai Sai and Tai Sai (Open Cover) on a layout: excess, minimum, who walks away, bets on behalf.

Amounts are minor units. A seat 1 with value chips and a seat 2 with pink chips at 500 are there;
the least is 1000, the most 100000, the Differential 50000, the step 100.
"""

from typing import Any

import pytest

from taisai.core.kernel.messages import PlayedPart
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.layout_bets import (
    AdvisedBetReturned,
    AdvisePlayer,
    BetsRecorded,
    CorrectRecord,
    ExcessRejected,
    PlayerAdvised,
    PutBetRight,
    RecordBets,
    RecordCorrected,
    RejectExcess,
    TakeBackBets,
)
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.rulings import BetRuled, LateBetRefused, RefuseLateBet, RuleOnBet
from taisai.core.table.chips.seats import PlayerWalkedAway, UnclaimedSetAside
from taisai.core.table.corrections import RoundsReversed
from taisai.core.table.interruption import DeclareOutcome, Fact, RecordInterruption
from taisai.core.table.irregularities import IrregularityReported, ReportIrregularity
from taisai.core.table.positions import ReleaseUnclaimed
from taisai.core.table.round import ConfirmResult, OpenBets, Settle
from taisai.core.table.tumble import LiftCover
from tests.kit.chip_tables import (
    HUNDRED,
    bets,
    chips_betting,
    chips_closed,
    chips_confirmed,
    chips_reversed,
    chips_uncovered,
    open_chip_table,
)
from tests.kit.tables import Table

BOTH = pytest.mark.parametrize("address", ["ts6/2", "tso5/2"])


@BOTH
def test_1_7_a_round_is_concluded_when_everybody_is_paid(address: str) -> None:
    table = chips_confirmed(address)
    table.does("dealer", CollectLosers())
    assert table.refuses("dealer", OpenBets()) == ("ROUND_UNDER_WAY", "3.2")
    table.does("dealer", Settle())
    table.does("dealer", OpenBets())


@BOTH
def test_5_1_excess_is_rejected_before_the_close_and_never_more_than_it(address: str) -> None:
    table = open_chip_table(address).betting()
    # 600.00 on Small and nothing on Big: 100.00 more than the Differential.
    table.does("dealer", RecordBets("1", bets(small=(Pieces(10_000, 6),))))
    more = RejectExcess("1", "small", (Pieces(10_000, 2),))
    assert table.refuses("dealer", more) == ("MORE_THAN_EXCESS", "5.1")
    (event,) = table.does("dealer", RejectExcess("1", "small", HUNDRED))
    assert isinstance(event, ExcessRejected)
    assert (event.clause, table.live("1")) == ("5.1", 50_000)
    assert table.refuses("dealer", RejectExcess("1", "small", HUNDRED))[0] == "NOT_IN_EXCESS"


@BOTH
def test_5_1_1_what_was_not_rejected_plays_pro_rata_and_each_player_is_told(address: str) -> None:
    table = open_chip_table(address).betting()
    table.does("dealer", RecordBets("1", bets(any_triple=(Pieces(10_000, 15),))))
    table.does("dealer", RecordBets("2", bets(any_triple=(Pieces(10_000, 5),))))
    # 1500.00 and 500.00 on a box that takes 1000.00: half of each.
    settled = table.settled(1, 2, 3)
    assert settled.playing == (
        PlayedPart("1", "any-triple", 150_000, 75_000, "maximum", "5.1.1"),
        PlayedPart("2", "any-triple", 50_000, 25_000, "maximum", "5.1.1"),
    )
    assert settled.collected == 100_000


@BOTH
def test_5_1_2_who_bet_below_the_minimum_on_a_full_box_plays_it_all(address: str) -> None:
    table = open_chip_table(address).betting()
    table.does("dealer", RecordBets("1", bets(any_triple=(Pieces(10_000, 15),))))
    table.does("dealer", RecordBets("2", bets(any_triple=(Pieces("pink", 1),))))
    # 5.00 is exempt, and 995.00 are left for the other.
    assert table.settled(1, 2, 3).playing == (
        PlayedPart("1", "any-triple", 150_000, 99_500, "maximum", "5.1.1"),
        PlayedPart("2", "any-triple", 500, 500, "exempt", "5.1.2"),
    )


@BOTH
def test_5_2_a_player_under_the_minimum_is_advised_and_adds_or_takes_back(address: str) -> None:
    table = chips_betting(address)
    (event,) = table.does("dealer", AdvisePlayer("2", "odd"))
    assert isinstance(event, PlayerAdvised)
    assert event.clause == "5.2"
    table.does("dealer", AdvisePlayer("2", "odd"))
    assert table.state.chips is not None
    assert table.state.chips.advised == (("2", "odd"),)
    table.does("dealer", RecordBets("2", bets(odd=(Pieces("pink", 1),))))
    assert table.refuses("dealer", AdvisePlayer("2", "odd"))[0] == "NOT_UNDER_MINIMUM"
    table.does("dealer", TakeBackBets("2", bets(odd=(Pieces("pink", 2),))))
    assert "odd" not in table.seat("2").bets


@BOTH
def test_5_2_what_others_have_on_the_box_does_not_make_up_for_the_minimum(address: str) -> None:
    table = open_chip_table(address).betting()
    five = (Pieces(500, 1),)
    table.does("dealer", RecordBets("1", bets(total_9=HUNDRED, odd=five)))
    table.does("dealer", RecordBets("2", bets(total_9=five, odd=five)))
    # 5.00 each on Odd: together they come to the minimum of 10.00, and neither meets it.
    for seat, box in (("2", "total-9"), ("1", "odd"), ("2", "odd")):
        (event,) = table.does("dealer", AdvisePlayer(seat, box))
        assert isinstance(event, PlayerAdvised)
        assert event.clause == "5.2"
    assert table.refuses("dealer", AdvisePlayer("1", "total-9"))[0] == "NOT_UNDER_MINIMUM"


@BOTH
def test_5_1_2_only_the_differential_is_passed_and_the_decision_is_cited(address: str) -> None:
    table = open_chip_table(address).betting()
    table.does("dealer", RecordBets("1", bets(small=(Pieces(10_000, 6),))))
    table.does("dealer", RecordBets("2", bets(small=(Pieces("pink", 1),))))
    # 605.00 on Small, under its maximum of 1000.00: 500.00 may play, of which 5.00 is not cut.
    assert table.settled(1, 2, 3).playing == (
        PlayedPart("1", "small", 60_000, 49_500, "differential", "5.1.1"),
        PlayedPart("2", "small", 500, 500, "exempt-differential", "D3"),
    )


@BOTH
def test_5_2_1_unnoticed_it_stands_and_the_player_is_told(address: str) -> None:
    told = chips_betting(address).settled(1, 2, 6).playing
    assert told == (PlayedPart("2", "odd", 500, 500, "under-minimum", "5.2.1"),)


@BOTH
def test_5_3_who_walked_away_has_the_bet_settled_and_the_money_kept(address: str) -> None:
    table = chips_betting(address)
    (event,) = table.does("dealer", LeaveSeat("1"))
    assert isinstance(event, PlayerWalkedAway)
    # 400.00 was bought and 150.00 lies there.
    assert (event.clause, event.taken) == ("5.3", 25_000)
    table.confirmed(1, 2, 6).does("dealer", CollectLosers())
    *_, kept = table.does("dealer", Settle())
    # Small returns 200.00, Total 9 at 7 to 1 returns 400.00.
    assert kept == UnclaimedSetAside("1", "1@1", 60_000)
    table.does("system", ReleaseUnclaimed("cage-T1-9", "1@1", 60_000))
    assert table.balance("unclaimed:1@1") == 0


@BOTH
def test_5_6_a_reversal_is_a_list_to_collect_and_to_return(address: str) -> None:
    table = chips_reversed(address)
    reversed_ = table.told[-1]
    assert isinstance(reversed_, RoundsReversed)
    # Seat 1 won 100.00 and 350.00; seat 2 won 20.00 and 5.00 and lost 10.00.
    assert {each.position: (each.given, each.taken) for each in reversed_.netted} == {
        "1": (0, 45_000),
        "2": (0, 1_500),
    }
    table.agrees("dealer", RecordRecovery("1", 5_000, "he will not"))
    assert table.balance("house:void-shortfall") == -5_000


@BOTH
def test_5_9_a_bet_counts_where_it_lies_at_the_close(address: str) -> None:
    table = chips_betting(address).closed()
    asked = PutBetRight("1", "small", "odd", HUNDRED, "moved-by-patron", "a sleeve")
    assert table.refuses("supervisor", asked) == ("NO_PUTTING_RIGHT", "5.9")


@BOTH
def test_5_13_staff_place_a_bet_for_a_player_who_asks_and_it_is_recorded_so(address: str) -> None:
    table = open_chip_table(address).betting()
    (event,) = table.does("dealer", RecordBets("1", bets(big=HUNDRED), on_behalf=True))
    assert isinstance(event, BetsRecorded)
    assert (event.on_behalf, event.clause) == (True, "5.13")
    asked = RecordBets("1", bets(big=HUNDRED), oral=True)
    assert table.refuses("dealer", asked) == ("NO_ORAL_BETS", "5.13")


# --- reading the layout [D22, D28] ---------------------------------------------------------------


@BOTH
def test_5_9_what_lay_there_at_the_close_is_keyed_until_dice_can_be_seen(address: str) -> None:
    table = chips_closed(address)
    (event,) = table.does("dealer", RecordBets("1", bets(even=HUNDRED, total_4=HUNDRED)))
    assert isinstance(event, BetsRecorded)
    assert (event.lay_at, event.late) == ("close", False)
    (again,) = table.does("dealer", CorrectRecord("1", "even", (), "it lay on Odd"))
    assert isinstance(again, RecordCorrected)
    assert (again.lay_at, again.late, again.clause) == ("close", False, "5.9")
    assert "even" not in table.seat("1").bets


@BOTH
def test_5_9_once_dice_can_be_seen_a_supervisor_agrees_to_each_stack(address: str) -> None:
    table = chips_uncovered(address)
    read = RecordBets("1", bets(even=HUNDRED), note="behind the rail")
    assert table.refuses("dealer", RecordBets("1", bets(even=HUNDRED))) == ("NOTE_MISSING", "5.9")
    both = RecordBets("1", bets(even=HUNDRED, total_4=HUNDRED), note="unread")
    assert table.refuses("dealer", both) == ("ONE_STACK", "5.9")
    table.does("dealer", read)
    assert table.refuses("dealer", table.approval(), "don") == ("MAY_NOT_APPROVE", None)
    event = table.does("supervisor", table.approval())[-1]
    assert isinstance(event, BetsRecorded)
    assert (event.lay_at, event.late, event.note) == ("close", True, "behind the rail")
    # The dice are 1, 2 and 6: Even is lost, and so are 100.00 more.
    corrected = table.agrees("dealer", CorrectRecord("1", "even", (Pieces(10_000, 2),), "two"))[-1]
    assert isinstance(corrected, RecordCorrected)
    assert (corrected.late, corrected.clause) == (True, "5.9")
    table.entered(1, 2, 6).does("dealer", ConfirmResult())
    assert table.paid().collected == 20_000 + 1_000


@BOTH
def test_5_9_a_stack_is_read_late_until_the_payment_and_the_lists_follow(address: str) -> None:
    table = chips_confirmed(address)
    table.does("dealer", CollectLosers())
    table.agrees("dealer", RecordBets("1", bets(triple_2=HUNDRED), note="under a sleeve"))
    table.does("dealer", CollectLosers())
    table.paid()
    assert table.refuses("dealer", RecordBets("1", bets(small=HUNDRED))) == ("BETS_NOT_OPEN", "3.2")


@BOTH
def test_5_7_what_is_placed_after_the_close_is_refused_and_noted_as_late(address: str) -> None:
    table = chips_betting(address)
    late = RefuseLateBet("1", "big", HUNDRED, "thrown in")
    assert table.refuses("dealer", late) == ("NOTHING_IS_LATE", "5.7")
    table.closed()
    staked = table.live("1")
    (event,) = table.does("dealer", late)
    assert isinstance(event, LateBetRefused)
    assert (event.irregularity, event.clause, event.bet.amount) == ("late-bet", "5.7", 10_000)
    assert table.live("1") == staked, "it is no bet"
    back = TakeBackBets("1", bets(small=HUNDRED))
    assert table.refuses("dealer", back) == ("BETS_CLOSED", "5.7")


@BOTH
def test_5_9_a_stack_off_the_step_is_recorded_and_paid_exactly(address: str) -> None:
    table = open_chip_table(address).betting()
    # 10.50 is no multiple of the step of 1.00; Total 9 pays 7 to 1: 73.50.
    table.does("dealer", RecordBets("1", bets(total_9=(Pieces(500, 2), Pieces(50, 1)))))
    settled = table.settled(1, 2, 6)
    assert (settled.paid, settled.playing) == (7_350, ())


@BOTH
def test_5_14_an_advised_bet_that_stays_short_is_returned_before_dice_are_seen(
    address: str,
) -> None:
    table = chips_betting(address)
    table.does("dealer", AdvisePlayer("2", "odd"))
    table.closed()
    in_front = table.credits("2")
    table.tumbled()
    if not table.state.uncovered:
        table.does("dealer", LiftCover())
    (event,) = [each for each in table.told if isinstance(each, AdvisedBetReturned)]
    assert (event.seat, event.bet.box, event.bet.amount) == ("2", "odd", 500)
    assert (event.clause, event.decision) == ("5.14", "D28")
    assert (table.credits("2"), "odd" in table.seat("2").bets) == (in_front + 500, False)


def test_3_7_an_advised_bet_goes_back_before_dice_that_are_reported_as_uncovered_count() -> None:
    table = chips_betting("ts6/2")
    table.does("dealer", AdvisePlayer("2", "odd"))
    table.closed().tumbled()
    event, reported = table.does("dealer", ReportIrregularity("uncovered-tumble"))
    assert isinstance(event, AdvisedBetReturned)
    assert (event.seat, event.bet.amount, event.decision) == ("2", 500, "D28")
    assert isinstance(reported, IrregularityReported)
    # What is read from here on takes a supervisor.
    table.does("dealer", RecordBets("1", bets(odd=HUNDRED), note="it lay there"))
    table.approval()


@BOTH
def test_5_2_who_was_advised_and_added_or_took_back_has_nothing_returned(address: str) -> None:
    table = chips_betting(address)
    table.does("dealer", AdvisePlayer("2", "odd"))
    table.does("dealer", RecordBets("2", bets(odd=(Pieces("pink", 1),))))
    table.does("dealer", RecordBets("2", bets(total_4=(Pieces("pink", 1),))))
    table.does("dealer", AdvisePlayer("2", "total-4"))
    table.does("dealer", TakeBackBets("2", bets(total_4=(Pieces("pink", 1),))))
    # A new bet there is one that nobody noticed.
    table.does("dealer", RecordBets("2", bets(total_4=(Pieces("pink", 1),))))
    told = table.settled(1, 2, 6).playing
    assert told == (PlayedPart("2", "total-4", 500, 500, "under-minimum", "5.2.1"),)
    assert not any(isinstance(each, AdvisedBetReturned) for each in table.told)


def short_in_sight(address: str) -> Table:
    """Let an advised bet be read as short, at 5.00, once dice can be seen."""
    table = chips_betting(address)
    table.does("dealer", AdvisePlayer("2", "odd"))
    table.does("dealer", RecordBets("2", bets(odd=(Pieces("pink", 1),))))
    table.closed().tumbled()
    if not table.state.uncovered:
        table.does("dealer", LiftCover())
    one = CorrectRecord("2", "odd", (Pieces("pink", 1),), "the other is of seat 1")
    table.agrees("dealer", one)
    table.entered(1, 2, 6).does("dealer", ConfirmResult())
    return table


@BOTH
@pytest.mark.parametrize("verdict", ["stands", "returned"])
def test_5_14_an_advised_bet_that_is_short_once_dice_are_seen_awaits_a_ruling(
    address: str, verdict: Any
) -> None:
    table = short_in_sight(address)
    for act in (CollectLosers(), Settle()):
        assert table.refuses("dealer", act) == ("BETS_TO_RULE", "5.14")
    *_, event = table.agrees("shift-manager", RuleOnBet("2", "odd", verdict, "told at the time"))
    assert isinstance(event, BetRuled)
    assert (event.why, event.bet.amount, event.clause) == ("advised-bet", 500, "5.14")
    settled = table.paid()
    # 1, 2, 6 makes 9: Odd wins 5.00 at 1 to 1, if it stands. 5.2.1 is for what nobody noticed.
    won = [line.won for line in settled.lines if line.box == "odd"]
    told = [part for part in settled.playing if part.box == "odd"]
    stands = [PlayedPart("2", "odd", 500, 500, "ruled", "5.14")]
    assert (won, told) == (([500], stands) if verdict == "stands" else ([], []))


@BOTH
def test_5_14_an_advised_bet_of_a_round_whose_outcome_is_testified_awaits_a_ruling(
    address: str,
) -> None:
    table = chips_betting(address)
    table.does("dealer", AdvisePlayer("2", "odd"))
    table.does("system", RecordInterruption("power"))
    facts: tuple[Fact, ...] = ("closed", "tumbled")
    table.agrees("supervisor", DeclareOutcome((1, 2, 6), facts))
    table.does("dealer", ConfirmResult())
    assert table.refuses("dealer", CollectLosers()) == ("BETS_TO_RULE", "5.14")


@BOTH
def test_5_1_1_a_bet_that_was_ruled_on_plays_pro_rata_like_any_other(address: str) -> None:
    # 1000.00 is the most on a box: 800.00 of seat 1, and of seat 2 value and colour chips in one
    # stack, 400.00 of which half is to play.
    table = open_chip_table(address).betting()
    table.does("dealer", RecordBets("1", bets(total_9=(Pieces(10_000, 8),))))
    both = (Pieces("pink", 20), Pieces(10_000, 3))
    table.does("dealer", RecordBets("2", bets(total_9=both)))
    table.confirmed(1, 1, 3)
    half = RuleOnBet("2", "total-9", "plays", "half of it is of seat 1", 20_000)
    table.agrees("shift-manager", half)
    told = {part.position: (part.stake, part.playing, part.by) for part in table.paid().playing}
    assert told == {"2": (40_000, 20_000, "ruled")}
    # With 300.00 of it, 1100.00 shares 1000.00: 727.27 and 272.72 by steps of 1.00, and the step
    # that is left goes to the larger remainder, which is that of seat 2.
    table.betting()
    table.does("dealer", RecordBets("1", bets(total_9=(Pieces(10_000, 8),))))
    table.does("dealer", RecordBets("2", bets(total_9=both)))
    table.confirmed(1, 1, 3)
    more = RuleOnBet("2", "total-9", "plays", "a quarter is of seat 1", 30_000)
    table.agrees("shift-manager", more)
    told = {part.position: (part.stake, part.playing, part.by) for part in table.paid().playing}
    assert told == {"1": (80_000, 72_700, "maximum"), "2": (40_000, 27_300, "maximum")}
