"""A path between two programs that can be cut: a small proxy in between, which passes bytes on."""

import asyncio
from contextlib import suppress
from pathlib import Path as File

_PART = 65_536


class Path:
    """Listens on a port of its own and passes on to a socket, until it is cut.

    Cut silently, nothing passes and nobody is told, as when a cable is pulled; broken off, every
    connection ends at once. Whoever connects to a path that is cut waits.
    """

    def __init__(self, to: File) -> None:
        #: The socket that whoever connects from now on is passed on to.
        self.to = to
        self.port = 0
        self._server: asyncio.Server | None = None
        self._whole = asyncio.Event()
        self._whole.set()
        self._ends: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """Listen on a port of its own."""
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Let nothing pass from now on, in either direction; no connection ends by it."""
        self._whole.clear()

    def mend(self) -> None:
        """Let pass what has waited, and whatever comes."""
        self._whole.set()

    def break_off(self) -> None:
        """End every connection at once, and leave out what was on its way."""
        for end in [*self._ends]:
            end.transport.abort()

    async def close(self) -> None:
        """Listen no longer, and end what is there."""
        assert self._server is not None
        self._server.close()
        self.mend()
        self.break_off()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._ends.add(writer)
        try:
            await self._whole.wait()
            with suppress(OSError):
                there, back = await asyncio.open_unix_connection(str(self.to))
                self._ends.add(back)
                try:
                    await self._both_ways((reader, back), (there, writer))
                finally:
                    self._ends.discard(back)
                    back.transport.abort()
        finally:
            self._ends.discard(writer)
            writer.transport.abort()

    async def _both_ways(self, *ways: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
        """Pass bytes on both ways, until either end is gone."""
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
                await self._whole.wait()
                writer.write(part)
                await writer.drain()
            await self._whole.wait()
