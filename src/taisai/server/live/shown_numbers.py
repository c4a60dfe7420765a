"""Numbers of vouchers: each is shown only where it was printed, and only for a while [D40].

An answer may be lost on its way, or a screen reloaded, so a number is shown again for a while after
it was first shown. A number that was never shown is not forgotten: it is somebody's money.
"""

from collections import OrderedDict

from taisai.core.cage.state import Voucher
from taisai.core.kernel.messages import Instant, Order
from taisai.runtime.runtime import Runtime

#: How long after it was first shown a number is shown again.
AGAIN_MS = 10 * 60 * 1_000
#: How many shown numbers are remembered; the oldest are dropped first.
SHOWN_MAX = 100_000


class ShownNumbers:
    """Remembers when each number was first shown, as long as the venue runs."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._first: OrderedDict[int, Instant] = OrderedDict()

    def show(self, order: Order, place: str | None = None) -> tuple[str, Voucher] | None:
        """Find the voucher that an order issued, with its number, as long as it may be shown.

        If a place is named, only a voucher printed for that place is found.
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
