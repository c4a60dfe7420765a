"""A house has one currency, pinned in its first event."""

import pytest

import taisai
from taisai.core.commands import (
    AdmitTable,
    HouseCommand,
    OpenBets,
    OpenHouse,
    Order,
    RestoreHouse,
)
from taisai.core.events import HouseOpened, HouseRestored, TableAdmitted
from taisai.core.house import STREAMS_MAX, HouseState, decide_house, evolve_house
from taisai.core.messages import Actor, Role
from taisai.core.rules.reason import Refusal


def ask(state: HouseState, command: HouseCommand | OpenBets, role: Role = "system") -> object:
    decision = decide_house(state, Order("1", Actor("someone", role), command), 0)
    if isinstance(decision, Refusal):
        assert taisai.say(decision.reason)
        return decision.code
    for event in decision:
        evolve_house(state, event)
    return decision


def test_the_first_event_pins_the_currency() -> None:
    state = HouseState()
    assert ask(state, AdmitTable("table/1", "SGD")) == "HOUSE_CLOSED"
    assert ask(state, OpenHouse("", "SGD")) == "NAME_MISSING"
    assert ask(state, OpenHouse("Harbour", "SGD")) == (HouseOpened("Harbour", "SGD"),)
    assert ask(state, OpenHouse("Harbour", "NZD")) == "HOUSE_IS_OPEN"
    assert ask(state, AdmitTable("table/1", "NZD")) == "OTHER_CURRENCY"
    assert ask(state, AdmitTable("", "SGD")) == "NAME_MISSING"
    assert ask(state, AdmitTable("table/1", "SGD")) == (TableAdmitted("table/1"),)
    assert ask(state, AdmitTable("table/1", "SGD")) == "STREAM_EXISTS"
    assert (state.version, state.name, state.currency) == (2, "Harbour", "SGD")


def test_a_house_is_restored_by_two_persons() -> None:
    state = HouseState()
    assert ask(state, RestoreHouse("Ann Lee", "Bob Tan", 7)) == "HOUSE_CLOSED"
    ask(state, OpenHouse("Harbour", "SGD"))
    assert ask(state, RestoreHouse("Ann Lee", " ", 7)) == "NAME_MISSING"
    assert ask(state, RestoreHouse("Ann Lee", "ann  lee", 7)) == "SAME_PERSON"
    assert ask(state, RestoreHouse("Ann Lee", "Bob Tan", 7), "shift-manager") == "NOT_ALLOWED"
    restored = ask(state, RestoreHouse("Ann Lee", "Bob Tan", 7))
    assert restored == (HouseRestored("Ann Lee", "Bob Tan", 7),)
    assert (state.version, state.name, state.currency) == (2, "Harbour", "SGD")


def test_a_house_has_room_for_so_many() -> None:
    state = HouseState(name="Harbour", currency="SGD", streams={str(n) for n in range(STREAMS_MAX)})
    assert ask(state, AdmitTable("one more", "SGD")) == "BATCH_SIZE"


@pytest.mark.parametrize("role", ["dealer", "terminal", "shift-manager"])
def test_nobody_else_opens_a_house(role: Role) -> None:
    assert ask(HouseState(), OpenHouse("Harbour", "SGD"), role) == "NOT_ALLOWED"


def test_what_is_no_business_of_the_house_is_refused() -> None:
    assert ask(HouseState(), OpenBets()) == "NOT_ALLOWED"
