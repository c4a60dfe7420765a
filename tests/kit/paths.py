"""A network path between two programs, which can be slow, lossy or cut: a small proxy."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path as File
from random import Random

_PART = 65_536
#: The network sends a lost part again after so long.
LOST_SECONDS = 0.2

#: A socket file, or an address with its port.
Place = File | tuple[str, int]


class Path:
    """A proxy that listens on a port of its own and forwards to a socket, until it is cut.

    A silent cut passes nothing and tells neither side, as when a cable is pulled; `break_off` ends
    every connection at once. A new connection to a cut path waits. A path may have a delay, and
    lose some of the data, which then comes later, as on a real network.
    """

    def __init__(
        self,
        to: Place,
        host: str = "127.0.0.1",
        chance: Random | None = None,
        make: Callable[[], socket.socket] = socket.socket,
    ) -> None:
        #: The target of new connections.
        self.to = to
        self.port = 0
        self.delay_seconds = 0.0
        #: The loss in per cent.
        self.lost_percent = 0.0
        self.host = host
        self._chance = chance or Random(0)  # noqa: S311 - nothing secret
        #: Makes a socket, possibly in another namespace.
        self._make = make
        self._server: asyncio.Server | None = None
        self._whole = asyncio.Event()
        self._whole.set()
        self._ends: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """Listen on a port of its own."""
        listening = self._make()
        listening.bind((self.host, 0))
        self._server = await asyncio.start_server(self._pass_on, sock=listening)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Pass nothing from now on, in either direction, without ending a connection."""
        self._whole.clear()

    def mend(self) -> None:
        """Pass the waiting data, and all new data, at once."""
        self.delay_seconds = self.lost_percent = 0.0
        self._whole.set()

    def break_off(self) -> None:
        """End every connection at once, and drop the data on its way."""
        for end in [*self._ends]:
            end.transport.abort()

    async def close(self) -> None:
        """Stop listening, and end all connections."""
        assert self._server is not None
        self._server.close()
        self.mend()
        self.break_off()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._ends.add(writer)
        try:
            await self._whole.wait()
            with suppress(OSError):
                there, back = await self._reach()
                self._ends.add(back)
                try:
                    await self._both_ways((reader, back), (there, writer))
                finally:
                    self._ends.discard(back)
                    back.transport.abort()
        finally:
            self._ends.discard(writer)
            writer.transport.abort()

    async def _reach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self.to, File):
            return await asyncio.open_unix_connection(str(self.to))
        made = self._make()
        made.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(made, self.to)
        except BaseException:
            made.close()
            raise
        return await asyncio.open_connection(sock=made)

    async def _hold_up(self) -> None:
        """Delay data by the time it takes on this path."""
        if self.delay_seconds:
            await asyncio.sleep(self.delay_seconds * self._chance.uniform(0.5, 1.5))
        if self._chance.random() * 100 < self.lost_percent:
            await asyncio.sleep(LOST_SECONDS)
        await self._whole.wait()

    async def _both_ways(self, *ways: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
        """Forward bytes in both directions, until either end is gone."""
        carrying = [asyncio.ensure_future(self._carry(*way)) for way in ways]
        try:
            await asyncio.wait(carrying, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in carrying:
                each.cancel()
            await asyncio.gather(*carrying, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while part := await reader.read(_PART):
                await self._hold_up()
                writer.write(part)
                await writer.drain()
            await self._whole.wait()
