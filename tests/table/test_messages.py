"""Commands, events and refusals as JSON: each comes back as it went, under its own name."""

from typing import get_args

import msgspec
import pytest

from taisai.core.cage.vouchers import PayVoucher, PrintVoucher, SkipSerials, TakeVoucher
from taisai.core.kernel.approvals import (
    ApprovalRequested,
    Approve,
    CommandApproved,
    CommandDeclined,
    Decline,
)
from taisai.core.kernel.decider import evolve
from taisai.core.kernel.messages import Actor, BoxStake, Command, Equipment, LimitsAsked, Order
from taisai.core.kernel.transits import CloseTransit
from taisai.core.rules.reason import Refusal
from taisai.core.streams import (
    CageCommand,
    CageEvent,
    TableCommand,
    TableEvent,
    VenueCommand,
    VenueEvent,
)
from taisai.core.table.betting import ClearBets, PlaceBets, RoundVoided
from taisai.core.table.irregularities import IrregularityReported, ReportIrregularity
from taisai.core.table.positions import (
    BarTerminal,
    CashOut,
    ClearLock,
    LiftBar,
    LoseTerminal,
    ReceiveCredits,
    RestoreTerminal,
)
from taisai.core.table.round import AmendResult, ConfirmResult, PressFace, Settle
from taisai.core.table.setup import Rectify, RulebookAdopted, SetLimits, TableCreated
from taisai.core.venue.setup import (
    AdmitTable,
    OpenVenue,
    RestoreVenue,
    TableAdmitted,
    VenueOpened,
    VenueRestored,
)
from taisai.core.venue.staff import (
    AppointStaff,
    ChangeRoles,
    DismissStaff,
    EngageStaff,
    LockedOut,
    LoggedIn,
    LoggedOut,
    RecordLockOut,
    RecordLogIn,
    RecordLogOut,
    RolesChanged,
    StaffAppointed,
    StaffDismissed,
)
from taisai.core.venue.state import VenueState
from taisai.core.venue.terminal_keys import IssueTerminalKey, TerminalKeyIssued
from tests.kit.chip_tables import cage_with_shifts_closed, everything_at_a_chip_table
from tests.kit.tables import CREDITS, AnyCommand, Table, open_cage, open_table, picture
from tests.table.askings import EVERYTHING
from tests.table.situations import CASES, in_situation

COMMANDS: set[type[Command]] = {
    *get_args(TableCommand),
    *get_args(CageCommand),
    *get_args(VenueCommand),
}
#: These name a kind of irregularity, or a rulebook, and no secret.
CODED = {ReportIrregularity, IrregularityReported, RoundVoided, RulebookAdopted}
FURTHER: tuple[AnyCommand, ...] = (Approve("a" * 64, 7), Decline("a" * 64))


def sample(kind: type[Command]) -> Command:
    """Find a command of a kind that says something."""
    house: tuple[Command, ...] = (
        OpenVenue("Harbour", "SGD"),
        AdmitTable("table/1", "SGD"),
        RestoreVenue("Ann Lee", "Bob Tan", 7),
        EngageStaff("Ann Lee", ("dealer", "cage"), "Bob Tan", "Cyd Wu"),
        AppointStaff("Ann Lee", ("dealer", "cage")),
        ChangeRoles("Ann Lee", ("auditor",)),
        DismissStaff("Ann Lee"),
        IssueTerminalKey("T1", "7"),
        RecordLogIn("Ann Lee", "dealer", "127.0.0.1"),
        RecordLogOut("Ann Lee"),
        RecordLockOut("Ann Lee", "127.0.0.1"),
    )
    return next(each for each in (*EVERYTHING, *FURTHER, *house) if type(each) is kind)


@pytest.mark.parametrize("kind", sorted(COMMANDS, key=repr))
def test_every_command_comes_back_as_it_went(kind: type[Command]) -> None:
    order = Order("1", Actor("ann", "dealer"), sample(kind))
    written = msgspec.json.encode(order)
    assert msgspec.json.decode(written)["command"]["type"] == kind.__name__
    assert msgspec.json.decode(written, type=Order) == order


