"""A terminal that fails, a session that staff end, and a ruling that moves money: shown first."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Opener
from tests.browser.windows import Dealer, PitStaff, Player, money
from tests.kit.processes import CREDITS, RunningVenue


def test_a_failed_terminal_says_so_and_a_ruling_is_agreed_to_as_it_was_shown(
    venue: RunningVenue, window: Opener, player: Player, supervisor: Dealer
) -> None:
    """The bet of 5.00 stays on the table and 25.00 is given: a void gives the bet back too."""
    player.sit("ruled")
    terminal = player.key["terminal"]
    manager: Dealer = window(Dealer, "shift manager").stand_at("ruled")
    supervisor.stand_at("ruled")
    pit: PitStaff = window(PitStaff, "pit manager").look_after("ruled")
    dealer: Dealer = window(Dealer, "dealer").stand_at("ruled")
    dealer.goes("Open the bets")
    player.bets({"small": 500})

    pit.page.get_by_role("button", name=f"Take {terminal} out of service").click()
    form = pit.page.get_by_role("dialog")
    expect(form).to_contain_text(f"Terminal {terminal} is out of service")
    expect(form).to_contain_text("No money moves.")
    form.get_by_label("In your words").fill("the screen is dark")
    form.get_by_role("button", name=f"Take {terminal} out of service").click()
    expect(player.page.locator(".banners")).to_contain_text("This terminal is out of service")

    # A ruling for nobody is refused before it is asked for.
    manager.may_be_refused = ("/preview",)
    panel = manager.panel("Irregularities")
    panel.get_by_role("button", name=re.compile("^The shift manager's ruling")).click()
    panel.get_by_label("In your words").fill("the terminal failed")
    panel.get_by_label("The round under way is void").check()
    panel.get_by_role("button", name="Add a move").click()
    move = panel.get_by_role("group", name="Move 1")
    move.get_by_label("Terminal").fill("nobody")
    move.get_by_label("Amount").fill("25")
    expect(panel).to_contain_text("terminal:nobody")
    move.get_by_label("Terminal").fill(terminal)
    shown = f"Credits of {terminal}{money(CREDITS - 500)}+{money(3_000)}{money(CREDITS + 2_500)}"
    expect(panel.get_by_role("row", name=re.compile("^Credits"))).to_have_text(shown)
    panel.get_by_role("button", name=re.compile("^Confirm")).click()
    row = supervisor.waiting.get_by_role("row", name=re.compile("^Credits"))
    expect(row).to_have_text(shown)
    supervisor.grant("the terminal failed")
    player.sees_balance(CREDITS + 2_500)

    pit.page.get_by_role("button", name=f"End the session at {terminal}").click()
    form = pit.page.get_by_role("dialog")
    kept = form.get_by_role("row", name=re.compile("^Set aside"))
    expect(kept).to_contain_text(money(CREDITS + 2_500))
    form.get_by_label("In your words").fill("paid at the cage")
    form.get_by_role("button", name=f"End the session at {terminal}").click()
    expect(pit.page.get_by_role("dialog")).to_contain_text("Give this code to the player")
    player.sees_balance(0)
    assert venue.credits(player.key) == 0
