"""All tests together: how often fair dice are accused, what finds loaded ones, and the report."""

from collections.abc import Callable
from math import isclose
from pathlib import Path

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]

from taisai.core.rules.dice import RESULTS
from taisai.maths.errors import MathsError
from taisai.maths.fairness.examination import (
    GROUPS_MAX,
    Group,
    Report,
    examine,
    examine_groups,
    holm,
)
from taisai.maths.fairness.monte_carlo import Method, Outcome
from taisai.maths.fairness.plot import PICTURED_MAX, plot_fairness, shares_of
from taisai.maths.fairness.report_text import meaning_of, smallest_of, verdict_of
from taisai.maths.fairness.throws import RESULT_OF, RESULT_WEIGHTS, THROWS_MAX, Throws

KNOWN_TESTS = {
    *("results", "furthest", "totals", "faces", "patterns", "runs", "echo-totals", "watched"),
    *("die-1", "die-2", "die-3", "dice-1-2", "dice-1-3", "dice-2-3"),
    *("echo-die-1", "echo-die-2", "echo-die-3"),
}
SORTED_TESTS = {
    *("results", "furthest", "totals", "faces", "patterns", "runs", "echo-totals", "echo-faces"),
    "watched",
}


def fair(throws: int, seed: int, *, dice_known: bool = True) -> Throws:
    generator = np.random.default_rng(seed)
    return Throws(generator.integers(0, 216, throws, dtype=np.uint8), dice_known=dice_known)


def rejected(report: Report) -> set[str]:
    return {
        outcome.key for group in report.groups for outcome in group.outcomes if outcome.is_rejected
    }


def test_which_tests_are_made() -> None:
    known, sorted_ = (examine(fair(300, 1, dice_known=known)) for known in (True, False))
    assert {outcome.key for outcome in known.groups[0].outcomes} == KNOWN_TESTS
    assert {outcome.key for outcome in sorted_.groups[0].outcomes} == SORTED_TESTS
    assert (known.tests, sorted_.tests) == (17, 9)
    assert examine(fair(1, 1)).tests == 12


@pytest.mark.parametrize("throws", [3, 25])
def test_fair_dice_are_accused_no_more_often_than_allowed(throws: int) -> None:
    alpha, tried = 0.2, 40
    accused = sum(
        examine(
            fair(throws, 1_000 * throws + n, dice_known=throws < 10), 1 - alpha, seed=n
        ).is_rejected
        for n in range(tried)
    )
    assert accused / tried <= alpha + 3 * (alpha * (1 - alpha) / tried) ** 0.5


def test_holm_by_hand() -> None:
    made = [
        Outcome(key=str(p), statistic=0.0, p=p, method=Method.EXACT)
        for p in (0.04, 0.01, 0.03, 0.5)
    ]
    judged = holm(made, 0.05)
    assert [outcome.adjusted for outcome in judged] == pytest.approx([0.09, 0.04, 0.09, 0.5])
    assert [outcome.is_rejected for outcome in judged] == [False, True, False, False]


def _loaded_die(generator: np.random.Generator) -> Throws:
    second = generator.choice(6, 1_500, p=[0.13, 0.13, 0.13, 0.13, 0.13, 0.35])
    first, third = generator.integers(0, 6, (2, 1_500))
    return Throws((36 * first + 6 * second + third).astype(np.uint8), dice_known=True)


def _frequent_result(generator: np.random.Generator) -> Throws:
    codes = generator.integers(0, 216, 1_500, dtype=np.uint8)
    codes[generator.random(1_500) < 0.04] = 8
    return Throws(codes, dice_known=False)


def _linked_dice(generator: np.random.Generator) -> Throws:
    first, second, third = generator.integers(0, 6, (3, 1_500))
    third = np.where(generator.random(1_500) < 0.3, second, third)
    return Throws((36 * first + 6 * second + third).astype(np.uint8), dice_known=True)


def _repeated(generator: np.random.Generator) -> Throws:
    codes = generator.integers(0, 216, 1_500, dtype=np.uint8)
    codes[1:] = np.where(generator.random(1_499) < 0.3, codes[:-1], codes[1:])
    return Throws(codes, dice_known=True)


@pytest.mark.parametrize(
    ("throwing", "found", "not_found"),
    [
        (_loaded_die, {"die-2", "faces", "watched"}, {"die-1", "die-3", "dice-1-2", "echo-die-2"}),
        (_frequent_result, {"furthest", "results", "watched"}, {"echo-totals", "runs"}),
        (_linked_dice, {"dice-2-3", "patterns"}, {"dice-1-2", "die-2", "die-3", "runs"}),
        (_repeated, {"echo-totals", "echo-die-1", "runs"}, {"dice-1-2", "die-1", "watched"}),
    ],
)
def test_each_fault_is_found_by_the_tests_that_look_for_it(
    throwing: Callable[[np.random.Generator], Throws], found: set[str], not_found: set[str]
) -> None:
    report = examine(throwing(np.random.default_rng(12)))
    assert found <= rejected(report)
    assert not not_found & rejected(report)
    assert verdict_of(report).startswith("These are not the throws of fair dice, at 99 % conf")


