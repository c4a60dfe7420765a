"""The processes of a gateway of a cluster: the node's own, or several that share its port."""

import asyncio
import logging
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import msgspec
import uvloop
from msgspec import Struct

from taisai.core.errors import SentenceError
from taisai.runtime.operations.memory import look_after_memory
from taisai.runtime.operations.process import prepare
from taisai.runtime.recovery import StartupError
from taisai.server.door.line import line_class
from taisai.server.door.names import Names
from taisai.server.gateways.relay import Relay
from taisai.server.gateways.settings import read_settings, write_settings
from taisai.server.listening import LAST_SECONDS, Listening, config_of, raise_files, serving
from taisai.server.live.joining import protocol_class
from taisai.server.logs import form_in_use, set_up
from taisai.server.nodes.cluster import NatsPlan
from taisai.server.nodes.gate import NodeGateway
from taisai.server.nodes.gate_health import Health
from taisai.server.nodes.stopping import StoppedError, unless_stopped, waiting_for
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


#: What a process says of itself in a line: that it reaches an office, and why it could not go on.
_BEGUN, _FAILED = "begun", "failed"
_LENGTH = 4
_read_terms = msgspec.msgpack.Decoder(_Terms).decode


@asynccontextmanager
async def gateways_at(
    nats: NatsPlan, name: str, settings: Settings, listening: socket.socket, stop: asyncio.Event
) -> AsyncIterator[Callable[[], Coroutine[Any, Any, None]]]:
    """Serve a port by the processes of a gateway, for as long as the context is open.

    It gives a function that waits until all of them reach an office. If one of them ends before it
    ever did, `stop` is set, and its sentence is raised when the context is closed.
    """
    # A gateway opens none of the venue's files, so it is not told where they are.
    bare = replace(settings, journal=None, passphrase=None, copy_to=None, anchor=None)
    told, log = write_settings(replace(bare, data=Path(), tables=None)), form_in_use()
    names = [f"{name}-{number}" for number in range(1, settings.gateways + 1)]
    loop = asyncio.get_running_loop()
    processes = [_Process(_Terms(nats, each, told, log), listening) for each in names]
    tasks = [loop.create_task(each.keep()) for each in processes]
    for task in tasks:
        task.add_done_callback(lambda _: stop.set())

    async def begun() -> None:
        for each in processes:
            await each.begun.wait()

    try:
        yield begun
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for each in ended:
        if isinstance(each, Exception):
            raise each


class _Process:
    """One process of a gateway: it is kept running once it has reached an office."""

    def __init__(self, terms: _Terms, listening: socket.socket) -> None:
        self._terms = terms
        self._listening = listening
        #: Set once it reaches an office.
        self.begun = asyncio.Event()
        #: Why it ended, as far as it said so.
        self._why = ""

    async def keep(self) -> None:
        """Keep it running; if it ends, it is started again, unless it never reached an office."""
        while True:
            before, self._why = self._why, ""
            await self._run()
            if not self.begun.is_set():
                raise StartupError(self._why or f"gateway {self._terms.name} could not start")
            # Tried every second: the same fault is logged once.
            if not self._why or self._why != before:
                why = f" ({self._why})" if self._why else ""
                _log.warning("gateway %s has ended%s; it is started again", self._terms.name, why)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _run(self) -> None:
        file = self._listening.fileno()
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "taisai.server.nodes.gate_process", str(file)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            pass_fds=(file,),
            start_new_session=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            data = msgspec.msgpack.encode(self._terms)
            process.stdin.write(len(data).to_bytes(_LENGTH, "big") + data)
            async for line in process.stdout:
                self._heard(*line.decode().rstrip().partition(" "))
            await process.wait()
        finally:
            await _end(process)

    def _heard(self, word: str, _space: str, rest: str) -> None:
        """Note what the process says about itself."""
        if word == _BEGUN:
            self.begun.set()
        elif word == _FAILED:
            self._why = rest


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
    board = await unless_stopped(Switchboard.open(nats, name, None), stop)
    try:
        gateway = NodeGateway(settings, board, stop.set)
        await unless_stopped(board.receive_standings(gateway.receive_standing), stop)
        ws = protocol_class(gateway, Names(settings).admits_page)
        app = Health(name, gateway, Relay(gateway.connect))
        config = config_of(app, line_class(gateway.door), ws, settings, lifespan=False)
        server = Listening(config, gateway.door)
        with waiting_for("a node with the role office"):
            await unless_stopped(gateway.begun.wait(), stop)
        async with serving(server, listening, stop):
            gateway.count()
            ready()
            await stop.wait()
            await gateway.end_all()
    finally:
        await board.close()


def _say(*words: str) -> None:
    """Say something about this process to the node that started it, if that is still there."""
    with suppress(OSError):
        sys.stdout.write(" ".join(words) + "\n")
        sys.stdout.flush()


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

    def ready() -> None:
        prepare()
        _say(_BEGUN)

    beside = [loop.create_task(each) for each in (hung_up(), look_after_memory())]
    settings = read_settings(terms.settings)
    try:
        await serve_gateway(terms.nats, terms.name, settings, listening, ready, stop)
    except StoppedError:
        pass
    except SentenceError as error:
        _say(_FAILED, *str(error).split())
        sys.exit(1)
    finally:
        for task in beside:
            task.cancel()


if __name__ == "__main__":
    uvloop.run(_main(int(sys.argv[1])))
