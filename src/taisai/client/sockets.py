"""Opening and leaving the socket of a venue; what goes over it is not known here."""

import asyncio
from logging import WARNING, LoggerAdapter, getLogger
from ssl import SSLContext

from picows import WSError, WSListener, WSTransport, ws_connect

from taisai.client.failures import NotConnected
from taisai.protocol import FRAME_MAX

#: How long a venue may take to open a socket, and then to say welcome.
HANDSHAKE_SECONDS = 10.0
#: How long a connection may be silent before it is tried, and then to answer.
HEARTBEAT_SECONDS = 20.0
LEAVE_SECONDS = 1.0

# Sockets that open and close are not logged, unless somebody asks for it.
_logger = getLogger("taisai.client")
_logger.setLevel(_logger.level or WARNING)
# An adapter, since to each connection of a plain logger a logger of its own would be made.
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
        # A handshake that takes too long is among the first: TimeoutError is an OSError.
        raise NotConnected(f"cannot connect to {url}: {_reason_of(error)}") from error
    return transport


async def left(transport: WSTransport) -> None:
    """Wait for a socket to close; a venue that does not take our leave is left anyway."""
    try:
        async with asyncio.timeout(LEAVE_SECONDS):
            await transport.wait_disconnected()
    except TimeoutError:
        transport.disconnect(graceful=False)
        await transport.wait_disconnected()


def _reason_of(error: Exception) -> str:
    """Give the system's words for an error, as short as they are."""
    text = error.strerror if isinstance(error, OSError) else None
    return text or str(error) or type(error).__name__
