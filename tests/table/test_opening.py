"""A table is set up, opened and closed: rules, limits, dice, checks, notice."""

import pytest

import taisai
from taisai.core.kernel.messages import Equipment, LimitsAsked
from taisai.core.rules.limits import BoxLimits
from taisai.core.table import setup
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.opening import (
    EquipmentRegistered,
    EquipmentWithdrawn,
    ReadSeal,
    RegisterEquipment,
    RunTest,
    SwitchOn,
    TryTumbler,
    TumblerTried,
    VerifyTest,
    WithdrawEquipment,
)
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import (
    AdoptRulebook,
    CloseTable,
    CreateTable,
    DiceRegistered,
    EnrolTerminal,
    GiveNotice,
    LimitsSet,
    NoticeGiven,
    OpenTable,
    RegisterDice,
    RulebookAdopted,
    SetLimits,
    TableClosed,
    TableCreated,
    TableOpened,
    TerminalEnrolled,
)
from taisai.core.table.state import Phase
from tests.kit.tables import ADDRESSES, Table, limits_on, open_table

CANONICAL = taisai.rulebook("ts6").canonical.decode()


def adopted() -> Table:
    return Table().created().adopted()


def test_a_table_is_created_once_with_its_currency() -> None:
    table = Table()
    assert table.refuses("dealer", CreateTable("T1", "SGD")) == ("NOT_ALLOWED", None)
    assert table.refuses("supervisor", OpenTable()) == ("NO_TABLE", None)
    assert table.refuses("system", CreateTable("", "SGD")) == ("NAME_MISSING", None)
    assert table.refuses("system", CreateTable("T1", " ")) == ("NAME_MISSING", None)
    assert table.refuses("system", CreateTable("T1", "SGD", handpay_threshold=-1)) == (
        "BAD_AMOUNT",
        None,
    )
    for name in ("cage", "cage-2"):
        assert table.refuses("system", CreateTable(name, "SGD")) == ("CAGES_NAME", None)
    created = table.does("technician", CreateTable("T1", "SGD", Equipment("reader"), 50_000))
    assert created == (TableCreated("T1", "SGD", Equipment("reader"), 50_000),)
    assert (table.state.phase, table.state.currency) == (Phase.CLOSED, "SGD")
    assert table.refuses("system", CreateTable("T2", "NZD")) == ("TABLE_EXISTS", None)


def test_a_terminal_is_enrolled_once_by_two_persons() -> None:
    table = Table()
    table.does("system", CreateTable("T1", "SGD"))
    events = table.agrees("technician", EnrolTerminal("7", "seat 7"), "supervisor")
    assert events[1:] == (TerminalEnrolled("7", "seat 7"),)
    assert table.seat("7").place == "seat 7"
    for name in ("", " ", "a:b", "x" * 65):
        assert table.refuses("technician", EnrolTerminal(name, "")) == ("NAME_MISSING", None)
    assert table.refuses("technician", EnrolTerminal("7", "")) == ("TERMINAL_EXISTS", None)


def test_a_table_has_room_for_so_many_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "TERMINALS_MAX", 2)
    table = Table().created()
    assert table.refuses("technician", EnrolTerminal("9", "")) == ("TOO_MANY_TERMINALS", None)


def test_a_rulebook_is_proved_again_and_carried_whole() -> None:
    table = Table().created()
    assert table.refuses("pit-manager", AdoptRulebook("{}", 1)) == ("RULEBOOK_REFUSED", None)
    assert table.refuses("pit-manager", AdoptRulebook("骰", 1)) == ("RULEBOOK_REFUSED", None)
    assert table.refuses("pit-manager", AdoptRulebook(CANONICAL, 4)) == (
        "UNKNOWN_PAY_TABLE",
        None,
    )
    events = table.agrees("pit-manager", AdoptRulebook(CANONICAL, 3), "supervisor")
    rulebook = taisai.rulebook("ts6")
    assert events[1:] == (RulebookAdopted("ts6", rulebook.sha256, CANONICAL, 3),)
    assert table.state.pay_table == rulebook.pay_tables[3]


def test_a_rulebook_that_favours_the_player_is_refused() -> None:
    generous = CANONICAL.replace('"Domino Combination Bet","pays":"6"', '"D","pays":"60"')
    assert generous != CANONICAL
    table = Table().created()
    assert table.refuses("pit-manager", AdoptRulebook(generous, 1)) == ("RULEBOOK_REFUSED", None)


def test_a_rulebook_changes_on_a_closed_table_only_and_takes_limits_and_checks_with_it() -> None:
    table = open_table("div9/2")
    assert table.refuses("pit-manager", AdoptRulebook(CANONICAL, 1)) == ("TABLE_NOT_CLOSED", None)
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    table.does("supervisor", ReadSeal("S1"))
    before = (table.state.limits is None, len(table.state.checks))
    table.agrees("pit-manager", AdoptRulebook(CANONICAL, 2), "supervisor")
    after = (table.state.limits is None, len(table.state.checks))
    assert (before, after) == ((False, 1), (True, 0))


