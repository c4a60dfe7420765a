"""The venue's time: which clock is believed, and what waits while the clocks do not agree."""

import json
import stat
from pathlib import Path

import pytest

from taisai.core.cage.drawer import CloseShift
from taisai.core.cage.vouchers import PayVoucher, SellVoucher, TakeVoucher, VoucherPaid
from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.messages import Actor, Command, Instant
from taisai.core.rules.reason import Refusal
from taisai.core.venue.setup import AcceptClock, ClockAccepted
from taisai.runtime.clock import Agreed, Clock, Doubt
from taisai.runtime.installation import open_venue
from taisai.runtime.journal.contract import JournalError
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.operations.offline_admin import read_alone, time_alone
from taisai.runtime.timekeeper import CLOCK_FILE, Memory, Timekeeper
from tests.kit.floor import Floor, keys, run
from tests.kit.people import CASHIER, DEALER

MS = 1_000_000
DAY_MS = 86_400_000
HOUR_MS = 3_600_000
TERMINAL = Actor("x", "terminal")
PAT, SUE = Actor("pat", "pit-manager"), Actor("sue", "supervisor")


class Hands:
    """The readings of a clock and of a stop-watch, moved by the test."""

    def __init__(self) -> None:
        self.wall_ms, self.steady_ms = 1_000_000, 50
        self.clock = self.again("one")

    def again(self, boot: str) -> Clock:
        """Make a clock, as a process does that starts now."""
        return Clock(lambda: self.wall_ms * MS, lambda: self.steady_ms * MS, boot)

    def move(self, wall_ms: int, steady_ms: int) -> int:
        self.wall_ms += wall_ms
        self.steady_ms += steady_ms
        return self.clock.now()


def test_a_clock_set_back_goes_on_at_its_own_pace_until_it_is_caught_up() -> None:
    hands = Hands()
    assert hands.move(100, 100) == 1_000_100
    assert hands.move(-60_000, 100) == 1_000_200
    assert hands.clock.behind_ms == 60_100
    assert hands.move(500, 500) == 1_000_700
    # Set right, it agrees with the time that has passed, and is believed.
    assert hands.move(60_001, 1) == hands.wall_ms + 100 == 1_000_701
    # A difference of less than a millisecond is not looked at.
    assert hands.move(70_000, 0) == 1_000_701


def test_a_clock_that_jumps_ahead_is_not_believed() -> None:
    hands = Hands()
    assert hands.move(40 * DAY_MS, 1_000) == 1_001_000
    assert hands.clock.ahead_ms == 40 * DAY_MS - 1_000
    # Two seconds later it is set right, and nothing has happened.
    assert hands.move(2_000 + 1_000 - 40 * DAY_MS, 2_000) == 1_003_000
    assert (hands.clock.ahead_ms, hands.clock.behind_ms) == (0, 0)


def test_a_clock_does_not_creep_ahead_in_small_steps() -> None:
    hands = Hands()
    for _ in range(999):
        hands.move(101, 1)
    now = hands.move(101, 1)
    # A second, and 1,000 steps of a millisecond in it.
    assert now <= 1_000_000 + 1_000 + 1_000 + 101
    assert hands.clock.ahead_ms == 100_000


def test_a_clock_that_is_put_right_little_by_little_is_followed() -> None:
    hands = Hands()
    for _ in range(5_000):
        hands.move(100_050, 100_000)
    assert hands.clock.now() == hands.wall_ms
    assert hands.clock.ahead_ms == 0


def test_the_jump_that_was_seen_is_accepted_and_no_other() -> None:
    hands = Hands()
    assert not hands.clock.accept(1)
    hands.move(40 * DAY_MS, 1_000)
    assert not hands.clock.accept(39 * DAY_MS)
    assert hands.clock.accept(40 * DAY_MS - 1_000)
    assert hands.move(500, 500) == hands.wall_ms
    assert hands.clock.ahead_ms == 0


async def refused(floor: Floor, command: Command, actor: Actor = CASHIER) -> str:
    """Send a command that is refused, and give the code."""
    answer = await floor.send("cage", actor, command)
    assert isinstance(answer, Refusal), answer
    return answer.code


