"""The engine on numpy alone: it works on whole columns, in parts that fit the cache."""

from functools import partial

import numpy as np
import numpy.typing as npt

from taisai.core.rules.dice import RESULTS
from taisai.maths.engines import philox
from taisai.maths.engines.contract import (
    NOTHING_SEEN,
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
from taisai.maths.engines.worker_threads import beside

#: Larger parts do not fit the cache, and their temporary columns are allocated by the system.
PART = 65_536
#: How many bets are searched at once for winners while another thread adds up the stakes. Adding
#: holds the interpreter for most of the time: the fewer steps the search has, the less it waits.
STRETCH = 1_048_576
#: With fewer bets, waking a thread takes more time than it saves.
WORTH_A_THREAD = 250_000

_RESULT_OF_THROW = np.array(philox.RESULT_OF_THROW, np.uint8)
_HALF = np.uint64(32)
_LOW_HALF = np.uint64(2**32 - 1)


class NumpyEngine:
    """Everything in numpy; needs the extra `maths`."""

    name = "numpy"

    def draw(self, seed: int, stream: int, start: int, count: int, below: int) -> Draws:
        """Give so many draws from number `start` on, each below `below`."""
        drawn = np.empty(count, np.uint32)
        for first in range(0, count, PART):
            part = drawn[first : first + PART]
            _fill(part, seed, stream, start + first, below)
        return drawn

    def count_results(self, seed: int, start: int, count: int, turns: int) -> Amounts:
        """Throw rounds and count the results of each turn."""
        counts = np.zeros(turns * len(RESULTS), np.int64)
        for first in range(start, start + count, PART):
            length = min(PART, start + count - first)
            throws = self.draw(seed, philox.DICE, first, length, 216)
            places = _RESULT_OF_THROW.take(throws).astype(np.intp)
            if turns > 1:
                places += np.arange(first, first + length) % turns * len(RESULTS)
            counts += np.bincount(places, minlength=len(counts))
        return counts.reshape(turns, len(RESULTS))

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
        # As wide as the output, so that the lookup is done in place.
        flat = multiples.ravel().astype(out.dtype, copy=False)
        rows = max(1, PART // boxes.shape[1])
        for first in range(0, len(results), rows):
            part = slice(first, first + rows)
            places = results[part].astype(np.intp)[:, np.newaxis] * multiples.shape[1] + boxes[part]
            np.take(flat, places, out=out[part], mode="clip")
            out[part] *= stakes[part]
            out[part] >>= shift

    def settle(
        self, round: Round, columns: tuple[Players, Bytes, Money], players: int, threads: int
    ) -> Totals:
        """Add up a round by player; with a second thread, one finds the winners meanwhile."""
        staked, back = np.zeros((2, players), np.int64)
        bets = len(columns[0])
        helped = threads > 1 and bets >= WORTH_A_THREAD
        stretch = STRETCH if helped else PART
        pairs = _winning_pairs(round.multiples)
        seen = NOTHING_SEEN
        for first in range(0, bets, stretch):
            some = _cut(columns, first, stretch)
            won = beside(partial(_won, round.multiples, pairs, some), helped=helped)
            seen = seen.joined(_lay(staked, some, round.boxes, first))
            if seen.wrong >= 0:
                break
            winners, products, kept = won()
            np.add.at(back, winners, products)
            seen = seen._replace(kept=seen.kept + kept)
        seen = seen._replace(staked=int(staked.sum()), products=int(back.sum()))
        # Each product is whole after the shift, and so is their sum: one shift does for all.
        back >>= round.shift
        return Totals(staked, back, seen)


def _cut(
    columns: tuple[Players, Bytes, Money], start: int, length: int
) -> tuple[Players, Bytes, Money]:
    """Slice some rows out of three columns."""
    ids, boxes, stakes = columns
    rows = slice(start, start + length)
    return ids[rows], boxes[rows], stakes[rows]


def _lay(
    staked: Amounts, columns: tuple[Players, Bytes, Money], box_count: int, start: int
) -> Seen:
    """Add stakes by player, in parts that are checked while they are in the cache."""
    seen = NOTHING_SEEN
    for first in range(0, len(columns[0]), PART):
        ids, boxes, stakes = _cut(columns, first, PART)
        wrong = _first_wrong(ids, boxes, len(staked), box_count)
        if wrong >= 0:
            return seen._replace(wrong=start + first + wrong)
        np.add.at(staked, ids.astype(np.intp, copy=False), stakes)
        lowest, bits = int(stakes.min()), int(np.bitwise_or.reduce(stakes))
        seen = seen._replace(lowest=min(seen.lowest, lowest), bits=seen.bits | bits)
    return seen


def _won(
    multiples: Amounts,
    pairs: npt.NDArray[np.uint16],
    columns: tuple[Players, Bytes, Money],
) -> tuple[npt.NDArray[np.intp], Amounts, int]:
    """Give the players of the bets that won, their products, and the sum of their stakes."""
    ids, boxes, stakes = columns
    won = _winners(pairs, boxes)
    products = stakes.take(won).astype(np.int64, copy=False)
    kept = int(products.sum())
    products *= multiples.take(boxes.take(won))
    return ids.take(won).astype(np.intp, copy=False), products, kept


def _winning_pairs(multiples: Amounts) -> npt.NDArray[np.uint16]:
    """Find which of two boxes, read as one word, win: this halves the lookups."""
    wins = (multiples != 0).astype(np.uint16)
    pairs: npt.NDArray[np.uint16] = wins[:, np.newaxis] << 8 | wins
    return pairs.ravel()


def _winners(pairs: npt.NDArray[np.uint16], boxes: Bytes) -> npt.NDArray[np.intp]:
    """Find the rows whose box wins."""
    # With an odd number of boxes, the last one is paired with itself.
    even = np.append(boxes, boxes[-1]) if len(boxes) % 2 else boxes
    wins = pairs.take(even.view(np.uint16)).view(np.bool_)
    return np.flatnonzero(wins[: len(boxes)])


def _first_wrong(ids: Players, boxes: Bytes, players: int, box_count: int) -> int:
    """Find the first row whose player or box does not exist, or -1."""
    # As an unsigned number, a negative one is higher than any player's.
    if ids.view(f"u{ids.itemsize}").max() < players and boxes.max() < box_count:
        return -1
    return int(np.flatnonzero((ids < 0) | (ids >= players) | (boxes >= box_count))[0])


def _fill(drawn: Draws, seed: int, stream: int, start: int, below: int) -> None:
    """Fill a part with draws; a rejected draw, which is rare, is repeated alone."""
    first = start // philox.LANES
    blocks = -(-(start + len(drawn)) // philox.LANES) - first
    # numpy's own generator advances the counter before it makes a block.
    key = np.array([seed, stream], np.uint64)
    words = np.random.Philox(key=key, counter=(first - 1) % 2**256).random_raw(4 * blocks)
    lanes = words.astype("<u8", copy=False).view("<u4")[start - first * philox.LANES :]
    scaled = lanes[: len(drawn)].astype(np.uint64)
    scaled *= np.uint64(below)
    np.right_shift(scaled, _HALF, out=drawn, casting="unsafe")
    rejected_below = 2**32 % below
    if rejected_below:
        scaled &= _LOW_HALF
        for place in np.flatnonzero(scaled < rejected_below).tolist():
            drawn[place] = philox.draw(seed, stream, start + place, below, attempt=1)
