"""The cage: vouchers sold, printed, taken and paid; cash at the counter; money in transit."""

import pytest

from taisai.core.cage import vouchers as cage_module
from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.fills import FillSent, SendFill
from taisai.core.cage.state import session_code, voucher_number
from taisai.core.cage.vouchers import (
    CageOpened,
    OpenCage,
    PayVoucher,
    PrintVoucher,
    ReplaceVoucherKey,
    SellVoucher,
    SerialsSkipped,
    SetVoucherTerms,
    SkipSerials,
    TakeVoucher,
    VoidVoucher,
    VoucherIssued,
    VoucherKeyReplaced,
    VoucherPaid,
    VoucherTaken,
    VoucherTermsSet,
    VoucherVoided,
)
from taisai.core.kernel.approvals import ApprovalRequested, Approve, CommandDeclined, Decline
from taisai.core.kernel.messages import Actor, Delivery, Order
from taisai.core.kernel.transits import CloseTransit, TransitClosed
from taisai.core.snapshots import CAGE, unpack_cage
from taisai.core.table.chips.pieces import Pieces
from taisai.core.table.corrections import Rule
from taisai.core.table.positions import CashedOut, CashOut, ReceiveCredits
from taisai.core.table.round import OpenBets
from tests.kit.tables import Cage, open_cage, open_table

DAY = 24 * 3600 * 1000


def last_order(cage: Cage) -> Order:
    assert cage.last is not None
    return cage.last


def sold(value: int = 5_000, cage: Cage | None = None) -> tuple[Cage, str]:
    """Sell a voucher, and give its number by the order that bought it."""
    cage = cage or open_cage()
    (issued,) = cage.does("cage", SellVoucher(value, "counter"))
    assert isinstance(issued, VoucherIssued)
    number = cage.state.number_for(last_order(cage))
    assert number is not None
    return cage, number


def test_a_cage_is_opened_once() -> None:
    cage = Cage()
    assert cage.refuses("cage", SellVoucher(1_000, "counter")) == "CAGE_CLOSED"
    assert cage.refuses("cage", OpenCage("SGD")) == "NOT_ALLOWED"
    assert cage.refuses("system", OpenCage(" ")) == "NAME_MISSING"
    for days in (0, -1, 3_661):
        assert cage.refuses("system", OpenCage("SGD", days)) == "BAD_AMOUNT"
    assert cage.refuses("system", OpenCage("SGD", 30, -1)) == "BAD_AMOUNT"
    assert cage.does("system", OpenCage("SGD", 30, 10_000)) == (CageOpened("SGD", 30, 10_000),)
    assert cage.refuses("system", OpenCage("SGD")) == "CAGE_IS_OPEN"


def test_no_voucher_is_sold_while_nobody_has_the_drawer() -> None:
    """[D37] Cash is taken into a drawer that was counted, or not at all."""
    cage = open_cage(approve_above=10_000, shift=False)
    for value in (1_000, 20_000):
        assert cage.refuses("cage", SellVoucher(value, "counter")) == "NO_SHIFT_TO_SELL"
    assert cage.refuses("cage", SellVoucher(0, "counter")) == "BAD_AMOUNT"
    # A terminal's cash-out involves no cash: its voucher is printed at any hour.
    cage.does("system", PrintVoucher("T1-1", "T1", "7", 2_000))
    cage.does("cage", OpenShift(0))
    cage.does("supervisor", cage.approval())
    cage.does("cage", SellVoucher(1_000, "counter"))
    cage.does("cage", CloseShift(1_000))
    cage.does("supervisor", cage.approval())
    assert cage.refuses("cage", SellVoucher(1_000, "counter")) == "NO_SHIFT_TO_SELL"


def test_cash_buys_a_voucher_and_a_voucher_pays_cash() -> None:
    cage, number = sold(5_000)
    *_, issued = cage.told
    assert isinstance(issued, VoucherIssued)
    assert issued == VoucherIssued(
        serial=1,
        last_four=number[-4:],
        value=5_000,
        place="counter",
        at=cage.at,
        expires=cage.at + 30 * DAY,
        order='["cage","cat","order-4"]',
    )
    assert (cage.balance("cash:counter"), cage.balance("vouchers:outstanding")) == (-5_000, 5_000)
    assert cage.does("cage", PayVoucher(number)) == (VoucherPaid(1, 5_000, "cat"),)
    assert (cage.balance("cash:counter"), cage.balance("vouchers:outstanding")) == (0, 0)
    assert cage.state.outstanding == {}


