"""The process of a live venue: one port for HTTP and sockets, and a polite end."""

import asyncio
import errno
import logging
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import cast

import uvicorn

from taisai.runtime.recovery import StartupError
from taisai.server.accounts.limiting import Bucket
from taisai.server.application import Application
from taisai.server.door.door import Door
from taisai.server.door.guests import Guest
from taisai.server.door.line import KEEP_SECONDS, Line, line_class
from taisai.server.door.places import place_of
from taisai.server.founding import Founding
from taisai.server.http.app import make_app
from taisai.server.http.frame.security import Names, same_origin
from taisai.server.http.site.founding_app import make_founding_app
from taisai.server.live.joining import protocol_class
from taisai.server.settings import Settings

BACKLOG = 4_096
#: What the system holds of what somebody sends, before it is read.
RECEIVED_MAX = 64 * 1024
#: Lines that are taken in one turn of strangers, and none while so many wait who have hardly been
#: heard yet: nobody makes room for others before they had their turn to say who they are. Where
#: there is no room for another, the next is tried for after a moment.
ACCEPTED_AT_ONCE = 8
UNHEARD_MAX = 16
#: Agreeing on a key takes a millisecond of the processor: so many may begin in a second, so many
#: more at once after a rest, and each has so long.
HANDSHAKES_PER_SECOND = 300.0
HANDSHAKES_AT_ONCE = 64
HANDSHAKE_SECONDS = 5.0
AGAIN_SECONDS = 0.1
#: A request under way when the venue stops has this long to end.
LAST_SECONDS = 5
#: Lines to a house that waits for its first two persons.
FOUNDING_LINES_MAX = 100

_log = logging.getLogger(__name__)


class _Unagreed:
    """A line that was accepted, and has yet to agree on a key."""

    def __init__(self, accepted: socket.socket, joining: "asyncio.Task[None] | None") -> None:
        self._accepted = accepted
        self._joining = joining

    def abort(self) -> None:
        """End it at once."""
        if self._joining is not None:
            self._joining.cancel()
        with suppress(OSError):
            self._accepted.shutdown(socket.SHUT_RDWR)


