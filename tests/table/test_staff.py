"""The staff, engaged by two persons; terminals' keys; log-ins and log-outs [D14]."""

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
from taisai.core.venue.setup import OpenVenue, ReplaceSealingKey, SealingKeyReplaced, VenueOpened
from taisai.core.venue.staff import (
    STAFF_MAX,
    AppointStaff,
    ChangeRoles,
    CodeMade,
    CredentialsSet,
    DismissStaff,
    EngageStaff,
    GiveCode,
    LockedOut,
    LoggedIn,
    LoggedOut,
    MakeCode,
    RecordCredentials,
    RecordLockOut,
    RecordLogIn,
    RecordLogOut,
    ReinstateStaff,
    RolesChanged,
    StaffAppointed,
    StaffDismissed,
    StaffReinstated,
    StaffSuspended,
    SuspendStaff,
    out_refusal,
)
from taisai.core.venue.state import VenueState, find_person, roles_now
from taisai.core.venue.terminal_keys import (
    KEYED_MAX,
    IssueTerminalKey,
    RecordSecondConnection,
    TerminalConnectedTwice,
    TerminalKeyIssued,
    TerminalWithdrawn,
    WithdrawTerminal,
)

HOST = Actor("host", "system")
MAX = Actor("Max Ong", "shift-manager")
PIA = Actor("Pia Sim", "pit-manager")
TIM = Actor("Tim Goh", "technician")
TARA = Actor("Tara Low", "technician")


class TheVenue:
    """A venue with a shift manager and a technician, and a clock."""

    def __init__(self) -> None:
        self.state = VenueState()
        self.at = 1_000_000
        self.told: list[VenueEvent] = []
        self.does(HOST, OpenVenue("Harbour", "SGD"))
        self.engages("Max Ong", "shift-manager")
        self.engages("Tim Goh", "technician", "cage")

    def engages(self, person: str, *roles: str) -> None:
        self.does(HOST, EngageStaff(person, roles, "Max Ong", "Tim Goh"))

    def dismisses(self, person: str) -> None:
        self.does(PIA, self.waits(MAX, DismissStaff(person)))

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
def venue() -> TheVenue:
    return TheVenue()


# --- taking people on -----------------------------------------------------------------------------


def test_two_who_are_named_take_a_person_on(venue: TheVenue) -> None:
    engaged = venue.does(HOST, EngageStaff(" Ann   Lee ", ("dealer",), "Max Ong", "Tim Goh"))
    assert engaged == (
        StaffAppointed("Ann Lee", ("dealer",), "Max Ong", "Tim Goh"),
        CodeMade("Ann Lee", "Max Ong", "Tim Goh"),
    )
    assert venue.state.staff["Ann Lee"] == ("dealer",)
    refused = {
        "SAME_PERSON": EngageStaff("Bob", ("dealer",), "Max", "max "),
        "NAME_MISSING": EngageStaff("Bob", ("dealer",), "Max", " "),
        "ON_THE_STAFF": EngageStaff("ANN lee", ("dealer",), "Max", "Tim"),
    }
    assert {venue.refuses(HOST, command): command for command in refused.values()} == refused
    assert venue.refuses(MAX, EngageStaff("Bob", ("dealer",), "Max", "Tim")) == "NOT_ALLOWED"


def test_a_person_is_appointed_when_a_second_person_agrees(venue: TheVenue) -> None:
    approve = venue.waits(MAX, AppointStaff("Ann  Lee", ("dealer", "supervisor")))
    assert "Ann Lee" not in venue.state.staff
    approved, appointed = venue.does(TIM, approve)
    assert approved == CommandApproved(approve.pending, TIM)
    assert appointed == StaffAppointed("Ann Lee", ("dealer", "supervisor"), "Max Ong", "Tim Goh")
    assert venue.state.staff["Ann Lee"] == ("dealer", "supervisor")
    assert venue.state.pending is None