def test_a_voucher_is_redeemed_once_at_the_counter_or_at_a_table() -> None:
    cage, number = sold()
    cage.does("cage", PayVoucher(number))
    assert cage.refuses("cage", PayVoucher(number)) == "UNKNOWN_VOUCHER"
    assert cage.refuses("terminal", TakeVoucher(number, "T1", "7")) == "UNKNOWN_VOUCHER"
    cage, number = sold(cage=cage)
    cage.does("terminal", TakeVoucher(number, "T1", "7"))
    assert cage.refuses("system", TakeVoucher(number, "T2", "7")) == "UNKNOWN_VOUCHER"
    assert cage.refuses("cage", PayVoucher(number)) == "UNKNOWN_VOUCHER"


def test_an_amount_is_a_positive_number_of_minor_units() -> None:
    cage = open_cage()
    for value in (0, -1, 10**25):
        assert cage.refuses("cage", SellVoucher(value, "counter")) == "BAD_AMOUNT"
        assert cage.refuses("system", PrintVoucher("T1-9", "T1", "7", value)) == "BAD_AMOUNT"


def test_a_voucher_expires_after_the_days_the_venue_gives_it() -> None:
    cage, number = sold()
    issued_at = cage.at
    cage.at = issued_at + 30 * DAY - 1_000
    assert cage.ask("cage", PayVoucher(number)) == (VoucherPaid(1, 5_000, "cat"),)
    assert cage.at == issued_at + 30 * DAY
    assert cage.refuses("cage", PayVoucher(number)) == "VOUCHER_EXPIRED"
    assert cage.refuses("terminal", TakeVoucher(number, "T1", "7")) == "VOUCHER_EXPIRED"


def test_a_number_is_shown_again_to_the_same_order_of_the_same_sender_only() -> None:
    cage, number = sold()
    order = last_order(cage)
    assert cage.state.number_for(order) == number
    assert cage.state.number_for(Order("another", order.actor, order.command)) is None
    for actor in (Actor("eve", "cage"), Actor("cat", "system")):
        assert cage.state.number_for(Order(order.id, actor, order.command)) is None


def test_numbers_are_shown_again_for_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cage_module, "ORDERS_KEPT", 1)
    cage, _ = sold()
    first = last_order(cage)
    cage, number = sold(cage=cage)
    assert cage.state.number_for(first) is None
    assert cage.state.number_for(last_order(cage)) == number
    assert len(cage.state.outstanding) == 2


def test_no_event_of_a_cage_holds_a_live_number() -> None:
    cage = open_cage(approve_above=1_000)
    cage.does("cage", SellVoucher(5_000, "counter"))
    cage.does("supervisor", cage.approval())
    cage.does("system", PrintVoucher("T1-9", "T1", "7", 3_000))
    first, second = cage.state.by_number
    cage.does("cage", PayVoucher(first))
    cage.does("supervisor", Decline(cage.approval().pending))
    cage.does("cage", PayVoucher(first))
    cage.does("supervisor", cage.approval())
    cage.does("terminal", TakeVoucher(second, "T1", "7"))
    written = cage.journal()
    for number in (first, second):
        assert number.encode() not in written
        assert number[:-4].encode() not in written
        assert number[-4:].encode() in written


def test_the_next_serial_is_taken_where_a_number_is_out_already() -> None:
    """Seventeen random digits can be the same by chance, once in many venues' lives."""
    cage = open_cage()
    twin = voucher_number(cage.state.key, 1)
    cage.state.by_number[twin] = 99
    (issued,) = cage.does("cage", SellVoucher(1_000, "counter"))
    assert isinstance(issued, VoucherIssued)
    assert issued.serial == 2


