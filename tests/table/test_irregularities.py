"""What goes wrong, ruled by its clause: voids at once, voids by two persons, stops, waits."""

import pytest

from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.messages import Equipment, SettledLine
from taisai.core.table.betting import ClearBets, RoundVoided
from taisai.core.table.corrections import Rule
from taisai.core.table.interruption import DeclareOutcome, InterruptionRecorded, RecordInterruption
from taisai.core.table.irregularities import IrregularityReported, ReportIrregularity
from taisai.core.table.round import (
    AmendResult,
    BetsClosed,
    CloseBets,
    ConfirmResult,
    EnterResult,
    OpenBets,
    PressFace,
    ResultEntered,
    RoundStarted,
    Settle,
)
from taisai.core.table.setup import (
    DeclareSafeProcedure,
    EnrolTerminal,
    Rectify,
    SafeProcedureDeclared,
    TableRectified,
    TableStopped,
)
from taisai.core.table.state import Phase
from taisai.core.table.tumble import RecordTumble, TumbleRecorded
from tests.kit.tables import ADDRESSES, Table, open_table

BETS = {"small": 3_000, "total-9": 2_000}
RETURNED = (
    SettledLine("7", "small", 3_000, 0, 3_000),
    SettledLine("7", "total-9", 2_000, 0, 2_000),
)
BAD_TUMBLE = {"ts6/2": "5.5.1", "tso5/2": "5.5.1", "etg8/2": "5.3.1", "div9/2": "7.1(b)"}
NOT_FLAT = {"ts6/2": "5.5.2", "tso5/2": "5.5.2", "etg8/2": "5.3.2", "div9/2": "7.1(a)"}
EXPOSED = {"ts6/2": "5.5.3", "etg8/2": "5.3.3", "div9/2": "7.1(c)"}
#: Division 9 voids none of these, and has tests of its own [div9 7.3].
WITHOUT = {"ts6/2": "5.4.2", "tso5/2": "5.4.2", "etg8/2": "5.1.2"}
WITH = {"ts6/2": "5.4.1", "tso5/2": "5.4.1", "etg8/2": "5.1.1"}


def betting(address: str) -> Table:
    return open_table(address).betting(t7=BETS)


def report(code: str) -> ReportIrregularity:
    return ReportIrregularity(code, "seen by the dealer")


def assert_void(table: Table) -> None:
    """Check that every bet of a void round goes back, and that the next round can begin."""
    assert (table.credits(), table.live(), table.state.live) == (100_000, 0, 0)
    assert table.state.phase is Phase.READY
    assert (table.state.in_doubt, table.state.waiting, table.state.pending) == (None, False, None)
    record = table.state.history[table.state.round]
    assert (record.void, record.faces, record.lines) == (True, None, ())
    table.betting()


def closed_for(code: str, words: str, clause: str) -> BetsClosed:
    """Give a table whose bets dan's report has closed."""
    return BetsClosed(words, bell=False, clause=clause, by="dan", report=code)


def test_no_tumble_voids_the_round_at_once_where_nobody_saw_the_dice() -> None:
    table = betting("div9/2")
    assert table.does("dealer", report("no-tumble")) == (
        IrregularityReported("no-tumble", "void-round", "7.1(d)", "dan", "seen by the dealer"),
        closed_for("no-tumble", "No more bets", "6.2"),
        RoundVoided(1, "no-tumble", "7.1(d)", RETURNED),
    )
    assert_void(table)


@pytest.mark.parametrize("address", ["ts6/2", "etg8/2"])
def test_too_few_tumbles_void_the_round(address: str) -> None:
    table = betting(address).closed()
    clause = BAD_TUMBLE[address]
    assert table.does("dealer", RecordTumble(2)) == (
        TumbleRecorded(2, flat=True, concealed=True, by="dan"),
        IrregularityReported("bad-tumble", "void-round", clause, "dan", ""),
        RoundVoided(1, "bad-tumble", clause, RETURNED),
    )
    assert_void(table)


def test_7_1_too_few_tumbles_before_the_bets_are_no_spin() -> None:
    """The round ends before it was opened, and the next begins with a new tumble [D12]."""
    table = open_table("div9/2")
    assert table.does("dealer", RecordTumble(2)) == (
        RoundStarted(1, table.at),
        TumbleRecorded(2, flat=True, concealed=True, by="dan"),
        IrregularityReported("bad-tumble", "void-round", "7.1(b)", "dan", ""),
        RoundVoided(1, "bad-tumble", "7.1(b)", ()),
    )
    assert table.state.history[1].void
    assert table.refuses("dealer", OpenBets()) == ("TUMBLE_FIRST", "6.1")
    assert table.does("dealer", RecordTumble(3))[0] == RoundStarted(2, table.at)


