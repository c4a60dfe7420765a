"""What guards every request before any route sees it, and every answer before it leaves.

A browser is believed only about the venue's own pages: the host it names must be one of ours, and
whatever changes something must come from a page of ours. Nothing private is kept by a cache, and no
page runs a script that is not a file of the venue.
"""

from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from ipaddress import ip_address
from urllib.parse import urlsplit

import msgspec
from litestar.enums import HttpMethod, ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from taisai.server.accounts.sessions import SESSION_COOKIE
from taisai.server.http.frame.problems import PROBLEM, ProblemError
from taisai.server.settings import Settings, is_loopback

#: The longest address with its query that is looked at.
URL_MAX = 2048
#: The largest body that is read; the longest command takes a tenth of it.
BODY_MAX = 64 * 1024
#: A browser that was here under TLS comes back under TLS, for a year.
HSTS_SECONDS = 31_536_000

_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_DATA = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_FEATURES = ("camera", "geolocation", "microphone", "payment", "usb", "browsing-topics")
_PERMISSIONS = ", ".join(f"{feature}=()" for feature in _FEATURES)
#: The one page that may look through a camera: a cashier scans vouchers with it.
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


def _lines(headers: dict[str, str]) -> list[Header]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


def host_name(host: str) -> str | None:
    """Take the name out of a Host header, without its port; None if it is no host."""
    try:
        parts = urlsplit(f"//{host}")
        name, _ = parts.hostname, parts.port
    except ValueError:
        return None
    plain = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    return name if plain and name else None


class Names:
    """The names under which a venue may be asked for."""

    def __init__(self, settings: Settings) -> None:
        served = settings.host.strip("[]").lower()
        self._anywhere = _is_unspecified(served)
        own = _LOOPBACK if is_loopback(served) or self._anywhere else frozenset[str]()
        self._names = {served, *own, *(name.lower() for name in settings.hosts)}

    def admits(self, host: str | None, local: str | None = None) -> bool:
        """Say whether a Host header names this venue; `local` is where the connection arrived.

        A venue that listens on every address of its machine is known by the one that was used.
        """
        name = None if host is None else host_name(host)
        return name is not None and (
            name in self._names or (self._anywhere and local is not None and name == local.lower())
        )


def _is_unspecified(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def same_origin(origin: str | None, host: str | None) -> bool:
    """Say whether an Origin header names a page of the very host that is asked."""
    if origin is None or host is None:
        return False
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


class Security:
    """Wraps the whole application, addresses that it does not have included."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        answered: Callable[[int], None] = lambda _: None,
        methods: Mapping[str, str] | None = None,
    ) -> None:
        self._app = app
        #: What each address takes: the framework's own answer forgets all methods but the first.
        self._methods = methods or {}
        self._names = Names(settings)
        self._answered = answered
        always = dict(_ALWAYS)
        if settings.secure:
            always["strict-transport-security"] = f"max-age={HSTS_SECONDS}"
        self._data = _lines({**always, "content-security-policy": _DATA})
        pages = {**always, "content-security-policy": _PAGES}
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
        """Say what goes with every answer: to programs, to pages, and to the one with a camera."""
        if path.startswith("/api"):
            return self._data
        return self._camera if path.rstrip("/") == _CAMERA_PAGE else self._pages

    def _allowing(self, scope: HTTPScope, headers: Iterable[Header]) -> Iterable[Header]:
        """Show whoever asks for the options of an address all methods that it takes."""
        if scope["method"] != HttpMethod.OPTIONS:
            return headers
        methods = self._methods.get(scope.get("path_template", ""), "").encode()
        kept = [each for each in headers if each[0].lower() != b"allow"]
        return [*kept, (b"allow", methods)] if methods else headers

    def _look_at(self, scope: HTTPScope) -> None:
        """Refuse a request that is not for this venue, or that no page of it would make."""
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
    """The headers of a request that say where it comes from and goes to."""

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
        """Say whether a page of ours asks, or a program that has no pages and no cookie."""
        if not self._origins:
            return not self._has_session
        return len(self._origins) == 1 and same_origin(self._origins[0], self.host)


def _besides(given: Iterable[Header], headers: Iterable[Header]) -> list[Header]:
    """Leave out what an answer says by itself: a page to print has a policy of its own."""
    said = {name.lower() for name, _ in given}
    return [each for each in headers if each[0] not in said]


def _with_cache(headers: Iterable[Header]) -> list[Header]:
    """Have nothing kept by a cache that does not say by itself that it may be."""
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
