"""The people of a house, in a real journal: two persons, a restart, and houses from before."""

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
from taisai.runtime.keys import VenueKeys
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import HOUSE
from taisai.runtime.verification import Asked
from tests.kit.floor import Floor, keys, run
from tests.kit.people import PIT, TECHNICIAN
from tests.verification.damage import verify_file

HOST = Actor("host", "system")
SHIFT = Actor("Max Ong", "shift-manager")

#: A house as it was written before it kept people: its events, and its snapshot after them.
EARLIER = (
    b'{"type":"VenueOpened","name":"the house","currency":"SGD"}',
    b'{"type":"TableAdmitted","stream":"cage"}',
    b'{"type":"TableAdmitted","stream":"table/T1"}',
)
EARLIER_SNAPSHOT = (
    b'\x00\x01\xd6*\xfe\x82Zu7^Y\x18\xce\xf8[3,"the house","SGD",["cage","table/T1"]]'
)


async def write_earlier(file: Path, house_keys: VenueKeys) -> None:
    """Write that house into a journal."""
    journal, head, records = await SqliteJournal.open(file), genesis(HOUSE), []
    cause = cause_of(Order("found", HOST, OpenVenue("the house", "SGD")))
    for data in EARLIER:
        version = head.version + 1
        head = Head(version, link(head.hash, version, SHAPE, 7, cause, data))
        records.append(Record(HOUSE, version, SHAPE, 7, cause, data, head.hash))
    taken = sign_snapshot(HOUSE, 3, head.hash, EARLIER_SNAPSHOT, house_keys.signer)
    await journal.write([Append(HOUSE, genesis(HOUSE), records, (), taken)])
    await journal.write((), make_checkpoint(8, {HOUSE: head}, None, house_keys.signer))
    await journal.close()


def test_a_snapshot_with_other_fields_is_refused_and_the_journal_replayed(tmp_path: Path) -> None:
    file, house_keys = tmp_path / "journal.sqlite", keys()

    async def go_on() -> None:
        await write_earlier(file, house_keys)
        floor = await Floor.open(file, house_keys)
        house = floor.house
        (refused,) = [each for each in house.announcements if each.code == "snapshot-refused"]
        assert "a program made it that keeps other fields" in refused.text
        assert house.writer(HOUSE).snapshot_at == 0
        assert (house.state.demo, house.state.staff, house.state.pending) == (False, {}, None)
        await floor.do(HOUSE, HOST, EngageStaff("Ann", ("dealer",), "Max Ong", "Tom"))
        await house.stop()

    run(go_on())
    report = verify_file(file, Asked(house_keys.public))
    assert report.verified, report.faults


def test_people_and_keys_are_there_after_a_restart(tmp_path: Path) -> None:
    file, house_keys = tmp_path / "journal.sqlite", keys()

    async def first() -> None:
        floor = await Floor.open(file, house_keys)
        assert isinstance(await open_venue(floor.house, "Show", "SGD", demo=True), Registered)
        engage = EngageStaff("Max Ong", ("shift-manager",), "Max Ong", "Tom")
        await floor.do(HOUSE, HOST, engage)
        asked = await floor.do(HOUSE, SHIFT, AppointStaff("Ann Lee", ("dealer",)))
        (waits,) = asked.events
        assert isinstance(waits, ApprovalRequested)
        logged = await floor.do(HOUSE, HOST, RecordLogIn("max ong", "shift-manager", "::1"))
        assert logged.events == (LoggedIn("Max Ong", "shift-manager", "::1"),)
        done = await floor.do(HOUSE, PIT, Approve(waits.pending, asked.last))
        assert done.events == (
            CommandApproved(waits.pending, PIT),
            StaffAppointed("Ann Lee", ("dealer",), "Max Ong", "pat"),
        )
        await floor.do(HOUSE, TECHNICIAN, IssueTerminalKey("T1", "7"))
        await floor.house.stop()

    async def then() -> Runtime:
        floor = await Floor.open(file, house_keys)
        await floor.house.stop()
        return floor.house

    run(first())
    state = run(then()).state
    assert state.staff == {"Max Ong": ("shift-manager",), "Ann Lee": ("dealer",)}
    assert (state.demo, state.keyed, state.pending) == (True, {"T1/7"}, None)
    assert verify_file(file, Asked(house_keys.public)).verified
