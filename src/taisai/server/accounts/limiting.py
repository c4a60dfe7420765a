"""Limits: buckets of tokens for frequent requests, and growing waits after wrong tries.

The caller gives the time; nothing here reads a clock. Every table has a limit, and the entry that
has been quiet longest is dropped first.
"""

from collections import OrderedDict

from msgspec import Struct

from taisai.core.kernel.messages import Instant

#: Callers with a bucket of their own.
CALLERS_MAX = 20_000
#: Names and places whose wrong tries are counted.
TRIED_MAX = 10_000


class Bucket:
    """A bucket of tokens that fills steadily; each request takes one."""

    __slots__ = ("_at", "_burst", "_rate", "_tokens")

    def __init__(self, per_second: float, burst: float) -> None:
        self._rate = per_second
        self._burst = burst
        self._tokens = float(burst)
        self._at = 0.0

    def take(self, now: float) -> bool:
        """Take a token, if there is one; `now` counts seconds and never goes back."""
        tokens = self._tokens + (now - self._at) * self._rate
        self._at = now
        if tokens > self._burst:  # noqa: PLR1730 - asked for every bet, and twice as fast as min()
            tokens = self._burst
        if tokens < 1.0:
            self._tokens = tokens
            return False
        self._tokens = tokens - 1.0
        return True

    def charge(self, now: float, cost: float) -> bool:
        """Take several tokens at once, if they are there."""
        tokens = min(self._burst, self._tokens + (now - self._at) * self._rate)
        self._at = now
        self._tokens = tokens if tokens < cost else tokens - cost
        return tokens >= cost

    @property
    def wait_seconds(self) -> float:
        """How long after the last request the next token will be there."""
        return max(0.0, (1.0 - self._tokens) / self._rate)


class Buckets:
    """A bucket for each caller; if there are too many, the caller quiet longest is dropped."""

    def __init__(self, per_second: float, burst: float, most: int = CALLERS_MAX) -> None:
        self._per_second = per_second
        self._burst = burst
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, caller: str) -> Bucket:
        """Give a caller's bucket."""
        bucket = self._buckets.get(caller)
        if bucket is None:
            bucket = self._buckets[caller] = Bucket(self._per_second, self._burst)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(caller)
        return bucket


class TryLimits(Struct, frozen=True):
    """How many wrong tries are free, and how the wait grows after that."""

    free: int
    first_ms: int
    most_ms: int
    forgotten_ms: int


class Tally(Struct):
    """The tries of one name or place, and until when it has to wait."""

    count: int = 0
    until: Instant = 0
    last: Instant = 0


class Tries:
    """Wrong tries by name or place: after a few, each makes the wait for the next twice as long.

    A try is counted before it is checked, so that a hundred at once do not count as one.
    """

    def __init__(self, limits: TryLimits, most: int = TRIED_MAX) -> None:
        self._limits = limits
        self._most = most
        self._tallies: OrderedDict[str, Tally] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tallies)

    def wait_ms(self, key: str, now: Instant) -> int:
        """Say how long is left until the next try is checked; nothing is counted."""
        tally = self._tallies.get(key)
        if tally is None:
            return 0
        if now - max(tally.last, tally.until) >= self._limits.forgotten_ms:
            del self._tallies[key]
            return 0
        return max(0, tally.until - now)

    def begin(self, key: str, now: Instant) -> None:
        """Count a try."""
        tally = self._tallies.setdefault(key, Tally())
        self._tallies.move_to_end(key)
        tally.count += 1
        tally.last = now
        over = tally.count - self._limits.free
        if over >= 0:
            # After thirty doublings every wait is the longest.
            wait = min(self._limits.first_ms << min(over, 30), self._limits.most_ms)
            tally.until = now + wait
        if len(self._tallies) > self._most:
            self._tallies.popitem(last=False)

    def locked(self, key: str) -> bool:
        """Say whether so many tries are counted that the next one has to wait."""
        tally = self._tallies.get(key)
        return tally is not None and tally.count >= self._limits.free

    def forget(self, key: str) -> None:
        """Forget all tries: one was right."""
        self._tallies.pop(key, None)

    def take_back(self, key: str) -> None:
        """Count one try less: it was right, or not checked; the other tries still count."""
        tally = self._tallies.get(key)
        if tally is not None:
            tally.count -= 1
            # The try was accepted, so there was no wait before it.
            tally.until = 0


_MINUTE, _HOUR = 60_000, 3_600_000

#: One name from one place: a mistyped password costs a second, guessing soon a quarter of an hour.
BY_BOTH = TryLimits(free=5, first_ms=1_000, most_ms=15 * _MINUTE, forgotten_ms=_HOUR)
#: One place, whatever the names.
BY_PLACE = TryLimits(free=20, first_ms=1_000, most_ms=15 * _MINUTE, forgotten_ms=_HOUR)
#: One name from anywhere: many more, since a stranger must not lock somebody out easily.
BY_PERSON = TryLimits(free=50, first_ms=1_000, most_ms=5 * _MINUTE, forgotten_ms=24 * _HOUR)
#: A PIN has few digits: five wrong ones lock it for five minutes, and then for longer.
BY_PIN = TryLimits(free=5, first_ms=5 * _MINUTE, most_ms=_HOUR, forgotten_ms=24 * _HOUR)


class LogInLimiter:
    """Wrong log-ins, counted for a name at a place, for the place, and for the name anywhere."""

    def __init__(self) -> None:
        self._both = Tries(BY_BOTH)
        self._place = Tries(BY_PLACE)
        self._person = Tries(BY_PERSON)

    def _each(self, person: str, place: str) -> tuple[tuple[Tries, str], ...]:
        both = _both(person, place)
        return (self._both, both), (self._place, place), (self._person, person)

    def wait_ms(self, person: str, place: str, now: Instant) -> int:
        """Say how long is left until a log-in of that name from that place is checked."""
        return max(tries.wait_ms(key, now) for tries, key in self._each(person, place))

    def begin(self, person: str, place: str, now: Instant) -> None:
        """Count a log-in as wrong until it is known to be right."""
        for tries, key in self._each(person, place):
            tries.begin(key, now)

    def was_right(self, person: str, place: str) -> None:
        """Forget the name's tries, but of the place's only this one: an attacker may log in too."""
        self._both.forget(_both(person, place))
        self._person.forget(person)
        self._place.take_back(place)

    def was_not_tried(self, person: str, place: str) -> None:
        """Count one log-in less: it was not checked, for want of time."""
        for tries, key in self._each(person, place):
            tries.take_back(key)

    def locked(self, person: str, place: str) -> bool:
        """Say whether that name now has to wait, from that place or from anywhere."""
        return self._both.locked(_both(person, place)) or self._person.locked(person)


def _both(person: str, place: str) -> str:
    return f"{place}\0{person}"
