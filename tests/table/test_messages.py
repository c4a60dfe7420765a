"""Commands, events and refusals as JSON: each is decoded as it was, under its own name."""

import msgspec
import pytest

from taisai.core.cage.unclaimed import PayUnclaimed
from taisai.core.cage.vouchers import PayVoucher, PrintVoucher, SkipSerials, TakeVoucher
from taisai.core.kernel.approvals import Decline
from taisai.core.kernel.decider import evolve
from taisai.core.kernel.messages import BoxStake, Command, Equipment, Event, LimitsAsked, Order
from taisai.core.kernel.registry import COMMANDS, EVENTS
from taisai.core.kernel.transits import CloseTransit
from taisai.core.rules.reason import Refusal
from taisai.core.streams import AnyCommand, AnyEvent, CageEvent, TableEvent, VenueEvent
from taisai.core.table.betting import ClearBets, PlaceBets, RoundVoided
from taisai.core.table.irregularities import (
    IrregularityReported,
    ReportDeclined,
    ReportIrregularity,
    VoidAnnounced,
)
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
from taisai.core.venue.setup import VenueOpened
from taisai.core.venue.state import VenueState
from tests.kit.chip_tables import cage_with_shifts_closed, everything_at_a_chip_table
from tests.kit.tables import CREDITS, Table, open_cage, open_table, picture
from tests.table.situations import CASES, in_situation
from tools.protocol.examples import EXAMPLES

#: These name a kind of irregularity, or a rulebook, and no secret; or are never recorded.
CODED = {
    *(ReportIrregularity, IrregularityReported, ReportDeclined, VoidAnnounced, RoundVoided),
    *(RulebookAdopted, PayUnclaimed),
}
MESSAGES = sorted((*COMMANDS, *EVENTS), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", MESSAGES)
def test_every_message_comes_back_as_it_went(kind: type[Command | Event]) -> None:
    example = EXAMPLES[kind]
    written = msgspec.json.encode(example)
    assert msgspec.json.decode(written)["type"] == kind.__name__
    assert msgspec.json.decode(written, type=AnyCommand | AnyEvent) == example


def told() -> list[TableEvent | CageEvent]:
    """Make every kind of event happen."""
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
    cage.does("system", CloseTransit("cage-T1-1"))
    cage.does("system", SkipSerials(2_000, "Ann", "Bob", "restored"))
    return [*events, *cage.told]


def everything_told_at_one_table() -> Table:
    """Make the events happen that no situation has."""
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
    table.agrees("dealer", AmendResult((5, 6, 6)), "supervisor")
    table.does("dealer", ConfirmResult())
    table.does("dealer", Settle())
    table.does("terminal", CashOut("8"), "8")
    table.does("supervisor", SetLimits(LimitsAsked(1_000, 2_000)))
    table.does("pit-manager", Decline(table.approval().pending))
    return other_documents(table)


def other_documents(table: Table) -> Table:
    """Add the events of single documents."""
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


def test_what_happens_comes_back_as_it_went() -> None:
    for event in told():
        assert msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) == event


def test_a_venue_from_before_there_were_demos_reads_as_none() -> None:
    written = b'{"type":"VenueOpened","name":"Harbour","currency":"SGD"}'
    opened = msgspec.json.decode(written, type=VenueEvent)
    assert opened == VenueOpened("Harbour", "SGD", demo=False)
    state = VenueState()
    evolve(state, opened)
    assert (state.demo, state.staff, state.keyed, state.pending) == (False, {}, {}, None)


def test_every_message_has_a_schema_that_names_its_kind_and_fields() -> None:
    _, parts = msgspec.json.schema_components([Order, TableEvent, CageEvent, VenueEvent])
    for kind in MESSAGES:
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
