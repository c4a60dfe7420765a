"""Who is on the staff, by two persons; terminals' keys; who came and went [D14]."""

import msgspec
import pytest

import taisai
from taisai.core.kernel.approvals import (
    EXPIRES_AFTER_MS,
    ApprovalRequested,
    Approve,
    CommandApproved,
    CommandDeclined,
    Decline,
)
from taisai.core.kernel.decider import decide, evolve
from taisai.core.kernel.messages import Actor, Order, Role
from taisai.core.kernel.roles import STAFF_ROLES
from taisai.core.rules.reason import Refusal
from taisai.core.streams import VenueCommand, VenueEvent
from taisai.core.venue.setup import OpenVenue, VenueOpened
from taisai.core.venue.staff import (
    STAFF_MAX,
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
from taisai.core.venue.state import VenueState, find_person
from taisai.core.venue.terminal_keys import KEYED_MAX, IssueTerminalKey, TerminalKeyIssued

HOST = Actor("host", "system")
MAX = Actor("Max Ong", "shift-manager")
PIA = Actor("Pia Sim", "pit-manager")
TIM = Actor("Tim Goh", "technician")
TARA = Actor("Tara Low", "technician")


class TheHouse:
    """A house with a shift manager and a technician, and a clock."""

    def __init__(self) -> None:
        self.state = VenueState()
        self.at = 1_000_000
        self.told: list[VenueEvent] = []
        self.does(HOST, OpenVenue("Harbour", "SGD"))
        self.engages("Max Ong", "shift-manager")
        self.engages("Tim Goh", "technician", "cage")

    def engages(self, person: str, *roles: str) -> None:
        self.does(HOST, EngageStaff(person, roles, "Max Ong", "Tim Goh"))

    def decides(self, actor: Actor, command: VenueCommand) -> tuple[VenueEvent, ...] | Refusal:
        before = msgspec.json.encode(self.state)
        decision = decide(self.state, Order("1", actor, command), self.at)
        assert msgspec.json.encode(self.state) == before, "deciding changes nothing"
        return decision

    def does(self, actor: Actor, command: VenueCommand) -> tuple[VenueEvent, ...]:
        decision = self.decides(actor, command)
        assert not isinstance(decision, Refusal), decision
        for event in decision:
            evolve(self.state, event)
        self.told.extend(decision)
        return decision

    def refuses(self, actor: Actor, command: VenueCommand) -> str:
        decision = self.decides(actor, command)
        assert isinstance(decision, Refusal), decision
        assert taisai.say(decision.reason)
        return decision.code

    def waits(self, actor: Actor, command: VenueCommand) -> Approve:
        (asked,) = self.does(actor, command)
        assert isinstance(asked, ApprovalRequested)
        assert self.state.pending is not None
        assert (self.state.pending.hash, self.state.pending.at) == (asked.pending, self.at)
        return Approve(asked.pending, self.state.version)


@pytest.fixture
def house() -> TheHouse:
    return TheHouse()


# --- taking people on -----------------------------------------------------------------------------


def test_two_who_are_named_take_a_person_on(house: TheHouse) -> None:
    engaged = house.does(HOST, EngageStaff(" Ann   Lee ", ("dealer",), "Max Ong", "Tim Goh"))
    assert engaged == (StaffAppointed("Ann Lee", ("dealer",), "Max Ong", "Tim Goh"),)
    assert house.state.staff["Ann Lee"] == ("dealer",)
    refused = {
        "SAME_PERSON": EngageStaff("Bob", ("dealer",), "Max", "max "),
        "NAME_MISSING": EngageStaff("Bob", ("dealer",), "Max", " "),
        "ON_THE_STAFF": EngageStaff("ANN lee", ("dealer",), "Max", "Tim"),
    }
    assert {house.refuses(HOST, command): command for command in refused.values()} == refused
    assert house.refuses(MAX, EngageStaff("Bob", ("dealer",), "Max", "Tim")) == "NOT_ALLOWED"


def test_a_person_is_appointed_when_a_second_person_agrees(house: TheHouse) -> None:
    approve = house.waits(MAX, AppointStaff("Ann  Lee", ("dealer", "supervisor")))
    assert "Ann Lee" not in house.state.staff
    approved, appointed = house.does(TIM, approve)
    assert approved == CommandApproved(approve.pending, TIM)
    assert appointed == StaffAppointed("Ann Lee", ("dealer", "supervisor"), "Max Ong", "Tim Goh")
    assert house.state.staff["Ann Lee"] == ("dealer", "supervisor")
    assert house.state.pending is None


@pytest.mark.parametrize("name", ["", " ", "a:b", "x" * 65])
def test_a_person_has_a_name(house: TheHouse, name: str) -> None:
    assert house.refuses(MAX, AppointStaff(name, ("dealer",))) == "NAME_MISSING"


@pytest.mark.parametrize(
    "roles", [(), ("king",), ("dealer", "dealer"), ("dealer", "system"), ("terminal",), ("device",)]
)
def test_roles_are_one_or_more_of_those_that_people_have(
    house: TheHouse, roles: tuple[str, ...]
) -> None:
    for command in (AppointStaff("Ann Lee", roles), ChangeRoles("Max Ong", roles)):
        assert house.refuses(TIM, command) == "BAD_ROLES"


def test_all_seven_roles_can_be_one_persons(house: TheHouse) -> None:
    house.engages("Ann Lee", *STAFF_ROLES)
    assert len(house.state.staff["Ann Lee"]) == 7


def test_nobody_is_appointed_twice_under_another_spelling(house: TheHouse) -> None:
    for person in ("Max Ong", "max ong", " MAX  ONG", "Ｍａｘ\u3000Ong"):
        assert house.refuses(TIM, AppointStaff(person, ("dealer",))) == "ON_THE_STAFF"
    assert find_person(house.state, " mAx   oNg") == "Max Ong"
    assert find_person(house.state, "Maxong") is None


def test_there_is_room_for_so_many_people(house: TheHouse) -> None:
    house.state.staff.update({f"person {number}": ("dealer",) for number in range(STAFF_MAX - 2)})
    assert house.refuses(MAX, AppointStaff("one more", ("dealer",))) == "NO_MORE_ROOM"
    house.does(MAX, DismissStaff("person 7"))
    house.engages("one more", "dealer")
    assert len(house.state.staff) == STAFF_MAX


@pytest.mark.parametrize("role", ["dealer", "supervisor", "pit-manager", "cage", "terminal"])
def test_only_a_shift_manager_or_a_technician_decides_about_people(
    house: TheHouse, role: Role
) -> None:
    for command in (
        AppointStaff("Ann", ("dealer",)),
        ChangeRoles("Tim Goh", ("dealer",)),
        DismissStaff("Tim Goh"),
    ):
        assert house.refuses(Actor("Ann", role), command) == "NOT_ALLOWED"


# --- changing and leaving -------------------------------------------------------------------------


def test_roles_change_when_a_second_person_agrees(house: TheHouse) -> None:
    approve = house.waits(MAX, ChangeRoles("tim  GOH", ("technician", "auditor")))
    _, changed = house.does(PIA, approve)
    assert changed == RolesChanged("Tim Goh", ("technician", "auditor"), "Max Ong", "Pia Sim")
    assert house.state.staff["Tim Goh"] == ("technician", "auditor")


def test_one_person_dismisses_another(house: TheHouse) -> None:
    assert house.does(MAX, DismissStaff("TIM goh")) == (StaffDismissed("Tim Goh", "Max Ong"),)
    assert "Tim Goh" not in house.state.staff
    assert house.refuses(MAX, DismissStaff("Tim Goh")) == "UNKNOWN_PERSON"
    assert house.refuses(MAX, ChangeRoles("Tim Goh", ("dealer",))) == "UNKNOWN_PERSON"


def test_nobody_decides_about_their_own_roles(house: TheHouse) -> None:
    house.engages("Tara Low", "technician", "pit-manager")
    own = Actor("tara  low", "technician")
    assert house.refuses(own, ChangeRoles("Tara Low", ("cage",))) == "OWN_ROLES"
    assert house.refuses(own, DismissStaff("Tara Low")) == "OWN_ROLES"
    approve = house.waits(MAX, ChangeRoles("Tara Low", ("cage", "technician")))
    assert house.refuses(own, approve) == "OWN_ROLES"
    house.does(TIM, approve)
    assert house.state.staff["Tara Low"] == ("cage", "technician")


def test_the_last_shift_manager_stays_one(house: TheHouse) -> None:
    assert house.refuses(TIM, DismissStaff("Max Ong")) == "LAST_SHIFT_MANAGER"
    assert house.refuses(TIM, ChangeRoles("Max Ong", ("dealer",))) == "LAST_SHIFT_MANAGER"
    more = house.waits(TIM, ChangeRoles("Max Ong", ("shift-manager", "cage")))
    house.does(PIA, more)
    house.engages("Ann Lee", "shift-manager")
    house.does(TIM, DismissStaff("Max Ong"))
    assert house.refuses(TIM, DismissStaff("Ann Lee")) == "LAST_SHIFT_MANAGER"


# --- the second person ----------------------------------------------------------------------------


def test_the_second_person_is_another_who_may_in_time_and_for_this(house: TheHouse) -> None:
    approve = house.waits(MAX, AppointStaff("Ann Lee", ("dealer",)))
    assert house.refuses(Actor("MAX  ong", "pit-manager"), approve) == "SAME_PERSON"
    assert house.refuses(Actor("Sue", "supervisor"), approve) == "MAY_NOT_APPROVE"
    assert house.refuses(Actor("Ada", "auditor"), approve) == "NOT_ALLOWED"
    wrong = Approve("0" * 64, approve.version)
    assert house.refuses(TIM, wrong) == "NOTHING_PENDING"
    other = Approve(approve.pending, approve.version + 1)
    assert house.refuses(TIM, other) == "PENDING_CHANGED"
    house.at += EXPIRES_AFTER_MS + 1
    assert house.refuses(TIM, approve) == "APPROVAL_EXPIRED"
    house.at -= 1
    house.does(TIM, approve)


def test_a_second_person_may_decline(house: TheHouse) -> None:
    approve = house.waits(MAX, AppointStaff("Ann Lee", ("dealer",)))
    decline = Decline(approve.pending)
    assert house.refuses(Actor("Sue", "supervisor"), decline) == "MAY_NOT_APPROVE"
    assert house.does(PIA, decline) == (CommandDeclined(approve.pending, PIA),)
    assert house.refuses(TIM, approve) == "NOTHING_PENDING"
    assert house.refuses(TIM, decline) == "NOTHING_PENDING"
    assert "Ann Lee" not in house.state.staff


def test_a_log_in_leaves_what_waits_and_a_change_of_the_staff_ends_it(house: TheHouse) -> None:
    approve = house.waits(MAX, AppointStaff("Ann Lee", ("dealer",)))
    house.does(HOST, RecordLogIn("Tim Goh", "technician", "127.0.0.1"))
    house.does(TIM, approve)
    approve = house.waits(TIM, AppointStaff("Bob Tan", ("dealer",)))
    house.does(MAX, DismissStaff("Tim Goh"))
    assert house.refuses(PIA, approve) == "NOTHING_PENDING"
    approve = house.waits(MAX, AppointStaff("Bob Tan", ("dealer",)))
    house.engages("Cyd Wu", "cage")
    assert house.refuses(PIA, approve) == "NOTHING_PENDING"


def test_a_second_request_takes_the_place_of_the_first(house: TheHouse) -> None:
    first = house.waits(MAX, AppointStaff("Ann Lee", ("dealer",)))
    second = house.waits(MAX, AppointStaff("Bob Tan", ("dealer",)))
    assert house.refuses(TIM, first) == "NOTHING_PENDING"
    house.does(TIM, second)
    assert "Bob Tan" in house.state.staff


# --- keys -----------------------------------------------------------------------------------------


def test_a_first_key_takes_one_person_and_each_further_one_two(house: TheHouse) -> None:
    issue = IssueTerminalKey("T1", "7")
    assert house.does(TIM, issue) == (TerminalKeyIssued("T1", "7", "Tim Goh"),)
    assert house.state.keyed == {"T1/7"}
    approve = house.waits(TIM, issue)
    assert house.refuses(Actor("tim goh", "supervisor"), approve) == "SAME_PERSON"
    sue = Actor("Sue", "supervisor")
    assert house.does(sue, approve)[1:] == (TerminalKeyIssued("T1", "7", "Tim Goh"),)
    assert house.does(TIM, IssueTerminalKey("T1", "8"))
    assert house.refuses(MAX, issue) == "NOT_ALLOWED"
    for command in (IssueTerminalKey(" ", "7"), IssueTerminalKey("T1", "a:b")):
        assert house.refuses(TIM, command) == "NAME_MISSING"


def test_there_is_room_for_so_many_keys(house: TheHouse) -> None:
    house.state.keyed.update(f"T1/{number}" for number in range(KEYED_MAX))
    assert house.refuses(TIM, IssueTerminalKey("T1", "one more")) == "NO_MORE_ROOM"
    house.waits(TIM, IssueTerminalKey("T1", "7"))


# --- coming and going -----------------------------------------------------------------------------


def test_coming_and_going_is_written_down_and_changes_nothing(house: TheHouse) -> None:
    before = msgspec.structs.replace(house.state)
    place = "[2001:db8::7]:443"
    came = house.does(HOST, RecordLogIn("tim goh", "cage", place))
    assert came == (LoggedIn("Tim Goh", "cage", place),)
    assert house.does(HOST, RecordLogOut("TIM Goh")) == (LoggedOut("Tim Goh"),)
    assert house.does(HOST, RecordLogOut("Was  Here")) == (LoggedOut("Was Here"),)
    locked = house.does(HOST, RecordLockOut("TIM goh", place))
    assert locked == (LockedOut("Tim Goh", place),)
    assert house.state == msgspec.structs.replace(before, version=before.version + 4)


def test_what_was_typed_as_a_name_is_not_written_down(house: TheHouse) -> None:
    for command in (
        RecordLogIn("a password", "dealer", "the pit"),
        RecordLockOut("a password", "the pit"),
    ):
        assert house.refuses(HOST, command) == "UNKNOWN_PERSON"
    assert house.refuses(HOST, RecordLogOut(" ")) == "NAME_MISSING"


def test_a_log_in_is_in_a_role_that_the_person_has_and_at_a_place(house: TheHouse) -> None:
    assert house.refuses(HOST, RecordLogIn("Tim Goh", "dealer", "the pit")) == "ROLE_NOT_HELD"
    for place in (" ", "x" * 65):
        assert house.refuses(HOST, RecordLogIn("Tim Goh", "cage", place)) == "NAME_MISSING"
        assert house.refuses(HOST, RecordLockOut("Tim Goh", place)) == "NAME_MISSING"
    for command in (
        RecordLogIn("Tim Goh", "cage", "the pit"),
        RecordLogOut("Tim Goh"),
        RecordLockOut("Tim Goh", "the pit"),
    ):
        assert house.refuses(TIM, command) == "NOT_ALLOWED"


# --- before and after -----------------------------------------------------------------------------


def test_nobody_is_taken_on_before_the_house_is_open() -> None:
    order = Order("1", HOST, EngageStaff("Ann", ("dealer",), "Max", "Tim"))
    refused = decide(VenueState(), order, 0)
    assert isinstance(refused, Refusal)
    assert refused.code == "VENUE_CLOSED"


def test_a_demo_says_so_in_its_first_event() -> None:
    order = Order("1", HOST, OpenVenue("Show", "SGD", demo=True))
    opened = VenueOpened("Show", "SGD", demo=True)
    assert decide(VenueState(), order, 0) == (opened,)
    assert evolve(VenueState(), opened).demo is True


def test_the_journal_alone_replays_the_house(house: TheHouse) -> None:
    house.does(TIM, IssueTerminalKey("T1", "7"))
    house.does(PIA, house.waits(MAX, ChangeRoles("Tim Goh", ("dealer",))))
    house.waits(MAX, AppointStaff("Ann Lee", ("dealer",)))
    again = VenueState()
    for event in msgspec.json.decode(msgspec.json.encode(house.told), type=list[VenueEvent]):
        evolve(again, event)
    assert again == house.state
