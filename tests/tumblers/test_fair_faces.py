"""Bytes become faces without bias: counted over every byte, and not only sampled."""

import asyncio
from collections import Counter
from collections.abc import Callable
from itertools import islice

import pytest

from taisai.core.rules.dice import Faces
from taisai.core.table.provably_fair import fair_faces
from taisai.runtime.tumblers import SimulatedTumbler


def chi_square(counts: Counter[int]) -> float:
    """Measure how far six counts are from even."""
    even = counts.total() / 6
    return sum((counts[face] - even) ** 2 / even for face in range(1, 7))


def test_every_face_has_exactly_42_of_the_256_bytes() -> None:
    counts = Counter(fair_faces(range(256)))
    assert counts == dict.fromkeys(range(1, 7), 42)
    assert chi_square(counts) == 0


def test_the_four_bytes_that_are_thrown_away_would_have_favoured_the_low_faces() -> None:
    biased = Counter(byte % 6 + 1 for byte in range(256))
    assert [biased[face] for face in range(1, 7)] == [43, 43, 43, 43, 42, 42]
    assert list(fair_faces([251, 252, 253, 254, 255, 0])) == [6, 1]


def test_all_pairs_of_bytes_give_all_pairs_of_faces_equally() -> None:
    pairs = Counter(
        pair
        for first in range(256)
        for second in range(256)
        if len(pair := tuple(fair_faces((first, second)))) == 2
    )
    assert pairs == {(a, b): 42 * 42 for a in range(1, 7) for b in range(1, 7)}


def source(data: bytes) -> Callable[[int], bytes]:
    """Give bytes on demand, from a fixed store."""
    store = iter(data)
    return lambda count: bytes(islice(store, count))


def draws(tumbler: SimulatedTumbler, count: int) -> list[Faces]:
    async def draw() -> list[Faces]:
        return [await tumbler.draw("T1", number) for number in range(count)]

    return asyncio.run(draw())


def test_a_draw_takes_the_first_three_bytes_that_count() -> None:
    data = bytes([255, 5, 254, 253, 252, 0, 7]) + bytes(9)
    assert draws(SimulatedTumbler(source(data)), 1) == [(1, 2, 6)]


def test_a_draw_goes_on_where_a_helping_of_bytes_had_too_few() -> None:
    data = bytes([255] * 15 + [3] + [255] * 16 + [4] * 16)
    assert draws(SimulatedTumbler(source(data)), 1) == [(4, 5, 5)]


def test_each_draw_asks_for_bytes_of_its_own() -> None:
    data = bytes([0] * 16 + [1] * 16 + [2] * 16)
    assert draws(SimulatedTumbler(source(data)), 3) == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]


@pytest.mark.parametrize("modulo", [False, True])
def test_chi_square_tells_fair_faces_from_biased_ones(modulo: bool) -> None:
    """A thousand times every byte: fair faces are even, and `byte % 6` is beyond any chance."""
    values = [value % 6 + 1 for value in range(256)] if modulo else fair_faces(range(256))
    counts = Counter({face: times * 1000 for face, times in Counter(values).items()})
    assert (chi_square(counts) > 20.5) is modulo, "20.5: one in a thousand, five degrees of freedom"


def test_the_operating_systems_dice_show_every_face_about_as_often() -> None:
    """With 40,000 dice a fair tumbler fails this once in a thousand million runs."""
    counts = Counter(face for faces in draws(SimulatedTumbler(), 13_334) for face in faces)
    assert chi_square(counts) < 50
