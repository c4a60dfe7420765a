"""Gaming days of a table: their sums, by dealer and by kind of bet, and their counts.

A chip table's day is the one that was opened and closed there; at a terminal table a moment
belongs to the gaming date of the house. A round counts on the day it was settled, as it stands now;
money moved to put it right counts on the day it moved.

A table keeps the sums of its newest days. Each is a few kilobytes whatever was played, and two
years of them would be too much memory for a few requests: older days are read again from the
journal, by the same code, for the requested dates.

A date of the calendar ends at midnight, in the middle of the evening's play. A gaming day goes on
until its hour, which is the venue's own, and has the date on which it began.
"""

from datetime import UTC, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct, field

from taisai.core.kernel.messages import Instant
from taisai.core.table.chips.gaming_day import gaming_date
from taisai.core.venue import state as venue
from taisai.projections.figures.sums import KindSums, RoundSums, Sums

#: Days that are kept of a table: a little more than a quarter of a year.
DAYS_KEPT = 100
#: The most dealers of a table on one day; the rounds of others are added up under no name.
DEALERS_A_DAY = 100
NO_NAME = ""
#: The default of a venue.
DAY_STARTS, TIME_ZONE, HOURS = venue.DAY_STARTS, venue.TIME_ZONE, venue.HOURS
ZONE_MAX = 64


class Dates(NamedTuple):
    """Gaming dates from the first to the last, both included; written as `2026-11-16`."""

    first: str
    last: str

    def has(self, date: str) -> bool:
        """Say whether a date is one of them: dates in this form sort by time."""
        return self.first <= date <= self.last


class Count(Struct, array_like=True):
    """What two persons counted at a chip table, beside the amounts in the books."""

    opened_at: Instant
    opened_by: str
    opening: int
    opening_expected: int
    #: Given to players less taken from them while no day was open, since the day before.
    between: int = 0
    fills: int = 0
    credits: int = 0
    drop_cash: int = 0
    drop_chips: int = 0
    drop_expected: int = 0
    drop_counted_at: Instant | None = None
    closed_at: Instant | None = None
    closed_by: str | None = None
    closing: int | None = None
    closing_expected: int | None = None
    #: Missing of credits that were put back into the rack.
    missing: int = 0

    @property
    def drop(self) -> int:
        """The worth of what was counted in the drop box."""
        return self.drop_cash + self.drop_chips

    @property
    def opening_difference(self) -> int:
        """What was in the rack at the opening beyond the books."""
        return self.opening - self.opening_expected

    @property
    def difference(self) -> int:
        """What was counted beyond the books: in the box, at the close, in credits put back."""
        closing = (self.closing or 0) - (self.closing_expected or 0)
        return self.drop - self.drop_expected + closing - self.missing

    @property
    def win(self) -> int | None:
        """Show the win by the counts: drop + closing - opening - fills + credits."""
        if self.closing is None:
            return None
        return self.drop + self.closing - self.opening - self.fills + self.credits


class DaySums(Struct, array_like=True):
    """The sums of one gaming day at one table."""

    date: str
    sums: Sums = field(default_factory=Sums)
    dealers: dict[str, Sums] = {}
    kinds: dict[str, KindSums] = {}
    #: What was collected and paid as rounds were settled, without later corrections.
    collected: int = 0
    paid: int = 0
    #: Given to players by corrections on that day, less what corrections took.
    corrections: int = 0
    #: What players brought: cash and chips for value bought in, or credits; and what they took.
    drop: int = 0
    out: int = 0
    count: Count | None = None

    @property
    def win(self) -> int:
        """Show the win by the books; when a chip table's day is closed it is the win by counts."""
        found = 0 if self.count is None else self.count.difference
        return self.collected - self.paid - self.corrections + found

    def sums_of(self, dealer: str | None) -> tuple[Sums, ...]:
        """Give the sums of the day, and those of a dealer."""
        if dealer is None:
            return (self.sums,)
        if dealer not in self.dealers and len(self.dealers) >= DEALERS_A_DAY:
            dealer = NO_NAME
        return self.sums, self.dealers.setdefault(dealer, Sums())

    def add_round(self, each: RoundSums, sign: int = 1) -> None:
        """Add a round, or take it off again."""
        for sums in self.sums_of(each.by):
            sums.add_round(each, sign)
        for kind, part in each.kinds.items():
            self.kinds.setdefault(kind, KindSums()).add(part, sign)


class Days:
    """The gaming days of a table that are kept: the newest, or the requested ones."""

    def __init__(
        self, by_date: dict[str, DaySums], forgotten: str | None = None, wanted: Dates | None = None
    ) -> None:
        self.by_date = by_date
        #: The newest date that is no longer kept.
        self.forgotten = forgotten
        self._wanted = wanted

    def on(self, date: str) -> DaySums:
        """Give the sums of a day, new if need be; those of a day not kept are thrown away."""
        if date in self.by_date:
            return self.by_date[date]
        day = DaySums(date)
        if self._wanted is not None:
            if self._wanted.has(date):
                self.by_date[date] = day
            return day
        if self.forgotten is not None and date <= self.forgotten:
            return day
        self.by_date[date] = day
        if len(self.by_date) > DAYS_KEPT:
            self.forgotten = next(iter(self.by_date))
            del self.by_date[self.forgotten]
        return day

    def know(self, dates: Dates) -> bool:
        """Say whether all of these dates are kept."""
        return self.forgotten is None or self.forgotten < dates.first


# --- the gaming date of a moment ------------------------------------------------------------------


def zone_of(name: str) -> ZoneInfo | None:
    """Find a time zone by its IANA name; None where there is no such zone."""
    if not 0 < len(name) <= ZONE_MAX:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        # No such file, a path outside the zones, or a folder of zones such as "Asia".
        return None


class GamingDays:
    """Gives the gaming date of any moment, for consoles and reports alike."""

    def __init__(self, day_starts: int = DAY_STARTS, time_zone: str = TIME_ZONE) -> None:
        zone = zone_of(time_zone)
        assert zone is not None, "a zone that there is not is refused where the plan is read"
        assert day_starts in HOURS, "an hour that there is not is refused where the plan is read"
        self.day_starts = day_starts
        self.time_zone = time_zone
        self._zone = zone

    def gaming_date_at(self, at: Instant) -> str:
        """Give the gaming date of a moment, as `2026-11-16`."""
        return gaming_date(at, self.day_starts, self._offset_minutes(at))

    def _offset_minutes(self, at: Instant) -> int:
        """Give how far the house's clocks are ahead of UTC at that moment, summer time included."""
        offset = datetime.fromtimestamp(at // 1000, UTC).astimezone(self._zone).utcoffset()
        assert offset is not None, "every zone has an offset at every moment"
        return int(offset.total_seconds()) // 60
