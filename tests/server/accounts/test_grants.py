"""Grants: which ones an owner believes of a person at a gateway, and which not [D45]."""

from pathlib import Path

import pytest
from msgspec import structs

from taisai.core.kernel.messages import Actor
from taisai.core.venue.staff import DismissStaff, EngageStaff, ReinstateStaff, SuspendStaff
from taisai.core.venue.terminal_keys import IssueTerminalKey
from taisai.runtime.streams import VENUE
from taisai.server.accounts.grants import GRANTED_MS, Grant, Grants, Ungranted
from taisai.server.accounts.sessions import Session
from tests.kit.accounts import Hands
from tests.kit.floor import Floor, keys, run
from tests.kit.people import PIT, TECHNICIAN, actor

HOST, SHIFT = Actor("host", "system"), actor("shift-manager")
TABLE, TERMINAL = "T1", "7"
GATEWAY, NUMBER = "a start of the gateway", 3


class Owner:
    """An owner's grants, beside those of the office, at a time that the test sets."""

    def __init__(self, directory: Path) -> None:
        self._file = directory / "journal.sqlite"
        self.hands = Hands()

    async def open(self) -> Floor:
        """Open a venue with a terminal that has a key, and with a dealer."""
        floor = await Floor.open(self._file, keys(), self.hands.clock())
        await floor.found()
        await floor.do(VENUE, TECHNICIAN, IssueTerminalKey(TABLE, TERMINAL))
        await floor.do(VENUE, HOST, EngageStaff("Ann", ("dealer",), "Max", "Tom"))
        self.grants = Grants(floor.venue)
        now = floor.venue.clock.now()
        self.session = Session("a hash", "Ann", "dealer", "", now, now + 60_000, now + 60_000)
        at = (GATEWAY, NUMBER)
        self.terminal = self.grants.write(at, TERMINAL, "terminal", TABLE, None)
        self.dealer = self.grants.write(at, "Ann", "dealer", None, self.session)
        return floor

    def read(self, grant: bytes, gateway: str = GATEWAY, number: int = NUMBER) -> Grant | Ungranted:
        """Read a grant, as the owner does for a connection."""
        return self.grants.read(grant, gateway, number)


def test_a_grant_of_the_office_says_who_somebody_is(tmp_path: Path) -> None:
    async def story() -> None:
        owner = Owner(tmp_path)
        floor = await owner.open()
        terminal, dealer = owner.read(owner.terminal), owner.read(owner.dealer)
        assert isinstance(terminal, Grant)
        assert isinstance(dealer, Grant)
        assert (terminal.person, terminal.role, terminal.table) == (TERMINAL, "terminal", TABLE)
        assert (dealer.person, dealer.role, dealer.table) == ("Ann", "dealer", None)
        found = owner.grants.session(owner.session.id)
        assert found is not None
        assert (found.person, found.expires) == ("Ann", owner.session.expires)
        await floor.venue.stop()

    run(story())


def test_a_grant_that_the_office_did_not_write_is_refused(tmp_path: Path) -> None:
    async def story() -> None:
        owner = Owner(tmp_path)
        floor = await owner.open()
        (tmp_path / "other").mkdir()
        other = Owner(tmp_path / "other")
        elsewhere = await other.open()
        forged = [
            bytes(each ^ (at == changed) for at, each in enumerate(owner.terminal))
            for changed in range(len(owner.terminal))
        ]
        # With any byte changed, cut short, one byte longer, or by the keys of another venue.
        cut_short = [owner.terminal[:length] for length in range(len(owner.terminal))]
        for grant in (*forged, *cut_short, owner.terminal + b"\0", other.terminal):
            assert owner.read(grant) is Ungranted.FORGED
        await floor.venue.stop()
        await elsewhere.venue.stop()

    run(story())


def test_a_grant_is_for_one_connection_of_one_start_of_one_gateway(tmp_path: Path) -> None:
    async def story() -> None:
        owner = Owner(tmp_path)
        floor = await owner.open()
        for grant in (owner.terminal, owner.dealer):
            assert owner.read(grant, "another start") is Ungranted.OF_ANOTHER
            assert owner.read(grant, GATEWAY, NUMBER + 1) is Ungranted.OF_ANOTHER
        # A grant that was refused opens no session.
        assert owner.grants.session(owner.session.id) is None
        await floor.venue.stop()

    run(story())


