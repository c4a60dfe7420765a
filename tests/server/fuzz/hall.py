"""A hall to be attacked: a real venue, honest people, a victim with money, and the checks.

The victim's name, place, credits and key are words that appear nowhere else: any other client that
receives one of them has received a secret.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from jsonschema_rs import Draft202012Validator

from taisai.core.kernel.messages import Actor, Order, Role
from taisai.core.kernel.roles import STAFF_ROLES
from taisai.core.table.positions import TerminalLost, TerminalRestored
from taisai.core.table.round import OpenBets
from taisai.core.venue.staff import EngageStaff
from taisai.runtime.answers import Registered
from taisai.runtime.journal.contract import Record
from taisai.runtime.streams import VENUE, kind_of, table_stream
from taisai.server.accounts.hashing import Hashing
from taisai.server.accounts.limiting import Bucket
from taisai.server.floor_plan import TablePlan
from tests.kit.accounts import CHEAP, code_for
from tests.kit.people import DEALER
from tests.kit.servers import Live, opened
from tests.server.fuzz.sockets import RawSocket, text
from tools.protocol_pages import ROOT

TABLE, OTHER = "T1", "T2"
HONEST, VICTIM, MALLORY = "T1-honest", "T1-qvictimq", "T1-mallory"
#: A name that terminals of both tables have; only the one of the first table has money.
NAMESAKE = "twin"
VICTIM_CREDITS = 7_654_300
PIN = "493817"
SYSTEM = Actor("test", "system")


class Heard(logging.Handler):
    """Records the errors in the log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)

    def assert_nothing(self) -> None:
        """Assert that no error was logged, and show any that were."""
        assert not self.records, "\n".join(map(logging.Formatter().format, self.records))


