"""A terminal that plays for hours keeps no more than one that has just begun."""

from collections.abc import Iterator
from itertools import islice

import pytest
from playwright.sync_api import Browser

from tests.browser.heaps import Heap, Kept, playing
from tests.browser.windows import Player
from tests.kit.processes import RunningVenue

#: The first rounds fill permanent memory: the engine's own, and the roads.
WARMING = 6
ROUNDS = 10
#: The engine frees memory a moment late: the least of this many rounds counts.
LOOKED = 2
#: A round adds a bead to each road and its result to the list: 27 nodes, and 4 objects to each.
ROUND_NODES_MAX = 60
ROUND_OBJECTS_MAX = 100
NODE_OBJECTS = 5
#: Roads, results and the engine take 16,000 so early; layout trees that leaked took 380,000.
ROUND_BYTES_MAX = 28_000


@pytest.fixture
def player(browser: Browser, venue: RunningVenue) -> Iterator[Player]:
    """Open a player's window on a new machine: a used one's leftovers would be counted too."""
    made = Player(browser, venue)
    yield made
    made.close()


def test_a_round_leaves_nothing_behind(player: Player, venue: RunningVenue) -> None:
    with playing(venue.address, "heap", player) as rounds:
        before = _least(rounds, WARMING)
        after = _least(rounds, ROUNDS)
    assert after.listeners == before.listeners
    assert (after.nodes - before.nodes) / ROUNDS < ROUND_NODES_MAX
    beside = (after.objects - before.objects) - NODE_OBJECTS * (after.nodes - before.nodes)
    assert beside / ROUNDS < ROUND_OBJECTS_MAX
    assert (after.bytes - before.bytes) / ROUNDS < ROUND_BYTES_MAX


def _least(rounds: Iterator[Heap], count: int) -> Kept:
    """Play this many rounds, and give the least memory kept after any of the last ones."""
    looked = [each.counted() for each in islice(rounds, count - LOOKED, count)]
    return min(looked, key=lambda each: each.bytes)
