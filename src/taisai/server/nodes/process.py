"""The process of a node: its streams, its lines to the others, and its port for everybody else."""

import asyncio
import logging
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from taisai.runtime.answers import Registered
from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.keys.directory import opened_keys
from taisai.runtime.keys.files import derived
from taisai.runtime.node import NodeRuntime
from taisai.runtime.operations.process import CREDENTIALS_FILE, KEYS_DIRECTORY, held
from taisai.runtime.ownership.standing import Standing
from taisai.runtime.publisher import Announcement, Follower
from taisai.runtime.streams import CAGE, VENUE
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.credentials import CredentialsError, credentials_key
from taisai.server.accounts.grants import Grants
from taisai.server.accounts.shared_credentials import SharedCredentials
from taisai.server.application import Application, check_mode, make_demo_keys, plan_of
from taisai.server.dealing.dealers import Dealers
from taisai.server.door.line import line_class
from taisai.server.floor_plan import FloorPlan, found, plans_of
from taisai.server.gateways.attached import Attached
from taisai.server.gateways.processes import pages_socket
from taisai.server.gateways.relay import relayed_line_class
from taisai.server.gateways.tunnels import Answering
from taisai.server.http.app import make_app
from taisai.server.lanes.lane import Lane
from taisai.server.listening import Listening, config_of, listen, raise_files
from taisai.server.live.hub import Hub
from taisai.server.nodes.cluster import Cluster, NodePlan
from taisai.server.nodes.gate_process import gateways_at, serve_gateway
from taisai.server.nodes.links import Links
from taisai.server.nodes.owner import Owner
from taisai.server.nodes.seen import NodesSeen
from taisai.server.nodes.switchboard import LINK_DOMAIN, Call, Switchboard
from taisai.server.nodes.wishes import Wishes
from taisai.server.process import address_of
from taisai.server.settings import Settings

_log = logging.getLogger(__name__)

#: Everybody is told so often which streams this node has.
TELL_SECONDS = 0.5
#: So many terminals and staff may be connected to each gateway.
CONNECTIONS_MAX = 15_000
#: So often it is looked whether the venue is there.
LOOK_SECONDS = 0.05


def settings_of(cluster: Cluster, node: NodePlan, passphrase: str | None) -> Settings:
    """Say what a node is shown when it is started."""
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
        # An office is asked for pages by the names of every gateway.
        hosts=tuple(dict.fromkeys(host for each in cluster.node for host in each.hosts)),
        proxies=node.proxies,
        passphrase=passphrase,
    )


async def serve_node(
    cluster: Cluster,
    name: str,
    ready: Callable[[str], None],
    stop: asyncio.Event,
    passphrase: str | None = None,
) -> None:
    """Be a node of a cluster until `stop` is set; `ready` is given the address to open."""
    plan = cluster.of(name)
    settings = settings_of(cluster, plan, passphrase)
    raise_files()
    with listen(settings.host, settings.port) as listening:
        address = address_of(settings, listening)
        if plan.roles == ("gateway",) and settings.gateways == 1:
            given = (cluster.nats, name, settings, listening, lambda: ready(address), stop)
            await serve_gateway(*given)
            return
        if plan.roles == ("gateway",):
            async with gateways_at(cluster.nats, name, settings, listening):
                ready(address)
                await stop.wait()
            return
        node = Node(cluster, plan, settings)
        try:
            await node.open(stop)
            await node.serve(listening, lambda: ready(address), stop)
        except StoppedError:
            pass
        finally:
            await node.close()


