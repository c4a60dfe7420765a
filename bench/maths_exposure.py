"""What it costs to compute a table's exposure after a change of one of 100,000 live bets.

The figure is a change of one bet with the worst case read after it, or all 56 results. References
recompute all 100,000 bets in numpy, in the same process and in turn with it: the payment of every
bet on every result, summed; and a faster one that sums by boxes first, which is the least work in
numpy, and exact only while sums stay below 2^53.
"""

import argparse
import itertools
import random
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from bench.goals import tell

import taisai
from taisai.core.rules.dice import RESULTS
from taisai.core.rules.paytable import PayTable
from taisai.maths.exposure import LiveExposure

BETS = 100_000
FEW = 10
RUNS = 9
CHANGES = 2_000
STEP = 1_000

_clock = time.perf_counter

Columns = tuple[npt.NDArray[np.intp], npt.NDArray[np.int64]]


def laid(table: PayTable, count: int) -> list[tuple[str, int]]:
    """Make so many bets, each with a box and a stake of its own."""
    source = random.Random(7)  # noqa: S311 - a seeded workload, nothing secret
    boxes = list(table.boxes)
    return [(source.choice(boxes), STEP * source.randrange(1, 50)) for _ in range(count)]


def live_on(table: PayTable, bets: list[tuple[str, int]]) -> LiveExposure:
    """Make the live exposure of these bets."""
    live = LiveExposure(table)
    for box, stake in bets:
        live.change(box, stake)
    return live


def columns_of(table: PayTable, bets: list[tuple[str, int]]) -> Columns:
    """Put the bets into columns, for numpy."""
    place = {box: number for number, box in enumerate(table.boxes)}
    boxes = np.array([place[box] for box, _ in bets], dtype=np.intp)
    return boxes, np.array([stake for _, stake in bets], dtype=np.int64)


def payments_of(table: PayTable) -> npt.NDArray[np.int64]:
    """Give what the house pays for one step on each box, on each of the 56 results."""
    rows = []
    for box in table.boxes.values():
        odds = [box.odds_on(result) for result in RESULTS]
        rows.append([-STEP if each is None else int(each * STEP) for each in odds])
    return np.array(rows, dtype=np.int64)


def whole_matrix(payments: npt.NDArray[np.int64], columns: Columns) -> npt.NDArray[np.int64]:
    """Recompute everything: each bet on each result, then the sums."""
    boxes, stakes = columns
    return np.asarray((payments[boxes] * (stakes[:, None] // STEP)).sum(axis=0))


def by_boxes(payments: npt.NDArray[np.int64], columns: Columns) -> npt.NDArray[np.int64]:
    """Recompute with the least work in numpy: the stakes on each box, then the sums."""
    boxes, stakes = columns
    totals = np.bincount(boxes, weights=stakes, minlength=len(payments)).astype(np.int64)
    return np.asarray((totals // STEP) @ payments)


def timed(work: Callable[[], object], times: int) -> float:
    """Time one piece of work, done so many times."""
    began = _clock()
    for _ in range(times):
        work()
    return (_clock() - began) / times


def changing(live: LiveExposure, bets: list[tuple[str, int]], *, all_results: bool) -> float:
    """Time a change of one bet with the reading of the new exposure."""
    began = _clock()
    for box, _ in bets:
        for amount in (STEP, -STEP):
            live.change(box, amount)
            live.pays if all_results else live.worst  # noqa: B018 - read for the time it takes
    return (_clock() - began) / (2 * len(bets))


def side_by_side(
    many: LiveExposure, few: LiveExposure, bets: list[tuple[str, int]]
) -> tuple[list[float], list[float]]:
    """Time the same changes with many bets and with few, one by one in turn."""
    taken: dict[int, list[float]] = {id(many): [], id(few): []}
    for (box, _), live in itertools.product(bets, (many, few)):
        began = _clock()
        live.change(box, STEP)
        live.worst  # noqa: B018 - read for the time it takes
        taken[id(live)].append(_clock() - began)
        live.change(box, -STEP)
    return taken[id(many)], taken[id(few)]


def measure() -> dict[str, float]:
    """Measure everything in turn, and return the medians."""
    table = taisai.pay_table("ts6/2")
    bets = laid(table, BETS)
    many, few = live_on(table, bets), live_on(table, bets[:FEW])
    payments, columns = payments_of(table), columns_of(table, bets)
    for recomputed in (whole_matrix(payments, columns), by_boxes(payments, columns)):
        assert tuple(recomputed.tolist()) == many.pays, "both ways come to the same"
    taken: dict[str, list[float]] = {}
    for run in range(RUNS):
        print(f"\rexposure: run {run + 1} of {RUNS}", end="", file=sys.stderr, flush=True)
        some = bets[run * CHANGES : (run + 1) * CHANGES]
        for name, seconds in (
            ("worst", changing(many, some, all_results=False)),
            ("all", changing(many, some, all_results=True)),
            ("matrix", timed(lambda: whole_matrix(payments, columns).max(), 1)),
            ("boxes", timed(lambda: by_boxes(payments, columns).max(), 20)),
        ):
            taken.setdefault(name, []).append(seconds)
    print("\r\x1b[K", end="", file=sys.stderr)
    taken["same"], taken["few"] = side_by_side(many, few, bets[:CHANGES])
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def main() -> None:
    """Measure, and print each figure beside the one to reach."""
    found = measure()
    print(f"{'':<58} {'measured':>11} {'reference':>11} {'ratio':>9}")
    for name, kept, reference in (
        ("a bet changes, worst case; numpy: every bet, every result", "worst", "matrix"),
        ("a bet changes, all 56 listed; numpy: the same", "all", "matrix"),
        ("a bet changes, worst case; numpy: summed by boxes first", "worst", "boxes"),
        ("a bet changes, all 56 listed; numpy: the same", "all", "boxes"),
    ):
        times = found[reference] / found[kept]
        told = f"{write(found[kept]):>11} {write(found[reference]):>11} {times:>7,.0f} x"
        print(f"{name:<58} {told}")
    flat = found["same"] / found["few"]
    told = f"{write(found['same']):>11} {write(found['few']):>11} {flat:>7.2f} x"
    print(f"{'the same change with 100,000 bets, against ten':<58} {told}\n")
    tell("exposure worst", found["matrix"] / found["worst"])
    tell("exposure boxes", found["boxes"] / found["worst"])
    tell("exposure flat", flat)


def write(seconds: float) -> str:
    """Write a time in the unit that suits it."""
    return f"{seconds * 1e3:.1f} ms" if seconds > 1e-3 else f"{seconds * 1e6:.2f} µs"


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    RUNS = options.parse_args().runs
    main()
