"""A terminal that plays for hours keeps no more than one that has just begun."""

from itertools import islice

from tests.browser.heaps import playing
from tests.browser.windows import Player
from tests.kit.processes import RunningVenue

#: The first rounds fill what is kept for good: the engine's own, and the roads.
WARMING = 6
ROUNDS = 10
#: More than roads and engine take of an early round; trees that nobody lets go of take 380,000.
ROUND_BYTES_MAX = 190_000


def test_a_round_leaves_nothing_behind(player: Player, venue: RunningVenue) -> None:
    with playing(venue.address, "heap", player) as rounds:
        before = [each.kept() for each in islice(rounds, WARMING - 1, WARMING)]
        after = [each.kept() for each in islice(rounds, ROUNDS - 1, ROUNDS)]
    assert (after[0] - before[0]) / ROUNDS < ROUND_BYTES_MAX
