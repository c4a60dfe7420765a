"""Sic Bo, the electronic table game: reports of the dice, and a device's readings [D20]."""

import pytest

from taisai.core.kernel.messages import Equipment
from taisai.core.table.betting import PlaceBets, RoundVoided
from taisai.core.table.irregularities import (
    IrregularityReported,
    ReportDeclined,
    ReportIrregularity,
)
from taisai.core.table.round import BetsClosed, EnterResult
from taisai.core.table.state import Phase
from taisai.core.table.tumble import RecordTumble
from tests.kit.tables import Table, open_table, stakes


def betting(equipment: Equipment | None = None) -> Table:
    return open_table("etg8/2", equipment=equipment or Equipment()).betting(t7={"small": 3_000})


@pytest.mark.parametrize(("code", "clause"), [("die-not-flat", "5.3.2"), ("dice-exposed", "5.3.3")])
def test_5_3_a_fact_that_voids_closes_the_bets_on_every_terminal(code: str, clause: str) -> None:
    table = betting()
    _, closed, _ = table.does("dealer", ReportIrregularity(code), "ann")
    assert isinstance(closed, BetsClosed)
    assert (closed.words, closed.clause, closed.report) == ("No More Bets", "3.5", code)
    late = PlaceBets("7", stakes({"small": 1_000}))
    assert table.refuses("terminal", late, "7") == ("ROUND_IN_DOUBT", clause)
    assert table.refuses("dealer", table.approval(), "bea")[0] == "MAY_NOT_APPROVE"
    void = table.does("supervisor", table.approval(), "sue")[1]
    assert isinstance(void, RoundVoided)
    assert (void.clause, table.credits()) == (clause, 100_000)


def test_5_3_a_report_that_is_declined_leaves_the_bets_closed() -> None:
    table = betting()
    table.does("dealer", RecordTumble(3))
    table.does("dealer", ReportIrregularity("dice-exposed"), "ann")
    found = table.does("supervisor", table.declining("the cover was on"), "sue")[1]
    assert isinstance(found, ReportDeclined)
    late = PlaceBets("7", stakes({"small": 1_000}))
    assert table.refuses("terminal", late, "7") == ("BETS_CLOSED", "3.5")
    # The dice were tumbled under their cover, and count.
    table.entered(1, 2, 3)
    assert table.state.phase is Phase.RESULT


@pytest.mark.parametrize(
    ("command", "clause"),
    [
        (RecordTumble(2), "5.3.1"),
        (RecordTumble(3, flat=False), "5.3.2"),
        (RecordTumble(3, concealed=False), "5.3.3"),
    ],
)
def test_5_3_what_the_equipment_reads_voids_by_itself(command: RecordTumble, clause: str) -> None:
    table = betting(Equipment("reader"))
    void = table.does("device", command)[-1]
    assert isinstance(void, RoundVoided)
    assert (void.clause, table.credits(), table.state.lasting) == (clause, 100_000, {})


def test_5_3_1_a_tumbler_that_was_not_activated_is_activated() -> None:
    table = betting().closed()
    assert table.refuses("dealer", ReportIrregularity("no-tumble")) == ("TUMBLE_INSTEAD", "3.6")
    assert table.refuses("dealer", EnterResult((1, 2, 3))) == ("NOT_TUMBLED", "3.6")


def test_3_6_a_tumble_without_the_cover_after_the_close_is_left_to_a_ruling() -> None:
    table = betting().closed()
    _, reported = table.does("dealer", RecordTumble(3, concealed=False), "ann")
    assert reported == IrregularityReported(
        "uncovered-tumble", "shift-manager-rules", "3.6", "ann", ""
    )
    _, second = table.does("dealer", RecordTumble(3), "ann")
    assert second == IrregularityReported("second-tumble", "shift-manager-rules", "5.10", "ann", "")
    assert table.state.unruled == {"uncovered-tumble": 1, "second-tumble": 1}


def test_3_6_dice_reported_as_tumbled_without_the_cover_take_no_more_bets() -> None:
    table = betting()
    reported, closed, _ = table.does("dealer", ReportIrregularity("uncovered-tumble"), "ann")
    assert reported == IrregularityReported(
        "dice-exposed", "void-round", "5.3.3", "ann", "", in_doubt=True
    )
    assert isinstance(closed, BetsClosed)
    late = PlaceBets("7", stakes({"small": 1_000}))
    assert table.refuses("terminal", late, "7") == ("ROUND_IN_DOUBT", "5.3.3")
