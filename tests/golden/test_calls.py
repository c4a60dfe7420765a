"""The dealer's call of each of the 56 distinct results, against literal rows [div9 6.3]."""

from pathlib import Path

import taisai
from taisai.core.rules.dice import RESULTS, call_of

ROWS = [
    line.split(" | ")
    for line in (Path(__file__).parent / "calls.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


def test_there_are_56_results_and_216_throws() -> None:
    assert len(ROWS) == len(RESULTS) == 56
    assert sum(int(row[1]) for row in ROWS) == sum(result.throws for result in RESULTS) == 216


def test_each_result_is_called_and_counted_as_written() -> None:
    for faces, throws, total, call in ROWS:
        result = taisai.result_of([int(face) for face in faces])
        assert (result.throws, result.total) == (int(throws), int(total))
        assert taisai.say(call_of(result)) == call


def test_dice_may_lie_in_any_order() -> None:
    assert taisai.result_of((6, 2, 2)) is taisai.result_of((2, 6, 2)) is taisai.result_of([2, 2, 6])
