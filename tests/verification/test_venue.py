"""A real venue, verified while it plays, after it was killed, and after it has stopped."""

import asyncio
from pathlib import Path

import pytest

from taisai.core.kernel.messages import Equipment
from taisai.core.table.round import CloseBets, OpenBets
from taisai.core.table.state import Phase, TableState
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.operations.backup import back_up
from taisai.runtime.operations.log_copier import Copier, Copy
from taisai.runtime.verification.report import Report
from taisai.runtime.verification.verifier import Asked, verify
from tests.kit.floor import Floor, keys, until
from tests.kit.people import DEALER
from tests.verification.damage import verify_file


async def verified(file: Path, asked: Asked) -> Report:
    """Verify a journal while the venue writes to it."""
    journal = await SqliteJournal.open(file, read_only=True)
    try:
        return await verify(journal, asked)
    finally:
        await journal.close()


async def play(floor: Floor, table: str) -> None:
    """Play a round at a table with a dealer, and leave the next one under way."""
    stream = f"table/{table}"
    for number in range(2):
        await floor.do(stream, DEALER, OpenBets())
        for terminal, box in ((f"{table}-1", "small"), (f"{table}-2", "big")):
            await floor.bet(table, terminal, box, 1_000)
        if number == 0:
            await floor.close_and_enter(table, (2, 3, 6))
            await floor.settle(table)


@pytest.mark.parametrize("polite", [True, False])
def test_a_venue_is_proved_while_it_plays_and_over_its_lives(
    tmp_path: Path, *, polite: bool
) -> None:
    file, copy, venue_keys = tmp_path / "journal.sqlite", tmp_path / "copy.jsonl", keys()
    asked = Asked(venue_keys.public)

    async def live(life: int) -> None:
        floor = await Floor.open(file, venue_keys)
        copier = Copier(floor.venue.journal, copy)
        copier.start()
        floor.venue.committer.after_batch = copier.wake
        if life == 0:
            await floor.found()
        await floor.add_table(f"T{life}")
        await play(floor, f"T{life}")
        report = await verified(file, asked)
        assert report.verified, report.faults
        await back_up(file, tmp_path / f"backup-{life}.sqlite")
        await floor.bet(f"T{life}", f"T{life}-3", "odd", 1_000)
        await copier.stop()
        if polite:
            await floor.venue.stop()
        else:
            await floor.venue.journal.close()

    for life in range(3):
        asyncio.run(live(life))
        backup = tmp_path / f"backup-{life}.sqlite"
        assert verify_file(backup, asked).verified
        report = verify_file(file, asked._replace(copy=Copy(copy)))
        assert report.verified, report.faults
        assert report.rounds == 2 * life + 2
        assert report.events > verify_file(backup, asked).events


@pytest.mark.parametrize("tumbler", ["simulated", "verifiable"])
def test_a_venue_with_a_tumbler_is_proved(tmp_path: Path, tumbler: str) -> None:
    file, venue_keys = tmp_path / "journal.sqlite", keys()

    async def live() -> None:
        floor = await Floor.open(file, venue_keys)
        await floor.found()
        equipment = Equipment(tumbler)  # type: ignore[arg-type]
        stream = await floor.add_table("T1", equipment=equipment)

        def table() -> TableState:
            return floor.venue.table("T1")

        def is_bound() -> bool:
            chain = table().chain
            return tumbler == "simulated" or (
                chain is not None and chain.next_round == table().round + 1
            )

        for _ in range(3):
            await until(is_bound)
            await floor.do(stream, DEALER, OpenBets())
            await floor.bet("T1", "T1-1", "small", 1_000)
            await floor.do(stream, DEALER, CloseBets(bell=True))
            await until(lambda: table().phase is Phase.RESULT)
            await floor.settle("T1")
        await floor.venue.stop()

    asyncio.run(live())
    report = verify_file(file, Asked(venue_keys.public))
    assert report.verified, report.faults
    assert report.rounds == 3
