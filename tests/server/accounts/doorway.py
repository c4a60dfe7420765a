"""The HTTP routes for people and machines on a test venue, with a client for its staff."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide

from taisai.server.http.accounts import approvals, enrolments, terminals
from taisai.server.http.accounts import staff as people
from taisai.server.http.frame.access import guard, the_caller
from taisai.server.http.frame.problems import HANDLERS
from taisai.server.http.frame.security import Security
from taisai.server.http.routes import handlers_of
from taisai.server.settings import Settings
from tests.kit.accounts import (
    PLACE,
    STAFF,
    Household,
    household,
    password_of,
    pin_of,
)

HERE = "http://127.0.0.1"


class Sockets:
    """Stands in for the sockets of a venue: records which terminals were disconnected."""

    def __init__(self) -> None:
        self.cut_off: list[tuple[str, str]] = []

    def close_terminal(self, table: str, terminal: str, _why: str = "") -> None:
        """Record a terminal whose key is no longer valid."""
        self.cut_off.append((table, terminal))


def routes(home: Household, settings: Settings, sockets: Sockets) -> Litestar:
    """Make the routes for people and machines of a venue."""
    application = SimpleNamespace(
        runtime=home.venue, accounts=home.accounts, hub=sockets, settings=settings
    )
    return Litestar(
        route_handlers=handlers_of(people, terminals, enrolments, approvals),
        guards=[guard],
        dependencies={
            "application": Provide(lambda: application, sync_to_thread=False),
            "caller": Provide(the_caller, sync_to_thread=False),
        },
        exception_handlers=HANDLERS,
        logging_config=None,
        openapi_config=None,
        state=State({"application": application}),
    )


class Doorway:
    """Sends requests to the routes as one person or another."""

    def __init__(
        self, home: Household, app: Litestar, sockets: Sockets, settings: Settings | None = None
    ) -> None:
        self.home = home
        self.app = app
        self._guarded = app if settings is None else Security(app, settings)
        self.sockets = sockets
        self.tokens: dict[str, str] = {}

    def client(self, **headers: str) -> httpx.AsyncClient:
        """Make a client with an address of its own."""
        app: Any = self._guarded
        transport = httpx.ASGITransport(app, client=(PLACE, 4321))
        return httpx.AsyncClient(transport=transport, base_url=HERE, headers=headers)

    async def log_in(self, person: str, role: str | None = None) -> httpx.Response:
        """Log a person in over HTTP."""
        role = role or STAFF[person][0]
        body = {"person": person, "password": password_of(person), "role": role}
        return await self.ask(None, "POST", "/api/sessions", body)

    async def token(self, person: str) -> str:
        """Give the token of a person's session, and log in if there is none."""
        if person not in self.tokens:
            self.tokens[person] = (await self.home.log_in(person))[0]
        return self.tokens[person]

    async def ask(
        self, person: str | None, method: str, path: str, body: object = None, **query: str
    ) -> httpx.Response:
        """Send a request as a person, or as nobody."""
        headers = {}
        if person is not None:
            headers["authorization"] = f"Bearer {await self.token(person)}"
        async with self.client(**headers) as client:
            return await client.request(method, path, json=body, params=query or None)

    async def told(
        self,
        status: int,
        person: str | None,
        method: str,
        path: str,
        body: object = None,
        **query: str,
    ) -> Any:
        """Send a request, check the status of its answer, and give the content."""
        response = await self.ask(person, method, path, body, **query)
        assert response.status_code == status, response.text
        return response.json() if response.content else None

    def id(self) -> str:
        """Make a command id."""
        return self.home.floor.new_id()

    async def grant(
        self, person: str, to: str, waiting: dict[str, Any], pin: str | None = None
    ) -> httpx.Response:
        """Approve a pending command, as the second person."""
        body = {
            "to": to,
            "id": self.id(),
            "pending": waiting["pending"],
            "version": waiting["version"],
            "pin": pin or pin_of(person),
        }
        return await self.ask(person, "POST", "/api/approvals", body)


@asynccontextmanager
async def doorway(
    directory: Path, *equipped: str, settings: Settings | None = None
) -> AsyncIterator[Doorway]:
    """Open a venue with its routes; the named people can log in."""
    settings = settings or Settings(directory)
    async with household(directory, equipped=equipped, settings=settings) as home:
        sockets = Sockets()
        app = routes(home, settings, sockets)
        async with app.lifespan():
            yield Doorway(home, app, sockets, settings)