class _Alone(uvicorn.Server):
    """uvicorn without its own signals: when the venue stops is for the venue to say."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class _Listening(_Alone):
    """A venue that takes its lines a few at a time."""

    def __init__(self, config: uvicorn.Config, door: Door) -> None:
        super().__init__(config)
        self._door = door
        self._loop = asyncio.get_running_loop()
        self._joining: set[asyncio.Task[None]] = set()
        self._handshakes = Bucket(HANDSHAKES_PER_SECOND, HANDSHAKES_AT_ONCE)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to take lines, a few at a time: a loop takes all that wait before anything else."""
        await super().startup([])
        for each in sockets or ():
            self._go_on(each)

    def _go_on(self, listening: socket.socket) -> None:
        """Wait until somebody arrives."""
        if listening.fileno() >= 0 and not self.should_exit:
            self._loop.add_reader(listening, self._arrived, listening)

    def _arrived(self, listening: socket.socket) -> None:
        """Take who has arrived when strangers have their turn."""
        self._loop.remove_reader(listening)
        self._door.turns.arrive(partial(self._accept, listening))

    def _accept(self, listening: socket.socket) -> None:
        """Take a few lines; the rest in the next turn."""
        if listening.fileno() < 0 or self.should_exit:
            return
        crowd = self._door.turns.unheard > UNHEARD_MAX
        for _ in range(0 if crowd else ACCEPTED_AT_ONCE):
            if self.config.ssl is not None and not self._handshakes.take(self._loop.time()):
                break
            try:
                accepted, address = listening.accept()
            except BlockingIOError:
                # Nobody is there, and no key is agreed on.
                self._handshakes.charge(self._loop.time(), -1)
                self._go_on(listening)
                return
            except OSError as error:
                # There is no room for another file; whoever hangs up makes some.
                self._door.refused(errno.errorcode.get(error.errno or 0, "OSERROR"), "everywhere")
                self._loop.call_later(AGAIN_SECONDS, self._go_on, listening)
                return
            accepted.setblocking(False)
            task = self._loop.create_task(self._join(accepted, str(address[0])))
            self._joining.add(task)
            task.add_done_callback(self._joining.discard)
        self._door.turns.arrive(partial(self._accept, listening))

    async def _join(self, accepted: socket.socket, host: str) -> None:
        """Make a line of what was accepted, under TLS where the venue has it.

        Whoever has yet to agree on a key is a newcomer already, counted by where they come from,
        and makes room for others as any newcomer does.
        """
        config, guest = self.config, None
        if config.ssl is not None:
            place = host if self._door.proxies.trust(host) else place_of(host)
            guest = Guest(place, _Unagreed(accepted, asyncio.current_task()))
            self._door.arrive(guest)

        def line() -> asyncio.Protocol:
            made = config.http_protocol_class(  # type: ignore[call-arg]
                config=config, server_state=self.server_state, app_state=self.lifespan.state
            )
            cast("Line", made).before = guest
            return made

        try:
            await self._loop.connect_accepted_socket(
                line,
                accepted,
                ssl=config.ssl,
                ssl_handshake_timeout=None if config.ssl is None else HANDSHAKE_SECONDS,
            )
        except OSError:
            # It has hung up, or does not speak TLS.
            accepted.close()
        finally:
            if guest is not None:
                self._door.leave(guest)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more lines, and end those there are."""
        for each in sockets or ():
            self._loop.remove_reader(each)
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        """Look after the lines once a second; uvicorn counts tenths of it."""
        if counter % 10 == 0:
            now = self._door.time()
            for line in [*self.server_state.connections]:
                if isinstance(line, Line):
                    line.look(now)
            self._door.log()
        return await super().on_tick(counter)


async def serve(
    settings: Settings,
    ready: Callable[[str, Application], None],
    stop: asyncio.Event,
    founding: Callable[[str, Founding], None] | None = None,
) -> None:
    """Open a venue to the network until `stop` is set; `ready` is given the address to open.

    `founding` is given it first where a real house has nobody on its staff, with the code by which
    two persons found it on its page; without `founding` such a house does not open.
    """
    _raise_files()
    # Before anything else: a port that is taken is stop before a venue was opened for nothing.
    listening = _listen(settings.host, settings.port)
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
        await _serve(application, listening, ready, stop)
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
        server = _Alone(_founding_config(founding, self._settings))
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
    return uvicorn.Config(
        make_founding_app(founding, settings),
        loop="none",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        # Nobody else is served yet: a few at a time are enough, and a flood waits outside.
        limit_concurrency=FOUNDING_LINES_MAX,
        timeout_keep_alive=KEEP_SECONDS,
        timeout_graceful_shutdown=LAST_SECONDS,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.private_key,
    )


async def _serve(
    application: Application,
    listening: socket.socket,
    ready: Callable[[str, Application], None],
    stop: asyncio.Event,
) -> None:
    server = _Listening(_config(application), application.hub.door)
    serving = asyncio.get_running_loop().create_task(server.serve([listening]))
    waiting = asyncio.get_running_loop().create_task(stop.wait())
    try:
        ready(address_of(application.settings, listening), application)
        await asyncio.wait([serving, waiting], return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
        await _stop(application, server, serving)


async def _stop(
    application: Application, server: uvicorn.Server, serving: "asyncio.Task[None]"
) -> None:
    """Finish what is under way in the venue, then what is asked over HTTP, then close."""
    try:
        await application.finish()
        server.should_exit = True
        await serving
    finally:
        application.close()


def _config(application: Application) -> uvicorn.Config:
    settings, names = application.settings, Names(application.settings)

    def allowed(host: str | None, origin: str | None, local: str | None) -> bool:
        return names.admits(host, local) and (origin is None or same_origin(origin, host))

    return uvicorn.Config(
        make_app(application),
        http=cast("type[asyncio.Protocol]", line_class(application.hub.door)),
        loop="none",
        ws=cast("type[asyncio.Protocol]", protocol_class(application.hub, allowed)),
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_SECONDS,
        # Who asks is who is connected; for whom a proxy asks is seen to at the door.
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=LAST_SECONDS,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.private_key,
    )


def _raise_files() -> None:
    """Let the process have as many files open as the system lets it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Each line inherits it: nobody sends so much that more would be of use, except to fill memory.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVED_MAX)
    try:
        listening.bind((host.strip("[]"), port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise StartupError(
            f"{host}:{port} cannot be listened on: {error.strerror or error};"
            " stop what is there, or choose another port"
        ) from None
    listening.setblocking(False)
    return listening


def address_of(settings: Settings, listening: socket.socket) -> str:
    """Write the address that a person opens."""
    scheme = "https" if settings.secure else "http"
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"{scheme}://{host}:{listening.getsockname()[1]}/"