@pytest.mark.parametrize("name", ["", " ", "a:b", "x" * 65])
def test_a_person_has_a_name(venue: TheVenue, name: str) -> None:
    assert venue.refuses(MAX, AppointStaff(name, ("dealer",))) == "NAME_MISSING"


@pytest.mark.parametrize(
    "roles", [(), ("king",), ("dealer", "dealer"), ("dealer", "system"), ("terminal",), ("device",)]
)
def test_roles_are_one_or_more_of_those_that_people_have(
    venue: TheVenue, roles: tuple[str, ...]
) -> None:
    for command in (AppointStaff("Ann Lee", roles), ChangeRoles("Max Ong", roles)):
        assert venue.refuses(TIM, command) == "BAD_ROLES"


def test_all_seven_roles_can_be_one_persons(venue: TheVenue) -> None:
    venue.engages("Ann Lee", *STAFF_ROLES)
    assert len(venue.state.staff["Ann Lee"]) == 7


def test_nobody_is_appointed_twice_under_another_spelling(venue: TheVenue) -> None:
    for person in ("Max Ong", "max ong", " MAX  ONG", "Ｍａｘ\u3000Ong", "Maxong"):
        assert venue.refuses(TIM, AppointStaff(person, ("dealer",))) == "ON_THE_STAFF"
    assert find_person(venue.state, " mAx   oNg") == "Max Ong"
    assert find_person(venue.state, "Max On") is None


def test_nobody_is_appointed_who_could_pass_for_somebody_else(venue: TheVenue) -> None:
    assert venue.refuses(TIM, AppointStaff("Max 0ng", ("dealer",))) == "NAME_LOOKS_LIKE"
    assert venue.refuses(TIM, AppointStaff("M\u0430x", ("dealer",))) == "NAME_MIXED"
    assert venue.refuses(TIM, AppointStaff("Max\u200b", ("dealer",))) == "NAME_CHARACTER"
    assert venue.refuses(TIM, AppointStaff("Automatic-Dealer", ("dealer",))) == "NAME_RESERVED"
    venue.engages("陳 David", "dealer")
    assert "陳 David" in venue.state.staff


def test_there_is_room_for_so_many_people(venue: TheVenue) -> None:
    venue.state.staff.update({f"person {number}": ("dealer",) for number in range(STAFF_MAX - 2)})
    assert venue.refuses(MAX, AppointStaff("one more", ("dealer",))) == "NO_MORE_ROOM"
    venue.dismisses("person 7")
    venue.engages("one more", "dealer")
    assert len(venue.state.staff) == STAFF_MAX


@pytest.mark.parametrize("role", ["dealer", "supervisor", "pit-manager", "cage", "terminal"])
def test_only_a_shift_manager_or_a_technician_decides_about_people(
    venue: TheVenue, role: Role
) -> None:
    for command in (
        AppointStaff("Ann", ("dealer",)),
        ChangeRoles("Tim Goh", ("dealer",)),
        ReinstateStaff("Tim Goh"),
        DismissStaff("Tim Goh"),
    ):
        assert venue.refuses(Actor("Ann", role), command) == "NOT_ALLOWED"


# --- changing and leaving -------------------------------------------------------------------------


def test_roles_change_when_a_second_person_agrees(venue: TheVenue) -> None:
    approve = venue.waits(MAX, ChangeRoles("tim  GOH", ("technician", "auditor")))
    _, changed = venue.does(PIA, approve)
    assert changed == RolesChanged("Tim Goh", ("technician", "auditor"), "Max Ong", "Pia Sim")
    assert venue.state.staff["Tim Goh"] == ("technician", "auditor")


