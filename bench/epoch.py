"""What it costs that every append compares the epochs of its streams, which say who owns them.

The same batches are written on the same connection, in turn with and without the comparison; the
ratio is of the medians. A batch is 64 events with their ids: of one stream, and of 20.
"""

import argparse
import asyncio
import re
import statistics
import time
from collections.abc import Sequence
from itertools import chain
from typing import Any

from bench.goals import tell

from taisai.runtime.journal.contract import SHAPE, Head, IdempotencyRecord, Record, genesis, link
from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.journal.postgres_queries import APPEND
from taisai.runtime.ownership.rows import Rows
from taisai.runtime.ownership.tenure import Taking, Terms
from tests.postgres import any_server, own_database

BATCHES = 1_500
EVENTS = 64
NOON = 1_700_000_000_000
#: About the stored size of a bet.
DATA, CAUSE, INPUT = b"d" * 90, b"c" * 110, b"i" * 32


def without_epochs(append: str) -> str:
    """Remove the comparison of epochs from the statement, with its parameters."""
    bare = re.sub(r"fenced AS MATERIALIZED \(.*?\), (?=stale)", "", append, flags=re.DOTALL)
    bare = bare.replace("UNION ALL SELECT 1 FROM fenced", "")
    bare = bare.replace(", EXISTS (SELECT FROM fenced)", ", false")
    assert "fenced" not in bare, "the statement is not as it was"
    assert "$3" not in bare, "the statement is not as it was"
    return re.sub(r"\$(\d+)", lambda found: f"${int(found[1]) - 2 * (int(found[1]) > 4)}", bare)


class Batches:
    """Batches for some streams, each the continuation of the one before."""

    def __init__(self, streams: Sequence[str]) -> None:
        self.streams = streams
        self._heads = {stream: genesis(stream) for stream in streams}

    def next(self) -> tuple[list[bytes | None], list[Record], list[IdempotencyRecord]]:
        """Make one batch: the heads of its streams, its events and their ids."""
        heads = [
            self._heads[each].hash if self._heads[each].version else None for each in self.streams
        ]
        each = EVENTS // len(self.streams)
        records = [*chain.from_iterable(self._records(stream, each) for stream in self.streams)]
        ids = [
            IdempotencyRecord(
                *(record.stream, "terminal T1", f"{record.version}", INPUT, NOON),
                *(record.version, record.version, None),
            )
            for record in records
        ]
        return heads, records, ids

    def _records(self, stream: str, count: int) -> list[Record]:
        version, hash_ = self._heads[stream]
        made = []
        for _ in range(count):
            version += 1
            hash_ = link(hash_, version, SHAPE, NOON, CAUSE, DATA)
            made.append(Record(stream, version, SHAPE, NOON, CAUSE, DATA, hash_))
        self._heads[stream] = Head(version, hash_)
        return made


async def measure(url: str, streams: int, batches: int) -> float:
    """Write batches in turn with each statement; return the ratio of the medians."""
    leases = NodeLeases("bench", ["owner"])
    journal = await PostgresJournal.open(url, node=leases)
    rows = Rows(url, leases, Terms())
    owned, bare = (
        Batches([f"table/{way}-{streams}-{number}" for number in range(streams)])
        for way in ("owned", "bare")
    )
    await rows.add(owned.streams)
    leases.epochs.update(
        await rows.take([Taking(stream, 0, None, None, None) for stream in owned.streams])
    )
    writer = journal._writer  # noqa: SLF001 - what is measured is its statement
    assert writer is not None
    without = await writer.connection.prepare(without_epochs(APPEND))

    async def append(statement: Any, made: Batches, *, epochs: bool) -> float:
        heads, records, ids = made.next()
        began = time.perf_counter()
        held = leases.held(made.streams) if epochs else ()
        [found] = await statement.fetch(made.streams, heads, *held, records, ids, 0, ())
        took = time.perf_counter() - began
        assert tuple(found) == (False, False), "a batch was not written"
        return took

    took: dict[str, list[float]] = {"with": [], "without": []}
    for number in range(batches):
        ways = [("with", writer.append, owned), ("without", without, bare)]
        for way, statement, made in ways if number % 2 else reversed(ways):
            took[way].append(await append(statement, made, epochs=way == "with"))
    await rows.close()
    await journal.close()
    # The first batches go to empty tables, and are not counted.
    medians = {way: statistics.median(each[len(each) // 5 :]) for way, each in took.items()}
    print(
        f"{EVENTS} events of {streams} streams: {medians['with'] * 1e6:,.0f} µs with epochs,"
        f" {medians['without'] * 1e6:,.0f} µs without"
    )
    return medians["with"] / medians["without"]


async def main(url: str, batches: int) -> None:
    """Measure batches of one stream, and of twenty."""
    tell("epoch", await measure(url, 1, batches))
    tell("epochs", await measure(url, 20, batches))


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--batches", type=int, default=BATCHES)
    asked = options.parse_args()
    with any_server() as server, own_database(server) as address:
        asyncio.run(main(address, asked.batches))
