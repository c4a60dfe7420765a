"""Sic Bo (also known as Tai Sai) (Electronic Table Game), version 8.

Where a clause's behaviour is still to come, its datum is asserted: the clause ledger says what
brings the rest. Figures are the document's own, its lost decimal points restored; amounts are minor
units.
"""

import pytest

import taisai
from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.limit_checks import change_refusal
from taisai.core.rules.limits import BoxLimits
from taisai.core.rules.schema import PersonContent
from taisai.core.table import state as table_state
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    VoidSettledRounds,
)
from taisai.core.table.round import BetsOpened, CloseBets, OpenBets
from taisai.core.table.setup import SetLimits
from taisai.projections.sentences import sentences_of
from taisai.projections.table_view import view_of
from tests.kit.tables import Table, open_table
from tests.rules.rounds import (
    in_force,
    irregularities,
    limits_on,
    outcome,
    priced,
    printed_times,
    printed_words,
    refused,
    ruling,
    settled,
    settled_bet,
)

EVERY_TABLE = pytest.mark.parametrize("table", ["etg8/1", "etg8/2", "etg8/3"])

#: Rows that pay alike on all three pay tables.
COMMON_ROWS = """
Small | 1 | small
Big | 1 | big
Even | 1 | even
Odd | 1 | odd
Single Dice Bet | 1 2 12 | single: 1 2 3 4 5 6
Total Sum Combination (No 7 or 14) Bet | 12 | total: 7 14
Total Sum Combination (No 9 or 12) Bet | 7 | total: 9 12
Domino Combination Bet | 6 | domino: 14 12 24 13 23 34 25 26 35 45 36 15 16 46 56
"""
#: Rows of pay tables 1 and 2, which are the better ones.
BETTER_ROWS = """
Total Sum Combination (No 4 or 17) Bet | 64 | total: 4 17
Total Sum Combination (No 5 or 16) Bet | 32 | total: 5 16
Total Sum Combination (No 6 or 15) Bet | 19 | total: 6 15
Total Sum Combination (No 8 or 13) Bet | 8.5 | total: 8 13
Total Sum Combination (No 10 or 11) Bet | 6.5 | total: 10 11
Four Number Combination Bet | 7.5 | four: 6543 6532 5432 4321
Double Dice Bet | 11.5 | double: 1 2 3 4 5 6
Any Triple Bet | 32 | any-triple
Specific Straight Triple Bet | 195 | triple: 1 2 3 4 5 6
"""
#: The same rows as pay table 3 has them.
PLAIN_ROWS = """
Total Sum Combination (No 4 or 17) Bet | 62 | total: 4 17
Total Sum Combination (No 5 or 16) Bet | 31 | total: 5 16
Total Sum Combination (No 6 or 15) Bet | 18 | total: 6 15
Total Sum Combination (No 8 or 13) Bet | 8 | total: 8 13
Total Sum Combination (No 10 or 11) Bet | 6 | total: 10 11
Four Number Combination Bet | 7 | four: 6543 6532 5432 4321
Double Dice Bet | 11 | double: 1 2 3 4 5 6
Any Triple Bet | 31 | any-triple
Specific Straight Triple Bet | 180 | triple: 1 2 3 4 5 6
"""
THREES = "126 135 234 256 346 123 136 145 235 356 124 146 236 245 456 125 134 156 246 345"
PAIRS = (
    "113 114 115 116 221 223 224 225 226 331 332 334 335 336 "
    "441 442 443 445 446 551 552 553 554 556 661 662 663 664"
)
THREE_DICE_ROWS = f"""
Three Single Dice Combination Bet | 30 | three: {THREES}
Double Numbers With Single Dice Combination Bet | 50 | three: {PAIRS}
"""

#: A bet of each kind that loses on 2 2 6, a total of 10 and no triple.
LOSERS = ["big", "odd", "single-1", "total-9", "domino-12", "double-6", "any-triple", "triple-2"]
LOSERS += ["four-6532", "three-126", "three-221"]


# --- 1 Definitions -------------------------------------------------------------------------------


def test_1_2_the_dealer_is_a_role_under_the_documents_title() -> None:
    dealer = PersonContent(role="dealer", title="Dealer", clause="1.2")
    assert dealer in taisai.rulebook("etg8").content.people


def test_1_3_the_dealer_enters_results_on_the_game_console() -> None:
    entry = taisai.rulebook("etg8").content.procedure.entry
    assert (entry.clause, entry.by[0], entry.echo) == ("1.3", "dealer", False)


