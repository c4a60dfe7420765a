"""Commands, events and refusals as JSON: each comes back as it went, under its own name."""

from typing import get_args

import msgspec
import pytest

from taisai.core import commands as c
from taisai.core import events as e
from taisai.core.events import CageEvent, HouseEvent, TableEvent
from taisai.core.house import HouseState, evolve_house
from taisai.core.messages import Actor, BoxStake, Equipment, LimitsAsked
from taisai.core.rules.reason import Refusal
from tests.kit.chip_tables import everything_at_a_felt, felt_cage_shut
from tests.kit.tables import CREDITS, AnyCommand, Table, open_cage, open_table, picture
from tests.table.askings import EVERYTHING
from tests.table.situations import CASES, in_situation

COMMANDS: set[type[c.Command]] = {
    *get_args(c.TableCommand),
    *get_args(c.CageCommand),
    *get_args(c.HouseCommand),
}
#: These name a kind of irregularity, or a rulebook, and no secret.
CODED = {c.ReportIrregularity, e.IrregularityReported, e.RoundVoided, e.RulebookAdopted}
FURTHER: tuple[AnyCommand, ...] = (c.Approve("a" * 64, 7), c.Decline("a" * 64))


def sample(kind: type[c.Command]) -> c.Command:
    """Find a command of a kind that says something."""
    house: tuple[c.Command, ...] = (
        c.OpenHouse("Harbour", "SGD"),
        c.AdmitTable("table/1", "SGD"),
        c.RestoreHouse("Ann Lee", "Bob Tan", 7),
        c.EngageStaff("Ann Lee", ("dealer", "cage"), "Bob Tan", "Cyd Wu"),
        c.AppointStaff("Ann Lee", ("dealer", "cage")),
        c.ChangeRoles("Ann Lee", ("auditor",)),
        c.DismissStaff("Ann Lee"),
        c.IssueTerminalKey("T1", "7"),
        c.RecordLogIn("Ann Lee", "dealer", "127.0.0.1"),
        c.RecordLogOut("Ann Lee"),
        c.RecordLockOut("Ann Lee", "127.0.0.1"),
    )
    return next(each for each in (*EVERYTHING, *FURTHER, *house) if type(each) is kind)


@pytest.mark.parametrize("kind", sorted(COMMANDS, key=repr))
def test_every_command_comes_back_as_it_went(kind: type[c.Command]) -> None:
    order = c.Order("1", Actor("ann", "dealer"), sample(kind))  # type: ignore[arg-type]
    written = msgspec.json.encode(order)
    assert msgspec.json.decode(written)["command"]["type"] == kind.__name__
    assert msgspec.json.decode(written, type=c.Order) == order


def told() -> list[TableEvent | CageEvent]:
    """Let everything happen that can."""
    events: list[TableEvent | CageEvent] = []
    for address, name in CASES:
        events += in_situation(address, name).told
    events += everything_told_at_one_table().told
    events += everything_at_a_felt().told
    events += felt_cage_shut().told
    cage = open_cage(approve_above=1_000)
    cage.does("system", c.PrintVoucher("T1-9", "T1", "7", 500))
    cage.does("system", c.PrintVoucher("T1-8", "T1", "7", 600))
    first, second = cage.state.by_number
    cage.does("cage", c.PayVoucher(first))
    cage.does("terminal", c.TakeVoucher(second, "T1", "7"))
    cage.does("system", c.CloseTransit("cage-2"))
    cage.does("system", c.SkipSerials(2_000, "Ann", "Bob", "restored"))
    return [*events, *cage.told]