def test_5_5_1_at_an_open_table_everybody_saw_a_bad_tumble() -> None:
    table = betting("tso5/2").closed()
    recorded, reported, requested = table.does("dealer", RecordTumble(1))
    assert reported == IrregularityReported(
        "bad-tumble", "void-round", "5.5.1", "dan", "", in_doubt=True
    )
    assert isinstance(requested, ApprovalRequested)
    assert table.does("supervisor", table.approval())[1:] == (
        RoundVoided(1, "bad-tumble", "5.5.1", RETURNED),
    )
    assert_void(table)
    assert isinstance(recorded, TumbleRecorded)


def test_5_5_3_open_dice_tumbled_before_the_close_void_the_round() -> None:
    table = betting("tso5/2")
    _, reported, closed, _ = table.does("dealer", RecordTumble(3))
    assert reported == IrregularityReported(
        "tumbled-too-early", "void-round", "5.5.3", "dan", "", in_doubt=True
    )
    assert closed == closed_for("tumbled-too-early", "No more Bets", "3.6")
    table.does("supervisor", table.approval())
    assert_void(table)


@pytest.mark.parametrize(("address", "clause"), NOT_FLAT.items())
def test_a_die_not_flat_voids_the_round_by_two_persons(address: str, clause: str) -> None:
    table = betting(address).closed()
    if table.before_bets:
        table.does("dealer", report("die-not-flat"))
    else:
        table.does("dealer", RecordTumble(3, flat=False))
    assert table.state.in_doubt == "die-not-flat"
    assert table.live() == 5_000
    for command in (EnterResult((1, 2, 3)), PressFace(1), ConfirmResult(), Settle()):
        assert table.refuses("dealer", command) == ("ROUND_IN_DOUBT", clause)
    assert table.refuses("dealer", AmendResult((1, 2, 3))) == ("ROUND_IN_DOUBT", clause)
    assert table.refuses("dealer", table.approval()) == ("SAME_PERSON", None)
    assert table.does("supervisor", table.approval())[1:] == (
        RoundVoided(1, "die-not-flat", clause, RETURNED),
    )
    assert_void(table)


@pytest.mark.parametrize(("address", "clause"), EXPOSED.items())
def test_covered_dice_exposed_before_the_close_void_the_round(address: str, clause: str) -> None:
    table = betting(address)
    if table.before_bets:
        table.does("dealer", report("dice-exposed"))
    else:
        table.does("dealer", RecordTumble(3, concealed=False))
    assert table.refuses("terminal", ClearBets("7"), "7") == ("ROUND_IN_DOUBT", clause)
    assert table.refuses("dealer", CloseBets(bell=True)) == ("ROUND_IN_DOUBT", clause)
    assert table.does("pit-manager", table.approval())[1:] == (
        RoundVoided(1, "dice-exposed", clause, RETURNED),
    )
    assert_void(table)


def test_dice_uncovered_after_the_close_void_nothing() -> None:
    table = betting("ts6/2").closed()
    assert table.does("dealer", RecordTumble(3, concealed=False)) == (
        TumbleRecorded(3, flat=True, concealed=False, by="dan"),
        IrregularityReported("uncovered-tumble", "shift-manager-rules", "3.7", "dan", ""),
    )
    table.entered(1, 2, 6)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_void_after_the_dice_were_seen_takes_two_whatever_the_reason(address: str) -> None:
    table = betting(address).confirmed(1, 2, 3)
    table.does("dealer", report("bad-tumble"))
    assert table.state.in_doubt == "bad-tumble"
    table.does("supervisor", table.approval())
    assert_void(table)


def test_what_waits_for_a_finding_leaves_what_waits_for_a_minute_alone() -> None:
    """A report waits beside another command, and each is answered by its own hash."""
    table = betting("ts6/2").closed().tumbled()
    table.does("dealer", report("die-not-flat"))
    first = table.approval()
    table.does("technician", EnrolTerminal("9", "by the door"))
    second = table.approval()
    assert first.pending != second.pending
    # A report may come in between, and then the command that had a minute is no longer pending.
    table.does("dealer", report("bad-tumble"))
    assert table.refuses("supervisor", second) == ("NOTHING_PENDING", None)
    stale = Approve(first.pending, first.version - 1)
    assert table.refuses("supervisor", stale) == ("PENDING_CHANGED", None)
    assert table.does("supervisor", first)[1:] == (
        RoundVoided(1, "die-not-flat", "5.5.2", RETURNED),
    )
    assert table.state.lasting == {}


def test_a_report_that_is_no_word_of_a_rulebook_is_short() -> None:
    table = betting("ts6/2")
    for code in ("", "x" * 65, "a:b"):
        assert table.refuses("dealer", report(code)) == ("NO_IRREGULARITY", None)