def test_1_5_pit_employees_are_dealer_pit_supervisor_and_pit_manager() -> None:
    people = {person.role: person for person in taisai.rulebook("etg8").content.people}
    assert people["dealer"].title == "Dealer"
    assert (people["supervisor"].title, people["supervisor"].clause) == ("Pit Supervisor", "1.5")
    assert (people["pit-manager"].title, people["pit-manager"].clause) == ("Pit Manager", "1.5")


def test_1_6_whoever_has_a_bet_in_the_round_is_settled_as_a_player() -> None:
    placed = [("ann", "small", 1000), ("bob", "small", 2000)]
    lines = settled("etg8/1", (1, 2, 4), placed).bets
    assert [(line.player, line.won) for line in lines] == [("ann", 1000), ("bob", 2000)]


def test_1_9_the_total_sum_is_the_points_of_the_three_dice() -> None:
    throws = [(1, 1, 1), (6, 1, 4), (6, 6, 6)]
    assert [taisai.result_of(dice).total for dice in throws] == [3, 11, 18]


# --- 2 Mode of play ------------------------------------------------------------------------------


@EVERY_TABLE
def test_2_1_1_a_terminals_display_has_an_area_for_every_bet(table: str) -> None:
    chip_table = taisai.pay_table(table)
    assert {printed_times(chip_table.layout, box) for box in chip_table.boxes} == {1}
    assert len(chip_table.layout.areas) == {"etg8/1": 56, "etg8/2": 104, "etg8/3": 104}[table]


def test_2_2_1_three_dice_of_six_faces_make_56_results() -> None:
    assert (len(RESULTS), sum(result.throws for result in RESULTS)) == (56, 216)
    with pytest.raises(ValueError, match="is no throw"):
        taisai.result_of((1, 2, 7))
    with pytest.raises(ValueError, match="is no throw"):
        taisai.result_of((1, 2, 3, 4))


# --- 3 How to play -------------------------------------------------------------------------------


def test_3_2_a_notice_on_the_terminal_opens_the_bets() -> None:
    betting = taisai.rulebook("etg8").content.procedure.betting
    assert (betting.opens, betting.opens_words) == ("terminal-notice", None)
    assert betting.opens_clause == "3.2"


def test_3_2_the_journal_says_that_the_terminals_gave_notice_and_nobody_called() -> None:
    table = open_table("etg8/2")
    _, opened = table.does("dealer", OpenBets())
    assert opened == BetsOpened(None, "3.2", "dan")
    assert [taisai.say(each) for each in sentences_of(opened)] == [
        "the Player Terminals give notice that bets may be placed"
    ]


def test_3_5_the_journal_says_what_the_terminals_display() -> None:
    """At a table with a layout the same is called; the document's words are each its own."""
    said = {}
    for address in ("etg8/2", "ts6/2"):
        (closed,) = open_table(address).betting().does("dealer", CloseBets())
        said[address] = [taisai.say(each) for each in sentences_of(closed)]
    assert said == {
        "etg8/2": ["the Player Terminals display “No More Bets”"],
        "ts6/2": ["called: “No more Bets”"],
    }


def test_3_3_minimum_and_maximum_are_what_a_terminal_displays() -> None:
    rules = taisai.rulebook("etg8").content.limits
    assert rules.displayed_clause == "3.3"
    assert rules.differential_pairs == ()
    limits = limits_on("etg8/1", 1000, 50000, boxes={"triple": (200, 2000)})
    assert limits.of("odd") == BoxLimits(1000, 50000)
    assert limits.of("triple-6") == BoxLimits(200, 2000)


def test_3_3_a_terminal_displays_the_limits_of_every_box() -> None:
    table = Table("etg8/1").created().adopts()
    own: dict[str, tuple[int | None, int | None]] = {
        "triple": (None, 2_000),
        "triple-6": (None, 1_000),
    }
    table.agrees("supervisor", SetLimits(LimitsAsked(100, 50_000, 100, None, own)))
    triples = {
        line.name: line.maximum
        for line in view_of(table.state).sign
        if line.name.startswith("triple")
    }
    assert triples == {"triple": 2_000, "triple-6": 1_000}


