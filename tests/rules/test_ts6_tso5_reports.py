"""Tai Sai and Tai Sai (Open Cover): reports of the dice, at terminals and on a layout [D20].

Terminal 7 has 30.00 on Small, or seat 1 has chips there; reports are answered only by a supervisor
who did not make them.
"""

from collections.abc import Callable

import pytest

from taisai.core.kernel.approvals import CommandDeclined
from taisai.core.kernel.messages import Equipment
from taisai.core.table.betting import PlaceBets, RoundVoided
from taisai.core.table.chips.layout_bets import RecordBets
from taisai.core.table.interruption import RecordInterruption
from taisai.core.table.irregularities import (
    IrregularityReported,
    ReportDeclined,
    ReportIrregularity,
)
from taisai.core.table.round import BetsClosed, EnterResult, OpenBets, Settle
from taisai.core.table.state import Phase
from taisai.core.table.tumble import LiftCover, RecordTumble, TumbleRecorded
from tests.kit.chip_tables import HUNDRED, bets, chips_betting
from tests.kit.tables import Table, open_table, stakes

READER = Equipment("reader")


def at_terminals(address: str) -> Table:
    return open_table(address).betting(t7={"small": 3_000})


FORMS = pytest.mark.parametrize("betting", [at_terminals, chips_betting])
BOTH = pytest.mark.parametrize("address", ["ts6/2", "tso5/2"])
Betting = Callable[[str], Table]


def refuses_bets(table: Table, code: str) -> None:
    """Check that no more bets are taken, at a terminal or on the layout."""
    if table.state.chips is None:
        late = PlaceBets("7", stakes({"small": 1_000}))
        assert table.refuses("terminal", late, "7")[0] == code
    else:
        assert table.refuses("dealer", RecordBets("1", bets(small=HUNDRED)))[0] == code


@FORMS
@pytest.mark.parametrize(
    ("address", "code", "clause"),
    [
        ("ts6/2", "die-not-flat", "5.5.2"),
        ("ts6/2", "dice-exposed", "5.5.3"),
        ("tso5/2", "bad-tumble", "5.5.1"),
        ("tso5/2", "die-not-flat", "5.5.2"),
        ("tso5/2", "tumbled-too-early", "5.5.3"),
    ],
)
def test_5_5_a_fact_that_voids_closes_the_bets_at_once_and_waits_for_a_supervisor(
    betting: Betting, address: str, code: str, clause: str
) -> None:
    table = betting(address)
    events = table.does("dealer", ReportIrregularity(code, "as I saw it"), "ann")
    assert events[0] == IrregularityReported(
        code, "void-round", clause, "ann", "as I saw it", in_doubt=True
    )
    closed = events[1]
    assert isinstance(closed, BetsClosed)
    assert (closed.words, closed.clause) == ("No more Bets", "3.6")
    assert (closed.report, closed.bell, closed.by) == (code, False, "ann")
    assert (table.state.phase, table.state.doubts) == (Phase.NO_MORE_BETS, (code,))
    refuses_bets(table, "ROUND_IN_DOUBT")
    # Never a second dealer, and never the person who reported it.
    for answer in (table.approval(), table.declining()):
        assert table.refuses("dealer", answer, "bea")[0] == "MAY_NOT_APPROVE"
        assert table.refuses("supervisor", answer, "ann")[0] == "SAME_PERSON"
    # No minute ends the wait.
    table.at += 24 * 3_600_000
    void = table.does("supervisor", table.approval(), "sue")[1]
    assert isinstance(void, RoundVoided)
    assert (void.code, void.clause) == (code, clause)
    assert (table.state.phase, table.state.doubts) == (Phase.READY, ())