def test_two_persons_dismiss_a_third(venue: TheVenue) -> None:
    approve = venue.waits(MAX, DismissStaff("TIM goh"))
    assert venue.refuses(TIM, approve) == "OWN_ROLES"
    _, dismissed = venue.does(PIA, approve)
    assert dismissed == StaffDismissed("Tim Goh", "Max Ong", "Pia Sim")
    assert "Tim Goh" not in venue.state.staff
    assert venue.refuses(MAX, DismissStaff("Tim Goh")) == "UNKNOWN_PERSON"
    assert venue.refuses(MAX, ChangeRoles("Tim Goh", ("dealer",))) == "UNKNOWN_PERSON"


def test_who_is_out_by_now_has_asked_for_nothing(venue: TheVenue) -> None:
    """[D14] Suspended, dismissed or in other roles; who was never there is none of these."""
    tim = Actor("Tim Goh", "cage")

    def is_out(actor: Actor = tim) -> bool:
        refusal = out_refusal(venue.state, actor)
        assert refusal is None or refusal.code == "ASKER_IS_OUT"
        return refusal is not None

    assert not is_out()
    venue.does(PIA, SuspendStaff("Tim Goh"))
    assert is_out()
    assert not is_out(Actor("Tim Goh", "terminal")), "a terminal of that name is no person"
    assert not is_out(Actor("Tom Lim", "cage"))
    venue.does(PIA, venue.waits(MAX, ReinstateStaff("Tim Goh")))
    venue.does(PIA, venue.waits(MAX, ChangeRoles("Tim Goh", ("dealer",))))
    assert is_out()
    venue.engages("Ann Lee", "cage")
    venue.dismisses("Ann Lee")
    assert is_out(Actor("Ann Lee", "cage"))
    venue.engages("Ann Lee", "cage")
    assert not is_out(Actor("Ann Lee", "cage"))
    venue.state.demo = True
    assert not is_out()


def test_one_person_suspends_another_whom_two_reinstate(venue: TheVenue) -> None:
    """[D14] Out at once, by one; in again, or out for good, by two others."""
    assert venue.refuses(Actor("Sue", "supervisor"), SuspendStaff("Tim Goh")) == "NOT_ALLOWED"
    assert venue.refuses(MAX, ReinstateStaff("Tim Goh")) == "NOT_SUSPENDED"
    assert venue.does(PIA, SuspendStaff("TIM goh")) == (StaffSuspended("Tim Goh", "Pia Sim"),)
    assert roles_now(venue.state, "Tim Goh") == ()
    assert venue.state.staff["Tim Goh"] == ("technician", "cage")
    log_in = RecordLogIn("tim goh", "cage", "127.0.0.1")
    assert venue.refuses(HOST, log_in) == "PERSON_SUSPENDED"
    assert venue.refuses(MAX, SuspendStaff("Tim Goh")) == "PERSON_SUSPENDED"
    approve = venue.waits(MAX, ReinstateStaff("Tim Goh"))
    assert venue.refuses(TIM, approve) == "OWN_ROLES"
    _, reinstated = venue.does(PIA, approve)
    assert reinstated == StaffReinstated("Tim Goh", "Max Ong", "Pia Sim")
    venue.does(HOST, RecordLogIn("Tim Goh", "technician", "127.0.0.1"))
    venue.does(MAX, SuspendStaff("Tim Goh"))
    venue.dismisses("Tim Goh")
    venue.engages("Tim Goh", "dealer")
    assert roles_now(venue.state, "Tim Goh") == ("dealer",)


def test_somebody_is_left_who_answers_for_the_venue_and_is_not_suspended(venue: TheVenue) -> None:
    assert venue.refuses(TIM, SuspendStaff("Max Ong")) == "LAST_SHIFT_MANAGER"
    venue.engages("Ann Lee", "shift-manager")
    venue.does(TIM, SuspendStaff("Max Ong"))
    ann = Actor("Ann Lee", "shift-manager")
    for command in (
        *(SuspendStaff("Ann Lee"), DismissStaff("Ann Lee")),
        ChangeRoles("Ann Lee", ("dealer",)),
    ):
        assert venue.refuses(TIM, command) == "LAST_SHIFT_MANAGER"
    venue.does(TIM, venue.waits(ann, DismissStaff("Max Ong")))
    assert "Max Ong" not in venue.state.staff