def test_3_3_boxes_that_all_differ_are_displayed_one_by_one() -> None:
    table = Table("etg8/1").created().adopts()
    own: dict[str, tuple[int | None, int | None]] = {
        f"triple-{face}": (None, 1_000 * face) for face in range(1, 7)
    }
    table.agrees("supervisor", SetLimits(LimitsAsked(100, 50_000, 100, None, own)))
    sign = [(line.name, line.maximum) for line in view_of(table.state).sign]
    assert [line for line in sign if line[0].startswith("triple")] == [
        (f"triple-{face}", 1_000 * face) for face in range(1, 7)
    ]


def test_3_3_a_limit_of_nothing_is_not_displayed() -> None:
    table = Table("etg8/1").created().adopts()
    for asked in (
        LimitsAsked(0, 50_000),
        LimitsAsked(0, 0),
        LimitsAsked(100, 100, 2, None, {"big": (0, None)}),
    ):
        assert table.refuses("supervisor", SetLimits(asked)) == ("BAD_LIMITS", "3.3")


def test_3_5_what_the_terminal_displays_closes_the_bets() -> None:
    betting = taisai.rulebook("etg8").content.procedure.betting
    assert (betting.closes, betting.closes_clause) == ("terminal-notice", "3.5")
    assert betting.closes_words == "No More Bets"
    assert (betting.late_clause, betting.bell) == ("3.5", False)


def test_3_6_the_covered_tumbler_tumbles_at_least_three_times() -> None:
    tumble = taisai.rulebook("etg8").content.procedure.tumble
    assert (tumble.cover, tumble.at_least, tumble.clause) == ("covered", 3, "3.6")
    assert tumble.by[0] == "dealer"


def test_3_7_the_faces_on_top_decide_in_whatever_order_the_dice_lie() -> None:
    assert taisai.rulebook("etg8").content.procedure.entry.dice_clause == "3.7"
    won = [settled_bet("etg8/2", dice, "three-256").won for dice in [(2, 5, 6), (6, 2, 5)]]
    assert won == [30000, 30000]


def test_3_8_losing_bets_are_collected_and_winning_bets_paid() -> None:
    order = taisai.rulebook("etg8").content.procedure.settlement
    # The document has both, and no order of the two.
    assert (order.order, order.clause) == (None, "3.8")
    # 1 2 5, total 8: Small wins 1000 at 1 to 1, Total 8 wins 500 at 8.5 to 1; Big loses 3000.
    placed = [("ann", "small", 1000), ("bob", "big", 3000), ("cat", "total-8", 500)]
    round_ = settled("etg8/1", (1, 2, 5), placed)
    assert [line.back for line in round_.bets] == [2000, 0, 4750]
    assert (round_.collected, round_.paid) == (3000, 1000 + 4250)
    assert round_.bets[1].clause == "3.8"


@pytest.mark.parametrize("box", LOSERS)
def test_3_8_a_bet_of_whatever_kind_that_loses_is_collected_by_this_clause(box: str) -> None:
    assert outcome("etg8/2", (2, 2, 6), box)[:3] == ("lose", None, "3.8")


@pytest.mark.parametrize("box", ["small", "even"])
def test_3_8_small_and_even_that_lose_to_a_total_are_collected_by_this_clause(box: str) -> None:
    assert outcome("etg8/2", (5, 6, 6), box)[:3] == ("lose", None, "3.8")


@EVERY_TABLE
@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize(
    ("box", "code"),
    [
        ("small", "TRIPLE_TAKES_SMALL_BIG"),
        ("big", "TRIPLE_TAKES_SMALL_BIG"),
        ("odd", "TRIPLE_TAKES_ODD_EVEN"),
        ("even", "TRIPLE_TAKES_ODD_EVEN"),
    ],
)
def test_3_9_a_triple_takes_small_big_odd_and_even(
    table: str, face: int, box: str, code: str
) -> None:
    assert outcome(table, (face, face, face), box) == ("lose", None, "3.9", code)


def test_3_9_nothing_wins_on_a_triple_but_what_the_list_names() -> None:
    winners = taisai.pay_table("etg8/2").winners(taisai.result_of((5, 5, 5)))
    assert set(winners) == {"triple-5", "any-triple", "double-5", "single-5", "total-15"}


def test_3_9_1_the_specific_triple_wins_on_its_triple() -> None:
    assert outcome("etg8/1", (5, 5, 5), "triple-5") == ("win", "195", "4.1.1", "TRIPLE_WINS")
    assert outcome("etg8/1", (5, 5, 5), "triple-4") == ("lose", None, "3.8", "TRIPLE_LOSES")


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_3_9_2_any_triple_wins_on_every_triple(face: int) -> None:
    won = outcome("etg8/2", (face, face, face), "any-triple")
    assert won == ("win", "32", "4.1.2", "ANY_TRIPLE_WINS")