def told() -> list[TableEvent | CageEvent]:
    """Let everything happen that can."""
    events: list[TableEvent | CageEvent] = []
    for address, name in CASES:
        events += in_situation(address, name).told
    events += everything_told_at_one_table().told
    events += everything_at_a_chip_table().told
    events += cage_with_shifts_closed().told
    cage = open_cage(approve_above=1_000)
    cage.does("system", PrintVoucher("T1-9", "T1", "7", 500))
    cage.does("system", PrintVoucher("T1-8", "T1", "7", 600))
    first, second = cage.state.by_number
    cage.does("cage", PayVoucher(first))
    cage.does("terminal", TakeVoucher(second, "T1", "7"))
    cage.does("system", CloseTransit("cage-2"))
    cage.does("system", SkipSerials(2_000, "Ann", "Bob", "restored"))
    return [*events, *cage.told]


def everything_told_at_one_table() -> Table:
    """Have happen what no situation needed."""
    table = in_situation("div9/2", "pending safe procedure")
    table.does("pit-manager", table.approval())
    table.does("dealer", ReportIrregularity("malfunction"))
    table.does("technician", Rectify("mended"))
    table.betting()
    table.does("supervisor", BarTerminal("7", "x"))
    table.does("pit-manager", LiftBar("7", "x"))
    table.does("system", LoseTerminal("7"))
    table.does("system", RestoreTerminal("7"))
    table.does("terminal", CashOut("7"), "7")
    table.does("system", CloseTransit(next(iter(table.state.transits_open))))
    table.does("terminal", CashOut("8"), "8")
    table.does("system", ReceiveCredits("cage-99", "8", CREDITS))
    table.does("terminal", PlaceBets("8", one_bet("small", CREDITS)), "8")
    table.does("terminal", ClearBets("8"), "8")
    table.does("terminal", PlaceBets("8", one_bet("small", CREDITS)), "8")
    table.closed()
    table.does("dealer", PressFace(6))
    table.entered(6, 6, 6)
    table.agrees("dealer", AmendResult((5, 6, 6)))
    table.does("dealer", ConfirmResult())
    table.does("dealer", Settle())
    table.does("terminal", CashOut("8"), "8")
    table.does("supervisor", SetLimits(LimitsAsked(1_000, 2_000)))
    table.does("pit-manager", Decline(table.approval().pending))
    return other_documents(table)


def other_documents(table: Table) -> Table:
    """Add what one document alone never sees."""
    locked = in_situation("ts6/2", "locked")
    locked.does("dealer", ClearLock("7"))
    reversed_ = in_situation("ts6/2", "pending reversal")
    reversed_.does("pit-manager", reversed_.approval())
    corrected = in_situation("ts6/2", "pending correction")
    corrected.does("pit-manager", corrected.approval())
    ruled = in_situation("ts6/2", "pending ruling")
    ruled.does("pit-manager", ruled.approval())
    for other in (locked, reversed_, corrected, ruled):
        table.told += other.told
    return table


def one_bet(box: str, stake: int) -> tuple[BoxStake, ...]:
    return (BoxStake(box, stake),)


def test_every_event_comes_back_as_it_went() -> None:
    events = told()
    kinds = {type(event) for event in events}
    assert kinds == {*get_args(TableEvent), *get_args(CageEvent)}
    for event in events:
        written = msgspec.json.encode(event)
        assert msgspec.json.decode(written)["type"] == type(event).__name__
        assert msgspec.json.decode(written, type=TableEvent | CageEvent) == event


