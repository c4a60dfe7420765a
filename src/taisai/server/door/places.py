"""The place of a caller: its address, or the one that a trusted proxy names."""

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Literal

#: The header in which the venue's own proxies name their callers.
ProxyHeader = Literal["x-forwarded-for", "forwarded"]
Network = IPv4Network | IPv6Network


def place_of(host: str) -> str:
    """Name a place as limits count it: an IPv4 address, or the network of an IPv6 address."""
    try:
        address = ip_address(host)
    except ValueError:
        return host[:64] or "unknown"
    if not isinstance(address, IPv6Address) or address.is_loopback:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    # A caller with one such address has 2^64 of them.
    network = IPv6Address(int(address) >> 64 << 64)
    return f"{network}/64"


def read_network(text: str) -> Network:
    """Read an address or a network of them, like 10.0.0.7 or 10.0.0.0/24."""
    return ip_network(text.strip().strip("[]"), strict=False)


class Proxies:
    """The proxies of the venue itself: only they are trusted to name their callers.

    Each proxy adds the address of its caller at the end. So the addresses are read from the end for
    as long as they are proxies of the venue; the first that is not is the caller. Anybody could
    have written the addresses before it.
    """

    def __init__(self, networks: Sequence[str], header: ProxyHeader) -> None:
        self._networks = tuple(map(read_network, networks))
        self._header = header.encode()
        self._read = _forwarded if header == "forwarded" else _plain

    def trust(self, host: str) -> bool:
        """Say whether an address is that of a proxy."""
        if not self._networks:
            return False
        address = _address(host)
        return address is not None and any(address in each for each in self._networks)

    def asked_for(self, proxy: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """Find the caller of a proxy; if the proxy names none, it is the proxy itself."""
        lines = [value for name, value in headers if name == self._header]
        found = proxy
        for text in reversed(b",".join(lines).decode("latin-1").split(",")):
            address = _address(self._read(text.strip()))
            if address is None:
                break
            found = str(address)
            if not self.trust(found):
                break
        return found


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(host)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _plain(text: str) -> str:
    """Read an address as X-Forwarded-For has it, perhaps with a port."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _forwarded(text: str) -> str:
    """Read an element of Forwarded (RFC 7239): for="[2001:db8::7]:4711";proto=https."""
    for pair in text.split(";"):
        name, _, value = pair.strip().partition("=")
        if name.lower() == "for":
            return _plain(value.strip().strip('"'))
    return ""