def test_3_9_3_double_dice_wins_on_the_triple_of_its_face() -> None:
    won = outcome("etg8/1", (6, 6, 6), "double-6")
    assert won == ("win", "11.5", "4.1.1", "DOUBLE_WINS_ON_TRIPLE")
    assert outcome("etg8/1", (6, 6, 6), "double-1")[:3] == ("lose", None, "3.8")


def test_3_9_4_single_dice_wins_twelvefold_on_the_triple_of_its_face() -> None:
    won = outcome("etg8/3", (1, 1, 1), "single-1")
    assert won == ("win", "12", "4.1.3", "SINGLE_WINS_ON_THREE")


@pytest.mark.parametrize(
    ("face", "box", "odds"),
    [(2, "total-6", "19"), (3, "total-9", "7"), (4, "total-12", "7"), (5, "total-15", "19")],
)
def test_3_9_5_totals_6_9_12_and_15_win_on_the_triple_that_makes_them(
    face: int, box: str, odds: str
) -> None:
    assert outcome("etg8/1", (face, face, face), box) == ("win", odds, "4.1.1", "TOTAL_WINS")


def test_3_9_5_the_documents_list_of_triple_winners_is_held_whole() -> None:
    listed = taisai.rulebook("etg8").content.triple_winners
    assert [(entry.clause, entry.kind) for entry in listed] == [
        ("3.9.1", "triple"),
        ("3.9.2", "any-triple"),
        ("3.9.3", "double"),
        ("3.9.4", "single"),
        ("3.9.5", "total"),
    ]
    assert listed[-1].boxes == ("total-6", "total-9", "total-12", "total-15")


# --- 4 Settlement --------------------------------------------------------------------------------


def test_4_1_1_pay_table_1_prices_its_56_boxes_as_printed() -> None:
    assert in_force("etg8/1") == priced(COMMON_ROWS + BETTER_ROWS)
    assert len(taisai.pay_table("etg8/1").boxes) == 56
    assert taisai.pay_table("etg8/1").clause == "4.1.1"


def test_4_1_2_pay_table_2_prices_its_104_boxes_as_printed() -> None:
    assert in_force("etg8/2") == priced(COMMON_ROWS + BETTER_ROWS + THREE_DICE_ROWS)
    assert len(taisai.pay_table("etg8/2").boxes) == 104
    assert taisai.pay_table("etg8/2").clause == "4.1.2"


def test_4_1_3_pay_table_3_prices_its_104_boxes_as_printed() -> None:
    assert in_force("etg8/3") == priced(COMMON_ROWS + PLAIN_ROWS + THREE_DICE_ROWS)
    assert len(taisai.pay_table("etg8/3").boxes) == 104
    assert taisai.pay_table("etg8/3").clause == "4.1.3"


@pytest.mark.parametrize(
    ("dice", "box", "won"),
    [
        ((1, 2, 5), "total-8", 850),
        ((1, 4, 5), "total-10", 650),
        ((3, 4, 6), "four-6543", 750),
        ((2, 2, 6), "double-2", 1150),
    ],
)
def test_4_1_1_half_odds_pay_whole_amounts(dice: tuple[int, int, int], box: str, won: int) -> None:
    bet = settled_bet("etg8/1", dice, box, 100)
    assert (bet.won, bet.back, bet.clause) == (won, won + 100, "4.1.1")


@pytest.mark.parametrize(("table", "step"), [("etg8/1", 2), ("etg8/2", 2), ("etg8/3", 1)])
def test_4_1_1_the_smallest_stake_step_makes_every_payment_whole(table: str, step: int) -> None:
    # Halves in the odds of tables 1 and 2 need stakes of two minor units; table 3 pays whole odds.
    assert taisai.pay_table(table).step == step
    limits = taisai.set_limits(taisai.pay_table(table), taisai.LimitsAsked(1000, 2000))
    assert not isinstance(limits, taisai.Refusal)
    assert limits.step == step


@pytest.mark.parametrize(("box", "dice"), [("total-8", (1, 2, 5)), ("double-4", (1, 2, 5))])
def test_4_1_1_a_stake_that_would_pay_half_a_unit_is_refused(
    box: str, dice: tuple[int, int, int]
) -> None:
    # At 8.5 or 11.5 to 1 an odd stake wins a half: 1 × 8.5 = 8.5, 25 × 11.5 = 287.5.
    for stake in (1, 25):
        refusal = refused("etg8/1", dice, [("ann", box, stake)])
        assert (refusal.code, refusal.clause) == ("OFF_STEP", None)
        assert refusal.reason.params == {"box": box, "stake_cents": stake, "step_cents": 2}


