"""The loops of the numba engine, one job each; `engines.contract` explains them.

Box ids are bytes and every table has 256 entries, so that no loop can read outside a table. The
payouts of eight stakes are written at once, as vectors: by itself, the compiler does not vectorize
a loop with table lookups.
"""
# numba reads the code, not its annotations, and gives a type checker no information about it.
# mypy: allow-untyped-defs, allow-untyped-calls, no-warn-unreachable

from typing import Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils, types

from taisai.maths.engines import philox

LANES = 8
PART = 4096
#: So many bets are still in the cache when they are added up after the check.
SETTLE_PART = 16_384

_intrinsic: Any = numba.extending.intrinsic


def _compiled(function: Any) -> Any:
    """Compile on first use and keep the result on disk, if there is a place for it."""
    try:
        return numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # no directory to keep it in can be written to
        return numba.njit(nogil=True)(function)


_FIRST, _SECOND = map(np.uint64, philox.MULTIPLIERS)
_FIRST_STEP, _SECOND_STEP = map(np.uint64, philox.KEY_STEPS)
_HALF = np.uint64(32)
_LOW_HALF = np.uint64(2**32 - 1)
_HALF_UP = np.int64(32)
_NOTHING = np.uint64(0)
_ONE = np.uint64(1)
_ROUNDS = philox.ROUNDS
_THROWS = np.uint64(216)
_RESULT_OF_THROW = np.array(philox.RESULT_OF_THROW, np.uint8)


