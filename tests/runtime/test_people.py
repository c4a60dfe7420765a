"""The people of a venue, in a real journal: two persons, a restart, and journals from before."""

from pathlib import Path

from taisai.core.kernel.approvals import ApprovalRequested, Approve, CommandApproved
from taisai.core.kernel.messages import Actor, Order
from taisai.core.venue.setup import OpenVenue
from taisai.core.venue.staff import AppointStaff, EngageStaff, LoggedIn, RecordLogIn, StaffAppointed
from taisai.core.venue.terminal_keys import IssueTerminalKey
from taisai.runtime.answers import Registered, cause_of
from taisai.runtime.installation import open_venue
from taisai.runtime.journal.checkpoints import make_checkpoint, sign_snapshot
from taisai.runtime.journal.contract import SHAPE, Append, Head, Record, genesis, link
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE
from taisai.runtime.verification.verifier import Asked
from tests.kit.floor import Floor, keys, run
from tests.kit.people import PIT, TECHNICIAN
from tests.verification.damage import verify_file

HOST = Actor("host", "system")
SHIFT = Actor("Max Ong", "shift-manager")

#: A journal from before venues had people: its events, and its snapshot after them.
EARLIER = (
    b'{"type":"VenueOpened","name":"the venue","currency":"SGD"}',
    b'{"type":"TableAdmitted","stream":"cage"}',
    b'{"type":"TableAdmitted","stream":"table/T1"}',
)
EARLIER_SNAPSHOT = (
    b'\x00\x01\x0d\xd1\x9f\x59Zu7^Y\x18\xce\xf8[3,"the venue","SGD",["cage","table/T1"]]'
)


async def write_earlier(file: Path, venue_keys: VenueKeys) -> None:
    """Write those events into a journal."""
    journal, head, records = await SqliteJournal.open(file), genesis(VENUE), []
    cause = cause_of(Order("found", HOST, OpenVenue("the venue", "SGD")))
    for data in EARLIER:
        version = head.version + 1
        head = Head(version, link(head.hash, version, SHAPE, 7, cause, data))
        records.append(Record(VENUE, version, SHAPE, 7, cause, data, head.hash))
    taken = sign_snapshot(VENUE, 3, head.hash, EARLIER_SNAPSHOT, venue_keys.signer)
    await journal.write([Append(VENUE, genesis(VENUE), records, (), taken)])
    await journal.write((), make_checkpoint(8, {VENUE: head}, None, venue_keys.signer))
    await journal.close()


def test_a_snapshot_with_other_fields_is_refused_and_the_journal_replayed(tmp_path: Path) -> None:
    file, venue_keys = tmp_path / "journal.sqlite", keys()

    async def go_on() -> None:
        await write_earlier(file, venue_keys)
        floor = await Floor.open(file, venue_keys)
        venue = floor.venue
        (refused,) = [each for each in venue.announcements if each.code == "snapshot-refused"]
        assert "a program made it that keeps other fields" in refused.text
        assert venue.writer(VENUE).snapshot_at == 0
        assert (venue.state.demo, venue.state.staff, venue.state.pending) == (False, {}, None)
        await floor.do(VENUE, HOST, EngageStaff("Ann", ("dealer",), "Max Ong", "Tom"))
        await venue.stop()

    run(go_on())
    report = verify_file(file, Asked(venue_keys.public))
    assert report.verified, report.faults


def test_people_and_keys_are_there_after_a_restart(tmp_path: Path) -> None:
    file, venue_keys = tmp_path / "journal.sqlite", keys()

    async def first() -> None:
        floor = await Floor.open(file, venue_keys)
        assert isinstance(await open_venue(floor.venue, "Show", "SGD", demo=True), Registered)
        engage = EngageStaff("Max Ong", ("shift-manager",), "Max Ong", "Tom")
        await floor.do(VENUE, HOST, engage)
        asked = await floor.do(VENUE, SHIFT, AppointStaff("Ann Lee", ("dealer",)))
        (waits,) = asked.events
        assert isinstance(waits, ApprovalRequested)
        logged = await floor.do(VENUE, HOST, RecordLogIn("max ong", "shift-manager", "::1"))
        assert logged.events == (LoggedIn("Max Ong", "shift-manager", "::1"),)
        done = await floor.do(VENUE, PIT, Approve(waits.pending, asked.last))
        assert done.events == (
            CommandApproved(waits.pending, PIT),
            StaffAppointed("Ann Lee", ("dealer",), "Max Ong", "pat"),
        )
        await floor.do(VENUE, TECHNICIAN, IssueTerminalKey("T1", "7"))
        await floor.venue.stop()

    async def then() -> Runtime:
        floor = await Floor.open(file, venue_keys)
        await floor.venue.stop()
        return floor.venue

    run(first())
    state = run(then()).state
    assert state.staff == {"Max Ong": ("shift-manager",), "Ann Lee": ("dealer",)}
    assert (state.demo, state.keyed, state.pending) == (True, {"T1/7": 9}, None)
    assert verify_file(file, Asked(venue_keys.public)).verified
