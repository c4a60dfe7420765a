"""The dice of a simulation: a counter-based generator that gives any throw by its number.

It is Philox 4x64 with ten rounds (Salmon, Moraes, Dror and Shaw, 2011): a block of 256 bits is
computed from a key and a counter, and there is no state between blocks. So the same seed gives the
same throws whatever the engine, the number of threads and the size of the parts.

- The key is (seed, stream): stream 0 throws the dice, others choose boxes and stakes.
- Draw number i is lane i mod 8 of block i // 8: the halves of its four words, low half first.
- A draw below n is the high half of lane × n. If the low half is below 2³² mod n the lane is
  rejected, which leaves each of the n values exactly as many lanes; the draw is then taken from the
  same lane of the block with the next attempt in the counter's second word.

This version is in plain Python: it plays one round at a time, it handles rejections for the numpy
engine, and the other engines are tested against it.
"""

from itertools import product

from taisai.core.rules.dice import FACES, result_of
from taisai.maths.errors import check_whole

DICE, BOXES, STAKES = 0, 1, 2

#: The result of each of the 216 throws: throw 36a + 6b + c shows a + 1, b + 1, c + 1.
RESULT_OF_THROW = tuple(result_of(faces).index for faces in product(FACES, repeat=3))

LANES = 8
SEED_MAX = 2**64 - 1
BELOW_MAX = 2**32

MULTIPLIERS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
KEY_STEPS = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
ROUNDS = 10

_WORD = 2**64 - 1
_LANE = 2**32 - 1


def check_seed(seed: int) -> None:
    """Refuse an invalid seed."""
    check_whole("a seed is", seed, 0, SEED_MAX)


def block_of(seed: int, stream: int, number: int, attempt: int = 0) -> tuple[int, int, int, int]:
    """Give the four words of a block."""
    first, second, third, fourth = number, attempt, 0, 0
    key, other_key = seed, stream
    for _ in range(ROUNDS):
        lower, other = MULTIPLIERS[0] * first, MULTIPLIERS[1] * third
        first, second = (other >> 64) ^ second ^ key, other & _WORD
        third, fourth = (lower >> 64) ^ fourth ^ other_key, lower & _WORD
        key, other_key = (key + KEY_STEPS[0]) & _WORD, (other_key + KEY_STEPS[1]) & _WORD
    return first, second, third, fourth


def lanes_of(seed: int, stream: int, number: int, attempt: int = 0) -> list[int]:
    """Give the eight lanes of a block."""
    words = block_of(seed, stream, number, attempt)
    return [half for word in words for half in (word & _LANE, word >> 32)]


def draw(seed: int, stream: int, index: int, below: int, attempt: int = 0) -> int:
    """Draw one number below `below`, all equally likely."""
    number, lane = divmod(index, LANES)
    rejected_below = 2**32 % below
    while True:
        scaled = lanes_of(seed, stream, number, attempt)[lane] * below
        if scaled & _LANE >= rejected_below:
            return scaled >> 32
        attempt += 1


def draw_block(seed: int, stream: int, number: int, below: int) -> list[int]:
    """Draw the eight numbers of a block, each below `below`."""
    rejected_below = 2**32 % below
    scaled = [lane * below for lane in lanes_of(seed, stream, number)]
    return [
        each >> 32
        if each & _LANE >= rejected_below
        else draw(seed, stream, number * LANES + lane, below, attempt=1)
        for lane, each in enumerate(scaled)
    ]
