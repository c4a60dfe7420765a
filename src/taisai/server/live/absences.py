"""Terminals that are lost and come back, noted in the journal as that happens.

A terminal that is noted as lost is refused what it asks for [etg8 5.2.2]: so one that is connected
must never stay noted as lost, however its going and coming back overlap.
"""

import logging
from collections.abc import Callable

from taisai.core.kernel.messages import Order
from taisai.core.rules.reason import Refusal
from taisai.core.table.positions import LoseTerminal, RestoreTerminal
from taisai.runtime.answers import AGAIN, HOST, Answer, Registered
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import table_stream
from taisai.runtime.writer import OnAnswer
from taisai.server.live.channels import TableChannel
from taisai.server.live.seats import Seat

_log = logging.getLogger(__name__)


class Absences:
    """Has the venue note who is lost, and who is back."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        #: Set when the venue stops: nobody is lost by that.
        self.over = False

    def lost(self, seat: Seat) -> None:
        """Have a terminal noted as lost that did not come back in time."""
        seat.leaving = None

        def noted(answer: Answer) -> None:
            _noted(answer)
            if isinstance(answer, Registered) and seat.connection is not None:
                # It came back while it was being given up.
                self.restore(seat.table, seat.terminal)

        self._order(seat.table, f"lost-{seat.terminal}", LoseTerminal(seat.terminal), noted)

    def gone(self, channel: TableChannel, terminal: str) -> None:
        """Have a terminal noted as lost that was noted as back, and had gone again by then."""
        seat = channel.seats.get(terminal)
        if not self.over and (seat is None or seat.connection is None):
            self._order(channel.name, f"lost-{terminal}", LoseTerminal(terminal), _noted)

    def restore(self, table: str, terminal: str, then: Callable[[], None] | None = None) -> None:
        """Have a terminal that was lost noted as back; then go on, whether it could be or not."""

        def noted(answer: Answer) -> None:
            _noted(answer)
            if then is not None:
                then()

        self._order(table, f"back-{terminal}", RestoreTerminal(terminal), noted)

    def _order(
        self, table: str, what: str, command: LoseTerminal | RestoreTerminal, tell: OnAnswer
    ) -> None:
        order = Order(f"{what}-{self._runtime.clock.now()}", HOST, command)
        self._runtime.submit_then(table_stream(table), order, tell)


def _noted(answer: Answer) -> None:
    """Take note of an answer; that it is so already is fine."""
    if isinstance(answer, Refusal) and answer.code not in ("ALREADY_SO", *AGAIN):
        _log.warning("a terminal could not be noted as lost or back: %s", answer.code)