@FORMS
@BOTH
def test_5_5_a_report_that_is_declined_takes_a_reason_and_the_round_goes_on_closed(
    betting: Betting, address: str
) -> None:
    table = betting(address)
    table.does("dealer", ReportIrregularity("die-not-flat"), "ann")
    staked = table.state.live
    assert table.refuses("supervisor", table.declining("  "), "sue") == ("REASON_MISSING", None)
    assert table.refuses("supervisor", table.declining("x" * 501), "sue") == ("NOTE_LONG", None)
    declined, found = table.does("supervisor", table.declining("it lies flat"), "sue")
    assert isinstance(declined, CommandDeclined)
    assert found == ReportDeclined(
        1, "die-not-flat", "5.5.2", "ann", declined.by, "it lies flat", tumbles_again=False
    )
    assert (found.by.person, found.by.role) == ("sue", "supervisor")
    assert (table.state.phase, table.state.live) == (Phase.NO_MORE_BETS, staked)
    assert table.refuses("dealer", OpenBets())[0] == "ROUND_UNDER_WAY"
    if table.state.chips is None:
        refuses_bets(table, "BETS_CLOSED")
    table.does("dealer", RecordTumble(3))
    table.entered(1, 2, 6)


@BOTH
def test_5_5_what_is_found_out_after_the_result_goes_on_from_there(address: str) -> None:
    table = at_terminals(address).confirmed(1, 2, 6)
    table.does("dealer", ReportIrregularity("die-not-flat"), "ann")
    assert table.refuses("dealer", Settle())[0] == "ROUND_IN_DOUBT"
    table.does("pit-manager", table.declining(), "pat")
    assert table.state.phase is Phase.CONFIRMED
    table.does("dealer", Settle())
    assert table.credits() == 103_000


@BOTH
def test_5_5_what_waits_survives_an_interruption(address: str) -> None:
    table = at_terminals(address)
    table.does("dealer", ReportIrregularity("die-not-flat"), "ann")
    table.does("system", RecordInterruption("power"))
    assert table.state.doubts == ("die-not-flat",)
    table.at += 3_600_000
    assert isinstance(table.does("supervisor", table.approval(), "sue")[1], RoundVoided)


@BOTH
def test_5_5_what_a_device_reads_voids_by_itself_and_stays_void(address: str) -> None:
    table = open_table(address, equipment=READER).betting(t7={"small": 3_000})
    code = "tumbled-too-early" if address == "tso5/2" else "die-not-flat"
    tumbled, reported, closed, void = table.does("device", RecordTumble(3, flat=False))
    assert isinstance(tumbled, TumbleRecorded)
    assert isinstance(reported, IrregularityReported)
    assert (reported.code, reported.device, reported.in_doubt) == (code, True, False)
    assert isinstance(closed, BetsClosed)
    assert isinstance(void, RoundVoided)
    assert (table.credits(), table.state.lasting) == (100_000, {})
    # The misreading is a malfunction, in addition to the void.
    (told,) = table.does("supervisor", ReportIrregularity("malfunction", "all lay flat"))
    assert isinstance(told, IrregularityReported)
    assert (told.ruling, told.clause) == ("shift-manager-rules", "5.14")
    assert table.state.history[1].void


def test_5_5_a_device_overrules_who_reported_the_same() -> None:
    table = open_table("ts6/2", equipment=READER).betting(t7={"small": 3_000}).closed()
    table.does("device", RecordTumble(3))
    table.does("dealer", ReportIrregularity("die-not-flat"), "ann")
    assert table.refuses("dealer", ReportIrregularity("die-not-flat"), "bea") == (
        "ALREADY_REPORTED",
        "5.5.2",
    )
    reported, void = table.does("device", ReportIrregularity("die-not-flat"))
    assert isinstance(reported, IrregularityReported)
    assert isinstance(void, RoundVoided)
    assert (table.state.doubts, table.state.lasting) == ((), {})


def test_5_5_each_report_waits_for_its_own_finding() -> None:
    table = at_terminals("ts6/2").closed().tumbled()
    table.does("dealer", ReportIrregularity("die-not-flat"), "ann")
    first = table.declining("it lies flat")
    table.does("supervisor", ReportIrregularity("bad-tumble"), "sue")
    assert list(table.state.doubts) == ["die-not-flat", "bad-tumble"]
    table.does("supervisor", first, "sue")
    assert list(table.state.doubts) == ["bad-tumble"]
    assert table.refuses("dealer", EnterResult((1, 2, 3))) == ("ROUND_IN_DOUBT", "5.5.1")
    assert table.refuses("supervisor", table.declining(), "sue")[0] == "SAME_PERSON"
    table.does("shift-manager", table.declining(), "max")
    table.entered(1, 2, 3)


