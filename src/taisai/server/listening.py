"""Listening: connections are accepted a few at a time, and counted from the first moment on."""

import asyncio
import errno
import resource
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import Any, Literal, cast

import uvicorn

from taisai.runtime.recovery import StartupError
from taisai.server.accounts.limiting import Bucket
from taisai.server.door.door import Door
from taisai.server.door.guests import Guest
from taisai.server.door.line import KEEP_SECONDS, Line
from taisai.server.door.places import place_of
from taisai.server.settings import Settings

BACKLOG = 4_096
#: How much the system buffers of what a client sends, before it is read.
RECEIVED_MAX = 64 * 1024
#: Connections that are accepted in one turn of strangers, and none while so many wait that have
#: hardly been served yet: no client is cut off for others before it had its turn to say who it is.
#: If there is no room for another connection, the next is tried after a moment.
ACCEPTED_AT_ONCE = 8
UNHEARD_MAX = 16
#: A TLS handshake takes a millisecond of the processor: so many may begin in a second, so many more
#: at once after a rest, and each has so long.
HANDSHAKES_PER_SECOND = 300.0
HANDSHAKES_AT_ONCE = 64
HANDSHAKE_SECONDS = 5.0
AGAIN_SECONDS = 0.1
#: A request under way when the venue stops has this long to end.
LAST_SECONDS = 5


class _Unagreed:
    """An accepted connection whose TLS handshake has not finished."""

    def __init__(self, accepted: socket.socket, joining: "asyncio.Task[None] | None") -> None:
        self._accepted = accepted
        self._joining = joining

    def abort(self) -> None:
        """End it at once."""
        if self._joining is not None:
            self._joining.cancel()
        with suppress(OSError):
            self._accepted.shutdown(socket.SHUT_RDWR)


class Alone(uvicorn.Server):
    """uvicorn without its own signal handlers: the venue decides when it stops."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Listening(Alone):
    """A server that accepts connections a few at a time."""

    def __init__(self, config: uvicorn.Config, door: Door) -> None:
        super().__init__(config)
        self._door = door
        self._loop = asyncio.get_running_loop()
        self._joining: set[asyncio.Task[None]] = set()
        self._handshakes = Bucket(HANDSHAKES_PER_SECOND, HANDSHAKES_AT_ONCE)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept a few at a time: a loop accepts all that wait before other work."""
        await super().startup([])
        for each in sockets or ():
            self._go_on(each)

    def _go_on(self, listening: socket.socket) -> None:
        """Wait for the next connection."""
        if listening.fileno() >= 0 and not self.should_exit:
            self._loop.add_reader(listening, self._arrived, listening)

    def _arrived(self, listening: socket.socket) -> None:
        """Have new connections accepted when strangers have their turn."""
        self._loop.remove_reader(listening)
        self._door.turns.arrive(partial(self._accept, listening))

    def _accept(self, listening: socket.socket) -> None:
        """Accept a few connections; the rest in the next turn."""
        if listening.fileno() < 0 or self.should_exit:
            return
        crowd = self._door.turns.unheard > UNHEARD_MAX
        for _ in range(0 if crowd else ACCEPTED_AT_ONCE):
            if self.config.ssl is not None and not self._handshakes.take(self._loop.time()):
                break
            try:
                accepted, address = listening.accept()
            except BlockingIOError:
                # No connection waits, so the handshake is not used.
                self._handshakes.charge(self._loop.time(), -1)
                self._go_on(listening)
                return
            except OSError as error:
                # There is no room for another file; a connection that closes makes some.
                self._door.refused(errno.errorcode.get(error.errno or 0, "OSERROR"), "everywhere")
                self._loop.call_later(AGAIN_SECONDS, self._go_on, listening)
                return
            accepted.setblocking(False)
            # At a Unix socket there are no addresses.
            host = str(address[0]) if address else ""
            task = self._loop.create_task(self._join(accepted, host))
            self._joining.add(task)
            task.add_done_callback(self._joining.discard)
        self._door.turns.arrive(partial(self._accept, listening))

    async def _join(self, accepted: socket.socket, host: str) -> None:
        """Make a line of an accepted connection, under TLS if the venue has it.

        During the TLS handshake the client is a newcomer already, counted by its place, and may be
        cut off for others as any newcomer.
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
            # The client has closed the connection, or does not speak TLS.
            accepted.close()
        finally:
            if guest is not None:
                self._door.leave(guest)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and end the present ones."""
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


@asynccontextmanager
async def serving(
    server: Listening, listening: socket.socket, stop: asyncio.Event
) -> AsyncIterator[None]:
    """Run a server for as long as the context is open.

    If it ends sooner, `stop` is set, and its fault is raised when the context is closed.
    """
    with listening.dup() as own:
        task = asyncio.get_running_loop().create_task(server.serve([own]))
        task.add_done_callback(lambda _: stop.set())
        try:
            yield
        finally:
            by_itself = task.done()
            server.should_exit = True
            await task
    assert not by_itself, "a server ends when it is told to"


def config_of(
    app: Any,
    http: Callable[..., Line] | Literal["auto"],
    ws: Any,
    settings: Settings | None,
    *,
    lifespan: bool,
    most: int | None = None,
) -> uvicorn.Config:
    """Make uvicorn's config, for `most` connections at once; with TLS if the settings have it."""
    return uvicorn.Config(
        app,
        http=cast("type[asyncio.Protocol]", http),
        limit_concurrency=most,
        loop="none",
        ws=ws,
        lifespan="on" if lifespan else "off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=lifespan,
        timeout_keep_alive=KEEP_SECONDS,
        # The client is the one that is connected; the door finds the callers of proxies.
        proxy_headers=False,
        backlog=BACKLOG,
        timeout_graceful_shutdown=LAST_SECONDS,
        ssl_certfile=None if settings is None else settings.certificate,
        ssl_keyfile=None if settings is None else settings.private_key,
    )


def raise_files() -> None:
    """Let the process open as many files as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def listen(host: str, port: int) -> socket.socket:
    """Listen on an address; one in use, or not of this machine, is raised as a sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Each connection inherits it: no honest client sends so much that more would be of use.
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
