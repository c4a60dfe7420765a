"""The failing disk, tested with a plain table: it finds what is not durable, and nothing else."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from tests.faults.disk import Act, Answer, Disk, Kind, Step
from tests.faults.platter import Loss

ROWS = 8
#: Longer than a page: a row is written in several steps.
ROW = "INSERT INTO rows VALUES (?, randomblob(5000))"
LOSSES = [(Loss.NOTHING, 0), (Loss.EVERYTHING, 0), (Loss.SOME, 1), (Loss.SOME, 2)]


class Work(NamedTuple):
    """The rows that were acknowledged, and whether a step failed."""

    acknowledged: list[int]
    failure: apsw.Error | None


def path_on(disk: Disk) -> Path:
    return disk.directory / "rows.db"


@contextmanager
def connected(path: Path, vfs: str | None, synchronous: str = "FULL") -> Iterator[apsw.Connection]:
    connection = apsw.Connection(str(path), vfs=vfs)
    try:
        if connection.execute("PRAGMA journal_mode = WAL").get != "wal":
            raise apsw.CantOpenError("the journal mode could not be changed")
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        yield connection
    finally:
        let_go(connection)


def let_go(connection: apsw.Connection) -> None:
    """Close as well as the disk allows; the layer also raises errors that SQLite ignores."""
    try:
        connection.close()
    except apsw.Error:
        connection.close(True)


def work(disk: Disk, synchronous: str = "FULL") -> Work:
    """Open, create, commit rows, copy the log back now and then, commit more, close."""
    acknowledged: list[int] = []
    try:
        with connected(path_on(disk), disk.name, synchronous) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS rows (number PRIMARY KEY, data)")
            for number in range(len(rows_in(connection)), ROWS):
                connection.execute(ROW, (number,))
                acknowledged.append(number)
                if number in {2, 5}:
                    mode = {2: "TRUNCATE", 5: "PASSIVE"}[number]
                    connection.execute(f"PRAGMA wal_checkpoint({mode})")
    except apsw.Error as failure:
        return Work(acknowledged, failure)
    return Work(acknowledged, None)


def rows_in(connection: apsw.Connection) -> list[int]:
    if not connection.table_exists(None, "rows"):
        return []
    return [row[0] for row in connection.execute("SELECT number FROM rows ORDER BY number")]


def found(path: Path, vfs: str | None = None) -> list[int]:
    """Open the files without faults, check them, and give the rows."""
    connection = apsw.Connection(str(path), vfs=vfs)
    try:
        # Nobody needs a deleted image to be safe on the real disk.
        connection.execute("PRAGMA synchronous = OFF")
        assert connection.execute("PRAGMA integrity_check").get == "ok"
        return rows_in(connection)
    finally:
        connection.close()


def after_a_cut(disk: Disk) -> Iterator[list[int]]:
    """Give the rows after cuts of several kinds."""
    image = disk.directory.parent / "image"
    for loss, seed in LOSSES:
        disk.image(image, loss, seed)
        yield found(image / "rows.db")


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[[], Path]:
    """Make a new empty directory each time."""
    numbers = iter(range(1_000_000))

    def make() -> Path:
        directory = tmp_path / str(next(numbers))
        directory.mkdir()
        return directory

    return make


def counted(directory: Path, synchronous: str = "FULL") -> list[Step]:
    """Do the work undisturbed, and give its steps."""
    with Disk(directory) as disk:
        assert work(disk, synchronous) == Work(list(range(ROWS)), None)
        assert disk.struck == []
        return disk.steps


Fresh = Callable[[], Path]


def test_steps_are_counted_and_the_same_every_time(fresh: Fresh) -> None:
    steps = counted(fresh())
    assert steps == counted(fresh())
    assert steps[0] == Step(Act.OPEN, Kind.DATABASE)
    kinds = Counter(steps)
    assert kinds[Step(Act.OPEN, Kind.JOURNAL)] == kinds[Step(Act.DELETE, Kind.JOURNAL)] == 1
    assert kinds[Step(Act.OPEN, Kind.WAL)] == kinds[Step(Act.DELETE, Kind.WAL)] == 1
    assert kinds[Step(Act.TRUNCATE, Kind.WAL)] == 1
    # Each commit syncs the log once; the two headers and the checkpoints make more syncs.
    assert kinds[Step(Act.SYNC, Kind.WAL)] > ROWS + 2
    assert len(steps) > 100


def test_a_crash_at_any_step_loses_no_acknowledged_row(fresh: Fresh) -> None:
    steps = counted(fresh())
    lengths = Counter[int]()
    for nth in range(1, len(steps) + 1):
        with Disk(fresh(), seed=nth) as disk:
            disk.crash(nth)
            acknowledged, _ = work(disk)
            # Closing fails silently: the rows were acknowledged all the same.
            assert (disk.down, disk.struck, disk.count) == (True, steps[nth - 1 : nth], nth)
            for rows in after_a_cut(disk):
                assert rows[: len(acknowledged)] == acknowledged, f"at step {nth}, {steps[nth - 1]}"
                assert rows == list(range(len(rows)))
            lengths[len(acknowledged)] += 1
    assert set(lengths) == set(range(ROWS + 1)), "the crashes struck between all rows"


@pytest.mark.parametrize("synchronous", ["NORMAL", "OFF"])
def test_the_same_crashes_find_what_is_not_synced(fresh: Fresh, synchronous: str) -> None:
    lost = broken = 0
    for nth in range(1, len(counted(fresh(), synchronous)) + 1, 3):
        with Disk(fresh(), seed=nth) as disk:
            disk.crash(nth)
            acknowledged, _ = work(disk, synchronous)
            try:
                lost += sum(not set(acknowledged) <= set(rows) for rows in after_a_cut(disk))
            except (AssertionError, apsw.Error):
                broken += 1
    assert lost > 10
    # Without any sync the file itself breaks; with a late sync of the log it does not.
    assert bool(broken) is (synchronous == "OFF")


FAULTS = [
    pytest.param({}, id="the usual answer"),
    pytest.param({"answer": Answer.FULL}, id="full"),
    pytest.param({"answer": Answer.READ_ONLY}, id="read only"),
    pytest.param({"act": Act.WRITE, "written": 20}, id="a write in part"),
    pytest.param({"act": Act.WRITE, "written": 2000, "answer": Answer.FULL}, id="full in part"),
    pytest.param({"act": Act.SYNC}, id="sync"),
    pytest.param({"act": Act.WRITE, "file": Kind.WAL, "lasting": True}, id="the log for good"),
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_at_any_step_loses_no_acknowledged_row(
    fresh: Fresh, fault: dict[str, object]
) -> None:
    steps = counted(fresh())
    matching = [
        step
        for step in steps
        if fault.get("act", step.act) == step.act and fault.get("file", step.file) == step.file
    ]
    failures = 0
    for nth in range(1, len(matching) + 1, 3):
        with Disk(fresh(), seed=nth) as disk:
            disk.fail(nth, **fault)  # type: ignore[arg-type]
            acknowledged, failure = work(disk)
            assert disk.struck
            assert not disk.down
            failures += failure is not None
            for rows in after_a_cut(disk):
                assert rows[: len(acknowledged)] == acknowledged
            disk.mend()
            assert found(path_on(disk), disk.name)[: len(acknowledged)] == acknowledged
            assert work(disk).failure is None
            for rows in after_a_cut(disk):
                assert rows == list(range(ROWS))
    assert failures > len(matching) / 6


@pytest.mark.parametrize(
    ("act", "answer"),
    [
        (Act.OPEN, apsw.CantOpenError),
        (Act.READ, apsw.IOError),
        (Act.WRITE, apsw.IOError),
        (Act.SYNC, apsw.IOError),
        (Act.TRUNCATE, apsw.IOError),
    ],
)
def test_the_usual_answer_reaches_the_caller(
    fresh: Fresh, act: Act, answer: type[apsw.Error]
) -> None:
    directory = fresh()
    counted(directory)
    with Disk(directory) as disk:
        disk.fail(act=act)
        with pytest.raises(answer):
            empty_out(disk)


def empty_out(disk: Disk) -> None:
    """Delete all rows and make the files small."""
    with connected(path_on(disk), disk.name) as connection:
        connection.execute("DELETE FROM rows")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_a_full_disk_refuses_until_there_is_room(fresh: Fresh) -> None:
    with Disk(fresh()) as disk, connected(path_on(disk), disk.name) as connection:
        connection.execute("CREATE TABLE rows (number PRIMARY KEY, data)")
        connection.execute(ROW, (0,))
        disk.room = 10_000
        with pytest.raises(apsw.FullError):
            connection.execute(ROW, (1,))
        assert disk.room == 0
        assert rows_in(connection) == [0]
        for rows in after_a_cut(disk):
            assert rows == [0]
        disk.room = 1_000_000
        connection.execute(ROW, (1,))
        for rows in after_a_cut(disk):
            assert rows == [0, 1]
        assert 0 < disk.room < 1_000_000


def test_a_read_only_disk_can_be_read_where_there_is_a_log(fresh: Fresh) -> None:
    directory = fresh()
    with Disk(directory) as disk:
        disk.fail(act=Act.DELETE, file=Kind.WAL)
        assert work(disk).acknowledged == list(range(ROWS))
        disk.read_only = True
        connection = apsw.Connection(str(path_on(disk)), vfs=disk.name)
        assert connection.readonly("main")
        assert rows_in(connection) == list(range(ROWS))
        with pytest.raises(apsw.ReadOnlyError):
            connection.execute("DELETE FROM rows")
        let_go(connection)


def test_a_read_only_disk_cannot_be_read_where_the_log_would_have_to_be_made(fresh: Fresh) -> None:
    directory = fresh()
    counted(directory)
    with Disk(directory) as disk:
        disk.read_only = True
        connection = apsw.Connection(str(path_on(disk)), vfs=disk.name)
        with pytest.raises(apsw.CantOpenError):
            rows_in(connection)
        disk.mend()
        assert rows_in(connection) == list(range(ROWS))
        let_go(connection)


def test_a_disk_that_turns_read_only_fails_what_is_open(fresh: Fresh) -> None:
    with Disk(fresh()) as disk, connected(path_on(disk), disk.name) as connection:
        connection.execute("CREATE TABLE rows (number PRIMARY KEY, data)")
        disk.read_only = True
        with pytest.raises(apsw.IOError):
            connection.execute(ROW, (0,))
        assert rows_in(connection) == []


def test_a_killed_process_leaves_what_it_wrote_and_that_is_not_yet_safe(fresh: Fresh) -> None:
    with Disk(fresh()) as disk:
        connection = apsw.Connection(str(path_on(disk)), vfs=disk.name)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE rows (number PRIMARY KEY, data)")
        disk.fail(act=Act.SYNC, answer=Answer.DOWN)
        with pytest.raises(apsw.IOError):
            connection.execute(ROW, (0,))
        disk.restart()
        with pytest.raises(apsw.IOError):
            connection.execute("CREATE TABLE others (number)")
        let_go(connection)
        reader = apsw.Connection(str(path_on(disk)), vfs=disk.name)
        assert rows_in(reader) == [0]
        # It was read back from the cache: a cut now may take it, until the log is synced.
        assert {len(rows) for rows in after_a_cut(disk)} == {0, 1}
        reader.execute("PRAGMA user_version = 1")
        assert {len(rows) for rows in after_a_cut(disk)} == {1}
        reader.close()


def test_the_same_seed_gives_the_same_image(fresh: Fresh) -> None:
    with Disk(fresh()) as disk:
        disk.crash(60)
        work(disk, "OFF")
        images = []
        for seed in (3, 3, 4):
            into = fresh()
            disk.image(into, Loss.SOME, seed)
            images.append({path.name: path.read_bytes() for path in into.iterdir()})
    assert images[0] == images[1]
    assert images[0] != images[2]


def test_a_disk_is_gone_when_it_is_left(fresh: Fresh) -> None:
    with Disk(fresh()) as disk:
        assert disk.name in apsw.vfs_names()
    assert disk.name not in apsw.vfs_names()


def test_a_fault_of_the_layer_itself_is_not_hidden(fresh: Fresh) -> None:
    with Disk(fresh()) as disk, pytest.raises(AssertionError, match="is not in"):
        apsw.Connection(str(fresh() / "rows.db"), vfs=disk.name)
