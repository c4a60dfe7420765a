"""The decision records, as far as the core carries them out already.

Each test is named by its decision; the sums are worked in the comments. Amounts are minor units.
"""

from fractions import Fraction
from itertools import product

import pytest

import taisai
from taisai.core.kernel.messages import Equipment
from taisai.core.rules.apportionment import clause_of, share_pro_rata
from taisai.core.rules.limit_checks import (
    Notice,
    Rejection,
    change_refusal,
    notices,
    reject_at_close,
)
from taisai.core.rules.money import write_odds
from taisai.core.rules.reason import because
from taisai.core.table.provably_fair import (
    ChainRetired,
    RetireChain,
    SecretRevealed,
    drawn_dice,
)
from taisai.core.table.round import ConfirmResult, EnterResult, OpenBets, Settle
from taisai.wording import name
from tests.kit.tables import open_table, secret_chain
from tests.rules.consoles import ruled_at
from tests.rules.rounds import (
    bets,
    irregularities,
    limits_on,
    outcome,
    playing,
    refused,
    ruling,
    settled,
)

KEYS = ["ts6", "tso5", "etg8", "div9"]


# --- D1 four numbers -----------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["ts6/2", "ts6/3", "tso5/2", "tso5/3", "etg8/3", "div9/2"])
def test_d01_four_numbers_win_on_three_different_faces_of_the_four(table: str) -> None:
    four = taisai.pay_table(table).boxes["four-6543"]
    # 4 choices of three faces, 6 orders each: 24 of 216, and 24 × 8 = 192 back of 216.
    won = {
        dice
        for dice in product(range(1, 7), repeat=3)
        if four.odds_on(taisai.result_of(dice)) is not None
    }
    assert len(won) == 24
    assert {frozenset(dice) for dice in won} == {
        *(frozenset({6, 5, 4}), frozenset({6, 5, 3})),
        *(frozenset({6, 4, 3}), frozenset({5, 4, 3})),
    }
    assert four.house_edge == Fraction(1, 9)


def test_d01_a_repeated_face_never_wins_four_numbers() -> None:
    for dice in [(6, 6, 5), (3, 4, 4), (5, 5, 5)]:
        lost = ("lose", None, "3.9", "FOUR_LOSES_ON_REPEAT")
        assert outcome("ts6/2", dice, "four-6543") == lost


# --- D2 pro rata ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stakes", "maximum", "shares"),
    [
        # Held twice: the first sharing holds 1100 (556), the second 2000 (900 of 3600 over 8000).
        ([6000, 2000, 1100], 4600, [2600, 1000, 1000]),
        # A tie: 1666 2/3 each; the two steps left over go to the two who came first.
        ([3000, 3000, 3000], 5000, [1700, 1700, 1600]),
        # No room: three minimums need 3000 of 2500, and stand all the same.
        ([2000, 2000, 2000], 2500, [1000, 1000, 1000]),
        # 600 under the minimum leaves 9400 to share: 8000/12000 is 6266 2/3, 4000/12000 3133 1/3.
        ([600, 8000, 4000], 10000, [600, 6300, 3100]),
        # Exactly full: nothing is cut.
        ([600, 5400, 4000], 10000, [600, 5400, 4000]),
        # The bets left whole pass the maximum by themselves: the other stands at the minimum.
        ([900, 900, 900, 4000], 2000, [900, 900, 900, 1000]),
    ],
)
def test_d02_an_overfull_box_is_shared_in_whole_steps(
    stakes: list[int], maximum: int, shares: list[int]
) -> None:
    assert share_pro_rata(stakes, minimum=1000, maximum=maximum, step=100) == shares


def test_d02_a_players_bets_on_a_box_are_summed_before_they_are_shared() -> None:
    # Ann's 600 and 900 make 1500, which is not under the minimum of 1000; 16000 lie on 8000.
    # Halves are 750 for Ann, held at 1000, and the rest for Bob: 7000.
    placed = [("ann", "total-9", 600), ("bob", "total-9", 14500), ("ann", "total-9", 900)]
    round_ = settled("ts6/1", (1, 2, 6), placed, limits_on("ts6/1", 1000, 8000))
    assert playing(round_) == [("ann", 1000, "maximum"), ("bob", 7000, "maximum")]
    # Ann wins 7 × 1000 and has 1500 back besides; Bob wins 7 × 7000, with his 14500.
    assert [bet.back for bet in round_.bets] == [8500, 63500]


