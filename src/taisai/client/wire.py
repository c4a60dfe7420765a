"""Messages as they go over the wire: one JSON object a line, one or more lines a text frame."""

from collections.abc import Iterable, Iterator
from typing import get_args
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from taisai.client.failures import ClientError
from taisai.protocol import FRAME_MAX, MESSAGES_MAX
from taisai.protocol.client_messages import ClientMessage
from taisai.protocol.server_messages import ServerMessage

PATH = "/api/live"

write = msgspec.json.Encoder().encode
_read = msgspec.json.Decoder(ServerMessage)
_KNOWN = frozenset(each.__name__ for each in get_args(ServerMessage))
_CHANNELS = frozenset({"Public", "Private", "Staff"})

_SCHEMES = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}


class Unread(Struct, frozen=True):
    """News of a channel with an event in it that only a newer venue knows."""

    type: str
    table: str = ""
    to: str = ""


def read_frame(payload: bytes) -> list[ServerMessage | Unread]:
    """Read all messages of a frame, but for those of kinds that only a newer venue knows."""
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


def frames_of(messages: Iterable[bytes]) -> Iterator[bytes]:
    """Join messages into as few frames as the protocol allows."""
    lines: list[bytes] = []
    size = 0
    for line in messages:
        if lines and (len(lines) == MESSAGES_MAX or size + len(line) + 1 > FRAME_MAX):
            yield b"\n".join(lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line) + 1
    if lines:
        yield b"\n".join(lines)


def write_message(message: ClientMessage) -> bytes:
    """Write one message, refusing what no frame could hold."""
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
