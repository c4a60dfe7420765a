"""One anchor for a venue and the one that takes its journal over: it goes forward, never back."""

import shutil
from pathlib import Path

import pytest

from taisai.core.kernel.messages import Equipment
from taisai.core.rules.reason import Refusal
from taisai.core.table.round import OpenBets
from taisai.runtime.journal.anchor import Anchor, AnchorError
from taisai.runtime.journal.lease import HeldError
from taisai.runtime.journal.postgres import PostgresJournal
from tests.kit.floor import Floor, keys, run
from tests.kit.people import DEALER

KEYS = keys()


async def started(url: str, node: str, anchor: Path) -> Floor:
    """Start a named venue on a database, with an anchor."""
    journal = await PostgresJournal.open(url, node=node)
    try:
        return await Floor.open(journal, KEYS, anchor=anchor)
    except Exception:
        await journal.close()
        raise


async def take_over(url: str) -> None:
    journal = await PostgresJournal.open(url)
    await journal.take_over()
    await journal.close()


def test_who_takes_a_journal_over_goes_on_by_the_same_anchor(
    postgres_url: str, tmp_path: Path
) -> None:
    async def play() -> None:
        shared, elsewhere = tmp_path / "shared", tmp_path / "elsewhere"
        anchor = Anchor(shared, KEYS.sealing)
        first = await started(postgres_url, "here:/venue", shared)
        await first.found()
        stream = await first.add_table("T1", equipment=Equipment("verifiable"))
        chain = first.venue.table("T1").chain
        await first.venue.committer.checkpoint()
        with pytest.raises(HeldError, match="belongs to the venue here:/venue"):
            await started(postgres_url, "there:/venue", shared)
        await take_over(postgres_url)
        # Without that anchor the next venue has nothing to compare the journal with.
        with pytest.raises(AnchorError, match="there is no anchor"):
            await started(postgres_url, "there:/venue", elsewhere)
        second = await started(postgres_url, "there:/venue", shared)
        now = second.venue.table("T1").chain
        # The former venue did not stop in order: what it has shown since is not known here.
        assert chain is not None
        assert now is not None
        assert now.commitment != chain.commitment
        await second.do(stream, DEALER, OpenBets())
        newest = await second.venue.committer.checkpoint()
        await second.venue.committer.settled()
        assert isinstance(await first.bet("T1", "T1-1", "small", 500), Refusal)
        await first.venue.stop()
        held = anchor.read()
        assert held is not None
        assert (held.number, held.stopped) == (newest.number, False)
        await second.venue.stop()
        held, last = anchor.read(), second.venue.committer.newest
        assert held is not None
        assert last is not None
        assert (held.number, held.stopped) == (last.number, True)

    run(play())


def test_a_copy_of_the_anchor_serves_and_what_it_says_of_a_stop_is_not_believed_for_longer(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        file, anchor, copy = tmp_path / "journal", tmp_path / "anchor", tmp_path / "copy"
        floor = await Floor.open(file, KEYS, anchor=anchor)
        await floor.found()
        await floor.add_table("T1", equipment=Equipment("verifiable"))
        chain = floor.venue.table("T1").chain
        await floor.venue.stop()
        shutil.copytree(anchor, copy)
        floor = await Floor.open(file, KEYS, anchor=anchor)
        await floor.do("table/T1", DEALER, OpenBets())
        await floor.venue.stop()
        floor = await Floor.open(file, KEYS, anchor=copy)
        now = floor.venue.table("T1").chain
        assert chain is not None
        assert now is not None
        assert now.commitment != chain.commitment
        await floor.venue.stop()

    run(play())


def test_another_directory_does_not_start_by_the_anchor_of_a_venue(tmp_path: Path) -> None:
    async def play() -> None:
        anchor = tmp_path / "anchor"
        floor = await Floor.open(tmp_path / "journal", KEYS, anchor=anchor)
        await floor.found()
        await floor.venue.stop()
        (tmp_path / "other").mkdir()
        with pytest.raises(AnchorError, match="an older journal was put in its place"):
            await Floor.open(tmp_path / "other" / "journal", KEYS, anchor=anchor)

    run(play())


def test_a_late_write_does_not_set_an_anchor_back(tmp_path: Path) -> None:
    async def play() -> None:
        floor = await Floor.open(tmp_path / "journal", KEYS, anchor=tmp_path / "anchor")
        await floor.found()
        older = await floor.venue.committer.checkpoint()
        newer = await floor.venue.committer.checkpoint()
        anchor = Anchor(tmp_path / "late", KEYS.sealing)
        anchor.write(newer)
        anchor.write(older, stopped=True)
        held = anchor.read()
        assert held is not None
        assert (held.number, held.stopped) == (newer.number, False)
        await floor.venue.stop()

    run(play())
