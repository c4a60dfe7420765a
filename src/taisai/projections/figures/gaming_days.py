"""The gaming days of a house: each starts at an hour of the house's own, on the clocks around it.

A date of the calendar ends at midnight, in the middle of the evening's play. A gaming day goes on
until its hour, and has the date on which it began.
"""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from taisai.core.kernel.messages import Instant
from taisai.core.table.chips.gaming_day import gaming_date

#: The hour at which a day starts where no plan says otherwise: everybody has gone home by then.
DAY_STARTS = 6
TIME_ZONE = "UTC"
HOURS = range(24)
ZONE_MAX = 64


def zone_of(name: str) -> ZoneInfo | None:
    """Find a time zone by its IANA name; None where there is no such zone."""
    if not 0 < len(name) <= ZONE_MAX:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        # No such file, a path that leads elsewhere, or a folder of zones such as "Asia".
        return None


class GamingDays:
    """Tells the gaming date of any moment, for consoles and reports alike."""

    def __init__(self, day_starts: int = DAY_STARTS, time_zone: str = TIME_ZONE) -> None:
        zone = zone_of(time_zone)
        assert zone is not None, "a zone that there is not is refused where the plan is read"
        assert day_starts in HOURS, "an hour that there is not is refused where the plan is read"
        self.day_starts = day_starts
        self.time_zone = time_zone
        self._zone = zone

    def gaming_date_at(self, at: Instant) -> str:
        """Name the gaming day that a moment belongs to, as `2026-11-16`."""
        return gaming_date(at, self.day_starts, self._offset_minutes(at))

    def _offset_minutes(self, at: Instant) -> int:
        """Say how far the house's clocks are ahead of UTC at that moment: summer has its own."""
        offset = datetime.fromtimestamp(at // 1000, UTC).astimezone(self._zone).utcoffset()
        assert offset is not None, "every zone has an offset at every moment"
        return int(offset.total_seconds()) // 60