def test_d02_stakes_beyond_64_bits_are_shared_exactly() -> None:
    # Two thirds of 9 × 10^20 and of 6 × 10^20.
    stakes = [9 * 10**20, 6 * 10**20]
    shares = share_pro_rata(stakes, minimum=1, maximum=10**21, step=1)
    assert shares == [6 * 10**20, 4 * 10**20]


@pytest.mark.parametrize(
    ("setting", "name"),
    [
        (taisai.LimitsAsked(1050, 10000, 100), "min"),
        (taisai.LimitsAsked(1000, 10050, 100), "max"),
        (taisai.LimitsAsked(1000, 10000, 100, 5050), "differential"),
    ],
)
def test_d02_limits_are_multiples_of_the_step(setting: taisai.LimitsAsked, name: str) -> None:
    refusal = taisai.set_limits(taisai.pay_table("ts6/1"), setting)
    assert isinstance(refusal, taisai.Refusal)
    assert (refusal.code, refusal.reason.code) == ("BAD_LIMITS", "BAD_LIMITS_OFF_STEP")
    assert refusal.reason.params["name"] == name


# --- D3 the Differential -------------------------------------------------------------------------


def test_d03_the_larger_side_is_shared_once_on_the_bets_as_they_lay() -> None:
    # Big 10500 would play 10000 after its maximum; 6000 ahead of Small, it gets 4000 + 5000.
    # Of 9000, ann's 857 1/7 is short: 1000. Of the other 8000 over 9500, bob 1263 3/19 and
    # cat 6736 16/19: rounded down 1200 and 6700, and bob's remainder is the larger.
    placed = [("ann", "big", 1000), ("bob", "big", 1500), ("cat", "big", 8000)]
    limits = limits_on("ts6/1", 1000, 10000, differential=5000)
    round_ = settled("ts6/1", (4, 5, 6), [*placed, ("dan", "small", 4000)], limits)
    assert [bet.playing for bet in round_.bets] == [1000, 1300, 6700, 4000]
    assert [bet.by.value for bet in round_.bets[1:3]] == ["differential", "differential"]


def test_d03_which_side_is_larger_is_judged_on_what_plays() -> None:
    # Big 13000 plays 10000 and so does Small: level, although Big looks 3000 ahead.
    placed = [("ann", "big", 13000), ("bob", "small", 10000)]
    limits = limits_on("tso5/1", 1000, 10000, differential=1000)
    round_ = settled("tso5/1", (4, 5, 6), placed, limits)
    assert playing(round_) == [("ann", 10000, "maximum"), ("bob", 10000, "whole")]


def test_d03_a_bet_under_the_minimum_is_exempt_from_the_differential_too() -> None:
    # Even may play 0 + 3000; ann's 400 stays whole, bob's 5000 plays the 2600 left.
    placed = [("ann", "even", 400), ("bob", "even", 5000)]
    limits = limits_on("ts6/2", 1000, 10000, differential=3000)
    round_ = settled("ts6/2", (2, 4, 6), placed, limits)
    exempt = ("ann", 400, "exempt-differential")
    assert playing(round_) == [exempt, ("bob", 2600, "differential")]
    assert clause_of(taisai.pay_table("ts6/2").limit_rules, round_.bets[0].by) == "D3"


@pytest.mark.parametrize("maximum", [5300, 5400])
def test_d03_a_box_that_passes_its_maximum_too_exempts_by_the_clause(maximum: int) -> None:
    # 5400 are on Even: over a maximum of 5300, not over one of 5400. Either way 3000 may play.
    placed = [("ann", "even", 400), ("bob", "even", 5000)]
    limits = limits_on("tso5/2", 1000, maximum, differential=3000)
    (ann, bob) = settled("tso5/2", (2, 4, 6), placed, limits).bets
    rules = taisai.pay_table("tso5/2").limit_rules
    assert (ann.playing, bob.playing) == (400, 2600)
    assert clause_of(rules, ann.by) == ("5.1.2" if maximum == 5300 else "D3")
    assert clause_of(rules, bob.by) == "5.1.1"


