"""Access over HTTP: one guard before every route finds the caller, and whether they may call it.

Each route declares its callers as data, `opt={"roles": …}`; one that declares nothing may be called
by nobody. Staff send a session, as a cookie from a page of the venue or as a token from a program;
a Player Terminal sends its key; every other caller is a visitor.
"""

import asyncio
from math import ceil
from typing import Any, Literal

from litestar.connection import ASGIConnection, Request
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import SkipValidation
from msgspec import Struct

from taisai.core.kernel.messages import Actor, Role
from taisai.core.kernel.roles import STAFF_ROLES
from taisai.core.rules.reason import refuse
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.sessions import SESSION_COOKIE, Session
from taisai.server.door import places
from taisai.server.door.guests import GUEST, Guest
from taisai.server.http.frame.problems import RefusedError

#: Groups of callers that a route may be for, besides single roles.
STAFF: tuple[str, ...] = STAFF_ROLES
EVERYBODY: tuple[str, ...] = ("visitor", "terminal", *STAFF_ROLES)

#: The longest such header: two names, a key and the signs between them.
_AUTHORIZATION_MAX = 400

_Connection = ASGIConnection[Any, Any, Any, Any]


def route(
    tag: str,
    summary: str,
    roles: tuple[str, ...],
    problems: tuple[int, ...] = (),
    status: int | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Declare a route: its subject, its summary, and its callers.

    `problems` are those it may answer with besides the usual ones; `status` is its status on
    success, if that is not the usual one of its method.
    """
    opt = {"roles": roles, "problems": problems, **more}
    return {"tags": [tag], "summary": summary, "status_code": status, "opt": opt}


class Caller(Struct, frozen=True):
    """A caller: staff with a session, a terminal of a table, or a visitor; and their place."""

    role: Role | Literal["visitor"]
    place: str
    session: Session | None = None
    #: The token of the session; it is shown to nobody.
    token: str | None = None
    by_cookie: bool = False
    table: str | None = None
    terminal: str | None = None

    def __repr__(self) -> str:
        """Name the caller; a token is never shown."""
        return f"Caller({self.name!r}, {self.role!r})"

    @property
    def name(self) -> str:
        """The name under which the caller's limit is kept: a session, a terminal, or a place."""
        if self.session is not None:
            return f"session {self.session.id}"
        if self.terminal is not None:
            return f"terminal {self.table}/{self.terminal}"
        return f"place {self.place}"

    @property
    def actor(self) -> Actor:
        """The actor of the caller's commands."""
        if self.session is not None:
            return Actor(self.session.person, self.session.role)
        if self.terminal is not None:
            return Actor(self.terminal, "terminal")
        raise RefusedError(refuse("NOT_LOGGED_IN"))

    @property
    def person(self) -> str:
        """The name of the person who is logged in."""
        return self.logged_in.person

    @property
    def logged_in(self) -> Session:
        """The session of the caller; on routes for staff only there is one."""
        if self.session is None:
            raise RefusedError(refuse("NOT_LOGGED_IN"))
        return self.session


#: The type of a route's parameter `caller`.
TheCaller = NamedDependency[SkipValidation[Caller]]


async def guard(connection: _Connection, handler: BaseRouteHandler) -> None:
    """Find the caller; refuse one that may not call, or calls too often."""
    if connection.scope.get("method") == "OPTIONS":
        return
    roles = handler.opt.get("roles")
    assert roles is not None, f"{handler} declares no roles"
    accounts: Accounts = connection.app.state.application.accounts
    caller = _find(connection, accounts)
    _limit(accounts, caller)
    guest = connection.scope.get(GUEST)
    if caller.role != "visitor" and isinstance(guest, Guest):
        # A caller that has proved who they are does not wait with strangers any more.
        connection.app.state.application.hub.door.know(guest, caller.name)
    if caller.role not in roles:
        if caller.role == "visitor":
            raise RefusedError(refuse("NOT_LOGGED_IN"))
        raise RefusedError(refuse("NOT_ALLOWED", role=caller.role, command=_named(connection)))
    connection.state["caller"] = caller


def the_caller(request: Request[Any, Any, Any]) -> Caller:
    """Give a route the caller that the guard found."""
    caller = request.state["caller"]
    assert isinstance(caller, Caller), "a route that wants its caller is guarded"
    return caller


def _find(connection: _Connection, accounts: Accounts) -> Caller:
    place = place_of(connection)
    given = connection.headers.get("authorization", "")
    scheme, _, credentials = given.partition(" ")
    if scheme.lower() == "terminal":
        found = _terminal(accounts, credentials.strip(), place)
    elif given:
        found = _staff(accounts, credentials.strip() if scheme.lower() == "bearer" else "", place)
    else:
        return _by_cookie(accounts, connection.cookies.get(SESSION_COOKIE), place)
    if found is None:
        # Wrong keys count against the caller's place.
        _limit(accounts, Caller("visitor", place))
        raise RefusedError(refuse("NOT_LOGGED_IN"))
    return found


def _by_cookie(accounts: Accounts, cookie: str | None, place: str) -> Caller:
    """Find the session of a cookie; a browser with an old one may log in again."""
    found = None if not cookie else _staff(accounts, cookie, place, by_cookie=True)
    return found or Caller("visitor", place)


def _staff(accounts: Accounts, token: str, place: str, *, by_cookie: bool = False) -> Caller | None:
    session = accounts.session(token)
    if session is None:
        return None
    return Caller(session.role, place, session, token, by_cookie)


def _terminal(accounts: Accounts, given: str, place: str) -> Caller | None:
    """Read `TABLE/TERMINAL:KEY`; a name has no colon, and a table's no slash."""
    name, _, key = given[:_AUTHORIZATION_MAX].rpartition(":")
    table, _, terminal = name.partition("/")
    if not accounts.knows(table, terminal, key):
        return None
    return Caller("terminal", place, table=table, terminal=terminal)


def _limit(accounts: Accounts, caller: Caller) -> None:
    bucket = accounts.callers.of(caller.name)
    if not bucket.take(asyncio.get_running_loop().time()):
        raise RefusedError(refuse("TOO_FAST", seconds=max(1, ceil(bucket.wait_seconds))))


def _named(connection: _Connection) -> str:
    path = connection.scope.get("path_template", connection.scope["path"])
    return f"{connection.scope.get('method')} {path}"


def place_of(connection: _Connection) -> str:
    """Name the place of a caller."""
    return places.place_of("unknown" if connection.client is None else connection.client.host)
