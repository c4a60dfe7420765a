"""A venue under load, failed over to a synchronous standby, has lost no registered command.

The campaign, `python -m tools.soak_failovers`, fails over a hundred times.
"""

import asyncio
from pathlib import Path

import pytest

from taisai.runtime.journal import watch
from tests.faults.failing_over.pair import pair
from tests.faults.failing_over.run import Report, Run, Strike

RESUME_SECONDS = 0.2
STRIKES = (Strike.BROKEN, Strike.CANCELLED)


async def failed_over(directory: Path) -> Report:
    """Fail a venue over while the standby is cut off from the batch under way."""
    async with pair() as servers:
        return await Run(servers, directory, seed=2).fail_over(STRIKES)


def test_a_venue_failed_over_twice_under_load_has_lost_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "RESUME_SECONDS", RESUME_SECONDS)
    report = asyncio.run(failed_over(tmp_path))
    assert report.lost == []
    assert report.failovers == len(STRIKES)
    assert report.looked_for > 50
    assert report.put_off
    assert report.checked.rounds
