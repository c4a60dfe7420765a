"""Prepares a venue for a bench: one table with thousands of terminals, with credits and keys.

Everything is decided by the core and chained as a venue writes it (`bench.long_journal`).
"""

import asyncio
from pathlib import Path

import msgspec
from bench.long_journal import LongVenue

from taisai.core.kernel.messages import Actor, Order
from taisai.core.venue.staff import EngageStaff
from taisai.protocol.client_messages import TerminalKey
from taisai.runtime.answers import Registered
from taisai.runtime.journal.anchor import Anchor, default_anchor
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.location import JOURNAL_FILE
from taisai.runtime.keys.directory import create_keys, load_keys
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.runtime.runtime import Runtime
from taisai.runtime.streams import VENUE
from taisai.server.accounts.accounts import Accounts
from taisai.server.settings import Settings

TABLE = "T1"
CREDENTIALS_FILE = "credentials.db"


def prepare_venue(data: Path, terminals: int) -> Path:
    """Write the journal of a venue, and its terminals' keys; return the file with the keys."""
    (file,) = prepare_tables(data, data / JOURNAL_FILE, 1, terminals)
    return file


def prepare_tables(data: Path, journal: Path | str, tables: int, terminals: int) -> list[Path]:
    """Write the journal of a venue with tables; return the file with the keys of each."""
    data.mkdir(mode=0o700)
    create_keys(data / KEYS_DIRECTORY)
    issued = asyncio.run(_write(data, journal, tables, terminals))
    files = []
    for number in range(1, tables + 1):
        mine = [each for each in issued if each.table == f"T{number}"]
        files.append(data.with_name(f"{data.name}-keys-{number}.json"))
        files[-1].write_bytes(msgspec.json.encode(mine))
    return files


async def _write(data: Path, where: Path | str, tables: int, terminals: int) -> list[TerminalKey]:
    keys = load_keys(data / KEYS_DIRECTORY)
    journal = await open_journal(where, data=data)
    await LongVenue(journal, keys, tables=tables, terminals=terminals).end()
    anchor = default_anchor(data / KEYS_DIRECTORY)
    for newest in await journal.checkpoints(newest=1):
        Anchor(anchor, keys.sealing).write(newest)
    venue = await Runtime.open(journal, keys, anchor=anchor)
    # The prepared journal has old times; terminals of a bench use the machine's clock [D35].
    venue.timekeeper.watch(demo=True)
    engage = EngageStaff("dan", ("dealer",), "pat", "sue")
    answer = await venue.submit(VENUE, Order("engage", Actor("host", "system"), engage))
    assert isinstance(answer, Registered), answer
    accounts = Accounts.open(data / CREDENTIALS_FILE, venue, Settings(data))
    names = [
        (f"T{table}", f"T{table}-{number}")
        for table in range(1, tables + 1)
        for number in range(terminals)
    ]
    issued = accounts.issue_keys([(*name, 0) for name in names])
    accounts.close()
    await venue.stop()
    return [TerminalKey(*name, key) for name, key in zip(names, issued, strict=True)]