def test_statistics_are_scipys_on_a_known_file() -> None:
    throws = fair(6_000, 3)
    by_key = {outcome.key: outcome for outcome in examine(throws).groups[0].outcomes}
    results = np.bincount(RESULT_OF[throws.codes], minlength=56)
    expected = np.array([result.throws for result in RESULTS]) / 216 * 6_000
    statistic, p = stats.chisquare(results, expected)
    assert isclose(by_key["results"].statistic, statistic)
    assert isclose(by_key["results"].p, p, rel_tol=1e-8)
    third = np.bincount(throws.codes % 6)
    assert isclose(by_key["die-3"].p, stats.chisquare(third).pvalue, rel_tol=1e-8)


def test_the_same_seed_gives_the_same_report() -> None:
    throws = fair(700, 5)
    assert examine(throws, seed=3) == examine(throws, seed=3)
    assert examine(throws, seed=3) != examine(throws, seed=4)


def test_groups_share_one_confidence() -> None:
    groups = [Group(name, fair(200, n, dice_known=False)) for n, name in enumerate("abc")]
    report = examine_groups(groups)
    assert (report.tests, report.throws) == (27, 600)
    assert [group.name for group in report.groups] == ["a", "b", "c"]
    every = [outcome for group in report.groups for outcome in group.outcomes]
    least = min(every, key=lambda outcome: outcome.p)
    assert least.adjusted == min(1.0, 27 * least.p)
    bad = examine_groups([*groups[:2], Group("c", Throws.of([(6, 6, 6)] * 30))])
    assert [group.is_rejected for group in bad.groups] == [False, False, True]
    assert "(c)" in verdict_of(bad)


def test_progress_is_told_test_by_test() -> None:
    told: list[tuple[str, int, int]] = []
    examine(fair(50, 1), progress=lambda *news: told.append(news))
    assert told[0] == ("results", 0, 17)
    assert told[-1] == ("", 17, 17)


def test_a_test_that_is_bad_alone_says_so() -> None:
    report = examine(fair(50, 1))
    outcome = Outcome(
        key="die-1",
        statistic=20.0,
        degrees=5,
        p=0.004,
        adjusted=0.07,
        method=Method.EXACT,
        details={"cell": 5, "count": 1, "expected": 8.3},
    )
    told = meaning_of(outcome, report)
    assert told == (
        "They come as they should; furthest off, face 6 came once where 8.3 are expected;"
        " rare by itself, but not among 17 tests."
    )
    assert smallest_of(report).startswith("The smallest of 17 p-values is ")
    assert verdict_of(report) == "Nothing speaks against fair dice at 99 % confidence."


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"confidence": 1.0}, "a confidence of 1.0 cannot be asked for"),
        ({"lags": 0}, "the lags of echoes are a whole number from 1 to 50, not 0"),
        ({"lags": 51}, "the lags of echoes are a whole number from 1 to 50, not 51"),
        ({"seed": -1}, "a seed is a whole number from 0"),
    ],
)
def test_odd_questions_are_refused(asked: dict[str, float], sentence: str) -> None:
    with pytest.raises(MathsError, match=sentence):
        examine(fair(5, 1), **asked)


def test_odd_throws_are_refused() -> None:
    with pytest.raises(MathsError, match="there is no throw to test"):
        Throws.of([])
    with pytest.raises(MathsError, match="there is no throw to test"):
        examine_groups([])
    with pytest.raises(MathsError, match="throw 2 is a list; three whole numbers from 1 to 6"):
        Throws.of([[1, 2, 3], [1, 2, 7]])
    with pytest.raises(MathsError, match="more than 10,000,000 throws"):
        Throws(np.zeros(THROWS_MAX + 1, dtype=np.uint8), dice_known=False)
    with pytest.raises(MathsError, match="at most 50 are tested together"):
        examine_groups([Group(str(n), fair(1, n)) for n in range(GROUPS_MAX + 1)])


def test_throws_that_all_lie_sorted_are_of_dice_not_known() -> None:
    assert not Throws.of([(1, 2, 3), (2, 2, 6), (4, 4, 4)]).dice_known
    assert Throws.of([(1, 2, 3), (2, 2, 6), (4, 4, 1)]).dice_known
    assert Throws.of([(1, 2, 3)], dice_known=True).dice_known


def test_shares_and_their_bars() -> None:
    counts = np.array([result.throws * 10 for result in RESULTS])
    shares, bars = shares_of(counts, RESULT_WEIGHTS, 2.0)
    assert np.allclose(shares, 1)
    assert isclose(bars[0], 2 * (215 / 216 / 10) ** 0.5)


def test_the_same_throws_give_the_same_picture(tmp_path: Path) -> None:
    def draw(name: str, *, dice_known: bool) -> bytes:
        groups = [Group("one", fair(300, 1, dice_known=dice_known))]
        plot_fairness(groups, examine_groups(groups), tmp_path / name)
        return (tmp_path / name).read_bytes()

    # The other tests of plots show that a PNG has the same bytes each time as well.
    assert draw("a.png", dice_known=True).startswith(b"\x89PNG")
    first = draw("a.svg", dice_known=False)
    assert first.startswith(b"<?xml")
    assert first == draw("b.svg", dice_known=False)


def test_a_picture_that_cannot_be_drawn_is_refused(tmp_path: Path) -> None:
    groups = [Group(str(n), fair(2, n)) for n in range(PICTURED_MAX + 1)]
    report = examine_groups(groups[:1])
    with pytest.raises(MathsError, match="a picture of 7 groups cannot be read"):
        plot_fairness(groups, report, tmp_path / "a.png")
    with pytest.raises(MathsError, match=r"a\.gif is no picture"):
        plot_fairness(groups[:1], report, tmp_path / "a.gif")
