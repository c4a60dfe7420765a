"""What the console of a chip table shows in every situation; the figures are computed by hand.

The table of `chip_table_build`: a float of 5,650.00; seat 1 bought 400.00 of value chips, seat 2
forty pink pieces at 5.00 each. On Tai Sai's second pay table the minimum is 10.00.
"""

import msgspec
import pytest

from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.gaming_day import CloseDay, OpenDay
from taisai.core.table.chips.layout_bets import AdvisePlayer, RecordBets, TakeBackBets
from taisai.core.table.chips.payout import payout_guide
from taisai.core.table.chips.pieces import BoxChips, CollectedChips, Pieces
from taisai.core.table.chips.rulings import RuleOnBet
from taisai.core.table.chips.seats import TakeSeat
from taisai.core.table.round import ConfirmResult
from taisai.core.table.tumble import LiftCover
from taisai.protocol import FRAME_MAX
from taisai.protocol import chip_table as f
from taisai.protocol.server_messages import ChipTableView, ServerMessage
from taisai.server.console import chip_table as console
from taisai.server.console.chip_table import Surroundings, chip_table_views
from taisai.server.console.steps import steps_for
from taisai.wording import LANGUAGES
from tests.kit.chip_tables import (
    bets,
    chips_betting,
    chips_closed,
    chips_confirmed,
    chips_paid,
    chips_paying,
    closed_chip_table,
    open_chip_table,
)
from tests.kit.tables import Table, picture
from tests.table.situations import CASES, in_situation

PINK = 500


def told(table: Table, language: str = "en", **fills: int) -> ChipTableView:
    assert table.state.chips is not None
    before = picture(table.state)
    around, guide = Surroundings("2026-11-17", fills), payout_guide(table.state)
    found = chip_table_views(table.state, table.state.chips, (language,), around, guide)[language]
    assert picture(table.state) == before, "nothing is changed by telling"
    return found


def test_the_day_after_the_last_is_offered_where_that_is_todays_or_later() -> None:
    table = closed_chip_table()
    assert told(table).next_date == "2026-11-17"
    for date, following in (("2026-11-16", "2026-11-17"), ("2026-11-17", "2026-11-18")):
        table.agrees("supervisor", OpenDay(date, ()))
        table.agrees("supervisor", CloseDay(()))
        assert told(table).next_date == following


def test_whether_the_layout_is_read_and_what_goes_back_when_that_ends() -> None:
    table = chips_betting()
    assert told(open_chip_table()).reading is None
    table.does("dealer", AdvisePlayer("2", "odd"))
    short = f.ChipStack("2", "odd", 500, (Pieces("pink", 1),), oral=False)
    assert (told(table).reading, told(table).returning) == ("open", (short,))
    table.closed().tumbled()
    assert (told(table).reading, told(table).returning) == ("closed", (short,))
    table.does("dealer", LiftCover())
    assert (told(table).reading, told(table).returning) == ("late", ())
    table.entered(1, 2, 6).does("dealer", ConfirmResult())
    assert told(table).reading == "late"
    table.paid()
    assert told(table).reading is None


def test_what_is_put_right_in_time_and_what_is_ruled_on_afterwards() -> None:
    table = open_chip_table("div9/2").betting()
    both, short = (Pieces("pink", 1), Pieces(500, 1)), (Pieces(500, 1),)
    table.does("dealer", RecordBets("2", bets(odd=both)))
    table.does("dealer", RecordBets("1", bets(small=short)))
    (mixed,) = told(table).mixed
    assert (mixed.seat, mixed.box, mixed.amount) == ("2", "odd", 1_000)
    assert told(table).to_rule == (), "there is still time"
    table.closed()
    view = told(table)
    assert (view.mixed, view.more_to_rule) == ((), 0)
    assert [(each.seat, each.box, each.amount, each.why) for each in view.to_rule] == [
        ("1", "small", 500, "below-minimum"),
        ("2", "odd", 1_000, "mixed-stack"),
    ]
    # The smallest chip is of 0.50, and Odd and Small pay whole numbers.
    under, _ = view.to_rule
    assert (under.sentence, under.step, under.clause) == ("A bet under the minimum", 50, "D6")
    table.does("shift-manager", RuleOnBet("1", "small", "stands", "unseen"))
    assert [each.box for each in told(table).to_rule] == ["odd"]


