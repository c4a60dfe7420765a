"""Tai Sai, version 6, and Tai Sai (Open Cover), version 5: section 5, irregularities.

The two documents differ here in 5.5.3 alone. Where a clause's behaviour is still to come, its datum
is asserted: the clause ledger says what brings the rest. Amounts are minor units.
"""

import pytest

import taisai
from taisai.core.kernel.approvals import ApprovalRequested
from taisai.core.rules.limit_checks import Notice, change_refusal, notices
from taisai.core.rules.reason import because
from taisai.core.table import state as table_state
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import (
    CorrectSettledRound,
    RoundResettled,
    RoundsReversed,
    VoidSettledRounds,
)
from taisai.core.table.damage import DiceQuarantined, FindUndamaged, ReportDamage
from taisai.core.table.irregularities import IrregularityReported
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import CloseTable, GiveNotice, OpenTable, RegisterDice
from taisai.core.table.tumble import RecordTumble
from taisai.projections.table_view import view_of
from tests.kit.tables import open_table
from tests.rules.rounds import bets, irregularities, limits_on, playing, ruling, settled

BOTH = pytest.mark.parametrize("key", ["ts6", "tso5"])


# --- 5.1 over the maximum or the Differential ----------------------------------------------------


@BOTH
def test_5_1_excess_over_a_maximum_is_shown_to_the_dealer_before_the_close(key: str) -> None:
    rule = ruling(key, "over-limit")
    assert (rule.ruling, rule.clause) == ("reject-then-pro-rata", "5.1")
    # 7000 and 5000 on one domino are 2000 more than it may take, over all players together.
    placed = bets([("ann", "domino-14", 7000), ("bob", "domino-14", 5000)])
    reason = because(
        "ABOVE_MAXIMUM_OF_BOX", box="domino-14", total_cents=12000, maximum_cents=10000
    )
    table, limits = taisai.pay_table(f"{key}/1"), limits_on(f"{key}/1", 1000, 10000)
    assert notices(table, limits, placed) == [Notice("domino-14", 2000, reason, "5.1")]


@BOTH
def test_5_1_excess_over_the_differential_is_shown_to_the_dealer(key: str) -> None:
    # Odd 9000 against Even 1000: 8000 apart, 3000 more than 5000.
    placed = bets([("ann", "odd", 9000), ("bob", "even", 1000)])
    limits = limits_on(f"{key}/2", 1000, 10000, differential=5000)
    (notice,) = notices(taisai.pay_table(f"{key}/2"), limits, placed)
    assert (notice.box, notice.amount, notice.clause) == ("odd", 3000, "5.1")
    assert notice.reason.code == "ABOVE_DIFFERENTIAL"


@BOTH
@pytest.mark.parametrize("stake", [4000, 5000])
def test_5_1_bets_up_to_the_limits_are_nothing_to_notice(key: str, stake: int) -> None:
    placed = bets([("ann", "small", 5000), ("bob", "small", stake), ("cat", "big", 5000)])
    limits = limits_on(f"{key}/1", 1000, 10000, differential=5000)
    assert notices(taisai.pay_table(f"{key}/1"), limits, placed) == []


@BOTH
def test_5_1_a_terminal_is_refused_the_bet_that_would_pass_a_limit(key: str) -> None:
    table = taisai.pay_table(f"{key}/1")
    limits = limits_on(f"{key}/1", 1000, 10000, differential=5000)
    over_maximum = change_refusal(table, limits, {"small": 9000, "big": 9000}, {}, {"small": 1100})
    assert over_maximum is not None
    assert (over_maximum.code, over_maximum.clause) == ("ABOVE_MAXIMUM", "5.1")
    for larger, smaller in [("big", "small"), ("small", "big")]:
        over = change_refusal(table, limits, {smaller: 1000}, {}, {larger: 6100})
        assert over is not None
        assert (over.code, over.clause) == ("ABOVE_DIFFERENTIAL", "5.1")
        assert over.reason.params["over_cents"] == 100