class Node:
    """A node that has streams, as office or owner or both."""

    def __init__(self, cluster: Cluster, plan: NodePlan, settings: Settings) -> None:
        self._cluster = cluster
        self._plan = plan
        self._settings = settings
        self._held = ExitStack()
        self._ends: list[Callable[[], Awaitable[None]]] = []
        #: Gateways that have called, and how often each was started.
        self._starts: Counter[str] = Counter()
        self._pages = ""
        #: Its streams, once it is open.
        self.runtime: NodeRuntime
        self._links: Links
        self._nodes: NodesSeen
        self._board: Switchboard
        self._hub: Hub | None = None
        self._grants: Grants | None = None

    @property
    def is_office(self) -> bool:
        """Say whether it has pages and accounts, and follows everything."""
        return "office" in self._plan.roles

    async def open(self, stop: asyncio.Event) -> None:
        """Join the nodes, and have what falls to this one."""
        cluster, plan, settings = self._cluster, self._plan, self._settings
        self._held.enter_context(held(settings.data))
        directory = Path(plan.keys) if plan.keys else settings.data / KEYS_DIRECTORY
        if settings.demo:
            make_demo_keys(directory)
        keys = self._held.enter_context(opened_keys(directory, settings.passphrase))
        link_key = derived(keys.sealing, LINK_DOMAIN)
        self._board = await Switchboard.open(cluster.nats, plan.name, link_key, self._called)
        self._ends.append(self._board.close)
        leases = NodeLeases(plan.name, plan.roles, signs_by=VENUE)
        runtime = self.runtime = await NodeRuntime.join(cluster.journal, leases, keys)
        self._ends.append(runtime.stop)
        self._links = Links(runtime, self._board, self._peers())
        runtime.owned_changed = self._tell
        await self._board.hear(self._links.heard)
        self._links.start()
        runtime.start()
        self._board.spawn(self._tell_always())
        self._floor = plan_of(settings)
        standing = Standing(cluster.journal)
        self._nodes = NodesSeen(runtime, plan.roles, self._links, standing)
        runtime.publisher.followers.append(Wishes(runtime, standing))
        await _begin(runtime, self._floor, settings, stop)

    def _peers(self) -> list[str]:
        """Name the nodes that this one calls: an office all others, an owner the offices."""
        nodes = [each for each in self._cluster.node if each.roles != ("gateway",)]
        return [each.name for each in nodes if self.is_office or "office" in each.roles]

    async def close(self) -> None:
        """End everything that was begun, the newest first."""
        for end in reversed(self._ends):
            await end()
        self._held.close()

    # --- other processes -----------------------------------------------------------------------

    def _tell(self) -> None:
        self._board.tell(self.runtime.owned() if self._hub is not None else {})

    async def _tell_always(self) -> None:
        while True:
            self._tell()
            await asyncio.sleep(TELL_SECONDS)

    def _called(self, call: Call) -> Lane | None:
        """Take the call of a node, or of a gateway once there is anything to serve."""
        if call.is_node:
            return self._links.takes(call)
        hub = self._hub
        if hub is None:
            return None
        self._starts[call.name] += 1
        attached = Attached(
            *(hub, call.name, self._starts[call.name], self._lost),
            instance=call.instance,
            grants=self._grants,
        )
        if self._pages:
            attached.pages = Answering(attached.lane, self._pages)
        hub.gateways[call.name] = attached
        return attached.lane

    def _lost(self, attached: Attached, why: str) -> None:
        _log.warning("gateway %s is lost: %s; whoever was there comes back", attached.name, why)
        assert self._hub is not None, "no gateway calls before"
        if self._hub.gateways.get(attached.name) is attached:
            del self._hub.gateways[attached.name]

    # --- serving -------------------------------------------------------------------------------

    async def serve(
        self, listening: socket.socket, ready: Callable[[], None], stop: asyncio.Event
    ) -> None:
        """Serve gateways, and the port, until `stop` is set."""
        if self.is_office:
            await self._serve_office(listening, ready, stop)
        else:
            await self._serve_owner(listening, ready, stop)

    def _open_to_gateways(self, hub: Hub, grants: Grants, dealers: Dealers) -> None:
        """Have what gateways and other nodes are served with."""
        hub.tell_closes = self._links.say_closes
        self._links.on_closes = hub.show_closes
        self.runtime.publisher.followers.append(_Newcomers(self.runtime, dealers, self._floor))
        self._hub, self._grants = hub, grants
        self._tell()

    async def _serve_owner(
        self, listening: socket.socket, ready: Callable[[], None], stop: asyncio.Event
    ) -> None:
        owner = Owner(self._settings, self.runtime, self._floor, self._nodes)
        self._ends[-1] = owner.finish
        self._links.on_session_ended = owner.end_session
        self.runtime.publisher.followers.append(_Notices(self.runtime, self._links))
        self._open_to_gateways(owner.hub, owner.grants, owner.dealers)
        door = owner.hub.door
        config = config_of(owner, line_class(door), "none", self._settings, lifespan=False)
        async with _serving(Listening(config, door), listening):
            ready()
            await stop.wait()
            owner.closing.set()

    async def _serve_office(
        self, listening: socket.socket, ready: Callable[[], None], stop: asyncio.Event
    ) -> None:
        application = await self._application()
        self._ends[-1] = application.finish
        hub = application.hub
        # Beside the loop: it takes a good part of a second, and a node is heard of all the while.
        app = await asyncio.to_thread(make_app, application)
        relayed = config_of(app, relayed_line_class(hub.door), "none", None, lifespan=True)
        with pages_socket() as (pages, self._pages):
            by_gateways = _serving(Listening(relayed, hub.door), pages)
            async with by_gateways, self._port(app, hub, listening):
                self._open_to_gateways(hub, Grants(self.runtime), application.dealers)
                ready()
                await stop.wait()
                await application.finish()
                self._ends.pop()

    @asynccontextmanager
    async def _port(self, app: Any, hub: Hub, listening: socket.socket) -> AsyncIterator[None]:
        """Have the port served: by gateways of this node's own, or pages alone."""
        settings = self._settings
        if "gateway" in self._plan.roles:
            async with gateways_at(self._cluster.nats, self._plan.name, settings, listening):
                yield
        else:
            config = config_of(app, line_class(hub.door), "none", settings, lifespan=False)
            async with _serving(Listening(config, hub.door), listening):
                yield

    async def _application(self) -> Application:
        """Make what an office has: accounts, which count tries for all, pages and figures."""
        runtime, settings = self.runtime, self._settings
        key, file = credentials_key(runtime.sealing), settings.data / CREDENTIALS_FILE
        # Beside the loop: it waits for the database, and a node is heard of all the while.
        credentials = await asyncio.to_thread(
            SharedCredentials.join, self._cluster.journal, key, file
        )
        accounts = Accounts.share(credentials, runtime, settings)
        self._held.callback(accounts.close)
        application = Application.of_node(settings, runtime, accounts, self._floor)
        application.nodes = self._nodes
        hub = application.hub
        hub.admission.seats_elsewhere = True
        hub.expect_terminals()
        accounts.sessions.ended.append(lambda each: self._links.say_session_ended(each.id))
        self._links.on_notice = lambda notice: _pass_on(application, notice)
        runtime.publisher.followers.append(_Credentials(application))
        await application.set_up_node(self._floor, office=runtime.owns(VENUE))
        return application


