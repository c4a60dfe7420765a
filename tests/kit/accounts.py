"""A venue with staff for tests: people who can log in, a clock set by the test, cheap hashing."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

from taisai.core.kernel.messages import Actor, Instant, Order
from taisai.core.rules.reason import Refusal
from taisai.core.venue.staff import DismissStaff, EngageStaff, GiveCode, SuspendStaff
from taisai.runtime.answers import Registered
from taisai.runtime.clock import Clock
from taisai.runtime.installation import open_venue
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE, kind_of
from taisai.server.accounts.accounts import Accounts
from taisai.server.accounts.hashing import Cost
from taisai.server.accounts.sessions import Session
from taisai.server.settings import Settings
from tests.kit.floor import Floor, keys

CHEAP = Cost(memory_kib=8, passes=1)
PLACE = "192.0.2.7"
STAFF = {
    "Dan": ("dealer",),
    "Sue Lim": ("supervisor", "dealer"),
    "Mei": ("shift-manager",),
    "Max": ("shift-manager", "pit-manager"),
    "Tom": ("technician",),
    "Tia": ("technician",),
    "Cat": ("cage",),
    "Ann": ("auditor",),
}
DOOR = Actor("test", "system")


class Hands:
    """A clock that goes on only when a test moves it."""

    def __init__(self) -> None:
        self.ns = 1_790_000_000_000 * 1_000_000

    def clock(self) -> Clock:
        """Make a clock that shows this time."""
        return Clock(lambda: self.ns, lambda: self.ns)

    def pass_(self, seconds: float) -> None:
        """Move the clock forward."""
        self.ns += int(seconds * 1_000_000_000)


async def code_for(accounts: Accounts, person: str) -> str:
    """Make a code for a person by two others, and join its halves."""
    runtime, two = accounts._runtime, ("Mei", "Max")
    order = Order(f"{runtime.clock.now()}-code-{next(_codes)}", DOOR, GiveCode(person, *two))
    answer = await runtime.submit(VENUE, order)
    assert isinstance(answer, Registered), answer
    halves = [accounts.half(person, each) for each in two]
    assert None not in halves
    return "-".join(filter(None, halves))


_codes = count()


def password_of(person: str) -> str:
    """Give a person's password in tests."""
    return f"{person} likes long words"


def pin_of(person: str) -> str:
    """Give a person's PIN in tests."""
    return f"{sum(person.encode()):04d}19"


class Household:
    """A venue, its accounts, and short methods for what people do."""

    def __init__(self, floor: Floor, accounts: Accounts, hands: Hands) -> None:
        self.floor = floor
        self.venue: Runtime = floor.venue
        self.accounts = accounts
        self.hands = hands

    async def engage(self, person: str, roles: tuple[str, ...]) -> None:
        """Put a person on the staff."""
        command = EngageStaff(person, roles, "Mei", "Max")
        order = Order(self.floor.new_id(), DOOR, command)
        answer = await self.venue.submit(VENUE, order)
        assert isinstance(answer, Registered), answer

    async def dismiss(self, person: str) -> None:
        """Take a person off the staff, by the command of two others."""
        mei, max_ = Actor("Mei", "shift-manager"), Actor("Max", "pit-manager")
        await self.floor.both(VENUE, mei, DismissStaff(person), max_)

    async def suspend(self, person: str) -> None:
        """Suspend a person."""
        await self.floor.do(VENUE, Actor("Mei", "shift-manager"), SuspendStaff(person))

    async def equip(self, person: str) -> None:
        """Set a person's password and PIN with a code."""
        code = await code_for(self.accounts, person)
        refusal = await self.accounts.set_credentials(
            person, code, password_of(person), pin_of(person)
        )
        assert refusal is None, refusal

    async def log_in(self, person: str, role: str | None = None) -> tuple[str, Session]:
        """Log a person in, in their first role unless another is named."""
        role = role or STAFF[person][0]
        begun = await self.accounts.log_in(person, password_of(person), role, PLACE)
        assert not isinstance(begun, Refusal), begun
        return begun

    async def events(self) -> list[object]:
        """Read all events of the venue's own stream."""
        await self.accounts.settled()
        found: list[object] = []
        async for page in self.venue.journal.read(VENUE):
            found.extend(kind_of(VENUE).read(record) for record in page)
        return found

    def now(self) -> Instant:
        """Give the venue's time."""
        return self.venue.clock.now()


@asynccontextmanager
async def household(
    directory: Path,
    *,
    equipped: tuple[str, ...] = (),
    demo: bool = False,
    settings: Settings | None = None,
    cost: Cost = CHEAP,
) -> AsyncIterator[Household]:
    """Open a venue with its staff; the people named have set a password and a PIN."""
    hands = Hands()
    floor = await Floor.open(directory / "journal.db", keys(), hands.clock())
    accounts = None
    try:
        answer = await open_venue(floor.venue, "the venue", "SGD", demo=demo)
        assert isinstance(answer, Registered), answer
        accounts = Accounts.open(
            directory / "credentials.db",
            floor.venue,
            settings or Settings(directory, demo=demo),
            cost=cost,
        )
        home = Household(floor, accounts, hands)
        for person, roles in STAFF.items():
            await home.engage(person, roles)
        for person in equipped:
            await home.equip(person)
        yield home
        await accounts.settled()
    finally:
        if accounts is not None:
            accounts.close()
        await floor.venue.stop()
