"""The process of a live venue: one port for HTTP and sockets, and an orderly stop."""

import asyncio
import socket
from collections.abc import Callable

import uvicorn

from taisai.server.application import Application
from taisai.server.door.line import line_class
from taisai.server.door.names import Names
from taisai.server.founding import Founding
from taisai.server.gateways.processes import Gateways, pages_socket
from taisai.server.gateways.relay import relayed_line_class
from taisai.server.http.app import make_app
from taisai.server.http.site.founding_app import make_founding_app
from taisai.server.listening import (
    Alone,
    Listening,
    config_of,
    listen,
    raise_files,
)
from taisai.server.live.joining import protocol_class
from taisai.server.settings import Settings

#: Connections to a house that waits for its first two persons.
FOUNDING_LINES_MAX = 100


async def serve(
    settings: Settings,
    ready: Callable[[str, Application], None],
    stop: asyncio.Event,
    founding: Callable[[str, Founding], None] | None = None,
) -> None:
    """Open a venue to the network until `stop` is set; `ready` is called with the address to open.

    If a real house has nobody on its staff, `founding` is called first, with the address and the
    code by which two persons found it on its page; without `founding` such a house does not open.
    """
    raise_files()
    # Before anything else: if the port is taken, no venue has been opened for nothing.
    listening = listen(settings.host, settings.port)
    try:
        awaiting = None if founding is None else _Awaiting(settings, listening, founding, stop)
        application = await Application.open(settings, awaiting)
    except _StoppedError:
        listening.close()
        return
    except BaseException:
        listening.close()
        raise
    try:
        await serve_application(application, listening, ready, stop)
    finally:
        listening.close()


class _StoppedError(Exception):
    """The house was stopped before anybody founded it."""


class _Awaiting:
    """Serves the page on which a house is founded, until it is, or is stopped."""

    def __init__(
        self,
        settings: Settings,
        listening: socket.socket,
        announce: Callable[[str, Founding], None],
        stop: asyncio.Event,
    ) -> None:
        self._settings = settings
        self._listening = listening
        self._announce = announce
        self._stop = stop

    async def __call__(self, founding: Founding) -> None:
        loop = asyncio.get_running_loop()
        server = Alone(_founding_config(founding, self._settings))
        # The server closes what it listens on; the house goes on listening there.
        serving = loop.create_task(server.serve([self._listening.dup()]))
        ends = [loop.create_task(each.wait()) for each in (founding.done, self._stop)]
        try:
            self._announce(address_of(self._settings, self._listening), founding)
            await asyncio.wait([serving, *ends], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in ends:
                each.cancel()
            server.should_exit = True
            await serving
        if not founding.done.is_set():
            raise _StoppedError


def _founding_config(founding: Founding, settings: Settings) -> uvicorn.Config:
    """Limit the connections: a few at a time are enough for founders, and a flood waits outside."""
    app = make_founding_app(founding, settings)
    return config_of(app, "auto", "none", settings, lifespan=False, most=FOUNDING_LINES_MAX)


async def serve_application(
    application: Application,
    listening: socket.socket,
    ready: Callable[[str, Application], None],
    stop: asyncio.Event,
) -> None:
    """Open an application to the network until `stop` is set."""
    if application.settings.gateways:
        await _serve_by_gateways(application, listening, ready, stop)
        return
    # In a thread: it takes a good part of a second, and a node must keep sending meanwhile.
    app = await asyncio.to_thread(make_app, application)
    server = Listening(_config(application, app), application.hub.door)
    serving = asyncio.get_running_loop().create_task(server.serve([listening]))
    try:
        ready(address_of(application.settings, listening), application)
        await _until(stop, serving)
    finally:
        await _stop(application, server, serving)


async def _serve_by_gateways(
    application: Application,
    listening: socket.socket,
    ready: Callable[[str, Application], None],
    stop: asyncio.Event,
) -> None:
    """Have gateways listen, and answer them: over lanes, and for pages over a Unix socket."""
    door = application.hub.door
    app = await asyncio.to_thread(make_app, application)
    config = config_of(app, relayed_line_class(door), "none", None, lifespan=True)
    with pages_socket() as (pages, address):
        server = Listening(config, door)
        serving = asyncio.get_running_loop().create_task(server.serve([pages]))
        gateways = Gateways(application.hub, listening, address)
        try:
            await gateways.start()
            ready(address_of(application.settings, listening), application)
            await _until(stop, serving)
        finally:
            await _stop(application, server, serving, gateways)


async def _until(stop: asyncio.Event, serving: "asyncio.Task[None]") -> None:
    waiting = asyncio.get_running_loop().create_task(stop.wait())
    await asyncio.wait([serving, waiting], return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()


async def _stop(
    application: Application,
    server: uvicorn.Server,
    serving: "asyncio.Task[None]",
    gateways: Gateways | None = None,
) -> None:
    """Finish the work under way in the venue, then the HTTP requests, then close."""
    try:
        await application.finish()
        if gateways is not None:
            await gateways.stop()
        server.should_exit = True
        await serving
    finally:
        application.close()


def _config(application: Application, app: object) -> uvicorn.Config:
    settings, door = application.settings, application.hub.door
    allowed = Names(settings).admits_page
    ws = protocol_class(application.hub, allowed)
    return config_of(app, line_class(door), ws, settings, lifespan=True)


def address_of(settings: Settings, listening: socket.socket) -> str:
    """Write the address that a person opens."""
    scheme = "https" if settings.secure else "http"
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"{scheme}://{host}:{listening.getsockname()[1]}/"
