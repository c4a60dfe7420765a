"""The engine compiled by numba: the same whole numbers as numpy's, several times faster."""

import numpy as np

from taisai.core.rules.dice import RESULTS
from taisai.maths.engines import numba_loops as compiled
from taisai.maths.engines.contract import (
    Amounts,
    Bytes,
    Draws,
    Money,
    Multiples,
    Players,
    Round,
    Seen,
    Totals,
)
from taisai.maths.engines.worker_threads import together

#: So many bets take 0.2 milliseconds, several times as long as waking a thread.
WORTH_A_THREAD = 125_000
#: Sums are tried in halves of 32 bits if so many stakes at the head of the column suggest that the
#: average player's sum stays below so many bits. It is a guess: the outcome is checked.
SAMPLE, SEEMS_SMALL = 16, 30


class NumbaEngine:
    """The engine: compiled on first use and cached beside the source; needs the extra `fast`."""

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
        self,
        multiples: Multiples,
        shift: int,
        results: Bytes,
        boxes: Bytes,
        stakes: Money,
        out: Money,
    ) -> None:
        """Write what goes back of each stake."""
        compiled.pay(multiples, out.dtype.type(shift), results, boxes, stakes, out)

    def settle(
        self, round: Round, columns: tuple[Players, Bytes, Money], players: int, threads: int
    ) -> Totals:
        """Add up a round by player, in as many threads as are worth it."""
        # Each thread has its own sums, so each thread costs one more pass over all players.
        at_once = max(1, min(threads, len(columns[0]) // max(WORTH_A_THREAD, players)))
        if _sums_seem_small(round, columns[2], players):
            totals = _in_halves(round, columns, players, at_once)
            if totals is not None:
                return totals
        sums, seen = _summed(round, columns, (players, 2), at_once)
        # Each product is whole after the shift, and so is their sum: one shift does for all.
        sums[:, 1] >>= round.shift
        return Totals(sums[:, 0], sums[:, 1], seen)


def _sums_seem_small(round: Round, stakes: Money, players: int) -> bool:
    """Guess from some stakes whether a player's sums fit into halves of a number."""
    some: list[int] = stakes[:SAMPLE].tolist()
    return sum(some) * len(stakes) << round.shift < len(some) * players << SEEMS_SMALL


def _in_halves(
    round: Round, columns: tuple[Players, Bytes, Money], players: int, at_once: int
) -> Totals | None:
    """Add up with both sums of a player in the halves of one number, one addition for each bet.

    The sums over all players are kept separately, each in a number of its own. A player's stakes
    that overflow the low half leave it with less than their sum, and so do products that overflow
    the high half: so the halves of all players add up to the sums over all if, and only if, every
    half is right. Otherwise there is no answer.
    """
    both, seen = _summed(round, columns, (players,), at_once)
    staked, back = np.empty(players, np.int64), np.empty(players, np.int64)
    halves = compiled.part_halves(both, round.shift, staked, back)
    return Totals(staked, back, seen) if halves == (seen.staked, seen.products) else None


def _summed(
    round: Round,
    columns: tuple[Players, Bytes, Money],
    shape: tuple[int, ...],
    at_once: int,
) -> tuple[Amounts, Seen]:
    """Add up in some threads, each taking the next part, so that none waits for a slower one."""
    counter = np.zeros(1, np.int64)
    payouts = (round.multiples, round.boxes)

    def work() -> tuple[Amounts, Seen]:
        sums = np.zeros(shape, np.int64)
        return sums, Seen(*compiled.settle(payouts, columns, counter, sums))

    (sums, seen), *others = together(work, at_once)
    for other, also_seen in others:
        sums += other
        seen = seen.joined(also_seen)
    return sums, seen
