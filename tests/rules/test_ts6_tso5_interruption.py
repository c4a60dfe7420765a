"""Tai Sai and Tai Sai (Open Cover) interrupted: an outcome concludes the round, none voids it.

Amounts are minor units. At the chip table seat 1 has 10000 on Small and 5000 on 9, seat 2 has pink
chips at 500: four on Small, one on Odd, two on triple 2. On 1, 2, 6 Small and Odd win 1 to 1,
9 wins 7 to 1 [4.1.2], and triple 2 loses.
"""

import pytest

from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.by_hand import (
    EnterRoundByHand,
    HandPaymentDiffered,
    RoundDealtByHand,
    SeatPaid,
    SeatStack,
)
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.interruption import (
    DeclareOutcome,
    InterruptionRecorded,
    OutcomeTestified,
    PlayResumed,
    RecordInterruption,
    ResumePlay,
)
from taisai.core.table.round import CloseBets, OpenBets, ResultEntered, RoundSettled
from taisai.core.table.state import Phase
from tests.kit.chip_tables import (
    CHIPS_INTERRUPTED,
    HUNDRED,
    chips_betting,
    open_chip_table,
)
from tests.kit.tables import open_table

BOTH = pytest.mark.parametrize("address", ["ts6/2", "tso5/2"])
#: What the dice 1, 2, 6 give seat 1 and seat 2: 10000 + 7 x 5000, and 2000 + 500.
RIGHTLY = (SeatPaid("1", 45_000), SeatPaid("2", 2_500))


@BOTH
def test_5_4_a_chip_table_is_asked_and_nothing_is_ruled_by_itself(address: str) -> None:
    table = chips_betting(address)
    assert table.does("system", RecordInterruption("power")) == (
        InterruptionRecorded("testify", "5.4.2", "power"),
    )
    assert (table.state.phase, table.live("1"), table.live("2")) == (Phase.BETTING, 15_000, 3_500)
    assert table.refuses("dealer", CloseBets()) == ("TESTIMONY_FIRST", None)


@BOTH
def test_5_4_two_persons_let_it_go_on_from_where_it_stood(address: str) -> None:
    for name, situation in CHIPS_INTERRUPTED.items():
        table = situation(address)
        phase, live = table.state.phase, table.state.live
        events = table.agrees("supervisor", ResumePlay("nothing was dealt"), "dealer")
        assert events[1:] == (PlayResumed("sue", "nothing was dealt"),), name
        assert (table.state.phase, table.state.live) == (phase, live)
        assert not table.state.waiting


@BOTH
def test_5_4_between_rounds_it_is_asked_too_since_rounds_may_have_been_dealt(address: str) -> None:
    table = open_chip_table(address)
    table.does("system", RecordInterruption("power"))
    assert table.refuses("dealer", OpenBets()) == ("TESTIMONY_FIRST", None)
    assert table.refuses("supervisor", DeclareOutcome()) == ("NO_ROUND", None)


@BOTH
def test_5_4_1_an_outcome_is_declared_of_dice_that_were_tumbled_and_of_no_others(
    address: str,
) -> None:
    table = open_table(address).betting(t7={"small": 3_000}).closed()
    table.does("system", RecordInterruption())
    refused = ("TUMBLE_NOT_TESTIFIED", "3.7")
    assert table.refuses("supervisor", DeclareOutcome((1, 2, 6))) == refused
    assert table.state.phase is Phase.NO_MORE_BETS
    declared = DeclareOutcome((1, 2, 6), ("tumbled",))
    events = table.agrees("supervisor", declared, "dealer")
    assert events[1:] == (
        OutcomeTestified(("tumbled",), "sue"),
        ResultEntered((1, 2, 6), "declared", "sue"),
    )


@BOTH
def test_5_4_1_at_a_chip_table_the_close_is_testified_to_as_well(address: str) -> None:
    table = CHIPS_INTERRUPTED["betting"](address)
    for facts, code in (((), "CLOSE"), (("tumbled",), "CLOSE"), (("closed",), "TUMBLE")):
        asked = DeclareOutcome((1, 2, 6), facts)  # type: ignore[arg-type]
        assert table.refuses("supervisor", asked)[0] == f"{code}_NOT_TESTIFIED"
    events = table.agrees("supervisor", DeclareOutcome((1, 2, 6), ("closed", "tumbled")), "dealer")
    assert events[1:] == (
        OutcomeTestified(("closed", "tumbled"), "sue"),
        ResultEntered((1, 2, 6), "declared", "sue"),
        PlayResumed("sue"),
    )
    assert table.state.phase is Phase.RESULT


