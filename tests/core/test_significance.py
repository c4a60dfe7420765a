"""Significant events: by their type, or by their content."""

import pytest

from taisai.core.kernel.messages import Event
from taisai.core.kernel.registry import is_significant
from taisai.core.table.positions import UnclaimedReleased
from taisai.core.table.provably_fair import SecretRevealed
from taisai.core.table.round import BetsOpened, ResultEntered
from taisai.core.table.setup import TableOpened


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (TableOpened("sue"), True),
        (BetsOpened("", "3.2", "dan"), False),
        (ResultEntered((1, 2, 3), "declared", "sue"), True),
        (ResultEntered((1, 2, 3), "keyed", "dan"), False),
        (SecretRevealed(1, "00", (1, 2, 3), agrees=False), True),
        (UnclaimedReleased("cage-U1", "7@1", 900, shortfall=100, in_chips=False), True),
        (UnclaimedReleased("cage-U1", "7@1", 1_000, shortfall=0, in_chips=False), False),
        (SecretRevealed(1, "00", (1, 2, 3), agrees=True), False),
    ],
)
def test_what_stands_out(event: Event, expected: bool) -> None:
    assert is_significant(event) is expected
