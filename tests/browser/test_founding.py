"""A new operator founds a real house, with the printed address and the screens and nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.house_windows import (
    Founders,
    Person,
    RealCashier,
    RealDealer,
    RealPit,
    RealStaff,
    Terminal,
)
from tests.kit.processes import RealHouse

ANN = Person("Ann Lee", "three dice under a bell", "271845")
BOB = Person("Bob Tan", "a bell over three dice", "314159")
TABLE = "SB-1"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[RealHouse]:
    """Have a real house in an empty directory, started and not founded."""
    house = RealHouse(tmp_path)
    try:
        house.start()
        yield house
    finally:
        house.stop()


def test_two_people_found_a_house_and_a_bet_is_paid_there(house: RealHouse, window: Opener) -> None:
    _found(window(Founders, at=house))
    technician: RealStaff = window(RealStaff, "technician", BOB, at=house).arrive()
    manager: RealPit = window(RealPit, "shift manager", ANN, at=house)
    second: RealPit = window(RealPit, "pit manager", BOB, at=house)

    technician.view("Settings")
    settings = technician.page.get_by_role("region", name="Settings")
    expect(settings).to_contain_text("Resorts World at Sentosa")
    expect(settings).to_contain_text("06:00")
    technician.view("Tables")
    technician.asks("Create a table…", "Create the table", Name_of_the_table=TABLE)
    expect(technician.page.get_by_role("region", name=TABLE)).to_contain_text("no rulebook yet")
    _set_up(manager, second)

    terminal: Terminal = window(Terminal, at=house).go_to()
    technician.view("Machines")
    technician.asks(
        "Enrol a terminal…",
        "Enrol a terminal",
        Code_on_the_machine=terminal.code.lower(),
        Table=TABLE,
        Terminal=f"{TABLE}-1",
        Where_it_stands="by the door",
    )
    manager.grant(f"{TABLE}-1")
    expect(terminal.layout).to_be_visible()
    expect(technician.page.get_by_role("region", name=re.compile(f"^{TABLE}: "))).to_contain_text(
        "● connected"
    )

    cashier: RealCashier = window(RealCashier, "cashier", ANN, at=house).arrive()
    cashier.asks("Open a shift…", "Open a shift", Cash_in_the_drawer="1000")
    second.grant("open a shift")
    terminal.takes(cashier.sells("100"), 10_000)
    dealer: RealDealer = window(RealDealer, "dealer", BOB, at=house).stand_at(TABLE)
    dealer.call_for_bets()
    terminal.bets({"small": 500})
    dealer.play(1, 2, 3)
    # Small pays even money [etg8 4.1.1]: 100.00, less 5.00, and 10.00 back.
    terminal.sees_balance(10_500)
    cashier.pays(terminal.cashes_out(), "$105.00")


def _found(page: Founders) -> None:
    page.go_to()
    page.step("The house")
    page.fill(Name_of_the_house="The Golden Bell", Operator="Resorts World at Sentosa")
    page.press("Next")
    page.step("The first person")
    page.is_founder(ANN, page.halves[0], "cashier")
    page.press("Next")
    page.step("The second person")
    page.is_founder(BOB, page.halves[1], "dealer")
    page.press("Found the house")
    page.press("Go to the House")
    expect(page.button("Log in")).to_be_visible()


def _set_up(manager: RealPit, second: RealPit) -> None:
    """Adopt a rulebook, set limits, register dice and open the table, as the pit asks for it."""
    manager.look_after(TABLE)
    second.look_after(TABLE)
    opening = manager.page.get_by_role("region", name="Opening the table")
    form = manager.takes(opening, "Choose the rulebook…")
    form.get_by_label("Rulebook").select_option("etg8/1")
    form.get_by_role("button", name="Choose the rulebook", exact=True).click()
    second.grant("rulebook")
    form = manager.takes(opening, "Set the limits…")
    form.get_by_label("Minimum", exact=True).fill("1")
    form.get_by_label("Maximum", exact=True).fill("500")
    form.get_by_role("button", name="Ask for these limits").click()
    second.grant("limits")
    form = manager.takes(opening, "Register a set of dice…")
    form.get_by_label("Set of dice").fill("dice 1")
    form.get_by_label("Number of its seal").fill("seal 1")
    form.get_by_role("button", name="Register a set of dice", exact=True).click()
    opening.get_by_role("button", name="Open the table").click()
    expect(opening).to_be_hidden()
