"""Requests over HTTP on a lane: a gateway on another machine asks the office, piece by piece.

Each request is a line of its own with a number: what is written at one end comes out at the other.
Of an answer so much goes out before it was passed on, so that a slow reader holds up itself alone.
"""

import asyncio
import itertools
import logging

from taisai.server.gateways import entries as e
from taisai.server.gateways.relay import Reader, Writer
from taisai.server.lanes.lane import Lane

#: What may be under way of one answer, and how many requests of one gateway at a time.
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
        """Ask over a lane from here on; what was asked over another is answered by nobody."""
        self.lost()
        self._lane = lane

    def lost(self) -> None:
        """Have nobody to ask."""
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
        """Take what comes of an answer."""
        reader = self._readers.get(number)
        if reader is not None:
            if kind == e.PIECE:
                reader.feed_data(data)
            else:
                reader.feed_eof()

    def forget(self, number: int) -> None:
        """Have an answer no more."""
        self._readers.pop(number, None)


class _Reader:
    def __init__(self, lane: Lane, number: int, reader: asyncio.StreamReader) -> None:
        self._lane = lane
        self._number = number
        self._reader = reader

    async def read(self, most: int, /) -> bytes:
        """Read, and say that it was passed on."""
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
    """The office's end: lines to its own pages, for one gateway."""

    def __init__(self, lane: Lane, address: str) -> None:
        self._lane = lane
        self._address = address
        self._requests: dict[int, _Request] = {}

    def take(self, kind: int, number: int, data: bytes) -> None:
        """Take what comes of a request."""
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
        """End everything: the gateway is gone."""
        for request in [*self._requests.values()]:
            if request.task is not None:
                request.task.cancel()


class _Request:
    """One request of somebody at a gateway."""

    def __init__(self, lane: Lane, number: int) -> None:
        self._lane = lane
        self._number = number
        self._early: list[bytes] = []
        self._writer: asyncio.StreamWriter | None = None
        self._ahead = 0
        self._room = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def write(self, data: bytes) -> None:
        """Ask; what comes before there is a line waits for it."""
        if self._writer is None:
            self._early.append(data)
        else:
            self._writer.write(data)

    def passed_on(self, count: int) -> None:
        """Take it that so much of the answer has arrived."""
        self._ahead -= count
        self._room.set()

    async def run(self, address: str) -> None:
        """Ask our own pages, and send what they answer."""
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