@BOTH
def test_5_1_1_an_overfull_box_plays_pro_rata_and_wins_so(key: str) -> None:
    # 90000 + 60000 = 150000 lie on a box of 100000: two thirds of each bet plays.
    placed = [("ann", "small", 90000), ("bob", "small", 60000)]
    round_ = settled(f"{key}/1", (1, 2, 4), placed, limits_on(f"{key}/1", 1000, 100000))
    assert playing(round_) == [("ann", 60000, "maximum"), ("bob", 40000, "maximum")]
    assert [bet.won for bet in round_.bets] == [60000, 40000]
    # Ann gets 30000 that did not play, 60000 that did and 60000 won.
    assert [bet.back for bet in round_.bets] == [150000, 100000]
    assert (round_.collected, round_.paid) == (0, 100000)
    assert taisai.rulebook(key).content.limits.pro_rata_clause == "5.1.1"


@BOTH
def test_5_1_1_an_overfull_box_loses_pro_rata_too(key: str) -> None:
    placed = [("ann", "small", 90000), ("bob", "small", 60000)]
    round_ = settled(f"{key}/1", (5, 6, 6), placed, limits_on(f"{key}/1", 1000, 100000))
    assert [bet.back for bet in round_.bets] == [30000, 20000]
    assert (round_.collected, round_.paid) == (100000, 0)


@BOTH
def test_5_1_1_nobodys_share_falls_under_the_minimum(key: str) -> None:
    # Half of each would play: 9500 and 500. Bob is held at the minimum of 1000, 9000 is left.
    placed = [("ann", "total-11", 19000), ("bob", "total-11", 1000)]
    round_ = settled(f"{key}/1", (1, 4, 6), placed, limits_on(f"{key}/1", 1000, 10000))
    assert playing(round_) == [("ann", 9000, "maximum"), ("bob", 1000, "whole")]


@BOTH
def test_5_1_1_the_maximum_is_the_boxs_own_where_it_has_one(key: str) -> None:
    # Any Triple may take 2000: half of 3000 and of 1000.
    limits = limits_on(f"{key}/1", 100, 100000, boxes={"any-triple": (None, 2000)})
    placed = [("ann", "any-triple", 3000), ("bob", "any-triple", 1000), ("bob", "triple-1", 9000)]
    round_ = settled(f"{key}/1", (1, 1, 1), placed, limits)
    assert [bet.playing for bet in round_.bets] == [1500, 500, 9000]
    assert [bet.won for bet in round_.bets] == [46500, 15500, 1620000]


@BOTH
def test_5_1_1_the_side_that_passes_the_differential_plays_pro_rata(key: str) -> None:
    # Small 4000 and the Differential 5000 leave Big 9000 of its 12000: three quarters.
    placed = [("ann", "big", 8000), ("bob", "big", 4000), ("cat", "small", 4000)]
    limits = limits_on(f"{key}/1", 1000, 100000, differential=5000)
    assert playing(settled(f"{key}/1", (4, 5, 6), placed, limits)) == [
        ("ann", 6000, "differential"),
        ("bob", 3000, "differential"),
        ("cat", 4000, "whole"),
    ]


@BOTH
def test_5_1_1_where_nothing_is_left_for_a_bet_it_is_returned(key: str) -> None:
    # Without a minimum, half of 900 and of 100: 450 and 50. In steps 400 and 0, and the step left
    # over goes to bob, who came first.
    placed = [("bob", "small", 900), ("ann", "small", 100)]
    round_ = settled(f"{key}/1", (5, 6, 6), placed, limits_on(f"{key}/1", 0, 500))
    assert playing(round_) == [("bob", 500, "maximum"), ("ann", 0, "maximum")]
    returned = round_.bets[1]
    assert (returned.outcome.value, returned.back, returned.clause) == ("returned", 100, "5.1.1")
    assert returned.reason.code == "RETURNED"


@BOTH
def test_5_1_2_a_box_that_is_just_full_has_nobody_to_exempt(key: str) -> None:
    placed = [("ann", "big", 400), ("bob", "big", 9600)]
    round_ = settled(f"{key}/1", (4, 5, 6), placed, limits_on(f"{key}/1", 1000, 10000))
    assert playing(round_) == [("ann", 400, "under-minimum"), ("bob", 9600, "whole")]