def test_nobody_decides_about_their_own_roles(venue: TheVenue) -> None:
    venue.engages("Tara Low", "technician", "pit-manager")
    own = Actor("tara  low", "technician")
    assert venue.refuses(own, ChangeRoles("Tara Low", ("cage",))) == "OWN_ROLES"
    assert venue.refuses(own, DismissStaff("Tara Low")) == "OWN_ROLES"
    assert venue.refuses(own, SuspendStaff("Tara Low")) == "OWN_ROLES"
    approve = venue.waits(MAX, ChangeRoles("Tara Low", ("cage", "technician")))
    assert venue.refuses(own, approve) == "OWN_ROLES"
    venue.does(TIM, approve)
    assert venue.state.staff["Tara Low"] == ("cage", "technician")


def test_the_last_shift_manager_stays_one(venue: TheVenue) -> None:
    assert venue.refuses(TIM, DismissStaff("Max Ong")) == "LAST_SHIFT_MANAGER"
    assert venue.refuses(TIM, ChangeRoles("Max Ong", ("dealer",))) == "LAST_SHIFT_MANAGER"
    more = venue.waits(TIM, ChangeRoles("Max Ong", ("shift-manager", "cage")))
    venue.does(PIA, more)
    venue.engages("Ann Lee", "shift-manager")
    venue.does(PIA, venue.waits(TIM, DismissStaff("Max Ong")))
    assert venue.refuses(TIM, DismissStaff("Ann Lee")) == "LAST_SHIFT_MANAGER"


# --- the second person ----------------------------------------------------------------------------


def test_the_second_person_is_another_who_may_in_time_and_for_this(venue: TheVenue) -> None:
    approve = venue.waits(MAX, AppointStaff("Ann Lee", ("dealer",)))
    assert venue.refuses(Actor("MAX  ong", "pit-manager"), approve) == "SAME_PERSON"
    assert venue.refuses(Actor("Sue", "supervisor"), approve) == "MAY_NOT_APPROVE"
    assert venue.refuses(Actor("Ada", "auditor"), approve) == "NOT_ALLOWED"
    wrong = Approve("0" * 64, approve.version)
    assert venue.refuses(TIM, wrong) == "NOTHING_PENDING"
    other = Approve(approve.pending, approve.version + 1)
    assert venue.refuses(TIM, other) == "PENDING_CHANGED"
    venue.at += EXPIRES_AFTER_MS + 1
    assert venue.refuses(TIM, approve) == "APPROVAL_EXPIRED"
    venue.at -= 1
    venue.does(TIM, approve)


def test_a_second_person_may_decline(venue: TheVenue) -> None:
    approve = venue.waits(MAX, AppointStaff("Ann Lee", ("dealer",)))
    decline = Decline(approve.pending)
    assert venue.refuses(Actor("Sue", "supervisor"), decline) == "MAY_NOT_APPROVE"
    assert venue.does(PIA, decline) == (CommandDeclined(approve.pending, PIA),)
    assert venue.refuses(TIM, approve) == "NOTHING_PENDING"
    assert venue.refuses(TIM, decline) == "NOTHING_PENDING"
    assert "Ann Lee" not in venue.state.staff


def test_a_log_in_leaves_what_waits_and_a_change_of_the_staff_ends_it(venue: TheVenue) -> None:
    approve = venue.waits(MAX, AppointStaff("Ann Lee", ("dealer",)))
    venue.does(HOST, RecordLogIn("Tim Goh", "technician", "127.0.0.1"))
    venue.does(TIM, approve)
    approve = venue.waits(TIM, AppointStaff("Bob Tan", ("dealer",)))
    venue.does(MAX, SuspendStaff("Tim Goh"))
    assert venue.refuses(PIA, approve) == "NOTHING_PENDING"
    approve = venue.waits(MAX, AppointStaff("Bob Tan", ("dealer",)))
    venue.engages("Cyd Wu", "cage")
    assert venue.refuses(PIA, approve) == "NOTHING_PENDING"