def test_d02_no_share_passes_the_bet() -> None:
    # Two bets off the step. 10000 of 10010: bob's 4955.04 has the larger remainder, and 5000
    # would pass his 4960.
    assert share_pro_rata([5050, 4960], minimum=1000, maximum=10000, step=100) == [5000, 4960]


# --- D4 who notices ------------------------------------------------------------------------------


def test_d04_a_batch_is_judged_on_the_state_it_leaves() -> None:
    table, limits = taisai.pay_table("ts6/1"), limits_on("ts6/1", 1000, 10000, differential=5000)
    alone = change_refusal(table, limits, {}, {}, {"big": 6000})
    assert alone is not None
    assert (alone.code, alone.clause) == ("ABOVE_DIFFERENTIAL", "5.1")
    # With Small 3000 in the same batch the sides end 3000 apart.
    assert change_refusal(table, limits, {}, {}, {"big": 6000, "small": 3000}) is None


def test_d04_a_withdrawal_that_leaves_a_player_under_the_minimum_is_refused() -> None:
    table, limits = taisai.pay_table("ts6/1"), limits_on("ts6/1", 1000, 10000)
    totals, held = {"big": 8000}, {"big": 2500}
    refusal = change_refusal(table, limits, totals, held, {"big": -2000})
    assert refusal is not None
    assert (refusal.code, refusal.clause) == ("BELOW_MINIMUM", "5.2")
    assert refusal.reason.params["stake_cents"] == 500
    assert change_refusal(table, limits, totals, held, {"big": -1500}) is None
    assert change_refusal(table, limits, totals, held, {"big": -2500}) is None


def test_d04_nobody_withdraws_more_than_lies_there() -> None:
    table, limits = taisai.pay_table("ts6/1"), limits_on("ts6/1", 1000, 10000)
    refusal = change_refusal(table, limits, {"big": 8000}, {"big": 2500}, {"big": -2600})
    assert refusal is not None
    assert refusal.code == "MORE_THAN_STAKED"
    assert refusal.reason.params == {"box": "big", "held_cents": 2500, "amount_cents": 2600}


def test_d04_a_withdrawal_may_leave_an_excess_on_the_other_side() -> None:
    table, limits = taisai.pay_table("ts6/1"), limits_on("ts6/1", 1000, 10000, differential=5000)
    totals = {"big": 7000, "small": 4000}
    assert change_refusal(table, limits, totals, {"small": 4000}, {"small": -4000}) is None


LIMITS_AT_CLOSE = limits_on("ts6/2", 1000, 10000, differential=5000)


@pytest.mark.parametrize(
    ("placed", "rejected"),
    [
        # 7000 against nothing, 2000 too many: bob's newest 1000 whole, then 1000 of ann's.
        ([("ann", "big", 6000), ("bob", "big", 1000)], [(0, 1000), (1, 1000)]),
        # 1800 too many; 700 would be left of bob's 2500, under the minimum, so all of it goes back.
        ([("ann", "big", 4300), ("bob", "big", 2500)], [(1, 2500)]),
        # One player's two bets count together: 2000 off the newer leaves 3000 + 2000.
        ([("ann", "odd", 3000), ("ann", "odd", 4000)], [(1, 2000)]),
        # 400 off ann's newer 1000 leaves 600 there, but 5000 in all: the rest stays.
        ([("ann", "odd", 4400), ("ann", "odd", 1000)], [(1, 400)]),
        # 500 off ann's newer bet leaves her 700 in all: both of her bets go back, bob's stay.
        (
            [("ann", "even", 300), ("bob", "even", 4300), ("ann", "even", 900)],
            [(0, 300), (2, 900)],
        ),
        # 1500 off bob's leaves exactly the minimum, which is enough.
        ([("ann", "big", 4000), ("bob", "big", 2500)], [(1, 1500)]),
        # A bet that nothing was taken from stays, whatever its size.
        ([("bob", "big", 500), ("ann", "big", 6000)], [(1, 1500)]),
        # 5000 apart is within the Differential.
        ([("ann", "big", 6000), ("bob", "small", 1000)], []),
        # The two pairs are judged each by itself: Small is 1000 over, Odd 600.
        ([("ann", "small", 6000), ("bob", "odd", 5600)], [(0, 1000), (1, 600)]),
    ],
)
def test_d04_an_excess_left_behind_is_rejected_at_the_close_newest_first(
    placed: list[tuple[str, str, int]], rejected: list[tuple[int, int]]
) -> None:
    table = taisai.pay_table("ts6/2")
    expected = [Rejection(position, amount) for position, amount in rejected]
    assert reject_at_close(table, LIMITS_AT_CLOSE, bets(placed)) == expected


