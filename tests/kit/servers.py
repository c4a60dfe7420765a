"""A live house for tests: real application on a free port, with tables set up by its staff."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection

from taisai.core import commands as c
from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.journal.location import JOURNAL_FILE
from taisai.runtime.keys import create_keys, load_keys
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.runtime.streams import HOUSE
from taisai.runtime.tumblers.device import HOST
from taisai.server.application import Application
from taisai.server.process import serve
from taisai.server.settings import Settings
from tests.kit.floor import Floor

Told = dict[str, Any]


class Live:
    """Application that are open, their address, and short words for what tests do with them."""

    def __init__(self, address: str, application: Application) -> None:
        self.address = address
        self.application = application
        self.house = application.house
        self.floor = Floor(application.house)

    @property
    def socket_address(self) -> str:
        """Where sockets connect to."""
        return self.address.replace("http", "ws", 1) + "api/live"

    def key(self, table: str, terminal: str) -> TerminalKey:
        """Give a terminal a key."""
        return TerminalKey(table, terminal, self.application.accounts.issue_key(table, terminal))

    @asynccontextmanager
    async def visit(self, **hello: Any) -> AsyncIterator["Wire"]:
        """Connect and say hello."""
        async with websockets.connect(self.socket_address) as socket:
            wire = Wire(socket)
            await wire.say({"type": "Hello", "protocol": PROTOCOL, **hello})
            yield wire

    def sit(self, key: TerminalKey, **hello: Any) -> Any:
        """Connect as a terminal."""
        told = {"table": key.table, "terminal": key.terminal, "key": key.key}
        return self.visit(terminal=told, **hello)


class Wire:
    """A socket, message by message."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self._lines: list[str] = []

    async def say(self, *messages: Told) -> None:
        """Send messages in one frame."""
        await self.socket.send("\n".join(json.dumps(each) for each in messages))

    async def hear(self) -> Told:
        """Wait for the next message; ten seconds are long enough for anything."""
        async with asyncio.timeout(10):
            while not self._lines:
                self._lines = str(await self.socket.recv()).splitlines()
        told: Told = json.loads(self._lines.pop(0))
        return told

    async def until(self, type_: str, **fields: Any) -> Told:
        """Wait for a message of a type, with these fields."""
        while True:
            told = await self.hear()
            if told["type"] == type_ and fields.items() <= told.items():
                return told

    async def ask(self, to: str, id_: str, command: Told) -> Told:
        """Ask for something, and give the answer."""
        await self.say({"type": "Ask", "to": to, "id": id_, "command": command})
        while True:
            told = await self.hear()
            if told.get("id") == id_:
                return told


@asynccontextmanager
async def opened(data: Path, **settings: Any) -> AsyncIterator[Live]:
    """Open application on a free port, as the program does, and stop them politely in the end."""
    if not (data / KEYS_DIRECTORY).exists():
        await begin(data)
    ready: asyncio.Future[Live] = asyncio.get_running_loop().create_future()
    told = asyncio.Event()
    task = asyncio.create_task(
        serve(
            Settings(data, port=0, **settings),
            lambda address, application: ready.set_result(Live(address, application)),
            told,
        )
    )
    task.add_done_callback(lambda ended: _pass_on(ended, ready))
    try:
        yield await ready
    finally:
        told.set()
        await task


def _pass_on(ended: "asyncio.Task[None]", ready: "asyncio.Future[Live]") -> None:
    """Have who waits for the house hear that it did not open."""
    if not ready.done():
        error = ended.exception()
        ready.set_exception(error or RuntimeError("the house has ended"))


async def begin(data: Path) -> None:
    """Begin a real house: its keys, its founding, and somebody on the staff."""
    data.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 - nothing else runs yet
    create_keys(data / KEYS_DIRECTORY)
    floor = await Floor.open(data / JOURNAL_FILE, load_keys(data / KEYS_DIRECTORY))
    await floor.found()
    for person, role in (("pat", "pit-manager"), ("sue", "supervisor"), ("dan", "dealer")):
        await floor.do(HOUSE, HOST, c.EngageStaff(person, (role,), "ann", "bob"))
    await floor.house.stop()


def bets(terminal: str, *laid: tuple[str, int]) -> Told:
    """Write the command that places bets."""
    return {"type": "PlaceBets", "terminal": terminal, "bets": [list(each) for each in laid]}
