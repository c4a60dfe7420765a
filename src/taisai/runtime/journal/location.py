"""Names of the places of journals, and how they are shown: never with a password.

A place is a file, or the address of a database. The file name of the journal in a venue's data
directory is here too.
"""

import re
import socket
from pathlib import Path

#: The file name of the journal in the data directory of a venue.
JOURNAL_FILE = "journal.sqlite"

#: A scheme begins where no letter is before it: so a long word is searched only once.
_IN_ADDRESS = re.compile(
    r"((?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*://|postgres(?:ql)?:/*))\S*@", re.IGNORECASE
)
_HOST = re.compile(r"(\[.*|[^:]*)(:[0-9]*)?")
_IN_QUERY = re.compile(r"((?:ssl)?password=)[^&\s'\"]*", re.IGNORECASE)


def is_address(where: str | Path) -> bool:
    """Say whether a place is the address of a database, and not a path."""
    return not isinstance(where, Path) and "://" in where


def node_of(data: Path) -> str:
    """Name a venue by its machine and its data directory, which only one process has at a time."""
    return f"{socket.gethostname()}:{data.resolve()}"


def shown_place(where: str | Path) -> str:
    """Show a place to people: an address without its user and password."""
    if not is_address(where):
        return str(where)
    scheme, _, rest = str(where).partition("://")
    server = re.split(r"[/?#]", rest, maxsplit=1)[0]
    path = rest[len(server) :]
    _, at, hosts = server.rpartition("@")
    if "@" in path or not (at or all(map(_HOST.fullmatch, hosts.split(",")))):
        # A special character in the password, or no host after it: its end is not certain.
        return f"{scheme}://…"
    return f"{scheme}://{hosts}{re.split('[?#]', path, maxsplit=1)[0]}"


def without_passwords(text: str) -> str:
    """Remove from a sentence the user and password of any address in it."""
    return _IN_QUERY.sub(r"\1…", _IN_ADDRESS.sub(r"\1", text))
