"""A live venue for tests: the real application on a free port, with tables set up by staff."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection

from taisai.core.venue.staff import EngageStaff
from taisai.protocol import PROTOCOL
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import HOST
from taisai.runtime.journal.location import JOURNAL_FILE
from taisai.runtime.keys.directory import create_keys, load_keys
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.runtime.streams import VENUE
from taisai.server.application import Application
from taisai.server.process import serve
from taisai.server.settings import Settings
from tests.kit.floor import Floor
from tests.kit.tables import planned
from tests.kit.timeouts import TIMEOUT_SECONDS

Told = dict[str, Any]

_TABLE = """
[[tables]]
name = "{name}"
pay_table = "{pay_table}"
minimum = 100
maximum = {maximum}
{differential}tumbler = "simulated"
dealer = "{dealer}"
countdown_seconds = {seconds}
result_seconds = 0
pause_seconds = 0
"""


class Live:
    """An open application, its address, and short methods for what tests do with it."""

    def __init__(self, address: str, application: Application) -> None:
        self.address = address
        self.application = application
        self.venue = application.runtime
        self.floor = Floor(application.runtime)

    @property
    def socket_address(self) -> str:
        """The address for sockets."""
        return self.address.replace("http", "ws", 1) + "api/live"

    def key(self, table: str, terminal: str) -> TerminalKey:
        """Issue a key to a terminal."""
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


def read_frame(frame: str | bytes) -> list[Told]:
    """Read the messages of a frame; an event that answers a bet is read as both."""
    return [each for line in frame.splitlines() for each in _apart(json.loads(line))]


def _apart(told: Told) -> list[Told]:
    if told["type"] != "Private" or "id" not in told:
        return [told]
    versions = dict.fromkeys(("first", "last"), told["sequence"])
    answer = {"type": "Registered", "id": told.pop("id"), "to": told["table"], **versions}
    return [{**answer, "at": told["at"]}, told]


class Wire:
    """A socket, message by message."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self._received: list[Told] = []

    async def say(self, *messages: Told) -> None:
        """Send messages in one frame."""
        await self.socket.send("\n".join(json.dumps(each) for each in messages))

    async def receive(self) -> Told:
        """Wait for the next message; the time limit allows for a busy machine."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not self._received:
                self._received = read_frame(await self.socket.recv())
        return self._received.pop(0)

    async def until(self, type_: str, **fields: Any) -> Told:
        """Wait for a message of a type, with these fields."""
        while True:
            told = await self.receive()
            if told["type"] == type_ and fields.items() <= told.items():
                return told

    async def ask(self, to: str, id_: str, command: Told) -> Told:
        """Send a command, and return the answer."""
        await self.say({"type": "Ask", "to": to, "id": id_, "command": command})
        while True:
            told = await self.receive()
            if told.get("id") == id_:
                return told


@asynccontextmanager
async def served(settings: Settings) -> AsyncIterator[tuple[str, Application]]:
    """Serve as the program does, and stop properly at the end; yields address and application."""
    ready: asyncio.Future[tuple[str, Application]] = asyncio.get_running_loop().create_future()
    told = asyncio.Event()
    serving = asyncio.ensure_future(serve(settings, lambda *found: ready.set_result(found), told))
    either: list[asyncio.Future[Any]] = [serving, ready]
    await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        serving.result()
    try:
        yield ready.result()
    finally:
        told.set()
        await serving


@asynccontextmanager
async def opened(data: Path, **settings: Any) -> AsyncIterator[Live]:
    """Serve a real venue on a free port; create it if there is none yet."""
    if not (data / KEYS_DIRECTORY).exists():
        await begin(data)
    async with served(Settings(data, port=0, **settings)) as found:
        yield Live(*found)


async def begin(data: Path) -> None:
    """Create a real venue: its keys, its founding, and a person on the staff."""
    data.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 - nothing else runs yet
    create_keys(data / KEYS_DIRECTORY)
    floor = await Floor.open(data / JOURNAL_FILE, load_keys(data / KEYS_DIRECTORY))
    await floor.found()
    for person, role in (("pat", "pit-manager"), ("sue", "supervisor"), ("dan", "dealer")):
        await floor.do(VENUE, HOST, EngageStaff(person, (role,), "ann", "bob"))
    await floor.venue.stop()


def bets(terminal: str, *laid: tuple[str, int]) -> Told:
    """Make the command that places bets."""
    return {"type": "PlaceBets", "terminal": terminal, "bets": [list(each) for each in laid]}


def demo_settings(
    data: Path, *pay_tables: str, seconds: float = 0.5, maximum: int = 1_000_000, dealer: str = ""
) -> Settings:
    """Make the settings of a demo venue with a table T1, T2, … for each pay table."""
    tables = data.with_suffix(".toml")
    tables.write_text(
        "".join(
            _TABLE.format(
                name=f"T{number}",
                pay_table=each,
                seconds=seconds,
                maximum=maximum,
                differential=planned(each, maximum),
                dealer=dealer or "automatic",
            )
            for number, each in enumerate(pay_tables, 1)
        )
    )
    return Settings(data, port=0, demo=True, tables=tables, countdown_min_seconds=0.1)
