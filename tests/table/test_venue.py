"""A venue has one currency, pinned in its first event."""

from typing import cast

import pytest

import taisai
from taisai.core.kernel.approvals import ApprovalRequested, Approve
from taisai.core.kernel.decider import decide, evolve
from taisai.core.kernel.messages import Actor, Command, Event, Order, Role
from taisai.core.rules.reason import Refusal
from taisai.core.streams import VenueCommand
from taisai.core.table.round import OpenBets
from taisai.core.venue.nodes import DrainNode, MoveStream, NodeDrained, StreamMoved
from taisai.core.venue.setup import (
    EPOCH_MAX,
    JUMP_MS_MAX,
    STREAMS_MAX,
    AcceptClock,
    AdmitTable,
    ClockAccepted,
    DealerChanged,
    OpenVenue,
    PlaceTable,
    RecordDealer,
    RenameVenue,
    RestoreVenue,
    TableAdmitted,
    TablePlaced,
    TakeOverVenue,
    VenueOpened,
    VenueRenamed,
    VenueRestored,
    VenueTakenOver,
)
from taisai.core.venue.state import VenueState


def ask(state: VenueState, command: VenueCommand | OpenBets, role: Role = "system") -> object:
    decision = decide(state, Order("1", Actor("someone", role), command), 0)
    if isinstance(decision, Refusal):
        assert taisai.say(decision.reason)
        return decision.code
    for event in decision:
        evolve(state, event)
    return decision


def test_the_first_event_pins_the_currency() -> None:
    state = VenueState()
    assert ask(state, AdmitTable("table/1", "SGD")) == "VENUE_CLOSED"
    assert ask(state, OpenVenue("", "SGD")) == "NAME_MISSING"
    for hour in (-1, 24):
        assert ask(state, OpenVenue("Harbour", "SGD", day_starts=hour)) == "BAD_AMOUNT"
    nowhere = OpenVenue("Harbour", "SGD", time_zone=" ")
    assert ask(state, nowhere) == "NAME_MISSING"
    assert ask(state, OpenVenue("Harbour", "SGD")) == (VenueOpened("Harbour", "SGD"),)
    assert ask(state, OpenVenue("Harbour", "NZD")) == "VENUE_IS_OPEN"
    assert ask(state, AdmitTable("table/1", "NZD")) == "OTHER_CURRENCY"
    assert ask(state, AdmitTable("", "SGD")) == "NAME_MISSING"
    assert ask(state, AdmitTable("table/1", "SGD")) == (TableAdmitted("table/1"),)
    assert ask(state, AdmitTable("table/1", "SGD")) == "STREAM_EXISTS"
    assert (state.version, state.name, state.currency) == (2, "Harbour", "SGD")


def test_a_venue_is_restored_by_two_persons() -> None:
    state = VenueState()
    assert ask(state, RestoreVenue("Ann Lee", "Bob Tan", 7)) == "VENUE_CLOSED"
    ask(state, OpenVenue("Harbour", "SGD"))
    assert ask(state, RestoreVenue("Ann Lee", " ", 7)) == "NAME_MISSING"
    assert ask(state, RestoreVenue("Ann Lee", "annlee ", 7)) == "SAME_PERSON"
    assert ask(state, RestoreVenue("Ann Lee", "Bob Tan", 7), "shift-manager") == "NOT_ALLOWED"
    restored = ask(state, RestoreVenue("Ann Lee", "Bob Tan", 7))
    assert restored == (VenueRestored("Ann Lee", "Bob Tan", 7),)
    assert (state.version, state.name, state.currency) == (2, "Harbour", "SGD")


def test_a_venue_has_room_for_so_many() -> None:
    state = VenueState(1, "Harbour", "SGD", streams={str(n) for n in range(STREAMS_MAX)})
    assert ask(state, AdmitTable("one more", "SGD")) == "BATCH_SIZE"


@pytest.mark.parametrize("role", ["dealer", "terminal", "shift-manager"])
def test_nobody_else_opens_a_venue(role: Role) -> None:
    assert ask(VenueState(), OpenVenue("Harbour", "SGD"), role) == "NOT_ALLOWED"


def test_a_venue_is_taken_over_by_two_persons() -> None:
    state, lost = VenueState(), "lost:/venue"
    assert ask(state, TakeOverVenue("Ann Lee", "Bob Tan", lost, 2)) == "VENUE_CLOSED"
    ask(state, OpenVenue("Harbour", "SGD"))
    assert ask(state, TakeOverVenue("Ann Lee", "annlee ", lost, 2)) == "SAME_PERSON"
    assert ask(state, TakeOverVenue("Ann Lee", "Bob Tan", " ", 2)) == "NAME_MISSING"
    for epoch in (0, -1, EPOCH_MAX + 1):
        assert ask(state, TakeOverVenue("Ann Lee", "Bob Tan", lost, epoch)) == "BAD_AMOUNT"
    assert ask(state, TakeOverVenue("Ann Lee", "Bob Tan", lost, 2), "technician") == "NOT_ALLOWED"
    taken = ask(state, TakeOverVenue("Ann Lee", "Bob Tan", lost, 2))
    assert taken == (VenueTakenOver("Ann Lee", "Bob Tan", lost, 2),)


