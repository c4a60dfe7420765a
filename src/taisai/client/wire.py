"""The socket of a venue, and how messages are read from it and written to it.

A message is one JSON object a line, and a text frame one or more lines.
"""

import asyncio
from logging import WARNING, LoggerAdapter, getLogger
from ssl import SSLContext
from typing import get_args
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from picows import WSError, WSListener, WSTransport, ws_connect

from taisai.client.failures import ClientError, NotConnected
from taisai.protocol import FRAME_MAX
from taisai.protocol.client_messages import ClientMessage
from taisai.protocol.server_messages import ServerMessage

#: How long a venue may take to open a socket, and then to say welcome.
HANDSHAKE_SECONDS = 10.0
#: How long a connection may be silent before a ping, and then how long the answer may take.
HEARTBEAT_SECONDS = 20.0
LEAVE_SECONDS = 1.0

# Opening and closing of sockets is not logged by default.
_logger = getLogger("taisai.client")
_logger.setLevel(_logger.level or WARNING)
# An adapter, since with a plain logger each connection would get a logger of its own.
LOG = LoggerAdapter(_logger)


async def open_socket(
    listener: WSListener, url: str, trust: SSLContext | None, *, lean: bool
) -> WSTransport:
    """Open a socket; a lean one has a small buffer and no heartbeat."""
    try:
        transport, _ = await ws_connect(
            lambda: listener,
            url,
            ssl_context=trust,
            websocket_handshake_timeout=HANDSHAKE_SECONDS,
            logger_name=LOG,
            enable_auto_ping=not lean,
            auto_ping_idle_timeout=HEARTBEAT_SECONDS,
            auto_ping_reply_timeout=HEARTBEAT_SECONDS,
            max_frame_size=FRAME_MAX,
            read_buffer_init_size=2048 if lean else 16 * 1024,
            max_redirects=0,
        )
    except (OSError, WSError, ValueError) as error:
        # A handshake that takes too long is caught by the first: TimeoutError is an OSError.
        raise NotConnected(f"cannot connect to {url}: {_reason_of(error)}") from error
    return transport


async def left(transport: WSTransport) -> None:
    """Wait for a socket to close; if the venue does not confirm it, close anyway."""
    try:
        async with asyncio.timeout(LEAVE_SECONDS):
            await transport.wait_disconnected()
    except TimeoutError:
        transport.disconnect(graceful=False)
        await transport.wait_disconnected()


def _reason_of(error: Exception) -> str:
    """Give the system's text for an error, shortened."""
    text = error.strerror if isinstance(error, OSError) else None
    return text or str(error) or type(error).__name__


PATH = "/api/live"

write = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder(ServerMessage)
_KNOWN = frozenset(each.__name__ for each in get_args(ServerMessage))
_CHANNELS = frozenset({"Public", "Private", "Staff"})

_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


class Unread(Struct, frozen=True):
    """A message of a channel with an event that only a newer version knows."""

    type: str
    table: str = ""
    to: str = ""


def read_frame(payload: bytes) -> list[ServerMessage | Unread]:
    """Read all messages of a frame, except those of types that only a newer version knows."""
    try:
        return [*_read.decode_lines(payload)]
    except msgspec.ValidationError:
        return [message for line in payload.splitlines() for message in _read_known(line)]
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ClientError(f"the venue sent something that is no JSON: {error}") from None


_read_little = msgspec.json.Decoder(Unread)


def _read_known(line: bytes) -> list[ServerMessage | Unread]:
    try:
        return [_read.decode(line)]
    except msgspec.ValidationError as error:
        fault = error
    try:
        unread = _read_little.decode(line)
    except msgspec.ValidationError:
        unread = Unread("")
    if unread.type in _CHANNELS:
        return [unread]
    if unread.type and unread.type not in _KNOWN:
        return []
    raise ClientError(f"the venue sent something that is not in the protocol: {fault}")


def write_message(message: ClientMessage) -> bytes:
    """Write one message; refuse one that is too long for a frame."""
    line = write(message)
    if len(line) > FRAME_MAX:
        raise ClientError(
            f"a message of {len(line):,} bytes is too long; {FRAME_MAX:,} are allowed"
        )
    return line


def live_address(address: str) -> str:
    """Give the address of the socket of a venue at an address like http://127.0.0.1:8888."""
    parts = urlsplit(address)
    scheme = _SCHEMES.get(parts.scheme)
    if scheme is None or not parts.netloc:
        raise ClientError(
            f"{address!r} is no address of a venue; one is like http://127.0.0.1:8888"
        )
    return f"{scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix(PATH)}{PATH}"
