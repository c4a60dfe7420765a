"""New Zealand's Division 9: dice spun before the bets, and the call of "No spin" [D20, D32]."""

from collections.abc import Callable

import pytest

from taisai.core.kernel.messages import Equipment
from taisai.core.table.betting import RoundVoided
from taisai.core.table.corrections import Rule
from taisai.core.table.irregularities import (
    AnnounceVoid,
    IrregularityReported,
    ReportDeclined,
    ReportIrregularity,
    VoidAnnounced,
)
from taisai.core.table.round import BetsClosed, OpenBets, RoundStarted
from taisai.core.table.state import Phase
from taisai.core.table.tumble import RecordTumble, TumbleRecorded
from tests.kit.chip_tables import chips_betting
from tests.kit.tables import Table, open_table

DIV9 = "div9/2"


def at_terminals(address: str) -> Table:
    return open_table(address).betting(t7={"small": 3_000})


FORMS = pytest.mark.parametrize("betting", [at_terminals, chips_betting])
Betting = Callable[[str], Table]


@FORMS
@pytest.mark.parametrize(
    ("code", "clause"), [("dice-exposed", "7.1(c)"), ("die-not-flat", "7.1(a)")]
)
def test_7_1_a_fact_that_voids_closes_the_wagers_without_the_bell(
    betting: Betting, code: str, clause: str
) -> None:
    table = betting(DIV9)
    _, closed, _ = table.does("dealer", ReportIrregularity(code), "ann")
    assert isinstance(closed, BetsClosed)
    assert (closed.words, closed.bell, closed.report) == ("No more bets", False, code)
    assert table.refuses("dealer", table.declining(), "bea")[0] == "MAY_NOT_APPROVE"
    found = table.does("supervisor", table.declining("the dome was on"), "sue")[1]
    assert isinstance(found, ReportDeclined)
    assert (found.clause, found.tumbles_again) == (clause, False)
    # The dice were spun before the wagers: the game goes on to the entry.
    table.entered(1, 2, 3)


@pytest.mark.parametrize("code", ["dice-exposed", "die-not-flat"])
def test_7_1_dice_reported_before_the_call_for_wagers_are_spun_anew(code: str) -> None:
    table = open_table(DIV9)
    table.does("dealer", RecordTumble(3, flat=code != "die-not-flat", concealed=False), "ann")
    assert (table.state.phase, table.state.doubts) == (Phase.TUMBLED, (code,))
    assert table.refuses("dealer", OpenBets())[0] == "ROUND_IN_DOUBT"
    found = table.does("supervisor", table.declining("the dome was on"), "sue")[1]
    assert isinstance(found, ReportDeclined)
    assert found.tumbles_again
    # Nobody bets on dice that somebody reported as visible.
    assert table.refuses("dealer", OpenBets()) == ("TUMBLE_FIRST", "6.1")
    assert len(table.does("dealer", RecordTumble(3))) == 1
    table.does("dealer", OpenBets())
    assert table.state.round == 1


def test_7_1_what_a_device_reads_is_no_spin_by_itself() -> None:
    table = open_table(DIV9, equipment=Equipment("reader"))
    events = table.does("device", RecordTumble(3, concealed=False))
    assert [type(event) for event in events] == [
        RoundStarted,
        TumbleRecorded,
        IrregularityReported,
        RoundVoided,
    ]
    assert (table.state.history[1].void, table.state.phase) == (True, Phase.READY)


@FORMS
def test_7_1_d_a_game_for_which_nobody_activated_the_tumbler_is_no_spin(betting: Betting) -> None:
    table = betting(DIV9)
    reported, closed, void = table.does("dealer", ReportIrregularity("no-tumble", "it was off"))
    assert isinstance(reported, IrregularityReported)
    assert (reported.ruling, reported.clause) == ("void-round", "7.1(d)")
    assert isinstance(closed, BetsClosed)
    assert isinstance(void, RoundVoided)


