"""Gaming days: the date of a moment in a venue whose day starts at an hour of its own."""

from datetime import UTC, datetime

import pytest

from taisai.projections.figures.days import GamingDays, zone_of
from taisai.server.floor_plan import VenuePlan


def at(text: str) -> int:
    """Give a moment in UTC, in milliseconds."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("day_starts", "zone", "moment", "date"),
    [
        (6, "UTC", "2026-11-16T05:59:59", "2026-11-15"),
        (6, "UTC", "2026-11-16T06:00:00", "2026-11-16"),
        (0, "UTC", "2026-11-16T00:00:00", "2026-11-16"),
        (23, "UTC", "2026-11-16T22:59:59", "2026-11-15"),
        # Singapore is eight hours ahead all year: 06:00 there is 22:00 of the day before in UTC.
        (6, "Asia/Singapore", "2026-11-15T21:59:59", "2026-11-15"),
        (6, "Asia/Singapore", "2026-11-15T22:00:00", "2026-11-16"),
        # Auckland is 12 hours ahead in June and 13 in January.
        (6, "Pacific/Auckland", "2026-06-14T17:59:59", "2026-06-14"),
        (6, "Pacific/Auckland", "2026-06-14T18:00:00", "2026-06-15"),
        (6, "Pacific/Auckland", "2026-01-14T16:59:59", "2026-01-14"),
        (6, "Pacific/Auckland", "2026-01-14T17:00:00", "2026-01-15"),
        # Adelaide is nine hours and a half ahead in June.
        (6, "Australia/Adelaide", "2026-06-14T20:29:59", "2026-06-14"),
        (6, "Australia/Adelaide", "2026-06-14T20:30:00", "2026-06-15"),
        # Behind UTC, the year ends later: five hours in New York, and six until the day starts.
        (6, "America/New_York", "2027-01-01T10:59:59", "2026-12-31"),
        (6, "America/New_York", "2027-01-01T11:00:00", "2027-01-01"),
    ],
)
def test_a_day_has_the_date_on_which_it_began(
    day_starts: int, zone: str, moment: str, date: str
) -> None:
    days = VenuePlan(day_starts=day_starts, time_zone=zone).gaming_days
    assert days.gaming_date_at(at(moment)) == date


def test_a_day_starts_at_six_by_utc_where_no_plan_says_otherwise() -> None:
    assert (GamingDays().day_starts, GamingDays().time_zone) == (6, "UTC")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "",
            "Asia",
            "asia singapore",
            "Mars/Base",
            "/etc/localtime",
            "../UTC",
            "a\0b",
            "é",
            "A" * 99,
        )
    ],
)
def test_what_is_no_zone_is_none(name: str) -> None:
    assert zone_of(name) is None
