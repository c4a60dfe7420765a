"""Reversals at a chip table: whose money it was, what is kept, what is recovered, in which chips.

Seat 1 sits down with 400.00 in value chips, seat 2 with forty pink chips at 5.00. 1 2 6 is small
and 5 5 6 is big; both seats bet on Small unless it is said otherwise.
"""

from dataclasses import dataclass

import pytest

from taisai.core.kernel.decider import evolve
from taisai.core.kernel.messages import Netted, Posting, Role
from taisai.core.streams import TableCommand
from taisai.core.table import state as table_state
from taisai.core.table.betting import RoundVoided
from taisai.core.table.chips.collecting import CollectLosers
from taisai.core.table.chips.colours import BuyColour, ConvertColour, ReleaseColour
from taisai.core.table.chips.gaming_day import CloseDay, CountDrop
from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.chips.leaving import LeaveSeat
from taisai.core.table.chips.pieces import Chips, Pieces
from taisai.core.table.chips.recovery import RecordRecovery
from taisai.core.table.chips.seats import TakeSeat, UnclaimedSetAside, known_value
from taisai.core.table.chips.state import ChipTable
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    Rule,
    VoidSettledRounds,
)
from taisai.core.table.irregularities import IrregularityReported
from taisai.core.table.round import (
    OpenBets,
    RoundStarted,
    Settle,
)
from taisai.core.table.setup import CloseTable, GiveNotice
from taisai.core.table.tumble import RecordTumble, TumbleRecorded
from tests.kit.chip_tables import HUNDRED, bets, chips_walked_from_void, open_chip_table
from tests.kit.tables import Table
from tests.table.books import assert_table_books

QUARTER: Chips = (Pieces(2_500, 1),)
PINK: Chips = (Pieces("pink", 4),)
SMALL, BIG = (1, 2, 6), (6, 5, 5)


@dataclass
class Played:
    """A chip table on which rounds are played and corrected."""

    table: Table

    @property
    def chip_table(self) -> ChipTable:
        assert self.table.state.chips is not None
        return self.table.state.chips

    def bets(self, seat: str, chips: Chips = HUNDRED) -> None:
        self.table.does("dealer", RecordBets(seat, bets(small=chips)))

    def ends(self, faces: tuple[int, int, int]) -> None:
        self.table.settled(*faces)

    def plays(self, faces: tuple[int, int, int], seat: str = "1", chips: Chips = HUNDRED) -> None:
        self.table.betting()
        self.bets(seat, chips)
        self.ends(faces)

    def leaves(self, seat: str = "1") -> None:
        self.table.does("dealer", LeaveSeat(seat))

    def voids(self, first: int = 1) -> RoundsReversed:
        *_, event = self.table.agrees("supervisor", VoidSettledRounds(first, "a chipped die"))
        assert isinstance(event, RoundsReversed)
        assert_table_books(self.table.state)
        return event

    def corrects(self, number: int, faces: tuple[int, int, int]) -> RoundResettled:
        command = CorrectSettledRound(number, faces, "the camera shows it")
        *_, event = self.table.agrees("supervisor", command)
        assert isinstance(event, RoundResettled)
        assert_table_books(self.table.state)
        return event

    def misses(self, seat: str, missing: int) -> None:
        self.table.agrees("dealer", RecordRecovery(seat, missing, "he will not"))
        assert_table_books(self.table.state)

    def refused(self, command: TableCommand, by: Role = "dealer") -> str:
        return self.table.refuses(by, command)[0]


@pytest.fixture
def played() -> Played:
    """Open a chip table, with two players."""
    return Played(open_chip_table())


def test_what_was_not_had_from_a_seat_is_covered_by_a_later_correction(played: Played) -> None:
    """100.00 won on Small should have been lost; he keeps 200.00, and was right to."""
    played.plays(SMALL)
    assert played.corrects(1, BIG).netted == (Netted("1", 0, 20_000, 0),)
    played.misses("1", 20_000)
    assert played.table.state.shortfalls == {"1@1": 20_000}
    before = played.chip_table.rack_value
    assert played.corrects(1, SMALL).netted == (Netted("1", 0, 0, 0, 20_000),)
    assert (played.table.state.shortfalls, played.chip_table.rack_value) == ({}, before)
    assert played.table.balance("house:void-shortfall") == 0


