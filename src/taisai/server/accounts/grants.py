"""Grants: the office's sealed word on who a client at a gateway is, which owners accept.

A gateway has no keys. The office, which has checked who a client is, writes a grant with a code
made with a key of the venue; the gateway shows it to the owner of a table when the client first
uses that table. A grant is for one connection of one start of one gateway, and expires. Owners also
know what was revoked since the office gave it: they follow the venue's stream, and the office sends
which sessions are over.
"""

import hmac
from collections.abc import Callable
from enum import StrEnum

import msgspec
from msgspec import Struct

from taisai.core.kernel.messages import Instant, Role
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.venue.terminal_keys import TerminalKeyIssued, TerminalWithdrawn
from taisai.runtime.answers import Registered
from taisai.runtime.keys.files import derived
from taisai.runtime.publisher import Follower
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE
from taisai.server.accounts.sessions import Session

#: How long a grant is valid for a terminal or a visitor; for the staff as long as their session.
GRANTED_MS = 12 * 60 * 60 * 1_000
#: How many ended sessions are remembered, the newest: their grants may not have expired yet.
ENDED_MAX = 100_000
_DOMAIN = b"taisai grant\0"
_MAC_BYTES = 32


class Grant(Struct, array_like=True, frozen=True):
    """Who a client is, as the office knew at a version of the venue's stream."""

    gateway: str
    number: int
    person: str
    role: Role | None
    #: The table that a terminal is bound to, and the session by which the staff are let in.
    table: str | None
    session: str | None
    until: Instant
    version: int


class Ungranted(StrEnum):
    """Why a grant that a gateway showed is not valid."""

    FORGED = "it was not written by the office"
    OF_ANOTHER = "it was given for another connection, or to another start of the gateway"
    OVER = "it has ended"
    SESSION_OVER = "the session is over"
    KEY_REPLACED = "the terminal has been given another key since, or withdrawn"
    ROLE_TAKEN = "this person has the role no more, or is suspended"


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Grant).decode


class Grants(Follower):
    """Writes grants and checks them; at an owner it admits the staff by them."""

    follows_bets = False

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._key = derived(runtime.sealing, _DOMAIN)
        self._sessions: dict[str, Grant] = {}
        #: The newest grant of each terminal that was let in here.
        self._terminals: dict[tuple[str, str], Grant] = {}
        self._ended: dict[str, None] = {}
        #: Called with a terminal whose key is no longer valid.
        self.on_revoked: Callable[[str, str], None] = lambda _, __: None
        runtime.publisher.followers.append(self)

    # --- in the office -------------------------------------------------------------------------

    def write(
        self,
        gateway: tuple[str, int],
        person: str,
        role: Role | None,
        table: str | None,
        session: Session | None,
    ) -> bytes:
        """Write a grant for owners."""
        until = self._runtime.clock.now() + GRANTED_MS if session is None else session.expires
        version = self._runtime.writer(VENUE).head.version
        id_ = None if session is None else session.id
        data = _encode(Grant(*gateway, person, role, table, id_, until, version))
        return self._mac(data) + data

    # --- at an owner ---------------------------------------------------------------------------

    def read(self, grant: bytes, gateway: str, number: int) -> Grant | Ungranted:
        """Read a grant, if it is the office's, for this connection, and still valid."""
        mac, data = grant[:_MAC_BYTES], grant[_MAC_BYTES:]
        if not hmac.compare_digest(mac, self._mac(data)):
            return Ungranted.FORGED
        read = _decode(data)
        if (read.gateway, read.number) != (gateway, number):
            return Ungranted.OF_ANOTHER
        fault = self._fault(read)
        if fault is not None:
            return fault
        if read.session is not None:
            self._note_session(read.session, read)
        if read.table is not None:
            self._terminals[read.table, read.person] = read
        return read

    def _note_session(self, id_: str, grant: Grant) -> None:
        """Remember the grant of a session, and forget older grants that have expired."""
        sessions, now = self._sessions, self._runtime.clock.now()
        sessions.pop(id_, None)
        while sessions and sessions[oldest := next(iter(sessions))].until <= now:
            del sessions[oldest]
        sessions[id_] = grant

    def _fault(self, grant: Grant) -> Ungranted | None:
        """Say why a grant of the office is no longer valid; None if it is."""
        if self._runtime.clock.now() >= grant.until:
            return Ungranted.OVER
        if grant.session in self._ended:
            return Ungranted.SESSION_OVER
        state = self._runtime.state
        if grant.table is not None:
            newest = state.keyed.get(f"{grant.table}/{grant.person}", 0)
            return Ungranted.KEY_REPLACED if newest > grant.version else None
        if grant.session is None or state.demo:
            return None
        roles = () if grant.person in state.suspended else state.staff.get(grant.person, ())
        return None if grant.role in roles else Ungranted.ROLE_TAKEN

    def session(self, token: str) -> Session | None:
        """Find the session of a person of the staff admitted here; None once it is over."""
        grant = self._sessions.get(token)
        if grant is None or self._fault(grant) is not None:
            self._sessions.pop(token, None)
            return None
        assert grant.role is not None, "only the staff have sessions"
        until = grant.until
        return Session(token, grant.person, grant.role, "", 0, until, until)

    def end_session(self, id_: str) -> None:
        """Note that a session is over."""
        self._sessions.pop(id_, None)
        self._ended[id_] = None
        if len(self._ended) > ENDED_MAX:
            del self._ended[next(iter(self._ended))]

    def knows(self, table: str, terminal: str, key: str) -> bool:  # noqa: ARG002 - as the accounts'
        """Admit nobody by a key: the office does that."""
        return False

    async def check_pin(self, session: Session, pin: str) -> Refusal | None:  # noqa: ARG002
        """Check no PIN: the office does that."""
        return refuse("NOT_LOGGED_IN")

    def published(self, stream: str, registered: Registered) -> None:
        """Report terminals whose key is no longer valid; the office may have let one in by it."""
        if stream != VENUE:
            return
        for event in registered.events:
            if isinstance(event, TerminalKeyIssued | TerminalWithdrawn):
                grant = self._terminals.get((event.table, event.terminal))
                if grant is None or self._fault(grant) is not None:
                    self._terminals.pop((event.table, event.terminal), None)
                    self.on_revoked(event.table, event.terminal)

    def _mac(self, data: bytes) -> bytes:
        return hmac.digest(self._key, data, "sha256")
