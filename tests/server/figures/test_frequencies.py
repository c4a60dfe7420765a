"""Frequencies of results: counted a second way, and expected by the 216 throws one by one."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt
from random import Random

import pytest

import taisai
from taisai.core.rules.dice import Faces, result_of
from taisai.projections.figures.frequencies import Frequencies, cold, hot
from taisai.protocol.roads import mark_of
from taisai.rulebooks import KEYS

THROWS = [*product(range(1, 7), repeat=3)]


def thrown(seed: int, rounds: int) -> list[Faces]:
    chance = Random(seed)  # noqa: S311 - the same throws each time
    return [chance.choice(THROWS) for _ in range(rounds)]  # type: ignore[misc]


@pytest.mark.parametrize("key", KEYS)
def test_the_roads_agree_with_every_rulebook(key: str) -> None:
    kinds = taisai.rulebook(key).content.kinds
    for dice in THROWS:
        total, size, parity = mark_of((dice[0], dice[1], dice[2]))
        assert total == sum(dice)
        if len(set(dice)) == 1:
            assert (size, parity) == ("triple", "triple")
        else:
            assert total in kinds[size].totals
            assert total in kinds[parity].totals


def test_everything_is_counted_against_its_share_of_all_throws() -> None:
    throws = thrown(1, 400)
    counted = Frequencies(throws, taisai.pay_table("ts6/2"))
    totals, every = Counter(map(sum, throws)), Counter(map(sum, THROWS))
    assert {int(name): (seen, expected) for name, seen, expected in counted.totals()} == {
        total: (totals[total], Fraction(400 * every[total], 216)) for total in range(3, 19)
    }
    faces = Counter(face for dice in throws for face in dice)
    assert [(int(name), seen, expected) for name, seen, expected in counted.faces()] == [
        (face, faces[face], Fraction(200)) for face in range(1, 7)
    ]
    for found in (counted.totals(), counted.sizes(), counted.parities()):
        assert sum(each.seen for each in found) == 400
        assert sum(each.expected for each in found) == 400
    assert sum(each.expected for each in counted.faces()) == 3 * 400
    assert [each.expected for each in counted.sizes()] == [
        Fraction(400 * 105, 216),
        Fraction(400 * 105, 216),
        Fraction(400 * 6, 216),
    ]


def test_boxes_by_how_often_they_won_and_how_long_ago() -> None:
    throws, table = thrown(2, 300), taisai.pay_table("ts6/3")
    boxes = Frequencies(throws, table).boxes()
    assert [each.box for each in boxes] == [*table.boxes]
    for each in boxes:
        won = [each.box in table.winners(result_of(dice)) for dice in throws]
        rows = "".join(map(str, map(int, won))).split("1")
        assert (each.seen, each.longest) == (sum(won), max(map(len, rows)))
        assert each.since == (len(rows[-1]) if any(won) else None)
        share = sum(each.box in table.winners(result_of(dice)) for dice in THROWS) / 216
        assert each.errors == pytest.approx(
            (sum(won) - 300 * share) / sqrt(300 * share * (1 - share))
        )
    by_errors = sorted(boxes, key=lambda each: each.errors)
    assert [each.errors for each in cold(boxes, 5)] == [each.errors for each in by_errors[:5]]
    assert [each.errors for each in hot(boxes, 5)] == [each.errors for each in by_errors[:-6:-1]]


def test_nothing_has_come_up_before_the_first_round() -> None:
    counted = Frequencies([], taisai.pay_table("etg8/1"))
    boxes = counted.boxes()
    assert {(each.seen, each.errors, each.since, each.longest) for each in boxes} == {
        (0, 0.0, None, 0)
    }
    assert hot(boxes, 5) == cold(boxes, 5) == []
    assert Frequencies([(1, 1, 1)], None).boxes() == []