def test_serials_are_left_out_by_two_persons_and_only_upwards() -> None:
    cage, _ = sold()
    skip = SkipSerials(1_000, "Ann Lee", "Bob Tan", "restored")
    for upto in (1, 0, -5, 1_000_000_002):
        wrong = SkipSerials(upto, "Ann Lee", "Bob Tan", "restored")
        assert cage.refuses("system", wrong) == "BAD_SERIAL"
    alone = SkipSerials(1_000, "Ann Lee", "ann LEE", "restored")
    assert cage.refuses("system", alone) == "SAME_PERSON"
    nobody = SkipSerials(1_000, "Ann Lee", " ", "restored")
    assert cage.refuses("system", nobody) == "NAME_MISSING"
    unsaid = SkipSerials(1_000, "Ann Lee", "Bob Tan", " ")
    assert cage.refuses("system", unsaid) == "NOTE_MISSING"
    assert cage.refuses("cage", skip) == "NOT_ALLOWED"
    skipped = SerialsSkipped(1_000, "Ann Lee", "Bob Tan", "restored")
    assert cage.does("system", skip) == (skipped,)
    (issued,) = cage.does("cage", SellVoucher(1_000, "counter"))
    assert isinstance(issued, VoucherIssued)
    assert issued.serial == 1_001
    assert set(cage.state.outstanding) == {1, 1_001}


def test_a_thousand_million_serials_are_left_out_at_once_at_the_most() -> None:
    cage, _ = sold()
    cage.does("system", SkipSerials(1_000_000_001, "Ann Lee", "Bob Tan", "restored"))
    assert cage.state.serial == 1_000_000_001


# --- money in transit ----------------------------------------------------------------------------


def test_what_a_terminal_cashed_out_becomes_a_voucher_once() -> None:
    cage = open_cage()
    (issued,) = cage.does("system", PrintVoucher("T1-9", "T1", "7", 3_000))
    assert isinstance(issued, VoucherIssued)
    assert (issued.place, issued.transit, issued.value) == ("T1/7", "T1-9", 3_000)
    assert cage.balance("vouchers:outstanding") == 3_000
    assert cage.balance("transit:settled") == -3_000
    assert "transit:T1-9" not in cage.state.ledger.balances
    assert cage.refuses("system", PrintVoucher("T1-9", "T1", "7", 3_000)) == "TRANSIT_CLOSED"


def test_what_was_printed_is_printed_no_second_time_however_long_ago_it_was() -> None:
    """10,050 cash-outs of two tables, the last 50 twice over, and in any order."""
    cage = open_cage()
    for number in (*range(1, 10_001), *range(10_050, 10_000, -1)):
        cage.state.transits_received.add(f"T1-{number}")
    cage.does("system", PrintVoucher("T2-1", "T2", "7", 3_000))
    assert cage.state.transits_received.runs == {"T1": [(1, 10_050)], "T2": [(1, 1)]}
    for number in (1, 5_000, 10_050):
        again = PrintVoucher(f"T1-{number}", "T1", "7", 3_000)
        assert cage.refuses("system", again) == "TRANSIT_CLOSED"
    cage.does("system", PrintVoucher("T1-10051", "T1", "7", 3_000))


@pytest.mark.parametrize("name", ["", "T1", "T1-", "-1", "T1-0", "T1-01", "T1-x", "T1-٣", "a:b-1"])
def test_what_names_no_transit_is_not_printed(name: str) -> None:
    cage = open_cage()
    assert cage.refuses("system", PrintVoucher(name, "T1", "7", 3_000)) == "NO_TRANSIT"


def test_a_voucher_taken_at_a_terminal_is_on_its_way_until_the_table_has_it() -> None:
    cage, number = sold(5_000)
    assert cage.refuses("terminal", TakeVoucher(number, "T1", "8")) == "NOT_YOUR_TERMINAL"
    assert cage.does("terminal", TakeVoucher(number, "T1", "7")) == (
        VoucherTaken(1, "cage-T1-1", "T1", "7", 5_000),
    )
    assert (cage.balance("vouchers:outstanding"), cage.balance("transit:cage-T1-1")) == (0, 5_000)
    assert cage.does("system", CloseTransit("cage-T1-1")) == (TransitClosed("cage-T1-1", 5_000),)
    assert cage.balance("transit:settled") == 5_000
    assert cage.refuses("system", CloseTransit("cage-T1-1")) == "TRANSIT_CLOSED"


