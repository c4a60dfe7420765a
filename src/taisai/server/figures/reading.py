"""Reading a table's events back from the journal, for its tally."""

import asyncio
from collections.abc import Callable

from taisai.runtime.journal.contract import Journal
from taisai.runtime.records.reading import event_of, names, type_of
from taisai.server.figures.noting import WANTED, noted
from taisai.server.figures.tally import Tally

_WANTED = names(*WANTED)


async def read_tally(
    journal: Journal, stream: str, upto: int, told: Callable[[int, int], None]
) -> Tally:
    """Tally a table up to a version; `told` is given how far it is, of how much."""
    tally = Tally()
    async for page in journal.read(stream, upto=upto):
        for record in page:
            if type_of(record) in _WANTED:
                event = noted(event_of(record))
                assert event is not None, "what is wanted is noted"
                tally.note(event, record.at)
        told(page[-1].version, upto)
        # Others have their turn between pages.
        await asyncio.sleep(0)
    return tally
