"""HTTP requests over a lane: a gateway on another machine asks the office, piece by piece.

Each request has a number: the bytes that are written at one end are read at the other. Only so much
of an answer is sent before the gateway has passed it on: a slow reader delays only itself.
"""

import asyncio
import itertools
import logging

from taisai.server.gateways import entries as e
from taisai.server.gateways.relay import Reader, Writer
from taisai.server.lanes.lane import Lane

#: How many bytes of one answer may be under way, and how many requests of one gateway.
WINDOW_BYTES = 512 * 1024
REQUESTS_MAX = 1_000
_PIECE = 64 * 1024

_log = logging.getLogger(__name__)


class TunnelRequests:
    """The gateway's end: its requests under way."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._lane: Lane | None = None
        self._readers: dict[int, asyncio.StreamReader] = {}

    def begin(self, lane: Lane) -> None:
        """Ask over a lane from here on; requests over an earlier one get no answer."""
        self.lost()
        self._lane = lane

    def lost(self) -> None:
        """End all requests: there is no office to ask."""
        readers, self._readers, self._lane = self._readers, {}, None
        for reader in readers.values():
            reader.feed_eof()

    async def connect(self) -> tuple[Reader, Writer]:
        """Begin a request."""
        lane = self._lane
        if lane is None or lane.broken or lane.full:
            raise ConnectionRefusedError
        number = next(self._numbers)
        reader = self._readers[number] = asyncio.StreamReader()
        return _Reader(lane, number, reader), _Writer(self, lane, number)

    def take(self, kind: int, number: int, data: bytes) -> None:
        """Take a piece of an answer, or its end."""
        reader = self._readers.get(number)
        if reader is not None:
            if kind == e.PIECE:
                reader.feed_data(data)
            else:
                reader.feed_eof()

    def forget(self, number: int) -> None:
        """Forget a request."""
        self._readers.pop(number, None)


class _Reader:
    def __init__(self, lane: Lane, number: int, reader: asyncio.StreamReader) -> None:
        self._lane = lane
        self._number = number
        self._reader = reader

    async def read(self, most: int, /) -> bytes:
        """Read a piece, and tell the office that it was passed on."""
        data = await self._reader.read(most)
        if data:
            self._lane.put(e.PASSED_ON, self._number, e.write_number(len(data)))
        return data


class _Writer:
    def __init__(self, requests: TunnelRequests, lane: Lane, number: int) -> None:
        self._requests = requests
        self._lane = lane
        self._number = number
        self._over = False

    def write(self, data: bytes, /) -> None:
        for start in range(0, len(data), _PIECE):
            self._lane.put(e.PIECE, self._number, data[start : start + _PIECE])

    def close(self) -> None:
        if not self._over:
            self._over = True
            self._lane.put(e.OVER, self._number)
            self._requests.forget(self._number)

    abort = close


class Answering:
    """The office's end: connections to its own pages, for one gateway."""

    def __init__(self, lane: Lane, address: str) -> None:
        self._lane = lane
        self._address = address
        self._requests: dict[int, _Request] = {}

    def take(self, kind: int, number: int, data: bytes) -> None:
        """Take an entry of a request."""
        request = self._requests.get(number)
        if kind == e.PIECE:
            if request is None and len(self._requests) < REQUESTS_MAX:
                request = self._requests[number] = _Request(self._lane, number)
                task = asyncio.get_running_loop().create_task(request.run(self._address))
                request.task = task
                task.add_done_callback(lambda _: self._requests.pop(number, None))
            if request is None:
                self._lane.put(e.OVER, number)
            else:
                request.write(data)
        elif request is not None and kind == e.PASSED_ON:
            request.passed_on(e.read_number(data))
        elif request is not None and request.task is not None:
            request.task.cancel()

    def end(self) -> None:
        """End all requests: the gateway is gone."""
        for request in [*self._requests.values()]:
            if request.task is not None:
                request.task.cancel()


class _Request:
    """One HTTP request of a client at a gateway."""

    def __init__(self, lane: Lane, number: int) -> None:
        self._lane = lane
        self._number = number
        self._early: list[bytes] = []
        self._writer: asyncio.StreamWriter | None = None
        self._ahead = 0
        self._room = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def write(self, data: bytes) -> None:
        """Send a piece of the request; it waits until there is a connection."""
        if self._writer is None:
            self._early.append(data)
        else:
            self._writer.write(data)

    def passed_on(self, count: int) -> None:
        """Note that so many bytes of the answer were passed on."""
        self._ahead -= count
        self._room.set()

    async def run(self, address: str) -> None:
        """Send the request to our own pages, and put the answer on the lane."""
        try:
            reader, self._writer = await asyncio.open_unix_connection(address)
            self._writer.write(b"".join(self._early))
            while data := await reader.read(_PIECE):
                self._lane.put(e.PIECE, self._number, data)
                self._ahead += len(data)
                while self._ahead > WINDOW_BYTES:
                    self._room.clear()
                    await self._room.wait()
        except OSError as error:
            _log.warning("a request of a gateway was not answered: %s", error)
        finally:
            if self._writer is not None:
                self._writer.transport.abort()
            self._lane.put(e.OVER, self._number)
