"""Proven bounds must hold: floats against integers, roots against their known properties."""

import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisai.maths.distribution import Distribution
from taisai.maths.errors import MathsError
from taisai.maths.figures import Figure, rounded
from taisai.maths.ruin import ever, ruin_within
from taisai.maths.ruin import exits as leaving
from taisai.maths.ruin.banded import solved, solved_for_all
from taisai.maths.ruin.ever import (
    Root,
    expected_rounds,
    root_of_falling,
    root_of_rising,
    ruin_ever,
    target_first,
)
from taisai.maths.ruin.exits import (
    Leaving,
    chance_of_ceiling,
    chance_of_ruin,
    depth_of_ruin,
    rounds_until,
    solved_exactly,
)
from taisai.maths.ruin.float_bounds import bounded_figures, compute, ruin_curves
from taisai.maths.ruin.within import Course, Walk, count, exact_figures, walk_of
from taisai.maths.slates import Slate
from taisai.rulebooks import pay_table

TS6 = pay_table("ts6/1")
ETG8 = pay_table("etg8/1")
SLATES = [
    Slate.of(TS6, {"small": 100}),
    Slate.of(TS6, {"single-3": 100}),
    Slate.of(TS6, {"total-4": 100}),
    Slate.of(TS6, {"small": 200, "single-3": 100, "total-4": 50}),
    Slate.of(ETG8, {"total-8": 2}),
]


@pytest.mark.parametrize("slate", SLATES)
@pytest.mark.parametrize(("banks", "rounds"), [(1, 7), (8, 120), (40, 300)])
@pytest.mark.parametrize("target", [None, 60])
def test_floats_lie_around_the_integers(
    slate: Slate, banks: int, rounds: int, target: int | None
) -> None:
    goal = None if target is None else target * slate.staked
    course = Course(walk_of(slate, banks * slate.staked, target=goal), rounds)
    exact = exact_figures(count(course))
    floats = bounded_figures(compute(course))
    for one, other in zip(exact, floats, strict=True):
        assert other.low <= one.value <= other.high
        assert other.error <= 1e-11


def test_a_tail_is_right_in_proportion() -> None:
    course = Course(walk_of(SLATES[0], 50_000), 1_000)
    exact, floats = exact_figures(count(course))[0], bounded_figures(compute(course))[0]
    assert 0 < float(exact) < 1e-50
    assert floats.low <= exact.value <= floats.high
    assert floats.error <= exact.value * Fraction(1, 10**11)


def test_what_is_left_out_for_speed_widens_the_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taisai.maths.ruin.float_bounds._KEPT", 8)
    monkeypatch.setattr("taisai.maths.ruin.float_bounds.LEFT_OUT_MAX", 0.01)
    course = Course(walk_of(SLATES[1], 2_000), 256)
    exact, computed = exact_figures(count(course))[0], compute(course)
    floats = bounded_figures(computed)[0]
    assert 0 < computed.left_out <= 0.01
    assert floats.low <= exact.value <= floats.high
    assert floats.error > 1e-9


def test_a_count_past_all_floats_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taisai.maths.ruin.float_bounds.FLOAT_WORK_MAX", 10_000_000)
    with pytest.raises(MathsError, match="too much to count"):
        ruin_within(SLATES[0], 10**9, 1_000_000, target=10**12)


def test_a_count_that_would_take_long_is_done_in_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = ruin_within(SLATES[1], 3_000, 200)
    monkeypatch.setattr("taisai.maths.ruin.EXACT_WORK_MAX", 1_000)
    floats = ruin_within(SLATES[1], 3_000, 200)
    assert exact.exact
    assert not floats.exact
    assert floats.ruined.low <= exact.ruined.value <= floats.ruined.high
    assert floats.by_round == pytest.approx(exact.by_round)
    assert floats.quantile("0.1") == exact.quantile("0.1")


QUESTIONS: list[Callable[[Walk, int], Leaving]] = [
    chance_of_ceiling,
    chance_of_ruin,
    rounds_until,
    depth_of_ruin,
]


@pytest.mark.parametrize("slate", SLATES)
@pytest.mark.parametrize("ask", QUESTIONS)
@pytest.mark.parametrize(("banks", "target"), [(1, 2), (5, 40), (30, 45)])
def test_blocks_of_floats_lie_around_the_recurrence(
    slate: Slate, ask: Callable[[Walk, int], Leaving], banks: int, target: int
) -> None:
    walk = walk_of(slate, banks * slate.staked, target=target * slate.staked)
    assert walk.ceiling is not None
    question = ask(walk, walk.ceiling)
    exact = solved_exactly(question)
    (floats,) = solved([question])
    assert exact is not None
    assert floats.low <= exact <= floats.high
    assert floats.error <= 1e-7 * max(1, float(exact))
    assert solved_for_all(question)[walk.start] == pytest.approx(float(exact), rel=1e-9, abs=1e-9)


def test_a_question_turned_over_has_the_same_answer() -> None:
    walk = walk_of(SLATES[3], 5_000, target=9_000)
    assert walk.ceiling is not None
    question = chance_of_ruin(walk, walk.ceiling)
    turned = question.turned()
    assert solved_exactly(question) == solved_exactly(turned)
    assert turned.turned().steps == question.steps


