"""Where journals are kept, as people name it, and how that is shown: never with a password.

A place is a file, or the address of a database. The journal in the data directory of a venue has
one name, which is here too.
"""

import re
import socket
from pathlib import Path

#: What the journal is called in the data directory of a venue.
JOURNAL_FILE = "journal.sqlite"

#: A scheme begins where no letter is before it: a long word is looked through once, not over again.
_IN_ADDRESS = re.compile(
    r"((?:(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*://|postgres(?:ql)?:/*))\S*@", re.IGNORECASE
)
_HOST = re.compile(r"(\[.*|[^:]*)(:[0-9]*)?")
_IN_QUERY = re.compile(r"((?:ssl)?password=)[^&\s'\"]*", re.IGNORECASE)


def is_address(where: str | Path) -> bool:
    """Say whether a place is the address of a database, and not a path."""
    return not isinstance(where, Path) and "://" in where


def node_of(data: Path) -> str:
    """Name a venue by its machine and its data directory, which one process has at a time."""
    return f"{socket.gethostname()}:{data.resolve()}"


def shown_place(where: str | Path) -> str:
    """Name a place for people: of an address only what is neither a user nor a password."""
    if not is_address(where):
        return str(where)
    scheme, _, rest = str(where).partition("://")
    server = re.split(r"[/?#]", rest, maxsplit=1)[0]
    path = rest[len(server) :]
    _, at, hosts = server.rpartition("@")
    if "@" in path or not (at or all(map(_HOST.fullmatch, hosts.split(",")))):
        # A sign in a password, or no host named after it: where it ends, nobody can tell.
        return f"{scheme}://…"
    return f"{scheme}://{hosts}{re.split('[?#]', path, maxsplit=1)[0]}"


def without_passwords(text: str) -> str:
    """Take out of a sentence what an address in it tells before its server."""
    return _IN_QUERY.sub(r"\1…", _IN_ADDRESS.sub(r"\1", text))
