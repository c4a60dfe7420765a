"""Which kind of venue a journal is of: a demo opens only as a demo, a real one never does."""

from pathlib import Path

from taisai.core.venue.setup import VenueOpened
from taisai.runtime.journal.contract import Journal
from taisai.runtime.keys import VenueKeys, create_keys, load_keys
from taisai.runtime.recovery import StartupError
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE, kind_of
from taisai.server.settings import Settings, is_loopback


async def check_journal(journal: Journal, settings: Settings) -> None:
    """Refuse a demo on the network, a demo journal without a demo, and a real one with it.

    The first event of the venue's own stream says which it is; nothing is written before that.
    """
    if settings.demo and not is_loopback(settings.host):
        raise StartupError(
            "a demo venue lets anybody in, so it is on a loopback address alone, like 127.0.0.1;"
            f" {settings.host} is none"
        )
    for record in await journal.records(VENUE, range(1, 2)):
        opened = kind_of(VENUE).read(record)
        demo = isinstance(opened, VenueOpened) and opened.demo
        if demo and not settings.demo:
            raise StartupError(
                f"the journal of {settings.data} is of a demo venue, and opens with --demo alone;"
                " name another directory for a real venue"
            )
        if settings.demo and not demo:
            raise StartupError(
                f"the journal of {settings.data} is of a real venue, and never opens with --demo;"
                " name another directory for a demo"
            )


def check_mode(runtime: Runtime, settings: Settings) -> None:
    """Refuse a real venue in which nobody could log in; it is founded by now, and waits for them.

    The journal was checked before it was opened.
    """
    assert runtime.state.demo == settings.demo, "the first event says which kind of venue it is"
    if not settings.demo and not runtime.state.staff:
        raise StartupError(
            f"the venue in {settings.data} has nobody on its staff yet, so nobody could log in;"
            f" engage the first by two persons: taisai staff add {settings.data} --person NAME"
            " --role shift-manager --by NAME --second NAME"
        )


def demo_keys(directory: Path) -> VenueKeys:
    """Load the keys of a demo venue, or make them where there are none."""
    if not directory.exists():
        directory.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        create_keys(directory)
    return load_keys(directory)