def test_a_second_request_takes_the_place_of_the_first(venue: TheVenue) -> None:
    first = venue.waits(MAX, AppointStaff("Ann Lee", ("dealer",)))
    second = venue.waits(MAX, AppointStaff("Bob Tan", ("dealer",)))
    assert venue.refuses(TIM, first) == "NOTHING_PENDING"
    venue.does(TIM, second)
    assert "Bob Tan" in venue.state.staff


# --- keys -----------------------------------------------------------------------------------------


def test_a_first_key_takes_one_person_and_each_further_one_two(venue: TheVenue) -> None:
    issue = IssueTerminalKey("T1", "7")
    assert venue.does(TIM, issue) == (TerminalKeyIssued("T1", "7", "Tim Goh"),)
    assert [*venue.state.keyed] == ["T1/7"]
    approve = venue.waits(TIM, issue)
    assert venue.refuses(Actor("tim goh", "supervisor"), approve) == "SAME_PERSON"
    sue = Actor("Sue", "supervisor")
    assert venue.does(sue, approve)[1:] == (TerminalKeyIssued("T1", "7", "Tim Goh"),)
    assert venue.does(TIM, IssueTerminalKey("T1", "8"))
    assert venue.refuses(MAX, issue) == "NOT_ALLOWED"
    for command in (IssueTerminalKey(" ", "7"), IssueTerminalKey("T1", "a:b")):
        assert venue.refuses(TIM, command) == "NAME_MISSING"


def test_a_key_in_two_hands_is_written_down_until_there_is_a_new_one(venue: TheVenue) -> None:
    """[D38] Only of a terminal that has a key; what is pending goes on waiting."""
    twice = RecordSecondConnection("T1", "7", "198.51.100.9", "192.0.2.17")
    assert venue.refuses(HOST, twice) == "UNKNOWN_TERMINAL"
    venue.does(TIM, IssueTerminalKey("T1", "7"))
    assert venue.refuses(TIM, twice) == "NOT_ALLOWED"
    for place in (" ", "x" * 65):
        bad = msgspec.structs.replace(twice, place=place)
        assert venue.refuses(HOST, bad) == "NAME_MISSING"
        bad = msgspec.structs.replace(twice, before=place)
        assert venue.refuses(HOST, bad) == "NAME_MISSING"
    approve = venue.waits(TIM, IssueTerminalKey("T1", "7"))
    (seen,) = venue.does(HOST, twice)
    assert isinstance(seen, TerminalConnectedTwice)
    assert (seen.place, seen.before) == ("198.51.100.9", "192.0.2.17")
    assert venue.state.doubled == {"T1/7": seen.at}
    venue.does(Actor("Sue", "supervisor"), approve)
    assert venue.state.doubled == {}


def test_a_terminal_is_withdrawn_by_one_and_comes_back_by_two(venue: TheVenue) -> None:
    withdraw = WithdrawTerminal("T1", "7")
    assert venue.refuses(TIM, withdraw) == "UNKNOWN_TERMINAL"
    venue.does(TIM, IssueTerminalKey("T1", "7"))
    venue.does(HOST, RecordSecondConnection("T1", "7", "198.51.100.9", "192.0.2.17"))
    issued = venue.state.keyed["T1/7"]
    for role in ("dealer", "cage", "auditor"):
        assert venue.refuses(Actor("Dan", role), withdraw) == "NOT_ALLOWED"
    told = venue.does(Actor("Sue", "supervisor"), withdraw)
    assert told == (TerminalWithdrawn("T1", "7", "Sue"),)
    # No key ever given has this version.
    assert venue.state.keyed["T1/7"] > issued
    assert venue.state.withdrawn == {"T1/7"}
    assert venue.state.doubled == {}
    assert venue.refuses(TIM, withdraw) == "ALREADY_SO"
    approve = venue.waits(TIM, IssueTerminalKey("T1", "7"))
    venue.does(Actor("Sue", "supervisor"), approve)
    assert venue.state.withdrawn == set()
    assert venue.does(TIM, withdraw)