def test_seats_with_their_colours_and_what_is_in_front() -> None:
    assert told(open_chip_table()).seats == (
        f.ChipSeat("1", False, None, None, 0, 40_000, 0),
        f.ChipSeat("2", False, "pink", PINK, 40, 20_000, 0),
    )
    assert told(chips_betting()).seats == (
        f.ChipSeat("1", False, None, None, 0, 40_000 - 15_000, 15_000),
        f.ChipSeat("2", False, "pink", PINK, 40 - 7, 20_000 - 3_500, 3_500),
    )
    assert [seat.away for seat in told(chips_paying()).seats] == [False, True]


def test_stacks_as_they_lie() -> None:
    assert told(chips_betting()).stacks == (
        f.ChipStack("1", "small", 10_000, (Pieces(10_000, 1),), False),
        f.ChipStack("1", "total-9", 5_000, (Pieces(2_500, 2),), False),
        f.ChipStack("2", "small", 2_000, (Pieces("pink", 4),), False),
        f.ChipStack("2", "odd", 500, (Pieces("pink", 1),), False),
        f.ChipStack("2", "triple-2", 1_000, (Pieces("pink", 2),), False),
    )


def test_a_bet_under_the_minimum_is_told_until_the_close() -> None:
    assert told(chips_betting()).notices == (
        f.LimitNotice(
            "odd", "2", "minimum", 500, "5.00 on Odd is under the minimum of 10.00", "5.2"
        ),
    )
    assert told(chips_closed()).notices == (), "what nobody noticed stands"


def test_what_lies_beyond_the_maximum_and_the_differential() -> None:
    table = open_chip_table().betting()
    stacks = bets(small=(Pieces(10_000, 6),), total_9=(Pieces(10_000, 11),))
    table.does("dealer", RecordBets("1", stacks))
    over = {(each.outside, each.box): each for each in told(table).notices}
    assert over.keys() == {("maximum", "total-9"), ("differential", "small")}
    assert over["maximum", "total-9"].amount == 110_000 - 100_000
    assert over["differential", "small"].amount == 60_000 - 50_000
    assert over["maximum", "total-9"].clause == "5.1"
    assert over["maximum", "total-9"].seat is None, "all players of a box count together"


def test_rack_and_colours() -> None:
    found = told(open_chip_table(), F1=2_500)
    assert found.rack == (
        *(Pieces(10_000, 37), Pieces(2_500, 36), Pieces(500, 100)),
        *(Pieces(100, 100), Pieces(50, 100)),
    )
    assert found.rack_value == 565_000 - 40_000
    assert found.colours == {"pink": 60, "blue": 100}
    assert found.fills == (f.SeatMoney("F1", 2_500),)
    assert found.day == f.ChipDay("2026-11-16", 565_000, 0, 0, 0)


def test_the_lists_of_what_to_collect_and_to_pay() -> None:
    """1, 2, 6: total 9 pays 7 to 1, Small and Odd even money, and triple 2 loses."""
    table = chips_confirmed()
    found = told(table)
    assert found.guide is not None
    assert found.guide.collect == (
        CollectedChips("triple-2", "2", 1_000, (Pieces("pink", 2),), ()),
    )
    assert {(each.box, each.seat): each.chips for each in found.guide.pay} == {
        ("small", "1"): (Pieces(10_000, 1),),
        ("small", "2"): (Pieces("pink", 4),),
        ("odd", "2"): (Pieces("pink", 1),),
        ("total-9", "1"): (Pieces(10_000, 3), Pieces(2_500, 2)),
    }
    assert (found.guide.collected, found.guide.paid) == (1_000, 47_500)
    assert found.guide.wanted == ()
    (part,) = found.guide.parts
    assert (part.seat, part.box, part.stake, part.playing, part.clause) == (
        *("2", "odd", 500, 500, "5.2.1"),
    )
    assert "below the minimum" in part.sentence
    assert not found.paying
    table.does("dealer", CollectLosers())
    after = told(table)
    assert after.guide is not None
    assert (after.paying, after.guide.collect, after.guide.pay) == (True, (), found.guide.pay)


