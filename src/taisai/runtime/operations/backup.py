"""Backups: a whole copy of a journal, made while the venue runs, and restored where there is none.

A backup is always a journal file, whatever the backend of the journal: it can be verified, read and
restored like any other. Nothing is ever overwritten.

Two persons restore one, and are recorded in the journal itself [D14]. Events after the backup are
lost to the journal, but people have seen them: dice were shown, vouchers were printed. So no table
goes on with the secrets it had, and the cage leaves serials out.
"""

import asyncio
import os
import secrets
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import apsw

from taisai.core.cage.state import CageState
from taisai.core.cage.vouchers import SkipSerials
from taisai.core.errors import SentenceError
from taisai.core.kernel.messages import Actor, Instant, Order
from taisai.core.kernel.names import same_person
from taisai.core.rules.reason import Refusal
from taisai.core.table.provably_fair import AbandonChain
from taisai.core.table.state import Chain, TableState
from taisai.core.venue.setup import RestoreVenue
from taisai.runtime.journal.anchor import AnchorError
from taisai.runtime.journal.backends import opened_journal
from taisai.runtime.journal.contract import Append, Checkpoint, Journal, Progress
from taisai.runtime.journal.location import is_address
from taisai.runtime.journal.sqlite import read_connection
from taisai.runtime.keys.files import put_new, sync_path
from taisai.runtime.keys.signing import VenueKeys, person
from taisai.runtime.operations.offline_admin import (
    Alone,
    End,
    decided,
    end_of,
    read_alone,
    renew_anchor,
    time_alone,
    write_unanchored,
)
from taisai.runtime.streams import VENUE
from taisai.wording import say

#: So many pages of the file are copied at a time; progress is reported in between.
_PAGES = 2_000
_MODE = 0o600


class BackupError(SentenceError):
    """A backup cannot be made or restored; the sentence says why."""


async def back_up(where: str | Path, target: Path, progress: Progress = lambda _, __: None) -> None:
    """Copy a journal as it is at this moment to a new file."""
    # Opened as a journal first, so that nothing else is copied as a backup.
    async with opened_journal(where, read_only=True):
        pass
    with _beside(target) as beside:
        if is_address(where):
            # Not at the top: what it imports is needed only with a database.
            from taisai.runtime.journal.migration import export_postgres  # noqa: PLC0415

            await export_postgres(str(where), beside, progress)
        else:
            await _copy(Path(where), beside, progress)


async def restore(
    file: Path,
    where: str | Path,
    then: Callable[[Journal], Awaitable[None]],
    progress: Progress = lambda _, __: None,
) -> None:
    """Put a backup where there is no journal yet; the caller has checked that it is sound.

    `then` is called with a copy before that gets its name, or is written to the database, so that
    nothing is ever there without what `then` has written.
    """
    if not is_address(where):
        with _beside(Path(where)) as beside:
            await _copy_and(file, beside, then, progress)
        return
    await _begin_empty(str(where))
    from taisai.runtime.journal.migration import import_postgres  # noqa: PLC0415 - as above

    with _aside() as copy:
        await _copy_and(file, copy, then, lambda done, of: progress(done, 2 * of))
        await import_postgres(copy, str(where), lambda done, of: progress(of + done, 2 * of))


async def _copy_and(
    file: Path, target: Path, then: Callable[[Journal], Awaitable[None]], progress: Progress
) -> None:
    await _copy(file, target, progress)
    async with opened_journal(target) as journal:
        await then(journal)


@contextmanager
def _aside() -> Iterator[Path]:
    """Give a file to write that only its owner may read, and delete it at the end."""
    try:
        # What cannot be deleted is left: it must not make a restore that is done fail.
        folder = tempfile.TemporaryDirectory(prefix="taisai-restore-", ignore_cleanup_errors=True)
    except OSError as error:
        raise BackupError(
            f"there is no place for a copy of the backup: {error.strerror or error}; name a"
            " directory for temporary files with TMPDIR"
        ) from None
    with folder:
        yield Path(folder.name, "journal.sqlite")


async def _begin_empty(address: str) -> None:
    """Begin a journal in a database, and refuse one that is not empty."""
    async with opened_journal(address) as journal:
        if await journal.heads() or await journal.checkpoints(newest=1):
            raise BackupError(
                "the database holds a journal already, and nothing is written over; name another"
            )


async def _copy(source: Path, target: Path, progress: Progress) -> None:
    try:
        await asyncio.to_thread(_copy_pages, source, target, progress)
    except apsw.FullError:
        raise BackupError(f"there is no room in {target.parent} for a copy of {source}") from None
    except apsw.Error as error:
        raise BackupError(f"{source} cannot be copied: {error}") from error


def _copy_pages(source: Path, target: Path, progress: Progress) -> None:
    """Copy page by page what a reader sees at one moment, without delaying the writer."""
    reader = read_connection(source)
    writer = apsw.Connection(str(target))
    try:
        reader.set_busy_timeout(5_000)
        # One read transaction does not see later writes, so the copy need not restart.
        reader.execute("BEGIN; SELECT count(*) FROM sqlite_schema").fetchall()
        with writer.backup("main", reader, "main") as copying:
            while not copying.done:
                copying.step(_PAGES)
                progress(copying.page_count - copying.remaining, copying.page_count)
        # Without a log beside it, so that it can be read from a read-only disk.
        writer.execute("PRAGMA journal_mode = DELETE").fetchall()
    finally:
        writer.close()
        reader.close()


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """Give a file to write, and put it in place when complete; an existing file stays."""
    refuse_taken(target)
    beside = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    try:
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE))
        yield beside
        log = beside.with_name(f"{beside.name}-wal")
        assert not log.exists() or not log.stat().st_size, "what was written is in the file itself"
        sync_path(beside)
        put_new(beside, target)
        sync_path(target.parent)
    except FileExistsError:
        raise _taken(target) from None
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror or error}") from None
    finally:
        for leftover in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                beside.with_name(f"{beside.name}{leftover}").unlink()


