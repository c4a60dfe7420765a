"""The engine compiled by numba: the same whole numbers as numpy's, some times faster."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from taisai.core.dice import RESULTS
from taisai.maths.engines import compiled
from taisai.maths.engines.contract import Amounts, Bytes, Draws, Money, Players, Round, Totals

#: So many bets take two thousandths of a second: a second thread for fewer costs what it saves.
PART_MIN = 1_000_000


class NumbaEngine:
    """Everything compiled on first use and kept beside the source; needs the extra `fast`."""

    name = "numba"

    def draw(self, seed: int, stream: int, start: int, count: int, below: int) -> Draws:
        """Give so many draws from number `start` on, each below `below`."""
        drawn = np.empty(count, np.uint32)
        compiled.fill(np.uint64(seed), np.uint64(stream), start, np.uint64(below), drawn)
        return drawn

    def count_results(self, seed: int, start: int, count: int, turns: int) -> Amounts:
        """Throw rounds and count the results of each turn."""
        counts = np.zeros((turns, len(RESULTS)), np.int64)
        compiled.count(np.uint64(seed), start, count, counts)
        return counts

    def pay(
        self, multiples: Money, shift: int, results: Bytes, boxes: Bytes, stakes: Money, out: Money
    ) -> None:
        """Write what goes back of each stake."""
        compiled.pay(multiples, out.dtype.type(shift), results, boxes, stakes, out)

    def settle(
        self, round: Round, columns: tuple[Players, Bytes, Money], players: int, threads: int
    ) -> Totals:
        """Add up a round by player, in as many parts as there are threads for it."""
        bets = len(columns[0])
        parts = max(1, min(threads, bets // PART_MIN))
        bounds = [bets * part // parts for part in range(parts + 1)]
        if parts == 1:
            return _settle_part(round, columns, players)
        ids, boxes, stakes = columns
        jobs = [
            (ids[low:high], boxes[low:high], stakes[low:high]) for low, high in pairwise(bounds)
        ]
        with ThreadPoolExecutor(parts) as pool:
            first, *others = pool.map(lambda job: _settle_part(round, job, players), jobs)
        for other, low in zip(others, bounds[1:], strict=False):
            _join(first, other, low)
        return first


def _settle_part(round: Round, columns: tuple[Players, Bytes, Money], players: int) -> Totals:
    ids, boxes, stakes = columns
    by_player = np.zeros((players, 2), np.int64)
    found = compiled.settle(
        (round.multiples, round.shift, round.boxes), ids, boxes, stakes, by_player
    )
    totals = Totals(by_player[:, 0], by_player[:, 1])
    totals.kept, totals.lowest, totals.highest, totals.bits, totals.wrong = map(int, found)
    return totals


def _join(totals: Totals, other: Totals, low: int) -> None:
    """Join a later part to the first."""
    totals.staked += other.staked
    totals.back += other.back
    totals.kept += other.kept
    totals.lowest = min(totals.lowest, other.lowest)
    totals.highest = max(totals.highest, other.highest)
    totals.bits |= other.bits
    if totals.wrong < 0 <= other.wrong:
        totals.wrong = low + other.wrong