@dataclass
class Hall:
    """The venue, its people, and its state at the last look."""

    live: Live
    heard: Heard
    keys: dict[tuple[str, str], str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    secrets: list[bytes] = field(default_factory=list)
    honest: "Honest | None" = None
    heads: dict[str, int] = field(default_factory=dict)
    sockets: list[RawSocket] = field(default_factory=list)

    @property
    def address(self) -> str:
        return self.live.address

    def hello(self, table: str, terminal: str, key: str | None = None) -> str:
        """Give the hello of a terminal, with its own key or another."""
        named = {"table": table, "terminal": terminal, "key": key or self.keys[table, terminal]}
        return json.dumps({"type": "Hello", "protocol": 1, "terminal": named})

    def hello_staff(self, role: str) -> str:
        """Give the hello of a member of the staff."""
        return json.dumps({"type": "Hello", "protocol": 1, "session": self.tokens[role]})

    async def dial(self) -> RawSocket:
        """Connect, and send nothing yet."""
        self.sockets = [each for each in self.sockets if not each.over]
        socket = await RawSocket.dial(self.address)
        self.sockets.append(socket)
        return socket

    async def open(self, *first: str) -> RawSocket:
        """Connect, become a socket, and send these messages."""
        socket = await self.dial()
        await socket.upgrade(self.address)
        for line in first:
            socket.send(text(line))
        return socket

    async def last_words(self, socket: RawSocket) -> list[bytes]:
        """Close a connection once everything sent over it is answered; give its messages."""
        assert self.honest is not None
        receiving = asyncio.create_task(socket.until_end())
        await socket.drained()
        # When this is answered, everything sent before it is answered.
        await self.honest.is_served()
        socket.stop_sending()
        heard = await receiving
        await socket.close()
        for line in socket.lines:
            is_a_message(line)
        return heard

    def new_id(self) -> str:
        """Make an id from the venue's time."""
        return self.live.floor.new_id()

    # --- checks ------------------------------------------------------------------------------

    async def look(self) -> None:
        """Record the present state, once every departure is written."""
        await self.live.application.accounts.settled()
        self.heads = self._versions()

    def _versions(self) -> dict[str, int]:
        venue = self.live.venue
        streams = [*venue.tables(), "cage", VENUE]
        return {stream: venue.writer(stream).head.version for stream in streams}

    async def happened(self) -> list[Record]:
        """Give all events written since the last look, once they are durable."""
        venue = self.live.venue
        found: list[Record] = []
        for stream, version in self._versions().items():
            while venue.committer.heads[stream].version < version:  # noqa: ASYNC110 - see until()
                await asyncio.sleep(0.001)
            async for page in venue.journal.read(stream, after=self.heads.get(stream, 0)):
                found.extend(page)
        return found

    async def check(
        self, heard: Iterable[bytes], may: Callable[[Record], bool], said: bytes = b""
    ) -> None:
        """Check that the venue is alive, has leaked nothing and has written only what is allowed.

        `may` says which records the attacker may have caused; those of honest people are left out.
        """
        assert self.honest is not None
        await self.honest.is_served()
        for data in heard:
            self.holds_no_secret(data, said)
        for record in await self.happened():
            assert _is_presence(record) or is_by(record, "terminal", HONEST) or may(record), record
        self.heard.assert_nothing()
        assert self.live.venue.suspended() == {}
        await self.look()

    def holds_no_secret(self, data: bytes, said: bytes = b"") -> None:
        """Check that messages to others contain nothing of the victim's, except what they sent."""
        for secret in self.secrets:
            assert secret in said or secret not in data, (secret, data)


_SCHEMA = json.loads((ROOT / "docs/protocol/messages.schema.json").read_text("utf-8"))
_SERVER = Draft202012Validator({**_SCHEMA, "anyOf": [{"$ref": "#/$defs/ServerMessage"}]})


def is_a_message(line: bytes) -> dict[str, Any]:
    """Check the server's messages against the published protocol."""
    message: dict[str, Any] = json.loads(line)
    _SERVER.validate(message)
    return message


def is_by(record: Record, role: str, name: str) -> bool:
    """Say whether a person's own command caused a record; what follows from it has no cause."""
    if record.cause is None:
        return False
    return bool(msgspec.json.decode(record.cause)[:2] == [role, name])


def _is_presence(record: Record) -> bool:
    """Say whether a record notes that an admitted terminal is lost or back."""
    event = kind_of(record.stream).read(record)
    return isinstance(event, TerminalLost | TerminalRestored) and event.terminal != VICTIM


def nothing(_: Record) -> bool:
    """Allow no record at all."""
    return False


class Honest:
    """An honest terminal: it is served whatever the others do."""

    def __init__(self, hall: Hall, socket: RawSocket) -> None:
        self._hall = hall
        self._socket = socket
        self._lines: list[bytes] = []

    @classmethod
    async def sit(cls, hall: Hall) -> "Honest":
        """Connect as the honest terminal."""
        socket = await hall.open(hall.hello(TABLE, HONEST))
        honest = cls(hall, socket)
        await honest._until("TerminalSnapshot")
        # It acts as often and as fast as the attacks together: that limit is not tested here.
        (connection,) = hall.live.application.hub.everybody
        connection.bucket = Bucket(1e9, 1e9)
        return honest

    async def is_served(self) -> None:
        """Bet and take the bet back; both must be registered."""
        bets = [["small", 1_000]]
        for type_ in ("PlaceBets", "WithdrawBets"):
            command = {"type": type_, "terminal": HONEST, "bets": bets}
            answer = await self.ask(TABLE, command)
            # The news of its own bet is the answer to it.
            assert answer["type"] in ("Registered", "Private"), answer

    async def ask(self, to: str, command: dict[str, Any]) -> dict[str, Any]:
        """Send a command and give the answer."""
        id_ = self._hall.new_id()
        self._socket.send(
            text(json.dumps({"type": "Ask", "to": to, "id": id_, "command": command}))
        )
        while True:
            told = await self._next()
            if told.get("id") == id_:
                return told

    async def _until(self, type_: str) -> dict[str, Any]:
        while True:
            told = await self._next()
            if told["type"] == type_:
                return told

    async def _next(self) -> dict[str, Any]:
        while not self._lines:
            frame = await self._socket.receive()
            assert frame is not None, "the honest terminal was cut off"
            if frame[0] == 0x9:
                continue
            self._lines = frame[1].splitlines()
        return is_a_message(self._lines.pop(0))


@asynccontextmanager
async def hall(data: Path, **settings: Any) -> AsyncIterator[Hall]:
    """Open a venue with two tables, bets open at the first, and everybody connected."""
    heard = Heard()
    logging.getLogger().addHandler(heard)
    try:
        async with opened(data, **settings) as live:
            place = Hall(live, heard)
            await _staff(place)
            await _tables(place)
            place.honest = await Honest.sit(place)
            await place.look()
            try:
                yield place
            finally:
                for socket in place.sockets:
                    socket.cut()
            heard.assert_nothing()
    finally:
        logging.getLogger().removeHandler(heard)


async def _staff(place: Hall) -> None:
    """Engage one person for each role, logged in; the shift manager has a PIN."""
    accounts, live = place.live.application.accounts, place.live
    accounts.hashing = Hashing(CHEAP)
    for role in STAFF_ROLES:
        order = Order(live.floor.new_id(), SYSTEM, EngageStaff(role, (role,), "ann", "bob"))
        answer = await live.venue.submit(VENUE, order)
        assert isinstance(answer, Registered), answer
    refusal = await accounts.set_credentials(
        "shift-manager", await code_for(accounts, "shift-manager"), "a long password", PIN
    )
    assert refusal is None, refusal
    for role in STAFF_ROLES:
        place.tokens[role] = begin(place, role)
    place.secrets += [token.encode() for token in place.tokens.values()]


def begin(place: Hall, role: Role) -> str:
    """Begin a session of the person with a role; other tests check the password."""
    accounts = place.live.application.accounts
    begun = accounts.sessions.begin(role, role, "test", place.live.venue.clock.now())
    assert begun is not None
    return begun[0]


async def _tables(place: Hall) -> None:
    floor, accounts = place.live.floor, place.live.application.accounts
    for table, seats in (
        (TABLE, {HONEST: 500_000, MALLORY: 0, VICTIM: VICTIM_CREDITS, NAMESAKE: 90_000}),
        (OTHER, {NAMESAKE: 0}),
    ):
        await floor.add_table(table, terminals=0)
        plan = TablePlan(name=table, pay_table="ts6/2", minimum=100, maximum=1_000_000)
        place.live.application.dealers.add(table, plan)
        for terminal, credit in seats.items():
            await floor.seat(table, terminal, credit)
            place.keys[table, terminal] = accounts.issue_key(table, terminal)
    await floor.do(table_stream(TABLE), DEALER, OpenBets())
    place.secrets += [
        VICTIM.encode(),
        str(VICTIM_CREDITS).encode(),
        *(key.encode() for key in place.keys.values()),
    ]
