"""A path that is slow, lossy, cut or broken off changes no bytes, and not their order."""

import asyncio
from random import Random

from tests.kit.floor import run, until
from tests.kit.paths import Path

DATA = bytes(range(256)) * 500


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while part := await reader.read(4_096):
        writer.write(part)
    writer.close()


def test_what_passes_comes_late_and_whole_and_waits_while_a_path_is_cut() -> None:
    async def story() -> None:
        server = await asyncio.start_server(_echo, "127.0.0.1", 0)
        path = Path(server.sockets[0].getsockname()[:2], chance=Random(3))
        await path.open()
        reader, writer = await asyncio.open_connection("127.0.0.1", path.port)
        path.delay_seconds, path.lost_percent = 0.001, 20.0
        writer.write(DATA)
        assert await reader.readexactly(len(DATA)) == DATA
        path.cut()
        writer.write(b"later")
        back = asyncio.ensure_future(reader.readexactly(5))
        await asyncio.sleep(0.02)
        assert not back.done()
        path.mend()
        assert await back == b"later"
        path.break_off()
        await until(reader.at_eof)
        writer.close()
        await path.close()
        server.close()

    run(story())


def test_whoever_connects_to_nobody_is_let_go() -> None:
    async def story() -> None:
        server = await asyncio.start_server(_echo, "127.0.0.1", 0)
        place = server.sockets[0].getsockname()[:2]
        server.close()
        path = Path(place)
        await path.open()
        reader, writer = await asyncio.open_connection("127.0.0.1", path.port)
        assert await reader.read() == b""
        writer.close()
        await path.close()

    run(story())
