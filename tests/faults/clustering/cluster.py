"""A cluster for faults: a pair of PostgreSQL servers, and members on hosts that people play at."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path as File
from random import Random

from tests.faults.clustering.hosts import NETWORK, Host, hosts
from tests.faults.clustering.members import Member
from tests.faults.failing_over.pair import Node, Pair, pair
from tests.kit.paths import Path, Place
from tests.kit.ports import free_port

#: The addresses PostgreSQL listens on where a host has one of its own.
PORT = 5432
GATEWAYS = 2
TABLES = ("T1", "T2")
FLOOR = """
[[tables]]
name = "{name}"
pay_table = "etg8/2"
minimum = 100
maximum = 100_000
tumbler = "simulated"
dealer = "automatic"
countdown_seconds = 5
result_seconds = 0
pause_seconds = 0
"""


class FarNode(Node):
    """One of the two database servers, on a host with an address of its own."""

    def __init__(self, home: File, binaries: File | None, host: Host) -> None:
        super().__init__(home, binaries)
        self.host = host
        self.run_by = host.run_unprivileged_by
        self.listen = host.address

    @property
    def place(self) -> Place:
        return self.host.address, PORT

    @property
    def place_for_standby(self) -> tuple[str, int]:
        return self.host.address, PORT

    def begin(self) -> None:
        super().begin()
        with (self._data / "pg_hba.conf").open("a", encoding="ascii") as rules:
            for database in ("all", "replication"):
                rules.write(f"host {database} all {NETWORK}.0/24 trust\n")


class Cluster:
    """The servers, the members, and the paths from people to them."""

    def __init__(self, databases: Pair, members: list[Member], ways: list[Path]) -> None:
        self.databases = databases
        self.members = members
        self.ways = ways
        self.tables: tuple[str, ...] = TABLES

    @property
    def addresses(self) -> list[str]:
        """Give the addresses that people connect to."""
        return [f"http://{way.host}:{way.port}" for way in self.ways]

    @property
    def namespaces(self) -> bool:
        """Say whether its hosts are namespaces with cables."""
        return isinstance(self.databases.first, FarNode)

    @property
    def paths(self) -> list[Path]:
        """Give every path that may be cut or slow."""
        return [*self.ways, self.databases.venue, self.databases.first.to_standby]

    def proved_by(self) -> list[File]:
        """Give the directories of keys that verify the journal."""
        return [each.keys for each in self.members]

    def cut_standby(self) -> None:
        """Cut the path between the database and its standby."""
        standby = self.databases.standby
        if isinstance(standby, FarNode):
            standby.host.pull()
        else:
            self.databases.first.to_standby.cut()

    def mend(self) -> None:
        """Restore every path and cable."""
        for path in self.paths:
            path.mend()
        for each in (self.databases.first, self.databases.standby, *self.members):
            host = each.host if isinstance(each, FarNode | Member) else None
            if host is not None and host.namespace is not None:
                host.plug()

    def stop_all(self) -> None:
        """Stop every member in order."""
        for member in self.members:
            member.stop()

    async def start(self, member: Member) -> None:
        """Start a member, while everything else goes on."""
        await asyncio.to_thread(member.start)


@asynccontextmanager
async def cluster(seed: int, *, namespaces: bool) -> AsyncIterator[Cluster]:
    """Run a cluster, and leave nothing of it behind."""
    chance = Random(seed)
    async with AsyncExitStack() as stack:
        there = stack.enter_context(hosts("db-a", "db-b", "venue", namespaces=namespaces))
        databases = await stack.enter_async_context(pair_on(there, namespaces=namespaces))
        host, port = there["venue"], free_port()
        ways = [Path(("127.0.0.1", port), host.address, chance, host.socket) for _ in range(2)]
        for way in ways:
            await way.open()
            stack.push_async_callback(way.close)
        folder = File(tempfile.mkdtemp(prefix="taisai-venue-"))
        member = Member(host, folder, _venue(folder, databases.url, host, port, ways))
        stack.callback(member.forget)
        made = Cluster(databases, [member], ways)
        await made.start(member)
        yield made


def pair_on(there: dict[str, Host], *, namespaces: bool) -> AbstractAsyncContextManager[Pair]:
    """Run two database servers, on hosts of their own if there are any."""
    if not namespaces:
        return pair()
    return pair(
        lambda home, binaries: FarNode(home, binaries, there[f"db-{home.name}"]), f"{NETWORK}.1"
    )


def _venue(folder: File, journal: str, host: Host, port: int, ways: list[Path]) -> list[str]:
    """Give the arguments of a venue: a demo, since that gives terminals to anybody."""
    floor = folder / "floor.toml"
    floor.write_text("".join(FLOOR.format(name=name) for name in TABLES), encoding="utf-8")
    arguments = ["serve", "--demo", "--data", str(folder / "data"), "--journal", journal]
    arguments += ["--port", str(port), "--bots", "0", "--gateways", str(GATEWAYS)]
    arguments += ["--tables", str(floor), "--json", "--log", "text", "--name", host.address]
    for way in ways:
        arguments += ["--address", f"http://{host.address}:{way.port}"]
    return arguments