@BOTH
def test_5_4_1_a_round_dealt_by_hand_is_entered_and_settled_by_its_dice(address: str) -> None:
    table = CHIPS_INTERRUPTED["betting"](address)
    events = table.agrees("supervisor", EnterRoundByHand((6, 2, 1), RIGHTLY, note="by hand"))
    assert RoundDealtByHand(1, "sue", "by hand") in events
    settled = next(event for event in events if isinstance(event, RoundSettled))
    assert (settled.faces, settled.collected, settled.paid) == ((1, 2, 6), 1_000, 47_500)
    # 40000 bought, 15000 staked and back, 45000 won; 20000, 2500 back of 3500, 2500 won.
    assert (table.credits("1"), table.credits("2")) == (85_000, 21_500)
    assert (table.state.phase, table.state.waiting) == (Phase.READY, True)


@BOTH
def test_5_4_1_what_lay_there_at_the_close_replaces_what_was_recorded(address: str) -> None:
    table = CHIPS_INTERRUPTED["betting"](address)
    stacks = (SeatStack("1", "big", HUNDRED), SeatStack("2", "odd", (Pieces("pink", 2),)))
    table.agrees("supervisor", EnterRoundByHand((1, 2, 6), (SeatPaid("2", 1_000),), stacks))
    # Big loses 10000 of seat 1; two pink on Odd win as much again.
    assert (table.credits("1"), table.credits("2")) == (30_000, 21_000)


@BOTH
def test_5_4_1_rounds_after_it_are_entered_one_by_one(address: str) -> None:
    table = CHIPS_INTERRUPTED["ready"](address)
    for faces in ((1, 2, 6), (4, 5, 6)):
        entered = EnterRoundByHand(faces, (), (SeatStack("1", "big", HUNDRED),))
        paid = (SeatPaid("1", 10_000),) if faces == (4, 5, 6) else ()
        table.agrees("supervisor", EnterRoundByHand(faces, paid, entered.stacks))
    assert [each.faces for each in table.state.history.values()] == [(1, 2, 6), (4, 5, 6)]
    assert table.credits("1") == 40_000
    table.agrees("supervisor", ResumePlay("all is entered"))
    table.does("dealer", OpenBets())


@BOTH
def test_5_4_1_paid_too_much_by_hand_is_to_be_had_back_and_too_little_is_named(
    address: str,
) -> None:
    table = CHIPS_INTERRUPTED["betting"](address)
    paid = (SeatPaid("1", 50_000), SeatPaid("2", 2_000))
    events = table.agrees("supervisor", EnterRoundByHand((1, 2, 6), paid))
    differed = [event for event in events if isinstance(event, HandPaymentDiffered)]
    assert differed == [
        HandPaymentDiffered("1", 50_000, 45_000),
        HandPaymentDiffered("2", 2_000, 2_500),
    ]
    table.agrees("supervisor", ResumePlay())
    assert table.refuses("dealer", OpenBets())[0] == "RECOVERY_FIRST"
    rack = table.state.chips
    assert rack is not None
    before = rack.rack_value
    table.agrees("dealer", RecordRecovery("1", 1_000, "the chips are gone"), "supervisor")
    # 4000 of the 5000 too much came back; the rest is the house's loss, and gone from the rack.
    assert (table.balance("house:void-shortfall"), rack.rack_value) == (-1_000, before - 1_000)


@BOTH
def test_5_4_1_chips_paid_by_hand_are_not_refused_for_want_of_them_in_the_record(
    address: str,
) -> None:
    table = CHIPS_INTERRUPTED["ready"](address)
    rack = table.state.chips
    assert rack is not None
    # 150 to 1 on a triple: more than the rack has by its record, and it was paid all the same.
    stacks = (SeatStack("1", "triple-2", (Pieces(10_000, 4),)),)
    events = table.agrees("supervisor", EnterRoundByHand((2, 2, 2), (), stacks))
    won = next(event for event in events if isinstance(event, RoundSettled)).paid
    assert won > 520_000
    assert rack.rack_value == table.balance("house:bank") + rack.coloured_out


@BOTH
def test_5_4_2_without_an_outcome_two_persons_void_the_round_and_each_bet_goes_back(
    address: str,
) -> None:
    table = CHIPS_INTERRUPTED["shut"](address)
    events = table.agrees("supervisor", DeclareOutcome(), "dealer")
    assert isinstance(events[1], RoundVoided)
    assert (events[1].clause, events[2]) == ("5.4.2", PlayResumed("sue"))
    assert (table.credits("1"), table.credits("2")) == (40_000, 20_000)


@BOTH
def test_5_4_2_a_round_whose_result_is_entered_is_not_void(address: str) -> None:
    table = CHIPS_INTERRUPTED["confirmed"](address)
    assert table.refuses("supervisor", DeclareOutcome()) == ("RESULT_IS_ENTERED", "5.4.1")
