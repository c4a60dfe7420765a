"""A round settled again after the rulebook was changed: told and counted by its own rules [D24]."""

from pathlib import Path

import pytest

import taisai
from taisai.core.table.corrections import CorrectSettledRound
from taisai.core.table.setup import AdoptRulebook, CloseTable, GiveNotice, OpenTable, SetLimits
from taisai.projections.figures.digests import DIGESTS
from taisai.projections.figures.tally import Tally
from tests.kit.tables import limits_on
from tests.records.recorded import RecordedTable, opened, rows_of, written


@pytest.fixture(scope="module")
def table() -> RecordedTable:
    """Lose 10.00 on Double 2 by etg8/1, which pays 11.5 to 1; etg8/3 has it at 11 to 1."""
    table = opened("etg8/1")
    table.betting(t7={"double-2": 1_000}).settled(1, 3, 5)
    table.does("supervisor", GiveNotice())
    table.does("supervisor", CloseTable())
    for pay_table in (2, 3):
        canonical = taisai.rulebook("etg8").canonical.decode()
        table.agrees("pit-manager", AdoptRulebook(canonical, pay_table), "supervisor")
    table.agrees("supervisor", SetLimits(limits_on("etg8/3")))
    table.does("supervisor", OpenTable())
    table.betting(t8={"double-2": 1_000}).settled(2, 2, 5)
    table.agrees("supervisor", CorrectSettledRound(1, (2, 2, 6), "seen on camera"))
    return table


def test_the_odds_of_a_round_are_those_of_its_own_pay_table(
    table: RecordedTable, tmp_path: Path
) -> None:
    rows = rows_of(written(tmp_path, table.decided), "bets")
    told = [(row["round"], row["end"], row["odds"], row["won"]) for row in rows]
    assert told == [
        (1, "settled", None, 0),
        (2, "settled", "11", 11_000),
        (1, "resettled", "11.5", 11_500),
    ]
    rounds = rows_of(tmp_path / "journal.sqlite", "rounds")
    assert [row["pay_table"] for row in rounds] == [1, 3, 1]


def test_the_figures_of_a_round_are_those_of_its_own_pay_table(table: RecordedTable) -> None:
    """The house lost 115.00 and 110.00 on Doubles; both bets together were 20.00."""
    tally = Tally()
    for event in table.told:
        noted = DIGESTS[type(event)](event) if type(event) in DIGESTS else event
        if type(noted) in Tally.APPLY:
            tally.note(noted, table.at)
    kind = tally.state.kinds["double"]
    assert (kind.turnover, kind.win) == (2_000, -22_500)
    assert len(tally.state.earlier) == 2
