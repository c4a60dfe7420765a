"""The parts of the shell: news, former event shapes, transits, devices, the process."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from taisai.core.cage.vouchers import TakeVoucher
from taisai.core.kernel.messages import Actor, BoxStake, Equipment, Order
from taisai.core.rules.dice import Faces
from taisai.core.table.betting import BetsRegistered
from taisai.core.table.irregularities import IrregularityReported
from taisai.core.table.positions import CashedOut, CashOut
from taisai.core.table.round import BetsOpened, CloseBets, OpenBets
from taisai.core.table.state import Phase
from taisai.core.table.tumble import TumbleRecorded
from taisai.runtime.answers import Registered
from taisai.runtime.installation import add_table
from taisai.runtime.journal.contract import NotAJournalError, Record, genesis, link
from taisai.runtime.operations.process import held
from taisai.runtime.publisher import Announcement, Follower, Publisher
from taisai.runtime.recovery import StartupError
from taisai.runtime.streams import TABLES
from taisai.runtime.tumblers import Sealer, Tumble, TumblerFault, VerifiableTumbler
from taisai.runtime.tumblers import device as devices
from tests.kit.floor import Floor, keys, run, until
from tests.kit.news import News, Published, news_of
from tests.kit.people import DEALER


def registered(number: int) -> Registered:
    return Registered(number, number, 0, (BetsRegistered("1", (BoxStake("small", 100),)),))


def test_news_come_in_order_until_one_leaves() -> None:
    async def test() -> None:
        publisher = Publisher()
        one, every = News(publisher, "table/T1"), News(publisher, None)
        publisher.publish("table/T1", [registered(1)])
        publisher.publish("table/T2", [registered(7)])
        publisher.announce(Announcement(0, "table/T1", "suspended", "why"))
        assert [getattr(each, "first", None) for each in one.queue] == [1, None]
        assert [each.stream for each in every.queue] == ["table/T1", "table/T2", "table/T1"]
        one.close()
        one.close()
        publisher.publish("table/T1", [registered(2)])
        assert (len(one.queue), len(every.queue)) == (2, 4)

    run(test())


class Deaf(Follower):
    """A follower that fails at whatever comes."""

    def published_all(self, stream: str, batch: Sequence[Registered]) -> None:
        raise RuntimeError(f"{len(batch)} of {stream}")


def test_a_follower_that_fails_keeps_no_other_from_its_news_and_no_money_on_its_way(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test() -> None:
        floor = await Floor.open(tmp_path / "j", keys())
        venue = floor.venue
        venue.publisher.followers.append(Deaf())
        await floor.found()
        stream = await floor.add_table()
        later = news_of(venue, stream)
        await floor.do(stream, DEALER, OpenBets())
        await floor.bet("T1", "T1-1", "small", 500)
        await floor.do(stream, Actor("T1-2", "terminal"), CashOut("T1-2"))
        await venue.transfers.settled()
        assert not venue.table("T1").transits_open
        assert [each.value for each in venue.cage.outstanding.values()] == [100_000]
        heard = [type(each.events[-1]) for each in later.queue if isinstance(each, Published)]
        # The last closes the transit.
        assert heard[:-1] == [BetsOpened, BetsRegistered, CashedOut]
        await venue.stop()

    run(test())
    assert "news of table/T1 could not be passed on" in caplog.text


def chained(shape: int, data: bytes) -> Record:
    stream = "table/T1"
    before = genesis(stream).hash
    return Record(stream, 1, shape, 5, b"[]", data, link(before, 1, shape, 5, b"[]", data))


@pytest.mark.parametrize("shape", [0, 2, 9])
def test_a_shape_that_this_program_does_not_know_is_refused(shape: int) -> None:
    with pytest.raises(NotAJournalError, match=f"table/T1 1 is written in shape {shape}"):
        TABLES.read(chained(shape, b"{}"))


class Reader:
    """A physical reader that does what the test says."""

    def __init__(self) -> None:
        self.faces: Faces = (1, 2, 3)
        self.silent = asyncio.Event()
        self.fault: TumblerFault | None = None
        self.broken = False

    async def tumble(self, table: str, round: int, at_least: int) -> Tumble:
        del table, round
        return Tumble(at_least)

    async def draw(self, table: str, round: int) -> Faces:
        del table, round
        if self.fault is not None:
            raise self.fault
        if self.broken:
            raise ValueError("no picture")
        if self.silent.is_set():
            await asyncio.Event().wait()
        return self.faces


async def with_reader(path: Path, reader: Reader) -> Floor:
    floor = await Floor.open(path / "j", keys(), readers={"T1": reader})
    await floor.found()
    await floor.do(await floor.add_table(equipment=Equipment("reader")), DEALER, OpenBets())
    return floor


def test_a_device_tumbles_and_draws_when_the_bets_are_closed(tmp_path: Path) -> None:
    async def test() -> None:
        floor = await with_reader(tmp_path, Reader())
        await floor.do("table/T1", DEALER, CloseBets(bell=True))
        await until(lambda: floor.venue.table("T1").phase is Phase.RESULT)
        assert floor.venue.table("T1").faces == (1, 2, 3)
        await floor.venue.stop()

    run(test())


@pytest.mark.parametrize(
    ("how", "note"),
    [("silent", "in time"), ("fault", "blind"), ("broken", "ValueError: no picture")],
)
def test_a_device_that_fails_or_keeps_silent_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, note: str
) -> None:
    monkeypatch.setattr(devices, "TIMEOUT_SECONDS", 0.05)

    async def test() -> None:
        reader = Reader()
        floor = await with_reader(tmp_path, reader)
        if how == "silent":
            reader.silent.set()
        elif how == "fault":
            reader.fault = TumblerFault("the camera is blind")
        else:
            reader.broken = True
        news = news_of(floor.venue, "table/T1")
        await floor.do("table/T1", DEALER, CloseBets(bell=True))
        reported: list[IrregularityReported] = []
        tumbles = 0
        while not reported:
            each = await anext(news)
            events = each.events if isinstance(each, Published) else ()
            reported += [event for event in events if isinstance(event, IrregularityReported)]
            tumbles += sum(isinstance(event, TumbleRecorded) for event in events)
        assert tumbles == 1
        assert reported[0].code == "malfunction"
        assert note in reported[0].note
        news.close()
        await floor.venue.stop()

    run(test())


def test_a_voucher_printed_for_a_terminal_is_told_with_its_order(tmp_path: Path) -> None:
    async def test() -> None:
        floor = await Floor.open(tmp_path / "j", keys())
        await floor.found()
        await floor.add_table()
        printed: list[tuple[str, str, Order]] = []
        floor.venue.transfers.printed = lambda *told: printed.append(told)
        await floor.do("table/T1", Actor("T1-1", "terminal"), CashOut("T1-1"))
        await floor.venue.transfers.settled()
        table, terminal, order = printed[0]
        assert (table, terminal) == ("T1", "T1-1")
        assert floor.venue.cage.number_for(order) is not None
        await floor.venue.stop()

    run(test())


def test_a_voucher_for_a_table_that_is_not_there_comes_back(tmp_path: Path) -> None:
    async def test() -> None:
        floor = await Floor.open(tmp_path / "j", keys())
        await floor.found()
        taking = TakeVoucher(await floor.sell(4_000), "T9", "x")
        await floor.do("cage", Actor("x", "terminal"), taking)
        await floor.venue.transfers.settled()
        cage = floor.venue.cage
        assert [voucher.value for voucher in cage.outstanding.values()] == [4_000]
        assert cage.transits_open == {}
        await floor.venue.stop()

    run(test())


def test_the_log_is_copied_elsewhere_as_it_grows(tmp_path: Path) -> None:
    async def test() -> None:
        target = tmp_path / "elsewhere"
        floor = await Floor.open(tmp_path / "j", keys(), copy_to=target)
        await floor.found()
        await floor.do(await floor.add_table(), DEALER, OpenBets())
        await floor.bet("T1", "T1-1", "small", 500)
        await until(lambda: target.exists() and b"BetsRegistered" in target.read_bytes())
        heads = dict(floor.venue.committer.heads)
        await floor.venue.stop()
        lines = target.read_bytes().splitlines()
        assert len(lines) >= sum(head.version for head in heads.values())

    run(test())


def test_a_copy_that_cannot_be_written_is_told_and_nobody_waits_for_it(tmp_path: Path) -> None:
    async def test() -> None:
        (tmp_path / "file").write_text("in the way")
        target = tmp_path / "file" / "elsewhere"
        floor = await Floor.open(tmp_path / "j", keys(), copy_to=target)
        await floor.found()
        await until(lambda: any(each.code == "copy" for each in floor.venue.announcements))
        assert isinstance(await add_table(floor.venue, "T1", Equipment()), Registered)
        await floor.venue.stop()

    run(test())


def test_a_data_directory_is_held_by_one_venue_alone(tmp_path: Path) -> None:
    with held(tmp_path / "venue"):
        with (
            pytest.raises(
                StartupError, match=rf"another venue is running.*process {os.getpid()} on"
            ),
            held(tmp_path / "venue"),
        ):
            pass
        assert (tmp_path / "venue").stat().st_mode & 0o077 == 0
    with held(tmp_path / "venue"):
        pass


def test_secrets_under_another_key_stop_the_tumbler_and_are_told(tmp_path: Path) -> None:
    async def test() -> None:
        floor = await Floor.open(tmp_path / "j", keys())
        await floor.found()
        stream = await floor.add_table(equipment=Equipment("verifiable"))
        await until(lambda: floor.venue.table("T1").chain is not None)
        device = floor.venue._devices.by_table["T1"]
        strange = VerifiableTumbler(Sealer(bytes(32)))
        device._tumbler = strange
        news = news_of(floor.venue, stream)
        await floor.do(stream, DEALER, OpenBets())
        reported = None
        while not isinstance(reported, IrregularityReported):
            each = await anext(news)
            reported = each.events[0] if isinstance(each, Published) else None
        assert "the sealing key is not the one" in reported.note
        news.close()
        await floor.venue.stop()

    run(test())


def test_a_polite_stop_closes_the_bets_and_keeps_them_for_the_next_start(tmp_path: Path) -> None:
    venue_keys = keys()

    async def test() -> None:
        floor = await Floor.open(tmp_path / "j", venue_keys)
        await floor.found()
        await floor.do(await floor.add_table(), DEALER, OpenBets())
        await floor.bet("T1", "T1-1", "small", 500)
        await floor.venue.stop()
        floor = await Floor.open(tmp_path / "j", venue_keys)
        state = floor.venue.table("T1")
        assert (state.phase, state.live) == (Phase.NO_MORE_BETS, 500)
        await floor.venue.stop()

    run(test())