def test_money_goes_from_the_cage_to_a_table_and_back_and_none_is_lost() -> None:
    """5,000 bought, won and cashed out as 8,000: both halves of every transit sum to zero."""
    cage, number = sold(5_000)
    table = open_table()
    # The credits that the kit's tables start with.
    cage.state.sent["T1"] = 2
    (taken,) = cage.does("terminal", TakeVoucher(number, "T1", "7"))
    assert isinstance(taken, VoucherTaken)
    table.does("terminal", CashOut("7"), "7")
    table.does("system", ReceiveCredits(taken.transit, "7", taken.value))
    cage.does("system", CloseTransit(taken.transit))
    table.betting(t7={"small": 3_000}).settled(1, 2, 3)
    (cashed,) = table.does("terminal", CashOut("7"), "7")
    assert isinstance(cashed, CashedOut)
    cage.does("system", PrintVoucher(cashed.transit, "T1", "7", cashed.amount))
    table.does("system", CloseTransit(cashed.transit))
    assert cashed.amount == 8_000
    assert cage.balance("vouchers:outstanding") == 8_000
    assert cage.balance("transit:settled") == 5_000 - 8_000
    assert table.balance("transit:settled") == -200_000 - 5_000 + 8_000
    assert table.balance("house:bank") == -3_000


def test_what_no_table_takes_comes_back_as_a_voucher_and_its_transit_is_closed_with_it() -> None:
    cage, number = sold(5_000)
    table = open_table()
    cage.does("system", TakeVoucher(number, "T1", "99"))
    assert cage.state.transits_open == {"cage-T1-1": Delivery("T1", "99", 5_000)}
    assert (
        table.refuses("system", ReceiveCredits("cage-T1-1", "99", 5_000))[0] == "UNKNOWN_TERMINAL"
    )
    issued, closed = cage.does("system", PrintVoucher("cage-T1-1", "T1", "99", 5_000))
    assert isinstance(issued, VoucherIssued)
    assert (issued.serial, issued.value, issued.place) == (2, 5_000, "T1/99")
    assert closed == TransitClosed("cage-T1-1", 5_000)
    assert cage.state.transits_open == {}
    assert cage.balance("vouchers:outstanding") == 5_000
    assert cage.balance("transit:settled") == cage.balance("transit:cage-T1-1") == 0
    assert cage.balance("cash:counter") == -5_000


def test_what_the_cage_sent_comes_back_once_and_as_it_was_sent() -> None:
    cage, number = sold(5_000)
    assert cage.refuses("system", PrintVoucher("cage-T1-1", "T1", "9", 5_000)) == "TRANSIT_CLOSED"
    cage.does("system", TakeVoucher(number, "T1", "9"))
    for table, terminal, value in (("T2", "9", 5_000), ("T1", "8", 5_000), ("T1", "9", 5_001)):
        command = PrintVoucher("cage-T1-1", table, terminal, value)
        assert cage.refuses("system", command) == "TRANSIT_CLOSED"
    cage.does("system", PrintVoucher("cage-T1-1", "T1", "9", 5_000))
    assert cage.refuses("system", PrintVoucher("cage-T1-1", "T1", "9", 5_000)) == "TRANSIT_CLOSED"
    assert cage.refuses("system", CloseTransit("cage-T1-1")) == "TRANSIT_CLOSED"


def test_what_a_table_received_does_not_come_back() -> None:
    cage, number = sold(5_000)
    cage.does("terminal", TakeVoucher(number, "T1", "7"))
    cage.does("system", CloseTransit("cage-T1-1"))
    assert cage.refuses("system", PrintVoucher("cage-T1-1", "T1", "7", 5_000)) == "TRANSIT_CLOSED"


def sent_fill(cage: Cage, table: str) -> FillSent:
    cage.does("cage", SendFill(table, (Pieces(10_000, 1),)))
    _, sent = cage.does("supervisor", cage.approval())
    assert isinstance(sent, FillSent)
    return sent


def test_what_the_cage_sends_is_numbered_for_each_table_apart() -> None:
    """Vouchers, fills and payments for a session: one series of numbers for each table."""
    cage, number = sold(5_000)
    fill = sent_fill(cage, "T1")
    (taken,) = cage.does("system", TakeVoucher(number, "T2", "9"))
    second = sent_fill(cage, "T2")
    assert isinstance(taken, VoucherTaken)
    assert [each.transit for each in (fill, taken, second)] == [
        "cage-T1-1",
        "cage-T2-1",
        "cage-T2-2",
    ]
    assert cage.refuses("system", TakeVoucher(number, "a:b", "9")) == "UNKNOWN_VOUCHER"
    cage, number = sold(5_000)
    assert cage.refuses("system", TakeVoucher(number, "a:b", "9")) == "NAME_MISSING"


# --- two persons ---------------------------------------------------------------------------------


