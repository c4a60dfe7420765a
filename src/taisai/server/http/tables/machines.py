"""Player Terminals as machines: where each stands, whether it is connected, and its faults."""

from msgspec import Struct

from taisai.core.kernel.messages import Instant
from taisai.core.table.state import TableState
from taisai.server.application import Application
from taisai.server.http.site.pages import built_files


class Machine(Struct, frozen=True):
    """A Player Terminal as a machine: where it stands, whether it is there, and what is wrong."""

    terminal: str
    place: str
    #: Whether it was ever given a key.
    keyed: bool
    #: Whether it was withdrawn: none of its keys is good until it is given another.
    withdrawn: bool
    connected: bool
    #: Since when it is connected, or was when it came last; null: not since the venue was started.
    since: Instant | None
    #: When it was last heard.
    seen: Instant | None
    #: From which address it came last.
    address: str
    #: By which program; of a page, the file it began with.
    client: str
    #: Whether its page is the one this venue has now; null where it is no page.
    current: bool | None
    #: Whether staff have taken it out of service.
    failed: bool
    barred: bool
    locked: bool
    #: When its key was last seen in two hands at once [D38].
    doubled: Instant | None


def machine_of(application: Application, state: TableState, name: str) -> Machine:
    """Show a terminal of a table as a machine."""
    terminal, venue, hub = state.positions[name], application.runtime.state, application.hub
    known = f"{state.table}/{name}"
    came = hub.admission.attendance.find(state.table, name)
    heard = hub.heard(state.table, name)
    client = "" if came is None else came.client
    return Machine(
        terminal=name,
        place=terminal.place,
        keyed=known in venue.keyed,
        withdrawn=known in venue.withdrawn,
        connected=terminal.connected and known in venue.keyed,
        since=None if came is None else came.since,
        seen=None if came is None else came.left if heard is None else max(heard, came.since),
        address="" if came is None else came.place,
        client=client,
        current=client in built_files() if client.endswith(".js") else None,
        failed=terminal.failed,
        barred=terminal.barred,
        locked=terminal.locked,
        doubled=venue.doubled.get(known),
    )