def test_limits_are_set_between_rounds_only() -> None:
    table = Table()
    table.does("system", CreateTable("T1", "SGD"))
    assert table.refuses("supervisor", SetLimits(limits_on("ts6/2"))) == ("NO_RULEBOOK", None)
    table = open_table()
    asked = LimitsAsked(
        2_000, 20_000, 100, 10_000, {"triple": (1_000, 5_000), "big": (None, 9_000)}
    )
    assert table.agrees("supervisor", SetLimits(asked))[1:] == (LimitsSet(asked),)
    limits = table.state.limits
    assert limits is not None
    assert limits.of("small") == BoxLimits(2_000, 20_000)
    assert limits.of("big") == BoxLimits(2_000, 9_000)
    assert limits.of("triple-3") == BoxLimits(1_000, 5_000)
    table.betting()
    assert table.refuses("supervisor", SetLimits(asked)) == ("ROUND_UNDER_WAY", "3.3")


def test_limits_that_cannot_be_are_refused() -> None:
    table = adopted()
    low_above_high = SetLimits(LimitsAsked(2_000, 1_000))
    assert table.refuses("supervisor", low_above_high) == ("BAD_LIMITS", None)
    off_step = SetLimits(LimitsAsked(1_050, 2_000, 100))
    assert table.refuses("supervisor", off_step) == ("BAD_LIMITS", None)
    assert table.refuses("supervisor", SetLimits(LimitsAsked(0, 10, 0))) == ("BAD_LIMITS", None)


@pytest.mark.parametrize("address", ["etg8/2", "div9/2"])
def test_a_differential_is_refused_where_the_document_knows_none(address: str) -> None:
    table = Table(address).created().adopted()
    asked = SetLimits(LimitsAsked(1_000, 20_000, 100, 5_000))
    assert table.refuses("supervisor", asked) == ("NO_DIFFERENTIAL", "D6")


def test_dice_are_registered_with_their_seal_between_rounds() -> None:
    table = open_table()
    table.betting().settled(1, 2, 3)
    events = table.does("supervisor", RegisterDice("D2", "S2"))
    assert events == (DiceRegistered("D2", "S2", "sue"),)
    assert table.state.dice_set == "D2"
    assert table.state.dice_rounds == {"D1": [(1, 1)], "D2": [(2, None)]}
    assert table.refuses("supervisor", RegisterDice("D3", "")) == ("NAME_MISSING", None)
    assert table.refuses("supervisor", RegisterDice("", "S3")) == ("NAME_MISSING", None)
    table.betting()
    assert table.refuses("supervisor", RegisterDice("D3", "S3")) == ("ROUND_UNDER_WAY", None)


def test_d24_dice_that_come_back_have_all_the_rounds_they_served_in() -> None:
    """A set that served in no round in between goes on with the rounds it had."""
    table = open_table()
    table.betting().settled(1, 2, 3)
    table.does("supervisor", RegisterDice("D2", "S2"))
    table.does("supervisor", RegisterDice("D1", "S3"))
    assert table.state.dice_rounds == {"D1": [(1, None)], "D2": []}
    table.betting().settled(1, 2, 3)
    table.does("supervisor", RegisterDice("D2", "S2"))
    table.betting().settled(1, 2, 3)
    table.does("supervisor", RegisterDice("D1", "S1"))
    assert table.state.dice_rounds == {"D1": [(1, 2), (4, None)], "D2": [(3, 3)]}


def test_a_table_opens_on_rules_limits_and_dice() -> None:
    table = Table().created()
    acts = (RegisterEquipment("bell", "1"), SwitchOn("mains"), RunTest((1, 2, 3)))
    for act in (*acts, VerifyTest(right=True), TryTumbler(3), ReadSeal("S1")):
        assert table.refuses("supervisor", act) == ("NO_RULEBOOK", None)
    assert table.refuses("supervisor", OpenTable()) == ("NO_RULEBOOK", None)
    table.agrees("pit-manager", AdoptRulebook(CANONICAL, 2), "supervisor")
    assert table.refuses("supervisor", OpenTable()) == ("NO_LIMITS", "3.3")
    table.agrees("supervisor", SetLimits(limits_on("ts6/2")))
    assert table.refuses("supervisor", OpenTable()) == ("NO_DICE", None)
    table.does("supervisor", RegisterDice("D1", "S1"))
    assert table.does("supervisor", OpenTable()) == (TableOpened("sue"),)
    assert table.state.phase is Phase.READY
    assert table.refuses("supervisor", OpenTable()) == ("TABLE_NOT_CLOSED", None)


def test_what_the_document_asks_for_nowhere_is_recorded_and_not_waited_for() -> None:
    """A house may test its tumbler and look at its seals under any rules."""
    table = adopted()
    table.does("supervisor", RegisterDice("D1", "S1"))
    for act in (SwitchOn("mains"), RunTest((1, 2, 3)), VerifyTest(right=False, note="dark")):
        assert len(table.does("pit-manager", act)) == 1, "and nothing stops the table"
    assert table.does("pit-manager", TryTumbler(2)) == (TumblerTried(2, False, None, "pat"),)
    table.does("pit-manager", ReadSeal("S9"))
    table.does("supervisor", OpenTable())
    table.does("supervisor", RegisterDice("D2", "S2"))
    table.betting()


