"""A new operator founds a real house, with the printed address and the screens and nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

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
from tests.browser.looking import complaints_of_axe
from tests.kit.processes import RealHouse

ANN = Person("Ann Lee", "three dice under a bell", "271845")
BOB = Person("Bob Tan", "a bell over three dice", "314159")
TABLE = "SB-1"
#: A person who is appointed, and their password and PIN after a reset.
CAI = Person("Cai Wu", "no bell and no dice yet", "577215")
CAI_AGAIN = Person("Cai Wu", "a bell and dice by now", "664901")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[RealHouse]:
    """Start a real house in an empty directory, not founded yet."""
    house = RealHouse(tmp_path)
    try:
        house.start()
        yield house
    finally:
        house.stop()


def test_two_people_found_a_house_and_a_bet_is_paid_there(house: RealHouse, window: Opener) -> None:
    founders: Founders = window(Founders, at=house)
    for step in founding(founders):
        assert complaints_of_axe(founders.page) == [], step
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
    assert terminal.code
    assert complaints_of_axe(terminal.page) == []
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

    cai: RealDealer = window(RealDealer, "dealer", CAI, at=house)
    _looks_after_people(technician, manager, cai)
    _looks_after_machines(technician, manager, terminal)
    _changes_what_the_house_goes_by(technician, manager, second)

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


def founding(page: Founders) -> Iterator[str]:
    """Found a house; stop at each filled-in step, by a name for it, and at the end."""
    page.go_to()
    page.step("The house")
    page.fill(Name_of_the_house="The Golden Bell", Operator="Resorts World at Sentosa")
    yield "founding"
    page.press("Next")
    page.step("The first person")
    page.is_founder(ANN, page.halves[0], "cashier")
    yield "founding-first"
    page.press("Next")
    page.step("The second person")
    page.is_founder(BOB, page.halves[1], "dealer")
    yield "founding-second"
    page.press("Found the house")
    expect(page.button("Go to the House")).to_be_visible()
    yield "founding-done"
    page.press("Go to the House")
    expect(page.button("Log in")).to_be_visible()
    yield "log-in"


def _set_up(manager: RealPit, second: RealPit) -> None:
    """Adopt a rulebook, set limits, register dice and open the table, as the pit's list says."""
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
    assert complaints_of_axe(manager.page) == []
    form.get_by_role("button", name="Ask for these limits").click()
    second.grant("limits")
    form = manager.takes(opening, "Register a set of dice…")
    form.get_by_label("Set of dice").fill("dice 1")
    form.get_by_label("Number of its seal").fill("seal 1")
    form.get_by_role("button", name="Register a set of dice", exact=True).click()
    opening.get_by_role("button", name="Open the table").click()
    expect(opening).to_be_hidden()


def _looks_after_people(technician: RealStaff, manager: RealPit, cai: RealDealer) -> None:
    """Appoint a person who sets a password with a code, and is given another to reset it."""
    technician.view("People")
    form = technician.opens("Appoint somebody…")
    form.get_by_label("Name", exact=True).fill("Cai Wu")
    form.get_by_role("checkbox", name="dealer", exact=True).check()
    assert complaints_of_axe(technician.page) == []
    form.get_by_role("button", name="Appoint somebody", exact=True).click()
    manager.grant("Cai Wu")
    row = technician.page.get_by_role("row", name=re.compile("^Cai Wu"))
    expect(row).to_contain_text("has no password")
    manager.go_to(screen="house").view("People")
    for way, person in (
        ("Make a code for Cai Wu", CAI),
        ("Reset password and PIN of Cai Wu", CAI_AGAIN),
    ):
        technician.asks(way, way)
        manager.grant("Cai Wu")
        # A person with both halves is not told which of them comes first.
        halves = [each.sees_half("Cai Wu") for each in (manager, technician)]
        cai.sets_password(person, " ".join(halves))
        expect(row).to_contain_text("has a password")
    cai.go_to(TABLE).fails_to_log_in()
    cai.person = CAI_AGAIN
    cai.log_in()
    _lets_somebody_go(technician, manager, cai, row)


