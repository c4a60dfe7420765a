"""After a restart no tumbler draws before every round under way is ruled on [D9]."""

from pathlib import Path

from taisai.core.kernel.messages import Equipment
from taisai.core.table.round import CloseBets, OpenBets
from taisai.core.table.state import Phase
from tests.kit.floor import Floor, keys, run
from tests.kit.people import DEALER

TABLES = ("T1", "T2", "T3")


def test_no_table_draws_while_another_is_being_ruled_on(tmp_path: Path) -> None:
    async def test() -> None:
        path, venue_keys = tmp_path / "journal", keys()
        floor = await Floor.open(path, venue_keys)
        await floor.found()
        for table in TABLES:
            stream = await floor.add_table(table, equipment=Equipment("simulated"))
            await floor.do(stream, DEALER, OpenBets())
            await floor.bet(table, f"{table}-1", "small", 500)
            del floor.venue._devices.by_table[table]
            await floor.do(stream, DEALER, CloseBets(bell=True))
        for task in floor.venue._background:
            task.cancel()
        await floor.venue.journal.close()
        floor = await Floor.open(path, venue_keys)
        for table in TABLES:
            state = floor.venue.table(table)
            assert (state.phase, state.live, state.history[1].void) == (Phase.READY, 0, True)
        rulings = [each.text for each in floor.venue.announcements if each.code == "interrupted"]
        assert rulings == ["round 1 was under way: the round is void"] * len(TABLES)
        await floor.venue.stop()

    run(test())
