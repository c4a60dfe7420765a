"""A journal that several nodes have sealed, each in its own chain, is verified like any other."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from taisai.runtime.journal.checkpoints import CheckpointError, check_checkpoint, make_checkpoint
from taisai.runtime.journal.contract import CHAIN_SEALS, Seal
from taisai.runtime.journal.seals import Followed, Keyring, SealError, Tail, beginning
from taisai.runtime.journal.sqlite import SqliteJournal
from taisai.runtime.verification.verifier import Asked, verify
from tests.contract.journals import adding, head_after
from tests.kit.journals import make_journal, venue_keys
from tests.verification import independent

CHAINS = 3


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a journal that three nodes have written in turn; tests must not change it."""
    file = tmp_path_factory.mktemp("chains") / "journal.sqlite"
    make_journal(file, seed=57, rounds=2, batch=8, snapshot_every=15, chains=CHAINS)
    # In the order of a backup of several nodes' journal in PostgreSQL: chain by chain.
    with closing(sqlite3.connect(file)) as database, database:
        rows = database.execute("SELECT * FROM commands ORDER BY batch, place").fetchall()
        database.execute("DELETE FROM commands")
        places = [(*row[:-1], place) for place, row in enumerate(rows, 1)]
        database.executemany("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", places)
    return file


def faults(file: Path, *, sealing: bool = True) -> list[str]:
    """Verify a journal; give the faults."""

    async def run() -> list[str]:
        journal = await SqliteJournal.open(file, read_only=True)
        keys = venue_keys()
        asked = Asked(keys.public, sealing=keys.sealing if sealing else None)
        report = await verify(journal, asked)
        await journal.close()
        return [fault.sentence for fault in report.faults]

    return asyncio.run(run())


def test_it_verifies_with_the_keys_of_the_venue_and_by_the_page_alone(sealed: Path) -> None:
    with closing(sqlite3.connect(sealed)) as database:
        rows = database.execute("SELECT number / ?, count(*) FROM seals GROUP BY 1", [CHAIN_SEALS])
        assert [(chain, count > 2) for chain, count in rows] == [(0, True), (1, True), (2, True)]
    assert faults(sealed) == faults(sealed, sealing=False) == []
    independent.verify(independent.read_journal(sealed), venue_keys().public.lines())


def cut_the_middle(database: sqlite3.Connection) -> None:
    database.execute("DELETE FROM seals WHERE number = ?", [CHAIN_SEALS + 2])


def cut_a_chain(database: sqlite3.Connection) -> None:
    database.execute("DELETE FROM seals WHERE number / ? = 1", [CHAIN_SEALS])


def swap_chains(database: sqlite3.Connection) -> None:
    """Give the seals of one chain the numbers of another."""
    database.execute("DELETE FROM seals WHERE number / ? = 2", [CHAIN_SEALS])
    move = "UPDATE seals SET number = number + ? WHERE number / ? = 1"
    database.execute(move, [CHAIN_SEALS, CHAIN_SEALS])


def move_ids(database: sqlite3.Connection) -> None:
    """Assign command ids to a batch of another chain."""
    move = "UPDATE commands SET batch = batch + ? WHERE batch = (SELECT min(batch) FROM commands)"
    database.execute(move, [CHAIN_SEALS])


@pytest.mark.parametrize("alter", [cut_the_middle, cut_a_chain, swap_chains, move_ids])
def test_what_is_gone_or_in_another_chain_is_found(
    sealed: Path, tmp_path: Path, alter: Callable[[sqlite3.Connection], None]
) -> None:
    file = tmp_path / "journal.sqlite"
    file.write_bytes(sealed.read_bytes())
    with closing(sqlite3.connect(file)) as database, database:
        alter(database)
    assert faults(file)
    assert faults(file, sealing=False)
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it says
        independent.verify(independent.read_journal(file), venue_keys().public.lines())


def test_a_chain_is_followed_from_a_checkpoint_in_the_middle_of_a_run(tmp_path: Path) -> None:
    async def follow() -> None:
        journal, sealing = await SqliteJournal.open(tmp_path / "journal"), bytes(range(32))
        node, other = Tail(sealing, (), {}, 1), Tail(sealing, (), {}, 2)
        first = adding("table/A", b"one")
        second = adding("table/A", b"two", after=head_after(first))
        third = adding("table/A", b"three", after=head_after(second))
        signed: list[Followed] = []
        for append, tail in ((first, node), (second, node), (third, other)):
            await journal.write([append], sealing=tail)
            tail.note()
            signed.append(tail.at)
        # A checkpoint has signed the first seal of the run, and does not cover the other chain.
        office = Tail(sealing, [signed[0]], {"table/A": head_after(first)}, 3)
        await office.catch_up(journal)
        assert office.heads == {"table/A": head_after(third)}
        assert office.followed == [beginning(0), signed[1], signed[2], beginning(3)]
        assert await journal.chains() == [1, 2]
        with pytest.raises(SealError, match="not made with a key"):
            await Tail(bytes(32), [signed[0]], {}, 3).catch_up(journal)
        # A stream that went on elsewhere is not set back by its former chain.
        await node.catch_up(journal)
        assert node.heads == {"table/A": head_after(third)}
        await journal.close()

    asyncio.run(follow())


def test_a_run_ends_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def seal() -> None:
        monkeypatch.setattr("taisai.runtime.journal.seals.RUN_SEALS", 2)
        journal, tail = await SqliteJournal.open(tmp_path / "journal"), Tail(bytes(32), (), {}, 1)
        append = adding("cage", b"0")
        for number in range(1, 6):
            await journal.write([append], sealing=tail)
            tail.note()
            append = adding("cage", b"%d" % number, after=head_after(append))
        keys = [seal.key is not None for seal in await journal.seals_after(CHAIN_SEALS, 9)]
        assert keys == [True, False, True, False, True]
        await Tail(bytes(32), (), {}, 1).catch_up(journal)
        await journal.close()

    asyncio.run(seal())


def test_a_checkpoint_names_each_chain_once_and_none_goes_back() -> None:
    signer, public = venue_keys().signer, venue_keys().public
    here, there = Followed(CHAIN_SEALS + 4, "a" * 64), Followed(2 * CHAIN_SEALS + 9, "b" * 64)
    before = make_checkpoint(5, {}, None, signer, [beginning(0), here, there])
    check_checkpoint(before, public)
    for seals in ([here, there], [beginning(0), there, here], [beginning(0), here, here]):
        with pytest.raises(CheckpointError, match="not in their order"):
            check_checkpoint(make_checkpoint(5, {}, None, signer, seals), public)
    for seals in ([beginning(0), here], [beginning(0), Followed(CHAIN_SEALS + 3, "a" * 64), there]):
        after = make_checkpoint(5, {}, before, signer, seals)
        with pytest.raises(CheckpointError, match="of an earlier time"):
            check_checkpoint(after, public, before)


def test_a_run_that_nobody_wrote_has_no_key() -> None:
    keys = Keyring(bytes(32))
    kept = keys.begin(1, "0" * 64)
    keys.key = None
    keys.take_up(Seal(1, b"no seal", kept, b""), 2)
    assert keys.key is None
