"""Reading a stream's events back from the journal, for the figures that are made from them."""

import asyncio
from collections.abc import Callable

import msgspec

from taisai.projections.figures.days import Dates, GamingDays
from taisai.projections.figures.digests import WANTED, noted
from taisai.projections.figures.drawer import Drawer
from taisai.projections.figures.tally import Tally
from taisai.runtime.journal.contract import Journal
from taisai.runtime.records.entries import event_of, names, type_of
from taisai.runtime.streams import CAGE

_WANTED = names(*WANTED)

#: What a stream is folded into: the figures of a table, or the drawer of the cage.
Fold = Tally | Drawer


def begin_fold(stream: str, gaming_days: GamingDays, wanted: Dates | None = None) -> Fold:
    """Begin the figures of a stream."""
    return Drawer() if stream == CAGE else Tally(gaming_days, wanted=wanted)


def unpack_fold(stream: str, data: bytes | msgspec.Raw, gaming_days: GamingDays) -> Fold:
    """Take up figures that another process has made."""
    return Drawer.unpack(data) if stream == CAGE else Tally.unpack(data, gaming_days)


async def read_fold(
    journal: Journal, stream: str, upto: int, progress: Callable[[int, int], None], fold: Fold
) -> None:
    """Fold a stream up to a version; `progress` is given how far it is, of how much."""
    async for page in journal.read(stream, upto=upto):
        for record in page:
            if type_of(record) in _WANTED:
                event = noted(event_of(record))
                assert event is not None, "what is wanted is noted"
                fold.note(event, record.at)
        progress(page[-1].version, upto)
        # Others have their turn between pages.
        await asyncio.sleep(0)
