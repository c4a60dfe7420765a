"""The memory that a terminal's page keeps, round after round, after garbage is collected."""

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
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
from tests.kit.timeouts import TIMEOUT_SECONDS

#: Throws that light different boxes.
THROWS = ((1, 2, 4), (3, 5, 6), (2, 2, 6), (4, 4, 4))
#: The player's bet in each round: one box with a chip of 1.00.
BOX = "small"
_COUNTED = "counted"
_DRAWN = "new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))"


class RoundDealer:
    """A dealer over the socket, in a thread of its own, who does not wait between rounds."""

    def __init__(self, address: str, table: str) -> None:
        self._address, self._table = address, table
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._stack = AsyncExitStack()

    def arrive(self) -> Self:
        """Connect to the table."""
        self._thread.start()
        self._do(self._arrive())
        return self

    def leave(self) -> None:
        """Leave the table."""
        self._do(self._stack.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(TIMEOUT_SECONDS)
        self._loop.close()

    def gives(self, *commands: WireCommand) -> None:
        """Give commands in this order, without waiting for each answer."""
        self._do(self._give_all(commands))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(TIMEOUT_SECONDS)

    async def _arrive(self) -> None:
        token = await demo_staff(self._address, "dealer")
        self._desk = await self._stack.enter_async_context(connect(self._address, session=token))

    async def _give_all(self, commands: Sequence[WireCommand]) -> None:
        asked = (self._desk.ask(self._table, command) for command in commands)
        for answer in await asyncio.gather(*asked):
            assert not isinstance(answer, Refused), answer.sentence


@dataclass(frozen=True)
class Kept:
    """What a page keeps: its bytes, and exact counts of its objects."""

    bytes: int
    objects: int
    nodes: int
    listeners: int


class Heap:
    """A page's memory, measured by its own debugger."""

    def __init__(self, player: Player) -> None:
        self._page = player.page
        self._debugger: CDPSession = player.context.new_cdp_session(player.page)
        self._debugger.send("HeapProfiler.enable")

    def kept(self) -> int:
        """Collect garbage once everything is drawn, and give the bytes that are left."""
        self._page.evaluate(_DRAWN)
        for _ in range(3):
            self._debugger.send("HeapProfiler.collectGarbage")
        return int(self._debugger.send("Runtime.getHeapUsage")["usedSize"])

    def counted(self) -> Kept:
        """Collect garbage, and count everything that is left."""
        heap = self.kept()
        found = self._debugger.send("Memory.getDOMCounters")
        # Counting objects collects garbage too.
        return Kept(heap, self._objects(), found["nodes"], found["jsEventListeners"])

    def _objects(self) -> int:
        """Count every object that a script can have made."""
        kind = self._debugger.send("Runtime.evaluate", {"expression": "Object.prototype"})
        asked = {"prototypeObjectId": kind["result"]["objectId"], "objectGroup": _COUNTED}
        all_of_them = self._debugger.send("Runtime.queryObjects", asked)["objects"]["objectId"]
        count = {
            "objectId": all_of_them,
            "functionDeclaration": "function () { return this.length }",
        }
        answer = self._debugger.send("Runtime.callFunctionOn", count | {"returnByValue": True})
        self._debugger.send("Runtime.releaseObjectGroup", {"objectGroup": _COUNTED})
        return int(answer["result"]["value"])


@contextmanager
def playing(address: str, table: str, player: Player) -> Iterator[Iterator[Heap]]:
    """Play a round at a table, with a bet of the player's, at each step of the iterator."""
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