def test_d04_a_return_that_tips_the_balance_is_followed_up_on_the_other_side() -> None:
    # Big 4000 is 100 too far ahead of Small 3600; 1900 of bob's would be under the minimum of
    # 2000, so his 2000 goes back. Now Small is 1600 ahead, 1300 too many: cat keeps 2300.
    limits = limits_on("ts6/1", 2000, 10000, differential=300)
    placed = bets([("cat", "small", 3600), ("ann", "big", 2000), ("bob", "big", 2000)])
    rejected = reject_at_close(taisai.pay_table("ts6/1"), limits, placed)
    assert rejected == [Rejection(0, 1300), Rejection(2, 2000)]


# --- D5 the order of the tumble ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "order"),
    [("ts6", "either"), ("tso5", "after-close"), ("etg8", "either"), ("div9", "before-bets")],
)
def test_d05_the_order_of_the_tumble_is_a_fact_of_the_rulebook(key: str, order: str) -> None:
    assert taisai.rulebook(key).content.procedure.tumble.order == order


@pytest.mark.parametrize(
    ("key", "clauses"),
    [
        ("ts6", {"bad-tumble": "5.5.1", "die-not-flat": "5.5.2", "dice-exposed": "5.5.3"}),
        ("tso5", {"bad-tumble": "5.5.1", "die-not-flat": "5.5.2", "tumbled-too-early": "5.5.3"}),
        ("etg8", {"bad-tumble": "5.3.1", "die-not-flat": "5.3.2", "dice-exposed": "5.3.3"}),
        ("div9", {"bad-tumble": "7.1(b)", "dice-exposed": "7.1(c)", "no-tumble": "7.1(d)"}),
    ],
)
def test_d05_what_happened_to_the_dice_voids_the_round_by_its_clause(
    key: str, clauses: dict[str, str]
) -> None:
    for code, clause in clauses.items():
        assert (ruling(key, code).ruling, ruling(key, code).clause) == ("void-round", clause)


@pytest.mark.parametrize(
    ("key", "rule"),
    [(key, "activate-tumbler") for key in ("ts6", "tso5", "etg8")] + [("div9", "void-round")],
)
def test_d26_no_tumble_at_all_voids_the_round_in_one_document_alone(key: str, rule: str) -> None:
    assert ruling(key, "no-tumble").ruling == rule


# --- D6 silence ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["etg8", "div9"])
def test_d06_limits_are_each_players_own_and_a_bet_outside_them_is_refused(key: str) -> None:
    limits = limits_on(f"{key}/1", 1000, 10000)
    # Together 16000 lie on Small, but neither player passes 10000.
    fine = [("ann", "small", 10000), ("bob", "small", 6000), ("cat", "big", 1000)]
    round_ = settled(f"{key}/1", (1, 2, 4), fine, limits)
    assert [bet.playing for bet in round_.bets] == [10000, 6000, 1000]
    over = refused(f"{key}/1", (1, 2, 4), [*fine, ("ann", "small", 100)], limits)
    assert (over.code, over.clause) == ("ABOVE_MAXIMUM", "D6")
    assert over.reason.code == "ABOVE_MAXIMUM_OF_PLAYER"
    under = refused(f"{key}/1", (1, 2, 4), [("ann", "small", 900)], limits)
    assert (under.code, under.clause) == ("BELOW_MINIMUM", "D6")


@pytest.mark.parametrize("key", ["etg8", "div9"])
def test_d06_a_terminal_counts_a_players_own_bets_alone(key: str) -> None:
    table, limits = taisai.pay_table(f"{key}/1"), limits_on(f"{key}/1", 1000, 10000)
    totals = {"small": 60000}
    assert change_refusal(table, limits, totals, {"small": 4000}, {"small": 6000}) is None
    refusal = change_refusal(table, limits, totals, {"small": 4000}, {"small": 6100})
    assert refusal is not None
    assert (refusal.code, refusal.clause) == ("ABOVE_MAXIMUM", "D6")


