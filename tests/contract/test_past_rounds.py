"""Old rounds are read back and put right, on every backend [D24]."""

import pytest

from taisai.core.table import state as table_state
from taisai.core.table.corrections import CorrectSettledRound, RoundsReversed, VoidSettledRounds
from taisai.core.table.round import OpenBets
from taisai.runtime import past_rounds
from taisai.runtime.auditor import table as auditor_table
from taisai.runtime.verification.verifier import Asked, verify
from tests.contract.journals import Place
from tests.kit.floor import Floor, keys
from tests.kit.people import DEALER, PIT, SUPERVISOR

STREAM = "table/T1"


async def test_5_6_rounds_that_a_table_holds_no_more_are_void(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_state, "HISTORY_ROUNDS", 1)
    monkeypatch.setattr(auditor_table, "ROUNDS_KEPT", 1)
    # So few that the search has to halve, and reads several parts.
    monkeypatch.setattr(past_rounds, "PAGE", 8)
    async with place.journal() as journal:
        floor = await Floor.open(journal, keys())
        await floor.found()
        await floor.add_table()
        for _ in range(6):
            await floor.do(STREAM, DEALER, OpenBets())
            await floor.bet("T1", "T1-1", "big", 1_000)
            await floor.close_and_enter("T1", (1, 2, 3))
            await floor.settle("T1")
        wrong = CorrectSettledRound(3, (4, 5, 6), "seen on camera")
        await floor.both(STREAM, SUPERVISOR, wrong, PIT)
        done = await floor.both(STREAM, SUPERVISOR, VoidSettledRounds(2, "a chipped die"), PIT)
        assert isinstance(done.events[-1], RoundsReversed)
        assert done.events[-1].rounds == (2, 3, 4, 5, 6)
        assert floor.venue.table("T1").ledger.balance("terminal:T1-1") == 99_000
        await floor.venue.stop()
    async with place.journal(read_only=True) as journal:
        report = await verify(journal, Asked())
        assert report.verified, report.faults