def test_a_sale_above_the_threshold_takes_two_and_is_shown_to_who_asked() -> None:
    cage = open_cage(approve_above=5_000)
    (issued,) = cage.does("cage", SellVoucher(5_000, "counter"))
    assert isinstance(issued, VoucherIssued)
    (requested,) = cage.does("cage", SellVoucher(5_001, "counter"))
    asked = last_order(cage)
    assert isinstance(requested, ApprovalRequested)
    assert cage.refuses("cage", cage.approval()) == "SAME_PERSON"
    assert cage.refuses("dealer", cage.approval()) == "MAY_NOT_APPROVE"
    _, issued = cage.does("cage", cage.approval(), "eve")
    assert isinstance(issued, VoucherIssued)
    assert (issued.value, issued.serial) == (5_001, 2)
    assert cage.state.pending is None
    number = cage.state.number_for(asked)
    assert number is not None
    assert number[-4:] == issued.last_four


def test_a_payment_above_the_threshold_takes_two_and_names_the_serial_alone() -> None:
    cage = open_cage(approve_above=5_000)
    cage.does("system", PrintVoucher("T1-9", "T1", "7", 9_000))
    (number,) = cage.state.by_number
    (requested,) = cage.does("cage", PayVoucher(number))
    assert isinstance(requested, ApprovalRequested)
    assert requested.order.command == PayVoucher("", 1)
    assert cage.does("pit-manager", cage.approval())[1:] == (VoucherPaid(1, 9_000, "cat"),)


def test_a_serial_alone_pays_nothing() -> None:
    cage, number = sold()
    for command in (PayVoucher("", 1), PayVoucher(number, 1)):
        assert cage.refuses("cage", command) == "NO_VOUCHER_NUMBER"


def test_d41_a_sale_is_taken_back_by_two_who_say_why() -> None:
    cage, number = sold(5_000)
    assert cage.refuses("cage", VoidVoucher(number, " ")) == "NOTE_MISSING"
    assert cage.refuses("dealer", VoidVoucher(number, "wrong")) == "NOT_ALLOWED"
    for serial in (VoidVoucher("", "wrong", 1), VoidVoucher(number, "wrong", 1)):
        assert cage.refuses("cage", serial) == "NO_VOUCHER_NUMBER"
    (requested,) = cage.does("cage", VoidVoucher(number, "for 60.00"))
    assert isinstance(requested, ApprovalRequested)
    assert requested.order.command == VoidVoucher("", "for 60.00", 1)
    _, voided = cage.does("supervisor", cage.approval())
    assert voided == VoucherVoided(1, 5_000, "cat", "for 60.00")
    # The drawer holds what it did before the sale, and no voucher is outstanding.
    assert (cage.state.ledger.balance("cash:counter"), cage.state.worth) == (0, 0)
    assert cage.refuses("cage", PayVoucher(number)) == "UNKNOWN_VOUCHER"
    assert cage.refuses("cage", VoidVoucher(number, "again")) == "UNKNOWN_VOUCHER"


def test_d41_what_a_terminal_printed_is_not_voided() -> None:
    cage = open_cage()
    cage.does("system", PrintVoucher("T1-9", "T1", "7", 9_000))
    (number,) = cage.state.by_number
    assert cage.refuses("cage", VoidVoucher(number, "wrong")) == "VOUCHER_NOT_SOLD"


def test_an_approval_is_decided_anew() -> None:
    cage = open_cage(approve_above=5_000)
    cage.does("system", PrintVoucher("T1-9", "T1", "7", 9_000))
    (number,) = cage.state.by_number
    cage.does("cage", PayVoucher(number))
    cage.does("terminal", TakeVoucher(number, "T1", "7"))
    assert cage.refuses("pit-manager", cage.approval()) == "UNKNOWN_VOUCHER"


def test_what_waits_may_be_declined_or_run_out() -> None:
    cage = open_cage(approve_above=5_000)
    assert cage.refuses("pit-manager", Approve("0" * 64, 1)) == "NOTHING_PENDING"
    cage.does("cage", SellVoucher(9_000, "counter"))
    cage.at += 60_000
    assert cage.refuses("pit-manager", cage.approval()) == "APPROVAL_EXPIRED"
    assert cage.refuses("pit-manager", Decline("0" * 64)) == "NOTHING_PENDING"
    assert cage.refuses("dealer", Decline(cage.approval().pending)) == "MAY_NOT_APPROVE"
    (declined,) = cage.does("pit-manager", Decline(cage.approval().pending))
    assert isinstance(declined, CommandDeclined)
    assert cage.state.pending is None