def test_d06_a_dealer_is_shown_what_passes_one_players_maximum() -> None:
    # 20100 lie on Small, and ann has 10100 of it: 100 over her own maximum. Bob is within his.
    placed = [("ann", "small", 6000), ("bob", "small", 10000), ("ann", "small", 4100)]
    amounts = {"total_cents": 10100, "maximum_cents": 10000}
    reason = because("ABOVE_MAXIMUM_OF_PLAYER", box="small", **amounts)
    table, limits = taisai.pay_table("div9/1"), limits_on("div9/1", 1000, 10000)
    assert notices(table, limits, bets(placed)) == [Notice("small", 100, reason, "D6", "ann")]
    assert notices(table, limits, bets(placed[:2])) == []


@pytest.mark.parametrize("key", ["etg8", "div9"])
def test_d06_the_differential_exists_only_where_a_document_defines_it(key: str) -> None:
    rules = taisai.rulebook(key).content.limits
    assert (rules.differential_pairs, rules.differential_clause) == ((), None)


@pytest.mark.parametrize("key", ["etg8", "div9"])
@pytest.mark.parametrize("code", ["over-limit", "below-minimum"])
def test_d06_a_bet_outside_the_limits_is_refused_by_this_decision(key: str, code: str) -> None:
    rule = ruling(key, code)
    assert (rule.ruling, rule.clause, rule.decision) == ("refuse", None, "D6")


@pytest.mark.parametrize("key", ["etg8", "div9"])
@pytest.mark.parametrize("code", ["over-limit", "below-minimum"])
def test_d06_what_is_reported_as_outside_the_limits_is_refused(key: str, code: str) -> None:
    assert ruled_at(open_table(f"{key}/1").betting(), code) == ("refuse", "D6")


def test_d06_what_division_9_leaves_open_is_ruled_by_this_decision() -> None:
    for code in ("damaged-dice", "not-covered"):
        rule = ruling("div9", code)
        assert (rule.ruling, rule.clause, rule.decision) == ("shift-manager-rules", None, "D6")
    manager = taisai.rulebook("div9").content.people[-1]
    assert (manager.role, manager.title, manager.decision) == (
        *("shift-manager", "Shift Manager"),
        "D6",
    )
    assert irregularities("div9").isdisjoint({"late-error", "walked-away", "display-wrong"})


def test_d06_a_fact_no_text_gives_is_empty_and_never_guessed() -> None:
    etg8, div9 = taisai.rulebook("etg8").content, taisai.rulebook("div9").content
    assert (etg8.version, etg8.effective, etg8.zone) == ("8", None, None)
    assert (div9.version, div9.effective, div9.zone) == (None, None, None)
    dated = [taisai.rulebook(key).content.effective for key in ("ts6", "tso5")]
    assert [None if at is None else at.isoformat() for at in dated] == [
        "2023-10-06T08:00:00+08:00",
        "2023-10-06T08:00:00+08:00",
    ]


# --- D7 "2,5 or 6" -------------------------------------------------------------------------------


def test_d07_the_combination_is_2_5_and_6_at_30_to_1() -> None:
    assert outcome("div9/2", (5, 6, 2), "three-256") == ("win", "30", "4.10", "THREE_WINS")
    # One of the faces named is not enough.
    assert outcome("div9/2", (2, 5, 5), "three-256")[:3] == ("lose", None, "4.1(i)")


# --- D10 geometry --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "decision"),
    [
        *[("ts6/1", None), ("ts6/2", "D10"), ("ts6/3", "D10")],
        *[("tso5/1", None), ("tso5/2", "D10"), ("tso5/3", "D10")],
        *[("etg8/1", "D10"), ("etg8/2", "D10"), ("etg8/3", "D10")],
        *[("div9/1", None), ("div9/2", "D10")],
    ],
)
def test_d10_a_layout_with_lost_cells_says_that_its_geometry_is_ours(
    table: str, decision: str | None
) -> None:
    assert taisai.pay_table(table).layout.decision == decision


