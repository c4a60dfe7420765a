"""The settings with which a live venue is started."""

from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from taisai.server.door.places import ProxyHeader

#: How many may watch without logging in: in all, and from one address.
VISITORS_MAX = 2_000
VISITORS_PER_PLACE = 500


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a venue: where its data is, where it listens, and its limits."""

    data: Path
    #: A `postgresql://` address; otherwise the journal is a SQLite file in `data`.
    journal: str | None = None
    host: str = "127.0.0.1"
    port: int = 8888
    certificate: Path | None = None
    private_key: Path | None = None
    #: Processes that hold the sockets, on other cores; 0: this process holds them.
    gateways: int = 0
    #: A venue for trying things out, on a loopback address only, with accounts in one click.
    demo: bool = False
    #: The tables of the venue, as a TOML file.
    tables: Path | None = None
    #: Host names besides its own address under which browsers may reach the venue.
    hosts: tuple[str, ...] = ()
    #: All addresses at which the venue is reached, like https://10.0.0.5:8888, if there are
    #: several: clients are sent them, and reconnect by any.
    addresses: tuple[str, ...] = ()
    session_idle_seconds: int = 900
    session_seconds: int = 43_200
    #: How much one connection may send, steadily and at once.
    commands_per_second: float = 50.0
    commands_burst: int = 200
    #: How many terminals and staff may be connected, and beside them how many others: newcomers who
    #: have not said hello yet, and visitors; in all, and from one address.
    connections_max: int = 15_000
    newcomers_max: int = 2_000
    newcomers_per_place: int = 500
    visitors_max: int = VISITORS_MAX
    visitors_per_place: int = VISITORS_PER_PLACE
    #: The venue's own proxies, as addresses or networks, and the header that names their callers.
    proxies: tuple[str, ...] = ()
    proxy_header: ProxyHeader = "x-forwarded-for"
    #: The least time for bets in any plan of a table.
    countdown_min_seconds: float = 5.0
    passphrase: str | None = None
    copy_to: Path | None = None
    #: Where the anchor is, which has the newest checkpoint; otherwise beside the keys.
    anchor: Path | None = None

    @property
    def secure(self) -> bool:
        """Say whether the venue speaks TLS."""
        return self.certificate is not None

    def __repr__(self) -> str:
        """Show where it is; a passphrase or the password of a database is never shown."""
        return f"Settings({str(self.data)!r}, {self.host}:{self.port}, demo={self.demo})"


def is_loopback(host: str) -> bool:
    """Say whether only this machine reaches an address."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
