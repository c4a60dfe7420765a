"""Files deleted, moved or replaced under a running venue: then no answer says registered."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from taisai.core.rules.reason import Refusal
from taisai.core.table.round import OpenBets
from taisai.runtime.answers import Registered
from taisai.runtime.journal.contract import ReplacedError
from taisai.runtime.journal.sqlite import SqliteJournal
from tests.contract.journals import adding, everything, head_after
from tests.kit.floor import Floor, keys, run
from tests.kit.people import DEALER

LOG = "journal-wal"
#: Another program: it tries to have the file alone, then reads it with the SQLite that Python has,
#: which takes the log away with it if it believes to be the last.
GUEST = """
import fcntl, os, sqlite3, sys
file = os.open(sys.argv[1], os.O_RDWR)
try:
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    print("alone")
except BlockingIOError:
    print("not alone")
os.close(file)
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT count(*) FROM events").fetchone()[0])
connection.close()
"""


def log_deleted(file: Path) -> None:
    file.with_name(LOG).unlink()


def log_replaced(file: Path) -> None:
    log = file.with_name(LOG)
    shutil.copy(log, log.with_name("copy"))
    log.with_name("copy").replace(log)


def file_deleted(file: Path) -> None:
    file.unlink()


def file_replaced(file: Path) -> None:
    shutil.copy(file, file.with_name("copy"))
    file.with_name("copy").replace(file)


def directory_moved(file: Path) -> None:
    file.parent.rename(file.parent.with_name("elsewhere"))


@pytest.mark.parametrize(
    "attack", [log_deleted, log_replaced, file_deleted, file_replaced, directory_moved]
)
def test_no_bet_is_registered_in_a_file_that_is_not_the_one_opened(
    tmp_path: Path, attack: Callable[[Path], None]
) -> None:
    file = tmp_path / "data" / "journal"
    file.parent.mkdir()

    async def play() -> None:
        floor = await Floor.open(file, keys())
        await floor.found()
        for table in ("T1", "T2"):
            stream = await floor.add_table(table)
            await floor.do(stream, DEALER, OpenBets())
        assert isinstance(await floor.bet("T1", "T1-1", "small", 500), Registered)
        attack(file)
        answer = await floor.bet("T1", "T1-2", "small", 500)
        assert isinstance(answer, Refusal)
        assert answer.code == "RETRY"
        # Not only the table with the bet: every stream, at once.
        suspended = floor.venue.suspended()
        assert suspended.keys() == {"venue", "cage", "table/T1", "table/T2"}
        assert "under the running venue" in suspended["table/T2"]
        assert "put the file back" in (await floor.venue.resume("table/T1") or "")
        await floor.venue.stop()

    run(play())


def test_what_was_registered_before_its_log_was_deleted_is_saved_from_it(tmp_path: Path) -> None:
    file = tmp_path / "journal"

    async def save() -> None:
        journal = await SqliteJournal.open(file)
        first = adding("cage", b"one")
        await journal.write([first])
        file.with_name(LOG).unlink()
        second = adding("cage", b"two", after=head_after(first))
        with pytest.raises(ReplacedError, match="under the running venue"):
            await journal.write([second])
        with pytest.raises(ReplacedError):
            await journal.write([second])
        # As if the process had been killed here: its open files are not closed first.
        copy = tmp_path / "copy"
        shutil.copy(file, copy)
        left = await SqliteJournal.open(copy)
        assert [record.data for record in await everything(left, "cage")][:1] == [b"one"]
        await left.close()
        await journal.close()

    run(save())


def test_another_program_that_opens_the_journal_and_closes_it_takes_nothing_away(
    tmp_path: Path,
) -> None:
    file = tmp_path / "journal"

    def visit() -> list[str]:
        guest = [sys.executable, "-c", GUEST, str(file)]
        done = subprocess.run(guest, capture_output=True, check=True, text=True, timeout=120)
        return done.stdout.split()

    async def work() -> None:
        await (await SqliteJournal.open(file)).close()
        journal = await SqliteJournal.open(file)
        first = adding("cage", b"one")
        await journal.write([first])
        assert visit() == ["not", "alone", "1"]
        second = adding("cage", b"two", after=head_after(first))
        await journal.write([second])
        await journal.reopen()
        assert visit() == ["not", "alone", "2"]
        await journal.write([adding("cage", b"three", after=head_after(second))])
        assert len(await everything(journal, "cage")) == 3
        await journal.close()

    run(work())