def test_4_1_1_an_odd_stake_is_fine_where_the_odds_are_whole() -> None:
    # Any Triple pays 32 to 1: 3 wins 96. Two bets of 1 on Total 8 make 2, which wins 17.
    assert settled_bet("etg8/1", (4, 4, 4), "any-triple", 3).won == 96
    halves = [("ann", "total-8", 1), ("ann", "total-8", 1)]
    (bet,) = settled("etg8/1", (1, 2, 5), halves).bets
    assert (bet.stake, bet.won) == (2, 17)


@pytest.mark.parametrize("step", [1, 3, 25])
def test_4_1_2_limits_with_a_step_that_leaves_halves_are_refused(step: int) -> None:
    setting = taisai.LimitsAsked(75, 7500, step)
    refusal = taisai.set_limits(taisai.pay_table("etg8/2"), setting)
    assert isinstance(refusal, taisai.Refusal)
    assert (refusal.code, refusal.reason.code) == ("BAD_LIMITS", "BAD_LIMITS_STEP_NOT_WHOLE")
    assert refusal.reason.params == {"step_cents": step, "smallest_cents": 2}
    assert not isinstance(taisai.set_limits(taisai.pay_table("etg8/3"), setting), taisai.Refusal)


def test_4_1_2_a_stake_off_the_tables_step_is_refused() -> None:
    limits = limits_on("etg8/2", 1000, 50000, step=500)
    refusal = refused("etg8/2", (1, 2, 5), [("ann", "small", 1200)], limits)
    assert refusal.code == "OFF_STEP"
    assert refusal.reason.params == {"box": "small", "stake_cents": 1200, "step_cents": 500}
    table = taisai.pay_table("etg8/2")
    placed = change_refusal(table, limits, {}, {}, {"small": 1200})
    assert placed is not None
    assert placed.code == "OFF_STEP"


# --- 5 Irregularities ----------------------------------------------------------------------------


def test_5_1_1_interrupted_with_an_outcome_the_round_is_concluded() -> None:
    held = ruling("etg8", "interrupted-with-outcome")
    assert (held.ruling, held.clause) == ("conclude", "5.1.1")


def test_5_1_2_interrupted_without_an_outcome_the_round_is_void() -> None:
    held = ruling("etg8", "interrupted-without-outcome")
    assert (held.ruling, held.clause) == ("void-round", "5.1.2")


def test_5_2_1_registered_bets_of_a_lost_terminal_are_settled() -> None:
    held = ruling("etg8", "terminal-lost-registered")
    assert (held.ruling, held.clause) == ("settle", "5.2.1")


def test_5_2_2_unregistered_bets_of_a_lost_terminal_go_back() -> None:
    held = ruling("etg8", "terminal-lost-unregistered")
    assert (held.ruling, held.clause) == ("return-bets", "5.2.2")


def test_5_3_1_fewer_than_three_tumbles_void_the_round() -> None:
    held = ruling("etg8", "bad-tumble")
    assert (held.ruling, held.clause) == ("void-round", "5.3.1")


def test_5_3_2_a_die_that_is_not_flat_voids_the_round() -> None:
    held = ruling("etg8", "die-not-flat")
    assert (held.ruling, held.clause) == ("void-round", "5.3.2")


def test_5_3_3_covered_dice_seen_before_the_close_void_the_round() -> None:
    held = ruling("etg8", "dice-exposed")
    assert (held.ruling, held.clause) == ("void-round", "5.3.3")
    tumble = taisai.rulebook("etg8").content.procedure.tumble
    assert (tumble.order, tumble.order_clause) == ("either", "5.3.3")


def test_5_4_damaged_dice_void_every_round_they_affected() -> None:
    held = ruling("etg8", "damaged-dice")
    assert (held.ruling, held.clause) == ("void-affected-rounds", "5.4")


