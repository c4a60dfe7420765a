"""The engine compiled by numba: the same whole numbers as numpy's, some times faster."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from taisai.core.dice import RESULTS
from taisai.maths.engines import compiled
from taisai.maths.engines.contract import Amounts, Bytes, Draws, Money, Players, Round, Totals

#: So many bets take about a fifth of a thousandth of a second, some times what a thread costs.
PART = 125_000


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
        """Add up a round by player, a part at a time in each of as many threads as it is worth."""
        bets = len(columns[0])
        # Each thread adds up for itself, so all players are gone through once more for each.
        at_once = max(1, min(threads, bets // max(2 * PART, players)))
        starts = range(0, bets, bets if at_once == 1 else PART)
        # A list's iterator gives each of its entries to one thread alone.
        bounds = iter(list(pairwise([*starts, bets])))
        totals = _settle_in_threads(round, columns, players, (bounds, at_once))
        # Each product is whole after the shift, and so is their sum: one shift does for all.
        totals.back >>= round.shift
        return totals


def _settle_in_threads(
    round: Round,
    columns: tuple[Players, Bytes, Money],
    players: int,
    parts: tuple[Iterator[tuple[int, int]], int],
) -> Totals:
    """Add up by player in this thread and some more, which take parts in turn."""
    bounds, at_once = parts
    if at_once == 1:
        return _settle_parts(round, columns, players, bounds)
    with ThreadPoolExecutor(at_once - 1) as pool:
        helping = [
            pool.submit(_settle_parts, round, columns, players, bounds) for _ in range(at_once - 1)
        ]
        totals = _settle_parts(round, columns, players, bounds)
    for other in helping:
        _join(totals, other.result())
    return totals


def _settle_parts(
    round: Round,
    columns: tuple[Players, Bytes, Money],
    players: int,
    bounds: Iterator[tuple[int, int]],
) -> Totals:
    """Add up the parts that no other thread has taken, so that none waits for a slower one."""
    ids, boxes, stakes = columns
    payouts = (round.multiples, round.boxes)
    by_player = np.zeros((players, 2), np.int64)
    totals = Totals(by_player[:, 0], by_player[:, 1])
    totals.lowest, totals.highest = int(stakes[0]), int(stakes[0])
    for low, high in bounds:
        kept, lowest, highest, bits, wrong = compiled.settle(
            payouts, ids[low:high], boxes[low:high], stakes[low:high], by_player
        )
        totals.kept += kept
        totals.lowest, totals.highest = min(totals.lowest, lowest), max(totals.highest, highest)
        totals.bits |= bits
        if wrong >= 0:
            totals.wrong = low + wrong
            break
    return totals


def _join(totals: Totals, other: Totals) -> None:
    """Join what another thread has added up."""
    totals.staked += other.staked
    totals.back += other.back
    totals.kept += other.kept
    totals.lowest = min(totals.lowest, other.lowest)
    totals.highest = max(totals.highest, other.highest)
    totals.bits |= other.bits
    # Parts are taken in their order, so the first wrong row is among those found.
    if other.wrong >= 0 and (totals.wrong < 0 or other.wrong < totals.wrong):
        totals.wrong = other.wrong
