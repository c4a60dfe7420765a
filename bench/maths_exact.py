"""Exact distributions: all boxes of a pay table, and the bankroll after a thousand rounds.

The references are icepool and dyce, in the same run; their results are compared with ours for
equality. They compute a box from three dice, as in their guides, or, which is a harder test for us,
from the 56 results and the box's compiled row of payments. A thousand rounds of a Single take them
a minute and more, so they are timed once.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import dyce
import icepool  # type: ignore[import-untyped]
from bench.goals import tell

import taisai
from taisai.core.rules.dice import RESULTS, Faces
from taisai.maths import Slate, nets_of_boxes, session

STAKE = 2
ROUNDS = 1000
RUNS = 9
TURN_SECONDS = 0.02
REFERENCES = ("icepool", "dyce")
#: A reference that takes longer is stopped, and counts as slower.
TIMEOUT_SECONDS = 200.0
#: Small and Total 4 are easier for all libraries than a Single.
SESSIONS = ("small", "single-1", "total-4")

_clock = time.perf_counter

#: The answer for each box: how often each net comes, the average and the variance.
Worked = list[tuple[dict[int, int], Fraction, Fraction]]
Rows = Mapping[str, Mapping[Faces, int]]


class Ways(NamedTuple):
    """A way to compute all boxes, and its name."""

    name: str
    work: Callable[[], Any]


def main() -> None:
    """Measure both tasks, and report the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("boxes", *SESSIONS), help="one row alone")
    parser.add_argument("--reference", choices=REFERENCES, help="time this one's session alone")
    arguments = parser.parse_args()
    only = arguments.only
    if arguments.reference is not None:
        sys.setrecursionlimit(20 * ROUNDS)
        time_reference(arguments.reference, only)
        return
    rows: dict[str, Callable[[], None]] = {
        "boxes": measure_boxes,
        **{box: partial(measure_session, box) for box in SESSIONS},
    }
    for name, row in rows.items():
        if only in (None, name):
            row()


# --- all boxes -----------------------------------------------------------------------------------


def measure_boxes() -> None:
    """Time distribution, mean and variance of all 104 boxes, exact rationals."""
    table = taisai.pay_table("etg8/2")
    rows: Rows = {
        key: {result.faces: Slate.of(table, {key: STAKE}).rows[result.index] for result in RESULTS}
        for key in table.boxes
    }
    counts = [dict(net.pairs()) for net in nets_of_boxes(table, STAKE).values()]
    ours = Ways("taisai", lambda: ours_of(table.address))
    guides = [
        Ways("icepool, from three dice", lambda: from_three_dice_icepool(rows)),
        Ways("dyce, from three dice", lambda: from_three_dice_dyce(rows)),
    ]
    given = [
        Ways("icepool, given the results", lambda: from_results_icepool(rows)),
        Ways("dyce, given the results", lambda: from_results_dyce(rows)),
        # The least work for it: all counts are given, as our compiler gives them.
        Ways("dyce, given the counts", lambda: from_counts_dyce(counts)),
    ]
    for reference in (*guides, *given):
        assert plain(reference.work()) == plain(ours.work()), f"{reference.name} disagrees"
    seconds = timed([ours, *guides, *given])
    print(f"distribution, mean and variance of all {len(table.boxes)} boxes of etg8/2")
    for name, took in seconds.items():
        print(f"  {name:30} {took * 1e3:9.3f} ms   {took / seconds[ours.name]:8.1f} x")
    tell("moments", seconds["dyce, given the results"] / seconds[ours.name])
    tell("moments dice", min(seconds[way.name] for way in guides) / seconds[ours.name])


def ours_of(address: str) -> list[tuple[Any, Fraction, Fraction]]:
    """Compute all boxes from the compiled pay table; nothing is cached between calls."""
    nets = nets_of_boxes(taisai.pay_table(address), STAKE).values()
    return [(net, net.mean, net.variance) for net in nets]


def from_three_dice_icepool(rows: Rows) -> list[tuple[Any, Fraction, Fraction]]:
    """Map three dice to what a box brings, as icepool's guide does."""
    d6 = icepool.d6
    worked = []
    for row in rows.values():
        die = icepool.map(lambda *dice, row=row: row[in_order(dice)], d6, d6, d6)
        worked.append((die, die.mean(), die.variance()))
    return worked


def from_results_icepool(rows: Rows) -> list[tuple[Any, Fraction, Fraction]]:
    """Map a die of the 56 results, made beforehand, to what a box brings."""
    worked = []
    for row in rows.values():
        die = icepool.Die(list(row.values()), times=_THROWS)
        worked.append((die, die.mean(), die.variance()))
    return worked


def from_three_dice_dyce(rows: Rows) -> list[tuple[Any, Fraction, Fraction]]:
    """Count the rolls of a pool of three dice by what a box brings, as dyce's guide does."""
    pool = dyce.P(6, 6, 6)
    worked = []
    for row in rows.values():
        rolls = pool.rolls_with_counts()
        worked.append(
            with_moments(dyce.H.from_counts((row[in_order(roll)], n) for roll, n in rolls))
        )
    return worked


