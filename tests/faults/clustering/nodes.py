"""A cluster of nodes for faults: a pair of servers, NATS, an office, owners, gateways."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path as File
from random import Random

from taisai.runtime.keys.directory import create_keys
from tests.faults.clustering.cluster import FLOOR, Cluster, pair_on
from tests.faults.clustering.hosts import NETWORK, Host, hosts
from tests.faults.clustering.members import Member
from tests.faults.failing_over.pair import Pair
from tests.kit.nats_server import NatsServer, nats_server
from tests.kit.paths import Path
from tests.kit.ports import free_port

OFFICES, OWNERS, GATES = ("office",), ("owner-1", "owner-2", "owner-3"), ("gate-1", "gate-2")
NAMES = (*OFFICES, *OWNERS, *GATES)
TABLES = ("T1", "T2", "T3", "T4")
NODE = """
[[node]]
name = "{name}"
roles = ["{role}"]
data = "{folder}/{name}/data"
keys = "{folder}/keys"
port = {port}
hosts = ["{host}"]
"""


class NodesCluster(Cluster):
    """The servers, the nodes, and the paths from people to the gateways."""

    def __init__(
        self,
        databases: Pair,
        members: dict[str, Member],
        ways: list[Path],
        nats: NatsServer,
        file: File,
    ) -> None:
        super().__init__(databases, [*members.values()], ways)
        self.tables = TABLES
        self.nats = nats
        #: Its plan, as nodes and commands read it.
        self.file = file
        #: The path from every node to NATS.
        self.to_nats = Path((nats.address, nats.port), _middle(nats))
        self._by_name = members

    @property
    def paths(self) -> list[Path]:
        """Give every path that may be cut or slow."""
        return [*super().paths, self.to_nats]

    def proved_by(self) -> list[File]:
        """Give the one directory of keys: all nodes have the same."""
        return [self.members[0].keys]

    def of(self, names: tuple[str, ...]) -> list[Member]:
        """Give the members of these names."""
        return [self._by_name[name] for name in names]

    def stop_all(self) -> None:
        """Stop every member in order: gateways first, the office last."""
        with ThreadPoolExecutor() as at_once:
            for names in (GATES, OWNERS, OFFICES):
                list(at_once.map(Member.stop, self.of(names)))


def _middle(nats: NatsServer) -> str:
    return "127.0.0.1" if nats.address == "127.0.0.1" else f"{NETWORK}.1"


@asynccontextmanager
async def nodes_cluster(
    seed: int, *, namespaces: bool, tree: File | None = None
) -> AsyncIterator[NodesCluster]:
    """Run a cluster of nodes, and leave nothing of it behind.

    The nodes start with the version of the project in another tree, if one is given.
    """
    chance = Random(seed)
    async with AsyncExitStack() as stack:
        names = ("db-a", "db-b", "nats", *NAMES)
        there = stack.enter_context(hosts(*names, namespaces=namespaces))
        databases = await stack.enter_async_context(pair_on(there, namespaces=namespaces))
        nats = stack.enter_context(nats_server(there["nats"].address, there["nats"].run_by))
        folder = File(stack.enter_context(tempfile.TemporaryDirectory(prefix="taisai-nodes-")))
        ports = {name: free_port() for name in NAMES}
        ways = [_way(there[name], ports[name], chance) for name in GATES]
        members = {name: _member(there[name], folder, name) for name in NAMES}
        made = NodesCluster(databases, members, ways, nats, folder / "cluster.toml")
        for path in (*ways, made.to_nats):
            await path.open()
            stack.push_async_callback(path.close)
        _write(folder, made, there, ports)
        for member in made.members:
            member.tree = tree
            stack.callback(member.kill)
        await asyncio.gather(*map(made.start, made.members))
        yield made


def _way(host: Host, port: int, chance: Random) -> Path:
    return Path(("127.0.0.1", port), host.address, chance, host.socket)


def _member(host: Host, folder: File, name: str) -> Member:
    own = folder / name
    own.mkdir()
    given = ["node", "--cluster", str(folder / "cluster.toml"), "--name", name]
    return Member(host, own, [*given, "--json", "--log", "text"], folder / "keys")


def _write(folder: File, made: NodesCluster, there: dict[str, Host], ports: dict[str, int]) -> None:
    """Write the plan of the cluster, with tables that are dealt without pause."""
    create_keys(folder / "keys")
    floor = folder / "floor.toml"
    floor.write_text("".join(FLOOR.format(name=name) for name in TABLES), encoding="utf-8")
    lines = [f'journal = "{made.databases.url}"', f'tables = "{floor}"', "demo = true", "[nats]"]
    lines.append(f'servers = ["nats://{made.to_nats.host}:{made.to_nats.port}"]')
    for name in NAMES:
        role = "office" if name in OFFICES else "owner" if name in OWNERS else "gateway"
        host = there[name].address
        lines.append(NODE.format(name=name, role=role, folder=folder, port=ports[name], host=host))
    made.file.write_text("\n".join(lines), encoding="utf-8")
