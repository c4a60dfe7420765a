"""Clusters simulated from seeds: two nodes never decide for one stream, and no answer is lost.

Each safeguard is left out in turn, to show that the simulation notices.
"""

import pytest

from tests.ownership.hosts import Without
from tests.ownership.world import TROUBLES, simulate

#: When a safeguard is left out, a fault is found within this number of clusters.
SEEDS_MAX = 15


@pytest.mark.parametrize("seed", range(5))
def test_whatever_goes_wrong_nothing_is_lost_or_twice(seed: int) -> None:
    report = simulate(seed, seconds=15.0)
    assert report.faults == []
    # Commands were answered, and much went wrong.
    assert report.told > 100
    assert sum(report.troubles.values()) >= 8


def test_a_seed_says_all() -> None:
    assert simulate(3, seconds=4.0) == simulate(3, seconds=4.0)


@pytest.mark.parametrize("trouble", ["kill", "stop"])
def test_streams_of_a_lost_owner_are_open_elsewhere_within_two_seconds(trouble: str) -> None:
    report = simulate(1, seconds=6.0, troubles=(trouble,), one_at_a_time=True)
    assert report.faults == []
    assert report.troubles[trouble] >= 1
    assert 0.5 < report.longest_shut < 2.0


def test_a_database_that_was_away_has_nobody_taken_over() -> None:
    report = simulate(2, seconds=6.0, troubles=("crash",), one_at_a_time=True)
    assert report.faults == []
    assert report.troubles["crash"] >= 1
    assert report.taken_over == 0


@pytest.mark.parametrize("seed", range(3))
def test_what_is_left_for_another_does_not_come_back_first(seed: int) -> None:
    """Beats continue while a release is on its way to disk, and still show the stream as held."""
    report = simulate(seed, seconds=30.0, troubles=("move slowly",), one_at_a_time=True)
    assert report.faults == []
    assert report.taken_over > 0
    assert report.went_back == 0


@pytest.mark.parametrize("seed", range(3))
def test_what_one_cannot_open_another_has_after_a_while(seed: int) -> None:
    report = simulate(seed, seconds=15.0, troubles=("read nothing",), one_at_a_time=True)
    assert report.faults == []
    assert report.taken_over > 0


@pytest.mark.parametrize(
    ("without", "troubles", "fault"),
    [
        ("epoch", ("stop writing",), "a former wrote to"),
        ("fencing", ("hold up",), "a former wrote to"),
        ("barrier", ("break off",), "was told to be at"),
        ("self_suspension", ("cut",), "decide for"),
        ("lane_order", ("cut lane",), "a lane brought"),
        ("lane_resend", ("cut lane",), "has not come"),
    ],
)
def test_what_is_left_out_is_missed(without: str, troubles: tuple[str, ...], fault: str) -> None:
    left_out = Without(**{without: True})
    for seed in range(SEEDS_MAX):
        report = simulate(seed, seconds=6.0, troubles=troubles, without=left_out)
        if any(fault in each for each in report.faults):
            break
    else:
        pytest.fail(f"nobody misses {without}")
    assert {*troubles} <= {*TROUBLES}
    assert simulate(seed, seconds=6.0, troubles=troubles).faults == []