def everything_told_at_one_table() -> Table:
    """Have happen what no situation needed."""
    table = in_situation("div9/2", "pending safe procedure")
    table.does("pit-manager", table.approval())
    table.does("dealer", c.ReportIrregularity("malfunction"))
    table.does("technician", c.Rectify("mended"))
    table.betting()
    table.does("supervisor", c.BarTerminal("7", "x"))
    table.does("pit-manager", c.LiftBar("7", "x"))
    table.does("system", c.LoseTerminal("7"))
    table.does("system", c.RestoreTerminal("7"))
    table.does("terminal", c.CashOut("7"), "7")
    table.does("system", c.CloseTransit(next(iter(table.state.transits_open))))
    table.does("terminal", c.CashOut("8"), "8")
    table.does("system", c.ReceiveCredits("cage-99", "8", CREDITS))
    table.does("terminal", c.PlaceBets("8", one_bet("small", CREDITS)), "8")
    table.does("terminal", c.ClearBets("8"), "8")
    table.does("terminal", c.PlaceBets("8", one_bet("small", CREDITS)), "8")
    table.closed()
    table.does("dealer", c.PressFace(6))
    table.entered(6, 6, 6)
    table.agrees("dealer", c.AmendResult((5, 6, 6)))
    table.does("dealer", c.ConfirmResult())
    table.does("dealer", c.Settle())
    table.does("terminal", c.CashOut("8"), "8")
    table.does("supervisor", c.SetLimits(LimitsAsked(1_000, 2_000)))
    table.does("pit-manager", c.Decline(table.approval().pending))
    return other_documents(table)


def other_documents(table: Table) -> Table:
    """Add what one document alone never sees."""
    locked = in_situation("ts6/2", "locked")
    locked.does("dealer", c.ClearLock("7"))
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


HAPPENED: tuple[HouseEvent, ...] = (
    e.HouseOpened("Harbour", "SGD", demo=True),
    e.TableAdmitted("table/1"),
    e.HouseRestored("Ann Lee", "Bob Tan", 7),
    e.StaffAppointed("Ann Lee", ("dealer", "cage"), "Bob Tan", "Cyd Wu"),
    e.RolesChanged("Ann Lee", ("auditor",), "Bob Tan", "Cyd Wu"),
    e.StaffDismissed("Ann Lee", "Bob Tan"),
    e.TerminalKeyIssued("T1", "7", "Tim Goh"),
    e.LoggedIn("Ann Lee", "dealer", "127.0.0.1"),
    e.LoggedOut("Ann Lee"),
    e.LockedOut("Ann Lee", "127.0.0.1"),
    e.ApprovalRequested(
        "a" * 64, c.Order("1", Actor("Bob Tan", "shift-manager"), c.DismissStaff("Ann Lee")), 7
    ),
    e.CommandApproved("a" * 64, Actor("Cyd Wu", "technician")),
    e.CommandDeclined("a" * 64, Actor("Cyd Wu", "technician")),
)


def test_every_event_of_the_house_comes_back_as_it_went() -> None:
    assert {type(event) for event in HAPPENED} == {*get_args(HouseEvent)}
    for event in HAPPENED:
        written = msgspec.json.encode(event)
        assert msgspec.json.decode(written)["type"] == type(event).__name__
        assert msgspec.json.decode(written, type=HouseEvent) == event


def test_a_house_from_before_there_were_demos_reads_as_none() -> None:
    written = b'{"type":"HouseOpened","name":"Harbour","currency":"SGD"}'
    opened = msgspec.json.decode(written, type=HouseEvent)
    assert opened == e.HouseOpened("Harbour", "SGD", demo=False)
    state = evolve_house(HouseState(), opened)
    assert (state.demo, state.staff, state.keyed, state.pending) == (False, {}, set(), None)


def test_every_message_has_a_schema_that_names_its_kind_and_fields() -> None:
    _, parts = msgspec.json.schema_components([c.Order, TableEvent, CageEvent, HouseEvent])
    every = COMMANDS | {*get_args(TableEvent), *get_args(CageEvent), *get_args(HouseEvent)}
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
    decision = open_table().ask("terminal", c.PlaceBets("7", one_bet("small", 1_000)), "7")
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
        msgspec.json.decode(msgspec.json.encode(asked), type=c.Order)


def test_equipment_is_what_the_documents_know() -> None:
    assert Equipment().tumbler == "keyed"
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"tumbler":"crystal ball"}', type=Equipment)
    assert e.TableCreated("T1", "SGD", Equipment(), None).equipment == Equipment()
