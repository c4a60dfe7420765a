"""`taisai takeover`: what it says, and what comes of it."""

import asyncio
from pathlib import Path

import pytest

from taisai.cli.venue.environment import JOURNAL_VARIABLE
from taisai.runtime.journal.postgres import PostgresJournal
from taisai.runtime.keys.directory import create_keys
from tests.cli.command import taisai


async def lose(url: str) -> None:
    """Begin a venue's journal, and be lost without a word."""
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
    taken = taisai("takeover", "--journal", postgres_url)
    assert taken.status == 0
    assert "taken over from the venue lost:/venue" in taken.out
    monkeypatch.setenv(JOURNAL_VARIABLE, postgres_url)
    again = taisai("takeover", "--json")
    assert again.status == 1
    assert "no venue has this journal" in again.err
    # The next is let in, and gets as far as that nobody is on its staff yet.
    assert "has nobody on its staff yet" in taisai(*opening).err


def test_a_journal_in_a_file_is_not_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(JOURNAL_VARIABLE, raising=False)
    for arguments in ([], ["--journal", "venue/journal.sqlite"]):
        refused = taisai("takeover", *arguments)
        assert refused.status == 2
        assert "belongs to the process that holds its directory" in refused.err
