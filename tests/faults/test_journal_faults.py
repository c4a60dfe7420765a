"""The journal on a failing disk: whatever it called durable is there, whole and chained, always."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import apsw
import pytest

from taisai.runtime.journal import sqlite
from taisai.runtime.journal.contract import (
    Append,
    Head,
    JournalError,
    NothingWrittenError,
    Outcome,
    OutcomeUnknownError,
    Record,
    genesis,
    link_of,
)
from taisai.runtime.journal.sqlite import SqliteJournal
from tests.contract.journals import adding, everything, head_after
from tests.faults.campaign import FILE, SMALL_LOG, Case, Report, Trouble, campaign
from tests.faults.disk import Act, Answer, Disk, Kind
from tests.faults.platter import SECTOR, Loss

SEEDS = 5
LOSSES = [(Loss.EVERYTHING, 0), (Loss.NOTHING, 0), (Loss.SOME, 1), (Loss.SOME, 2), (Loss.SOME, 3)]
CAGE = "cage"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """Give a sound disk."""
    directory = tmp_path / "disk"
    directory.mkdir()
    with Disk(directory) as made:
        yield made


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


@asynccontextmanager
async def opened(disk: Disk, *, read_only: bool = False) -> AsyncIterator[SqliteJournal]:
    """Open the journal on a disk, and close it at the end."""
    path = disk.directory / FILE
    journal = await SqliteJournal.open(path, vfs=disk.name, read_only=read_only)
    try:
        yield journal
    finally:
        await journal.close()


async def refused(disk: Disk) -> None:
    """Try to open a journal, which must fail."""
    async with opened(disk):
        pass


async def heads_after_cuts(disk: Disk) -> list[dict[str, Head]]:
    """Give the heads found after cuts of several kinds."""
    found = []
    for loss, seed in LOSSES:
        image = disk.directory.parent / "image"
        disk.image(image, loss, seed)
        with Disk(image) as plain:
            async with opened(plain) as journal:
                found.append(await journal.heads())
    return found


def further(*appends: Append) -> Append:
    """Make the append that follows the last of some."""
    return adding(CAGE, b"further" * 100, after=head_after(appends[-1]))


# --- at every step -----------------------------------------------------------------------------


def steps_of(directory: Path, batches: int) -> int:
    """Count the steps of a short life on a sound disk."""
    with Case(1, directory, Trouble.POWER) as case:
        case.play(batches, nth=1_000_000)
        assert case.disk.struck == []
        assert case.said == {"durable": batches}
        return case.disk.count


@pytest.mark.parametrize(
    ("trouble", "every"), [(Trouble.POWER, 1), (Trouble.KILL, 4), (Trouble.FAULT, 4)]
)
def test_whatever_happens_at_a_step_nothing_told_is_lost(
    tmp_path: Path, trouble: Trouble, every: int
) -> None:
    report = Report()
    steps = steps_of(tmp_path / "count", 2)
    for nth in range(1, steps + 1, every):
        with Case(1, tmp_path / str(nth), trouble) as case:
            case.play(2, nth)
            assert case.disk.struck, f"nothing happened at step {nth}"
        report.add(case)
    # Both flows were struck: opening for the first time, and writing.
    assert report.said["cannot be opened"] > 3
    assert report.said["outcome unknown"] > 3
    assert report.images >= 4 * report.cases


@pytest.mark.parametrize("trouble", Trouble)
def test_a_campaign_finds_nothing(tmp_path: Path, trouble: Trouble) -> None:
    report = Report()
    for seed in range(SEEDS):
        with Case(seed, tmp_path / str(seed), trouble) as case:
            case.play()
        report.add(case)
    assert report.cases == SEEDS
    assert report.missed <= SEEDS / 2
    assert report.said["durable"] > SEEDS


def test_a_campaign_draws_every_trouble(tmp_path: Path) -> None:
    made = [Case(seed, tmp_path).trouble for seed in range(60)]
    assert set(made) == set(Trouble)
    assert campaign([3, 4], tmp_path).cases == 2


def careless(change: str) -> Callable[[SqliteJournal, bool], apsw.Connection]:
    """Make the connections of a journal that is not careful enough."""
    connection = SqliteJournal._connection

    def connect(journal: SqliteJournal, *, writes: bool) -> apsw.Connection:
        made = connection(journal, writes=writes)
        made.execute(change)
        return made

    return connect  # type: ignore[return-value]


@pytest.mark.parametrize("level", ["NORMAL", "OFF"])
def test_a_campaign_finds_a_journal_that_does_not_sync(tmp_path: Path, level: str) -> None:
    connect = careless(f"PRAGMA synchronous = {level}")
    with (
        patch.object(SqliteJournal, "_connection", connect),
        pytest.raises((AssertionError, JournalError)) as found,
    ):
        campaign(range(30), tmp_path)
    assert found.value.__notes__[0].startswith("seed ")


def test_a_campaign_finds_a_batch_written_in_two_commits(tmp_path: Path) -> None:
    add = SqliteJournal._add

    def halved(
        journal: SqliteJournal, connection: apsw.Connection, append: Append, batch: int
    ) -> None:
        first = append._replace(records=append.records[:1], commands=(), snapshot=None)
        add(journal, connection, first, batch)
        connection.execute("COMMIT; BEGIN IMMEDIATE")
        rest = append._replace(after=head_after(first), records=append.records[1:])
        add(journal, connection, rest, batch)

    # Half of a batch is there after a cut: some of its records, or those without its answers.
    half = r"\d+ records for \d+|a record without the answer that came with it"
    with (
        patch.object(SqliteJournal, "_add", halved),
        # No second writer: a part that is committed too early would block the second try.
        patch.object(Case, "_stale", lambda _: []),
        pytest.raises(AssertionError, match=half) as found,
    ):
        campaign(range(60), tmp_path)
    assert found.value.__notes__[0].startswith("seed ")


# --- one by one --------------------------------------------------------------------------------


def test_a_full_disk_writes_nothing_and_goes_on_when_there_is_room(disk: Disk) -> None:
    async def work() -> None:
        async with opened(disk) as journal:
            first = adding(CAGE, b"first")
            await journal.write([first])
            disk.room = 3_000
            for _ in range(2):
                # Still full: the journal keeps refusing, and keeps its content.
                with pytest.raises(OutcomeUnknownError, match=f"{FILE}: .*full"):
                    await journal.write([further(first)])
                await journal.reopen()
                assert await journal.heads() == {CAGE: head_after(first)}
            disk.room = 1_000_000
            assert await journal.write([further(first)]) == [Outcome.DURABLE]
            await journal.reopen()
            last = further(first, further(first))
            assert await journal.write([last]) == [Outcome.DURABLE]
            assert await heads_after_cuts(disk) == [{CAGE: head_after(last)}] * len(LOSSES)

    run(work())


#: More than one write: all of it arrives, and yet it fails.
WHOLE = 1_000_000


async def fail_a_commit(disk: Disk, answer: Answer, nth: int, *, read_beside: bool) -> bool:
    """Fail the nth write of a commit, though it arrives whole; says whether there were so many."""
    async with AsyncExitStack() as stack:
        journal = await stack.enter_async_context(opened(disk))
        if read_beside:
            await stack.enter_async_context(opened(disk, read_only=True))
        first = adding(CAGE, b"first")
        await journal.write([first])
        disk.fail(nth, act=Act.WRITE, answer=answer, written=WHOLE)
        try:
            await journal.write([further(first)])
        except NothingWrittenError:
            assert await heads_after_cuts(disk) == [{CAGE: head_after(first)}] * len(LOSSES)
        except OutcomeUnknownError:
            # Not settled yet: nothing else is written after it.
            with pytest.raises(NothingWrittenError):
                await journal.write([adding("table/1", b"other")])
        struck = bool(disk.struck)
        disk.mend()
        await journal.reopen()
        shown = await journal.heads()
        assert shown[CAGE] in {head_after(first), head_after(further(first))}
        assert await heads_after_cuts(disk) == [shown] * len(LOSSES)
        return struck


@pytest.mark.parametrize("read_beside", [False, True])
@pytest.mark.parametrize("answer", [Answer.FULL, Answer.WRITE_FAILED, Answer.READ_ONLY])
def test_a_commit_that_fails_and_yet_is_in_the_log_is_not_said_to_be_unwritten(
    tmp_path: Path, answer: Answer, read_beside: bool
) -> None:
    struck = []
    for nth in range(1, 20):
        directory = tmp_path / str(nth) / "disk"
        directory.mkdir(parents=True)
        with Disk(directory) as disk:
            struck.append(asyncio.run(fail_a_commit(disk, answer, nth, read_beside=read_beside)))
    assert any(struck)
    assert not all(struck), "every write of the commit was tried"


def test_a_commit_whole_in_the_log_of_a_full_disk_is_found_by_its_seed(tmp_path: Path) -> None:
    with Case(600, tmp_path) as case:
        case.play()
        assert case.trouble is Trouble.PART
        assert case.said["outcome unknown"] == 1


@pytest.mark.parametrize("seed", range(6))
def test_what_a_failed_sync_leaves_out_while_another_reads_never_comes_back(
    tmp_path: Path, seed: int
) -> None:
    async def work(disk: Disk) -> None:
        async with opened(disk) as journal, opened(disk, read_only=True):
            first = adding(CAGE, b"first")
            await journal.write([first])
            disk.fail(act=Act.SYNC, file=Kind.WAL)
            with pytest.raises(OutcomeUnknownError):
                await journal.write([further(first)])
            await journal.reopen()
            shown = await journal.heads()
            assert await heads_after_cuts(disk) == [shown] * len(LOSSES)

    directory = tmp_path / "disk"
    directory.mkdir()
    with Disk(directory, seed) as disk:
        run(work(disk))


def test_nothing_is_written_behind_a_log_that_could_not_be_settled(disk: Disk) -> None:
    async def work() -> None:
        async with opened(disk) as journal:
            first = adding(CAGE, b"first")
            await journal.write([first])
            # The commit's own sync, and then the one that settles the log.
            disk.fail(1, act=Act.SYNC, file=Kind.WAL)
            disk.fail(2, act=Act.SYNC, file=Kind.WAL)
            with pytest.raises(OutcomeUnknownError):
                await journal.write([further(first)])
            with pytest.raises(JournalError, match="cannot be opened"):
                await journal.reopen()
            other = adding("table/1", b"other")
            with pytest.raises(NothingWrittenError, match="is not open"):
                await journal.write([other])
            await journal.reopen()
            assert await journal.write([other]) == [Outcome.DURABLE]
            shown = await journal.heads()
            assert await heads_after_cuts(disk) == [shown] * len(LOSSES)

    run(work())


def test_a_disk_that_is_full_from_the_start_is_said_to_be(disk: Disk) -> None:
    async def work() -> None:
        disk.room = 6_000
        with pytest.raises(JournalError, match="cannot be opened"):
            await refused(disk)
        disk.mend()
        async with opened(disk) as journal:
            assert await journal.write([adding(CAGE, b"first")]) == [Outcome.DURABLE]

    run(work())


def test_a_read_only_file_is_a_clear_failure(disk: Disk) -> None:
    async def work() -> None:
        async with opened(disk) as journal:
            first = adding(CAGE, b"first")
            await journal.write([first])
            disk.read_only = True
            with pytest.raises(JournalError, match=FILE):
                await journal.write([further(first)])
            with pytest.raises(JournalError, match=f"{FILE}.* cannot be opened: "):
                await journal.reopen()
        with pytest.raises(JournalError, match=f"{FILE}.* cannot be opened: "):
            await refused(disk)
        disk.mend()
        async with opened(disk) as journal:
            assert await everything(journal, CAGE) == first.records

    run(work())


def test_nothing_can_be_begun_on_a_read_only_disk(disk: Disk) -> None:
    async def work() -> None:
        disk.read_only = True
        with pytest.raises(JournalError, match="cannot be opened: unable to open"):
            await refused(disk)

    run(work())


def test_a_journal_that_cannot_have_a_log_is_not_opened(disk: Disk) -> None:
    async def work() -> None:
        # Turning the log on fails, and SQLite does not report it.
        for nth in range(1, 6):
            disk.fail(nth, file=Kind.JOURNAL)
            with pytest.raises(JournalError, match="cannot be opened"):
                await refused(disk)
            disk.mend()
        async with opened(disk) as journal:
            assert _there(journal).execute("PRAGMA journal_mode").get == "wal"

    run(work())


def _there(journal: SqliteJournal) -> apsw.Connection:
    assert journal._writer is not None
    return journal._writer


def test_what_a_new_process_finds_in_the_log_is_safe_before_it_is_told(disk: Disk) -> None:
    async def work() -> None:
        async with opened(disk) as journal:
            first = adding(CAGE, b"first")
            await journal.write([first])
            disk.fail(act=Act.SYNC, file=Kind.WAL, answer=Answer.DOWN)
            with pytest.raises(OutcomeUnknownError):
                await journal.write([further(first)])
        disk.restart()
        async with opened(disk) as journal:
            shown = await journal.heads()
            assert shown == {CAGE: head_after(further(first))}
            assert await heads_after_cuts(disk) == [shown] * len(LOSSES)

    run(work())


async def reopened(journal: SqliteJournal) -> None:
    """Reopen as often as it takes, but not for ever."""
    for _ in range(10):
        try:
            return await journal.reopen()
        except JournalError:
            pass
    raise AssertionError("the journal cannot be reopened")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("failing", [1, 2, 3])
def test_what_is_shown_after_failed_syncs_stays_so(tmp_path: Path, seed: int, failing: int) -> None:
    async def work(disk: Disk) -> None:
        async with opened(disk) as journal:
            first = adding(CAGE, b"first")
            await journal.write([first])
            for nth in range(1, failing + 1):
                disk.fail(nth, act=Act.SYNC)
            with pytest.raises(OutcomeUnknownError):
                await journal.write([further(first)])
            await reopened(journal)
            shown = await journal.heads()
            assert shown[CAGE] in {head_after(first), head_after(further(first))}
            assert await heads_after_cuts(disk) == [shown] * len(LOSSES)
            last = adding(CAGE, b"last", after=shown[CAGE])
            assert await journal.write([last]) == [Outcome.DURABLE]
            assert await heads_after_cuts(disk) == [{CAGE: head_after(last)}] * len(LOSSES)

    directory = tmp_path / "disk"
    directory.mkdir()
    with Disk(directory, seed) as disk:
        run(work(disk))


async def lose_a_sync(disk: Disk, steps: int) -> None:
    """Lose two syncs, and the power some steps later, while the journal is looked at again."""
    streams = [f"table/{number}" for number in range(20)]
    told = [adding(stream, b"x" * 900) for stream in streams]
    async with opened(disk) as journal:
        await journal.write(told)
        await journal.reopen()
        told[3] = adding(streams[3], b"y" * 900, after=head_after(told[3]))
        await journal.write([told[3]])
        doubtful = [adding(each.stream, b"z" * 900, after=head_after(each)) for each in told]
        disk.fail(1, act=Act.SYNC, crash_after=steps)
        disk.fail(2, act=Act.SYNC)
        with pytest.raises(OutcomeUnknownError):
            await journal.write(doubtful)
        while not disk.down and disk.count < 10_000:
            with suppress(JournalError):
                await journal.reopen()
    possible = [{each.stream: head_after(each) for each in told}]
    possible.append({each.stream: head_after(each) for each in doubtful})
    for heads in await heads_after_cuts(disk):
        assert heads in possible, f"{steps} steps after the sync that failed"


def test_a_journal_survives_a_power_cut_while_it_looks_for_what_a_failed_sync_lost(
    tmp_path: Path,
) -> None:
    for steps in range(1, 25):
        directory = tmp_path / str(steps) / "disk"
        directory.mkdir(parents=True)
        with Disk(directory, seed=steps) as disk:
            run(lose_a_sync(disk, steps))


async def write_on(journal: SqliteJournal, appends: list[Append]) -> None:
    """Write until the log has been copied back a few times."""
    for _ in range(100):
        append = further(*appends)
        await journal.write([append])
        appends.append(append)
        await asyncio.to_thread(journal._carried.wait)


@pytest.mark.parametrize("act", [Act.WRITE, Act.SYNC])
def test_a_log_that_cannot_be_carried_back_stops_the_next_commit(disk: Disk, act: Act) -> None:
    async def work() -> None:
        async with opened(disk) as journal:
            appends = [adding(CAGE, b"first")]
            await journal.write(appends)
            disk.fail(act=act, file=Kind.DATABASE)
            with pytest.raises(NothingWrittenError, match="I/O error"):
                await write_on(journal, appends)
            assert disk.struck
            told = {CAGE: head_after(appends[-1])}
            assert await heads_after_cuts(disk) == [told] * len(LOSSES)
            await journal.reopen()
            assert await journal.heads() == told
            assert await journal.write([further(*appends)]) == [Outcome.DURABLE]

    with patch.multiple(sqlite, **SMALL_LOG):
        run(work())


def test_a_failed_read_is_a_clear_failure_and_nothing_more(disk: Disk) -> None:
    async def work() -> None:
        async with opened(disk) as journal:
            first = adding(CAGE, *[b"x" * 3000] * 20)
            await journal.write([first])
            await journal.reopen()
            disk.fail(act=Act.READ)
            with pytest.raises(JournalError, match=f"{FILE} cannot be read: disk I/O error"):
                await everything(journal, CAGE)
            assert await everything(journal, CAGE) == first.records

    run(work())


# --- damage in the middle of the file ----------------------------------------------------------


def first_unlinked(records: Sequence[Record]) -> int | None:
    """Give the version of the first record that does not follow the one before."""
    before = genesis(CAGE).hash
    for record in records:
        if record.hash != link_of(before, record):
            return record.version
        before = record.hash
    return None


EVENTS = [b'{"type":"Event%03d","fill":"%s"}' % (n, b"." * 300) for n in range(1, 61)]


async def filled(disk: Disk) -> list[Record]:
    async with opened(disk) as journal:
        append = adding(CAGE, *EVENTS)
        await journal.write([append])
    return [*append.records]


async def read_back(disk: Disk) -> list[Record]:
    async with opened(disk) as journal:
        return await everything(journal, CAGE)


def places(data: bytes, wanted: bytes) -> list[int]:
    """Find bytes wherever they are; a page that was split leaves a copy behind."""
    return [at for at in range(len(data)) if data.startswith(wanted, at)]


@pytest.mark.parametrize("version", [1, 30, 60])
@pytest.mark.parametrize("bit", [0, 5])
def test_a_flipped_bit_of_an_event_breaks_its_link(disk: Disk, version: int, bit: int) -> None:
    async def work() -> None:
        records = await filled(disk)
        whole = (disk.directory / FILE).read_bytes()
        for wanted in (records[version - 1].data, records[version - 1].hash):
            data = bytearray(whole)
            for place in places(whole, wanted):
                data[place + 8] ^= 1 << bit
            (disk.directory / FILE).write_bytes(data)
            assert first_unlinked(await read_back(disk)) == version
        (disk.directory / FILE).write_bytes(whole)
        assert first_unlinked(await read_back(disk)) is None

    run(work())


def test_a_sector_that_was_never_written_is_never_read_as_an_event(disk: Disk) -> None:
    async def work() -> None:
        records = await filled(disk)
        whole = (disk.directory / FILE).read_bytes()
        sectors = sorted({whole.index(record.data) // SECTOR for record in records})
        noticed = 0
        for sector in sectors[::3]:
            data = bytearray(whole)
            data[sector * SECTOR : (sector + 1) * SECTOR] = bytes(SECTOR)
            (disk.directory / FILE).write_bytes(data)
            try:
                read = await read_back(disk)
            except JournalError:
                noticed += 1
            else:
                # The copy that a split page left behind may be damaged without harm.
                assert first_unlinked(read) or read == records[: len(read)]
                noticed += read != records
        assert noticed > len(sectors) / 4

    run(work())
