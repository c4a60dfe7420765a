"""Engines: the generator against published figures and numpy's own, and the engines' answers."""

import os
import subprocess
import sys
import threading
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]

import taisai
from taisai.core.rules.dice import FACES, RESULTS, result_of
from taisai.maths.engines import philox
from taisai.maths.engines import worker_threads as standing
from taisai.maths.engines.choice import ENGINES, engine_named
from taisai.maths.engines.payouts import PayoutRows, payout_rows
from taisai.maths.engines.worker_threads import THREADS_MAX, beside, in_parts, threads_for, together
from taisai.maths.errors import MathsError

SEEDS = st.integers(0, philox.SEED_MAX)

#: Dice that are rejected at the first attempt, found by a search: one in 23 million is.
REJECTED = [(1, 3_684_121), (1, 16_349_635), (2026, 1_443_890)]


def test_the_block_of_zeros_is_the_published_one() -> None:
    # The first known answer for philox4x64-10 in the Random123 distribution.
    published = (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B)
    assert philox.block_of(0, 0, 0) == published


@given(SEEDS, st.integers(0, 9), st.integers(0, 2**61), st.integers(0, 9))
def test_blocks_are_those_of_another_implementation(
    seed: int, stream: int, number: int, attempt: int
) -> None:
    key = np.array([seed, stream], np.uint64)
    counter = ((attempt << 64) + number - 1) % 2**256
    words = np.random.Philox(key=key, counter=counter).random_raw(4)
    assert philox.block_of(seed, stream, number, attempt) == tuple(words.tolist())


def test_throws_come_to_the_results_that_enumeration_gives() -> None:
    every = [result_of((a, b, c)).index for a in FACES for b in FACES for c in FACES]
    assert list(philox.RESULT_OF_THROW) == every
    assert [every.count(result.index) for result in RESULTS] == [each.throws for each in RESULTS]


@pytest.mark.parametrize("name", ENGINES)
@given(
    SEEDS,
    st.integers(0, 3),
    st.integers(0, 2**50),
    st.integers(1, 40),
    st.sampled_from([1, 2, 104, 216, 2**31 + 1, 3 * 2**30, 2**32 - 1, 2**32]),
)
def test_every_engine_draws_what_plain_python_draws(
    name: str, seed: int, stream: int, start: int, count: int, below: int
) -> None:
    drawn = engine_named(name).draw(seed, stream, start, count, below).tolist()
    assert drawn == [philox.draw(seed, stream, start + place, below) for place in range(count)]


def test_a_block_of_draws_is_its_draws_one_by_one() -> None:
    # Three lanes in ten are rejected here, so that every branch is taken.
    below = 3 * 2**30
    for number in range(50):
        one_by_one = [philox.draw(4, 0, number * 8 + lane, below) for lane in range(8)]
        assert philox.draw_block(4, 0, number, below) == one_by_one


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(("seed", "index"), REJECTED)
def test_a_rejected_throw_is_made_again(name: str, seed: int, index: int) -> None:
    number, lane = divmod(index, 8)
    first = philox.lanes_of(seed, philox.DICE, number)[lane] * 216
    assert first % 2**32 < 2**32 % 216, "the first attempt is rejected"
    second = philox.lanes_of(seed, philox.DICE, number, attempt=1)[lane] * 216 >> 32
    assert philox.draw(seed, philox.DICE, index, 216) == second
    around = engine_named(name).draw(seed, philox.DICE, index - 3, 7, 216)
    assert around[3] == second


