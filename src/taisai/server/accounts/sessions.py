"""Who is logged in: sessions in memory, found by the hash of a token that only its holder has.

A session ends when it was idle too long, at the latest after a shift, when its person logs out or
is no longer on the staff, and when the process ends. The functions in `ended` are called when a
session ends.
"""

import hashlib
import logging
import secrets
from collections.abc import Callable

from msgspec import Struct

from taisai.core.kernel.messages import Instant, Role

#: The name of the cookie with the token of a session.
SESSION_COOKIE = "taisai-session"
SESSIONS_MAX = 10_000
SESSIONS_OF_A_PERSON = 8
_TOKEN_BYTES = 32
#: Tokens have 43 characters; a much longer text is no token, and is not even hashed.
_TOKEN_MAX = 100

_log = logging.getLogger(__name__)


class Session(Struct):
    """A person logged in, in one role; the id is a hash, with which nobody can log in."""

    id: str
    person: str
    role: Role
    place: str
    began: Instant
    #: When it ends, even if it is used.
    expires: Instant
    #: When it ends if it is not used.
    idle_at: Instant
    #: Begun with one click in a demo venue: nobody proved to be this person.
    demo: bool = False


Ended = Callable[[Session], None]


class Sessions:
    """All sessions of a venue; the caller gives the time."""

    def __init__(self, idle_ms: int, most_ms: int) -> None:
        self._idle_ms = idle_ms
        self._most_ms = most_ms
        self._by_id: dict[str, Session] = {}
        self._by_person: dict[str, list[Session]] = {}
        #: Called with each session that has ended.
        self.ended: list[Ended] = []

    def __len__(self) -> int:
        return len(self._by_id)

    def all(self) -> list[Session]:
        """Give all sessions that have not ended."""
        return [*self._by_id.values()]

    def begin(
        self, person: str, role: Role, place: str, now: Instant, *, demo: bool = False
    ) -> tuple[str, Session] | None:
        """Begin a session and give its token; None while there are too many sessions in all.

        A person who has as many sessions as one may have loses the oldest.
        """
        own = self._by_person.get(person, [])
        if len(own) >= SESSIONS_OF_A_PERSON:
            self.end(own[0])
        if len(self._by_id) >= SESSIONS_MAX:
            return None
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        expires = now + self._most_ms
        idle_at = min(expires, now + self._idle_ms)
        session = Session(id_of(token), person, role, place, now, expires, idle_at, demo)
        self._by_id[session.id] = session
        self._by_person.setdefault(person, []).append(session)
        return token, session

    def find(self, token: str, now: Instant) -> Session | None:
        """Find the session of a token, and mark it as not idle."""
        if len(token) > _TOKEN_MAX:
            return None
        session = self._by_id.get(id_of(token))
        if session is None:
            return None
        if now >= session.idle_at:
            self.end(session)
            return None
        session.idle_at = min(session.expires, now + self._idle_ms)
        return session

    def lasts(self, session: Session) -> bool:
        """Say whether a session has not ended."""
        return session.id in self._by_id

    def end(self, session: Session) -> None:
        """End a session, and call the functions in `ended`."""
        if self._by_id.pop(session.id, None) is None:
            return
        own = self._by_person[session.person]
        own.remove(session)
        if not own:
            del self._by_person[session.person]
        for callback in self.ended:
            _notify(callback, session)

    def end_of(self, person: str) -> None:
        """End every session of a person."""
        for session in [*self._by_person.get(person, ())]:
            self.end(session)

    def sweep(self, now: Instant) -> None:
        """End the sessions that have been idle too long."""
        for session in self.all():
            if now >= session.idle_at:
                self.end(session)

    def next_end(self) -> Instant | None:
        """Say when the next session ends if none is used."""
        return min((session.idle_at for session in self._by_id.values()), default=None)


def id_of(token: str) -> str:
    """Give the id of a token's session, which does not reveal the token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _notify(callback: Ended, session: Session) -> None:
    """Call one function; a fault in it does not stop the others from being called."""
    try:
        callback(session)
    except Exception:  # noqa: BLE001 - logged, and nobody else is held up
        _log.exception("the end of a session could not be passed on")
