"""The plan of a cluster, `cluster.toml`: the nodes of a venue, and the database that they share."""

import tomllib
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from taisai.core.kernel.name_profile import is_name
from taisai.runtime.recovery import StartupError
from taisai.server.settings import Settings

Role = Literal["gateway", "owner", "office"]
#: How many terminals and staff may be connected to each gateway.
CONNECTIONS_MAX = 15_000


class NatsPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """Where NATS is, and how the nodes log in there; secrets are in files of their own."""

    servers: tuple[str, ...]
    user: str | None = None
    password_file: str | None = None
    token_file: str | None = None
    #: The authority for the servers' certificates, and the nodes' own certificate with its key.
    authority: str | None = None
    certificate: str | None = None
    private_key: str | None = None
    #: How the subjects of this venue begin, if several venues share the servers.
    prefix: str = "taisai"


class NodePlan(Struct, frozen=True, forbid_unknown_fields=True):
    """One node: its roles, where its keys are, and where it listens."""

    name: str
    roles: tuple[Role, ...]
    data: str
    #: Where the venue's keys are, if not in its data directory.
    keys: str | None = None
    host: str = "127.0.0.1"
    port: int = 8888
    #: The address for clients, if it is a gateway: they get all addresses, and reconnect by any.
    address: str | None = None
    #: Processes that hold its sockets, if it is a gateway.
    gateways: int = 1
    certificate: str | None = None
    private_key: str | None = None
    hosts: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()


class Cluster(Struct, frozen=True, forbid_unknown_fields=True):
    """All nodes of a venue."""

    node: tuple[NodePlan, ...]
    nats: NatsPlan
    #: A gateway needs none.
    journal: str = ""
    demo: bool = False
    tables: str | None = None

    def of(self, name: str) -> NodePlan:
        """Find a node by its name."""
        found = next((each for each in self.node if each.name == name), None)
        if found is None:
            names = ", ".join(each.name for each in self.node)
            raise StartupError(f"there is no node {name} in the cluster; there are {names}")
        return found

    @property
    def gateways(self) -> int:
        """Count the processes that hold sockets."""
        return sum(max(1, each.gateways) for each in self.node if "gateway" in each.roles)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Give the addresses at which clients reach the gateways, as far as the plan names them."""
        return tuple(each.address for each in self.node if each.address is not None)

    def with_roles(self, name: str, roles: list[str]) -> "Cluster":
        """Give a node other roles than those in the file."""
        try:
            given = msgspec.convert(roles, tuple[Role, ...])
        except msgspec.ValidationError:
            raise StartupError("roles are gateway, owner and office, with commas") from None
        nodes = (replace(each, roles=given) if each.name == name else each for each in self.node)
        return replace(self, node=tuple(nodes))


def read_cluster(file: Path) -> Cluster:
    """Read the plan of a cluster; a fault in it is raised as a sentence."""
    try:
        cluster = msgspec.convert(tomllib.loads(file.read_text("utf-8")), Cluster)
    except OSError as error:
        raise StartupError(f"{file} cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise StartupError(f"{file}: {error}") from None
    names = [each.name for each in cluster.node]
    if len({*names}) != len(names) or not all(map(is_name, names)):
        raise StartupError(f"{file}: each node has a name of its own")
    for each in cluster.node:
        if not each.roles:
            raise StartupError(f"{file}: node {each.name} has no role")
    if not cluster.nats.servers:
        raise StartupError(f"{file}: nats.servers names no server")
    if not cluster.gateways:
        raise StartupError(f'{file}: no node has the role "gateway"')
    for role in ("office", "owner"):
        if not any(role in each.roles for each in cluster.node):
            raise StartupError(f'{file}: no node has the role "{role}"')
    return cluster


def settings_of(cluster: Cluster, node: NodePlan, passphrase: str | None) -> Settings:
    """Make the settings of a node from the plan."""
    return Settings(
        data=Path(node.data),
        journal=cluster.journal,
        host=node.host,
        port=node.port,
        certificate=None if node.certificate is None else Path(node.certificate),
        private_key=None if node.private_key is None else Path(node.private_key),
        gateways=max(1, node.gateways),
        connections_max=CONNECTIONS_MAX * max(1, cluster.gateways),
        demo=cluster.demo,
        tables=None if cluster.tables is None else Path(cluster.tables),
        # Requests for an office's pages may have the host names of any gateway.
        hosts=tuple(dict.fromkeys(host for each in cluster.node for host in each.hosts)),
        addresses=cluster.addresses,
        proxies=node.proxies,
        passphrase=passphrase,
    )
