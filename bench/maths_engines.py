"""What playing and settling in columns costs, compared with numpy, polars, a loop and a copy.

Each figure is compared with references measured in turn with it in the same process. Payouts of
fifty bets a round: numpy's `take` over a payout matrix, in its usual form and with every array in
place, copying as many bytes, and moving the same bytes in a loop. A round of a million bets settled
by player: polars' join and group-by, and a Python loop. One-bet rounds as objects: an environment
with `reset` and `step` in plain Python. Payouts and totals are compared with their references for
equality before anything is timed.
"""

import argparse
import gc
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numba
import numpy as np
import polars as pl
from bench.goals import note, tell

import taisai
from taisai.core.rules.dice import THROWS
from taisai.core.rules.paytable import PayTable
from taisai.maths.engines import philox
from taisai.maths.engines.numpy_engine import NumpyEngine
from taisai.maths.simulation.columns import BetColumns, settle_columns
from taisai.maths.simulation.play import Play

RUNS = 9
ROUNDS, BETS_A_ROUND = 200_000, 50
BETS, PLAYERS = 1_000_000, 10_000
OBJECT_ROUNDS = 30_000
FACES = (2, 3, 5)
STAKE = 100

_clock = time.perf_counter

Works = Mapping[str, Callable[[], object]]


def in_turn(name: str, works: Works, times: int = 1) -> dict[str, float]:
    """Time pieces of work in turn, again and again, and return the median of each."""
    taken: dict[str, list[float]] = {each: [] for each in works}
    for work in works.values():
        work()
    gc.collect()
    for _ in turns(name, times * RUNS):
        for each, work in works.items():
            began = _clock()
            work()
            taken[each].append(_clock() - began)
    return {each: statistics.median(times) for each, times in taken.items()}


def turns(name: str, runs: int) -> Iterator[int]:
    """Count the runs, and print the progress."""
    for run in range(runs):
        print(f"\r{name}: run {run + 1} of {runs}", end="", file=sys.stderr, flush=True)
        yield run
    print("\r\x1b[K", end="", file=sys.stderr)


def payout_matrix(table: PayTable, kind: Any) -> Any:
    """Make the payout of each box on each result, for a stake of one step."""
    rows = []
    for index in range(56):
        met = [(box, box.met[index]) for box in table.boxes.values()]
        rows.append([int((box.odds[n - 1] + 1) * table.step) if n else 0 for box, n in met])
    return np.array(rows, kind)


@numba.njit
def move(boxes: Any, stakes: Any, out: Any) -> None:
    """Read each box and stake and write as many bytes as a payout, without lookups."""
    for at in range(stakes.size):
        out[at] = stakes[at] + boxes[at]


