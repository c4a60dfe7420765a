"""Security: checks of every request before any route has it, and headers of every answer.

A browser is trusted only for the venue's own pages: the host it names must be one of ours, and a
request that changes something must come from a page of ours. No cache stores private data, and no
page runs a script that is not a file of the venue.
"""

from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus

import msgspec
from litestar.enums import HttpMethod, ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from taisai.server.accounts.sessions import SESSION_COOKIE
from taisai.server.door.names import Names, same_origin
from taisai.server.http.frame.problems import PROBLEM, ProblemError
from taisai.server.settings import Settings

#: The longest address, with its query, that is accepted.
URL_MAX = 2048
#: The largest body that is accepted; the longest command has a tenth of it.
BODY_MAX = 64 * 1024
#: For a year, a browser that has used TLS here uses it again.
HSTS_SECONDS = 31_536_000

_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_DATA = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_FEATURES = ("camera", "geolocation", "microphone", "payment", "usb", "browsing-topics")
_PERMISSIONS = ", ".join(f"{feature}=()" for feature in _FEATURES)
#: The only page that may use a camera: a cashier scans vouchers with it.
_CAMERA_PAGE = "/cage"
_WITH_CAMERA = _PERMISSIONS.replace("camera=()", "camera=(self)")
_ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": _PERMISSIONS,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

Header = tuple[bytes, bytes]


def _pages(addresses: tuple[str, ...]) -> str:
    """Write the policy of pages: they may open sockets at every address of the venue."""
    sockets = "".join(f" ws{each.removeprefix('http').rstrip('/')}" for each in addresses)
    return _PAGES.replace("connect-src 'self'", f"connect-src 'self'{sockets}")


def _lines(headers: dict[str, str]) -> list[Header]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


class Security:
    """Wraps the whole application, so that it also covers unknown addresses."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        answered: Callable[[int], None] = lambda _: None,
        methods: Mapping[str, str] | None = None,
    ) -> None:
        self._app = app
        #: The methods of each address: the framework's own answer names only the first.
        self._methods = methods or {}
        self._names = Names(settings)
        self._answered = answered
        always = dict(_ALWAYS)
        if settings.secure:
            always["strict-transport-security"] = f"max-age={HSTS_SECONDS}"
        self._data = _lines({**always, "content-security-policy": _DATA})
        pages = {**always, "content-security-policy": _pages(settings.addresses)}
        self._pages = _lines(pages)
        self._camera = _lines({**pages, "permissions-policy": _WITH_CAMERA})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.WEBSOCKET:
            await self._app(scope, receive, send)
            return
        headers = self._headers(scope["path"])

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = [*self._allowing(scope, message["headers"])]
                message["headers"] = [*_with_cache(given), *_besides(given, headers)]
                self._answered(message["status"])
            await send(message)

        try:
            self._look_at(scope)
        except ProblemError as error:
            await _send_problem(error, send_guarded)
        else:
            await self._app(scope, receive, send_guarded)

    def _headers(self, path: str) -> list[Header]:
        """Give the headers of every answer: to programs, to pages, and to the one with a camera."""
        if path.startswith("/api"):
            return self._data
        return self._camera if path.rstrip("/") == _CAMERA_PAGE else self._pages

    def _allowing(self, scope: HTTPScope, headers: Iterable[Header]) -> Iterable[Header]:
        """Answer a request for the options of an address with all its methods."""
        if scope["method"] != HttpMethod.OPTIONS:
            return headers
        methods = self._methods.get(scope.get("path_template", ""), "").encode()
        kept = [each for each in headers if each[0].lower() != b"allow"]
        return [*kept, (b"allow", methods)] if methods else headers

    def _look_at(self, scope: HTTPScope) -> None:
        """Refuse a request that is not for this venue, or that comes from another site's page."""
        length = len(scope["raw_path"] or b"") + len(scope["query_string"])
        if length > URL_MAX:
            detail = f"the address is {length} characters long; at most {URL_MAX} are right"
            raise ProblemError(HTTPStatus.REQUEST_URI_TOO_LONG, "ADDRESS_TOO_LONG", detail)
        given = _Given(scope["headers"])
        server = scope.get("server")
        if not self._names.admits(given.host, None if server is None else server[0]):
            detail = "this venue is not known by the name in the Host header"
            raise ProblemError(HTTPStatus.MISDIRECTED_REQUEST, "UNKNOWN_HOST", detail)
        if str(scope["method"]) not in _SAFE and not given.comes_from_here:
            detail = "this was not asked by a page of this venue: the Origin header must name it"
            raise ProblemError(HTTPStatus.FORBIDDEN, "OTHER_ORIGIN", detail)


class _Given:
    """The headers of a request that name its origin and its host."""

    def __init__(self, headers: Iterable[Header]) -> None:
        found: dict[bytes, list[str]] = {}
        for name, value in headers:
            if name in (b"host", b"origin", b"cookie"):
                found.setdefault(name, []).append(value.decode("latin-1"))
        hosts, self._origins = found.get(b"host", []), found.get(b"origin", [])
        self.host = hosts[0] if len(hosts) == 1 else None
        self._has_session = any(SESSION_COOKIE in cookie for cookie in found.get(b"cookie", ()))

    @property
    def comes_from_here(self) -> bool:
        """Say whether the caller is a page of ours, or a program without pages and cookies."""
        if not self._origins:
            return not self._has_session
        return len(self._origins) == 1 and same_origin(self._origins[0], self.host)


def _besides(given: Iterable[Header], headers: Iterable[Header]) -> list[Header]:
    """Leave out headers that an answer has itself: a page to print has a policy of its own."""
    said = {name.lower() for name, _ in given}
    return [each for each in headers if each[0] not in said]


def _with_cache(headers: Iterable[Header]) -> list[Header]:
    """Forbid caches to store an answer that does not itself allow it."""
    given = list(headers)
    if not any(name.lower() == b"cache-control" for name, _ in given):
        given.append((b"cache-control", b"no-store"))
    return given


async def _send_problem(error: ProblemError, send: Send) -> None:
    body = msgspec.json.encode(error.problem)
    headers = [
        (b"content-type", PROBLEM.encode()),
        (b"content-length", str(len(body)).encode()),
        *_lines(error.headers),
    ]
    await send({"type": "http.response.start", "status": error.problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
