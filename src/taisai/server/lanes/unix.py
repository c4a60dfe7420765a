"""Carries lanes over a Unix socket: each message follows its length; none is lost on the way."""

import asyncio
import socket
from typing import cast

from taisai.server.lanes.transport import Receiver

#: The length before each message takes so many bytes; no message is longer than the limit.
_LENGTH = 4
MESSAGE_MAX = 512 * 1024 * 1024


class UnixTransport(asyncio.Protocol):
    """One end of a connected Unix socket."""

    lossy = False

    def __init__(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._line: asyncio.Transport
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._line = cast("asyncio.Transport", transport)
        self._receiver.connected(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's
        """End: the other process is gone, or has closed the socket."""
        self._buffer.clear()
        self._receiver.lost()

    def send(self, message: bytes) -> None:
        """Send one message."""
        if not self._line.is_closing():
            self._line.write(len(message).to_bytes(_LENGTH, "big") + message)

    def close(self) -> None:
        """Close, once everything is sent."""
        self._line.close()

    def abort(self) -> None:
        """Close at once."""
        self._line.abort()

    def data_received(self, data: bytes) -> None:
        """Find messages; almost always what is read is one of them."""
        if not self._buffer and len(data) == _LENGTH + int.from_bytes(data[:_LENGTH], "big"):
            self._receiver.received(data[_LENGTH:])
            return
        buffer, start = self._buffer, 0
        buffer += data
        while len(buffer) - start >= _LENGTH:
            length = int.from_bytes(buffer[start : start + _LENGTH], "big")
            if length > MESSAGE_MAX:
                self._line.abort()
                return
            end = start + _LENGTH + length
            if len(buffer) < end:
                break
            message, start = bytes(buffer[start + _LENGTH : end]), end
            self._receiver.received(message)
        del buffer[:start]


async def connect(end: socket.socket, receiver: Receiver) -> UnixTransport:
    """Carry messages over one end of a pair of sockets."""
    end.setblocking(False)
    loop = asyncio.get_running_loop()
    _, made = await loop.create_unix_connection(lambda: UnixTransport(receiver), sock=end)
    return made