def test_what_is_no_business_of_the_venue_is_refused() -> None:
    assert ask(VenueState(), OpenBets()) == "NOT_ALLOWED"


def test_a_jump_of_the_clock_is_accepted_by_two_persons() -> None:
    state = VenueState()
    ask(state, OpenVenue("Harbour", "SGD"))
    for ahead in (0, -5, JUMP_MS_MAX + 1):
        asked = decide(state, Order("1", Actor("pat", "pit-manager"), AcceptClock(ahead)), 0)
        assert isinstance(asked, Refusal)
        assert asked.code == "BAD_AMOUNT"
    (waits,) = decided(state, Actor("pat", "pit-manager"), AcceptClock(2_000))
    assert isinstance(waits, ApprovalRequested)
    _, accepted = decided(state, Actor("sue", "supervisor"), Approve(waits.pending, state.version))
    assert accepted == ClockAccepted(2_000, "pat", "sue")


def test_nodes_are_drained_and_streams_moved_by_two_persons() -> None:
    state = VenueState()
    ask(state, OpenVenue("Harbour", "SGD"))
    for nothing in (DrainNode(" "), MoveStream("", "west"), MoveStream("table/1", "")):
        assert ask(state, nothing, "pit-manager") == "NAME_MISSING"
    for command, done in (
        (DrainNode("east"), NodeDrained("east", "pat", "sue")),
        (MoveStream("table/1", "west"), StreamMoved("table/1", "west", "pat", "sue")),
    ):
        (waits,) = decided(state, Actor("pat", "pit-manager"), command)
        assert isinstance(waits, ApprovalRequested)
        approve = Approve(waits.pending, state.version)
        assert decided(state, Actor("sue", "supervisor"), approve)[1:] == (done,)
        assert ask(state, command, "supervisor") == "NOT_ALLOWED"


def decided(state: VenueState, actor: Actor, command: Command) -> tuple[Event, ...]:
    """Decide a command that must be accepted."""
    events = decide(state, Order("2", actor, command), 0)
    assert not isinstance(events, Refusal), events
    for each in events:
        evolve(state, each)
    return events


def test_a_house_is_renamed_by_two_persons() -> None:
    state = VenueState()
    ask(state, OpenVenue("Harbour", "SGD"))
    rename = RenameVenue(" The Paper Lantern ")
    assert ask(state, RenameVenue(" "), "pit-manager") == "NAME_MISSING"
    assert ask(state, RenameVenue("Harbour"), "pit-manager") == "SETTING_IS_SO"
    roles: tuple[Role, ...] = ("supervisor", "technician", "cage", "system")
    for role in roles:
        assert ask(state, rename, role) == "NOT_ALLOWED"
    (requested,) = cast("tuple[Event, ...]", ask(state, rename, "shift-manager"))
    assert isinstance(requested, ApprovalRequested)
    assert state.name == "Harbour"
    sue = Actor("sue", "supervisor")
    approved = decide(state, Order("2", sue, Approve(requested.pending, state.version)), 1)
    assert not isinstance(approved, Refusal)
    assert approved[1:] == (VenueRenamed("The Paper Lantern", "someone", "sue"),)
    for event in approved:
        evolve(state, event)
    assert (state.name, state.currency) == ("The Paper Lantern", "SGD")


def test_who_deals_at_a_table_is_remembered() -> None:
    state = VenueState()
    ask(state, OpenVenue("Harbour", "SGD"))
    automatic = RecordDealer("table/1", automatic=True, by="pia")
    assert ask(state, automatic) == "NO_TABLE"
    ask(state, AdmitTable("table/1", "SGD"))
    assert ask(state, automatic, "shift-manager") == "NOT_ALLOWED"
    for person in (" ", "x" * 65):
        nobody = RecordDealer("table/1", automatic=True, by=person)
        assert ask(state, nobody) == "NAME_MISSING"
    assert ask(state, automatic) == (DealerChanged("table/1", automatic=True, by="pia"),)
    assert state.automatic == {"table/1"}
    ask(state, RecordDealer("table/1", automatic=False, by="pia"))
    assert state.automatic == set()


def test_a_table_is_put_where_no_other_is_on_the_map() -> None:
    state = VenueState()
    ask(state, OpenVenue("Harbour", "SGD"))
    there = PlaceTable("table/1", (40, 1))
    assert ask(state, there, "technician") == "NO_TABLE"
    for stream in ("table/1", "table/2"):
        ask(state, AdmitTable(stream, "SGD"))
    assert ask(state, there, "dealer") == "NOT_ALLOWED"
    for place in ((0, 1), (1, 41)):
        assert ask(state, PlaceTable("table/1", place), "technician") == "NO_SUCH_PLACE"
    assert ask(state, PlaceTable("table/1"), "technician") == "SETTING_IS_SO"
    assert ask(state, there, "pit-manager") == (TablePlaced("table/1", (40, 1), "someone"),)
    assert ask(state, there, "pit-manager") == "SETTING_IS_SO"
    assert ask(state, PlaceTable("table/2", (40, 1)), "pit-manager") == "PLACE_TAKEN"
    ask(state, PlaceTable("table/1"), "shift-manager")
    ask(state, PlaceTable("table/2", (40, 1)), "pit-manager")
    assert state.on_map == {"table/2": (40, 1)}