def _pass_on(application: Application, notice: Announcement) -> None:
    """Show the pit what another node announces."""
    application.runtime.announcements.append(notice)
    application.hub.pass_on(notice)


@asynccontextmanager
async def _serving(server: Listening, listening: socket.socket) -> AsyncIterator[None]:
    """Have something served for as long as it is wanted."""
    serving = asyncio.get_running_loop().create_task(server.serve([listening.dup()]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving


async def _begin(
    node: NodeRuntime, floor: FloorPlan, settings: Settings, stop: asyncio.Event
) -> None:
    """Found the venue, where it falls to this node; the others wait until it is there."""
    await _until(lambda: (node.owns(VENUE) and node.owns(CAGE)) or bool(node.state.currency), stop)
    if node.owns(VENUE):
        await found(node, floor.venue, demo=settings.demo)
    await _until(lambda: bool(node.cage.currency and node.state.currency), stop)
    if node.owns(VENUE) and not settings.demo:
        check_mode(node, settings)


async def _until(is_so: Callable[[], bool], stop: asyncio.Event) -> None:
    """Wait until something is so, or the node is told to stop."""
    while not is_so():
        if stop.is_set():
            raise StoppedError
        await asyncio.sleep(LOOK_SECONDS)


class StoppedError(Exception):
    """The node was stopped before the venue was there."""


class _Notices(Follower):
    """Tells the office what the pit is to know of this node's tables."""

    follows_bets = False

    def __init__(self, runtime: NodeRuntime, links: Links) -> None:
        self._runtime = runtime
        self._links = links

    def announced(self, announcement: Announcement) -> None:
        """Tell the office, unless it is another's."""
        if self._runtime.follows(announcement.stream) or self._runtime.owns(announcement.stream):
            self._links.say_notice(announcement)


class _Newcomers(Follower):
    """Puts dealers at tables that are new."""

    follows_bets = False

    def __init__(self, runtime: NodeRuntime, dealers: Dealers, floor: FloorPlan) -> None:
        self._runtime = runtime
        self._dealers = dealers
        self._floor = floor
        self._known = {*runtime.tables()}

    def published(self, stream: str, registered: Registered) -> None:
        """Look whether there is a table that is new."""
        del registered
        streams = {*self._runtime.tables()} if stream == VENUE else {stream}
        if streams - self._known - {VENUE, CAGE}:
            self._known |= streams
            for table in plans_of(self._runtime, self._floor):
                self._dealers.add(table.name, table)


class _Credentials(Follower):
    """Sees to what another office has changed of the credentials."""

    follows_bets = False

    def __init__(self, application: Application) -> None:
        self._application = application
        self._reading: asyncio.Task[None] | None = None

    def published(self, stream: str, registered: Registered) -> None:
        """Look whether there is a key that is new."""
        del registered
        if stream == VENUE and not self._application.runtime.owns(VENUE) and self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        """Read the credentials again, a moment later: what was changed is there by then."""
        try:
            await asyncio.sleep(LOOK_SECONDS)
            await self._application.accounts.read_again()
        except (CredentialsError, OSError) as error:
            self._application.runtime.announce(VENUE, "journal", str(error))
        finally:
            self._reading = None
