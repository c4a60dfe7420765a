"""Work beside the tables: what ends it is in the log, as nobody waits for it."""

from pathlib import Path

import pytest

from taisai.runtime import runtime as venues
from taisai.runtime.journal.sqlite import SqliteJournal
from tests.kit.floor import Floor, keys, run, until


def test_a_fault_that_ends_work_beside_the_tables_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(venues, "RETRY_SECONDS", 0.001)

    def trip() -> None:
        raise LookupError("a transit was lost")

    async def go_on() -> None:
        floor = await Floor.open(await SqliteJournal.open(tmp_path / "journal"), keys())
        monkeypatch.setattr(floor.venue.transfers, "again", trip)
        await until(lambda: "work beside the tables has ended: a fault of ours" in caplog.text)
        assert "LookupError: a transit was lost" in caplog.text
        caplog.clear()
        await floor.venue.stop()
        assert "fault" not in caplog.text, "what is ended in order has none"

    run(go_on())
