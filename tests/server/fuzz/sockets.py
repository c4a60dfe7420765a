"""A web socket written by hand, for frames that no library would send."""

import asyncio
import os
from base64 import b64encode
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

TEXT, BINARY, CLOSE, PING, PONG, CONTINUATION = 0x1, 0x2, 0x8, 0x9, 0xA, 0x0
#: Anything that takes longer is stuck.
SECONDS_MAX = 20.0


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame to be sent, with any part of it wrong."""

    opcode: int
    payload: bytes = b""
    fin: bool = True
    masked: bool = True
    reserved: int = 0
    #: The length in its header, if that is not the real one.
    claimed: int | None = None

    def encoded(self) -> bytes:
        """Encode the frame."""
        length = len(self.payload) if self.claimed is None else self.claimed
        first = (self.fin << 7) | (self.reserved << 4) | self.opcode
        head = bytes([first]) + _length(length, self.masked)
        if not self.masked:
            return head + self.payload
        mask = os.urandom(4)
        return head + mask + _masked(self.payload, mask)


def _masked(payload: bytes, mask: bytes) -> bytes:
    size = len(payload)
    repeated = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(payload) ^ int.from_bytes(repeated)).to_bytes(size)


def _length(length: int, masked: bool) -> bytes:
    bit = 0x80 if masked else 0
    if length < 126:
        return bytes([bit | length])
    if length < 1 << 16:
        return bytes([bit | 126]) + length.to_bytes(2, "big")
    return bytes([bit | 127]) + length.to_bytes(8, "big")


def text(payload: str | bytes) -> Frame:
    """Make an ordinary frame."""
    return Frame(TEXT, payload.encode() if isinstance(payload, str) else payload)


def request(address: str, **changed: str | None) -> bytes:
    """Make the request that opens a socket; a header set to nothing is left out."""
    host = urlsplit(address).netloc
    headers: dict[str, str | None] = {
        "Host": host,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": b64encode(os.urandom(16)).decode(),
        "Sec-WebSocket-Version": "13",
    }
    headers |= {name.replace("_", "-"): value for name, value in changed.items() if name != "path"}
    path = changed.get("path") or "/api/live"
    lines = [f"{name}: {value}" for name, value in headers.items() if value is not None]
    return "\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode("latin-1")


class RawSocket:
    """One connection, byte by byte; the answers are read frame by frame."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.closed_with: int | None = None
        #: Every message received.
        self.lines: list[bytes] = []
        self.ended = False

    @classmethod
    async def dial(cls, address: str) -> Self:
        """Connect, and send nothing yet."""
        where = urlsplit(address)
        return cls(*await asyncio.open_connection(where.hostname, where.port))

    @property
    def over(self) -> bool:
        """Say whether the connection has been closed."""
        return self._writer.is_closing()

    async def upgrade(self, address: str) -> None:
        """Upgrade to a web socket."""
        self.send_raw(request(address))
        status, _ = await self.response()
        assert status == 101, status

    async def response(self) -> tuple[int, bytes]:
        """Read the answer to a request: its status and its whole head."""
        async with asyncio.timeout(SECONDS_MAX):
            head = await self._reader.readuntil(b"\r\n\r\n")
        return int(head.split(None, 2)[1]), head

    def send_raw(self, data: bytes) -> None:
        """Send bytes as they are; after the connection is closed, do nothing."""
        if not self._writer.is_closing():
            self._writer.write(data)

    def send(self, *frames: Frame) -> None:
        """Send frames."""
        self.send_raw(b"".join(frame.encoded() for frame in frames))

    async def drained(self) -> None:
        """Wait until the bytes have gone out, or cannot any more."""
        try:
            async with asyncio.timeout(SECONDS_MAX):
                await self._writer.drain()
        except TimeoutError:
            raise
        except OSError:
            self.ended = True

    async def receive(self) -> tuple[int, bytes] | None:
        """Read the next frame: opcode and payload; nothing once the connection is closed."""
        try:
            async with asyncio.timeout(SECONDS_MAX):
                first, second = await self._reader.readexactly(2)
                length = second & 0x7F
                if length > 125:
                    more = 2 if length == 126 else 8
                    length = int.from_bytes(await self._reader.readexactly(more), "big")
                payload = await self._reader.readexactly(length)
        except TimeoutError:
            raise
        except (asyncio.IncompleteReadError, OSError):
            # A connection that was reset before it was read is not even connected.
            self.ended = True
            return None
        opcode = first & 0x0F
        if opcode == TEXT:
            self.lines += payload.splitlines()
        if opcode == CLOSE:
            self.closed_with = int.from_bytes(payload[:2], "big") if payload else 1005
        return opcode, payload

    async def until_end(self) -> list[bytes]:
        """Give every message until the connection is closed."""
        heard: list[bytes] = []
        while (frame := await self.receive()) is not None:
            heard.append(frame[1])
        return heard

    async def read_all(self) -> bytes:
        """Read all bytes until the connection is closed."""
        try:
            async with asyncio.timeout(SECONDS_MAX):
                return await self._reader.read()
        except TimeoutError:
            raise
        except OSError:
            return b""

    def stop_sending(self) -> None:
        """End the sending side, and go on reading."""
        if self._writer.can_write_eof() and not self._writer.is_closing():
            self._writer.write_eof()

    def stop_reading(self) -> None:
        """Stop reading."""
        self._writer.transport.pause_reading()  # type: ignore[attr-defined]

    def cut(self) -> None:
        """Break the connection off."""
        self._writer.transport.abort()

    async def close(self) -> None:
        """Close the connection, whatever the other end sends."""
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            # One that was reset before it was read is not even connected.
            self.ended = True