def test_a_voucher_taken_at_a_terminal_needs_no_second_person() -> None:
    cage = open_cage(approve_above=5_000)
    cage.does("system", PrintVoucher("T1-9", "T1", "7", 9_000))
    (number,) = cage.state.by_number
    (taken,) = cage.does("terminal", TakeVoucher(number, "T1", "7"))
    assert isinstance(taken, VoucherTaken)


def test_what_is_no_business_of_the_cage_is_refused() -> None:
    assert open_cage().refuses("dealer", OpenBets()) == "NOT_ALLOWED"
    assert open_cage().refuses("shift-manager", Rule("x")) == "NOT_ALLOWED"


def test_a_new_key_numbers_what_comes_and_the_old_one_what_is_out() -> None:
    """[D39] Each voucher by the key that was in force for it; two persons are named."""
    cage, first = sold(5_000)
    cage.state.later = (b"the second key", b"the third key")
    replace = ReplaceVoucherKey("0" * 64, "Ann", "Bob")
    for by, second in (("Ann", "ANN"), ("Ann", " ")):
        assert cage.refuses("system", ReplaceVoucherKey("0" * 64, by, second))
    assert cage.refuses("system", ReplaceVoucherKey(" ", "Ann", "Bob")) == "NAME_MISSING"
    assert cage.refuses("cage", replace) == "NOT_ALLOWED"
    (replaced,) = cage.does("system", replace)
    until = cage.at + 30 * DAY
    assert replaced == VoucherKeyReplaced("0" * 64, 1, until, "Ann", "Bob")
    cage.does("cage", SellVoucher(1_000, "counter"))
    second = voucher_number(b"the second key", 2)
    # Two in a row: the one between them numbers no voucher.
    cage.does("system", replace)
    cage.does("cage", SellVoucher(1_000, "counter"))
    third = voucher_number(b"the third key", 3)
    assert cage.state.by_number == {first: 1, second: 2, third: 3}
    again = unpack_cage(CAGE.sealed(cage.state), cage.state.key, cage.state.later)
    assert again == cage.state
    for number in (first, second, third):
        cage.does("cage", PayVoucher(number))
    assert cage.state.by_number == {}


def test_the_code_of_a_session_is_good_for_a_while_after_its_key() -> None:
    cage = open_cage()
    cage.state.later = (b"the second key",)
    old = session_code(cage.state.key, "T1", "7@1")
    assert cage.state.is_code_of(old, "T1", "7@1", cage.at)
    cage.does("system", ReplaceVoucherKey("0" * 64, "Ann", "Bob"))
    new = session_code(b"the second key", "T1", "7@1")
    until = cage.state.key_changes[0].until
    assert cage.state.is_code_of(new, "T1", "7@1", until + 1)
    assert cage.state.is_code_of(old, "T1", "7@1", until)
    assert not cage.state.is_code_of(old, "T1", "7@1", until + 1)
    assert not cage.state.is_code_of(old, "T1", "7@2", until)


def test_the_terms_of_vouchers_to_come_are_changed_by_two() -> None:
    cage, before = sold(cage=open_cage(approve_above=5_000))
    opened = cage.state.voucher_days
    for days, above in ((0, None), (3_661, None), (30, -1)):
        assert cage.refuses("shift-manager", SetVoucherTerms(days, above)) == "BAD_AMOUNT"
    assert cage.refuses("shift-manager", SetVoucherTerms(opened, 5_000)) == "SETTING_IS_SO"
    for role in ("cage", "supervisor", "technician", "system"):
        assert cage.refuses(role, SetVoucherTerms(7, 4_000)) == "NOT_ALLOWED"
    (requested,) = cage.does("shift-manager", SetVoucherTerms(7, 4_000))
    assert isinstance(requested, ApprovalRequested)
    told = cage.does("cage", cage.approval())
    assert told[1:] == (VoucherTermsSet(7, 4_000, "sam", "cat"),)
    # Outstanding vouchers keep their last day; new ones have the new one, and the new threshold.
    _, after = sold(4_000, cage)
    out, new = (cage.state.outstanding[cage.state.by_number[each]] for each in (before, after))
    assert (out.expires - out.at, new.expires - new.at) == (opened * DAY, 7 * DAY)
    (waits,) = cage.does("cage", SellVoucher(4_001, "counter"))
    assert isinstance(waits, ApprovalRequested)