def from_results_dyce(rows: Rows) -> list[tuple[Any, Fraction, Fraction]]:
    """Apply a box's row to a histogram of the 56 results, made beforehand."""
    return [with_moments(_RESULTS_OF_DYCE.apply(row.__getitem__)) for row in rows.values()]


def from_counts_dyce(counts: list[dict[int, int]]) -> list[tuple[Any, Fraction, Fraction]]:
    """Make a histogram of what is counted already."""
    return [with_moments(dyce.H(weights)) for weights in counts]


def with_moments(histogram: Any) -> tuple[Any, Fraction, Fraction]:
    """Give exact moments, which dyce itself gives as floats."""
    chances = list(histogram.probability_items())
    mean = sum((value * chance for value, chance in chances), Fraction(0))
    square = sum((value * value * chance for value, chance in chances), Fraction(0))
    return histogram, mean, square - mean * mean


def in_order(dice: tuple[int, ...]) -> Faces:
    """Put three faces from low to high."""
    low, middle, high = sorted(dice)
    return low, middle, high


def plain(worked: list[tuple[Any, Fraction, Fraction]]) -> Worked:
    """Convert a result to a common form, for comparison."""
    return [(weights_of(made), mean, variance) for made, mean, variance in worked]


def weights_of(made: Any) -> dict[int, int]:
    """Read the weights of a distribution of any of the three libraries."""
    pairs = made.pairs() if hasattr(made, "pairs") else made.items()
    return {int(value): int(weight) for value, weight in pairs}


_THROWS = [result.throws for result in RESULTS]
_RESULTS_OF_DYCE = dyce.H({result.faces: result.throws for result in RESULTS})


# --- a session -----------------------------------------------------------------------------------


def measure_session(box: str) -> None:
    """Time the bankroll after so many rounds, every weight a whole number.

    Ours is timed before and after each of the others, so that all run under the same conditions;
    each has a process of its own, since the memory of one slows the next.
    """
    slate = slate_on(box)
    ours = several(slate)
    took = {}
    for name in REFERENCES:
        took[name] = in_a_process(name, box)
        ours += several(slate)
    median = statistics.median(ours)
    print(f"bankroll after {ROUNDS} rounds of {box}: {median * 1e3:.2f} ms")
    for name, seconds in took.items():
        more = "" if seconds < TIMEOUT_SECONDS else ", given up"
        print(f"  {name:30} {seconds:9.2f} s    {seconds / median:8.0f} x{more}")
    tell(f"session {box}", min(took.values()) / median)


def slate_on(box: str) -> Slate:
    """Put one unit on a box."""
    return Slate.of(taisai.pay_table("ts6/2"), {box: 1})


def in_a_process(name: str, box: str) -> float:
    """Time a reference in a process of its own, for as long as it may take."""
    command = [sys.executable, "-m", "bench.maths_exact", "--reference", name, "--only", box]
    try:
        done = subprocess.run(
            command, capture_output=True, check=True, text=True, timeout=TIMEOUT_SECONDS
        )
    except subprocess.TimeoutExpired:
        return TIMEOUT_SECONDS
    return float(done.stdout)


def time_reference(name: str, box: str) -> None:
    """Time one of the others, compare it with ours, and print the seconds."""
    slate = slate_on(box)
    weights = dict(slate.net.pairs())
    made = icepool.Die(weights) if name == "icepool" else dyce.H(weights)
    began = _clock()
    theirs = ROUNDS @ made
    took = _clock() - began
    assert chances_agree(theirs, session(slate, ROUNDS).bankroll), f"{name} disagrees"
    print(took)


def several(slate: Slate) -> list[float]:
    """Time our session some times over."""
    return [seconds_of(lambda: session(slate, ROUNDS).bankroll) for _ in range(RUNS)]


def chances_agree(theirs: Any, ours: Any) -> bool:
    """Compare all weights, for which each library may have a total of its own."""
    weights = weights_of(theirs)
    total = sum(weights.values())
    return list(weights) == list(ours.values) and all(
        weight * ours.total == own * total
        for weight, own in zip(weights.values(), ours.weights, strict=True)
    )


# --- timing --------------------------------------------------------------------------------------


def timed(ways: list[Ways]) -> dict[str, float]:
    """Time the ways in turn and return their medians; short ones are repeated in each turn."""
    taken: dict[str, list[float]] = {way.name: [] for way in ways}
    for _ in range(RUNS):
        for way in ways:
            times = max(1, round(TURN_SECONDS / seconds_of(way.work)))
            taken[way.name].append(seconds_of(partial(repeat, way.work, times)) / times)
    return {name: statistics.median(each) for name, each in taken.items()}


def repeat(work: Callable[[], object], times: int) -> None:
    """Do some work so many times."""
    for _ in range(times):
        work()


def seconds_of(work: Callable[[], object]) -> float:
    """Time one run."""
    began = _clock()
    work()
    return _clock() - began


if __name__ == "__main__":
    main()
