"""Opens the data of a venue: keys, journal and runtime, a demo's and a real one's apart."""

from contextlib import AbstractContextManager
from pathlib import Path

from taisai.core.venue.setup import VenueOpened
from taisai.runtime.journal.anchor import default_anchor
from taisai.runtime.journal.backends import open_journal, opened_journal
from taisai.runtime.journal.contract import Journal, NotAJournalError
from taisai.runtime.journal.location import JOURNAL_FILE, shown_place
from taisai.runtime.keys.directory import create_keys, opened_keys
from taisai.runtime.keys.signing import VenueKeys
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.runtime.recovery import StartupError
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE, kind_of
from taisai.server.setting_checks import check_demo_host
from taisai.server.settings import Settings


async def open_runtime(settings: Settings, keys: VenueKeys) -> Runtime:
    """Open the journal of a venue, if it is of the right kind, and its runtime."""
    where = settings.journal or settings.data / JOURNAL_FILE
    journal: Journal = await open_journal(where, data=settings.data)
    try:
        await check_journal(journal, settings)
        directory = settings.anchor or default_anchor(settings.data / KEYS_DIRECTORY)
        return await Runtime.open(journal, keys, copy_to=settings.copy_to, anchor=directory)
    except BaseException:
        await journal.close()
        raise


def keys_of(
    settings: Settings, elsewhere: Path | None = None, *, is_begun: bool
) -> AbstractContextManager[VenueKeys]:
    """Open the keys of a venue; those of a demo that has not begun are made if there are none."""
    directory = elsewhere or settings.data / KEYS_DIRECTORY
    if is_begun and not directory.exists():
        raise StartupError(
            f"there are no keys in {directory}, and the journal was begun with some; put those of"
            " the venue there, or name the directory where they are"
        )
    if settings.demo:
        make_demo_keys(directory)
    return opened_keys(directory, None if settings.demo else settings.passphrase)


async def look_at_journal(settings: Settings) -> bool:
    """Say whether anything was signed in a database; refuse that of a venue of the other kind.

    Nothing is written.
    """
    assert settings.journal, "nodes share a database"
    try:
        async with opened_journal(settings.journal, read_only=True) as journal:
            await check_journal(journal, settings)
            return bool(await journal.checkpoints(newest=1))
    except NotAJournalError:
        # Either there is none yet, or it is refused with a reason when it is opened.
        return False


async def check_journal(journal: Journal, settings: Settings) -> None:
    """Refuse a demo on the network, a demo's journal without `--demo`, and a real one with it.

    The first event of the venue's own stream says which it is; nothing is written before that.
    """
    check_demo_host(settings)
    if settings.journal:
        where, another = shown_place(settings.journal), "database"
    else:
        where, another = f"the journal of {settings.data}", "directory"
    for record in await journal.records(VENUE, range(1, 2)):
        opened = kind_of(VENUE).read(record)
        demo = isinstance(opened, VenueOpened) and opened.demo
        if demo and not settings.demo:
            raise StartupError(
                f"{where} is of a demo venue, and opens with --demo alone (nodes: demo = true);"
                f" name another {another} for a real venue"
            )
        if settings.demo and not demo:
            raise StartupError(
                f"{where} is of a real venue, and never opens with --demo (nodes: demo = true);"
                f" name another {another} for a demo"
            )


def make_demo_keys(directory: Path) -> None:
    """Make the keys of a demo venue if there are none."""
    if not directory.exists():
        directory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        create_keys(directory)
