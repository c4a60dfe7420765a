"""Habits: whatever the chance, the bet is one that the core would take."""

from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import taisai
from taisai.bots.habits import HABITS
from taisai.bots.sight import Layout, Sight
from taisai.core.kernel.messages import LimitsAsked
from taisai.core.rules.limit_checks import change_refusal
from taisai.core.rules.limits import Limits, set_limits

PAY_TABLES = ("ts6/2", "tso5/3", "etg8/2", "div9/2")


def chance(seed: int) -> Random:
    """Draw a source of chance that can be repeated."""
    return Random(seed)  # noqa: S311 - nothing is secret


def layout_of(pay_table: str) -> Layout:
    """Give the boxes of a pay table, as the odds list has them."""
    boxes = taisai.pay_table(pay_table).boxes.values()
    return Layout({box.key: box.kind.value for box in boxes})


def limits_of(pay_table: str, asked: LimitsAsked) -> Limits:
    """Put limits in force as a venue does."""
    limits = set_limits(taisai.pay_table(pay_table), asked)
    assert isinstance(limits, Limits), limits
    return limits


#: A pay table, its limits, one's own bets, those of others, and one's credits.
Situation = tuple[str, LimitsAsked, dict[str, int], dict[str, int], int]


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """Draw a table in play: limits, all bets, the bot's own, and its credits."""
    pay_table = draw(st.sampled_from(PAY_TABLES))
    step = 100
    minimum = step * draw(st.integers(1, 20))
    maximum = minimum + step * draw(st.integers(0, 200))
    has_pairs = bool(taisai.pay_table(pay_table).limit_rules.differential_pairs)
    differential = draw(st.none() | st.integers(0, 50)) if has_pairs else None
    asked = LimitsAsked(
        minimum,
        maximum,
        draw(st.sampled_from([None, step])),
        None if differential is None else step * differential,
        {"any-triple": (step, minimum)} if draw(st.booleans()) else {},
    )
    boxes = list(layout_of(pay_table).kinds)
    own = {
        box: minimum + step * draw(st.integers(0, 3))
        for box in draw(st.lists(st.sampled_from(boxes), max_size=4, unique=True))
    }
    others = {
        box: step * draw(st.integers(0, 250))
        for box in draw(st.lists(st.sampled_from(boxes), max_size=6, unique=True))
    }
    return pay_table, asked, own, others, step * draw(st.integers(0, 2_000))


@given(situation=situations(), seed=st.integers(0, 1_000), last=st.sampled_from([None, -1, 0, 1]))
def test_every_habit_bets_within_limits_and_credits(
    situation: Situation, seed: int, last: int | None
) -> None:
    # To make a situation takes longer than to bet in it: each is used for all habits.
    for habit in HABITS:
        assert_within_limits_and_credits(habit, situation, seed, last)


def assert_within_limits_and_credits(
    habit: str, situation: Situation, seed: int, last: int | None
) -> None:
    pay_table, asked, own, others, purse = situation
    totals = {box: own.get(box, 0) + others.get(box, 0) for box in {**own, **others}}
    bettor = HABITS[habit](chance(seed))
    for moment in bettor.moments():
        assert 0 <= moment < 1
    sight = Sight(layout_of(pay_table), asked, purse, own, totals, last)
    match bettor.move(sight):
        case "place", bets:
            assert bets
            assert all(stake > 0 for stake in bets.values())
            assert sum(bets.values()) <= purse
            assert _refusal(pay_table, asked, totals, own, bets) is None
        case "withdraw", bets:
            taken = {box: -stake for box, stake in bets.items()}
            assert _refusal(pay_table, asked, totals, own, taken) is None
        case "clear", _:
            assert own
        case None:
            pass


def _refusal(
    pay_table: str,
    asked: LimitsAsked,
    totals: Mapping[str, int],
    own: Mapping[str, int],
    change: Mapping[str, int],
) -> object:
    """Give the core's refusal, if any."""
    return change_refusal(
        taisai.pay_table(pay_table), limits_of(pay_table, asked), totals, own, change
    )


@pytest.mark.parametrize("pay_table", PAY_TABLES)
@pytest.mark.parametrize("habit", HABITS)
def test_at_every_layout_every_habit_finds_something_to_bet_on(habit: str, pay_table: str) -> None:
    bettor = HABITS[habit](chance(1))
    asked = LimitsAsked(100, 100_000, 100)
    moves = [bettor.move(Sight(layout_of(pay_table), asked, 100_000, {}, {})) for _ in range(20)]
    assert any(move is not None and move[0] == "place" for move in moves)


def test_the_doubler_doubles_after_a_loss_and_begins_again_after_a_win_or_at_the_maximum() -> None:
    bettor = HABITS["doubler"](chance(3))
    asked = LimitsAsked(100, 500, 100)
    stakes: list[int] = []
    for result in (None, -1, -1, -1, 1, -1):
        move = bettor.move(Sight(layout_of("ts6/2"), asked, 100_000, {}, {}, result))
        assert move is not None
        assert move[0] == "place"
        stakes += move[1].values()
    assert stakes == [100, 200, 400, 100, 100, 200]


def test_whoever_has_nothing_left_bets_nothing() -> None:
    for habit in HABITS.values():
        sight = Sight(layout_of("ts6/2"), LimitsAsked(100, 1_000, 100), 99, {}, {})
        assert habit(chance(2)).move(sight) is None