@_intrinsic
def _high_product(typing, left, right):  # noqa: ARG001
    """Give the high word of a product of two words, an instruction that Python lacks."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        double = ir.IntType(128)
        product = builder.mul(*(builder.zext(each, double) for each in arguments))
        return builder.trunc(builder.lshr(product, ir.Constant(double, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@_compiled
def _make_block(seed, stream, number, attempt, lanes):
    """Make a block, and write its eight lanes."""
    first, second, third, fourth = number, attempt, _NOTHING, _NOTHING
    key, other_key = seed, stream
    for _ in range(_ROUNDS):
        high, low = _high_product(_FIRST, first), _FIRST * first
        other_high, other_low = _high_product(_SECOND, third), _SECOND * third
        first, second = other_high ^ second ^ key, other_low
        third, fourth = high ^ fourth ^ other_key, low
        key, other_key = key + _FIRST_STEP, other_key + _SECOND_STEP
    lanes[0], lanes[1] = first & _LOW_HALF, first >> _HALF
    lanes[2], lanes[3] = second & _LOW_HALF, second >> _HALF
    lanes[4], lanes[5] = third & _LOW_HALF, third >> _HALF
    lanes[6], lanes[7] = fourth & _LOW_HALF, fourth >> _HALF


@_compiled
def _draw_again(seed, stream, number, lane, below):
    """Draw a rejected lane again, from the blocks of the next attempts."""
    lanes = np.empty(LANES, np.uint64)
    rejected_below = (_ONE << _HALF) % below
    attempt = _ONE
    while True:
        _make_block(seed, stream, number, attempt, lanes)
        scaled = lanes[lane] * below
        if scaled & _LOW_HALF >= rejected_below:
            return scaled >> _HALF
        attempt += _ONE


@_compiled
def fill(seed, stream, start, below, drawn):
    """Fill an array with the draws from number `start` on."""
    lanes = np.empty(LANES, np.uint64)
    rejected_below = (_ONE << _HALF) % below
    number, lane, place = np.uint64(start // LANES), start % LANES, 0
    while place < drawn.shape[0]:
        _make_block(seed, stream, number, _NOTHING, lanes)
        end = min(LANES, lane + drawn.shape[0] - place)
        for each in range(lane, end):
            scaled = lanes[each] * below
            drawn[place + each - lane] = scaled >> _HALF
            if scaled & _LOW_HALF < rejected_below:
                again = _draw_again(seed, stream, number, each, below)
                drawn[place + each - lane] = again
        place += end - lane
        lane = 0
        number += _ONE


@_compiled
def count(seed, start, length, counts):
    """Throw rounds, and count results by turn."""
    part = np.empty(PART, np.uint32)
    turns = counts.shape[0]
    turn = start % turns
    done = 0
    while done < length:
        size = min(part.shape[0], length - done)
        throws = part[:size]
        fill(seed, _NOTHING, start + done, _THROWS, throws)
        for place in range(size):
            counts[turn, _RESULT_OF_THROW[throws[place]]] += 1
            turn += 1
            if turn == turns:
                turn = 0
        done += size


@_intrinsic
def _pay_lanes(typing, row, boxes, stakes, out, place, shift):  # noqa: ARG001, PLR0913, PLR0917
    """Write what goes back of eight stakes at once: eight lookups, one product, one shift."""

    def generate(context, builder, signature, arguments):
        word, narrow = (context.get_value_type(each.dtype) for each in (out, row))
        vector = ir.VectorType(word, LANES)
        where = arguments[4]

        def at(argument, offset):
            array = cgutils.create_struct_proxy(signature.args[argument])(
                context, builder, arguments[argument]
            )
            return builder.gep(array.data, [offset])

        def lane(value):
            return ir.Constant(ir.IntType(32), value)

        multiples = ir.Constant(ir.VectorType(narrow, LANES), ir.Undefined)
        shifts = ir.Constant(vector, ir.Undefined)
        for number in range(LANES):
            box = builder.load(at(1, builder.add(where, where.type(number))))
            multiple = builder.load(at(0, builder.zext(box, where.type)))
            multiples = builder.insert_element(multiples, multiple, lane(number))
            shifts = builder.insert_element(shifts, arguments[5], lane(number))
        if narrow.width < word.width:
            multiples = builder.zext(multiples, vector)
        whole = word.width // 8
        laid = builder.load(builder.bitcast(at(2, where), vector.as_pointer()), align=whole)
        back = builder.ashr(builder.mul(laid, multiples), shifts)
        builder.store(back, builder.bitcast(at(3, where), vector.as_pointer()), align=whole)
        return context.get_dummy_value()

    return types.void(row, boxes, stakes, out, place, shift), generate


@_compiled
def pay(multiples, shift, results, boxes, stakes, out):
    """Write what goes back of every stake of every round."""
    bets = boxes.shape[1]
    for number in range(results.shape[0]):
        row = multiples[results[number]]
        lying, laid, back = boxes[number], stakes[number], out[number]
        place = 0
        while place + LANES <= bets:
            _pay_lanes(row, lying, laid, back, place, shift)
            place += LANES
        while place < bets:
            # Stored first, since the product wraps in the words of the output.
            back[place] = laid[place] * row[lying[place]]
            back[place] >>= shift
            place += 1


@_compiled
def _look_over(players, boxes, stakes):
    """Give the bounds of three columns; each loop is simple enough to be vectorized."""
    lowest = bits = stakes[0]
    staked = np.int64(0)
    first = last = players[0]
    last_box = boxes[0]
    for place in range(stakes.shape[0]):
        lowest = min(lowest, stakes[place])
        bits |= stakes[place]
        staked += stakes[place]
    for place in range(players.shape[0]):
        first, last = min(first, players[place]), max(last, players[place])
    for place in range(boxes.shape[0]):
        last_box = max(last_box, boxes[place])
    return (np.int64(lowest), np.int64(bits), staked), first, last, last_box


@_compiled
def _add_up(multiples, players, boxes, stakes, sums):
    """Add stakes and their products by player, for checked columns.

    If each player has two numbers, each sum has its own; if one, each has a half of it. The number
    of axes decides between the two loops when this is compiled.
    """
    kept = products = np.int64(0)
    if sums.ndim == 1:
        for place in range(players.shape[0]):
            stake, multiple = np.int64(stakes[place]), multiples[boxes[place]]
            product = stake * multiple
            kept += stake if multiple != 0 else np.int64(0)
            products += product
            sums[np.uint64(players[place])] += stake + (product << _HALF_UP)
    else:
        for place in range(players.shape[0]):
            stake, multiple = np.int64(stakes[place]), multiples[boxes[place]]
            product = stake * multiple
            kept += stake if multiple != 0 else np.int64(0)
            products += product
            sums[np.uint64(players[place]), 0] += stake
            sums[np.uint64(players[place]), 1] += product
    return kept, products


@_intrinsic
def _claim(typing, counter):  # noqa: ARG001
    """Take the next number of a counter that threads share: no two threads get the same."""

    def generate(context, builder, signature, arguments):
        array = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0])
        return builder.atomic_rmw("add", array.data, ir.Constant(ir.IntType(64), 1), "monotonic")

    return types.int64(counter), generate


@_compiled
def settle(payouts, columns, counter, sums):
    """Add up the parts that no other thread takes, and return the fields of `contract.Seen`."""
    multiples, box_count = payouts
    players, boxes, stakes = columns
    staked = products = kept = bits = np.int64(0)
    lowest, wrong = np.int64(2**62), np.int64(-1)
    start = _claim(counter) * SETTLE_PART
    while start < players.shape[0] and wrong < 0:
        part = slice(start, min(start + SETTLE_PART, players.shape[0]))
        found, first, last, last_box = _look_over(players[part], boxes[part], stakes[part])
        lowest = min(lowest, found[0])
        bits |= found[1]
        if first < 0 or last >= sums.shape[0] or last_box >= box_count:
            wrong = start
        else:
            added = _add_up(multiples, players[part], boxes[part], stakes[part], sums)
            staked += found[2]
            kept += added[0]
            products += added[1]
            start = _claim(counter) * SETTLE_PART
    return staked, products, kept, lowest, bits, wrong


@_compiled
def part_halves(both, shift, staked, back):
    """Split numbers into their halves, the high one shifted, and return the sum of each half."""
    lows = highs = np.int64(0)
    for place in range(both.shape[0]):
        word = np.uint64(both[place])
        low, high = np.int64(word & _LOW_HALF), np.int64(word >> _HALF)
        staked[place], back[place] = low, high >> shift
        lows += low
        highs += high
    return lows, highs