@pytest.mark.parametrize(
    ("table", "code", "words"),
    [
        # The appendix of the first has a garbled "1 WINS 3" for Any Triple.
        ("ts6/1", "any-triple-pays", "31 to 1"),
        ("ts6/2", "each-pair", "Pair and one 50 to 1"),
        ("div9/2", "each-pair", "Pair and one 60 to 1"),
        ("etg8/1", "each-double", "Each double 11.5 to 1"),
        ("etg8/3", "each-double", "Each double 11 to 1"),
    ],
)
def test_d10_a_caption_prints_the_odds_of_the_pay_table(table: str, code: str, words: str) -> None:
    chip_table = taisai.pay_table(table)
    boxes = {str(each.pays_of) for each in chip_table.layout.captions if each.code == code}
    (odds,) = {write_odds(chip_table.boxes[box].odds[0]) for box in boxes}
    assert name("captions", code, odds=odds) == words


def test_d10_every_area_of_a_winning_box_lights() -> None:
    lit = taisai.pay_table("ts6/3").lit_areas(taisai.result_of((6, 6, 6)))
    assert sorted(area.box for area in lit) == [
        *("any-triple", "any-triple", "single-6", "single-6", "triple-6", "triple-6"),
    ]


# --- D13 which clause decides --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "dice", "box", "clause"),
    [
        ("ts6/2", (2, 2, 2), "small", "3.10"),
        ("ts6/2", (2, 2, 2), "big", "3.10"),  # its total would have lost as well
        ("ts6/2", (2, 2, 2), "odd", "3.10"),
        ("ts6/2", (2, 2, 2), "total-6", "4.1.2"),
        ("ts6/2", (2, 2, 2), "single-5", "3.9"),
        ("ts6/2", (4, 5, 6), "small", "3.9"),
        ("tso5/1", (4, 5, 6), "big", "4.1.1"),
        ("tso5/3", (1, 2, 3), "four-4321", "4.1.3"),
        ("etg8/1", (3, 3, 3), "even", "3.9"),
        ("etg8/1", (1, 2, 3), "odd", "3.8"),
        ("etg8/3", (1, 2, 3), "even", "4.1.3"),
        ("div9/1", (2, 2, 2), "small", "4.1(a)"),
        ("div9/1", (2, 2, 2), "triple-2", "4.10"),
        ("div9/2", (2, 2, 2), "even", "4.1(l)"),
        ("div9/2", (1, 2, 3), "three-112", "4.1(i)"),
    ],
)
def test_d13_a_settled_bet_cites_the_clause_that_decided_it(
    table: str, dice: tuple[int, int, int], box: str, clause: str
) -> None:
    assert outcome(table, dice, box)[2] == clause


@pytest.mark.parametrize(
    ("box", "clause"),
    [
        *[("small", "4.1(a)"), ("big", "4.1(b)"), ("triple-6", "4.1(c)"), ("double-6", "4.1(d)")],
        *[("total-4", "4.1(f)"), ("domino-46", "4.1(g)"), ("single-6", "4.1(h)")],
        *[("three-456", "4.1(i)"), ("three-665", "4.1(i)")],
        *[("four-6543", "4.1(j)"), ("odd", "4.1(k)"), ("even", "4.1(l)")],
    ],
)
def test_d13_a_loss_in_division_9_cites_the_bets_own_item(box: str, clause: str) -> None:
    # Triple 1 beats every one of these bets; Any Triple, item (e), is the one it does not.
    assert outcome("div9/2", (1, 1, 1), box)[:3] == ("lose", None, clause)


# --- D36 one history -----------------------------------------------------------------------------


def test_d36_a_chain_is_retired_between_rounds_and_its_owed_secret_still_comes_out() -> None:
    """What may be known deals no further round; no round is void by it, and nothing is withheld."""
    table = open_table(equipment=Equipment("verifiable"))
    table.betting()
    assert table.refuses("system", RetireChain("cut off")) == ("ROUND_UNDER_WAY", None)
    table.closed().tumbled()
    shown = drawn_dice(bytes.fromhex(secret_chain()[1]), table.state.table, 1)
    table.does("device", EnterResult(shown))
    table.does("system", ConfirmResult())
    table.does("system", Settle())
    assert table.does("system", RetireChain("cut off")) == (ChainRetired("cut off"),)
    assert table.refuses("system", OpenBets()) == ("SECRET_TO_REVEAL", None)
    assert table.reveals() == (SecretRevealed(1, secret_chain()[1], shown, agrees=True),)
    assert table.refuses("system", OpenBets()) == ("CHAIN_USED_UP", None)