def test_5_4_all_affected_rounds_are_void_however_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table holds one round; the journal has all [D24]. Three rounds cost 7 30.00 in all."""
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 1)
    table = open_table("etg8/2")
    for _ in range(3):
        table.betting(t7={"big": 1_000}).settled(1, 2, 3)
    *_, reversed_ = table.agrees("supervisor", VoidSettledRounds(1, "a chipped die"))
    assert isinstance(reversed_, RoundsReversed)
    assert (reversed_.rounds, reversed_.clause) == ((1, 2, 3), "5.4")
    assert table.credits("7") == 100_000


def test_5_5_the_dice_of_a_round_long_ago_prevail_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Big was lost on 1, 2, 3, and the dice were 4, 5, 6: 10.00 are back with 10.00 [D11, D24]."""
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 1)
    table = open_table("etg8/2")
    for _ in range(3):
        table.betting(t7={"big": 1_000}).settled(1, 2, 3)
    wrong = CorrectSettledRound(1, (4, 5, 6), "seen on camera")
    *_, resettled = table.agrees("supervisor", wrong)
    assert isinstance(resettled, RoundResettled)
    assert (resettled.clause, table.credits("7")) == ("5.5", 99_000)


@pytest.mark.parametrize(
    ("code", "rule"),
    [("wrong-entry", "dice-prevail"), ("wrong-result-settled", "reverse-and-settle-again")],
)
def test_5_5_a_wrong_result_in_the_console_gives_way_to_the_dice(code: str, rule: str) -> None:
    held = ruling("etg8", code)
    assert (held.ruling, held.clause) == (rule, "5.5")
    amendment = taisai.rulebook("etg8").content.procedure.amendment
    assert (amendment.clause, amendment.until) == ("5.5", "any-time")


def test_5_6_an_error_found_later_leaves_later_rounds_alone() -> None:
    held = ruling("etg8", "late-error")
    assert (held.ruling, held.clause) == ("no-effect-on-later-rounds", "5.6")


def test_5_7_bets_count_as_they_lay_at_the_close() -> None:
    settlement = taisai.rulebook("etg8").content.procedure.settlement
    assert (settlement.basis, settlement.basis_clause) == ("close", "5.7")
    held = ruling("etg8", "bet-in-error")
    assert (held.ruling, held.clause) == ("player-answers", "5.7")


def test_5_8_a_display_that_is_wrong_changes_nothing() -> None:
    held = ruling("etg8", "display-wrong")
    assert (held.ruling, held.clause) == ("dice-prevail", "5.8")


def test_5_9_the_bets_of_a_void_round_go_back_by_this_clause() -> None:
    assert taisai.rulebook("etg8").content.procedure.settlement.void_clause == "5.9"


def test_5_10_what_the_rules_leave_open_the_shift_manager_rules() -> None:
    held = ruling("etg8", "not-covered")
    assert (held.ruling, held.clause) == ("shift-manager-rules", "5.10")
    people = {person.role: person for person in taisai.rulebook("etg8").content.people}
    manager = people["shift-manager"]
    assert (manager.title, manager.clause) == ("Table Games Shift Manager", "5.10")
    assert "walked-away" not in irregularities("etg8")


# --- the appendices ------------------------------------------------------------------------------


def test_appendix_a_is_the_display_of_pay_table_1() -> None:
    layout = taisai.pay_table("etg8/1").layout
    assert (layout.name, layout.clause, layout.decision) == ("Appendix A", "Appendix A", "D10")
    assert printed_times(layout, "four-6543") == 1
    assert printed_times(layout, "three-126") == 0


@pytest.mark.parametrize("table", ["etg8/1", "etg8/2", "etg8/3"])
def test_3_9_the_displays_say_which_bets_a_triple_beats(table: str) -> None:
    printed = {box: words for box, *words in printed_words(table)}
    loses = "loses on any triple"
    assert printed == {
        "odd": [loses],
        "even": [loses],
        "small": ["4 to 10", loses],
        "big": ["11 to 17", loses],
    }


def test_appendix_b_is_the_display_of_pay_table_2() -> None:
    layout = taisai.pay_table("etg8/2").layout
    assert (layout.name, layout.clause, layout.decision) == ("Appendix B", "Appendix B", "D10")
    assert [printed_times(layout, box) for box in ("three-126", "three-113", "odd")] == [1, 1, 1]


def test_appendix_c_is_the_display_of_pay_table_3() -> None:
    layout = taisai.pay_table("etg8/3").layout
    assert (layout.name, layout.clause, layout.decision) == ("Appendix C", "Appendix C", "D10")
    # 3 3 5, total 11: exactly the winning areas light.
    lit = {area.box for area in taisai.pay_table("etg8/3").lit_areas(taisai.result_of((3, 3, 5)))}
    singles = {"single-3", "single-5"}
    assert lit == {"big", "odd", "total-11", "domino-35", "double-3", "three-335"} | singles
