"""What a durable bet costs: decided, posted, chained, on disk and answered; with references.

The reference takes the same bytes, with as many in flight, encodes, chains and inserts them with
apsw, synced, with unique ids, grouped the same way, but without a game. A second reference writes
and syncs a preallocated file in groups as large as the venue's; a third is what a team would write
first, one SQLAlchemy transaction per bet. Then PostgreSQL is compared with SQLite. What is compared
is measured in turn, in one process, on the loop that a venue runs on.
"""

import argparse
import asyncio
import gc
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

import apsw
import msgspec
import sqlalchemy as sql
import uvloop
from bench.goals import tell
from bench.long_journal import write_long

import taisai
from taisai.core.kernel.messages import Actor, BoxStake, Command, Order
from taisai.core.table.betting import BetsRegistered, PlaceBets
from taisai.core.table.round import (
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    Settle,
)
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.answers import Answer, Registered, cause_of, input_of, sender_of
from taisai.runtime.journal import sqlite
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.contract import SHAPE, genesis, link
from taisai.runtime.keys.signing import fresh_keys
from taisai.runtime.operations.memory import look_after_memory
from taisai.runtime.operations.process import prepare
from taisai.runtime.runtime import Runtime
from tests.postgres import any_server, own_database

RUNS = 7
IN_FLIGHT = (64, 1_000)
#: SQLite again, in turn with PostgreSQL.
BESIDE = "SQLite again"
BETS = 20_000
SLOW_BETS = 500
TERMINALS = 1_000
STAKE = 1_000
STREAM = "table/T1"
#: An id begins with the time it was made: about so many bets are sent in a millisecond.
IDS_PER_MS = 50
#: Ids name the seal of their batch; the references have no seals.
BATCH = 0

_clock = time.perf_counter
_encode = msgspec.json.Encoder().encode


def orders(count: int, seed: int) -> list[Order]:
    """Make orders of one bet each, with ids as if IDS_PER_MS of them were sent in a millisecond."""
    source = random.Random(seed)  # noqa: S311 - a seeded workload, nothing secret
    boxes, now = list(taisai.pay_table("ts6/2").boxes), time.time_ns() // 1_000_000
    made = []
    for number in range(count):
        terminal = f"T1-{source.randrange(TERMINALS)}"
        bets = (BoxStake(source.choice(boxes), STAKE),)
        actor = Actor(terminal, "terminal")
        id_ = f"{now + number // IDS_PER_MS}-{seed}-{number}"
        made.append(Order(id_, actor, PlaceBets(terminal, bets)))
    return made


# --- the venue -----------------------------------------------------------------------------------


@asynccontextmanager
async def venue_at(where: str | Path) -> AsyncIterator[Runtime]:
    """Open a venue whose first table takes bets."""
    journal, keys = await open_journal(where), fresh_keys(0)
    await write_long(journal, keys, 1, tables=1, terminals=TERMINALS)
    venue = await Runtime.open(journal, keys)
    # The prepared journal has old times; the bets use the machine's clock [D35].
    venue.timekeeper.watch(demo=True)
    prepare()
    yield venue
    await venue.stop()


async def deal(venue: Runtime, *commands: Command) -> None:
    """Give the dealer's commands before and after the bets."""
    for command in commands:
        id_ = f"{venue.clock.now()}-{type(command).__name__}"
        order = Order(id_, Actor("dan", "dealer"), command)
        answer = await venue.submit(STREAM, order)
        assert isinstance(answer, Registered), answer


async def bet_all(venue: Runtime, bets: Sequence[Order], in_flight: int) -> tuple[float, float]:
    """Send all bets, so many at a time; return bets per second and bets per commit."""
    waiting, batches, left = iter(bets), venue.committer.batches, len(bets)
    done = asyncio.Event()

    def next_bet(answer: Answer | None) -> None:
        nonlocal left
        if answer is not None:
            assert type(answer) is Registered, answer
            left -= 1
            if not left:
                done.set()
        order = next(waiting, None)
        if order is not None:
            venue.submit_then(STREAM, order, next_bet)

    began = _clock()
    for _ in range(in_flight):
        next_bet(None)
    await done.wait()
    rate = len(bets) / (_clock() - began)
    return rate, len(bets) / (venue.committer.batches - batches)


async def round_of(venue: Runtime, bets: Sequence[Order], in_flight: int) -> tuple[float, float]:
    """Play a round with all these bets; only the bets are measured."""
    await deal(venue, OpenBets())
    gc.collect()
    measured = await bet_all(venue, bets, in_flight)
    entered = EnterResult((1, 2, 3))
    await deal(venue, CloseBets(bell=True), RecordTumble(3), entered)
    await deal(venue, ConfirmResult(), Settle())
    return measured