@BOTH
def test_5_1_2_under_minimum_bet_is_not_prorated(key: str) -> None:
    # Ann's 400 is under the minimum and plays whole; Bob's 12000 plays the 9600 left of 10000.
    placed = [("ann", "big", 400), ("bob", "big", 12000)]
    round_ = settled(f"{key}/1", (4, 5, 6), placed, limits_on(f"{key}/1", 1000, 10000))
    assert playing(round_) == [("ann", 400, "exempt"), ("bob", 9600, "maximum")]
    assert [bet.won for bet in round_.bets] == [400, 9600]
    assert taisai.rulebook(key).content.limits.exempt_clause == "5.1.2"


# --- 5.2 under the minimum -----------------------------------------------------------------------


@BOTH
def test_5_2_the_dealer_sees_whom_to_advise_and_how_much_is_missing(key: str) -> None:
    rule = ruling(key, "below-minimum")
    assert (rule.ruling, rule.clause) == ("advise-then-stands", "5.2")
    # Ann's two bets on the box make 700, 300 short of 1000; Bob's 1000 meets it.
    placed = bets([("ann", "single-3", 400), ("bob", "single-3", 1000), ("ann", "single-3", 300)])
    reason = because("BELOW_MINIMUM", box="single-3", stake_cents=700, minimum_cents=1000)
    table, limits = taisai.pay_table(f"{key}/1"), limits_on(f"{key}/1", 1000, 10000)
    assert notices(table, limits, placed) == [Notice("single-3", 300, reason, "5.2", "ann")]


@BOTH
def test_5_2_a_terminal_is_refused_a_bet_under_the_minimum(key: str) -> None:
    table, limits = taisai.pay_table(f"{key}/1"), limits_on(f"{key}/1", 1000, 10000)
    refusal = change_refusal(table, limits, {}, {}, {"single-3": 900})
    assert refusal is not None
    assert (refusal.code, refusal.clause) == ("BELOW_MINIMUM", "5.2")
    # Added to what Ann has there already, the same 900 makes it.
    assert (
        change_refusal(table, limits, {"single-3": 1000}, {"single-3": 1000}, {"single-3": 900})
        is None
    )


@BOTH
def test_5_2_the_minimum_is_each_players_on_each_box_and_the_maximum_the_boxs(key: str) -> None:
    table, limits = taisai.pay_table(f"{key}/1"), limits_on(f"{key}/1", 1000, 10000)
    # Together they have 1400 on the box, and Bob 5000 on another: neither makes up for 700.
    placed = [("ann", "single-3", 700), ("bob", "single-3", 700), ("bob", "single-4", 5000)]
    short = [(each.player, each.amount) for each in notices(table, limits, bets(placed))]
    assert short == [("ann", 300), ("bob", 300)]
    refusal = change_refusal(
        table, limits, {"single-3": 700}, {"single-4": 5000}, {"single-3": 700}
    )
    assert refusal is not None
    assert (refusal.code, refusal.clause) == ("BELOW_MINIMUM", "5.2")
    stands = [("ann", 700, "under-minimum"), ("bob", 700, "under-minimum"), ("bob", 5000, "whole")]
    assert playing(settled(f"{key}/1", (1, 2, 5), placed, limits)) == stands
    # Three of 4000 each meet the minimum, and are over the maximum together alone.
    full = [(player, "single-3", 4000) for player in ("ann", "bob", "cat")]
    refusal = change_refusal(table, limits, {"single-3": 8000}, {}, {"single-3": 4000})
    assert refusal is not None
    assert (refusal.code, refusal.clause) == ("ABOVE_MAXIMUM", "5.1")
    (notice,) = notices(table, limits, bets(full))
    assert (notice.box, notice.amount, notice.player) == ("single-3", 2000, None)
    shares = [part[1] for part in playing(settled(f"{key}/1", (1, 2, 5), full, limits))]
    assert shares == [3400, 3300, 3300]


