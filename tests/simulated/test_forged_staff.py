"""Journals in which one person alone decided about people or keys, or about themselves."""

import msgspec
import pytest

from taisai.core.kernel.approvals import ApprovalRequested, CommandApproved, CommandDeclined
from taisai.core.kernel.messages import Actor, Event, Order
from taisai.core.streams import VenueCommand
from taisai.core.venue.nodes import DrainNode, MoveStream, NodeDrained, StreamMoved
from taisai.core.venue.setup import (
    DealerChanged,
    RenameVenue,
    SealingKeyReplaced,
    TableAdmitted,
    TablePlaced,
    VenueOpened,
    VenueRenamed,
)
from taisai.core.venue.staff import (
    AppointStaff,
    ChangeRoles,
    DismissStaff,
    LockedOut,
    LoggedIn,
    LoggedOut,
    ReinstateStaff,
    RolesChanged,
    StaffAppointed,
    StaffDismissed,
    StaffReinstated,
    StaffSuspended,
)
from taisai.core.venue.terminal_keys import (
    IssueTerminalKey,
    TerminalConnectedTwice,
    TerminalKeyIssued,
    TerminalWithdrawn,
)
from taisai.runtime.auditor import AuditError, Auditor
from tests.simulated.forging import caught, edit, find, forge

MAX = Actor("Max", "shift-manager")
PIA = Actor("Pia", "pit-manager")
TIM = Actor("Tim", "technician")
NIL = "0" * 64


def opened() -> Auditor:
    """Give a venue with a shift manager and a technician, engaged by two named persons."""
    auditor = Auditor()
    auditor.observe("venue", [VenueOpened("Harbour", "SGD")], 0)
    for person, role in (("Max", "shift-manager"), ("Tim", "technician")):
        auditor.observe("venue", [StaffAppointed(person, (role,), "Max", "Tim")], 0)
    return auditor


def asked(command: VenueCommand, by: Actor = MAX) -> ApprovalRequested:
    return ApprovalRequested(NIL, Order("1", by, command), 0)


def agreed(*events: Event, by: Actor = PIA) -> list[Event]:
    return [CommandApproved(NIL, by), *events]


def ann(**changed: object) -> StaffAppointed:
    appointed: StaffAppointed = edit(StaffAppointed("Ann", ("dealer",), "Max", "Pia"), **changed)
    return appointed


APPOINT = AppointStaff("Ann", ("dealer",))
CHANGE = ChangeRoles("Tim", ("cage",))
CHANGED = RolesChanged("Tim", ("cage",), "Max", "Pia")
SUSPENDED = StaffSuspended("Ann", "Max")
OUT = StaffSuspended("Tim", "Max")
DISMISS = DismissStaff("Tim")
DISMISSED = StaffDismissed("Tim", "Max", "Pia")
KEY = IssueTerminalKey("T1", "7")
ISSUED = TerminalKeyIssued("T1", "7", "Tim")
WITHDRAWN = TerminalWithdrawn("T1", "7", "Tim")
RENAME = RenameVenue("The Lantern ")
RENAMED = VenueRenamed("The Lantern", "Max", "Pia")
DRAIN = DrainNode("east")
DRAINED = NodeDrained("east", "Max", "Pia")
MOVE = MoveStream("table/T1", "west")
MOVED = StreamMoved("table/T1", "west", "Max", "Pia")
TWICE = TerminalConnectedTwice("T1", "7", "198.51.100.9", "192.0.2.17", 0)


