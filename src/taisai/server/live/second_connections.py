"""Second connections: a terminal's key is used while it is connected, and the pit is told [D38].

Each is counted. How often they are recorded is limited, for one terminal and for all together,
however often a client connects.
"""

import itertools
import logging
from collections.abc import Callable
from time import monotonic

from taisai.core.kernel.messages import Order
from taisai.core.rules.reason import Refusal
from taisai.core.venue.terminal_keys import RecordSecondConnection
from taisai.runtime.answers import HOST, Answer
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE
from taisai.server.accounts.limiting import Bucket, Buckets

#: Recorded: one terminal once in ten minutes; all together twenty at once, then one a minute.
OF_ONE_SECONDS = 600.0
OF_ALL_SECONDS = 60.0
OF_ALL_MOST = 20

_log = logging.getLogger(__name__)


class SecondConnections:
    """Counts second connections, and has the venue record them."""

    def __init__(self, runtime: Runtime, time: Callable[[], float] = monotonic) -> None:
        self._runtime = runtime
        self._time = time
        self._of_one = Buckets(1 / OF_ONE_SECONDS, 1)
        self._of_all = Bucket(1 / OF_ALL_SECONDS, OF_ALL_MOST)
        self._numbers = itertools.count(1)
        self.count = 0

    def seen(self, table: str, terminal: str, place: str, before: str) -> None:
        """Count a terminal that connected again while it was still connected."""
        self.count += 1
        now = self._time()
        if not self._of_one.of(f"{table}/{terminal}").take(now) or not self._of_all.take(now):
            return
        _log.warning(
            "terminal %s of table %s came from %s, and was still connected from %s",
            *(terminal, table, place, before),
        )
        command = RecordSecondConnection(table, terminal, place, before)
        id_ = f"{self._runtime.clock.now()}-twice-{next(self._numbers)}"
        self._runtime.submit_then(VENUE, Order(id_, HOST, command), _noted)


def _noted(answer: Answer) -> None:
    if isinstance(answer, Refusal):
        _log.warning("a second connection could not be written down: %s", answer.code)