def test_a_jump_of_years_for_two_seconds_expires_no_voucher(tmp_path: Path) -> None:
    async def test() -> None:
        hands = Hands()
        floor = await Floor.open(tmp_path / "j", keys(), hands.clock)
        await floor.found()
        number = await floor.sell(4_000)
        (good,) = floor.venue.cage.outstanding.values()
        assert good.expires == floor.venue.clock.now() + 30 * DAY_MS
        hands.move(3_650 * DAY_MS, 1_000)
        # Commands that depend on the date are put off, and so is one that would record a date.
        assert await refused(floor, PayVoucher(number)) == "CLOCK_IN_DOUBT"
        assert await refused(floor, TakeVoucher(number, "T9", "x"), TERMINAL) == "CLOCK_IN_DOUBT"
        assert await refused(floor, SellVoucher(100, "counter")) == "CLOCK_IN_DOUBT"
        assert await refused(floor, CloseShift(4_000)) == "CLOCK_IN_DOUBT"
        # Mistakes are refused as always, and the rest goes on.
        assert await refused(floor, PayVoucher("1" * 18)) == "NO_VOUCHER_NUMBER"
        assert await refused(floor, PayVoucher(number), DEALER) == "NOT_ALLOWED"
        # Two seconds later it is set right, and nothing has happened.
        hands.move(2_000 + 1_000 - 3_650 * DAY_MS, 2_000)
        assert floor.venue.cage.outstanding == {good.serial: good}
        (paid,) = (await floor.do("cage", CASHIER, PayVoucher(number))).events
        assert paid == VoucherPaid(good.serial, 4_000, "cat")
        await floor.venue.stop()

    run(test())


def test_what_is_good_by_both_times_is_paid_while_they_do_not_agree(tmp_path: Path) -> None:
    async def test() -> None:
        hands = Hands()
        floor = await Floor.open(tmp_path / "j", keys(), hands.clock)
        await floor.found()
        number = await floor.sell(4_000)
        hands.move(29 * DAY_MS, 1_000)
        (paid,) = (await floor.do("cage", CASHIER, PayVoucher(number))).events
        assert isinstance(paid, VoucherPaid)
        await floor.venue.stop()

    run(test())


def test_two_persons_accept_a_jump_and_the_venue_goes_on_by_it(tmp_path: Path) -> None:
    async def test() -> None:
        hands = Hands()
        floor = await Floor.open(tmp_path / "j", keys(), hands.clock)
        await floor.found()
        number, keeper = await floor.sell(4_000), floor.venue.timekeeper
        asked = await floor.do("cage", CASHIER, CloseShift(4_000))
        waits = asked.events[-1]
        assert isinstance(waits, ApprovalRequested)
        hands.move(40 * DAY_MS, 1_000)
        keeper.watch()
        keeper.watch()
        told = [each.text for each in floor.venue.announcements if each.code == "clock"]
        assert len(told) == 1
        assert f"the machine's clock is {40 * DAY_MS - 1_000} ms ahead" in told[0]
        approve = Approve(waits.pending, asked.last)
        assert await refused(floor, approve, SUE) == "CLOCK_IN_DOUBT"
        await floor.both("venue", PAT, AcceptClock(39 * DAY_MS), SUE)
        assert "it is not as accepted" in floor.venue.announcements[-1].text
        accept = AcceptClock(floor.venue.clock.ahead_ms)
        accepted = await floor.both("venue", PAT, accept, SUE)
        assert accepted.events[-1] == ClockAccepted(accept.ahead_ms, "pat", "sue")
        hands.move(1, 1)
        assert floor.venue.clock.now() == hands.wall_ms
        keeper.watch()
        assert "agree again" in floor.venue.announcements[-1].text
        assert await refused(floor, PayVoucher(number)) == "VOUCHER_EXPIRED"
        await floor.venue.stop()

    run(test())


def test_a_demo_accepts_a_jump_by_itself(tmp_path: Path) -> None:
    async def test() -> None:
        hands = Hands()
        floor = await Floor.open(tmp_path / "j", keys(), hands.clock)
        await open_venue(floor.venue, "the venue", "SGD", demo=True)
        hands.move(40 * DAY_MS, 1_000)
        floor.venue.timekeeper.watch(demo=floor.venue.state.demo)
        hands.move(1, 1)
        assert floor.venue.clock.now() == hands.wall_ms
        assert not floor.venue.announcements
        await floor.venue.stop()

    run(test())


def test_a_clock_that_is_trimmed_is_nothing_to_tell() -> None:
    hands = Hands()
    hands.move(1_000, 1_000)
    assert hands.move(90, 100) == 1_001_100
    assert hands.clock.behind_ms == 0


def test_a_journal_from_the_future_sets_the_clock() -> None:
    hands = Hands()
    hands.clock.not_before(2_000_000)
    assert hands.move(10, 10) == 2_000_010
    hands.clock.not_before(5)
    assert hands.move(10, 10) == 2_000_020


# --- starting ---------------------------------------------------------------------------------