def test_what_two_persons_did_is_sound() -> None:
    auditor = opened()
    auditor.observe("venue", [asked(APPOINT)], 0)
    auditor.observe("venue", agreed(ann()), 59_000)
    auditor.observe("venue", [asked(CHANGE)], 0)
    auditor.observe("venue", [LoggedIn("Ann", "dealer", "the pit")], 0)
    auditor.observe("venue", agreed(CHANGED), 0)
    auditor.observe("venue", [ISSUED], 0)
    auditor.observe("venue", [TWICE], 0)
    auditor.observe("venue", [asked(KEY, TIM)], 0)
    auditor.observe("venue", agreed(ISSUED), 0)
    auditor.observe("venue", [WITHDRAWN], 0)
    auditor.observe("venue", [asked(KEY, TIM)], 0)
    auditor.observe("venue", agreed(ISSUED), 0)
    auditor.observe("venue", [WITHDRAWN], 0)
    auditor.observe("venue", [asked(RENAME)], 0)
    auditor.observe("venue", agreed(RENAMED), 0)
    auditor.observe("venue", [asked(DRAIN)], 0)
    auditor.observe("venue", agreed(DRAINED), 0)
    auditor.observe("venue", [asked(MOVE)], 0)
    auditor.observe("venue", agreed(MOVED), 0)
    auditor.observe("venue", [TableAdmitted("T1"), DealerChanged("T1", True, "Pia")], 0)
    auditor.observe("venue", [TablePlaced("T1", (40, 1), "Tim"), TablePlaced("T1", None, "Tim")], 0)
    auditor.observe("venue", [asked(APPOINT)], 0)
    auditor.observe("venue", [CommandDeclined(NIL, PIA)], 0)
    auditor.observe("venue", [LockedOut("ann", "the pit"), LoggedOut("Ann")], 0)
    auditor.observe("venue", [SUSPENDED], 0)
    auditor.observe("venue", [asked(ReinstateStaff("ann"))], 0)
    auditor.observe("venue", agreed(StaffReinstated("Ann", "Max", "Pia")), 0)
    auditor.observe("venue", [LoggedIn("Ann", "dealer", "the pit"), SUSPENDED], 0)
    auditor.observe("venue", [asked(DismissStaff("Ann"))], 0)
    auditor.observe("venue", agreed(StaffDismissed("Ann", "Max", "Pia")), 0)
    auditor.observe("venue", [LoggedOut("Ann")], 0)


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([ann(second="")], "Max alone decided about Ann"),
        ([ann(second=" MAX")], "Max alone decided about Ann"),
        ([ann(person="tim")], "tim was appointed twice"),
        ([ann(roles=())], "Ann cannot be nothing"),
        ([ann(roles=("system",))], "Ann cannot be system"),
        ([ann(roles=("cage", "cage"))], "Ann cannot be cage and cage"),
        ([CHANGED], "the roles of Tim were changed without a second person"),
        ([StaffDismissed("Tim", "Max", "")], "Max alone decided about Tim"),
        ([DISMISSED], "Tim was dismissed without a second person"),
        ([StaffReinstated("Tim", "Max", "Pia")], "Tim was reinstated without a second person"),
        ([SUSPENDED], "Ann is not on the staff"),
        ([StaffSuspended("Tim", "tim")], "Tim decided about their own roles"),
        ([StaffSuspended("Max", "Tim")], "Max was the last shift-manager"),
        ([OUT, OUT], "Tim was suspended twice"),
        ([OUT, LoggedIn("Tim", "technician", "x")], "Tim logged in while suspended"),
        ([ISSUED, ISSUED], "terminal 7 was given a key without a second person"),
        ([LoggedIn("Tim", "dealer", "x")], "Tim logged in as dealer without having that role"),
        ([LoggedIn("Ann", "dealer", "x")], "Ann logged in as dealer without having that role"),
        ([SealingKeyReplaced("0", "Ann", "ann")], "Ann alone replaced the sealing key"),
        ([TWICE], "terminal 7 was connected twice, and never had a key"),
        ([ISSUED, msgspec.structs.replace(TWICE, at=1)], "terminal 7 .* twice at another time"),
        ([WITHDRAWN], "terminal 7 was withdrawn, and had no key"),
        ([ISSUED, WITHDRAWN, WITHDRAWN], "terminal 7 was withdrawn, and had no key"),
        ([ISSUED, WITHDRAWN, ISSUED], "terminal 7 was given a key without a second person"),
        ([RENAMED], "the house was renamed without a second person"),
        ([DRAINED], "a node was drained without a second person"),
        ([MOVED], "a stream was moved without a second person"),
        ([DealerChanged("T1", True, "Max")], "Max handed over T1, which is not here"),
        ([TablePlaced("T1", (1, 1), "Max")], "Max placed T1, which is not here"),
        ([TableAdmitted("T1"), TablePlaced("T1", None, "Max")], "T1 was taken from a place that"),
        ([TableAdmitted("T1"), TablePlaced("T1", (1, 41), "Max")], "T1 was placed where it cannot"),
        (
            [TableAdmitted("T1"), TableAdmitted("T2")]
            + [TablePlaced(each, (1, 1), "Max") for each in ("T1", "T2")],
            "T2 was placed where it cannot",
        ),
        ([ann(founds=True)], "Ann founded a house that has people already"),
        ([LockedOut("Ann", "x")], "Ann was locked out and is not on the staff"),
        ([VenueOpened("Harbour", "SGD")], "it was opened twice"),
        ([TableAdmitted("T1"), TableAdmitted("T1")], "T1 was admitted twice"),
        ([CommandApproved(NIL, PIA), ann()], "an answer to a command that does not wait"),
    ],
)
def test_what_one_person_did_alone_is_caught(events: list[Event], said: str) -> None:
    with pytest.raises(AuditError, match=f"venue: {said}"):
        opened().observe("venue", events, 0)