# --- the references ------------------------------------------------------------------------------


_Row = tuple[str | int | bytes | None, ...]


class BareJournal:
    """The reference: encodes, chains and inserts the same bytes in group commits, with no game."""

    def __init__(self, file: Path) -> None:
        self._connection = apsw.Connection(str(file))
        self._connection.execute("PRAGMA journal_mode = WAL").get  # noqa: B018 - read to its end
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute(sqlite.TABLES)
        self._thread = ThreadPoolExecutor(1)
        self._version, self._before = 0, genesis(STREAM).hash
        self._rows: list[_Row] = []
        self._ids: list[_Row] = []
        self._tell: list[Callable[[None], None]] = []
        self._task: asyncio.Task[None] | None = None
        self.batches = 0

    def add(self, order: Order, tell: Callable[[None], None]) -> None:
        """Encode and chain one bet; `tell` is called when it is durable."""
        at, command = 1_760_000_000_000, order.command
        assert type(command) is PlaceBets
        self._version += 1
        version, cause = self._version, cause_of(order)
        data = _encode(BetsRegistered(command.terminal, command.bets))
        self._before = link(self._before, version, SHAPE, at, cause, data)
        self._rows.append((STREAM, version, SHAPE, at, cause, data, self._before))
        sender, asked = sender_of(order), input_of(order)
        self._ids.append((BATCH, STREAM, sender, order.id, asked, at, version, version, None))
        self._tell.append(tell)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())
            # An error is raised at once, and not when the last reference is dropped.
            self._task.add_done_callback(lambda task: task.result())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._rows:
            rows, ids, telling = self._rows, self._ids, self._tell
            self._rows, self._ids, self._tell = [], [], []
            await loop.run_in_executor(self._thread, self._insert, rows, ids)
            self.batches += 1
            for each in telling:
                each(None)
        self._task = None

    def _insert(self, rows: Sequence[_Row], ids: Sequence[_Row]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany(sqlite.insertion("events", 1), rows)
        self._connection.executemany(sqlite.insertion("commands", 1), ids)
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._thread.shutdown()
        self._connection.close()


async def insert_all(journal: BareJournal, bets: Sequence[Order], in_flight: int) -> float:
    """Make all bets durable, so many at a time, without a game; return bets per second."""
    waiting, left = iter(bets), len(bets) + in_flight
    done = asyncio.Event()

    def next_bet(_: None) -> None:
        nonlocal left
        left -= 1
        if not left:
            done.set()
        order = next(waiting, None)
        if order is not None:
            journal.add(order, next_bet)

    began = _clock()
    for _ in range(in_flight):
        next_bet(None)
    await done.wait()
    return len(bets) / (_clock() - began)


def write_raw(file: Path, bets: Sequence[Order], group: int) -> float:
    """Write the same bytes to a preallocated file, and sync it; return bets per second."""
    records = [_encode(bet) for bet in bets]
    size = sum(map(len, records))
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT)
    os.posix_fallocate(descriptor, 0, size)
    began, position = _clock(), 0
    for start in range(0, len(records), group):
        data = b"".join(records[start : start + group])
        os.pwrite(descriptor, data, position)
        os.fdatasync(descriptor)
        position += len(data)
    rate = len(bets) / (_clock() - began)
    os.close(descriptor)
    return rate


def first_draft(file: Path, bets: Sequence[Order]) -> float:
    """Do what a team would write first: for every bet read, subtract, insert and commit."""
    engine = sql.create_engine(f"sqlite:///{file}")
    sql.event.listen(engine, "connect", _full_sync)
    tables = sql.MetaData()
    seats = sql.Table(
        "seats",
        tables,
        sql.Column("terminal", sql.String, primary_key=True),
        sql.Column("credits", sql.Integer),
    )
    placed = sql.Table(
        "bets",
        tables,
        sql.Column("id", sql.String, primary_key=True),
        sql.Column("terminal", sql.String),
        sql.Column("box", sql.String),
        sql.Column("stake", sql.Integer),
    )
    tables.create_all(engine)
    with engine.begin() as connection:
        rows = [{"terminal": f"T1-{number}", "credits": 10**12} for number in range(TERMINALS)]
        connection.execute(seats.insert(), rows)
    began = _clock()
    for order in bets:
        command = order.command
        assert isinstance(command, PlaceBets)
        seat = seats.c.terminal == command.terminal
        bet = command.bets[0]
        with engine.begin() as connection:
            held = connection.execute(sql.select(seats.c.credits).where(seat)).scalar_one()
            assert held >= bet.stake
            connection.execute(seats.update().where(seat).values(credits=held - bet.stake))
            row = {"id": order.id, "terminal": command.terminal, "box": bet.box, "stake": bet.stake}
            connection.execute(placed.insert(), [row])
    rate = len(bets) / (_clock() - began)
    engine.dispose()
    return rate