# --- players who left ----------------------------------------------------------------------------


def test_what_is_kept_for_a_player_is_taken_before_anything_is_lost(played: Played) -> None:
    played.table.betting()
    played.bets("1")
    played.leaves()
    played.ends(SMALL)
    assert played.table.state.unclaimed == {"1@1": 20_000}
    before = played.chip_table.rack_value
    # The bet lost: 100.00 won and 100.00 staked are the venue's, and are there.
    assert played.corrects(1, BIG).gone == (Netted("1@1", 0, 20_000, 0),)
    assert (played.table.state.unclaimed, played.table.balance("unclaimed:1@1")) == ({}, 0)
    assert played.table.balance("house:void-shortfall") == 0
    assert played.chip_table.rack_value == before + 20_000


def test_only_what_goes_beyond_what_is_kept_is_shortfall(played: Played) -> None:
    played.plays(SMALL)
    played.table.betting()
    played.bets("1", QUARTER)
    played.leaves()
    played.ends(SMALL)
    assert played.table.state.unclaimed == {"1@1": 5_000}
    # Of the 100.00 and 25.00 that were won, 50.00 is there; 475.00 went with the player.
    assert played.voids().gone == (Netted("1@1", 0, 5_000, 7_500),)
    assert played.table.balance("house:void-shortfall") == -7_500


def test_of_what_is_kept_the_rest_stays(played: Played) -> None:
    played.table.betting()
    played.bets("1")
    played.table.does("dealer", RecordBets("1", bets(big=QUARTER)))
    played.leaves()
    played.ends(SMALL)
    # The round is void: 100.00 won goes back, 25.00 lost comes back, 125.00 stays.
    assert played.table.state.unclaimed == {"1@1": 20_000}
    assert played.voids().gone == (Netted("1@1", 0, 7_500, 0),)
    assert played.table.state.unclaimed == {"1@1": 12_500}


def test_who_sits_down_during_a_round_is_not_who_left_before(played: Played) -> None:
    played.plays(BIG)
    played.table.betting()
    played.leaves()
    played.table.does("dealer", TakeSeat("1"))
    played.bets("1", QUARTER)
    played.ends(SMALL)
    # The player who left lost 100.00 in round 1; the present one won 25.00 in round 2.
    event = played.voids()
    assert event.netted == (Netted("1", 0, 2_500, 0),)
    assert event.gone == (Netted("1@1", 10_000, 0, 0),)


def test_a_player_who_is_gone_is_netted_over_all_their_rounds(played: Played) -> None:
    played.plays(BIG)
    played.plays(SMALL)
    played.leaves()
    # 100.00 lost and 100.00 won.
    assert played.voids().gone == ()
    assert (played.table.state.unclaimed, played.table.balance("house:void-shortfall")) == ({}, 0)


def test_two_players_of_one_seat_are_netted_apart(played: Played) -> None:
    played.plays(BIG)
    played.leaves()
    played.table.does("dealer", TakeSeat("1"))
    # A player who sits down and bets nothing has nothing to be corrected.
    played.leaves()
    played.table.does("dealer", TakeSeat("1"))
    played.plays(BIG, chips=QUARTER)
    played.plays(BIG, chips=QUARTER)
    played.leaves()
    assert played.table.state.positions["1"].sessions == ((1, 1), (2, 3))
    played.voids()
    assert played.table.state.unclaimed == {"1@1": 10_000, "1@3": 5_000}


def test_who_left_is_remembered_as_long_as_the_rounds(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 2)
    for number in range(1, 5):
        if number > 1:
            played.table.does("dealer", TakeSeat("1"))
        played.plays(BIG, chips=QUARTER)
        played.leaves()
    # Rounds 2 and 3 were in history when the last player sat down.
    assert played.table.state.positions["1"].sessions == ((2, 2), (3, 3), (4, 4))


# --- what is recovered ---------------------------------------------------------------------------