def test_sessions_whose_grants_have_ended_are_not_remembered(tmp_path: Path) -> None:
    async def story() -> None:
        owner = Owner(tmp_path)
        floor = await owner.open()
        assert isinstance(owner.read(owner.dealer), Grant)
        owner.hands.pass_(60.0)
        later = structs.replace(owner.session, id="another hash", expires=owner.session.expires + 1)
        grant = owner.grants.write((GATEWAY, NUMBER), "Ann", "dealer", None, later)
        assert isinstance(owner.read(grant), Grant)
        assert [*owner.grants._sessions] == ["another hash"]
        await floor.venue.stop()

    run(story())


def test_a_grant_that_ends_as_it_is_read_is_not_remembered_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is valid when it is checked, and over a moment later, which is no fault of the reader."""

    async def story() -> None:
        owner = Owner(tmp_path)
        floor = await owner.open()
        clock, end = floor.venue.clock, owner.session.expires
        times = iter((end - 1, end))
        with monkeypatch.context() as patched:
            patched.setattr(clock, "now", lambda: next(times, end))
            assert isinstance(owner.read(owner.dealer), Grant)
            assert owner.grants.session(owner.session.id) is None
        await floor.venue.stop()

    run(story())


def test_a_grant_ends(tmp_path: Path) -> None:
    async def story() -> None:
        owner = Owner(tmp_path)
        floor = await owner.open()
        assert isinstance(owner.read(owner.dealer), Grant)
        owner.hands.pass_(59.999)
        assert isinstance(owner.read(owner.dealer), Grant)
        owner.hands.pass_(0.001)
        assert owner.read(owner.dealer) is Ungranted.OVER
        assert owner.grants.session(owner.session.id) is None
        owner.hands.pass_(GRANTED_MS / 1_000 - 60 - 0.001)
        assert isinstance(owner.read(owner.terminal), Grant)
        owner.hands.pass_(0.001)
        assert owner.read(owner.terminal) is Ungranted.OVER
        await floor.venue.stop()

    run(story())


def test_what_was_taken_back_since_is_good_for_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        owner = Owner(tmp_path)
        floor = await owner.open()
        revoked: list[tuple[str, str]] = []
        owner.grants.on_revoked = lambda *of: revoked.append(of)
        await floor.both(VENUE, TECHNICIAN, IssueTerminalKey(TABLE, TERMINAL), PIT)
        assert owner.read(owner.terminal) is Ungranted.KEY_REPLACED
        assert revoked == [(TABLE, TERMINAL)]
        assert isinstance(owner.read(owner.dealer), Grant)
        await floor.do(VENUE, SHIFT, SuspendStaff("Ann"))
        assert owner.read(owner.dealer) is Ungranted.ROLE_TAKEN
        await floor.both(VENUE, SHIFT, ReinstateStaff("Ann"), PIT)
        assert isinstance(owner.read(owner.dealer), Grant)
        await floor.both(VENUE, SHIFT, DismissStaff("Ann"), PIT)
        assert owner.read(owner.dealer) is Ungranted.ROLE_TAKEN
        owner.grants.end_session(owner.session.id)
        assert owner.read(owner.dealer) is Ungranted.SESSION_OVER
        assert owner.grants.session(owner.session.id) is None
        await floor.venue.stop()

    run(story())


def test_a_key_that_an_owner_hears_of_late_takes_no_newer_grant_back(tmp_path: Path) -> None:
    async def story() -> None:
        owner = Owner(tmp_path)
        floor = await owner.open()
        revoked: list[tuple[str, str]] = []
        owner.grants.on_revoked = lambda *terminal: revoked.append(terminal)
        issued = await floor.both(VENUE, TECHNICIAN, IssueTerminalKey(TABLE, TERMINAL), PIT)
        assert revoked == [(TABLE, TERMINAL)]
        grant = owner.grants.write((GATEWAY, NUMBER), TERMINAL, "terminal", TABLE, None)
        assert isinstance(owner.read(grant), Grant)
        # The office knew the key when it wrote the grant; this owner learns of it only now.
        owner.grants.published(VENUE, issued)
        assert revoked == [(TABLE, TERMINAL)]
        await floor.both(VENUE, TECHNICIAN, IssueTerminalKey(TABLE, TERMINAL), PIT)
        assert revoked == [(TABLE, TERMINAL)] * 2
        await floor.venue.stop()

    run(story())
