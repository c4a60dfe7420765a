"""The references of the benches do real work, so that no ratio is one to nothing."""

import asyncio
from pathlib import Path

import apsw
from bench.durable_bets import BareJournal, insert_all, orders

BETS = 40


def test_the_gameless_insert_writes_every_bet_and_every_id(tmp_path: Path) -> None:
    file = tmp_path / "bare.sqlite"
    asyncio.run(_insert(file))
    written = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    for table in ("events", "commands"):
        assert written.execute(f"SELECT count(*) FROM {table}").get == BETS  # noqa: S608 - our own
    written.close()


async def _insert(file: Path) -> None:
    journal = BareJournal(file)
    async with asyncio.timeout(30):
        await insert_all(journal, orders(BETS, seed=1), in_flight=8)
    journal.close()
