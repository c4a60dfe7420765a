"""The plan of a cluster, `cluster.toml`: the nodes of a venue, and the database that they share."""

import re
import tomllib
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from taisai.core.kernel.name_profile import NAME_MAX
from taisai.runtime.journal.location import shown_place
from taisai.runtime.recovery import StartupError
from taisai.server.setting_checks import GATEWAYS_MAX
from taisai.server.settings import Settings

Role = Literal["gateway", "owner", "office"]
#: How many terminals and staff may be connected to each gateway.
CONNECTIONS_MAX = 15_000
#: The name of a node, and each part of a prefix, is a part of subjects of NATS.
_NAME = re.compile(rf"[\w-]{{1,{NAME_MAX}}}")


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
    gateways: Annotated[int, Meta(ge=1, le=GATEWAYS_MAX)] = 1
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

    def check_journal(self) -> None:
        """Refuse a plan without the database that its nodes share."""
        if self.journal.partition("://")[0] not in ("postgresql", "postgres"):
            said = f"; {shown_place(self.journal)} is none" if self.journal else ""
            raise StartupError(
                "journal in cluster.toml is the database that the nodes share, like"
                f" postgresql://venue@host:5432/venue{said}"
            )

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
        return sum(each.gateways for each in self.node if "gateway" in each.roles)

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
        changed = replace(self, node=tuple(nodes))
        _check_roles(changed, "--roles")
        return changed


def read_cluster(file: Path) -> Cluster:
    """Read the plan of a cluster; a fault in it is raised as a sentence."""
    try:
        cluster = msgspec.convert(tomllib.loads(file.read_text("utf-8")), Cluster)
    except OSError as error:
        raise StartupError(f"{file} cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise StartupError(f"{file}: {error}") from None
    _check_names(cluster, file)
    if not cluster.nats.servers:
        raise StartupError(f"{file}: nats.servers names no server")
    for role in get_args(Role):
        if not any(role in each.roles for each in cluster.node):
            raise StartupError(f'{file}: no node has the role "{role}"')
    _check_roles(cluster, file)
    return cluster


def _check_names(cluster: Cluster, file: Path) -> None:
    """Refuse names that two nodes have, or that no subject of NATS can have."""
    prefix, names = cluster.nats.prefix, [each.name for each in cluster.node]
    for name in names:
        if not _NAME.fullmatch(name):
            raise StartupError(
                f"{file}: {name!r} is no name of a node; one has letters, digits, - and _"
            )
        if names.count(name) > 1:
            raise StartupError(f"{file}: two nodes are named {name}; each has a name of its own")
    if not all(map(_NAME.fullmatch, prefix.split("."))):
        raise StartupError(f"{file}: nats.prefix is {prefix!r}; one is like taisai or house.taisai")


def _check_roles(cluster: Cluster, where: object) -> None:
    """Refuse a node without a role, or with one of them twice."""
    for each in cluster.node:
        if not each.roles:
            raise StartupError(f"{where}: node {each.name} has no role")
        if len({*each.roles}) != len(each.roles):
            raise StartupError(f"{where}: node {each.name} has a role twice; once is right")


def settings_of(cluster: Cluster, node: NodePlan, passphrase: str | None) -> Settings:
    """Make the settings of a node from the plan."""
    return Settings(
        data=Path(node.data),
        journal=cluster.journal,
        host=node.host,
        port=node.port,
        certificate=None if node.certificate is None else Path(node.certificate),
        private_key=None if node.private_key is None else Path(node.private_key),
        gateways=node.gateways,
        connections_max=CONNECTIONS_MAX * max(1, cluster.gateways),
        demo=cluster.demo,
        tables=None if cluster.tables is None else Path(cluster.tables),
        # Requests for an office's pages may have the host names of any gateway.
        hosts=tuple(dict.fromkeys(host for each in cluster.node for host in each.hosts)),
        addresses=cluster.addresses,
        proxies=node.proxies,
        passphrase=passphrase,
    )