def test_5_5_3_a_tumble_found_not_to_have_come_too_early_is_recorded_after_the_close() -> None:
    table = at_terminals("tso5/2")
    table.does("dealer", RecordTumble(3), "ann")
    assert table.state.doubts == ("tumbled-too-early",)
    found = table.does("supervisor", table.declining("the button slipped"), "sue")[1]
    assert isinstance(found, ReportDeclined)
    assert found.tumbles_again
    assert table.refuses("dealer", EnterResult((1, 2, 3))) == ("NOT_TUMBLED", "3.7")
    table.does("dealer", RecordTumble(3))
    # A tumble that was made in its turn stays recorded.
    table.does("dealer", ReportIrregularity("tumbled-too-early"), "ann")
    kept = table.does("supervisor", table.declining(), "sue")[1]
    assert isinstance(kept, ReportDeclined)
    assert not kept.tumbles_again
    table.entered(1, 2, 3)


@pytest.mark.parametrize("key", ["ts6", "tso5"])
@FORMS
def test_5_5_1_a_tumbler_that_was_not_activated_is_activated(key: str, betting: Betting) -> None:
    table = betting(f"{key}/2")
    for phase in (Phase.BETTING, Phase.NO_MORE_BETS):
        assert table.state.phase is phase
        report = ReportIrregularity("no-tumble", "it stood still")
        assert table.refuses("dealer", report) == ("TUMBLE_INSTEAD", "3.7")
        if phase is Phase.BETTING:
            table.closed()
    assert table.refuses("dealer", EnterResult((1, 2, 3))) == ("NOT_TUMBLED", "3.7")
    table.tumbled().entered(1, 2, 3)


def test_3_7_a_tumble_without_the_cover_after_the_close_is_left_to_a_ruling() -> None:
    table = at_terminals("ts6/2").closed()
    tumbled, reported = table.does("dealer", RecordTumble(3, concealed=False), "ann")
    assert isinstance(tumbled, TumbleRecorded)
    assert reported == IrregularityReported(
        "uncovered-tumble", "shift-manager-rules", "3.7", "ann", ""
    )
    assert table.state.unruled == {"uncovered-tumble": 1}
    table.entered(1, 2, 3)
    # Before the close it is exposure.
    early = at_terminals("ts6/2")
    early.does("dealer", RecordTumble(3, concealed=False))
    assert early.state.doubts == ("dice-exposed",)


@FORMS
def test_3_7_dice_reported_as_tumbled_without_the_cover_take_no_more_bets(
    betting: Betting,
) -> None:
    table = betting("ts6/2")
    reported, closed, _ = table.does(
        "dealer", ReportIrregularity("uncovered-tumble", "it was off"), "ann"
    )
    assert reported == IrregularityReported(
        "dice-exposed", "void-round", "5.5.3", "ann", "it was off", in_doubt=True
    )
    assert isinstance(closed, BetsClosed)
    refuses_bets(table, "ROUND_IN_DOUBT")
    void = table.does("supervisor", table.approval(), "sue")[1]
    assert isinstance(void, RoundVoided)
    assert (void.code, void.clause) == ("dice-exposed", "5.5.3")


@FORMS
def test_3_7_dice_reported_after_the_close_as_tumbled_without_the_cover_are_in_sight(
    betting: Betting,
) -> None:
    table = betting("ts6/2").closed().tumbled()
    (reported,) = table.does("dealer", ReportIrregularity("uncovered-tumble"), "ann")
    assert reported == IrregularityReported(
        "uncovered-tumble", "shift-manager-rules", "3.7", "ann", ""
    )
    assert table.refuses("dealer", LiftCover()) == ("COVER_IS_LIFTED", "3.7")
    table.entered(1, 2, 3)


@pytest.mark.parametrize(("address", "before_close"), [("ts6/2", True), ("tso5/2", False)])
def test_3_7_a_second_tumble_is_recorded_and_left_to_a_ruling(
    address: str, *, before_close: bool
) -> None:
    table = at_terminals(address)
    if not before_close:
        table.closed()
    assert len(table.does("dealer", RecordTumble(3))) == 1
    _, reported = table.does("dealer", RecordTumble(3), "ann")
    assert reported == IrregularityReported(
        "second-tumble", "shift-manager-rules", "5.14", "ann", ""
    )
    assert table.state.unruled == {"second-tumble": 1}