def test_it_is_said_what_could_be_had_before_play_goes_on(played: Played) -> None:
    played.plays(SMALL)
    played.corrects(1, BIG)
    assert played.chip_table.recovering == {"1": 20_000}
    first = [played.refused(command) for command in (OpenBets(), LeaveSeat("1"))]
    assert first == ["RECOVERY_FIRST", "RECOVERY_FIRST"]
    played.misses("1", 0)
    assert played.chip_table.recovering == {}
    played.table.does("dealer", OpenBets())
    assert played.refused(RecordRecovery("1", 20_000, "never had")) == "NOTHING_OWED"
    played.leaves()


def test_others_may_leave_meanwhile(played: Played) -> None:
    played.plays(SMALL)
    played.corrects(1, BIG)
    played.table.does("dealer", ConvertColour("2", 40))
    played.leaves("2")


def test_nobody_walks_away_owing(played: Played) -> None:
    played.plays(SMALL)
    played.table.betting()
    played.bets("1", QUARTER)
    played.corrects(1, BIG)
    assert played.refused(LeaveSeat("1")) == "RECOVERY_FIRST"
    played.misses("1", 20_000)
    (event,) = played.table.does("dealer", LeaveSeat("1"))
    # 400.00, and 100.00 won, less 25.00 that lies there.
    assert getattr(event, "taken", None) == 47_500


def test_what_is_given_later_need_not_be_had(played: Played) -> None:
    played.plays(SMALL)
    played.plays(BIG, chips=QUARTER)
    played.corrects(1, BIG)
    # Round 2 was small after all: 25.00 and 25.00 more.
    played.corrects(2, SMALL)
    assert played.chip_table.recovering == {"1": 15_000}
    played.corrects(1, SMALL)
    assert played.chip_table.recovering == {}
    played.table.does("dealer", OpenBets())
    # 400.00, 100.00 and 25.00 won.
    assert played.table.balance("terminal:1") == 52_500


def test_who_walked_away_left_their_chips_where_they_can_be_had(played: Played) -> None:
    played.plays(SMALL, "2", PINK)
    played.table.betting()
    played.bets("2", PINK)
    played.leaves("2")
    # 20.00 won in pink, four pieces; of 44 pieces four lie there, and eight are taken.
    assert played.corrects(1, BIG).netted == (Netted("2", 0, 4_000, 0),)
    assert (played.chip_table.recovering, played.chip_table.colours["pink"].out) == ({}, 36)
    played.ends(BIG)
    assert played.table.state.unclaimed == {"2@1": 16_000}
    played.table.does("dealer", OpenBets())


# --- in which chips ------------------------------------------------------------------------------


def lost_in_pink(played: Played) -> None:
    """Take back 40.00 that seat 2 has in pink: eight pieces of 44."""
    played.plays(SMALL, "2", PINK)
    assert played.chip_table.colours["pink"].out == 44
    played.corrects(1, BIG)
    assert (played.chip_table.colours["pink"].out, played.chip_table.recovering) == (
        36,
        {"2": 4_000},
    )


@pytest.mark.parametrize(
    ("missing", "out"),
    # 12.00 is two pieces and 2.00 in value chips.
    [(0, 36), (1_200, 38), (3_900, 43), (4_000, 44)],
)
def test_pieces_that_could_not_be_had_are_still_out(played: Played, missing: int, out: int) -> None:
    lost_in_pink(played)
    played.misses("2", missing)
    assert played.chip_table.colours["pink"].out == out
    assert played.table.balance("terminal:2") == 18_000 + missing
    assert known_value(played.table.state, "2") == missing - (out - 36) * 500
    assert (played.chip_table.recovering, played.chip_table.pieces_taken) == ({}, {})
    played.table.does("dealer", ConvertColour("2", out))
    played.leaves("2")


def test_pieces_that_are_given_back_before_they_were_had_are_still_out(played: Played) -> None:
    lost_in_pink(played)
    played.corrects(1, SMALL)
    assert (played.chip_table.colours["pink"].out, played.chip_table.pieces_taken) == (44, {})
    assert known_value(played.table.state, "2") == 0


def test_no_more_pieces_are_out_than_there_are(played: Played) -> None:
    lost_in_pink(played)
    played.table.does("dealer", BuyColour("2", 64, 32_000))
    played.misses("2", 4_000)
    assert (played.chip_table.colours["pink"].out, known_value(played.table.state, "2")) == (
        100,
        4_000,
    )


