"""What a terminal's page keeps in memory, round after round, once what can be collected is."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from itertools import count
from typing import Any, Self

from playwright.sync_api import CDPSession

from taisai.client import connect
from taisai.client.http import demo_staff
from taisai.core.table.round import CloseBets, ConfirmResult, EnterResult, OpenBets, Settle
from taisai.core.table.tumble import RecordTumble
from taisai.protocol.client_messages import WireCommand
from taisai.protocol.server_messages import Refused
from tests.browser.windows import Player
from tests.kit.patience import PATIENCE_SECONDS

#: Dice that light different boxes.
THROWS = ((1, 2, 4), (3, 5, 6), (2, 2, 6), (4, 4, 4))
#: What a player bets in each round: one box with a chip of 1.00.
BOX = "small"
_DRAWN = "new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))"


class RoundDealer:
    """A dealer over the socket, in a thread of their own, who waits for nobody between rounds."""

    def __init__(self, address: str, table: str) -> None:
        self._address, self._table = address, table
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._stack = AsyncExitStack()

    def arrive(self) -> Self:
        """Stand at the table."""
        self._thread.start()
        self._do(self._arrive())
        return self

    def leave(self) -> None:
        """Leave the table."""
        self._do(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_SECONDS)
        self._loop.close()

    def gives(self, *commands: WireCommand) -> None:
        """Give commands, one after the other."""
        for command in commands:
            self._do(self._give(command))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_SECONDS)

    async def _arrive(self) -> None:
        token = await demo_staff(self._address, "dealer")
        self._desk = await self._stack.enter_async_context(connect(self._address, session=token))

    async def _give(self, command: WireCommand) -> None:
        answer = await self._desk.ask(self._table, command)
        assert not isinstance(answer, Refused), answer.sentence


class Heap:
    """A page's memory, by its own debugger."""

    def __init__(self, player: Player) -> None:
        self._page = player.page
        self._debugger: CDPSession = player.context.new_cdp_session(player.page)
        self._debugger.send("HeapProfiler.enable")

    def kept(self) -> int:
        """Collect what can be collected once all is drawn, and say how many bytes are left."""
        self._page.evaluate(_DRAWN)
        for _ in range(3):
            self._debugger.send("HeapProfiler.collectGarbage")
        return int(self._debugger.send("Runtime.getHeapUsage")["usedSize"])


@contextmanager
def playing(address: str, table: str, player: Player) -> Iterator[Iterator[Heap]]:
    """Play rounds at a table, a bet of the player's in each, one whenever the next is asked for."""
    dealer = RoundDealer(address, table).arrive()
    try:
        yield _rounds(dealer, player.sit(table))
    finally:
        dealer.leave()


def _rounds(dealer: RoundDealer, player: Player) -> Iterator[Heap]:
    heap, page = Heap(player), player.page
    for number in count():
        dealer.gives(OpenBets())
        page.locator(".phase[data-scene=betting]").wait_for()
        player.area(BOX).click()
        player.place()
        page.locator(f"button[data-box={BOX}][aria-label*='your bet']").first.wait_for()
        dice = EnterResult(THROWS[number % len(THROWS)])
        dealer.gives(CloseBets(bell=True), RecordTumble(3), dice, ConfirmResult(), Settle())
        yield heap