def test_rejection_leaves_every_value_as_many_lanes() -> None:
    # The same rule with eight bits in place of 32, where all lanes can be tested.
    for below in (1, 3, 6, 56, 104, 216, 255):
        kept = [lane * below >> 8 for lane in range(256) if lane * below % 256 >= 256 % below]
        assert {kept.count(value) for value in range(below)} == {256 // below}


@pytest.mark.parametrize("name", ENGINES)
def test_throws_are_as_likely_as_dice_make_them(name: str) -> None:
    throws = engine_named(name).draw(20_260_101, philox.DICE, 0, 2_000_000, 216)
    assert stats.chisquare(np.bincount(throws, minlength=216)).pvalue > 0.001
    pairs = throws[:-1].astype(np.int64) * 216 + throws[1:]
    assert stats.chisquare(np.bincount(pairs, minlength=216**2)).pvalue > 0.001
    counts = engine_named(name).count_results(20_260_101, 0, 2_000_000, 1)[0]
    expected = [2_000_000 * result.throws / 216 for result in RESULTS]
    assert stats.chisquare(counts, expected).pvalue > 0.001


def test_seeds_and_streams_are_independent() -> None:
    engine = engine_named("numpy")
    for other in ((8, 0), (7, 1), (7 + 2**63, 0)):
        first = engine.draw(7, 0, 0, 300_000, 6).astype(np.int64)
        both = first * 6 + engine.draw(*other, 0, 300_000, 6)
        assert stats.chisquare(np.bincount(both, minlength=36)).pvalue > 0.001


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("turns", [1, 3, 7])
def test_results_are_counted_by_turn(name: str, turns: int) -> None:
    counts = engine_named(name).count_results(5, 11, 1000, turns)
    expected = np.zeros((turns, 56), np.int64)
    for round_number in range(11, 1011):
        throw = philox.draw(5, philox.DICE, round_number, 216)
        expected[round_number % turns, philox.RESULT_OF_THROW[throw]] += 1
    assert counts.tolist() == expected.tolist()


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("step_odds", ["etg8/2", "ts6/2", "div9/1"])
def test_the_table_of_multiples_pays_what_the_odds_say(width: int, step_odds: str) -> None:
    table = taisai.pay_table(step_odds)
    rows = payout_rows(table)
    assert payout_rows(table) is rows
    assert_pays(rows, width)


def assert_pays(rows: PayoutRows, width: int) -> None:
    """Pay the smallest and the largest stake of each box on each result, in wrapping words."""
    multiples = rows.multiples(width)
    for number, box in enumerate(rows.pay_table.boxes.values()):
        for stake in (box.step, rows.largest(width) // box.step * box.step):
            for result in RESULTS:
                odds = box.odds_on(result)
                back = 0 if odds is None else (odds + 1) * stake
                product = int(multiples[result.index, number]) * stake
                wrapped = (product + 2 ** (width - 1)) % 2**width - 2 ** (width - 1)
                assert wrapped >> rows.shift == back


def test_the_largest_stake_is_the_largest() -> None:
    rows = payout_rows(taisai.pay_table("etg8/2"))
    highest = max(odds + 1 for box in rows.pay_table.boxes.values() for odds in box.odds)
    for width, bets in ((32, 1), (64, 1), (64, 1_000_000)):
        largest = rows.largest(width, bets)
        assert largest * highest * 2**rows.shift * bets < 2 ** (width - 1)
        assert (largest + 1) * highest * 2**rows.shift * bets >= 2 ** (width - 1) - 1


def test_a_run_in_parts_comes_to_the_same_with_any_threads() -> None:
    for threads in (1, 3):
        told: list[int] = []
        total = in_parts(lambda start, count: start * count, 103, 10, threads, told.append)
        assert total == sum(start * 10 for start in range(0, 100, 10)) + 100 * 3
        assert told == [*range(10, 101, 10), 103]


def test_what_goes_wrong_in_a_part_ends_the_run() -> None:
    def work(start: int, count: int) -> Fraction:
        return Fraction(count, 50 - start)

    with pytest.raises(ZeroDivisionError):
        in_parts(work, 100, 10, 2)


def so_many_helpers(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this many threads help at most, and none that other tests have started."""
    some = standing.Helpers(count)
    monkeypatch.setattr(standing, "_standing", lambda: some)


def test_work_is_done_together_and_helpers_stand_ready_for_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    so_many_helpers(2, monkeypatch)
    met = threading.Barrier(3, timeout=60)

    def work() -> int:
        met.wait()
        return threading.get_ident()

    first = together(work, 3)
    assert first[0] == threading.get_ident()
    assert len(set(first)) == 3
    assert set(together(work, 3)) == set(first)
    assert together(threading.get_ident, 1) == first[:1]


def test_what_has_not_begun_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    so_many_helpers(1, monkeypatch)
    begun, hold, parts = threading.Event(), threading.Event(), iter([1])

    def take_long() -> bool:
        begun.set()
        return hold.wait(60)

    (held,) = standing._standing().ask(take_long)
    assert begun.wait(60)
    try:
        assert together(lambda: list(parts), 3) == [[1]]
        assert beside(threading.get_ident)() == threading.get_ident()
    finally:
        hold.set()
    assert held.answer()


def test_what_goes_wrong_beside_is_told() -> None:
    met = threading.Barrier(2, timeout=60)

    def fail() -> None:
        met.wait()
        if threading.current_thread() is not threading.main_thread():
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        together(fail, 2)
    answer = beside(fail)
    met.wait()
    with pytest.raises(ZeroDivisionError):
        answer()
    assert beside(threading.get_ident, helped=False)() == threading.get_ident()


def test_helpers_work_where_the_one_who_asks_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    so_many_helpers(1, monkeypatch)
    placed: list[set[int]] = []
    fakes = {
        "sched_getaffinity": lambda thread: {0, 1, 2} if thread == 0 else set(),
        "sched_setaffinity": lambda _thread, places: placed.append(places),
    }
    for name, fake in fakes.items():
        monkeypatch.setattr(os, name, fake, raising=False)
    met = threading.Barrier(2, timeout=60)
    for own in (1, 1, 2):
        monkeypatch.setattr(standing, "_processor", lambda own=own: own)
        together(met.wait, 2)
    assert placed == [{0, 2}, {0, 1}], "a place is told when it changes"
    # With a single processor, or an unknown number, helpers run where they may.
    monkeypatch.setattr(os, "sched_getaffinity", lambda _thread: {2}, raising=False)
    together(met.wait, 2)
    monkeypatch.setattr(standing, "_processor", None)
    together(met.wait, 2)
    assert len(placed) == 2


def test_a_forked_process_has_helpers_of_its_own() -> None:
    code = (
        "import os, sys, threading\n"
        "from taisai.maths.engines.worker_threads import together\n"
        "def work(): return met.wait()\n"
        "met = threading.Barrier(2, timeout=30); together(work, 2)\n"
        "child = os.fork() if hasattr(os, 'fork') else 0\n"
        "met = threading.Barrier(2, timeout=30); together(work, 2)\n"
        "sys.exit(os.waitpid(child, 0)[1] if child else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=90)
    assert done.returncode == 0


def test_engines_and_threads_are_refused_by_name_and_number() -> None:
    with pytest.raises(MathsError, match="no engine 'cuda'; there are numba and numpy"):
        engine_named("cuda")
    assert engine_named().name == "numba"
    assert threads_for(None) >= 1
    for threads in (0, THREADS_MAX + 1, True):
        with pytest.raises(MathsError, match="the threads are a whole number from 1 to 256"):
            threads_for(threads)


@pytest.mark.parametrize(
    ("missing", "question", "sentence"),
    [
        (
            "numba",
            "engine_named('numba')",
            'the numba engine needs an extra: pip install "taisai[fast]"',
        ),
        (
            "numpy",
            "engine_named('numpy')",
            'the numpy engine needs an extra: pip install "taisai[maths]"',
        ),
        (
            "numpy",
            "import taisai.maths.simulation.columns",
            'needs an extra: pip install "taisai[maths]"',
        ),
    ],
)
def test_a_missing_extra_is_named(missing: str, question: str, sentence: str) -> None:
    assert sentence in without(
        missing, f"from taisai.maths.engines.choice import engine_named; {question}"
    )


def without(package: str, code: str) -> str:
    """Run some code without a package installed, and give its error."""
    hidden = f"import sys; sys.modules[{package!r}] = None; {code}"
    done = subprocess.run(
        [sys.executable, "-c", hidden], capture_output=True, check=False, text=True, timeout=60
    )
    assert done.returncode == 1
    return done.stderr