def test_what_is_kept_for_who_walked_away() -> None:
    """Seat 2 had 33 pieces left, took back 3,500 less 1,000, and won 2,500."""
    found = told(chips_paid())
    assert (found.guide, found.paying) == (None, False)
    assert [each.amount for each in found.unclaimed] == [33 * PINK + 2_500 + 2_500]
    assert [seat.seat for seat in found.seats] == ["1"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("address", "name"), [case for case in CASES if case[1].startswith("chips ")]
)
def test_every_situation_can_be_told_in_every_language(
    address: str, name: str, language: str
) -> None:
    table = in_situation(address, name)
    found = told(table, language)
    assert msgspec.json.decode(msgspec.json.encode(found), type=ServerMessage) == found


def full_layout(seats: int, boxes: int) -> Table:
    """Give as many players as possible a bet of 10.00 on each of as many boxes."""
    table = open_chip_table().betting()
    assert table.state.pay_table is not None
    for seat in map(str, range(1, seats + 1)):
        if seat not in ("1", "2"):
            table.does("dealer", TakeSeat(seat))
        chosen = tuple(table.state.pay_table.boxes)[:boxes]
        stakes = tuple(BoxChips(box, (Pieces(500, 2),)) for box in chosen)
        table.does("dealer", RecordBets(seat, stakes))
    return table


def test_every_player_on_every_box_is_told_well_within_a_frame() -> None:
    table = full_layout(7, 1_000)
    assert table.state.pay_table is not None
    boxes = len(table.state.pay_table.boxes)
    found = told(table)
    assert (len(found.stacks), found.more_stacks) == (7 * boxes, 0)
    table.confirmed(4, 5, 6)
    found = told(table)
    assert len(msgspec.json.encode(found)) < FRAME_MAX * 4 / 5
    assert found.guide is not None
    assert len(found.guide.collect) + len(found.guide.pay) == 7 * boxes
    assert len(found.stacks) + found.more_stacks == 7 * boxes


def test_whatever_lies_on_a_chip_table_fits_into_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "ROOM", 3_000)
    monkeypatch.setattr(console, "SENTENCES_ROOM", 400)
    table = full_layout(2, 40)
    for box in ("small", "odd", "even"):
        table.does("dealer", TakeBackBets("1", (BoxChips(box, (Pieces(500, 1),)),)))
    found = told(table)
    assert len(msgspec.json.encode(found)) < 3_100
    assert len(found.notices) + found.more_notices == 3
    assert 0 < found.more_stacks < 80
    assert len(found.stacks) + found.more_stacks == 80
    table.confirmed(1, 2, 6)
    found = told(table)
    assert len(msgspec.json.encode(found)) < 3_200
    assert found.guide is not None
    assert (found.guide.more_pay, len(found.stacks), found.more_stacks) == (0, 0, 80)
    assert len(found.guide.parts) + found.guide.more_parts == 3
    collected = len(found.guide.collect) + found.guide.more_collect
    assert collected + len(found.guide.pay) == 80
    assert found.guide.more_collect > 0


def test_the_newest_of_much_that_is_kept_is_told_and_how_much_more_there_is() -> None:
    table = open_chip_table()
    for number in range(1, 101):
        table.state.ledger.balances[f"unclaimed:1@{number}"] = number
    found = told(table)
    assert [each.amount for each in found.unclaimed] == list(range(37, 101))
    assert found.more_unclaimed == 36


def test_the_lists_are_worked_out_once_for_everybody() -> None:
    """With the lists cached, the steps are the same, whether the rack can pay or not."""
    paying, short = chips_paying(), chips_paying()
    assert short.state.chips is not None
    # Of 475.00 to be paid, 450.00 is not in coloured chips.
    short.state.chips.rack = {10_000: 1}
    for table in (paying, short):
        guide = payout_guide(table.state)
        for role in ("dealer", "supervisor", "pit-manager"):
            known = steps_for(table.state, role, "en", table.at, automatic=False, guide=guide)
            assert known == steps_for(table.state, role, "en", table.at, automatic=False)
    assert (payout_guide(paying.state).wanted, payout_guide(short.state).wanted != ()) == ((), True)
