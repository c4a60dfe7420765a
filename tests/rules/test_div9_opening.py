"""Division 9, 3.4 and 5.0: what is done before a table opens is recorded as it was done [D32].

What a throw lights is worked out by hand: 2, 2 and 6 are a total of 10, which is small.
"""

from taisai.core.rules.reason import Refusal
from taisai.core.table.opening import (
    EquipmentRegistered,
    EquipmentSwitchedOn,
    LayoutTested,
    LightsVerified,
    ReadSeal,
    RegisterEquipment,
    RunTest,
    SealRead,
    SwitchOn,
    TryTumbler,
    TumblerTried,
    VerifyTest,
)
from taisai.core.table.round import OpenBets
from taisai.core.table.setup import OpenTable, Rectify, RegisterDice, TableStopped
from taisai.core.table.tumble import RecordTumble
from taisai.projections.table_view import view_of
from taisai.wording import say
from tests.kit.tables import Table, open_table

DIV9 = "div9/1"


def with_dice() -> Table:
    """Give a closed table that has its rulebook, limits and dice."""
    table = Table(DIV9).created().adopted()
    table.does("supervisor", RegisterDice("D1", "S1"))
    return table


def test_5_0_a_the_record_has_what_the_equipment_is_connected_to() -> None:
    table = with_dice()
    done = table.does("supervisor", SwitchOn("mains, socket 4"))
    assert done == (EquipmentSwitchedOn("mains, socket 4", "5.0(a)", "sue"),)
    assert table.refuses("supervisor", SwitchOn(" ")) == ("NAME_MISSING", None)


def test_5_0_b_a_test_run_lights_what_would_win_and_moves_no_money() -> None:
    table = with_dice()
    books = dict(table.state.ledger.balances)
    (tested,) = table.does("supervisor", RunTest((6, 2, 2)))
    lit = ("small", "double-2", "total-10", "domino-26", "single-2", "single-6")
    assert tested == LayoutTested((2, 2, 6), lit, "5.0(b)", "sue")
    assert (view_of(table.state).tested, view_of(table.state).lit) == ((2, 2, 6), lit)
    assert (table.state.round, table.state.history, table.state.ledger.balances) == (0, {}, books)
    done = table.does("supervisor", VerifyTest(right=True))
    assert done == (LightsVerified((2, 2, 6), True, "", "5.0(b)", "sue"),)
    assert (view_of(table.state).tested, view_of(table.state).lit) == (None, ())


def test_5_0_b_another_test_run_is_verified_again() -> None:
    table = with_dice().prepared()
    table.does("supervisor", RunTest((1, 1, 1)))
    assert table.refuses("supervisor", OpenTable()) == ("CHECK_MISSING", "5.0(b)")


def test_7_4_what_lights_wrongly_in_a_test_run_stops_the_table() -> None:
    table = with_dice()
    table.does("supervisor", RunTest((4, 4, 4)))
    done = table.does("supervisor", VerifyTest(right=False, note="Big is lit"))
    wrong = LightsVerified((4, 4, 4), False, "Big is lit", "5.0(b)", "sue")
    assert done == (wrong, TableStopped("7.4", "Big is lit"))
    # It is stopped already: found wrong again, it is not stopped twice.
    table.does("supervisor", RunTest((4, 4, 4)))
    assert len(table.does("supervisor", VerifyTest(right=False, note="still lit"))) == 1


def test_5_0_c_a_tumbler_works_that_tumbles_three_times() -> None:
    table = with_dice()
    for times, works in ((0, False), (2, False), (3, True), (5, True)):
        done = table.does("supervisor", TryTumbler(times))
        assert done == (TumblerTried(times, works, "5.0(c)", "sue"),)
        assert ("tumbler-works" in table.state.checks) is works
    assert table.refuses("supervisor", TryTumbler(-1)) == ("BAD_AMOUNT", None)


def test_5_0_d_the_seal_is_compared_with_the_registered_one() -> None:
    table = with_dice()
    for seal, intact, agrees in (
        ("S1", True, True),
        (" s 1", True, True),
        ("S2", True, False),
        ("S1", False, False),
    ):
        done = table.does("supervisor", ReadSeal(seal, intact))
        assert done == (SealRead("D1", seal, intact, agrees, "5.0(d)", "sue"),)
        assert ("dice-sealed" in table.state.checks) is agrees


def test_5_0_d_other_dice_have_their_seal_read_before_the_next_game() -> None:
    table = open_table(DIV9)
    table.does("supervisor", RegisterDice("D2", "S2"))
    assert table.refuses("dealer", RecordTumble(3)) == ("CHECK_MISSING", "5.0(d)")
    assert table.refuses("dealer", OpenBets()) == ("CHECK_MISSING", "5.0(d)")
    table.does("supervisor", ReadSeal("S2"))
    table.betting()


def test_3_4_e_another_tumbler_is_tried_and_its_dice_looked_at_again() -> None:
    table = open_table(DIV9)
    done = table.does("supervisor", RegisterEquipment("tumbler", "T-2"))
    assert done == (EquipmentRegistered("tumbler", "T-2", "3.4(e)", "sue"),)
    assert table.refuses("dealer", RecordTumble(3)) == ("CHECK_MISSING", "5.0(c)")
    table.does("supervisor", TryTumbler(3))
    assert table.refuses("dealer", RecordTumble(3)) == ("CHECK_MISSING", "5.0(d)")
    table.does("supervisor", ReadSeal("S1"))
    table.betting()


def test_5_0_what_is_missing_is_said_in_words() -> None:
    table = with_dice()
    found = table.ask("supervisor", OpenTable())
    assert isinstance(found, Refusal)
    assert say(found.reason) == (
        "the table's equipment is not complete; not registered: the dice tumbler"
    )
    assert say(found.reason, "zh-Hant") == "賭桌設備不齊，尚未登記：搖骰器"
    table.prepared().does("supervisor", TryTumbler(1))
    found = table.ask("supervisor", OpenTable())
    assert isinstance(found, Refusal)
    assert say(found.reason) == "an opening check is still to be made: the tumbler works"


def test_5_0_b_a_light_that_was_wrong_is_tested_again_once_it_is_mended() -> None:
    table = with_dice().prepared()
    table.does("supervisor", RunTest((6, 6, 6)))
    table.does("supervisor", VerifyTest(right=False, note="Big is lit"))
    table.does("technician", Rectify("a new lamp"))
    assert table.refuses("supervisor", OpenTable()) == ("CHECK_MISSING", "5.0(b)")


def test_3_4_with_terminals_a_table_wants_a_tumbler_and_a_bell_alone() -> None:
    table = with_dice()
    wanted = []
    for equipment in ("tumbler", "bell"):
        wanted.append(table.refuses("supervisor", OpenTable()))
        table.does("supervisor", RegisterEquipment(equipment, "1"))
    assert wanted == [("EQUIPMENT_MISSING", "3.4(e)"), ("EQUIPMENT_MISSING", "3.4(f)")]
    assert table.refuses("supervisor", OpenTable())[0] == "CHECK_MISSING"
