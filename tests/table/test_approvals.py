"""Second persons: what waits, who may approve it, for how long, and what ends it [D14]."""

import pytest

from taisai.core.kernel.approvals import (
    ApprovalRequested,
    Approve,
    CommandApproved,
    CommandDeclined,
    Decline,
    hash_of,
    request,
)
from taisai.core.kernel.messages import Actor, Order, Posting, Role
from taisai.core.streams import TableCommand
from taisai.core.table.betting import ClearBets, PlaceBets
from taisai.core.table.corrections import Rule
from taisai.core.table.irregularities import ReportIrregularity
from taisai.core.table.positions import CashOut, LoseTerminal, ReceiveCredits, SetOwnLimits
from taisai.core.table.round import AmendResult, OpenBets
from taisai.core.table.setup import (
    EnrolTerminal,
    GiveNotice,
    LimitsSet,
    OpenTable,
    RegisterDice,
    SetLimits,
)
from tests.kit.tables import Table, limits_on, open_table, stakes

LIMITS = SetLimits(limits_on("ts6/2"))


def pending(table: Table | None = None) -> Table:
    table = table or open_table()
    table.does("supervisor", LIMITS)
    return table


def test_a_command_that_takes_two_waits_and_changes_nothing() -> None:
    table = open_table()
    before = table.state.limits
    (requested,) = table.does("supervisor", LIMITS)
    assert isinstance(requested, ApprovalRequested)
    assert (requested.order.command, requested.at) == (LIMITS, table.at)
    assert table.state.limits == before
    assert table.state.pending is not None
    assert table.state.pending.version == table.state.version


def test_the_second_person_names_what_is_pending_and_the_version() -> None:
    table = pending()
    approval = table.approval()
    assert table.refuses("pit-manager", Approve("0" * 64, approval.version)) == (
        "NOTHING_PENDING",
        None,
    )
    for off in (-1, 1):
        wrong = Approve(approval.pending, approval.version + off)
        assert table.refuses("pit-manager", wrong) == ("PENDING_CHANGED", None)
    approved, limits_set = table.does("pit-manager", approval)
    assert isinstance(approved, CommandApproved)
    assert (approved.pending, approved.by.person) == (approval.pending, "pat")
    assert limits_set == LimitsSet(LIMITS.limits)
    assert table.refuses("pit-manager", approval) == ("NOTHING_PENDING", None)


def test_it_takes_two_people_not_two_accounts() -> None:
    table = pending()
    assert table.refuses("supervisor", table.approval()) == ("SAME_PERSON", None)
    assert table.refuses("pit-manager", table.approval(), "sue") == ("SAME_PERSON", None)
    table.does("supervisor", table.approval(), "sid")


def test_an_approval_comes_within_a_minute() -> None:
    table = pending()
    asked_at = table.at
    table.at = asked_at + 60_000
    assert table.refuses("pit-manager", table.approval()) == ("APPROVAL_EXPIRED", None)
    table.at = asked_at + 59_000
    table.does("pit-manager", table.approval())


def test_not_everybody_may_be_the_second() -> None:
    table = pending()
    for role, code in (
        ("dealer", "MAY_NOT_APPROVE"),
        ("technician", "MAY_NOT_APPROVE"),
        ("cage", "MAY_NOT_APPROVE"),
        ("auditor", "NOT_ALLOWED"),
        ("terminal", "NOT_ALLOWED"),
        ("device", "NOT_ALLOWED"),
        ("system", "NOT_ALLOWED"),
    ):
        assert table.refuses(role, table.approval()) == (code, None)  # type: ignore[arg-type]


def test_it_may_be_declined() -> None:
    table = pending()
    assert table.refuses("pit-manager", Decline("0" * 64)) == ("NOTHING_PENDING", None)
    assert table.refuses("dealer", Decline(table.approval().pending)) == ("MAY_NOT_APPROVE", None)
    (declined,) = table.does("supervisor", Decline(table.approval().pending))
    assert isinstance(declined, CommandDeclined)
    assert declined.note == ""
    assert table.state.pending is None
    assert table.refuses("pit-manager", Decline(declined.pending)) == ("NOTHING_PENDING", None)


@pytest.mark.parametrize(
    ("role", "command"),
    [
        ("system", ReceiveCredits("cage-99", "7", 1_000)),
        ("terminal", CashOut("8")),
        ("system", LoseTerminal("7")),
        ("terminal", SetOwnLimits("8", 1_000)),
    ],
)
def test_terminals_leave_what_is_pending_alone(role: Role, command: TableCommand) -> None:
    table = pending()
    table.does(role, command, "8")
    table.does("pit-manager", table.approval())
    assert isinstance(table.told[-1], LimitsSet)


def test_a_bet_leaves_an_amendment_or_a_ruling_pending() -> None:
    table = open_table().betting()
    postings = (Posting("house:bank", "terminal:7", 1_000),)
    table.does("shift-manager", Rule("goodwill", postings))
    table.does("terminal", PlaceBets("7", stakes({"small": 1_000})), "7")
    table.does("terminal", ClearBets("7"), "7")
    table.does("supervisor", table.approval())
    assert table.credits() == 101_000


@pytest.mark.parametrize(
    ("role", "command"),
    [
        ("dealer", GiveNotice()),
        ("dealer", OpenBets()),
        ("supervisor", RegisterDice("D2", "S2")),
        ("technician", EnrolTerminal("9", "")),
    ],
)
def test_anything_else_ends_what_is_pending(role: Role, command: TableCommand) -> None:
    table = pending()
    approval = table.approval()
    table.does(role, command)
    assert table.refuses("pit-manager", approval) == ("NOTHING_PENDING", None)


def test_what_is_approved_is_decided_anew_on_the_table_as_it_is() -> None:
    """7 held 100,000 when 90,000 were to be taken from it, and has since bet half of them."""
    table = open_table().betting()
    taken = Rule("paid twice", (Posting("terminal:7", "house:bank", 90_000),))
    table.does("shift-manager", taken)
    table.places("7", {"total-9": 50_000})
    assert table.refuses("supervisor", table.approval()) == ("OVERDRAWN", "5.14")
    assert table.state.pending is not None


def test_the_fingerprint_is_of_what_is_asked_by_whom_and_when() -> None:
    table = open_table()
    order = table.order("supervisor", LIMITS)
    other_id = table.order("supervisor", LIMITS)
    assert hash_of(order, 5) == hash_of(other_id, 5)
    assert hash_of(order, 5) != hash_of(order, 6)
    assert hash_of(order, 5) != hash_of(table.order("supervisor", LIMITS, "sid"), 5)
    assert hash_of(order, 5) != hash_of(table.order("supervisor", OpenTable()), 5)
    assert len(hash_of(order, 5)) == 64


def test_a_request_says_until_when_it_can_be_answered_and_a_report_never_expires() -> None:
    """An amendment waits for a minute; what was seen, for as long as it takes [D20]."""
    asked = (AmendResult((1, 2, 3)), ReportIrregularity("dice-exposed"))
    orders = [Order("", Actor("ann", "dealer"), each) for each in asked]
    requests = [request(1, order, 5_000) for order in orders]
    assert [each.expires for each in requests] == [65_000, None]
