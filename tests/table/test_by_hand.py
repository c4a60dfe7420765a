"""Rounds dealt by hand while the system was away: impossible ones, and whose bets stay.

Amounts are minor units. Seat 1 has 10000 on Small and 5000 on 9, seat 2 pink chips at 500.
"""

import pytest

from taisai.core.kernel.messages import Equipment
from taisai.core.table.chips.by_hand import (
    EnterRoundByHand,
    HandPaymentDiffered,
    SeatPaid,
    SeatStack,
)
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.seats import UnclaimedSetAside
from taisai.core.table.interruption import RecordInterruption
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.round import RoundSettled
from taisai.core.table.setup import DeclareSafeProcedure
from taisai.core.table.tumble import RecordTumble
from tests.kit.chip_tables import (
    CHIPS_INTERRUPTED,
    HUNDRED,
    chips_betting,
    chips_closed,
    open_chip_table,
)
from tests.kit.tables import ADDRESSES

ENTERED = EnterRoundByHand((1, 2, 6), ())


def test_a_round_in_doubt_is_seen_to_first() -> None:
    table = chips_closed()
    table.does("dealer", RecordTumble(3))
    table.does("dealer", ReportIrregularity("die-not-flat"))
    table.does("system", RecordInterruption())
    assert table.refuses("supervisor", ENTERED) == ("ROUND_IN_DOUBT", "5.5.2")


@pytest.mark.parametrize("tumbler", ["simulated", "verifiable"])
def test_dice_that_the_system_draws_are_not_thrown_by_hand(tumbler: str) -> None:
    table = CHIPS_INTERRUPTED["ready"]("ts6/2")
    table.state.equipment = Equipment(tumbler)  # type: ignore[arg-type]
    assert table.refuses("supervisor", ENTERED) == ("DEVICE_ENTERS", None)


def test_what_was_left_behind_stands_and_is_set_aside_when_it_is_paid() -> None:
    table = chips_betting()
    table.does("dealer", LeaveSeat("1"))
    table.does("system", RecordInterruption())
    stacks = (SeatStack("2", "big", HUNDRED),)
    paid = (SeatPaid("1", 45_000),)
    events = table.agrees("supervisor", EnterRoundByHand((1, 2, 6), paid, stacks))
    # Small and 9 of the player who left win 10000 and 35000, besides their 15000.
    assert UnclaimedSetAside("1", "1@1", 60_000) in events
    other = (SeatStack("1", "big", HUNDRED),)
    table = chips_betting()
    table.does("dealer", LeaveSeat("1"))
    table.does("system", RecordInterruption())
    assert table.refuses("supervisor", EnterRoundByHand((1, 2, 6), (), other))[0] == "SEAT_EMPTY"


def test_too_much_for_somebody_who_walked_away_shows_at_the_next_count() -> None:
    table = chips_betting()
    table.does("dealer", LeaveSeat("1"))
    table.does("system", RecordInterruption())
    paid = (SeatPaid("1", 50_000),)
    events = table.agrees("supervisor", EnterRoundByHand((1, 2, 6), paid))
    assert HandPaymentDiffered("1", 50_000, 45_000) in events
    assert table.state.chips is not None
    assert table.state.chips.recovering == {}


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_round_is_entered_in_the_order_of_its_document(address: str) -> None:
    table = CHIPS_INTERRUPTED["ready"](address)
    if address == "div9/2":
        table.agrees("supervisor", DeclareSafeProcedure("dealt by hand, two watch"))
    events = table.agrees("supervisor", EnterRoundByHand((1, 2, 6), (), ()))
    told = [type(event).__name__ for event in events[1:]]
    begins = ["RoundStarted", "RoundDealtByHand"]
    bets = ["BetsOpened", "BetsClosed"]
    first = address == "div9/2"
    middle = ["TumbleRecorded", *bets] if first else [*bets, "TumbleRecorded"]
    cover = [] if address == "tso5/2" else ["CoverLifted"]
    ends = ["ResultEntered", "ResultConfirmed", "RoundSettled"]
    assert told == [*begins, *middle, *cover, *ends]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("name", ["confirmed", "paying"])
def test_what_was_collected_before_the_stop_is_collected_once(address: str, name: str) -> None:
    table = CHIPS_INTERRUPTED[name](address)
    events = table.agrees("supervisor", ENTERED)
    settled = next(event for event in events if isinstance(event, RoundSettled))
    assert settled.collected == 1_000


def test_deciding_leaves_the_table_as_it_is() -> None:
    table = open_chip_table()
    table.does("system", RecordInterruption())
    before = table.state.history, dict(table.state.ledger.balances)
    table.ask("supervisor", EnterRoundByHand((1, 2, 6), (), (SeatStack("1", "small", HUNDRED),)))
    assert (table.state.history, dict(table.state.ledger.balances)) == before
