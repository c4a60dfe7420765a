"""The layout of a chip table: mixed stacks, fills that can pay, and refusals."""

import pytest

from taisai.core.kernel.messages import LimitsAsked
from taisai.core.kernel.names import NOTE_MAX
from taisai.core.table.chips import layout_bets
from taisai.core.table.chips.gaming_day import ReceiveFill
from taisai.core.table.chips.layout_bets import CorrectRecord, RecordBets, TakeBackBets
from taisai.core.table.chips.payout import payout_guide, played_parts
from taisai.core.table.chips.pieces import BoxChips, Chips, ChipSet, Pieces
from taisai.core.table.chips.seats import TakeSeat
from taisai.core.table.chips.state import ChipTable
from taisai.core.table.round import Settle
from taisai.core.table.setup import SetLimits
from tests.kit.chip_tables import (
    HUNDRED,
    bets,
    chips_betting,
    chips_paying,
    closed_chip_table,
    created,
    open_chip_table,
    opened,
)
from tests.kit.tables import Table


def layout_of(table: Table) -> ChipTable:
    """Give the layout of a table."""
    assert table.state.chips is not None
    return table.state.chips


def lies(table: Table) -> list[tuple[str, str, int, Chips]]:
    """Read the stacks of a layout, the oldest first."""
    return [(each.seat, each.box, each.amount, each.chips) for each in layout_of(table).stacks]


def test_chips_that_are_added_to_a_bet_lie_on_its_stack() -> None:
    table = open_chip_table().betting()
    five, twenty_five = Pieces(500, 1), Pieces(2_500, 1)
    for chips in ((five,), (five,), (twenty_five, five), (twenty_five,)):
        table.does("dealer", RecordBets("1", bets(small=chips)))
    # Three chips of 5.00, then two of 25.00 that came later.
    assert lies(table) == [
        ("1", "small", 1_500, (Pieces(500, 3),)),
        ("1", "small", 5_000, (Pieces(2_500, 2),)),
    ]
    assert table.live("1") == 6_500


def test_a_bet_keeps_its_turn_as_if_every_stack_lay_alone() -> None:
    table = open_chip_table().betting()
    table.does("dealer", RecordBets("1", bets(small=(Pieces(500, 2),))))
    table.does("dealer", RecordBets("2", bets(small=(Pieces("pink", 2),))))
    table.does("dealer", RecordBets("1", bets(small=(Pieces(2_500, 1), Pieces(500, 2)))))
    # The oldest stack is taken back: seat 1 has only chips that came after seat 2's.
    table.does("dealer", TakeBackBets("1", bets(small=(Pieces(500, 4),))))
    assert [seat for seat, *_ in lies(table)] == ["2", "1"]


def test_spoken_chips_lie_apart() -> None:
    table = open_chip_table("div9/2").betting()
    table.does("dealer", RecordBets("1", bets(small=HUNDRED)))
    table.does("dealer", RecordBets("1", bets(small=HUNDRED), oral=True))
    table.does("dealer", RecordBets("1", bets(small=HUNDRED), oral=True))
    table.does("dealer", RecordBets("1", bets(small=HUNDRED), on_behalf=True))
    assert [(each.amount, each.oral, each.on_behalf) for each in layout_of(table).stacks] == [
        (10_000, False, False),
        (20_000, True, False),
        (10_000, False, True),
    ]


def test_a_layout_takes_so_many_stacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout_bets, "STACKS_PER_BOX", 1)
    table = open_chip_table().betting()
    assert table.state.pay_table is not None
    boxes = tuple(table.state.pay_table.boxes)
    # Seven seats have at most seven times as many stacks as there are boxes.
    for number, seat in enumerate(("1", "2", "3", "4", "5", "6", "7")):
        if number > 1:
            table.does("dealer", TakeSeat(seat))
        asked = RecordBets(seat, tuple(BoxChips(box, HUNDRED) for box in boxes))
        table.does("dealer", asked)
    assert len(layout_of(table).stacks) == 7 * len(boxes)
    asked = RecordBets("1", bets(small=HUNDRED))
    assert table.refuses("dealer", asked)[0] == "TOO_MANY_STACKS"


def test_limits_stand_until_the_winners_are_paid() -> None:
    table = chips_paying()
    asked = SetLimits(LimitsAsked(minimum=500, maximum=1_000, step=500, differential=500))
    assert table.refuses("pit-manager", asked)[0] == "ROUND_UNDER_WAY"
    table.does("dealer", Settle())
    table.agrees("pit-manager", asked)


def test_what_played_in_part_is_told_while_it_is_paid_as_it_was_settled() -> None:
    table = chips_paying()
    before = played_parts(table.state)
    settled = table.paid()
    # Seat 2 had 5.00 on Odd, where the minimum is 10.00.
    assert [(part.position, part.box, part.playing) for part in settled.playing] == [
        ("2", "odd", 500)
    ]
    assert before == settled.playing


def short_of_change(table: Table, chips: Chips, *stacks: Chips) -> Table:
    """Give a table with a rack of a few chips, and winners on Small with a stack each."""
    opened(table, chips)
    for seat in range(1, len(stacks) + 1):
        table.does("dealer", TakeSeat(str(seat)))
    table.betting()
    for seat, stack in enumerate(stacks, 1):
        table.does("dealer", RecordBets(str(seat), bets(small=stack)))
    return table.confirmed(1, 2, 6)


def is_paid_with(table: Table, wanted: Chips) -> None:
    """Check that a fill is wanted, and that it pays everybody."""
    assert payout_guide(table.state).wanted == wanted
    assert table.refuses("dealer", Settle())[0] == "RACK_SHORT"
    table.agrees("dealer", ReceiveFill("cage-T1-1", wanted))
    assert payout_guide(table.state).wanted == ()
    table.does("dealer", Settle())


def test_the_fill_that_is_wanted_pays() -> None:
    # Two winners of 50.00, and a rack of one chip of 100.00: each wants two of 25.00.
    fifty = (Pieces(2_500, 2),)
    table = short_of_change(closed_chip_table(), HUNDRED, fifty, fifty)
    is_paid_with(table, (Pieces(2_500, 4),))


def test_a_fill_that_would_go_to_somebody_else_is_wanted_in_the_smallest_chips() -> None:
    # Winners of 60.00, 30.00 and 30.00, and a rack of three chips of 20.00. Two of 30.00 would go
    # to the first, who has the fewest chips then: all 120.00 are wanted in chips of 0.50.
    table = created(Table("ts6/2"), ChipSet((50, 2_000, 3_000), 7))
    thirty = (Pieces(3_000, 1),)
    table = short_of_change(table, (Pieces(2_000, 3),), (Pieces(3_000, 2),), thirty, thirty)
    is_paid_with(table, (Pieces(50, 240),))


@pytest.mark.parametrize("letters", [500, 501])
def test_a_note_has_so_many_letters(letters: int) -> None:
    table = chips_betting()
    asked = CorrectRecord("1", "small", (Pieces(2_500, 4),), "x" * letters)
    if letters > NOTE_MAX:
        assert table.refuses("dealer", asked)[0] == "NOTE_LONG"
    else:
        table.does("dealer", asked)