@BOTH
def test_5_2_1_a_bet_under_the_minimum_that_nobody_noticed_stands(key: str) -> None:
    limits = limits_on(f"{key}/1", 1000, 10000)
    won = settled(f"{key}/1", (3, 4, 5), [("ann", "single-3", 400)], limits)
    assert playing(won) == [("ann", 400, "under-minimum")]
    assert (won.bets[0].won, won.bets[0].back) == (400, 800)
    lost = settled(f"{key}/1", (4, 5, 6), [("ann", "single-3", 400)], limits)
    assert (lost.collected, lost.bets[0].back) == (400, 0)
    assert taisai.rulebook(key).content.limits.stands_clause == "5.2.1"


# --- 5.3 to 5.6 what happens to people, power and dice -------------------------------------------


@BOTH
def test_5_3_a_bet_whose_player_walked_away_is_settled(key: str) -> None:
    rule = ruling(key, "walked-away")
    assert (rule.ruling, rule.clause) == ("settle", "5.3")


@BOTH
def test_5_4_1_interrupted_with_an_outcome_the_round_is_concluded(key: str) -> None:
    rule = ruling(key, "interrupted-with-outcome")
    assert (rule.ruling, rule.clause) == ("conclude", "5.4.1")


@BOTH
def test_5_4_2_interrupted_without_an_outcome_the_round_is_void(key: str) -> None:
    rule = ruling(key, "interrupted-without-outcome")
    assert (rule.ruling, rule.clause) == ("void-round", "5.4.2")


@BOTH
def test_5_5_1_fewer_than_three_tumbles_void_the_round(key: str) -> None:
    rule = ruling(key, "bad-tumble")
    assert (rule.ruling, rule.clause) == ("void-round", "5.5.1")
    assert taisai.rulebook(key).content.procedure.tumble.at_least == 3


@BOTH
def test_5_5_2_a_die_that_is_not_flat_voids_the_round(key: str) -> None:
    rule = ruling(key, "die-not-flat")
    assert (rule.ruling, rule.clause) == ("void-round", "5.5.2")


@pytest.mark.parametrize(
    ("key", "code", "order", "other"),
    [
        ("ts6", "dice-exposed", "either", "tumbled-too-early"),
        ("tso5", "tumbled-too-early", "after-close", "dice-exposed"),
    ],
)
def test_5_5_3_dice_seen_early_or_in_the_open_tumbled_early_void_the_round(
    key: str, code: str, order: str, other: str
) -> None:
    rule = ruling(key, code)
    assert (rule.ruling, rule.clause) == ("void-round", "5.5.3")
    assert other not in irregularities(key)
    tumble = taisai.rulebook(key).content.procedure.tumble
    assert (tumble.order, tumble.order_clause) == (order, "5.5.3")


@BOTH
def test_5_6_damaged_dice_void_every_round_they_affected(key: str) -> None:
    rule = ruling(key, "damaged-dice")
    assert (rule.ruling, rule.clause) == ("void-affected-rounds", "5.6")


@BOTH
def test_5_6_damaged_dice_are_out_of_play_and_the_round_under_way_is_void(key: str) -> None:
    table = open_table(f"{key}/2").betting(t7={"small": 5_000})
    quarantined, *_, voided = table.does("dealer", ReportDamage("a chipped die"))
    assert isinstance(quarantined, DiceQuarantined)
    assert isinstance(voided, RoundVoided)
    assert (voided.code, voided.clause, table.credits("7")) == ("damaged-dice", "5.6", 100_000)
    assert table.refuses("dealer", OpenBets()) == ("NO_DICE", "5.6")
    for name, seal in (("D1", "S2"), ("d 1", "S2"), ("D2", "s1")):
        again = RegisterDice(name, seal)
        assert table.refuses("supervisor", again)[0] == "DICE_QUARANTINED"
    table.does("supervisor", RegisterDice("D2", "S2"))
    table.betting()