def test_a_colour_is_not_given_up_while_its_pieces_may_be_out(played: Played) -> None:
    lost_in_pink(played)
    played.table.does("dealer", ConvertColour("2", 36))
    assert played.refused(ReleaseColour("2")) == "RECOVERY_FIRST"
    played.misses("2", 4_000)
    assert played.refused(ReleaseColour("2")) == "COLOUR_OUT"


def test_a_ruling_takes_only_what_is_in_front_while_the_layout_is_paid(played: Played) -> None:
    table = played.table.betting()
    table.does("dealer", RecordBets("2", bets(small=PINK, big=PINK)))
    table.confirmed(*SMALL).does("dealer", CollectLosers())

    def takes(amount: int) -> Rule:
        return Rule("past-posted", (Posting("terminal:2", "house:bank", amount),))

    # 160.00 is in front, 20.00 lies on Small, and 20.00 is to be paid; 20.00 is lost on Big.
    assert table.refuses("shift-manager", takes(16_100)) == ("OVERDRAWN", "5.14")
    given = Posting("house:bank", "terminal:2", 100)
    table.agrees("shift-manager", Rule("goodwill", (given,)))
    table.agrees("shift-manager", takes(16_100))
    # All 32 pieces that were in front, and the 1.00; what lies there is paid in pink.
    assert played.chip_table.colours["pink"].out == 4
    table.does("dealer", Settle())
    assert (played.chip_table.colours["pink"].out, table.balance("terminal:2")) == (8, 4_000)
    assert_table_books(table.state)
    table.does("dealer", ConvertColour("2", 8))
    played.leaves("2")


# --- between two gaming days ---------------------------------------------------------------------


def counted_out(played: Played) -> None:
    """Let everybody leave after a round that seat 1 lost, and close the day."""
    played.plays(BIG)
    table = played.table
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    table.does("dealer", ConvertColour("2", 40))
    for seat in ("1", "2"):
        played.leaves(seat)
    table.agrees("supervisor", CountDrop(60_000, 0))
    rack = tuple(Pieces(chip, count) for chip, count in played.chip_table.rack.items() if count)
    table.agrees("supervisor", CloseDay(rack))


def test_nothing_is_put_right_between_two_gaming_days(played: Played) -> None:
    counted_out(played)
    ruling = Rule("goodwill", (Posting("house:bank", "house:void-shortfall", 100),))
    assert [
        played.refused(VoidSettledRounds(1, "a chipped die"), "supervisor"),
        played.refused(CorrectSettledRound(1, SMALL, "the camera"), "supervisor"),
        played.refused(ruling, "shift-manager"),
    ] == ["NO_GAMING_DAY"] * 3
    played.table.does("shift-manager", Rule("the lights went out"))


def test_a_journal_in_which_it_was_is_still_read(played: Played) -> None:
    counted_out(played)
    gone = (Netted("1@1", 10_000, 0, 0),)
    event = RoundsReversed(1, 1, (1,), (), "5.6", "a chipped die", played.table.at, gone)
    evolve(played.table.state, event)
    assert played.table.state.unclaimed == {"1@1": 10_000}
    assert_table_books(played.table.state)


# --- a void round --------------------------------------------------------------------------------


def test_div9_keeps_the_money_of_who_walked_away_when_the_tumble_begins_a_round() -> None:
    table = chips_walked_from_void("div9/2")
    events = table.does("dealer", RecordTumble(3))
    assert [type(event) for event in events] == [UnclaimedSetAside, RoundStarted, TumbleRecorded]
    # Forty pink chips at 5.00, all given back.
    assert events[0] == UnclaimedSetAside("2", "2@1", 20_000)
    table.does("dealer", TakeSeat("2"))
    assert_table_books(table.state)


def test_div9_keeps_it_also_when_the_tumble_was_none() -> None:
    table = chips_walked_from_void("div9/2")
    events = table.does("dealer", RecordTumble(0))
    assert [type(event) for event in events] == [
        *(UnclaimedSetAside, RoundStarted, TumbleRecorded),
        *(IrregularityReported, RoundVoided),
    ]
    assert table.state.round == 2