@FORMS
def test_7_1_no_spin_is_announced_by_the_rulebooks_words_and_recorded(betting: Betting) -> None:
    table = betting(DIV9)
    assert table.refuses("dealer", AnnounceVoid()) == ("NOTHING_TO_ANNOUNCE", None)
    table.does("dealer", ReportIrregularity("bad-tumble"))
    assert table.state.history[1].void, "it is void before anybody says so"
    assert table.does("dealer", AnnounceVoid()) == (
        VoidAnnounced(1, "bad-tumble", "No spin", "7.1(b)", "dan"),
    )
    assert table.refuses("dealer", AnnounceVoid()) == ("NOTHING_TO_ANNOUNCE", None)


def test_7_1_d_no_spin_is_announced_of_a_tumbler_that_was_never_set_off() -> None:
    table = open_table(DIV9).betting(t7={"small": 3_000}).closed()
    table.does("dealer", ReportIrregularity("no-tumble"))
    table.does("supervisor", table.approval())
    assert table.does("dealer", AnnounceVoid()) == (
        VoidAnnounced(1, "no-tumble", "No spin", "7.1(d)", "dan"),
    )


def test_7_1_the_next_game_begins_whether_or_not_no_spin_was_announced() -> None:
    table = open_table(DIV9)
    table.does("dealer", RecordTumble(2))
    assert table.state.to_announce == "bad-tumble"
    assert isinstance(table.does("dealer", RecordTumble(3))[0], RoundStarted)
    assert table.refuses("dealer", AnnounceVoid()) == ("NOTHING_TO_ANNOUNCE", None)


def test_7_1_no_spin_may_be_called_at_once_and_not_for_what_did_not_happen() -> None:
    table = at_terminals(DIV9).closed()
    table.does("dealer", ReportIrregularity("die-not-flat"), "ann")
    table.does("dealer", ReportIrregularity("dice-exposed"), "ann")
    table.does("supervisor", table.declining(), "sue")
    # Only the first report still waits.
    (said,) = table.does("dealer", AnnounceVoid())
    assert isinstance(said, VoidAnnounced)
    assert (said.code, said.clause) == ("die-not-flat", "7.1(a)")
    table.does("supervisor", table.declining(), "sue")
    assert table.refuses("dealer", AnnounceVoid()) == ("NOTHING_TO_ANNOUNCE", None)
    silent = open_table("ts6/2")
    silent.does("dealer", OpenBets())
    silent.does("dealer", RecordTumble(2))
    assert silent.refuses("dealer", AnnounceVoid()) == ("NOTHING_TO_ANNOUNCE", None)
    assert Table(DIV9).created().refuses("dealer", AnnounceVoid()) == ("TABLE_CLOSED", None)


@FORMS
def test_6_6_a_second_spin_while_wagers_are_open_is_recorded_and_left_to_a_ruling(
    betting: Betting,
) -> None:
    table = betting(DIV9)
    _, reported = table.does("dealer", RecordTumble(3), "ann")
    assert reported == IrregularityReported(
        "second-tumble", "shift-manager-rules", "6.6", "ann", ""
    )
    assert (table.state.phase, table.state.unruled) == (Phase.BETTING, {"second-tumble": 1})
    table.does("shift-manager", Rule("the last spin counts"))
    assert table.state.unruled == {}
    # In the open it is exposure.
    again = betting(DIV9)
    again.does("dealer", RecordTumble(3, concealed=False), "ann")
    assert (again.state.doubts, again.state.phase) == (("dice-exposed",), Phase.NO_MORE_BETS)
    assert again.state.unruled == {"second-tumble": 1}


@pytest.mark.parametrize("phase", [Phase.TUMBLED, Phase.BETTING])
def test_6_1_dice_reported_as_spun_without_the_dome_before_the_close_are_exposed(
    phase: Phase,
) -> None:
    table = open_table(DIV9)
    table.does("dealer", RecordTumble(3))
    if phase is Phase.BETTING:
        table.does("dealer", OpenBets())
    assert table.state.phase is phase
    table.does("dealer", ReportIrregularity("uncovered-tumble"), "ann")
    assert table.state.doubts == ("dice-exposed",)
    assert table.refuses("dealer", OpenBets()) == ("ROUND_IN_DOUBT", "7.1(c)")


def test_6_1_before_the_call_for_wagers_the_dice_may_be_spun_more_often() -> None:
    table = open_table(DIV9)
    table.does("dealer", RecordTumble(3))
    assert len(table.does("dealer", RecordTumble(3))) == 1
    assert table.state.unruled == {}
