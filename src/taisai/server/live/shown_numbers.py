"""Numbers of vouchers: each is shown to whom it was printed for, and soon to nobody any more [D40].

An answer may be lost on its way and a screen be loaded again, so that for a while after it was
first shown a number is shown again. What was never shown is not forgotten: it is somebody's money.
"""

from collections import OrderedDict

from taisai.core.cage.state import Voucher
from taisai.core.kernel.messages import Instant, Order
from taisai.runtime.runtime import Runtime

#: So long after it was first shown a number is shown again to whom it was printed for.
AGAIN_MS = 10 * 60 * 1_000
#: So many numbers are known to have been shown; the oldest go first.
SHOWN_MAX = 100_000


class ShownNumbers:
    """Knows since when each number has been shown, for as long as the venue runs."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._first: OrderedDict[int, Instant] = OrderedDict()

    def show(self, order: Order, place: str | None = None) -> tuple[str, Voucher] | None:
        """Find the voucher that an order issued, with its number, while that is to be shown.

        Where a place is named, only one that was printed for it.
        """
        cage = self._runtime.cage
        number = cage.number_for(order)
        serial = None if number is None else cage.by_number.get(number)
        if number is None or serial is None or place not in (None, cage.outstanding[serial].place):
            return None
        now = self._runtime.clock.now()
        if now - self._first.setdefault(serial, now) > AGAIN_MS:
            return None
        if len(self._first) > SHOWN_MAX:
            self._first.popitem(last=False)
        return number, cage.outstanding[serial]
