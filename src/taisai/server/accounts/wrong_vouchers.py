"""Wrong voucher numbers that were tried: counted for each client, and for the venue [D38].

No client has to wait for it: a voucher has eighteen digits, and the limits on each caller limit
this too. The number that was tried is never stored.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from typing import NamedTuple

from taisai.core.kernel.messages import Instant

#: Refusals that say that a number is that of no outstanding voucher.
WRONG = frozenset({"NO_VOUCHER_NUMBER", "UNKNOWN_VOUCHER"})
#: The pit is told of so many within so long, by one client or in the venue.
MANY, MANY_HERE = 5, 25
WITHIN_MS = 10 * 60 * 1_000
#: How many clients that tried lately are remembered, and how many tries of each.
VISITORS_MAX = 1_000
TRIES_MAX = 1_000
#: Names that have a count of their own while the venue runs; all others share one.
COUNTED_MAX = 500
OTHERS = "others"


class Many(NamedTuple):
    """Wrong vouchers tried lately, by one client or, if none is named, in the venue."""

    who: str | None
    tried: int
    last: Instant


class WrongVouchers:
    """Counts wrong vouchers; every list has a limit, and the oldest is dropped first."""

    def __init__(self) -> None:
        #: Since the start, by client.
        self.counts: Counter[str] = Counter()
        self._here: deque[Instant] = deque(maxlen=TRIES_MAX)
        self._by: OrderedDict[str, deque[Instant]] = OrderedDict()

    def tried(self, who: str, code: str, now: Instant) -> None:
        """Count a refusal, if it is for a wrong voucher."""
        if code not in WRONG:
            return
        apart = who in self.counts or len(self.counts) < COUNTED_MAX
        self.counts[who if apart else OTHERS] += 1
        self._here.append(now)
        self._by.setdefault(who, deque(maxlen=TRIES_MAX)).append(now)
        self._by.move_to_end(who)
        if len(self._by) > VISITORS_MAX:
            self._by.popitem(last=False)

    def many(self, now: Instant) -> Iterator[Many]:
        """List the clients that tried many lately, the newest first, and the venue before them."""
        since = now - WITHIN_MS
        told = ((None, self._here, MANY_HERE), *((who, at, MANY) for who, at in self._newest()))
        for who, tried, most in told:
            count = sum(at > since for at in tried)
            if count >= most:
                yield Many(who, count, tried[-1])

    def _newest(self) -> Iterator[tuple[str, deque[Instant]]]:
        return reversed(self._by.items())
