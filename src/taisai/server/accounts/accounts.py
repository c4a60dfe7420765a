"""Accounts: who may log in, who is logged in, and which machine has which key.

The venue's journal has the staff and their roles; the accounts check that a person is who they say.
No password, PIN, code or key is ever written to the journal or the log.
"""

import asyncio
import hmac
import logging
import secrets
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec import structs

from taisai.core.kernel.messages import Actor, Instant, Order, Role
from taisai.core.kernel.name_profile import NAME_MAX
from taisai.core.kernel.names import compared
from taisai.core.kernel.roles import STAFF_ROLES
from taisai.core.rules.reason import Refusal, refuse
from taisai.core.venue.staff import (
    CodeMade,
    RecordCredentials,
    RecordLockOut,
    RecordLogIn,
    RecordLogOut,
    RolesChanged,
    StaffDismissed,
    StaffSuspended,
)
from taisai.core.venue.state import find_person, roles_now
from taisai.runtime.answers import Answer, Registered
from taisai.runtime.publisher import Follower
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE
from taisai.server.accounts.credentials import (
    Credentials,
    CredentialsError,
    Verifiers,
    credentials_key,
    either_way,
    hash_of,
    make_code,
    password_refusal,
    pin_refusal,
)
from taisai.server.accounts.enrolments import Enrolments
from taisai.server.accounts.hashing import COST, Cost, Hashing, HashingBusyError
from taisai.server.accounts.limiting import BY_PIN, Buckets, LogInLimiter, Tries
from taisai.server.accounts.sessions import Session, Sessions
from taisai.server.settings import Settings

#: Log-outs and lock-outs that may wait to be recorded.
RECORDING_MAX = 1_000
#: The PIN of everybody who logged in to a demo venue with one click.
DEMO_PIN = "135246"
_KEY_BYTES = 32
_NO_HASH = bytes(32)
#: The actor of the commands that record log-ins.
_DOOR = Actor("door", "system")

_log = logging.getLogger(__name__)


