"""While the time is in doubt, commands that depend on the date wait, and no others do [D35]."""

import taisai
from taisai.core.cage.drawer import CloseShift, OpenShift
from taisai.core.cage.vouchers import PayVoucher, PrintVoucher, SellVoucher, TakeVoucher
from taisai.core.kernel.approvals import Approve
from taisai.core.kernel.decider import date_refusal, decide
from taisai.core.kernel.messages import Command, Equipment, Order, Role
from taisai.core.table.setup import AdoptRulebook, CreateTable
from tests.kit.chip_tables import CHIPS
from tests.kit.people import actor
from tests.kit.tables import Cage, Table, open_cage

DAY = 24 * 3600 * 1000
DOUBT = "CLOCK_IN_DOUBT"
OPERATOR = "Resorts World at Sentosa"
#: 2023-10-06 08:00 in Singapore is midnight by UTC: 19,636 days after 1970 began.
IN_FORCE = 19_636 * DAY


def put_off(cage: Cage, role: Role, command: Command, *others: int, at: int | None = None) -> str:
    """Give the code that puts a command off at these possible times, or an empty text."""
    now = cage.at if at is None else at
    order = Order("in doubt", actor(role), command)
    refusal = date_refusal(cage.state, order, decide(cage.state, order, now), now, others)
    if refusal is not None:
        assert taisai.say(refusal.reason)
    return "" if refusal is None else refusal.code


def sold(cage: Cage) -> tuple[str, int]:
    """Sell a voucher; give its number and its last moment."""
    cage.does("cage", SellVoucher(5_000, "counter"))
    assert cage.last is not None
    number = cage.state.number_for(cage.last)
    assert number is not None
    (voucher,) = cage.state.outstanding.values()
    return number, voucher.expires


def test_a_voucher_waits_that_one_time_would_pay_and_another_not() -> None:
    cage = open_cage()
    number, expires = sold(cage)
    pay, take = PayVoucher(number), TakeVoucher(number, "T1", "7")
    # A moment more or less decides.
    assert put_off(cage, "cage", pay, expires) == ""
    assert put_off(cage, "cage", pay, expires + 1) == DOUBT
    assert put_off(cage, "system", take, expires) == ""
    assert put_off(cage, "system", take, cage.at - DAY, expires + 1) == DOUBT
    # Expired by the venue's time, and perhaps not.
    assert put_off(cage, "cage", pay, expires, at=expires + 1) == DOUBT
    assert put_off(cage, "cage", pay, expires + 9, at=expires + 1) == ""


def test_what_is_refused_for_something_else_is_refused_for_that() -> None:
    cage = open_cage()
    number, expires = sold(cage)
    assert put_off(cage, "dealer", PayVoucher(number), expires + 1) == ""
    assert put_off(cage, "cage", PayVoucher("5"), expires + 1) == ""
    assert put_off(Cage(), "cage", PayVoucher(number), expires + 1) == ""
    assert put_off(cage, "cage", SellVoucher(-1, "counter"), expires + 1) == ""
    assert put_off(cage, "pit-manager", AdoptRulebook("", 1), expires + 1) == ""


def test_what_writes_a_date_down_waits() -> None:
    cage = open_cage()
    assert put_off(cage, "cage", SellVoucher(100, "counter"), cage.at + 1) == DOUBT
    assert put_off(cage, "cage", CloseShift(0), cage.at + 1) == DOUBT
    assert put_off(open_cage(shift=False), "cage", OpenShift(0), cage.at + 1) == DOUBT
    # A player's cash-out is printed all the same: nobody is kept waiting for money.
    printed = PrintVoucher("table/T1#1", "T1", "7", 500)
    assert put_off(cage, "system", printed, cage.at + 1) == ""


def test_a_second_person_grants_nothing_that_hinges_on_the_date() -> None:
    cage = open_cage(approve_above=1_000)
    cage.does("cage", SellVoucher(5_000, "counter"))
    cage.does("supervisor", cage.approval())
    ((serial, voucher),) = cage.state.outstanding.items()
    (number,) = cage.state.by_number
    cage.does("cage", PayVoucher(number))
    assert put_off(cage, "supervisor", cage.approval(), voucher.expires) == ""
    assert put_off(cage, "supervisor", cage.approval(), voucher.expires + 1) == DOUBT
    assert put_off(cage, "supervisor", Approve("nothing", 0), voucher.expires + 1) == ""
    cage.does("supervisor", cage.approval())
    assert serial not in cage.state.outstanding
    assert put_off(cage, "supervisor", Approve("nothing", 0), voucher.expires + 1) == ""


def test_a_rulebook_waits_that_one_time_finds_in_force_and_another_not() -> None:
    table = Table("ts6/2")
    created = CreateTable("T1", "SGD", Equipment(), chips=CHIPS, operator=OPERATOR)
    table.does("system", created)
    adopt = AdoptRulebook(taisai.rulebook("ts6").canonical.decode(), 2)
    order = Order("in doubt", actor("pit-manager"), adopt)

    def doubted(at: int, other: int) -> str:
        refusal = date_refusal(table.state, order, decide(table.state, order, at), at, [other])
        return "" if refusal is None else refusal.code

    assert doubted(IN_FORCE, IN_FORCE + DAY) == ""
    assert doubted(IN_FORCE, IN_FORCE - 1) == DOUBT
    assert doubted(IN_FORCE - 1, IN_FORCE) == DOUBT
    assert doubted(IN_FORCE - 1, IN_FORCE - DAY) == ""
