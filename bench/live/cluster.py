"""A cluster on this machine with twenty tables, for benches: nodes, database, NATS, terminals.

The bench receives over NATS which node has which tables, as gateways do, and counts a bet when its
terminal is told that it is registered.
"""

import asyncio
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import asyncpg

from taisai.bots.load import LoadRun, Share
from taisai.client.http import demo_terminals
from taisai.runtime.keys.directory import create_keys
from taisai.runtime.ownership.standing import Standing
from taisai.runtime.streams import table_stream
from taisai.server.nodes.cluster import read_cluster
from taisai.server.nodes.switchboard import Standing as Said
from taisai.server.nodes.switchboard import Switchboard
from tests.kit.nats_server import NatsServer, nats_server
from tests.kit.timeouts import TIMEOUT_SECONDS
from tests.postgres import own_server
from tools.cluster import write_cluster

NODES: dict[str, tuple[str, ...]] = {
    "office": ("office",),
    "east": ("owner",),
    "west": ("owner",),
    "gate": ("gateway",),
}
TABLES = 20
STREAMS = frozenset(table_stream(f"T{number}") for number in range(TABLES))
SEATS_A_TABLE = 10
#: How long bets stay open: longer than any measurement, so that rates are of bets alone.
COUNTDOWN_SECONDS = 60
FLOOR = """
[[tables]]
name = "T{number}"
pay_table = "etg8/2"
minimum = 100
maximum = 1_000_000
tumbler = "simulated"
dealer = "automatic"
countdown_seconds = {seconds}
result_seconds = 0
pause_seconds = 0
"""
FOR_EVER = 86_400.0
LOOK_SECONDS = 0.002


class Cluster:
    """The nodes, each a process with a log, and the terminals that play."""

    def __init__(
        self, file: Path, url: str, nats: NatsServer, database: "asyncpg.Connection[asyncpg.Record]"
    ) -> None:
        self.nats = nats
        self.database = database
        self.processes: dict[str, Process] = {}
        self._file = file
        self._standing = Standing(url)
        self._address = ""
        #: The tables that each node says it owns.
        self._held: dict[str, frozenset[str]] = {}
        self._heard = asyncio.Event()
        self._load: LoadRun | None = None

    async def receive(self) -> Switchboard:
        """Receive from now on which node has which tables."""
        board = await Switchboard.open(read_cluster(self._file).nats, "bench", None)
        await board.receive_standings(self._receive)
        return board

    def _receive(self, said: Said) -> None:
        self._held[said.node] = STREAMS & said.streams.keys()
        self._heard.set()

    async def start(self, name: str) -> None:
        """Start a node, and wait until it serves."""
        log = self._file.with_name(f"{name}.log")
        with log.open("ab") as opened:
            process = self.processes[name] = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "taisai", "node", "--cluster", str(self._file)),
                *("--name", name, "--log", "text"),
                stdin=DEVNULL,
                stdout=PIPE,
                stderr=opened,
            )
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode().strip()
        assert line, log.read_text()
        if name == "gate":
            self._address = line

    def said(self, words: str) -> int:
        """Count the lines of all logs with a given text."""
        logs = [self._file.with_name(f"{name}.log") for name in NODES]
        return sum(words in line for log in logs for line in log.read_text("utf-8").splitlines())

    async def end(self) -> None:
        """End every process."""
        for process in self.processes.values():
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    # --- whose the tables are ------------------------------------------------------------------

    async def until_all_at(self, name: str) -> None:
        """Wait until a node says that it owns every table: they move between rounds."""
        async with asyncio.timeout(COUNTDOWN_SECONDS + TIMEOUT_SECONDS):
            while self._held.get(name) != STREAMS:
                self._heard.clear()
                await self._heard.wait()

    async def gather_at(self, name: str) -> None:
        """Move every table to one node."""
        for stream in STREAMS:
            refusal = await self._standing.move(stream, name)
            assert refusal is None, refusal
        await self.until_all_at(name)

    def forget(self, name: str) -> None:
        """Forget what a node has said: it is lost."""
        self._held.pop(name, None)

    async def until_none_at(self, name: str) -> None:
        """Wait until a node says that it is up, and owns nothing."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while self._held.get(name) != frozenset():
                self._heard.clear()
                await self._heard.wait()

    # --- who plays -----------------------------------------------------------------------------

    async def play(self, rate: float, seats: int = SEATS_A_TABLE) -> asyncio.Task[object]:
        """Let terminals at every table bet so often a second each, until the end of the context."""
        some = demo_terminals(self._address, seats * TABLES)
        keys = [key async for more in some for key in more]
        self._load = LoadRun(Share(self._address, keys, FOR_EVER, rate), seed=1)
        return asyncio.get_running_loop().create_task(self._load.run())

    @property
    def registered(self) -> int:
        """Count the bets whose terminals were told that they are registered."""
        assert self._load is not None
        return self._load.tally.registered

    async def until(self, is_so: Callable[[], bool]) -> None:
        """Poll until a condition holds."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not is_so():  # noqa: ASYNC110 - counts have no event
                await asyncio.sleep(LOOK_SECONDS)

    async def rate(self, seconds: float) -> float:
        """Measure the bets per second, for so long."""
        before, began = self.registered, time.monotonic()
        await asyncio.sleep(seconds)
        return (self.registered - before) / (time.monotonic() - began)


@asynccontextmanager
async def cluster() -> AsyncIterator[Cluster]:
    """Run a cluster, without players."""
    async with AsyncExitStack() as stack:
        server = stack.enter_context(own_server())
        nats = stack.enter_context(nats_server())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="taisai-bench-")))
        create_keys(folder / "keys")
        numbers = range(TABLES)
        floor = "".join(FLOOR.format(number=each, seconds=COUNTDOWN_SECONDS) for each in numbers)
        file = write_cluster(folder, server.url, nats.url, NODES, floor)
        database = await asyncpg.connect(server.url)
        stack.push_async_callback(database.close)
        made = Cluster(file, server.url, nats, database)
        stack.push_async_callback(made.end)
        stack.push_async_callback((await made.receive()).close)
        await asyncio.gather(*map(made.start, NODES))
        yield made
