"""A TLS proxy for a PostgreSQL server without TLS: it acts as a server that requires TLS.

A client without TLS is disconnected, as by a server whose rules have only `hostssl` lines.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

#: The first bytes from a client that wants TLS: a length, and a code.
REQUEST = (8).to_bytes(4, "big") + (80877103).to_bytes(4, "big")
_PART = 65_536


class Front:
    """Listens on a port, and forwards TLS connections to a socket."""

    def __init__(self, to: Path, chain: Path, key: Path) -> None:
        self._to = to
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(chain, key)
        self.port = 0
        #: How many clients came with TLS, and how many without.
        self.secure = self.plain = 0

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection."""
        try:
            if await reader.readexactly(len(REQUEST)) != REQUEST:
                self.plain += 1
                return
            writer.write(b"S")
            await writer.start_tls(self._context)
            self.secure += 1
            there, back = await asyncio.open_unix_connection(str(self._to))
            try:
                await asyncio.gather(_carry(reader, back), _carry(there, writer))
            finally:
                back.close()
        except (OSError, asyncio.IncompleteReadError):
            # A client that does not trust the certificate hangs up, as it should.
            return
        finally:
            writer.close()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while part := await reader.read(_PART):
        writer.write(part)
        await writer.drain()
    writer.close()


@asynccontextmanager
async def secured(to: Path, chain: Path, key: Path) -> AsyncIterator[Front]:
    """Run a TLS proxy in front of a socket."""
    front = Front(to, chain, key)
    server = await asyncio.start_server(front.take, "127.0.0.1", 0)
    front.port = server.sockets[0].getsockname()[1]
    try:
        yield front
    finally:
        server.close()
