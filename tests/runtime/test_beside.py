"""Work beside the tables: a fault of ours is in the log, and the work goes on where it can."""

from pathlib import Path
from typing import Any

import pytest

from taisai.runtime import runtime as venues
from taisai.runtime.journal.sqlite import SqliteJournal
from tests.kit.floor import Floor, keys, run, until


class Trips:
    """Fails the first time that it is called."""

    def __init__(self) -> None:
        self.called = 0

    def __call__(self, *_: Any) -> None:
        """Fail, or not."""
        self.called += 1
        if self.called == 1:
            raise LookupError("a transit was lost")

    async def awaited(self, *_: Any) -> None:
        """Fail, or not, where it is waited for."""
        self()


@pytest.mark.parametrize("what", ["retries", "chores"])
def test_work_beside_the_tables_goes_on_after_a_fault_which_is_logged(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(venues, "RETRY_SECONDS", 0.001)
    monkeypatch.setattr(venues, "CHORES_SECONDS", 0.001)
    trips = Trips()

    async def go_on() -> None:
        floor = await Floor.open(await SqliteJournal.open(tmp_path / "journal"), keys())
        if what == "retries":
            monkeypatch.setattr(floor.venue.transfers, "again", trips)
        else:
            monkeypatch.setattr(floor.venue.timekeeper, "remember", trips.awaited)
        await until(lambda: trips.called >= 3)
        assert "LookupError: a transit was lost" in caplog.text
        caplog.clear()
        await floor.venue.stop()
        assert "fault" not in caplog.text, "what is ended in order has none"

    run(go_on())


def test_a_fault_that_ends_work_beside_the_tables_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def go_on() -> None:
        floor = await Floor.open(await SqliteJournal.open(tmp_path / "journal"), keys())
        floor.venue._run_beside(Trips().awaited())
        await until(lambda: "work beside the tables has ended: a fault of ours" in caplog.text)
        assert "LookupError: a transit was lost" in caplog.text
        await floor.venue.stop()

    run(go_on())
