"""Journals with known numbers: tables played by hand, every decision recorded."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, TypeVar

from taisai.cli import main
from taisai.core.kernel.messages import BoxStake, Equipment, Order, Role
from taisai.core.streams import TableEvent
from taisai.core.table.betting import PlaceBets, WithdrawBets
from taisai.core.table.corrections import CorrectSettledRound, VoidSettledRounds
from taisai.core.table.setup import RegisterDice
from taisai.core.table.tumble import RecordTumble
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.records.columns import VIEWS
from taisai.runtime.records.entries import Source
from taisai.runtime.records.export import ROWS
from taisai.runtime.streams import table_stream
from tests.cli.command import Answer
from tests.kit.journals import Decided, write_world
from tests.kit.tables import AnyCommand, Table

T = TypeVar("T")


class RecordedTable(Table):
    """A table that records every order with its events."""

    def __init__(self, address: str = "ts6/2") -> None:
        super().__init__(address)
        self.decided: list[Decided] = []
        self._ordered: Order | None = None

    def order(self, role: Role, command: AnyCommand, person: str | None = None) -> Order:
        self._ordered = super().order(role, command, person)
        return self._ordered

    def does(
        self, role: Role, command: AnyCommand, person: str | None = None
    ) -> tuple[TableEvent, ...]:
        decision = super().does(role, command, person)
        assert self._ordered is not None
        self.decided.append(Decided(table_stream("T1"), self._ordered, decision, self.at))
        return decision


def opened(address: str = "ts6/2", equipment: Equipment | None = None) -> RecordedTable:
    """Open a table with terminals 7 and 8, 1,000.00 each."""
    table = RecordedTable(address)
    table.created(equipment or Equipment()).adopted().opened()
    return table


def evening() -> RecordedTable:
    """Play a round that is settled again, one that is void, and two with damaged dice.

    Round 1 is settled on 2 2 6 and, as if days later, settled again on 2 3 6. Round 2 is void by
    two persons. Rounds 3 and 4 are played with dice set D2, which is found to be chipped.
    """
    table = opened()
    table.betting(t7={"small": 5_000, "double-2": 2_000}, t8={"big": 3_000})
    table.places("7", {"single-6": 1_000})
    table.does("terminal", WithdrawBets("7", (BoxStake("single-6", 1_000),)), "7")
    table.does("dealer", PlaceBets("8", (BoxStake("even", 1_000),)))
    table.settled(2, 2, 6)

    table.betting(t7={"odd": 4_000})
    table.closed()
    table.does("dealer", RecordTumble(3, flat=False))
    table.does("supervisor", table.approval())

    table.does("supervisor", RegisterDice("D2", "S2"))
    table.betting(t7={"total-9": 1_000})
    table.settled(2, 3, 4)
    table.betting(t8={"small": 2_500})
    table.settled(6, 6, 5)
    table.agrees("supervisor", VoidSettledRounds(3, "a chipped die", "D2"))
    table.agrees("supervisor", CorrectSettledRound(1, (6, 2, 3), "seen on camera"))
    return table


def written(folder: Path, decided: Sequence[Decided], name: str = "journal.sqlite") -> Path:
    """Write decisions into a journal file."""

    async def write() -> None:
        journal = await SqliteJournal.open(folder / name)
        try:
            await write_world(journal, decided)
        finally:
            await journal.close()

    asyncio.run(write())
    return folder / name


async def with_source(path: Path, look: Callable[[Source], Awaitable[T]], **asked: Any) -> T:
    """Open a journal for reading, as a whole or in part, and read it."""
    journal = await SqliteJournal.open(path, read_only=True)
    try:
        return await look(await Source.of(journal, **asked))
    finally:
        await journal.close()


def looking(path: Path, look: Callable[[Source], Awaitable[T]], **asked: Any) -> T:
    """Read a journal outside any event loop."""
    return asyncio.run(with_source(path, look, **asked))


def rows_of(path: Path, view: str, **asked: Any) -> list[dict[str, Any]]:
    """Give the rows of a view, by column."""

    async def look(source: Source) -> list[dict[str, Any]]:
        columns = [column.name for column in VIEWS[view].columns]
        return [
            dict(zip(columns, row, strict=True))
            async for rows in ROWS[view](source, "en")
            for row in rows
        ]

    return looking(path, look, **asked)


def answered(*arguments: str) -> Answer:
    """Run the command `taisai` within this process, which takes a hundredth of the time."""
    out, err = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
    with redirect_stdout(out), redirect_stderr(err):
        status = main(arguments)
    told = []
    for stream in (out, err):
        stream.flush()
        told.append(stream.buffer.getvalue().decode())
    return Answer(status, *told)