def _lets_somebody_go(
    technician: RealStaff, manager: RealPit, cai: RealDealer, row: Locator
) -> None:
    """Give a person another role, suspend them, reinstate them, and dismiss them."""
    form = technician.opens("Roles of Cai Wu")
    form.get_by_role("checkbox", name="supervisor", exact=True).check()
    form.get_by_role("button", name="Roles of Cai Wu", exact=True).click()
    manager.grant("Cai Wu")
    expect(row).to_contain_text("supervisor, dealer")
    cai.may_lose_the_venue()
    technician.asks("Suspend Cai Wu", "Suspend Cai Wu")
    expect(row).to_contain_text("suspended")
    expect(cai.button("Log in")).to_be_visible()
    cai.fails_to_log_in()
    expect(cai.page.get_by_role("main").get_by_role("alert")).to_contain_text("suspended")
    technician.asks("Reinstate Cai Wu", "Reinstate Cai Wu")
    manager.grant("reinstate Cai Wu")
    expect(row).to_contain_text("has a password")
    cai.log_in()
    technician.asks("Dismiss Cai Wu", "Dismiss Cai Wu")
    expect(row).to_contain_text("dealer")
    manager.grant("dismiss Cai Wu")
    expect(row).to_be_hidden()
    expect(cai.button("Log in")).to_be_visible()


def _looks_after_machines(technician: RealStaff, manager: RealPit, terminal: Terminal) -> None:
    """Check a terminal's state, withdraw it, and give it another key by the code it then shows."""
    technician.view("Machines")
    name = f"{TABLE}-1"
    machines = technician.page.get_by_role("region", name=re.compile(f"^{TABLE}: "))
    row = machines.get_by_role("row", name=re.compile(f"^{name} "))
    expect(row).to_contain_text("127.0.0.1")
    expect(row).to_contain_text("the newest")
    terminal.may_lose_the_venue()
    technician.asks(f"Withdraw {name}", f"Withdraw {name}")
    expect(row).to_contain_text("withdrawn")
    terminal.press("Put in another key")
    technician.asks(
        f"Replace the key of {name}",
        f"Replace the key of {name}",
        Code_on_the_machine=terminal.code,
    )
    manager.grant(name)
    expect(terminal.layout).to_be_visible()
    expect(row).to_contain_text("has one")
    machines.get_by_text("Dice and equipment").click()
    expect(machines.get_by_role("listitem").first).to_contain_text("dice 1")
    expect(machines).to_contain_text("The table is open")


def _changes_what_the_house_goes_by(
    technician: RealStaff, manager: RealPit, second: RealPit
) -> None:
    """Adopt a written departure, and change how long vouchers are valid, by two persons each."""
    manager.go_to(screen="house").view("Tables")
    table = manager.page.get_by_role("region", name=TABLE, exact=True)
    form = manager.opens(f"Written departures of {TABLE}")
    form.get_by_label("Another departure, from").select_option("ts6")
    expect(form).to_contain_text("approved for chips; here it is terminals")
    form.get_by_label("Approved by").fill("The Authority")
    form.get_by_label("By which paper").fill("letter 17 of 2026")
    form.get_by_role("button", name="Have these stand").click()
    second.grant("letter 17 of 2026")
    expect(table).to_contain_text("ts6, form of table: The Authority, letter 17 of 2026")
    expect(table).to_contain_text("$500.00")
    place = f"Place of {TABLE} on the map"
    manager.asks(place, "Put it there", **{"Column,_from_the_left": "3", "Row,_from_the_top": "2"})
    expect(table).to_contain_text("column 3, row 2")
    manager.view("Settings")
    manager.asks(
        "Change the terms of vouchers…",
        "Change the terms of vouchers",
        Days_a_voucher_is_good_for="60",
    )
    second.grant("60 days")
    technician.view("Settings")
    settings = technician.page.get_by_role("region", name="Settings", exact=True)
    expect(settings).to_contain_text("60 days")
    expect(settings).to_contain_text("These cannot be changed.")