@BOTH
def test_5_6_damage_to_dice_that_are_not_in_use_leaves_the_round_alone(key: str) -> None:
    table = open_table(f"{key}/2")
    used = table.state.dice_set
    table.does("supervisor", RegisterDice("others", "S9"))
    table.betting(t7={"small": 5_000})
    (quarantined,) = table.does("dealer", ReportDamage("a chipped die", used))
    assert isinstance(quarantined, DiceQuarantined)
    assert (quarantined.dice_set, table.live("7")) == (used, 5_000)


@BOTH
def test_5_6_dice_found_damaged_after_hours_are_out_of_play_all_the_same(key: str) -> None:
    table = open_table(f"{key}/2").betting(t7={"small": 5_000})
    table.settled(1, 2, 3)
    table.does("supervisor", GiveNotice())
    table.does("supervisor", CloseTable())
    (quarantined,) = table.does("supervisor", ReportDamage("a chipped die"))
    assert isinstance(quarantined, DiceQuarantined)
    assert table.refuses("supervisor", OpenTable())[0] == "NO_DICE"
    *_, reversed_ = table.agrees("supervisor", VoidSettledRounds(1, "a chipped die"))
    assert isinstance(reversed_, RoundsReversed)
    assert (reversed_.rounds, table.credits("7")) == ((1,), 100_000)


@BOTH
def test_5_6_dice_that_were_seen_void_the_round_by_two_persons(key: str) -> None:
    table = open_table(f"{key}/2").betting(t7={"small": 5_000}).closed()
    table.does("dealer", RecordTumble(3))
    events = table.does("dealer", ReportDamage("a chipped die"))
    assert [type(each) for each in events] == [
        DiceQuarantined,
        IrregularityReported,
        ApprovalRequested,
    ]
    assert table.state.doubts == ("damaged-dice",)
    *_, voided = table.does("supervisor", table.approval())
    assert isinstance(voided, RoundVoided)
    assert (voided.code, table.credits("7")) == ("damaged-dice", 100_000)


@BOTH
def test_5_6_the_same_set_returns_only_if_two_persons_find_it_undamaged(key: str) -> None:
    table = open_table(f"{key}/2")
    table.does("dealer", ReportDamage("a chipped die"))
    table.does("supervisor", FindUndamaged("D1", "a hair, no chip"))
    assert table.refuses("supervisor", RegisterDice("D1", "S1"))[0] == "DICE_QUARANTINED"
    assert view_of(table.state).put_away == ("D1",)
    table.agrees("supervisor", FindUndamaged("D1", "a hair, no chip"))
    assert view_of(table.state).put_away == ()
    table.does("supervisor", RegisterDice("D1", "S1"))
    table.betting()


@BOTH
def test_5_6_a_set_that_came_back_and_had_no_round_yet_was_last_used_before(key: str) -> None:
    table = open_table(f"{key}/2")
    table.betting(t7={"big": 1_000}).settled(1, 2, 3)
    table.does("supervisor", RegisterDice("D2", "S2"))
    table.betting(t7={"big": 1_000}).settled(1, 2, 3)
    table.does("supervisor", RegisterDice("D1", "S1"))
    later = VoidSettledRounds(2, "a chipped die", "D1")
    assert table.refuses("supervisor", later)[0] == "ROUND_OUT_OF_RANGE"
    *_, reversed_ = table.agrees("supervisor", VoidSettledRounds(1, "a chipped die", "D1"))
    assert isinstance(reversed_, RoundsReversed)
    assert (reversed_.rounds, reversed_.last, table.credits("7")) == ((1,), 1, 99_000)


