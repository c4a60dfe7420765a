"""The process of a node: its streams, its lines to the others, and its port for everybody else."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from taisai.runtime.answers import Registered
from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.keys.directory import opened_keys
from taisai.runtime.node import NodeRuntime
from taisai.runtime.operations.process import CREDENTIALS_FILE, KEYS_DIRECTORY, held
from taisai.runtime.ownership.standing import Standing
from taisai.runtime.publisher import Follower
from taisai.runtime.streams import CAGE, VENUE
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.credentials import CredentialsError, credentials_key
from taisai.server.accounts.shared_credentials import SharedCredentials
from taisai.server.application import Application, check_mode, make_demo_keys, plan_of
from taisai.server.floor_plan import FloorPlan, found, plans_of
from taisai.server.listening import listen, raise_files
from taisai.server.nodes.cluster import Cluster, NodePlan, inner_of
from taisai.server.nodes.links import Links
from taisai.server.nodes.seen import NodesSeen
from taisai.server.nodes.wishes import Wishes
from taisai.server.process import serve_application
from taisai.server.settings import Settings

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
        gateways=node.gateways,
        demo=cluster.demo,
        tables=None if cluster.tables is None else Path(cluster.tables),
        hosts=node.hosts,
        proxies=node.proxies,
        passphrase=passphrase,
    )


async def serve_node(
    cluster: Cluster,
    name: str,
    ready: Callable[[str, Application], None],
    stop: asyncio.Event,
    passphrase: str | None = None,
) -> None:
    """Be a node of a cluster until `stop` is set; `ready` is given the address to open."""
    plan = cluster.of(name)
    settings = settings_of(cluster, plan, passphrase)
    raise_files()
    with ExitStack() as kept:
        listening = kept.enter_context(listen(settings.host, settings.port))
        kept.enter_context(held(settings.data))
        directory = Path(plan.keys) if plan.keys else settings.data / KEYS_DIRECTORY
        if settings.demo:
            make_demo_keys(directory)
        keys = kept.enter_context(opened_keys(directory, settings.passphrase))
        leases = NodeLeases(name, plan.roles, signs_by=VENUE, address=plan.inner)
        node = await NodeRuntime.join(cluster.journal, leases, keys)
        links = Links(node, keys.sealing, cluster.peers())
        try:
            await links.start(*inner_of(plan))
            node.start()
            floor = plan_of(settings)
            await _begin(node, floor, settings, stop)
            # Beside the loop: it waits for the database, and a node is heard of all the while.
            credentials = await asyncio.to_thread(
                SharedCredentials.join,
                cluster.journal,
                credentials_key(keys.sealing),
                settings.data / CREDENTIALS_FILE,
            )
            accounts = Accounts.share(credentials, node, settings)
            kept.callback(accounts.close)
            application = await _application(node, accounts, settings, floor)
            standing = Standing(cluster.journal)
            application.nodes = NodesSeen(node, plan.roles, links, standing)
            node.publisher.followers.append(Wishes(node, standing))
        except _StoppedError:
            await _end(node, links)
            return
        except BaseException:
            await _end(node, links)
            raise
        application.at_end = links.stop
        links.on_closes = application.hub.show_closes
        application.hub.tell_closes = links.say_closes
        await serve_application(application, listening, ready, stop)


async def _end(node: NodeRuntime, links: Links) -> None:
    await node.stop()
    await links.stop()


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
            raise _StoppedError
        await asyncio.sleep(LOOK_SECONDS)


class _StoppedError(Exception):
    """The node was stopped before the venue was there."""


async def _application(
    node: NodeRuntime, accounts: Accounts, settings: Settings, floor: FloorPlan
) -> Application:
    application = Application.of_node(settings, node, accounts, floor)
    node.publisher.followers.append(_Newcomers(application, floor))
    await application.set_up_node(floor, office=node.owns(VENUE))
    return application


class _Newcomers(Follower):
    """Sees to what other nodes have added: tables, and credentials."""

    follows_bets = False

    def __init__(self, application: Application, floor: FloorPlan) -> None:
        self._application = application
        self._floor = floor
        self._known = {VENUE, CAGE, *application.runtime.tables()}
        self._reading: asyncio.Task[None] | None = None

    def published(self, stream: str, registered: Registered) -> None:
        """Look whether there is a table that is new, or a key."""
        del registered
        application = self._application
        runtime = application.runtime
        if stream not in self._known:
            self._known.add(stream)
            for table in plans_of(runtime, self._floor):
                application.dealers.add(table.name, table)
        if stream == VENUE and not runtime.owns(VENUE) and self._reading is None:
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
