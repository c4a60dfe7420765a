"""Opens terminal.html in front of a venue, for trying it out and changing it.

    taisai serve --demo
    python examples/terminal.py http://127.0.0.1:8888

A venue listens to its own pages alone, which a browser tells it. So the page and the venue are put
behind one address: the files of this directory come from here, and everything else from the venue.
"""

import asyncio
import contextlib
import re
import sys
from asyncio import StreamReader, StreamWriter
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

HERE = Path(__file__).parent
FILES = {
    "/": ("terminal.html", "text/html"),
    "/terminal.js": ("terminal.js", "text/javascript"),
    "/terminal_page.js": ("terminal_page.js", "text/javascript"),
}
FORBIDDEN = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


async def answer(venue: str, reader: StreamReader, writer: StreamWriter) -> None:
    """Answer one request: with a file, or with what the venue answers."""
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        origin = re.search(r"(?im)^origin: *(.*?)\r$", head)
        own = "http://{}:{}".format(*writer.get_extra_info("sockname"))
        if origin is not None and origin[1] != own:
            writer.write(FORBIDDEN)
        elif (path := head.split(" ")[1]) in FILES:
            writer.write(page(*FILES[path]))
        else:
            await pass_on(venue, head, reader, writer)
    writer.close()


def page(name: str, media_type: str) -> bytes:
    """Write a file as the answer to a request."""
    body = (HERE / name).read_bytes()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: {media_type}\r\ncontent-length: {len(body)}\r\n"
    return f"{head}connection: close\r\n\r\n".encode() + body


async def pass_on(venue: str, head: str, reader: StreamReader, writer: StreamWriter) -> None:
    """Let the venue answer, as if its own page had asked."""
    place = urlsplit(venue)
    head = re.sub(r"(?im)^host: .*?\r$", f"Host: {place.netloc}\r", head)
    head = re.sub(r"(?im)^origin: .*?\r$", f"Origin: {place.scheme}://{place.netloc}\r", head)
    if not re.search(r"(?im)^upgrade:", head):
        head = re.sub(r"(?im)^connection: .*?\r$", "Connection: close\r", head)
    upstream, downstream = await asyncio.open_connection(place.hostname, place.port or 80)
    downstream.write(head.encode("latin-1"))
    both = (copy(reader, downstream), copy(upstream, writer))
    await asyncio.gather(*both, return_exceptions=True)


async def copy(source: StreamReader, destination: StreamWriter) -> None:
    """Pass bytes on until there are no more."""
    try:
        while data := await source.read(65_536):
            destination.write(data)
            await destination.drain()
    finally:
        destination.close()


async def main(venue: str, port: int) -> None:
    """Serve until stopped."""
    server = await asyncio.start_server(partial(answer, venue), "127.0.0.1", port)
    host, port = server.sockets[0].getsockname()
    print(f"http://{host}:{port}/", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(sys.argv[1].rstrip("/"), int(sys.argv[2]) if len(sys.argv) > 2 else 8889))