def test_a_tumble_of_a_round_in_doubt_is_recorded_and_reported_once() -> None:
    table = open_table("ts6/2", equipment=Equipment("reader")).betting(t7=BETS)
    table.does("dealer", report("die-not-flat"))
    assert table.does("dealer", RecordTumble(3, flat=False)) == (
        TumbleRecorded(3, flat=False, concealed=True, by="dan"),
    )
    # A device's reading of the same tumble is not a person's.
    events = table.does("device", RecordTumble(3, flat=False))
    assert [type(event) for event in events] == [
        TumbleRecorded,
        IrregularityReported,
        IrregularityReported,
        RoundVoided,
    ]


def test_what_is_left_to_a_ruling_is_remembered_as_far_as_it_goes() -> None:
    table = betting("ts6/2")
    for number in range(25):
        table.does("dealer", report(f"matter {number}"))
    table.does("dealer", report("matter 7"))
    assert len(table.state.unruled) == 20
    names = list(table.state.unruled)
    assert (names[0], names[-1]) == ("matter 5", "matter 7")


@pytest.mark.parametrize(("address", "clause"), BAD_TUMBLE.items())
def test_without_a_round_there_is_none_to_void(address: str, clause: str) -> None:
    assert open_table(address).refuses("dealer", report("bad-tumble")) == ("NO_ROUND", clause)


def test_a_report_to_a_closed_table_is_refused() -> None:
    table = Table().created()
    assert table.refuses("dealer", report("bad-tumble")) == ("TABLE_CLOSED", None)


@pytest.mark.parametrize(
    ("code", "ruling", "clause"),
    [
        ("walked-away", "settle", "5.3"),
        ("late-error", "no-effect-on-later-rounds", "5.8"),
        ("bet-in-error", "player-answers", "5.9"),
        ("lights-fail", "dice-prevail", "5.10"),
        ("wrong-entry", "dice-prevail", "5.10"),
        ("display-wrong", "dice-prevail", "5.11"),
        ("tumbled-too-early", "shift-manager-rules", "5.14"),
        ("a cat on the layout", "shift-manager-rules", "5.14"),
    ],
)
def test_what_does_not_void_is_ruled_and_recorded(code: str, ruling: str, clause: str) -> None:
    table = betting("ts6/2")
    assert table.does("dealer", report(code)) == (
        IrregularityReported(code, ruling, clause, "dan", "seen by the dealer"),
    )
    assert (table.state.phase, table.live(), table.state.in_doubt) == (Phase.BETTING, 5_000, None)


def test_what_has_a_command_of_its_own_is_not_merely_reported() -> None:
    table = betting("ts6/2")
    for code in (
        *("damaged-dice", "wrong-result-settled", "interrupted-with-outcome"),
        *("interrupted-without-outcome", "terminal-lost-registered", "terminal-lost-unregistered"),
    ):
        assert table.refuses("dealer", report(code)) == ("HAS_ITS_OWN_COMMAND", None)


def test_7_3_lights_fail_the_round_concludes_and_then_no_further_games() -> None:
    table = open_table("div9/2").betting(t7={"small": 3_000}).confirmed(1, 2, 3)
    assert table.does("dealer", report("lights-fail")) == (
        IrregularityReported("lights-fail", "dice-prevail", "7.3", "dan", "seen by the dealer"),
        TableStopped("7.4", "seen by the dealer"),
    )
    table.does("dealer", Settle())
    assert table.credits() == 103_000
    assert table.refuses("dealer", RecordTumble(3)) == ("TABLE_STOPPED", "7.4")
    assert table.refuses("technician", Rectify(" ")) == ("NOTE_MISSING", "7.4")
    assert table.does("technician", Rectify("a new lamp")) == (TableRectified("tom", "a new lamp"),)
    assert table.refuses("technician", Rectify("again")) == ("NOT_STOPPED", None)
    table.betting()


def test_7_4_after_a_malfunction_a_safe_procedure_is_declared_by_two_with_who_and_why() -> None:
    table = open_table("div9/2")
    table.does("dealer", RecordTumble(3))
    table.does("dealer", report("malfunction"))
    assert table.refuses("dealer", OpenBets()) == ("TABLE_STOPPED", "7.4")
    assert table.does("dealer", report("malfunction"))[1:] == ()
    assert table.refuses("supervisor", DeclareSafeProcedure("")) == ("NOTE_MISSING", "7.4")
    events = table.agrees("supervisor", DeclareSafeProcedure("faces read aloud by two"))
    assert events[1:] == (SafeProcedureDeclared("sue", "faces read aloud by two"),)
    assert table.refuses("supervisor", DeclareSafeProcedure("again")) == ("NOT_STOPPED", None)
    table.does("dealer", OpenBets())


# --- technical interruptions [D9] ----------------------------------------------------------------


