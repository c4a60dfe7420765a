"""The processes of a gateway of a cluster: the node's own, or several that share its port."""

import asyncio
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec
import uvloop
from msgspec import Struct

from taisai.runtime.operations.memory import look_after_memory
from taisai.runtime.operations.process import prepare
from taisai.server.door.line import line_class
from taisai.server.door.names import Names
from taisai.server.gateways.relay import Relay
from taisai.server.gateways.settings import read_settings, write_settings
from taisai.server.listening import LAST_SECONDS, Listening, config_of, raise_files
from taisai.server.live.joining import protocol_class
from taisai.server.logs import form_in_use, set_up
from taisai.server.nodes.cluster import NatsPlan
from taisai.server.nodes.gate import NodeGateway
from taisai.server.nodes.gate_health import Health
from taisai.server.nodes.switchboard import Switchboard
from taisai.server.settings import Settings

#: A process that ended is started again after so long.
AGAIN_SECONDS = 1.0

_log = logging.getLogger(__name__)


class _Terms(Struct):
    """What a process of a gateway is sent once it is started."""

    nats: NatsPlan
    name: str
    settings: bytes
    log: Literal["text", "json"]


_LENGTH = 4
_read_terms = msgspec.msgpack.Decoder(_Terms).decode


@asynccontextmanager
async def gateways_at(
    nats: NatsPlan, name: str, settings: Settings, listening: socket.socket
) -> AsyncIterator[None]:
    """Serve a port by the processes of a gateway, for as long as the context is open."""
    # A gateway opens none of the venue's files, so it is not told where they are.
    bare = replace(settings, journal=None, passphrase=None, copy_to=None, anchor=None)
    told, log = write_settings(replace(bare, data=Path(), tables=None)), form_in_use()
    names = [f"{name}-{number}" for number in range(1, settings.gateways + 1)]
    loop = asyncio.get_running_loop()
    processes = [
        loop.create_task(_keep(_Terms(nats, each, told, log), listening)) for each in names
    ]
    try:
        yield
    finally:
        for each in processes:
            each.cancel()
        await asyncio.gather(*processes, return_exceptions=True)


async def _keep(terms: _Terms, listening: socket.socket) -> None:
    """Keep one process running; one that ends is started again."""
    while True:
        file = listening.fileno()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "taisai.server.nodes.gate_process", str(file)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            pass_fds=(file,),
            start_new_session=True,
        )
        assert process.stdin is not None
        try:
            data = msgspec.msgpack.encode(terms)
            process.stdin.write(len(data).to_bytes(_LENGTH, "big") + data)
            await process.wait()
            _log.warning("gateway %s has ended; it is started again", terms.name)
        finally:
            await _end(process)
        await asyncio.sleep(AGAIN_SECONDS)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Have a process end: its standard input is closed, and it closes its connections."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(2 * LAST_SECONDS):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def serve_gateway(
    nats: NatsPlan,
    name: str,
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[], None],
    stop: asyncio.Event,
) -> None:
    """Hold sockets until `stop` is set; `ready` is called once there is an office."""
    board = await Switchboard.open(nats, name, None)
    gateway = NodeGateway(settings, board, stop.set)
    await board.receive_standings(gateway.receive_standing)
    ws = protocol_class(gateway, Names(settings).admits_page)
    relay = Relay(gateway.connect)
    app = Health(name, gateway, relay)
    config = config_of(app, line_class(gateway.door), ws, settings, lifespan=False)
    server = Listening(config, gateway.door)
    loop = asyncio.get_running_loop()
    either = [loop.create_task(each.wait()) for each in (gateway.begun, stop)]
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    serving = loop.create_task(server.serve([listening.dup()]))
    gateway.count()
    ready()
    await either[1]
    either[0].cancel()
    await gateway.end_all()
    server.should_exit = True
    await serving
    await board.close()


async def _main(file: int) -> None:
    """Serve with the socket and terms from the node, until the node closes the pipe or ends."""
    loop, reader, stop = asyncio.get_running_loop(), asyncio.StreamReader(), asyncio.Event()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    length = int.from_bytes(await reader.readexactly(_LENGTH), "big")
    terms = _read_terms(await reader.readexactly(length))
    set_up(terms.log)
    raise_files()
    listening = socket.socket(fileno=file)
    listening.setblocking(False)

    async def hung_up() -> None:
        await reader.read()
        stop.set()

    beside = [loop.create_task(each) for each in (hung_up(), look_after_memory())]
    settings = read_settings(terms.settings)
    await serve_gateway(terms.nats, terms.name, settings, listening, prepare, stop)
    for task in beside:
        task.cancel()


if __name__ == "__main__":
    uvloop.run(_main(int(sys.argv[1])))