def test_the_first_two_found_a_house_until_somebody_has_logged_in() -> None:
    venue = TheVenue.__new__(TheVenue)
    venue.state, venue.at, venue.told = VenueState(), 1_000_000, []
    venue.does(HOST, OpenVenue("Harbour", "SGD"))
    for person in ("Max Ong", "Tim Goh"):
        founder = EngageStaff(person, ("shift-manager",), "Max Ong", "Tim Goh", founds=True)
        appointed, code = venue.does(HOST, founder)
        assert isinstance(appointed, StaffAppointed)
        assert appointed.founds
        assert isinstance(code, CodeMade)
    assert venue.state.founders == {"Max Ong", "Tim Goh"}
    venue.dismisses("Tim Goh")
    assert venue.state.founders == {"Max Ong"}
    venue.does(HOST, RecordLogIn("Max Ong", "shift-manager", "192.0.2.17"))
    assert venue.state.founders == set()
    late = EngageStaff("Pia Lim", ("technician",), "Max Ong", "Pia Lim", founds=True)
    assert venue.refuses(HOST, late) == "HOUSE_FOUNDED"


def test_a_sealing_key_is_replaced_by_two_who_are_named(venue: TheVenue) -> None:
    """[D39]."""
    mark = "0" * 64
    assert venue.refuses(HOST, ReplaceSealingKey(mark, "Ann", "ann ")) == "SAME_PERSON"
    assert venue.refuses(HOST, ReplaceSealingKey(" ", "Ann", "Bob")) == "NAME_MISSING"
    assert venue.refuses(MAX, ReplaceSealingKey(mark, "Ann", "Bob")) == "NOT_ALLOWED"
    for number in (1, 2):
        told = venue.does(HOST, ReplaceSealingKey(mark, "Ann", "Bob"))
        assert told == (SealingKeyReplaced(mark, "Ann", "Bob"),)
        assert venue.state.sealing_key_changes == number


def test_there_is_room_for_so_many_keys(venue: TheVenue) -> None:
    venue.state.keyed.update({f"T1/{number}": 1 for number in range(KEYED_MAX)})
    assert venue.refuses(TIM, IssueTerminalKey("T1", "one more")) == "NO_MORE_ROOM"
    venue.waits(TIM, IssueTerminalKey("T1", "7"))


# --- coming and going -----------------------------------------------------------------------------


def test_coming_and_going_is_written_down_and_changes_nothing(venue: TheVenue) -> None:
    before = msgspec.structs.replace(venue.state)
    place = "[2001:db8::7]:443"
    came = venue.does(HOST, RecordLogIn("tim goh", "cage", place))
    assert came == (LoggedIn("Tim Goh", "cage", place),)
    assert venue.does(HOST, RecordLogOut("TIM Goh")) == (LoggedOut("Tim Goh"),)
    assert venue.does(HOST, RecordLogOut("Was  Here")) == (LoggedOut("Was Here"),)
    locked = venue.does(HOST, RecordLockOut("TIM goh", place))
    assert locked == (LockedOut("Tim Goh", place),)
    assert venue.state == msgspec.structs.replace(before, version=before.version + 4)


def test_what_was_typed_as_a_name_is_not_written_down(venue: TheVenue) -> None:
    for command in (
        RecordLogIn("a password", "dealer", "the pit"),
        RecordLockOut("a password", "the pit"),
    ):
        assert venue.refuses(HOST, command) == "UNKNOWN_PERSON"
    assert venue.refuses(HOST, RecordLogOut(" ")) == "NAME_MISSING"