@pytest.mark.parametrize(("address", "clause"), WITHOUT.items())
def test_an_interruption_while_bets_are_open_voids_the_round(address: str, clause: str) -> None:
    table = betting(address)
    assert table.does("system", RecordInterruption("power")) == (
        InterruptionRecorded("void-round", clause, "power"),
        RoundVoided(1, "interrupted-without-outcome", clause, RETURNED),
    )
    assert_void(table)


@pytest.mark.parametrize("address", WITHOUT)
def test_physical_dice_wait_for_two_persons_to_say_what_they_showed(address: str) -> None:
    table = betting(address).closed().tumbled()
    assert table.does("system", RecordInterruption("power")) == (
        InterruptionRecorded("wait", WITHOUT[address], "power"),
    )
    assert table.refuses("dealer", EnterResult((1, 2, 6))) == ("OUTCOME_TO_DECLARE", None)
    assert table.refuses("supervisor", DeclareOutcome((1, 2))) == ("BAD_DICE", None)
    events = table.agrees("supervisor", DeclareOutcome((6, 2, 1)), "dealer")
    assert events[1:] == (ResultEntered((1, 2, 6), "declared", "sue"),)
    table.does("dealer", ConfirmResult())
    table.does("dealer", Settle())
    assert table.credits() == 100_000 + 3_000 + 7 * 2_000


@pytest.mark.parametrize("address", WITHOUT)
def test_or_that_they_showed_nothing(address: str) -> None:
    table = betting(address).closed()
    table.does("system", RecordInterruption())
    events = table.agrees("supervisor", DeclareOutcome(), "dealer")
    clause = WITHOUT[address]
    assert events[1:] == (RoundVoided(1, "interrupted-without-outcome", clause, RETURNED),)
    assert_void(table)


@pytest.mark.parametrize("address", WITH)
def test_a_recorded_result_is_concluded(address: str) -> None:
    table = betting(address).closed().tumbled().entered(1, 2, 6)
    for _ in range(2):
        assert table.does("system", RecordInterruption()) == (
            InterruptionRecorded("conclude", WITH[address], ""),
        )
    table.does("dealer", ConfirmResult())
    table.does("dealer", Settle())
    assert table.credits() == 117_000


def test_between_rounds_an_interruption_touches_nothing() -> None:
    table = open_table()
    assert table.does("system", RecordInterruption("power")) == (
        InterruptionRecorded("none", None, "power"),
    )
    assert table.refuses("supervisor", DeclareOutcome()) == ("NOTHING_TO_DECLARE", None)


def test_a_draw_that_was_not_recorded_never_was() -> None:
    table = open_table(equipment=Equipment("simulated")).betting(t7=BETS).closed().tumbled()
    table.does("system", RecordInterruption())
    assert_void(table)


def test_a_verifiable_tumbler_concludes_from_its_secret() -> None:
    table = open_table(equipment=Equipment("verifiable")).betting(t7=BETS).closed()
    assert table.does("system", RecordInterruption()) == (
        InterruptionRecorded("conclude", "5.4.1", ""),
    )
    table.does("device", RecordTumble(3))
    table.does("device", EnterResult((1, 2, 6)))


def test_a_draw_that_one_source_reported_is_there() -> None:
    both = Equipment("simulated", read_by_dealer_too=True)
    table = open_table(equipment=both).betting(t7=BETS).closed().tumbled()
    table.does("device", EnterResult((1, 2, 6)))
    assert table.does("system", RecordInterruption()) == (
        InterruptionRecorded("conclude", "5.4.1", ""),
    )
    table.does("dealer", EnterResult((1, 2, 6)))
    assert table.state.phase is Phase.RESULT


def test_a_round_in_doubt_waits_through_an_interruption_and_is_void_by_two_alone() -> None:
    table = betting("ts6/2")
    table.does("dealer", report("dice-exposed"))
    assert table.does("supervisor", RecordInterruption()) == (
        InterruptionRecorded("wait", "5.4.2", ""),
    )
    for outcome in (DeclareOutcome((1, 2, 3)), DeclareOutcome()):
        assert table.refuses("supervisor", outcome) == ("ROUND_IN_DOUBT", None)
    table.does("supervisor", table.approval())
    assert_void(table)


def test_dice_that_nobody_bet_on_are_no_round_to_declare_an_outcome_of() -> None:
    table = open_table("div9/2")
    table.does("dealer", RecordTumble(3, concealed=False))
    table.does("system", RecordInterruption())
    table.does("supervisor", table.declining())
    assert table.refuses("supervisor", DeclareOutcome((1, 2, 3))) == ("ROUND_NOT_OPEN", None)
    assert table.refuses("supervisor", DeclareOutcome()) == ("SHIFT_MANAGER_RULES", "7.3")
    table.agrees("shift-manager", Rule("nobody had bet", voids_round=True))
    table.does("supervisor", Rectify("the power is back"))
    assert_void(table)