class Accounts(Follower):
    """The accounts of a running venue; made by `open` inside its loop, ended by `close`.

    [ts6 1.2, 1.5; etg8 1.2, 1.5]
    """

    follows_bets = False

    def __init__(
        self, credentials: Credentials, runtime: Runtime, settings: Settings, hashing: Hashing
    ) -> None:
        self.hashing = hashing
        self.sessions = Sessions(
            settings.session_idle_seconds * 1_000, settings.session_seconds * 1_000
        )
        #: How much each caller over HTTP may ask, steadily and at once.
        self.callers = Buckets(settings.commands_per_second, settings.commands_burst)
        self._credentials = credentials
        self._runtime = runtime
        self._settings = settings
        self._keys = credentials.keys()
        self._log_ins = LogInLimiter()
        self._pins = Tries(BY_PIN)
        #: Machines that wait for the key of a terminal.
        self.enrolments = Enrolments()
        #: Halves of codes that wait to be shown, by the person of the code and who may see it.
        self._halves: dict[tuple[str, str], str] = {}
        self._recording: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        runtime.publisher.followers.append(self)
        self.sessions.ended.append(lambda each: self._record(RecordLogOut(each.person)))

    @classmethod
    def open(
        cls, file: Path, runtime: Runtime, settings: Settings, *, cost: Cost = COST
    ) -> "Accounts":
        """Open the accounts of a venue; `file` is made if there is none."""
        key, renews = credentials_key(runtime.sealing), runtime.has_new_sealing_key
        credentials = Credentials.open(file, key, renews=renews)
        accounts = cls(credentials, runtime, settings, Hashing(cost))
        accounts._forget_strangers()
        return accounts

    @classmethod
    def share(cls, credentials: Credentials, runtime: Runtime, settings: Settings) -> "Accounts":
        """Open the accounts of a node, which shares its credentials with other nodes."""
        return cls(credentials, runtime, settings, Hashing(COST))

    async def read_again(self) -> None:
        """Read the credentials again, which another node has changed."""
        await self._credentials.read_again()
        self._keys = self._credentials.keys()

    def close(self) -> None:
        """End everything; nobody is logged in afterwards."""
        self._runtime.publisher.leave(self)
        if self._timer is not None:
            self._timer.cancel()
        for task in self._recording:
            task.cancel()
        self.hashing.close()
        self._credentials.close()

    async def settled(self) -> None:
        """Wait until every log-out and lock-out so far is recorded."""
        while self._recording:
            await asyncio.gather(*self._recording)

    # --- logging in and out ------------------------------------------------------------------

    async def log_in(
        self, person: str, password: str, role: str, place: str
    ) -> tuple[str, Session] | Refusal:
        """Log a person in; an unknown name is refused like a wrong password."""
        now, place = self._now(), place[:NAME_MAX]
        name = find_person(self._runtime.state, person)
        tried = compared(person)[:NAME_MAX]
        wait = self._log_ins.wait_ms(tried, place, now)
        if wait:
            return refuse("TOO_MANY_TRIES", seconds=_seconds(wait))
        self._log_ins.begin(tried, place, now)
        verifiers = None if name is None else self._verifiers(name)
        verifier = None if verifiers is None else verifiers.password
        try:
            right = await self.hashing.verify(verifier, password, stranger=True)
        except HashingBusyError:
            self._log_ins.was_not_tried(tried, place)
            return refuse("BUSY", stream="log-in")
        if not right or name is None:
            if name is not None and self._log_ins.locked(tried, place):
                self._record(RecordLockOut(name, place))
            return refuse("LOG_IN_REFUSED")
        self._log_ins.was_right(tried, place)
        await self._improve(name, "password", password)
        return await self._begin(name, role, place)

    async def _begin(self, person: str, role: str, place: str) -> tuple[str, Session] | Refusal:
        """Begin the session of a person with the right password, once the log-in is recorded."""
        known = next((each for each in STAFF_ROLES if each == role), None)
        state = self._runtime.state
        if person in state.suspended:
            return refuse("PERSON_SUSPENDED", person=person)
        if known is None or known not in roles_now(state, person):
            return refuse("ROLE_NOT_HELD", person=person, role=role[:NAME_MAX])
        answer = await self._submit(RecordLogIn(person, known, place))
        if isinstance(answer, Refusal):
            return answer
        if known not in roles_now(state, person):
            # Dismissed or suspended since the log-in was recorded.
            return refuse("LOG_IN_REFUSED")
        begun = self.sessions.begin(person, known, place, self._now())
        if begun is None:
            return refuse("BUSY", stream="log-in")
        self._watch_the_clock()
        return begun

    async def _improve(self, person: str, which: Literal["password", "pin"], secret: str) -> None:
        """Make a verifier again if it was made at another cost than the present one."""
        before = self._verifiers(person)
        if before is None or not self.hashing.outdated(getattr(before, which)):
            return
        try:
            made = await self.hashing.make(secret)
        except HashingBusyError:
            # It is done at a later log-in.
            return
        if self._verifiers(person) == before:
            self._credentials.improve(person, structs.replace(before, **{which: made}))

    def demo_session(self, person: str, role: Role) -> tuple[str, Session]:
        """Begin a session with one click, in a demo venue only."""
        if not (self._settings.demo and self._runtime.state.demo):
            raise PermissionError("only a demo venue has accounts in one click")
        begun = self.sessions.begin(person, role, "demo", self._now(), demo=True)
        if begun is None:
            raise OverflowError("there are too many sessions in this demo venue")
        self._watch_the_clock()
        return begun

    def session(self, token: str) -> Session | None:
        """Find a session, and mark it as not idle; None if its person has lost the role."""
        session = self.sessions.find(token, self._now())
        if session is not None and not self._holds(session):
            self.sessions.end(session)
            return None
        return session

    def _holds(self, session: Session) -> bool:
        return session.demo or session.role in roles_now(self._runtime.state, session.person)

    def log_out(self, token: str) -> None:
        """End the session of a token, if it is one."""
        session = self.sessions.find(token, self._now())
        if session is not None:
            self.sessions.end(session)

    # --- PINs, passwords, codes --------------------------------------------------------------

    async def check_pin(self, session: Session, pin: str) -> Refusal | None:
        """Check the PIN of the person who is logged in; after wrong tries it is locked."""
        now = self._now()
        wait = self._pins.wait_ms(session.person, now)
        if wait:
            return refuse("PIN_LOCKED", seconds=_seconds(wait))
        self._pins.begin(session.person, now)
        try:
            right = await self._pin_is(session, pin)
        except HashingBusyError:
            self._pins.take_back(session.person)
            return refuse("BUSY", stream="log-in")
        if not self.sessions.lasts(session) or not self._holds(session):
            # Logged out, dismissed or suspended while the PIN was checked.
            return refuse("NOT_LOGGED_IN")
        if right:
            self._pins.forget(session.person)
            return None
        if self._pins.locked(session.person):
            self._record(RecordLockOut(session.person, session.place))
        return refuse("WRONG_PIN")

    async def _pin_is(self, session: Session, pin: str) -> bool:
        if session.demo:
            return hmac.compare_digest(pin.encode("utf-8", "surrogatepass"), DEMO_PIN.encode())
        verifiers = self._verifiers(session.person)
        verifier = None if verifiers is None else verifiers.pin
        right = await self.hashing.verify(verifier, pin, stranger=False)
        if right:
            await self._improve(session.person, "pin", pin)
        return right

    def has_credentials(self, person: str) -> bool:
        """Say whether a person has set a password and a PIN."""
        return self._verifiers(person) is not None

    def _verifiers(self, person: str) -> Verifiers | None:
        """Find a person's verifiers, if they are those that the journal says were set last."""
        kept = self._credentials.verifiers(person)
        newest = self._runtime.state.credentials.get(person)
        return kept if kept is not None and kept.version == newest else None

    def ready(self) -> set[str]:
        """Name everybody who has set a password and a PIN."""
        return {each for each in self._credentials.persons() if self.has_credentials(each)}

    def has_half(self, person: str, asker: str) -> bool:
        """Say whether a half of a person's code waits to be shown to `asker`."""
        return (person, asker) in self._halves

    def half(self, person: str, asker: str) -> str | None:
        """Show `asker`, one of the two persons a code was made by, their half of it, once [D14]."""
        return self._halves.pop((person, asker), None)

    def whole_code(self, person: str) -> str:
        """Join both halves of a code that was not shown: its two persons have proved enough."""
        name = find_person(self._runtime.state, person)
        ours = [each for each in self._halves if each[0] == name]
        return "".join(self._halves.pop(each) for each in ours)

    def _make_code(self, event: CodeMade, version: int) -> None:
        """Make a code in two halves; each waits for the person it is to be shown to."""
        (first, second), kept = make_code(self._now(), version)
        try:
            self._credentials.set_code(event.person, kept)
        except CredentialsError:
            _log.exception("a code could not be kept; another has to be made")
            return
        for waiting in [each for each in self._halves if each[0] == event.person]:
            del self._halves[waiting]
        self._halves[event.person, event.by] = first
        self._halves[event.person, event.second] = second

    async def set_credentials(
        self, person: str, code: str, password: str, pin: str
    ) -> Refusal | None:
        """Set a person's password and PIN with a code, which is then used up."""
        name = find_person(self._runtime.state, person)
        if name is None or not self._is_code(name, code):
            return refuse("BAD_CODE")
        refusal = password_refusal(name, password) or pin_refusal(pin)
        if refusal is not None:
            return refusal
        try:
            verifiers = Verifiers(await self.hashing.make(password), await self.hashing.make(pin))
        except HashingBusyError:
            return refuse("BUSY", stream="log-in")
        # Meanwhile the same code may have been used, or the person dismissed.
        if name not in self._runtime.state.staff or not self._is_code(name, code):
            return refuse("BAD_CODE")
        answer = await self._submit(RecordCredentials(name))
        if isinstance(answer, Refusal):
            return answer
        self._credentials.set_verifiers(name, structs.replace(verifiers, version=answer.last))
        self.sessions.end_of(name)
        return None

    def _is_code(self, person: str, code: str) -> bool:
        kept = self._credentials.code(person)
        known = _NO_HASH if kept is None else kept.hash
        ways = [hmac.compare_digest(hash_of(each), known) for each in either_way(code[:NAME_MAX])]
        same = any(ways)
        made = self._runtime.state.codes.get(person)
        return same and kept is not None and kept.version == made and self._now() < kept.expires

    # --- terminals ---------------------------------------------------------------------------

    def issue_key(self, table: str, terminal: str, version: int = 0) -> str:
        """Make a terminal's key, to be shown once; an earlier key is no longer valid.

        `version` is that of the venue's event that records it.
        """
        return self.issue_keys([(table, terminal, version)])[0]

    def issue_keys(self, terminals: Sequence[tuple[str, str, int]]) -> list[str]:
        """Make the keys of many terminals, each with its version, in one write to the disk."""
        issued = [secrets.token_urlsafe(_KEY_BYTES) for _ in terminals]
        kept = [
            (table, terminal, hash_of(key), version)
            for (table, terminal, version), key in zip(terminals, issued, strict=True)
        ]
        self._credentials.set_keys(kept)
        for table, terminal, hash_, version in kept:
            self._keys[table, terminal] = hash_, version
        return issued

    def key_version(self, table: str, terminal: str) -> int:
        """Give the venue's version at which a terminal's key was issued; 0 without a key."""
        return self._keys.get((table, terminal), (b"", 0))[1]

    def knows(self, table: str, terminal: str, key: str) -> bool:
        """Say whether that is the terminal's key, in the same time for a right or wrong one."""
        kept = self._keys.get((table, terminal))
        same = hmac.compare_digest(hash_of(key), _NO_HASH if kept is None else kept[0])
        newest = self._runtime.state.keyed.get(f"{table}/{terminal}", 0)
        # An older key, restored with its file, is not valid: the journal has the newest version.
        return same and kept is not None and kept[1] == newest

    # --- what the venue says -----------------------------------------------------------------

    def published(self, stream: str, registered: Registered) -> None:
        """End the sessions of people who left or lost the role, as soon as that is durable."""
        # Only the owner of the venue's stream makes codes and forgets people who left.
        events = registered.events if stream == VENUE and self._runtime.owns(VENUE) else ()
        if stream == VENUE and not events:
            self._end_without_role()
        for version, event in enumerate(events, registered.first):
            match event:
                case CodeMade():
                    self._make_code(event, version)
                case StaffDismissed(person=person):
                    self.sessions.end_of(person)
                    self._forget(person)
                case RolesChanged() | StaffSuspended():
                    self._end_without_role()
                case _:
                    pass

    def _end_without_role(self) -> None:
        for session in self.sessions.all():
            if not self._holds(session):
                self.sessions.end(session)

    def _forget_strangers(self) -> None:
        """Forget the credentials of people who are not on the staff, and end their sessions."""
        staff = self._runtime.state.staff
        for person in {*self._credentials.persons(), *self._credentials.coded()} - staff.keys():
            self._forget(person)
        self._end_without_role()

    def _forget(self, person: str) -> None:
        try:
            self._credentials.forget(person)
        except CredentialsError:
            # A person who is not on the staff cannot log in; the next start tries again.
            _log.exception("what is kept of somebody who left could not be forgotten")

    # --- the clock, and what is written down -------------------------------------------------

    def _now(self) -> Instant:
        return self._runtime.clock.now()

    def _watch_the_clock(self) -> None:
        """Schedule the end of the next session, so that it ends even if nobody asks for it."""
        ends = self.sessions.next_end()
        if self._timer is not None or ends is None:
            return
        later = max(1, ends - self._now()) / 1_000
        self._timer = asyncio.get_running_loop().call_later(later, self._sweep)

    def _sweep(self) -> None:
        self._timer = None
        self.sessions.sweep(self._now())
        self._watch_the_clock()

    def _record(self, command: RecordLogOut | RecordLockOut) -> None:
        """Record a log-out or a lock-out, without making the caller wait."""
        if len(self._recording) >= RECORDING_MAX:
            _log.error("%s is not written down: too many wait", type(command).__name__)
            return
        task = asyncio.get_running_loop().create_task(self._write_down(command))
        self._recording.add(task)
        task.add_done_callback(self._recording.discard)

    async def _write_down(self, command: RecordLogOut | RecordLockOut) -> None:
        answer = await self._submit(command)
        if isinstance(answer, Refusal):
            _log.warning("%s is not written down: %s", type(command).__name__, answer.code)

    def _submit(
        self, command: RecordLogIn | RecordLogOut | RecordLockOut | RecordCredentials
    ) -> Coroutine[Any, Any, Answer]:
        id_ = f"{self._now()}-{secrets.token_hex(8)}"
        return self._runtime.submit(VENUE, Order(id_, _DOOR, command))


def _seconds(ms: int) -> int:
    """Round a wait up to whole seconds."""
    return -(-ms // 1_000)
