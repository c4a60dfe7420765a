"""Two real PostgreSQL servers, one the synchronous standby of the other, and the paths to both.

A batch counts as committed when the standby has it too. When the first server is lost the second is
promoted, and what only the first had is lost; a new standby is then made of the remaining server,
so that it can be lost in its turn.
"""

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path as File
from typing import Any

import asyncpg

from tests.kit.paths import Path, Place
from tests.postgres import Server, give_away

SOCKET = ".s.PGSQL.5432"
#: How soon a standby reconnects to its server.
RETRY = "100ms"
#: Longer than a server takes to start, to follow or to be promoted on a busy machine.
TIMEOUT_SECONDS = 60.0
WAITS_FOR_STANDBY = """
SELECT pid, query FROM pg_stat_activity
WHERE application_name = 'taisai' AND wait_event = 'SyncRep' ORDER BY pid
"""
IN_STEP = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"


class Node(Server):
    """One of the two servers, with a path for its standby."""

    def __init__(self, home: File, binaries: File | None) -> None:
        super().__init__(home, binaries)
        self.socket = home / SOCKET
        self.to_standby = Path(self.socket)

    @property
    def place(self) -> Place:
        """Give its address for clients on other machines."""
        return self.socket

    @property
    def place_for_standby(self) -> tuple[str, int]:
        """Give its address for its standby."""
        return "127.0.0.1", self.to_standby.port

    async def ask(self, sql: str, *given: Any) -> Any:
        """Query it over its own socket, which is never cut, for one value."""
        connection = await asyncpg.connect(self.url)
        try:
            return await connection.fetchval(sql, *given)
        finally:
            await connection.close()

    async def rows(self, sql: str, *given: Any) -> Sequence[Any]:
        """Query it for several rows."""
        connection = await asyncpg.connect(self.url)
        try:
            return await connection.fetch(sql, *given)
        finally:
            await connection.close()

    async def tell(self, *commands: str) -> None:
        """Run a statement over its own socket."""
        connection = await asyncpg.connect(self.url)
        try:
            for command in commands:
                await connection.execute(command)
        finally:
            await connection.close()

    def follow(self, first: "Node") -> None:
        """Become a standby: a copy of another server, which then follows it over its path."""
        shutil.rmtree(self._data, ignore_errors=True)
        self._run("pg_basebackup", f"--host={first.home}", "--username=postgres",
                  "--checkpoint=fast", "--wal-method=stream", "--no-sync")  # fmt: skip
        signal, settings = self._data / "standby.signal", self._data / "postgresql.auto.conf"
        signal.touch()
        give_away(signal)
        host, port = first.place_for_standby
        to = f"host={host} port={port} user=postgres application_name=standby"
        # By default a standby reconnects every five seconds, and commits wait as long.
        said = f"primary_conninfo = '{to}'\nwal_retrieve_retry_interval = '{RETRY}'\n"
        settings.write_text(said, encoding="utf-8")
        self.start()

    def promote(self) -> None:
        """Stop following, and become the first server."""
        self._run("pg_ctl", "--wait", "promote")

    def crash(self) -> None:
        """Crash, as when the machine is lost."""
        if self.is_running():
            self.stop("immediate")


class Pair:
    """The first server, its standby, and an address that moves with the first server."""

    def __init__(self, first: Node, standby: Node, host: str) -> None:
        self.first = first
        self.standby = standby
        #: The path from the venue to the first server.
        self.venue = Path(first.place, host)
        self._host = host

    @property
    def url(self) -> str:
        """Give the address that the venue connects to."""
        return f"postgresql://postgres@{self._host}:{self.venue.port}/postgres"

    async def join(self) -> None:
        """Make a new standby of the first server, and make every commit wait for it."""
        self.first.to_standby.mend()
        await asyncio.to_thread(self.standby.follow, self.first)
        await self._until(self.first, "SELECT count(*) FROM pg_stat_replication")
        await self.first.tell("ALTER SYSTEM SET synchronous_standby_names = '*'",
                              "SELECT pg_reload_conf()")  # fmt: skip
        await self._until(self.first, IN_STEP)

    async def fail_over(self) -> None:
        """Lose the first server with everything only it had, and promote the standby."""
        await asyncio.to_thread(self.first.crash)
        await asyncio.to_thread(self.standby.promote)
        # Alone it must not wait for a standby; `join` makes it wait again.
        await self.standby.tell("ALTER SYSTEM SET synchronous_standby_names = ''",
                                "SELECT pg_reload_conf()")  # fmt: skip
        self.first, self.standby = self.standby, self.first
        self.venue.to = self.first.place
        self.venue.break_off()
        self.venue.mend()

    async def waiting(self) -> Sequence[Any]:
        """Give the venue's statements that wait for the standby, at the first server."""
        return await self.first.rows(WAITS_FOR_STANDBY)

    async def _until(self, node: Node, sql: str) -> None:
        """Poll until a condition is true; every look asks a server, which takes its time."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while not await node.ask(sql):
                pass


@asynccontextmanager
async def pair(
    make: Callable[[File, File | None], Node] = Node, host: str = "127.0.0.1"
) -> AsyncIterator[Pair]:
    """Run two servers, the second following the first, and leave nothing of them behind.

    The path to the first of them listens on the host.
    """
    home = File(tempfile.mkdtemp(prefix="taisai-pair-"))
    nodes: list[Node] = []
    try:
        give_away(home)
        for name in ("a", "b"):
            (home / name).mkdir()
            give_away(home / name)
            nodes.append(make(home / name, nodes[0].binaries if nodes else None))
            await nodes[-1].to_standby.open()
        first, standby = nodes
        await asyncio.to_thread(first.begin)
        await asyncio.to_thread(first.start)
        made = Pair(first, standby, host)
        await made.venue.open()
        try:
            await made.join()
            yield made
        finally:
            await made.venue.close()
    finally:
        for node in nodes:
            await node.to_standby.close()
            await asyncio.to_thread(node.crash)
        shutil.rmtree(home)
