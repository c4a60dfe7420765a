"""A failed terminal, a session that staff end, and rulings on money and bets: previewed first."""

import re

from playwright.sync_api import expect

from tests.browser.chip_windows import ChipDealer
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

    # A ruling that touches nobody is refused before it is submitted.
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


def test_bets_that_the_rules_leave_to_a_ruling_are_ruled_on_before_anything_is_paid(
    window: Opener,
) -> None:
    """150.00 on Big are over the limit, 15.00 on Small are mixed, 3.00 on Odd stay short.

    On 1, 2, 4 Big loses as it stands, Small is returned, and of Odd 2.00 plays and wins as much.
    """
    dealer: ChipDealer = window(ChipDealer, "dealer")
    supervisor: ChipDealer = window(ChipDealer, "supervisor")
    manager: ChipDealer = window(ChipDealer, "shift manager")
    for each in (supervisor, manager, dealer):
        each.may_be_refused = ("/preview",)  # It may be requested just as the bet is ruled on.
        each.stand_at("chips-ruled")
    dealer.tumble()
    dealer.goes("Open the bets")
    dealer.records("5.b 150")
    dealer.records("6.s 2+1x5")
    expect(dealer.layout()).to_contain_text("Seat 6, Small: $15.00 in value and colour chips")
    dealer.records("2.o 3")
    _advises(dealer)
    expect(dealer.layout()).to_contain_text("Advised.")
    # The table knows it, and not only this page.
    dealer.page.reload()
    expect(dealer.layout()).to_contain_text("Advised.")
    dealer.records("2.o 2")
    dealer.goes("Close the bets")

    # While the dice are covered, one person rules that a bet stands; the dealer cannot.
    over = dealer.layout().get_by_role("region", name="Bets that await a ruling")
    expect(over).to_contain_text("before the shift manager has ruled")
    expect(over.get_by_role("button")).to_have_count(0)
    rules(manager, "5, Big", "It stands as it lies", "unseen")
    expect(over).not_to_contain_text("Seat 5")

    # A bet that was advised and then raised is short again once dice are seen; it is not returned.
    dealer.goes("Lift the cover")
    dealer.see_flat()
    dealer.records("2.=o 3 two are of seat 3")
    supervisor.grant("two are of seat 3")
    # A form keeps its text when the panel turns with the result.
    manager.page.get_by_role("button", name="Rule on seat 6, Small", exact=True).click()
    form = manager.page.get_by_role("dialog")
    form.get_by_label(re.compile("^It is returned")).check()
    form.get_by_label("In your words").fill("nobody can tell whose")
    dealer.enter(1, 2, 4)
    dealer.goes("Confirm and call the result")
    expect(dealer.step("Losing bets collected")).to_be_disabled()
    turned = manager.page.get_by_role("tabpanel", name="Collect and pay", include_hidden=True)
    expect(turned).to_be_attached()
    expect(form.get_by_label("In your words")).to_have_value("nobody can tell whose")
    manager.gives(form, "Rule")
    supervisor.grant("nobody can tell whose")
    rules(manager, "2, Odd", "A part of it plays", "two pieces were seen", plays="2")
    supervisor.grant("two pieces were seen")
    lists = dealer.panel("Collect and pay")
    for told in ("$150.00", "3.00 on Odd, 2.00 plays"):
        expect(lists).to_contain_text(told)
    dealer.goes("Losing bets collected: say so")
    dealer.goes("Winning bets paid: say so")
    expect(dealer.next_step).to_contain_text("Tumble")


def _advises(dealer: ChipDealer) -> None:
    """Advise a player; keys act on the notice in focus, and none is offered for bets keyed in."""
    notices = dealer.page.locator(".rec-notice")
    keys = notices.locator(".console-kbd")
    dealer.line.focus()
    expect(keys).not_to_have_count(0)
    expect(keys.filter(visible=True)).to_have_count(0)
    notices.first.focus()
    expect(keys.first).to_be_visible()
    dealer.layout().get_by_role("button", name="Advise").click()


def rules(manager: ChipDealer, bet: str, verdict: str, note: str, plays: str | None = None) -> None:
    """Rule on a waiting bet, on the panel of the round, which turns."""
    manager.page.get_by_role("button", name=f"Rule on seat {bet}", exact=True).click()
    form = manager.page.get_by_role("dialog")
    form.get_by_label(re.compile(f"^{verdict}")).check()
    if plays is not None:
        form.get_by_label("Plays with").fill(plays)
    form.get_by_label("In your words").fill(note)
    manager.gives(form, "Rule")
