"""A venue in a process of its own, to be killed: `python -m tests.faults.killing.program`.

It is given two descriptors: a socket for commands and answers, and a pipe to ring on. It waits for
its settings before it opens anything, so that the next venue can be ready while this one lives.
"""

import asyncio
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from taisai.core.cage.vouchers import SellVoucher
from taisai.core.kernel.messages import Order
from taisai.runtime import writer as table_writer
from taisai.runtime.answers import Registered, sender_of
from taisai.runtime.journal import group_commit as committing
from taisai.runtime.journal import sqlite
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.contract import Append
from taisai.runtime.keys.directory import load_keys
from taisai.runtime.runtime import Runtime
from tests.faults.killing.lines import (
    Asked,
    Printed,
    Ready,
    Settings,
    Stop,
    Told,
    line,
    read_asked,
    read_settings,
)
from tests.faults.killing.places import Board, Place
from tests.faults.killing.staff import TABLES, Staff
from tests.faults.killing.watched import BROKEN, WatchedJournal

#: Far more often than a venue does these, so that kills find them under way.
CHECKPOINT_EVERY = 700
SNAPSHOT_EVERY = 400
WAL_PAGES, WAL_PAGES_LEFT = 100, 20

_Key = tuple[str, str, str]


class Hatch:
    """Takes commands and sends answers; it shows on the board how many are at which stage."""

    def __init__(self, board: Board, outside: asyncio.StreamWriter) -> None:
        self._board = board
        self._outside = outside
        self._out: list[tuple[bytes, _Key | None]] = []
        self._some = asyncio.Event()
        #: How often each command was sent that is waiting, and that is durable and not answered.
        self._waiting: dict[_Key, int] = {}
        self._owed: dict[_Key, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, venue: Runtime, inside: asyncio.StreamReader) -> None:
        """Take commands until there are no more, or the venue is to stop."""
        while asked := await inside.readline():
            question = read_asked(asked)
            if isinstance(question, Stop):
                return
            self._count(self._waiting, _key(question), 1)
            self._show()
            task = asyncio.get_running_loop().create_task(self._answer(venue, question))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        # The sender is gone, and there is nobody left to answer.
        os._exit(0)

    async def _answer(self, venue: Runtime, asked: Asked) -> None:
        order = asked.order
        answer = await venue.submit(asked.stream, order)
        if isinstance(answer, Registered):
            sold = isinstance(order.command, SellVoucher)
            number = venue.cage.number_for(order) if sold else None
            told = Told(asked.number, answer.first, answer.last, answer.at, voucher=number)
        else:
            told = Told(asked.number, refused=answer.code)
        self.say(line(told), _key(asked))

    def say(self, said: bytes, key: _Key | None = None) -> None:
        """Queue a line to be sent."""
        self._out.append((said, key))
        self._some.set()

    async def send(self) -> None:
        """Send the queued lines; they count as sent when all have left the process."""
        self._outside.transport.set_write_buffer_limits(0)
        while True:
            await self._some.wait()
            self._some.clear()
            out, self._out = self._out, []
            self._outside.write(b"".join(said for said, _ in out))
            await self._outside.drain()
            for _, key in out:
                if key is not None:
                    self._count(self._owed if key in self._owed else self._waiting, key, -1)
            self._show()

    def durable(self, appends: Sequence[Append]) -> None:
        """Note that commands have become durable, and that their answers are owed."""
        for append in appends:
            for kept in append.commands:
                key = kept[:3]
                asked = self._waiting.pop(key, 0)
                if asked:
                    self._count(self._owed, key, asked)
        self._show()

    def _count(self, counts: dict[_Key, int], key: _Key, by: int) -> None:
        count = counts.get(key, 0) + by
        if count > 0:
            counts[key] = count
        else:
            counts.pop(key, None)

    def _show(self) -> None:
        self._board.waiting, self._board.owed = len(self._waiting), len(self._owed)


def _key(asked: Asked) -> _Key:
    return asked.stream, sender_of(asked.order), asked.order.id


class Life:
    """One life of the venue, from the opening of its journal to a kill or a stop in order."""

    def __init__(self, settings: Settings, hatch: Hatch, board: Board, ring: int) -> None:
        self._settings = settings
        self._hatch = hatch
        self._board = board
        self._ring = ring

    async def open(self) -> Runtime:
        """Open the venue; all of that is recovery."""
        self._board.recovering = True
        keys_at = Path(self._settings.keys)
        keys = load_keys(keys_at)
        self._visit(Place.RECOVERY)
        # As a venue does: it holds a database by a lease, even after it was killed.
        journal = await open_journal(self._settings.journal, data=keys_at)
        self._visit(Place.RECOVERY)
        if self._settings.broken is not None:
            journal = BROKEN[self._settings.broken](journal)
        watched = WatchedJournal(journal, self._visit, self._show_commit, self._hatch.durable)
        venue = await Runtime.open(watched, keys)
        venue.transfers.printed = lambda _, __, order: self._print(venue, order)
        self._visit(Place.RECOVERY)
        self._board.recovering = False
        return venue

    def _visit(self, place: Place) -> None:
        """Visit a place; while the venue recovers, every place is recovery."""
        if self._board.recovering:
            self._board.visit(Place.RECOVERY, self._do_ring)
        elif place is not Place.RECOVERY:
            self._board.visit(place, self._do_ring)

    def _show_commit(self, under_way: bool) -> None:
        self._board.committing = under_way

    def _do_ring(self) -> None:
        os.write(self._ring, b"!")

    def _print(self, venue: Runtime, order: Order) -> None:
        number = venue.cage.number_for(order)
        if number is not None:
            self._hatch.say(line(Printed(number)))


async def live(conversation: socket.socket, ring: int) -> None:
    """Live until killed, or told to stop."""
    inside, outside = await asyncio.open_connection(sock=conversation)
    first = await inside.readline()
    if not first:
        return
    settings = read_settings(first)
    board = Board.open(Path(settings.board))
    hatch = Hatch(board, outside)
    venue = await Life(settings, hatch, board, ring).open()
    staff = Staff(venue, board, settings.seed)
    await staff.set_up()
    async with asyncio.TaskGroup() as group:
        working = [group.create_task(staff.deal(table)) for table in TABLES]
        working.append(group.create_task(hatch.send()))
        hatch.say(line(Ready()))
        await hatch.serve(venue, inside)
        for task in working:
            task.cancel()
    await venue.stop()
    outside.close()


def main() -> None:
    """Run with the given descriptors."""
    conversation, ring = (int(given) for given in sys.argv[1:3])
    committing.CHECKPOINT_EVERY = CHECKPOINT_EVERY
    table_writer.SNAPSHOT_EVERY = SNAPSHOT_EVERY
    sqlite.WAL_PAGES, sqlite.WAL_PAGES_LEFT = WAL_PAGES, WAL_PAGES_LEFT
    asyncio.run(live(socket.socket(fileno=conversation), ring))


if __name__ == "__main__":
    main()