def refuse_taken(target: Path) -> None:
    """Refuse a place that is taken, or that cannot be written."""
    if target.exists() or target.is_symlink():
        raise _taken(target)
    for leftover in (f"{target.name}-wal", f"{target.name}-journal"):
        if target.with_name(leftover).exists():
            raise BackupError(
                f"{target.with_name(leftover)} belongs to a journal that was {target.name};"
                " put it away first, or name another place"
            )
    if not target.parent.is_dir():
        raise BackupError(f"{target} cannot be written: there is no directory {target.parent}")


def _taken(target: Path) -> BackupError:
    return BackupError(f"{target} is there already, and nothing is written over; name another")


# --- restoring by two persons --------------------------------------------------------------------


_RESTORER = Actor("restore", "system")

#: So many serials of vouchers are left out: more than a venue prints between two backups (one a
#: second for more than eleven days). Serials never run out, so the gap costs nothing.
SERIALS_SKIPPED = 1_000_000

Restoring = RestoreVenue | AbandonChain | SkipSerials


class Persons(NamedTuple):
    """The two persons who restore a venue."""

    by: str
    second: str


def two_persons(by: str, second: str) -> Persons:
    """Take two names, or refuse one person under two names [D14]."""
    persons = Persons(person(by), person(second))
    if same_person(*persons):
        raise BackupError(
            f"restoring a backup takes two different persons; {persons.by} was named twice"
        )
    return persons


async def restore_by(  # noqa: PLR0913 - what, where, by whom, in whose name
    file: Path,
    where: str | Path,
    persons: Persons,
    now: Instant,
    keys: VenueKeys,
    *,
    progress: Progress = lambda _, __: None,
    anchor: Path | None = None,
) -> int:
    """Restore a backup and record the two persons; give the version of that event.

    The anchor, which is from after the backup, is set anew, but only once the journal is in its
    place: if the restore fails, the journal that the anchor is of may still be there.

    If the venue was never opened nothing is recorded, and the version is zero.
    """
    recorded: list[tuple[Alone, _Recorded]] = []

    async def record(journal: Journal) -> None:
        alone = await read_alone(journal, keys, anchor, renewed=True)
        recorded.append((alone, await _record(alone, persons, await _time(where, alone, now))))

    await restore(file, where, record, progress)
    alone, (version, signed) = recorded[0]
    if signed is not None:
        try:
            renew_anchor(alone, signed)
        except AnchorError as error:
            raise BackupError(
                f"the journal is restored, but not its anchor: {error}; mend that, take the"
                " journal away, and restore the backup again"
            ) from None
    return version


class _Recorded(NamedTuple):
    """The version of the event that says who restored, and the checkpoint signed after it."""

    version: int = 0
    signed: Checkpoint | None = None


async def _time(where: str | Path, alone: Alone, now: Instant) -> Instant:
    """Give the venue's time: in a database by its clock, also for what is still in a copy."""
    if not is_address(where):
        return await time_alone(alone, now)
    async with opened_journal(where, read_only=True) as database:
        return await time_alone(alone._replace(journal=database), now)


async def _record(alone: Alone, persons: Persons, at: Instant) -> _Recorded:
    """Record in the venue's stream who restored it, and in the others what follows from that.

    The persons who restore have the venue's keys: these events are sealed and signed.
    """
    journal, started = alone.journal, alone.started
    checkpoint = 0 if started.newest is None else started.newest.number
    runtime = await end_of(journal, VENUE)
    if not runtime.state.currency:
        return _Recorded()
    appends = [_append(runtime, RestoreVenue(*persons, checkpoint), at)]
    note = f"restored from a backup up to checkpoint {checkpoint}"
    for stream in sorted(await journal.heads()):
        if stream != VENUE:
            end = await end_of(journal, stream)
            command = _due(end.state, persons, note)
            if command is not None:
                appends.append(_append(end, command, at))
    return _Recorded(runtime.head.version + 1, await write_unanchored(alone, appends, at))


def _due(state: object, persons: Persons, note: str) -> AbandonChain | SkipSerials | None:
    """Give the command that keeps a stream from repeating itself after the restore, if any.

    Secrets that were revealed after the backup are known, and so are their dice; and vouchers
    printed since then have serials that the restored cage would issue again.
    """
    match state:
        case TableState(chain=Chain(used_up=False)):
            return AbandonChain(*persons, note)
        case CageState(currency=str(currency), serial=serial) if currency:
            return SkipSerials(serial + SERIALS_SKIPPED, *persons, note)
        case _:
            return None


def _append(end: End, command: Restoring, at: Instant) -> Append:
    """Decide a command on a stream, and chain its events."""
    append = decided(end, Order(f"restore-{end.head.version}", _RESTORER, command), at)
    if isinstance(append, Refusal):
        raise BackupError(f"the restore cannot be put on record: {say(append.reason)}")
    return append
