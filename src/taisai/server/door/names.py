"""The host names of a venue, and whether a request comes from one of its own pages."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from taisai.server.settings import Settings, is_loopback

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


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
    """The host names that a request to a venue may have."""

    def __init__(self, settings: Settings) -> None:
        served = settings.host.strip("[]").lower()
        self._anywhere = _is_unspecified(served)
        own = _LOOPBACK if is_loopback(served) or self._anywhere else frozenset[str]()
        listed = {urlsplit(each).netloc.lower() for each in settings.addresses}
        self._names = {served, *own, *(name.lower() for name in settings.hosts)}
        self._names |= {name for each in listed if (name := host_name(each)) is not None}
        #: Origins of pages from another address of the venue than the socket that they open.
        self._pages = {each.lower().rstrip("/") for each in settings.addresses}

    def admits(self, host: str | None, local: str | None = None) -> bool:
        """Say whether a Host header names this venue; `local` is where the connection arrived.

        A venue that listens on every address of its machine accepts the one that was used.
        """
        name = None if host is None else host_name(host)
        return name is not None and (
            name in self._names or (self._anywhere and local is not None and name == local.lower())
        )

    def admits_page(self, host: str | None, origin: str | None, local: str | None) -> bool:
        """Say whether a socket may be opened: for this venue, by a page of it or by no page."""
        return self.admits(host, local) and (
            origin is None or same_origin(origin, host) or origin.lower() in self._pages
        )


def _is_unspecified(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def same_origin(origin: str | None, host: str | None) -> bool:
    """Say whether an Origin header names a page of the same host as the request."""
    if origin is None or host is None:
        return False
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()
