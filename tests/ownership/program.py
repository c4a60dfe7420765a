"""A node in a process of its own: real leases, a real journal, and tables as simple as possible.

It reads commands from its standard input, a stream and an id to a line, and reports in lines of
JSON which streams it opened and shut, and which commands are durable. It writes no seals: those
belong to one writer.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from functools import partial

import msgspec

from taisai.runtime.journal.contract import Append, Checkpoint, Outcome, Sealing
from taisai.runtime.journal.lease import NodeLeases
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.ownership.ownership import Ownership
from taisai.runtime.ownership.rows import Rows
from taisai.runtime.ownership.tenure import Tenure, Terms
from tests.ownership.tables import Tables


class Unsealed(PostgresJournal):
    """A journal that writes no seals."""

    async def write(
        self,
        appends: Sequence[Append],
        checkpoint: Checkpoint | None = None,
        sealing: Sealing | None = None,  # noqa: ARG002 - that is the point
    ) -> list[Outcome]:
        """Write a batch."""
        return await super().write(appends, checkpoint)


class Node(Tables):
    """The tables of this process."""

    def __init__(self, url: str, leases: NodeLeases, journal: PostgresJournal) -> None:
        terms = Terms()
        rows = Rows(url, leases, terms)
        tenure = Tenure(leases.node, terms, leases.epochs)
        super().__init__(
            leases.node,
            Ownership(tenure, rows, self, terms, time.monotonic),
            journal,
            time.monotonic,
        )
        self.on_open = lambda *opened: say("opened", *opened)
        # A reason may be a sentence with blanks: here it is plain text.
        self.on_shut = lambda stream, why: say("shut", stream, why[:])

    async def listen(self) -> None:
        """Carry out the commands, line by line."""
        loop, lines = asyncio.get_running_loop(), asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
        while line := await lines.readline():
            stream, id_ = line.decode().split()
            self.submit(stream, id_, partial(say, "told", stream, id_))


def say(*said: object) -> None:
    """Write a report to the parent process."""
    sys.stdout.write(msgspec.json.encode(said).decode() + "\n")
    sys.stdout.flush()


async def main(url: str, name: str) -> None:
    """Run a node until the input ends."""
    leases = NodeLeases(name, ["owner"])
    journal = await Unsealed.open(url, node=leases)
    node = Node(url, leases, journal)
    say("ready")
    beating = asyncio.create_task(node.ownership.run())
    await node.listen()
    beating.cancel()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
