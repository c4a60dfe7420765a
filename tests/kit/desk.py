"""A live venue for tests of its HTTP side: really served, with requests from any role."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import httpx
from litestar import Litestar

from taisai.core.kernel.messages import Role
from taisai.core.rules.reason import Refusal
from taisai.protocol.client_messages import TerminalKey
from taisai.server import process as serving
from taisai.server.application import Application
from taisai.server.demo.staff import STAFF
from taisai.server.demo.terminals import DemoTerminals
from taisai.server.http import app
from taisai.server.settings import Settings
from tests.kit.floor import Floor

_T = TypeVar("_T")

ROLES: tuple[Role, ...] = tuple(STAFF)
#: The sender of a request: nobody in particular, a Player Terminal, or staff in a role.
CALLERS = ("visitor", "terminal", *ROLES)


async def new_terminal(terminals: DemoTerminals, table: str | None = None) -> TerminalKey | Refusal:
    """Make a terminal for one visitor of a demo venue."""
    made = await terminals.new_terminals(1, table)
    return made if isinstance(made, Refusal) else made[0]


class Desk:
    """A venue that runs in a thread of its own, and short methods for requests."""

    def __init__(
        self, address: str, application: Application, app: Litestar, loop: asyncio.AbstractEventLoop
    ) -> None:
        self.address = address
        self.application = application
        self.app = app
        self.venue = application.runtime
        self.floor = Floor(application.runtime)
        self.client = httpx.Client(base_url=address, timeout=60)
        self._loop = loop
        self._tokens: dict[str, str] = {}
        self._seat: tuple[str, str, str] | None = None

    def do(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Run a coroutine in the venue's loop, and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def look(self, at: Callable[[], _T]) -> _T:
        """Call a function in the venue's loop."""

        async def looking() -> _T:
            return at()

        return self.do(looking())

    @property
    def seat(self) -> tuple[str, str, str]:
        """Give a terminal with credits: its table, its name and its key."""
        if self._seat is None:
            self._seat = self.new_seat("tai-sai")
        return self._seat

    def new_seat(self, table: str) -> tuple[str, str, str]:
        """Give one more terminal with credits."""
        assert self.application.demo is not None
        made = self.do(new_terminal(self.application.demo.terminals, table))
        assert isinstance(made, TerminalKey), made
        return made.table, made.terminal, made.key

    def headers(self, caller: str) -> dict[str, str]:
        """Make the headers for a sender: a staff session, a terminal's key, or none."""
        if caller == "visitor":
            return {}
        if caller == "terminal":
            return self.seated(*self.seat)
        return {"authorization": f"Bearer {self.look(lambda: self._token(caller))}"}

    def _token(self, role: Any) -> str:
        accounts, token = self.application.accounts, self._tokens.get(role)
        if token is None or accounts.session(token) is None:
            token = self._tokens[role] = accounts.demo_session(STAFF[role], role)[0]
        return token

    def seated(self, table: str, terminal: str, key: str) -> dict[str, str]:
        """Make the headers for a terminal."""
        return {"authorization": f"Terminal {table}/{terminal}:{key}"}

    def get(self, caller: str, path: str, **params: Any) -> httpx.Response:
        """Send a GET request."""
        return self.client.get(path, params=params, headers=self.headers(caller))

    def post(self, caller: str, path: str, body: Any = None) -> httpx.Response:
        """Send a POST request."""
        return self.client.post(path, json=body, headers=self.headers(caller))

    def new_id(self) -> str:
        """Make an id for a command."""
        return self.look(self.floor.new_id)


@contextmanager
def opened(data: Path, **settings: Any) -> Iterator[Desk]:
    """Open a demo venue on a free port, as the program does, and stop it properly at the end."""
    asked = Settings(
        data, port=0, demo=True, **{"commands_per_second": 1e6, "commands_burst": 10**6} | settings
    )
    with running(asked) as desk:
        yield desk


@contextmanager
def running(settings: Settings) -> Iterator[Desk]:
    """Serve a venue in a thread of its own."""
    is_ready, made = threading.Event(), list[Desk]()
    loop = asyncio.new_event_loop()
    told = asyncio.Event()

    apps: list[Litestar] = []

    def make_app(application: Application) -> Litestar:
        apps.append(app.make_app(application))
        return apps[0]

    watching = patch.object(serving, "make_app", make_app)

    def ready(address: str, application: Application) -> None:
        # Other venues may be open at the same time, with applications of their own.
        watching.stop()
        made.append(Desk(address, application, apps[0], loop))
        is_ready.set()

    async def work() -> None:
        watching.start()
        try:
            await serving.serve(settings, ready, told)
        finally:
            is_ready.set()

    failed: list[BaseException] = []

    def live() -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(work())
        except BaseException as error:  # noqa: BLE001 - raised again where the test is
            failed.append(error)

    thread = threading.Thread(target=live)
    thread.start()
    is_ready.wait(60)
    try:
        if made:
            yield made[0]
    finally:
        if made:
            made[0].client.close()
            loop.call_soon_threadsafe(told.set)
        thread.join(60)
    if failed:
        raise failed[0]
