"""`taisai takeover`: its output, the persons who must agree, and its effect."""

import asyncio
import shutil
from pathlib import Path

import pytest

from taisai.cli.venue.environment import JOURNAL_VARIABLE
from taisai.core.table.round import OpenBets
from taisai.core.venue.setup import VenueTakenOver
from taisai.runtime.answers import Registered
from taisai.runtime.journal.anchor import default_anchor
from taisai.runtime.journal.backends import open_journal
from taisai.runtime.journal.contract import FencedError
from taisai.runtime.journal.location import node_of
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.keys.directory import create_keys, load_keys
from taisai.runtime.operations.process import KEYS_DIRECTORY
from taisai.runtime.recovery import StartupError
from taisai.runtime.streams import VENUE, kind_of
from taisai.server.application import Application
from taisai.server.settings import Settings
from tests.cli.command import taisai
from tests.kit.floor import Floor
from tests.kit.people import DEALER

BY = ("--by", "Ann Lee", "--second", "Bob Tan")


async def lose(url: str) -> None:
    """Create a venue's journal, and disconnect silently."""
    journal = await PostgresJournal.open(url, node="lost:/venue")
    assert journal._writer is not None
    journal._writer.connection.terminate()
    await journal.close()


def test_a_journal_is_taken_from_a_venue_that_is_lost(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(lose(postgres_url))
    create_keys(tmp_path / "keys")
    opening = ("serve", "--data", str(tmp_path), "--journal", postgres_url, "--port", "0")
    refused = taisai(*opening)
    assert refused.status == 1
    assert "the journal belongs to the venue lost:/venue" in refused.err
    taken = taisai("takeover", str(tmp_path), "--journal", postgres_url, *BY)
    assert taken.status == 0
    assert "taken over from the venue lost:/venue" in taken.out
    monkeypatch.setenv(JOURNAL_VARIABLE, postgres_url)
    again = taisai("takeover", str(tmp_path), "--json", *BY)
    assert again.status == 1
    assert "no venue has this journal" in again.err
    # The next venue is let in, and fails only because its staff is empty.
    settings = Settings(tmp_path, journal=postgres_url, port=0)
    with pytest.raises(StartupError, match="has nobody on its staff yet"):
        asyncio.run(Application.open(settings))


async def open_house(data: Path, url: str) -> Floor:
    """Open a house on a database, named by its directory, with a round under way."""
    keys = load_keys(data / KEYS_DIRECTORY)
    journal = await open_journal(url, data=data)
    floor = await Floor.open(journal, keys, anchor=default_anchor(data / KEYS_DIRECTORY))
    await floor.found()
    await floor.do(await floor.add_table("T1", terminals=1), DEALER, OpenBets())
    assert isinstance(await floor.bet("T1", "T1-1", "small", 500), Registered)
    return floor


def houses(tmp_path: Path) -> tuple[Path, Path]:
    """Make two data directories with the keys of one venue."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    create_keys(here / KEYS_DIRECTORY)
    shutil.copytree(here / KEYS_DIRECTORY, there / KEYS_DIRECTORY)
    return here, there


def test_two_persons_take_over_and_it_is_in_the_journal(postgres_url: str, tmp_path: Path) -> None:
    here, there = houses(tmp_path)

    async def test() -> None:
        floor = await open_house(here, postgres_url)
        before = floor.venue.writer(VENUE).head.version

        async def run(*arguments: str) -> tuple[int, str, str]:
            asked = ("takeover", str(there), "--journal", postgres_url, *arguments)
            return await asyncio.to_thread(taisai, *asked)

        # One person, an unknown anchor, other keys: nothing is taken, and the venue goes on.
        alone = await run("--by", "Ann Lee", "--second", "ann  lee")
        assert alone[0] == 1
        assert "the second person must be another person" in alone[2]
        assert (await run("--by", "Ann Lee"))[0] == 2
        status, _, complaint = await run(*BY)
        assert (status, "there is no anchor" in complaint) == (1, True)
        anchor = default_anchor(here / KEYS_DIRECTORY)
        shutil.copytree(anchor, default_anchor(there / KEYS_DIRECTORY))
        assert isinstance(await floor.bet("T1", "T1-1", "small", 500), Registered)
        assert floor.venue.suspended() == {}

        status, told, complaint = await run(*BY, "--json")
        assert status == 0, complaint
        assert f'"from": "the venue {node_of(here)}' in told
        with pytest.raises(FencedError, match="taken over"):
            await floor.venue.journal.probe()
        reading = await PostgresJournal.open(postgres_url, read_only=True)
        (record,) = await reading.records(VENUE, [before + 1])
        await reading.close()
        taken = kind_of(VENUE).read(record)
        assert taken == VenueTakenOver("Ann Lee", "Bob Tan", node_of(here), 2)
        await floor.venue.stop()

    asyncio.run(test())
    checked = taisai("audit", "verify", postgres_url, "--keys", str(there / KEYS_DIRECTORY))
    assert checked.status == 0, checked.err


def test_a_second_house_is_refused_and_the_round_of_the_first_goes_on(
    postgres_url: str, tmp_path: Path
) -> None:
    here, there = houses(tmp_path)

    async def test() -> None:
        floor = await open_house(here, postgres_url)
        heads = await floor.venue.journal.heads()
        serving = ("serve", "--data", str(there), "--journal", postgres_url, "--port", "0")
        refused = await asyncio.to_thread(taisai, *serving)
        assert refused.status == 1
        assert f"the journal belongs to the venue {node_of(here)}" in refused.err
        assert "is connected now" in refused.err
        # Nothing was written, no round voided, nothing suspended: the same bets stand.
        assert await floor.venue.journal.heads() == heads
        assert floor.venue.suspended() == {}
        assert floor.venue.table("T1").live == 500
        assert isinstance(await floor.bet("T1", "T1-1", "small", 500), Registered)
        await floor.venue.journal.probe()
        assert floor.venue.table("T1").live == 1_000
        await floor.venue.stop()

    asyncio.run(test())


def test_a_journal_in_a_file_is_not_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(JOURNAL_VARIABLE, raising=False)
    for arguments in ([], ["--journal", "venue/journal.sqlite"]):
        refused = taisai("takeover", str(tmp_path), *BY, *arguments)
        assert refused.status == 2
        assert "belongs to the process that holds its directory" in refused.err
