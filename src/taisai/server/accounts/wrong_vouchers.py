"""Vouchers that were tried and are none: counted by who tried them, and in the venue [D38].

Nobody is kept waiting by it: a voucher is eighteen digits, and what limits each caller limits this
too. The number that was tried is never kept.
"""

from collections import Counter, OrderedDict, deque
from collections.abc import Iterator
from typing import NamedTuple

from taisai.core.kernel.messages import Instant

#: Refusals that say that a number is of no voucher that is out.
WRONG = frozenset({"NO_VOUCHER_NUMBER", "UNKNOWN_VOUCHER"})
#: So many within so long, by one or in the venue, and the pit is told.
MANY, MANY_HERE = 5, 25
WITHIN_MS = 10 * 60 * 1_000
#: Who tried lately, and how many of their tries are known.
VISITORS_MAX = 1_000
TRIES_MAX = 1_000
#: Names that are counted apart for as long as the venue runs; the others are one.
COUNTED_MAX = 500
OTHERS = "others"


class Many(NamedTuple):
    """Wrong vouchers tried lately, by one or, where nobody is named, in the venue."""

    who: str | None
    tried: int
    last: Instant


class WrongVouchers:
    """Counts wrong vouchers; every list has its end, and the oldest goes first."""

    def __init__(self) -> None:
        #: Since the start, by who tried them.
        self.counts: Counter[str] = Counter()
        self._here: deque[Instant] = deque(maxlen=TRIES_MAX)
        self._by: OrderedDict[str, deque[Instant]] = OrderedDict()

    def tried(self, who: str, code: str, now: Instant) -> None:
        """Count a refusal, if it is of a wrong voucher."""
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
        """Say who tried many lately, the newest first, and whether all together did."""
        since = now - WITHIN_MS
        told = ((None, self._here, MANY_HERE), *((who, at, MANY) for who, at in self._newest()))
        for who, tried, most in told:
            count = sum(at > since for at in tried)
            if count >= most:
                yield Many(who, count, tried[-1])

    def _newest(self) -> Iterator[tuple[str, deque[Instant]]]:
        return reversed(self._by.items())
