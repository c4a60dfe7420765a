"""What the pit does about its alerts: acknowledged once, assigned to a person, recorded."""

import taisai
from taisai.core.kernel.decider import decide, evolve
from taisai.core.kernel.messages import Actor, Event, Order, Role
from taisai.core.rules.reason import Refusal, because
from taisai.core.streams import VenueCommand
from taisai.core.venue.alerts import (
    BLANK_MAX,
    BLANKS_MAX,
    STEPS_MAX,
    AcknowledgeAlert,
    AlertAcknowledged,
    AlertAssigned,
    AssignAlert,
)
from taisai.core.venue.state import ALERTS_KEPT, VenueState
from taisai.projections.sentences import sentences_of

STOPPED = because("PIT_STOPPED", table="T1", clause="7.4")


def venue() -> VenueState:
    """Give a venue with four persons on its staff."""
    staff = {
        "Sue Lim": ("supervisor",),
        "Stan": ("supervisor",),
        "Petra": ("pit-manager",),
        "Tom": ("technician",),
    }
    return VenueState(4, "Harbour", "SGD", staff=dict(staff))


def ask(
    state: VenueState, person: str, role: Role, command: VenueCommand, at: int = 7
) -> str | Event:
    decision = decide(state, Order("1", Actor(person, role), command), at)
    if isinstance(decision, Refusal):
        assert taisai.say(decision.reason)
        return decision.code
    (event,) = decision
    evolve(state, event)
    return event


def test_an_alert_is_acknowledged_once_by_the_pit() -> None:
    state = venue()
    seen = AcknowledgeAlert("a1", STOPPED, "T1", "the reader is dirty")
    assert ask(state, "Dan", "dealer", seen) == "NOT_ALLOWED"
    assert ask(state, "Ada", "auditor", seen) == "NOT_ALLOWED"
    event = ask(state, "Sue Lim", "supervisor", seen)
    assert event == AlertAcknowledged("a1", STOPPED, "T1", "Sue Lim", "the reader is dirty", 7)
    assert ask(state, "Petra", "pit-manager", seen) == "ALERT_ACKNOWLEDGED"
    care = state.alerts["a1"]
    assert care.acknowledged is not None
    assert (care.acknowledged.by, care.acknowledged.at, care.person) == ("Sue Lim", 7, None)


def test_a_supervisor_takes_an_alert_and_a_manager_gives_it() -> None:
    state = venue()
    taken = ask(state, "Sue Lim", "supervisor", AssignAlert("a1", STOPPED, "sue lim", "T1"))
    assert taken == AlertAssigned("a1", STOPPED, "T1", "Sue Lim", "Sue Lim", "", 7)
    to_tom = AssignAlert("a1", STOPPED, "Tom", "T1", "clean it")
    assert ask(state, "Stan", "supervisor", to_tom) == "MANAGERS_ASSIGN"
    assert isinstance(ask(state, "Petra", "pit-manager", to_tom, 9), AlertAssigned)
    assert ask(state, "Petra", "pit-manager", to_tom) == "ALERT_ASSIGNED"
    assert ask(state, "Petra", "pit-manager", AssignAlert("a1", STOPPED, "Zoe")) == "UNKNOWN_PERSON"
    steps = state.alerts["a1"].steps
    assert [(each.at, each.by, each.person) for each in steps] == [
        (7, "Sue Lim", "Sue Lim"),
        (9, "Petra", "Tom"),
    ]
    assert state.alerts["a1"].person == "Tom"
    # The person it is assigned to has not acknowledged it: that is another step.
    assert state.alerts["a1"].acknowledged is None


def test_what_names_no_alert_or_says_too_much_is_refused() -> None:
    state = venue()
    long, many = (
        because("X", text="x" * (BLANK_MAX + 1)),
        because("X", **{f"b{n}": n for n in range(BLANKS_MAX + 1)}),
    )
    for command, code in (
        (AcknowledgeAlert(" ", STOPPED), "NAME_MISSING"),
        (AcknowledgeAlert("a1", because(" ")), "NAME_MISSING"),
        (AcknowledgeAlert("a1", STOPPED, " "), "NAME_MISSING"),
        (AcknowledgeAlert("a1", long), "BATCH_SIZE"),
        (AssignAlert("a1", many, "Tom"), "BATCH_SIZE"),
        (AcknowledgeAlert("a1", STOPPED, None, "x" * 501), "NOTE_LONG"),
    ):
        assert ask(state, "Petra", "pit-manager", command) == code
    assert state.alerts == {}


def test_as_much_as_may_be_said_of_an_alert_is_taken() -> None:
    blanks = {"text": "x" * BLANK_MAX} | {f"b{n}": n for n in range(BLANKS_MAX - 1)}
    full = AcknowledgeAlert("a1", because("X", **blanks), None, "x" * 500)
    assert isinstance(ask(venue(), "Petra", "pit-manager", full), AlertAcknowledged)


def test_an_alert_changes_hands_so_often_and_so_many_are_remembered() -> None:
    state = venue()
    for turn in range(STEPS_MAX):
        to = ("Tom", "Stan")[turn % 2]
        given = ask(state, "Petra", "pit-manager", AssignAlert("a0", STOPPED, to))
        assert isinstance(given, AlertAssigned)
    again = AssignAlert("a0", STOPPED, "Sue Lim")
    assert ask(state, "Petra", "pit-manager", again) == "NO_MORE_ROOM"
    for number in range(1, ALERTS_KEPT + 1):
        ask(state, "Petra", "pit-manager", AcknowledgeAlert(f"a{number}", STOPPED))
    assert len(state.alerts) == ALERTS_KEPT
    assert "a0" not in state.alerts
    assert "a1" in state.alerts


def test_what_was_done_is_said_with_what_the_alert_said() -> None:
    seen = AlertAcknowledged("a1", STOPPED, "T1", "Sue Lim", "", 7)
    said = [taisai.say(each) for each in sentences_of(seen)]
    assert said[0] == "an alert is acknowledged by Sue Lim"
    assert said[1].startswith("table T1 is stopped by clause 7.4")
    taken = AlertAssigned("a1", because("SOMETHING_OLD"), None, "Tom", "Tom", "", 7)
    assert [taisai.say(each) for each in sentences_of(taken)] == ["Tom takes an alert in hand"]
    given = AlertAssigned("a1", STOPPED, "T1", "Tom", "Petra", "", 7)
    assert taisai.say(sentences_of(given)[0]) == "an alert is given to Tom by Petra"
