"""Other terminals at a table, over the real socket: they place bets and withdraw them."""

import asyncio
import itertools
import threading
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from typing import Any, Self

from taisai.client import Live, TerminalKey, connect
from taisai.client.http import demo_terminals
from taisai.protocol.server_messages import Refused
from tests.kit.timeouts import TIMEOUT_SECONDS


class Crowd:
    """Some terminals in a thread of their own; they bet when told to, or go on by themselves."""

    def __init__(self, address: str, table: str, count: int) -> None:
        self._address, self._table, self._count = address, table, count
        self._seats: list[Live] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._stack = AsyncExitStack()
        self._playing: asyncio.Task[None] | None = None

    def arrive(self) -> Self:
        """Connect the terminals."""
        self._thread.start()
        self._do(self._arrive())
        return self

    def place(self, bets: Mapping[str, int]) -> None:
        """Place bets from the first terminal."""
        self._do(self._place(self._seats[0], bets))

    def go_on(self, bets: Mapping[str, int], every_seconds: float) -> None:
        """Place these bets and withdraw them, one terminal after the other, until they leave."""
        self._do(self._begin(bets, every_seconds))

    def leave(self) -> None:
        """Leave the table."""
        self._do(self._leave())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(TIMEOUT_SECONDS)
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(TIMEOUT_SECONDS)

    async def _arrive(self) -> None:
        async for keys in demo_terminals(self._address, self._count, self._table):
            for key in keys:
                await self._sit(key)

    async def _sit(self, key: TerminalKey) -> None:
        live = await self._stack.enter_async_context(connect(self._address, terminal=key))
        await live.watch(self._table)
        # Their messages are not read.
        live.messages_max = 0
        self._seats.append(live)

    async def _place(self, seat: Live, bets: Mapping[str, int]) -> None:
        answer = await seat.place(bets)
        assert not isinstance(answer, Refused), answer.sentence

    async def _begin(self, bets: Mapping[str, int], every_seconds: float) -> None:
        self._playing = self._loop.create_task(self._play(bets, every_seconds))

    async def _play(self, bets: Mapping[str, int], every_seconds: float) -> None:
        due = self._loop.time()
        for turn in itertools.count():
            seat = self._seats[turn % len(self._seats)]
            if turn // len(self._seats) % 2:
                await seat.clear()
            else:
                await self._place(seat, bets)
            due += every_seconds
            await asyncio.sleep(max(0.0, due - self._loop.time()))

    async def _leave(self) -> None:
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
        await self._stack.aclose()


@contextmanager
def crowd(address: str, table: str, count: int) -> Iterator[Crowd]:
    """Keep a crowd at a table until the end of a test."""
    made = Crowd(address, table, count)
    try:
        yield made.arrive()
    finally:
        made.leave()
