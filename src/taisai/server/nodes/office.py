"""An office has the accounts, with the limits on tries, pages, figures and the pit's notices."""

import asyncio
import socket
from collections.abc import Callable

from taisai.runtime.operations.process import CREDENTIALS_FILE
from taisai.runtime.publisher import Announcement
from taisai.runtime.streams import VENUE
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.credentials import credentials_key
from taisai.server.accounts.grants import Grants
from taisai.server.accounts.shared_credentials import SharedCredentials
from taisai.server.application import Application
from taisai.server.gateways.processes import pages_socket
from taisai.server.gateways.relay import relayed_line_class
from taisai.server.http.app import make_app
from taisai.server.listening import Listening, config_of, serving
from taisai.server.nodes.gates import Gates
from taisai.server.nodes.newcomers import NewCredentials, NewTables
from taisai.server.nodes.node import Node
from taisai.server.nodes.port import port
from taisai.server.nodes.stopping import unless_stopped


async def serve_office(
    node: Node, listening: socket.socket, ready: Callable[[], None], stop: asyncio.Event
) -> None:
    """Serve as the office of a venue until `stop` is set."""
    application = await unless_stopped(_application(node), stop)
    door = application.hub.door
    # In a thread: it takes a good part of a second, and the node must keep sending meanwhile.
    app = await asyncio.to_thread(make_app, application)
    relayed = config_of(app, relayed_line_class(door), "none", None, lifespan=True)
    with pages_socket() as (pages, address):
        by_gateways = serving(Listening(relayed, door), pages, stop)
        async with by_gateways, port(node, app, door, listening, stop):
            node.serve_gateways(Gates(application.hub, Grants(node.runtime), address))
            ready()
            await stop.wait()
            await application.finish()
            node.ends.pop()


async def _application(node: Node) -> Application:
    runtime, settings = node.runtime, node.settings
    key, file = credentials_key(runtime.sealing), settings.data / CREDENTIALS_FILE
    # In a thread: it waits for the database, and the node must keep sending meanwhile.
    credentials = await asyncio.to_thread(SharedCredentials.join, node.cluster.journal, key, file)
    accounts = Accounts.share(credentials, runtime, settings)
    node.held.callback(accounts.close)
    application = Application.of_node(settings, runtime, accounts, node.floor)
    node.ends[-1] = application.finish
    application.nodes = node.seen
    hub = application.hub
    hub.admission.seats_elsewhere = True
    hub.expect_terminals()
    accounts.sessions.ended.append(lambda each: node.links.send_session_ended(each.id))
    node.links.on_notice = lambda notice: _pass_on(application, notice)
    credentials_elsewhere = NewCredentials(application)
    runtime.publisher.followers.append(credentials_elsewhere)
    runtime.before_office = credentials_elsewhere.taken_over
    if runtime.owns(VENUE):
        # This node got the venue's stream while the credentials were read, or before.
        await credentials_elsewhere.taken_over()
    await application.set_up_node(node.floor, office=runtime.owns(VENUE))
    runtime.publisher.followers.append(NewTables(runtime, application.dealers, node.floor))
    return application


def _pass_on(application: Application, notice: Announcement) -> None:
    """Send the pit what another node announces."""
    application.runtime.announcements.append(notice)
    application.hub.pass_on(notice)
