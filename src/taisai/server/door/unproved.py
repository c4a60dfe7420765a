"""The socket of a stranger, who has not proved who they are: read a little at a time, in turn.

Data that arrives on thousands of sockets at once is only queued here, which takes no time; it is
searched for frames when there is a turn, and more is read after that. A client that has proved who
it is is not delayed: its socket is handed over for good.
"""

import asyncio
from collections import deque
from typing import Protocol, cast

from taisai.server.door.door import Door
from taisai.server.door.guests import Guest

#: Bytes that are parsed in one turn.
PIECE = 2_048


class Socket(Protocol):
    """Finds the frames in what is read, and takes a line over from here."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a line."""

    def connection_lost(self, exc: Exception | None) -> None:
        """Let it go."""

    def data_received(self, data: bytes) -> None:
        """Look for frames."""

    def pause_writing(self) -> None:
        """Note that the client does not read."""

    def resume_writing(self) -> None:
        """Go on."""

    def get_buffer(self, sizehint: int) -> memoryview:
        """Give a buffer to read into, once the line is handed over."""

    def buffer_updated(self, nbytes: int) -> None:
        """Look for frames in the buffer."""


class UnprovedSocket(asyncio.Protocol):
    """Stands between a line and its socket until the client has proved who it is."""

    def __init__(self, door: Door, guest: Guest, socket: Socket) -> None:
        self._door = door
        self._guest = guest
        self._socket = socket
        self._line: asyncio.Transport
        self._asked = False
        self._waiting: deque[bytes] = deque()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a line from the protocol that read the request on it."""
        self._line = cast("asyncio.Transport", transport)
        self._socket.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let it go."""
        self._waiting.clear()
        self._socket.connection_lost(exc)

    def pause_writing(self) -> None:
        """Note that the client does not read."""
        self._socket.pause_writing()

    def resume_writing(self) -> None:
        """Go on."""
        self._socket.resume_writing()

    def data_received(self, data: bytes) -> None:
        """Queue the data; the request, which comes first, had its turn already."""
        if not self._asked:
            self._asked = True
            self._socket.data_received(data)
        elif self._waiting:
            self._waiting.append(data)
        elif self._guest.standing == "known":
            self._hand_over(data)
        else:
            self._waiting.append(data)
            self._line.pause_reading()
            self._wait()

    def _wait(self) -> None:
        """Wait for a turn; if too much waits already, the guest is cut off."""
        if not self._door.turns.add(self._guest, self._look, sum(map(len, self._waiting))):
            self._door.refused("BUSY", self._guest.place)
            self._guest.cut()

    def _look(self) -> None:
        """Parse a little of what waits; the frames in it have their turns before the rest."""
        if self._line.is_closing():
            return
        data = self._waiting.popleft()
        if len(data) > PIECE:
            self._waiting.appendleft(data[PIECE:])
        self._socket.data_received(data[:PIECE])
        if self._line.is_closing():
            return
        if self._waiting:
            self._wait()
        else:
            self._line.resume_reading()

    def _hand_over(self, data: bytes) -> None:
        """Hand the line of a known client over to its socket, for good."""
        self._line.pause_reading()
        self._line.set_protocol(self._socket)  # type: ignore[arg-type]
        self._socket.data_received(data)
        if not self._line.is_closing():
            self._line.resume_reading()