def test_levels_past_exact_ones_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = target_first(SLATES[0], 5_000, 10_000)
    monkeypatch.setattr(leaving, "EXACT_WORK_MAX", 10)
    floats = target_first(SLATES[0], 5_000, 10_000)
    assert exact.exact
    assert not floats.exact
    assert floats.low <= exact.value <= floats.high
    # Far up, the root of the characteristic equation bounds chances too small for floats.
    assert target_first(SLATES[0], 50_000, 500_000).high < Fraction(1, 10**100)


@given(st.integers(1, 30), st.integers(2, 6), st.integers(0, 12))
def test_ruin_ever_of_one_level_is_a_power_of_the_root(lost: int, won: int, start: int) -> None:
    # Up by `won` or down by one: fair at won × rises = lost, so twice that rises.
    net = Distribution.from_mapping({-1: lost, won: lost})
    figure = ruin_ever(net, start + 1)
    chance = float(figure)
    step = chance ** (1 / (start + 1))
    assert (1 + step ** (won + 1)) / 2 == pytest.approx(step, rel=1e-9)
    assert figure.error <= 1e-25


def test_ruin_ever_of_single_steps_is_exact() -> None:
    favourable = Distribution.from_mapping({-1: 2, 0: 5, 1: 3})
    assert ruin_ever(favourable, 7).value == Fraction(2, 3) ** 7


@pytest.mark.parametrize("weights", [{-2: 20, 3: 18}, {-3: 4, -1: 4, 2: 12}, {-5: 9, 7: 9}])
def test_ruin_ever_of_larger_losses_lies_between_long_runs_and_their_rest(
    weights: dict[int, int],
) -> None:
    net = Distribution.from_mapping(weights)
    bank = 20
    figure = ruin_ever(net, bank)
    long_run = ruin_within(net, bank, 1_500)
    assert net.mean > 0
    assert long_run.ruined.value <= figure.high
    # A bank that is ruined at all is ruined early: little chance is left by then.
    assert float(figure.low) == pytest.approx(float(long_run.ruined), abs=1e-6)
    assert figure.error < 1e-9


def test_without_floats_the_root_alone_bounds_ruin(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Distribution.from_mapping({-2: 20, 3: 14})
    near = ruin_ever(net, 20)
    monkeypatch.setattr(ever, "_BEYOND", 10.0**12)
    far = ruin_ever(net, 20)
    assert far.low <= near.low <= near.high <= far.high
    assert far.error > near.error


@pytest.mark.parametrize("slate", [SLATES[3], SLATES[4]])
def test_expected_rounds_until_ruin_are_those_until_a_far_target(slate: Slate) -> None:
    alone = expected_rounds(slate, 20 * slate.staked)
    with_target = expected_rounds(slate, 20 * slate.staked, target=900 * slate.staked)
    assert alone is not None
    assert with_target is not None
    assert float(alone) == pytest.approx(float(with_target), rel=1e-4)
    assert with_target.low < alone.high
    assert alone.error < 1e-6 * float(alone)


def test_roots_are_where_the_mean_of_powers_is_one() -> None:
    rising = Distribution.from_mapping({-1: 2, 1: 3})
    root = root_of_rising(rising)
    assert Fraction(root.low) <= Fraction(2, 3) <= Fraction(root.high)
    assert Fraction(root.high) - Fraction(root.low) < Fraction(1, 10**25)
    assert root_of_falling(rising.scaled(-1)) == root
    low, high = root.power(200)
    assert low <= Fraction(2, 3) ** 200 <= high
    seven_tenths = Root(Decimal("0.7"), Decimal("0.7"))
    low, high = seven_tenths.power(200)
    # More digits than are kept: neither bound can be the exact power.
    assert low < Fraction(7, 10) ** 200 < high
    assert root.power(10**9)[0] == 0
    assert root.power(10**9)[1] <= Fraction(1, 10**400)


@pytest.mark.parametrize("slate", [SLATES[0], SLATES[3]])
def test_curves_are_the_answers_for_each_bank(slate: Slate) -> None:
    bank, target = 20 * slate.staked + 3, 50 * slate.staked
    curves = ruin_curves(slate, bank, rounds=40, target=target)
    assert curves.banks[0] - slate.staked < walk_of(slate, bank).scale
    assert curves.banks[-1] < target
    for place in range(0, len(curves.banks), 23):
        has = curves.banks[place]
        within = curves.chances["within 40 rounds"][place]
        assert within == pytest.approx(float(ruin_within(slate, has, 40).ruined), abs=1e-12)
        before = curves.chances[f"before {target:,}"][place]
        assert before == pytest.approx(1 - float(target_first(slate, has, target)), abs=1e-9)


def test_without_numpy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("float_bounds", "banded"):
        monkeypatch.setitem(sys.modules, f"taisai.maths.ruin.{module}", None)
    assert ruin_within(SLATES[0], 500, 20).exact
    assert target_first(SLATES[0], 500, 900).exact
    for ask in (
        lambda: ruin_within(SLATES[0], 100_000, 100_000),
        lambda: target_first(SLATES[0], 5_000_000, 10_000_000),
    ):
        with pytest.raises(MathsError, match=r"taisai\[maths\]"):
            ask()


def test_a_rounded_sum_is_bounded_both_ways() -> None:
    figure = rounded(0.1 + 0.2, 4)
    assert figure.low < Fraction(3, 10) < figure.high
    assert figure.error < Fraction(1, 10**15)
    assert rounded(0.0, 1, losses=1).high > 0


def test_figures_are_counted_with_exactly() -> None:
    third = Figure.exactly(Fraction(1, 3))
    assert third.times(-3).plus(1).value == 0