def measure_payouts(kind: Any) -> dict[str, float]:
    """Time the payouts of fifty different bets and stakes in each round, in one thread."""
    table = taisai.pay_table("etg8/2")
    source = np.random.default_rng(1)
    shape = (ROUNDS, BETS_A_ROUND)
    boxes = source.integers(0, len(table.boxes), shape, np.uint8)
    stakes = source.integers(1, 1000, shape, kind) * kind(table.step)
    throws = NumpyEngine().draw(1, philox.DICE, 0, ROUNDS, THROWS)
    results = np.array(philox.RESULT_OF_THROW, np.uint8).take(throws)
    matrix = payout_matrix(table, kind)
    columns = BetColumns(table, boxes, stakes)
    assert columns.stakes.dtype == kind, "what goes back fits this kind of word"
    out, taken = np.zeros_like(stakes), np.zeros_like(stakes)
    places = np.zeros(shape, np.intp)

    def take() -> Any:
        rows = results[:, np.newaxis].astype(np.intp) * len(table.boxes)
        return matrix.ravel().take(rows + boxes) * stakes >> 1

    def take_in_place() -> None:
        # All output goes to memory that was used before, which saves much of the time.
        np.add(results.astype(np.intp)[:, np.newaxis] * len(table.boxes), boxes, out=places)
        np.take(matrix.ravel(), places, out=taken, mode="clip")
        np.multiply(taken, stakes, out=taken)
        np.right_shift(taken, 1, out=taken)

    copied = np.ones((boxes.nbytes + 2 * stakes.nbytes) // 2, np.uint8)
    copy = np.zeros_like(copied)
    take_in_place()
    assert np.array_equal(take(), taken)
    for engine in ("numba", "numpy"):
        assert np.array_equal(columns.back(results, out=out, engine=engine), taken)
    works = {
        "numba": lambda: columns.back(results, out=out, engine="numba"),
        "numpy": lambda: columns.back(results, out=out, engine="numpy"),
        "take": take,
        "in place": take_in_place,
        "copy": lambda: np.copyto(copy, copied),
        "move": lambda: move(boxes.ravel(), stakes.ravel(), out.ravel()),
    }
    return in_turn(f"payouts, {kind.__name__}", works)


def measure_settlement() -> dict[str, float]:
    """Time a round of a million bets, settled with exact totals by player."""
    table = taisai.pay_table("etg8/2")
    source = np.random.default_rng(2)
    players = source.integers(0, PLAYERS, BETS, np.int32)
    boxes = source.integers(0, len(table.boxes), BETS, np.uint8)
    stakes = source.integers(1, 1000, BETS) * table.step
    multiples = payout_matrix(table, np.int64)[taisai.result_of(FACES).index]
    bets = pl.DataFrame({"player": players, "box": boxes, "stake": stakes})
    odds = pl.DataFrame({"box": np.arange(len(multiples), dtype=np.uint8), "multiple": multiples})

    def joined() -> pl.DataFrame:
        back = (pl.col("stake") * pl.col("multiple") // table.step).sum().alias("back")
        query = bets.lazy().join(odds.lazy(), on="box").group_by("player")
        return query.agg(pl.col("stake").sum().alias("staked"), back).collect()

    def settled(engine: str) -> Any:
        columns = (players, boxes, stakes)
        return settle_columns(
            table, FACES, columns, players=PLAYERS, engine=engine, threads=THREADS
        )

    rows = list(zip(players.tolist(), boxes.tolist(), stakes.tolist(), strict=True))
    by_loop = plain_loop(rows, multiples.tolist(), table.step)
    by_polars = joined().sort("player")
    for engine in ("numba", "numpy"):
        ours = settled(engine)
        assert (ours.staked.tolist(), ours.back.tolist()) == by_loop
        assert ours.back.tolist() == by_polars["back"].to_list()
    began = _clock()
    plain_loop(rows, multiples.tolist(), table.step)
    loop = _clock() - began
    works = {
        "numba": lambda: settled("numba"),
        "numpy": lambda: settled("numpy"),
        "polars": joined,
    }
    return {**in_turn("a million bets", works, times=2), "loop": loop}


#: polars takes every processor; so does the engine.
THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def plain_loop(
    rows: Sequence[tuple[int, int, int]], multiples: Sequence[int], step: int
) -> tuple[list[int], list[int]]:
    """Add up a round by player, a bet at a time."""
    staked, back = [0] * PLAYERS, [0] * PLAYERS
    for player, box, stake in rows:
        staked[player] += stake
        back[player] += stake * multiples[box] // step
    return staked, back


class PlainEnvironment:
    """An environment for reinforcement learning with Small and Big alone."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a seeded workload, nothing secret
        self.dice = (1, 1, 1)

    def reset(self) -> tuple[tuple[int, int, int], dict[str, int]]:
        self.dice = (1, 1, 1)
        return self.dice, {}

    def step(
        self, action: tuple[str, int]
    ) -> tuple[tuple[int, int, int], int, bool, bool, dict[str, int]]:
        box, stake = action
        throw = self.random.randint
        self.dice = dice = (throw(1, 6), throw(1, 6), throw(1, 6))
        total = sum(dice)
        triple = dice[0] == dice[1] == dice[2]
        won = not triple and (4 <= total <= 10 if box == "small" else 11 <= total <= 17)
        return dice, stake if won else -stake, False, False, {"total": total}


def measure_objects() -> dict[str, float]:
    """Time one-bet rounds as objects, and in the simplest possible environment."""
    play = Play(taisai.pay_table("etg8/2"), seed=1)
    environment = PlainEnvironment(1)
    environment.reset()

    def rounds() -> None:
        play.reset()
        for _ in range(OBJECT_ROUNDS):
            play.round({"small": STAKE})

    def steps() -> None:
        environment.reset()
        for _ in range(OBJECT_ROUNDS):
            environment.step(("small", STAKE))

    taken = in_turn("one-bet rounds", {"objects": rounds, "plain": steps})
    return {name: seconds / OBJECT_ROUNDS for name, seconds in taken.items()}


def measured_payouts(kind: Any) -> None:
    """Measure payouts in words of one kind."""
    taken = {name: time / (ROUNDS * BETS_A_ROUND) for name, time in measure_payouts(kind).items()}
    bits = 8 * kind().itemsize
    name = f"a payout, {bits} bits"
    line(f"{name}, against take", taken["numba"], taken["take"])
    line(f"{name}, against take in place", taken["numba"], taken["in place"])
    line(f"{name}, against copying the bytes", taken["numba"], taken["copy"])
    line(f"{name}, against moving these bytes in a loop", taken["numba"], taken["move"])
    line(f"{name}, on numpy alone, against take", taken["numpy"], taken["take"])
    note(f"payouts {bits} of the copy", 100 * taken["copy"] / taken["numba"])
    tell(f"payouts {bits}", taken["in place"] / taken["numba"])


def line(what: str, measured: float, reference: float) -> None:
    """Print a time, the time of its reference, and their ratio."""
    said = f"{write(measured):>10} {write(reference):>10} {reference / measured:>8.2f} x"
    print(f"{what:<52} {said}")


def main() -> None:
    """Measure, and print each figure beside its goal."""
    print(f"{'':<52} {'measured':>10} {'reference':>10} {'ratio':>10}")
    for kind in (np.int32, np.int64):
        measured_payouts(kind)
    taken = measure_settlement()
    for engine in ("numba", "numpy"):
        for other in ("polars", "loop"):
            what = f"a million bets settled on {engine}, against {other}"
            line(what, taken[engine], taken[other])
        tell(f"columns {engine}", taken["polars"] / taken[engine])
    objects = measure_objects()
    line("a one-bet round, against a plain environment", objects["objects"], objects["plain"])
    tell("objects", objects["plain"] / objects["objects"])


def write(seconds: float) -> str:
    """Write a time in the unit that suits it."""
    for unit, size in (("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.2f} {unit}"
    return f"{seconds * 1e9:.2f} ns"


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    RUNS = options.parse_args().runs
    main()