@BOTH
def test_5_6_all_affected_rounds_are_void_however_long_ago(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table holds one round; the journal has all [D24]. Three rounds cost 7 30.00 in all."""
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 1)
    table = open_table(f"{key}/2")
    for _ in range(3):
        table.betting(t7={"big": 1_000}).settled(1, 2, 3)
    assert (list(table.state.history), table.credits("7")) == ([3], 97_000)
    *_, reversed_ = table.agrees("supervisor", VoidSettledRounds(1, "a chipped die"))
    assert isinstance(reversed_, RoundsReversed)
    assert (reversed_.rounds, reversed_.clause) == ((1, 2, 3), "5.6")
    assert table.credits("7") == 100_000


@BOTH
def test_5_10_the_dice_of_a_round_long_ago_prevail_too(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Big was lost on 1, 2, 3, and the dice were 4, 5, 6: 10.00 are back with 10.00 [D11, D24]."""
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 1)
    table = open_table(f"{key}/2")
    for _ in range(3):
        table.betting(t7={"big": 1_000}).settled(1, 2, 3)
    wrong = CorrectSettledRound(1, (4, 5, 6), "seen on camera")
    *_, resettled = table.agrees("supervisor", wrong)
    assert isinstance(resettled, RoundResettled)
    assert (resettled.clause, table.credits("7")) == ("3.8", 99_000)


# --- 5.7 to 5.14 the close, mistakes, displays and rulings ---------------------------------------


@BOTH
def test_5_7_a_bet_after_the_close_is_told_this_clause(key: str) -> None:
    assert taisai.rulebook(key).content.procedure.betting.late_clause == "5.7"


@BOTH
def test_5_8_an_error_found_later_leaves_later_rounds_alone(key: str) -> None:
    rule = ruling(key, "late-error")
    assert (rule.ruling, rule.clause) == ("no-effect-on-later-rounds", "5.8")


@BOTH
def test_5_9_bets_count_as_they_lay_at_the_close(key: str) -> None:
    settlement = taisai.rulebook(key).content.procedure.settlement
    assert (settlement.basis, settlement.basis_clause) == ("close", "5.9")
    # Nor may the Venue put a bet right afterwards, as another document allows.
    assert settlement.corrections_clause is None
    rule = ruling(key, "bet-in-error")
    assert (rule.ruling, rule.clause) == ("player-answers", "5.9")


@BOTH
@pytest.mark.parametrize("code", ["lights-fail", "wrong-entry"])
def test_5_10_where_lights_or_entry_are_wrong_the_dice_prevail(key: str, code: str) -> None:
    rule = ruling(key, code)
    assert (rule.ruling, rule.clause) == ("dice-prevail", "5.10")
    amendment = taisai.rulebook(key).content.procedure.amendment
    assert (amendment.clause, amendment.until) == ("5.10", "any-time")


@BOTH
def test_5_10_the_areas_to_light_are_those_of_the_boxes_that_win(key: str) -> None:
    # 2 2 6, total 10: what is lit and what is paid come from the same dice.
    result = taisai.result_of((6, 2, 2))
    expected = {"small", "single-2", "single-6", "total-10", "domino-26", "double-2"}
    table = taisai.pay_table(f"{key}/1")
    assert {area.box for area in table.lit_areas(result)} == expected
    placed = [("ann", box, 1000) for box in sorted(table.boxes)]
    paid = {bet.box for bet in settled(f"{key}/1", (6, 2, 2), placed).bets if bet.won}
    assert paid == expected


@BOTH
def test_5_11_a_display_that_is_wrong_changes_nothing(key: str) -> None:
    rule = ruling(key, "display-wrong")
    assert (rule.ruling, rule.clause) == ("dice-prevail", "5.11")


@BOTH
def test_5_12_the_bets_of_a_void_round_go_back_by_this_clause(key: str) -> None:
    assert taisai.rulebook(key).content.procedure.settlement.void_clause == "5.12"


@BOTH
def test_5_13_pit_staff_may_place_a_bet_on_a_players_behalf(key: str) -> None:
    assert taisai.rulebook(key).content.procedure.betting.on_behalf_clause == "5.13"


@BOTH
def test_5_14_what_the_rules_leave_open_the_shift_manager_rules(key: str) -> None:
    rule = ruling(key, "not-covered")
    assert (rule.ruling, rule.clause) == ("shift-manager-rules", "5.14")
    people = {person.role: person for person in taisai.rulebook(key).content.people}
    assert people["shift-manager"].title == "Table Game Shift Manager"
    assert people["shift-manager"].clause == "5.14"