@pytest.mark.parametrize("stopped", [HOUR_MS, 7 * DAY_MS])
def test_after_a_night_or_a_week_the_machines_clock_is_believed(stopped: int) -> None:
    hands = Hands()
    hands.clock.begin(hands.wall_ms - stopped)
    assert hands.clock.doubt() is None
    assert hands.clock.now() == hands.wall_ms


def test_a_venue_that_begins_has_nothing_to_compare_with() -> None:
    hands = Hands()
    hands.clock.begin(0)
    assert (hands.clock.doubt(), hands.clock.others()) == (None, ())


def test_after_longer_nobody_knows_but_a_database() -> None:
    hands, stopped = Hands(), 8 * DAY_MS
    newest = hands.wall_ms - stopped
    hands.clock.begin(newest)
    assert hands.clock.doubt() == Doubt(stopped, 0)
    assert hands.clock.now() == newest
    assert hands.clock.others() == (hands.wall_ms,)
    assert hands.move(5_000, 5_000) == newest + 5_000
    hands.clock.begin(newest, database=hands.wall_ms - 59_000)
    assert hands.clock.doubt() is None
    assert hands.clock.now() == hands.wall_ms


def test_a_clock_is_held_against_what_is_remembered_of_the_same_start_of_the_machine() -> None:
    hands = Hands()
    remembered, newest = hands.clock.agreed(), hands.wall_ms - 5_000
    assert remembered == Agreed("one", 1_000_000, 50)
    # Stopped for an hour, in which somebody sets the clock a day ahead.
    hands.move(HOUR_MS + DAY_MS, HOUR_MS)
    started = hands.again("one")
    started.begin(newest, remembered)
    assert started.doubt() == Doubt(DAY_MS, 0)
    assert started.now() == 1_000_000 + HOUR_MS
    assert started.agreed() is None
    # A restarted machine does not know how long it was off.
    other = hands.again("two")
    other.begin(newest, remembered)
    assert other.doubt() is None
    # A minute, and a thousandth of the time besides, counts as a clock being set right.
    hands.move(60_000 + HOUR_MS // 1_000 - DAY_MS, 0)
    near = hands.again("one")
    near.begin(newest, remembered)
    assert near.doubt() is None


@pytest.mark.parametrize("boot", ["", "two"])
def test_without_a_name_of_the_start_nothing_is_taken_as_remembered(boot: str) -> None:
    hands = Hands()
    remembered = Agreed(boot, hands.wall_ms - 9 * DAY_MS, 50)
    clock = hands.again("" if not boot else "one")
    clock.begin(hands.wall_ms - DAY_MS, remembered)
    assert clock.doubt() is None


def test_a_database_and_a_machine_are_believed_as_far_as_both_agree() -> None:
    hands = Hands()
    # The machine is an hour ahead of the database when the venue starts.
    hands.clock.begin(hands.wall_ms - 2 * HOUR_MS, database=hands.wall_ms - HOUR_MS)
    assert hands.clock.doubt() == Doubt(HOUR_MS, -HOUR_MS)
    assert hands.clock.now() == hands.wall_ms - HOUR_MS
    assert hands.clock.others() == (hands.wall_ms,)
    assert not hands.clock.accept(HOUR_MS)
    assert hands.clock.accept(HOUR_MS, -HOUR_MS)
    assert hands.move(10, 10) == hands.wall_ms
    # That difference is known by now; a new one is not.
    hands.clock.compare(hands.wall_ms - HOUR_MS)
    assert hands.clock.doubt() is None
    hands.clock.compare(hands.wall_ms)
    assert hands.clock.doubt() == Doubt(0, HOUR_MS)
    assert hands.clock.others() == (hands.wall_ms + HOUR_MS,)


def test_a_database_that_answers_late_is_not_taken_to_be_wrong() -> None:
    hands = Hands()
    asked = hands.wall_ms
    hands.move(2 * HOUR_MS, 2 * HOUR_MS)
    for said in (asked - 60_000, asked + HOUR_MS, hands.wall_ms + 60_000):
        hands.clock.compare(said, asked)
        assert hands.clock.doubt() is None
    hands.clock.compare(asked - 60_001, asked)
    assert hands.clock.doubt() == Doubt(0, -60_001)
    hands.clock.compare(hands.wall_ms + 60_001, asked)
    assert hands.clock.doubt() == Doubt(0, 60_001)


def test_what_is_remembered_is_this_venues_own(tmp_path: Path) -> None:
    memory, agreed = Memory(tmp_path / "anchor", b"k" * 32), Agreed("one", 5, 6)
    assert memory.read() is None
    memory.write(agreed)
    assert memory.read() == agreed
    assert stat.S_IMODE(memory.file.stat().st_mode) == 0o600
    assert Memory(tmp_path / "anchor", b"l" * 32).read() is None
    told = json.loads(memory.file.read_bytes())
    memory.file.write_text(json.dumps(told | {"at": 7}))
    assert memory.read() is None
    memory.file.write_text("{}")
    assert memory.read() is None


def test_a_venue_remembers_its_clock_over_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        hands, anchor, own = Hands(), tmp_path / "anchor", keys()
        floor = await Floor.open(tmp_path / "j", own, hands.clock, anchor=anchor)
        await floor.found()
        number = await floor.sell(4_000)
        await floor.venue.stop()
        # While it is stopped, the machine's clock is set years ahead.
        hands.move(3_650 * DAY_MS + HOUR_MS, HOUR_MS)
        floor = await Floor.open(tmp_path / "j", own, hands.again("one"), anchor=anchor)
        assert floor.venue.clock.now() == 1_000_000 + HOUR_MS
        assert [each.code for each in floor.venue.announcements] == ["clock"]
        assert await refused(floor, PayVoucher(number)) == "CLOCK_IN_DOUBT"
        await floor.venue.stop()
        # In doubt nothing was remembered; set right, everything is as before.
        hands.move(1_000 - 3_650 * DAY_MS, 1_000)
        floor = await Floor.open(tmp_path / "j", own, hands.again("one"), anchor=anchor)
        assert not floor.venue.announcements
        await floor.do("cage", CASHIER, PayVoucher(number))
        await floor.venue.stop()

    run(test())


def test_what_is_done_while_it_is_stopped_is_not_dated_by_a_jump_either(tmp_path: Path) -> None:
    async def test() -> None:
        anchor, own = tmp_path / "anchor", keys()
        floor = await Floor.open(tmp_path / "j", own, anchor=anchor)
        await floor.found()
        await floor.venue.stop()
        journal, now = await SqliteJournal.open(tmp_path / "j"), Clock().now()
        alone = await read_alone(journal, own, anchor)
        assert abs(await time_alone(alone, now + 3_650 * DAY_MS) - now) < 60_000
        # The time that the query takes is added.
        assert now + 1_000 <= await time_alone(alone, now + 1_000) < now + 60_000
        assert 0 <= await time_alone(alone, 5) - alone.started.at < 60_000
        await journal.close()

    run(test())


def test_where_it_cannot_be_remembered_the_pit_is_told(tmp_path: Path) -> None:
    async def test() -> None:
        (tmp_path / CLOCK_FILE).mkdir()
        journal = await SqliteJournal.open(tmp_path / "j")
        keeper, told = Timekeeper(Hands().clock, journal, Memory(tmp_path, b"k" * 32)), list[str]()
        keeper.announce = told.append
        await keeper.begin(0)
        await keeper.remember()
        assert "cannot be remembered" in told[0]
        # A file has no other clock, and asks for none.
        await keeper.run()
        await journal.close()

    run(test())


# --- a database -------------------------------------------------------------------------------


def test_a_database_gives_its_own_time_and_a_jump_is_held_against_it(postgres_url: str) -> None:
    async def test() -> None:
        now = Clock().now()
        hands = Hands()
        hands.wall_ms = now + HOUR_MS
        journal = await PostgresJournal.open(postgres_url)
        floor = await Floor.open(journal, keys(), hands.again("one"))
        # At the start the machine is an hour ahead of the database: its time is the venue's.
        assert now <= floor.venue.clock.now() < now + 60_000
        doubt = floor.venue.clock.doubt()
        assert doubt is not None
        assert HOUR_MS - 60_000 < doubt.ahead_ms <= HOUR_MS
        # Set right, it is believed as soon as the database has been asked again.
        hands.move(-HOUR_MS, 1)
        assert await floor.venue.timekeeper.compare()
        assert floor.venue.clock.doubt() is None
        # And a database whose clock is set ahead is noticed, though the machine's is right.
        hands.move(-HOUR_MS, 1)
        assert await floor.venue.timekeeper.compare()
        doubt = floor.venue.clock.doubt()
        assert doubt is not None
        assert doubt.ahead_ms == 0
        assert HOUR_MS - 60_000 < doubt.database_ms < HOUR_MS + 60_000
        await floor.venue.stop()

    run(test())


class Away(SqliteJournal):
    """A journal on a server that cannot be reached."""

    async def time(self) -> Instant | None:
        raise JournalError("it is away")


def test_a_database_that_is_away_changes_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        journal = await Away.open(tmp_path / "j")
        floor = await Floor.open(journal, keys(), Hands().clock)
        assert await floor.venue.timekeeper.compare()
        assert floor.venue.clock.doubt() is None
        await floor.venue.stop()

    run(test())