HAPPENED: tuple[VenueEvent, ...] = (
    VenueOpened("Harbour", "SGD", demo=True),
    TableAdmitted("table/1"),
    VenueRestored("Ann Lee", "Bob Tan", 7),
    StaffAppointed("Ann Lee", ("dealer", "cage"), "Bob Tan", "Cyd Wu"),
    RolesChanged("Ann Lee", ("auditor",), "Bob Tan", "Cyd Wu"),
    StaffDismissed("Ann Lee", "Bob Tan"),
    TerminalKeyIssued("T1", "7", "Tim Goh"),
    LoggedIn("Ann Lee", "dealer", "127.0.0.1"),
    LoggedOut("Ann Lee"),
    LockedOut("Ann Lee", "127.0.0.1"),
    ApprovalRequested(
        "a" * 64, Order("1", Actor("Bob Tan", "shift-manager"), DismissStaff("Ann Lee")), 7
    ),
    CommandApproved("a" * 64, Actor("Cyd Wu", "technician")),
    CommandDeclined("a" * 64, Actor("Cyd Wu", "technician")),
)


def test_every_event_of_the_house_comes_back_as_it_went() -> None:
    assert {type(event) for event in HAPPENED} == {*get_args(VenueEvent)}
    for event in HAPPENED:
        written = msgspec.json.encode(event)
        assert msgspec.json.decode(written)["type"] == type(event).__name__
        assert msgspec.json.decode(written, type=VenueEvent) == event


def test_a_house_from_before_there_were_demos_reads_as_none() -> None:
    written = b'{"type":"VenueOpened","name":"Harbour","currency":"SGD"}'
    opened = msgspec.json.decode(written, type=VenueEvent)
    assert opened == VenueOpened("Harbour", "SGD", demo=False)
    state = evolve(VenueState(), opened)
    assert (state.demo, state.staff, state.keyed, state.pending) == (False, {}, set(), None)


def test_every_message_has_a_schema_that_names_its_kind_and_fields() -> None:
    _, parts = msgspec.json.schema_components([Order, TableEvent, CageEvent, VenueEvent])
    every = COMMANDS | {*get_args(TableEvent), *get_args(CageEvent), *get_args(VenueEvent)}
    for kind in every:
        schema = parts[kind.__name__]
        assert schema["properties"]["type"] == {"enum": [kind.__name__]}
        assert set(schema["properties"]) == {"type", *kind.__struct_fields__}
        secret = {"password", "pin", "key", "code", "token"}
        assert kind in CODED or secret.isdisjoint(kind.__struct_fields__)


@pytest.mark.parametrize(("address", "name"), CASES)
def test_a_journal_alone_replays_the_table(address: str, name: str) -> None:
    table = in_situation(address, name)
    written = msgspec.json.encode(table.told)
    again = Table(address)
    for event in msgspec.json.decode(written, type=list[TableEvent]):
        again.applies(event)
    assert picture(again.state) == picture(table.state)


def test_a_refusal_comes_back_as_it_went() -> None:
    decision = open_table().ask("terminal", PlaceBets("7", one_bet("small", 1_000)), "7")
    assert isinstance(decision, Refusal)
    assert msgspec.json.decode(msgspec.json.encode(decision), type=Refusal) == decision


@pytest.mark.parametrize(
    ("role", "command"),
    [
        ("dealer", {"type": "Cheat"}),
        ("king", {"type": "OpenBets"}),
        ("dealer", {"type": "OpenBets", "more": 1}),
        ("dealer", {"type": "PressFace", "face": 1.5}),
        ("dealer", {"type": "PressFace", "face": "1"}),
        ("terminal", {"type": "PlaceBets", "terminal": "7", "bets": [["small", True]]}),
    ],
)
def test_what_is_no_order_does_not_get_in(role: str, command: dict[str, object]) -> None:
    asked = {"id": "1", "actor": {"person": "ann", "role": role}, "command": command}
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(asked), type=Order)


def test_equipment_is_what_the_documents_know() -> None:
    assert Equipment().tumbler == "keyed"
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"tumbler":"crystal ball"}', type=Equipment)
    assert TableCreated("T1", "SGD", Equipment(), None).equipment == Equipment()
