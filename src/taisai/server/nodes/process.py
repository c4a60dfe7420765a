"""The process of a node: its streams, its lines to the others, and its port for everybody else."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.node import NodeRuntime
from taisai.runtime.operations.process import CREDENTIALS_FILE, held
from taisai.runtime.ownership.standing import Standing
from taisai.runtime.streams import CAGE, VENUE
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.credentials import credentials_key
from taisai.server.accounts.shared_credentials import SharedCredentials
from taisai.server.application import Application, check_mode, plan_of
from taisai.server.floor import found
from taisai.server.floor_plan import FloorPlan
from taisai.server.listening import listen, raise_files
from taisai.server.nodes.cluster import Cluster, inner_of, settings_of
from taisai.server.nodes.links import Links
from taisai.server.nodes.newcomers import Newcomers
from taisai.server.nodes.seen import NodesSeen
from taisai.server.nodes.wishes import Wishes
from taisai.server.process import serve_application
from taisai.server.settings import Settings
from taisai.server.venue_data import keys_of

#: So often it is looked whether the venue is there.
LOOK_SECONDS = 0.05


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
        keys = kept.enter_context(keys_of(settings, Path(plan.keys) if plan.keys else None))
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
    node.publisher.followers.append(Newcomers(application, floor))
    await application.set_up_node(floor, office=node.owns(VENUE))
    return application