def test_checks_are_made_anew_for_every_opening() -> None:
    table = open_table("div9/2")
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    assert table.refuses("supervisor", OpenTable()) == ("CHECK_MISSING", "5.0(a)")


def test_a_stopped_table_does_not_open() -> None:
    table = open_table("div9/2")
    table.does("dealer", ReportIrregularity("malfunction"))
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    table.prepared()
    assert table.refuses("supervisor", OpenTable()) == ("TABLE_STOPPED", "7.4")


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_table_closes_between_rounds_after_notice(address: str) -> None:
    table = open_table(address)
    assert table.refuses("supervisor", CloseTable()) == ("NOTICE_FIRST", None)
    table.betting()
    assert table.does("dealer", GiveNotice()) == (NoticeGiven("dan"),)
    assert table.refuses("supervisor", CloseTable()) == ("ROUND_UNDER_WAY", None)
    table.settled(1, 2, 3)
    assert table.does("supervisor", CloseTable()) == (TableClosed("sue"),)
    assert table.state.phase is Phase.CLOSED
    assert table.refuses("supervisor", CloseTable()) == ("TABLE_CLOSED", None)
    assert table.refuses("dealer", GiveNotice()) == ("TABLE_CLOSED", None)
    assert table.refuses("dealer", OpenBets()) == ("TABLE_CLOSED", None)


def test_notice_is_given_anew_after_every_opening() -> None:
    table = open_table()
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    table.does("supervisor", OpenTable())
    assert table.refuses("supervisor", CloseTable()) == ("NOTICE_FIRST", None)


def test_d32_equipment_and_dice_are_withdrawn_from_a_closed_table() -> None:
    table = open_table("div9/2")
    bell, dice = WithdrawEquipment("bell"), WithdrawEquipment("dice")
    assert table.refuses("technician", bell) == ("TABLE_NOT_CLOSED", None)
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    checks = (SwitchOn("mains"), RunTest((1, 2, 3)), VerifyTest(right=True), TryTumbler(3))
    for act in (*checks, ReadSeal("S1")):
        table.does("supervisor", act)
    assert table.refuses("dealer", bell) == ("NOT_ALLOWED", None)
    unknown = table.refuses("technician", WithdrawEquipment("lucky-cat"))
    assert unknown == ("UNKNOWN_EQUIPMENT", None)
    there = table.state.registered["bell"]
    withdrawn = table.does("technician", bell)
    assert withdrawn == (EquipmentWithdrawn("bell", there, "tom"),)
    assert table.refuses("technician", bell) == ("UNKNOWN_EQUIPMENT", None)
    assert table.refuses("supervisor", OpenTable()) == ("EQUIPMENT_MISSING", "3.4(f)")
    table.does("supervisor", RegisterEquipment("bell", "B-9"))
    # Other dice have another seal; another tumbler is tested again.
    assert table.does("supervisor", dice) == (EquipmentWithdrawn("dice", "D1", "sue"),)
    assert (table.state.dice_set, table.state.dice_rounds) == (None, {"D1": []})
    assert table.refuses("supervisor", dice) == ("UNKNOWN_EQUIPMENT", None)
    assert table.refuses("supervisor", OpenTable()) == ("NO_DICE", None)
    table.does("supervisor", RegisterDice("D2", "S2"))
    assert table.refuses("supervisor", OpenTable()) == ("CHECK_MISSING", "5.0(d)")
    table.does("supervisor", ReadSeal("S2"))
    table.does("supervisor", WithdrawEquipment("tumbler"))
    table.does("supervisor", RegisterEquipment("tumbler", "T-9"))
    assert table.refuses("supervisor", OpenTable()) == ("CHECK_MISSING", "5.0(c)")


def test_d32_a_reader_of_dice_is_registered_withdrawn_and_replaced() -> None:
    table = open_table("etg8/1", equipment=Equipment("reader"))
    assert table.state.registered == {"reader": "reader 1"}
    reader = WithdrawEquipment("reader")
    assert table.refuses("technician", reader) == ("TABLE_NOT_CLOSED", None)
    table.does("dealer", GiveNotice())
    table.does("supervisor", CloseTable())
    assert table.does("technician", reader) == (EquipmentWithdrawn("reader", "reader 1", "tom"),)
    assert table.refuses("supervisor", OpenTable()) == ("EQUIPMENT_MISSING", None)
    other = table.does("supervisor", RegisterEquipment("reader", "R-2"))
    assert other == (EquipmentRegistered("reader", "R-2", None, "sue"),)
    table.does("supervisor", OpenTable())
    # Where no device reads the dice there is none.
    keyed = open_table("etg8/1")
    unknown = keyed.refuses("supervisor", RegisterEquipment("reader", "R-2"))
    assert unknown == ("UNKNOWN_EQUIPMENT", None)
