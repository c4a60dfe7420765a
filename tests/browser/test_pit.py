"""The pit: tables at a glance, limits and openings by two persons, and approvals."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.conftest import Opener
from tests.browser.test_consoles_fit import is_all_in_view_in_every_language
from tests.browser.windows import Dealer, PitStaff, Player, Watcher, money
from tests.kit.processes import RunningVenue


def _act(person: PitStaff, opening: Locator, act: str, filled: dict[str, str]) -> None:
    """Do one act of an opening, and record it."""
    opening.get_by_role("button", name=act).click()
    form = person.page.get_by_role("dialog")
    for label, value in filled.items():
        form.get_by_label(label).fill(value)
    form.get_by_role("button", name=act).click()
    expect(form).to_be_hidden()


def test_a_table_is_closed_given_other_limits_and_opened_again_by_two_persons(
    window: Opener, watcher: Watcher, player: Player, venue: RunningVenue
) -> None:
    player.sit("pit")
    watcher.go_to("pit")
    manager: PitStaff = window(PitStaff, "pit manager").look_after("pit")
    second: PitStaff = window(PitStaff, "supervisor").look_after("pit")

    manager.press("Give notice of closing")
    watcher.sees("This table closes after this round")
    manager.press("Close the table")
    watcher.sees("Table closed")
    player.hears("The table is closed")

    manager.press(re.compile("^Change the limits"))
    form = manager.dialog("Change the limits")
    form.get_by_label("Minimum").fill("2.5")
    form.get_by_label("Maximum").fill("nonsense")
    form.get_by_role("button", name="Ask for these limits").click()
    expect(form).to_contain_text("This is no amount")
    form.get_by_label("Minimum").fill("2")
    form.get_by_label("Maximum").fill("250")
    form.get_by_role("button", name="Ask for these limits").click()
    expect(form).to_be_hidden()
    second.grant("change the limits")
    for each in (manager, second):
        limits = each.page.get_by_role("region", name="Limits")
        expect(limits).to_contain_text(money(25_000))
    watcher.sees("250")

    opening = second.page.get_by_role("region", name="Opening the table")
    _act(second, opening, "Say that it is on", {"What it has its power from": "mains"})
    opening.get_by_role("button", name="Make a test run").click()
    form = second.page.get_by_role("dialog")
    for face in (1, 5, 6):
        form.get_by_role("button", name=f"Face {face}").click()
    form.get_by_role("button", name="Make a test run").click()
    watcher.sees("Test run")
    player.hears("Test run")
    expect(player.area("total-12")).to_have_accessible_name(re.compile("wins"))
    expect(player.area("total-11")).not_to_have_accessible_name(re.compile("wins"))
    _act(second, opening, "Say what was lit", {})
    _act(second, opening, "Try the tumbler", {"How often it tumbled": "3"})
    _act(second, opening, "Read the seal", {"Number of its seal": "demo seal"})
    opening.get_by_role("button", name="Open the table").click()
    watcher.sees("Next round soon")
    player.hears("The next round begins soon")
    assert venue.get("/api/tables/pit")["limits"]["maximum"] == 25_000


def test_the_pit_sees_every_table_its_bets_and_its_hold(
    window: Opener, player: Player, dealer: Dealer
) -> None:
    manager: PitStaff = window(PitStaff, "pit manager").arrive()
    player.sit("deals")
    dealer.stand_at("deals").goes("Open the bets")
    player.bets({"small": 500, "big": 500})
    card = manager.page.get_by_role("article").filter(
        has=manager.page.get_by_role("heading", name="deals", exact=True)
    )
    expect(card).to_contain_text("Bets are open")
    expect(card).to_contain_text(money(1_000))
    dealer.play(1, 2, 3)
    band = card.get_by_role("img", name=re.compile("within the band"))
    expect(band).to_be_visible()
    card.get_by_role("link", name="deals").click()
    figures = manager.page.get_by_role("region", name="Win against theory")
    expect(figures).to_contain_text("19 times in 20")
    for view, words in (("Dealers", "Dana"), ("Bets", "Small"), ("Dice", "demo dice")):
        manager.page.get_by_role("link", name=view, exact=True).click()
        expect(manager.page.get_by_role("main")).to_contain_text(words)


def test_what_waits_is_granted_or_declined_from_the_pit(window: Opener, dealer: Dealer) -> None:
    second: PitStaff = window(PitStaff, "supervisor").arrive()
    dealer.stand_at("asks").may_be_refused = ("/guide",)
    dealer.goes("Open the bets")
    dealer.goes("Close the bets")
    dealer.tumble()
    dealer.see_flat()
    dealer.enter(1, 2, 3)
    panel = dealer.panel("Irregularities")
    panel.get_by_role("button", name=re.compile("^A die does not lie flat")).click()
    panel.get_by_role("button", name=re.compile("^Confirm")).click()
    alert = (
        second.page.get_by_role("list", name=re.compile("^Alerts"))
        .get_by_role("listitem")
        .filter(has_text="table asks is in doubt")
    )
    alert.get_by_role("button", name=re.compile("^Acknowledge")).click()
    expect(alert).to_contain_text("Seen by Sunil")
    alert.get_by_role("button", name=re.compile("^See to it")).click()
    form = second.dialog("See to an alert")
    form.get_by_label("What you found").fill("on my way")
    form.get_by_role("button", name="Take it").click()
    expect(alert).to_contain_text("With Sunil")
    for view, words in (
        ("Floor", re.compile("asks.*Alerts seen", re.DOTALL)),
        ("Rulings", "table asks is in doubt"),
        ("Alert log", "on my way"),
    ):
        second.page.get_by_role("link", name=view, exact=True).click()
        expect(second.page.get_by_role("main")).to_contain_text(words)
    # What the dealer waits for is in view at every desk, beside the dice and the steps.
    expect(dealer.waiting).to_be_visible()
    is_all_in_view_in_every_language(dealer, "in doubt")
    second.find_otherwise("Dana reported: ", "all three lie flat")
    expect(dealer.next_step).to_contain_text("Confirm and call the result")