def _full_sync(connection: object, _: object) -> None:
    for setting in ("journal_mode = WAL", "synchronous = FULL"):
        connection.execute(f"PRAGMA {setting}")  # type: ignore[attr-defined]


# --- the figures ---------------------------------------------------------------------------------


class Figures:
    """Rates by the name of the figure, and ratios taken run by run."""

    def __init__(self, folder: Path) -> None:
        self.rates: dict[str, list[float]] = {}
        self._folder = folder
        self._files = 0

    def file(self) -> Path:
        """Name a new file."""
        self._files += 1
        return self._folder / f"{self._files}"

    def add(self, name: str, rate: float) -> float:
        """Add a rate."""
        self.rates.setdefault(name, []).append(rate)
        return rate

    def ratio(self, one: str, other: str) -> float:
        """Give the median of the ratios of runs that belong together."""
        pairs = zip(self.rates[one], self.rates[other], strict=True)
        return statistics.median(first / second for first, second in pairs)


async def measure(figures: Figures, venue: Runtime, runs: int, count: int) -> None:
    """Measure the venue on SQLite and the references in turn, several times."""
    # One file for all runs, so that it grows as the venue's own does.
    bare = BareJournal(figures.file())
    for run in in_turn("the references", runs):
        for in_flight in IN_FLIGHT:
            rate, group = await round_of(venue, orders(count, run * 10 + in_flight), in_flight)
            figures.add(f"SQLite {in_flight}", rate)
            bets = orders(count, run * 10 + in_flight)
            figures.add(f"reference {in_flight}", await insert_all(bare, bets, in_flight))
            figures.add(f"raw file {in_flight}", write_raw(figures.file(), bets, round(group)))
        figures.add("first draft", first_draft(figures.file(), orders(SLOW_BETS, run)))
    bare.close()


async def compare(figures: Figures, venues: dict[str, Runtime], runs: int, count: int) -> None:
    """Measure both venues in turn: a database works on when its bets are done, so apart."""
    for run in in_turn("PostgreSQL", runs):
        for in_flight in IN_FLIGHT:
            for name, venue in venues.items():
                bets = orders(count, run * 10 + in_flight)
                rate, _ = await round_of(venue, bets, in_flight)
                figures.add(f"{name} {in_flight}", rate)


def in_turn(what: str, runs: int) -> Iterator[int]:
    """Count the runs, and print the progress."""
    for run in range(runs):
        print(f"\r{what}: run {run + 1} of {runs}", end="", file=sys.stderr, flush=True)
        yield run
    print("\r\x1b[K", end="", file=sys.stderr)


def report(figures: Figures) -> None:
    """Print the table of figures, and the missed goals."""
    for name, rates in figures.rates.items():
        print(f"{name:16} {statistics.median(rates):>10,.0f} bets a second")
    print()
    for each in IN_FLIGHT:
        tell(f"durable {each}", figures.ratio(f"SQLite {each}", f"reference {each}"))
        tell(f"postgres {each}", figures.ratio(f"PostgreSQL {each}", f"{BESIDE} {each}"))
    tell("durable draft", figures.ratio("SQLite 64", "first draft"))


async def main(folder: Path, database: str, runs: int, bets: int) -> None:
    """Measure a venue on SQLite beside the references, then beside one on PostgreSQL."""
    figures = Figures(folder)
    # As in a venue; it also applies to the reference, which is in the same process.
    beside = asyncio.create_task(look_after_memory())
    async with venue_at(folder / "journal.sqlite") as one:
        await measure(figures, one, runs, bets)
        async with venue_at(database) as other:
            await compare(figures, {BESIDE: one, "PostgreSQL": other}, runs, bets)
    beside.cancel()
    report(figures)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=RUNS)
    options.add_argument("--bets", type=int, default=BETS, help="in each round")
    asked = options.parse_args()
    with (
        tempfile.TemporaryDirectory() as scratch,
        any_server() as server,
        own_database(server) as address,
    ):
        uvloop.run(main(Path(scratch), address, asked.runs, asked.bets))