def test_a_log_in_is_in_a_role_that_the_person_has_and_at_a_place(venue: TheVenue) -> None:
    assert venue.refuses(HOST, RecordLogIn("Tim Goh", "dealer", "the pit")) == "ROLE_NOT_HELD"
    for place in (" ", "x" * 65):
        assert venue.refuses(HOST, RecordLogIn("Tim Goh", "cage", place)) == "NAME_MISSING"
        assert venue.refuses(HOST, RecordLockOut("Tim Goh", place)) == "NAME_MISSING"
    for command in (
        RecordLogIn("Tim Goh", "cage", "the pit"),
        RecordLogOut("Tim Goh"),
        RecordLockOut("Tim Goh", "the pit"),
    ):
        assert venue.refuses(TIM, command) == "NOT_ALLOWED"


# --- before and after -----------------------------------------------------------------------------


def test_nobody_is_taken_on_before_the_venue_is_open() -> None:
    order = Order("1", HOST, EngageStaff("Ann", ("dealer",), "Max", "Tim"))
    refused = decide(VenueState(), order, 0)
    assert isinstance(refused, Refusal)
    assert refused.code == "VENUE_CLOSED"


def test_a_demo_says_so_in_its_first_event() -> None:
    order = Order("1", HOST, OpenVenue("Show", "SGD", demo=True))
    opened = VenueOpened("Show", "SGD", demo=True)
    assert decide(VenueState(), order, 0) == (opened,)
    state = VenueState()
    evolve(state, opened)
    assert state.demo is True


def test_the_journal_alone_replays_the_venue(venue: TheVenue) -> None:
    venue.does(TIM, IssueTerminalKey("T1", "7"))
    venue.does(PIA, venue.waits(MAX, ChangeRoles("Tim Goh", ("dealer",))))
    venue.waits(MAX, AppointStaff("Ann Lee", ("dealer",)))
    again = VenueState()
    for event in msgspec.json.decode(msgspec.json.encode(venue.told), type=list[VenueEvent]):
        evolve(again, event)
    assert again == venue.state


def test_a_code_is_made_by_two_for_a_third(venue: TheVenue) -> None:
    venue.engages("Ann Lee", "dealer")
    # A person engaged at the machine has a code already, and sets a password with it once.
    assert venue.does(HOST, RecordCredentials("ann lee")) == (CredentialsSet("Ann Lee"),)
    assert venue.refuses(HOST, RecordCredentials("Ann Lee")) == "BAD_CODE"
    assert venue.refuses(HOST, RecordCredentials("nobody")) == "BAD_CODE"
    assert venue.refuses(TIM, MakeCode("Tim Goh")) == "OWN_ROLES"
    assert venue.refuses(TIM, MakeCode("nobody")) == "UNKNOWN_PERSON"
    *_, made = venue.does(MAX, venue.waits(TIM, MakeCode("ann LEE")))
    assert made == CodeMade("Ann Lee", "Tim Goh", "Max Ong")
    assert venue.state.codes["Ann Lee"] == venue.state.version > venue.state.credentials["Ann Lee"]
    venue.dismisses("Ann Lee")
    assert "Ann Lee" not in {**venue.state.codes, **venue.state.credentials}


def test_a_code_made_at_the_machine_names_two_persons(venue: TheVenue) -> None:
    assert venue.refuses(HOST, GiveCode("Max Ong", "Ann", "ann ")) == "SAME_PERSON"
    assert venue.refuses(HOST, GiveCode("nobody", "Ann", "Bob")) == "UNKNOWN_PERSON"
    given = venue.does(HOST, GiveCode("max ong", "Ann", "Bob"))
    assert given == (CodeMade("Max Ong", "Ann", "Bob"),)