@pytest.mark.parametrize(
    ("request_", "events", "said"),
    [
        (asked(APPOINT), agreed(ann(), by=Actor("MAX ", "technician")), "command of their own"),
        (asked(APPOINT), agreed(ann(), by=Actor("Pia", "system")), "a system is no second person"),
        (asked(APPOINT), agreed(ann(), by=Actor("Pia", "dealer")), "a shift-manager and a dealer"),
        (asked(APPOINT, PIA), agreed(ann(by="Pia", second="Max"), by=MAX), "a pit-manager and a"),
        (asked(APPOINT), agreed(ann(second="Tim")), "laid to others than those who agreed"),
        (asked(APPOINT), agreed(ann(by="Tim")), "laid to others than those who agreed"),
        (asked(APPOINT), agreed(ann(roles=("cage",))), "Ann's roles are not those agreed to"),
        (asked(APPOINT), agreed(ann(person="Bob")), "Bob is not the one agreed on"),
        (asked(CHANGE), agreed(ann()), "Ann was appointed without a second person"),
        (asked(APPOINT), agreed(), "AppointStaff was approved and not carried out"),
        (
            asked(CHANGE),
            agreed(edit(CHANGED, second="Tim"), by=TIM),
            "Tim decided about their own roles",
        ),
        (
            asked(ChangeRoles("Max", ("cage",)), TIM),
            agreed(RolesChanged("Max", ("cage",), "Tim", "Pia")),
            "Max was the last shift-manager",
        ),
        (asked(DISMISS), agreed(edit(DISMISSED, second="Bob")), "laid to others than those"),
        (asked(DISMISS), agreed(edit(DISMISSED, person="Pia")), "Pia is not the one agreed on"),
        (asked(DISMISS, PIA), agreed(edit(DISMISSED, by="Pia", second="Max"), by=MAX), "a pit-"),
        (
            asked(DISMISS),
            agreed(edit(DISMISSED, second="Tim"), by=TIM),
            "Tim decided about their own roles",
        ),
        (
            asked(DismissStaff("Max"), TIM),
            agreed(StaffDismissed("Max", "Tim", "Pia")),
            "Max was the last shift-manager",
        ),
        (
            asked(ReinstateStaff("Tim")),
            agreed(StaffReinstated("Tim", "Max", "Pia")),
            "Tim was reinstated and not suspended",
        ),
        (asked(RENAME), agreed(edit(RENAMED, name="Another")), "not the one agreed to"),
        (asked(RENAME), agreed(edit(RENAMED, second="Tim")), "laid to others than those"),
        (asked(RENAME, TIM), agreed(edit(RENAMED, by="Tim")), "a technician and a pit-manager"),
        (asked(DRAIN), agreed(edit(DRAINED, node="west")), "another node was drained"),
        (asked(DRAIN, TIM), agreed(edit(DRAINED, by="Tim")), "a technician .* drained a node"),
        (asked(MOVE), agreed(edit(MOVED, node="east")), "moved otherwise than was agreed"),
        (asked(MOVE), agreed(edit(MOVED, by="Tim")), "laid to others than those"),
        (asked(KEY, TIM), agreed(edit(ISSUED, terminal="8")), "is not the one agreed to"),
        (asked(KEY, TIM), agreed(edit(ISSUED, by="Ann")), "is not the one agreed to"),
        (asked(KEY, MAX), agreed(edit(ISSUED, by="Max")), "a shift-manager issued a key"),
    ],
)
def test_what_was_done_is_what_two_persons_agreed_on(
    request_: ApprovalRequested, events: list[Event], said: str
) -> None:
    auditor = opened()
    auditor.observe("venue", [ISSUED], 0)
    auditor.observe("venue", [request_], 0)
    with pytest.raises(AuditError, match=said):
        auditor.observe("venue", events, 0)


def test_what_waited_ends_when_the_staff_changes_or_a_minute_has_passed() -> None:
    auditor = opened()
    auditor.observe("venue", [asked(APPOINT)], 0)
    with pytest.raises(AuditError, match="after more than a minute"):
        auditor.observe("venue", agreed(ann()), 60_001)
    auditor.observe("venue", [asked(APPOINT, TIM)], 0)
    auditor.observe("venue", [OUT], 0)
    with pytest.raises(AuditError, match="a command that does not wait"):
        auditor.observe("venue", agreed(ann(by="Tim")), 0)


def test_nothing_happens_in_a_venue_before_it_is_opened() -> None:
    with pytest.raises(AuditError, match="StaffAppointed before it was opened"):
        Auditor().observe("venue", [ann()], 0)


@pytest.mark.parametrize("kind", [StaffAppointed, RolesChanged])
def test_a_second_person_put_in_place_of_another_is_caught(kind: type[Event]) -> None:
    place = find(kind, lambda event: event.by != "ann")
    forged = edit(place.event, second=place.event.by)
    caught(forge(place, [forged]), "alone decided about")
