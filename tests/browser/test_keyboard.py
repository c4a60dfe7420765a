"""A whole round, bet and dealt, without a mouse."""

import re

from playwright.sync_api import Page, expect

from tests.browser.windows import Dealer, Player
from tests.kit.processes import CREDITS

#: No control here is farther from the beginning of a page than this.
TABS_MAX = 60


def _tab_to(page: Page, name: re.Pattern[str]) -> None:
    """Press Tab until a control of this name has the focus, which must be visible."""
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        label = focused.evaluate("each => each.ariaLabel ?? each.innerText")
        if name.search(label or ""):
            assert focused.evaluate("each => getComputedStyle(each).outlineStyle") != "none"
            return
    raise AssertionError(f"no control named {name.pattern} within {TABS_MAX} tabs")


def test_a_round_is_bet_and_dealt_without_a_mouse(player: Player, dealer: Dealer) -> None:
    player.sit("hands")
    dealer.stand_at("hands")
    keys, desk = player.page.keyboard, dealer.page.keyboard

    expect(dealer.next_step).to_contain_text("Open the bets")
    desk.press("Space")
    player.hears("Place your bets")
    _tab_to(player.page, re.compile(", pays "))
    keys.press("2")
    _walk_to(player, "small")
    keys.press("Enter")
    _walk_to(player, "big")
    keys.press("Enter")
    keys.press("Enter")
    player.sees_on("big", "10.00 put down, not yet sent")
    keys.press("Delete")
    player.sees_on("small", "5.00 put down, not yet sent")
    keys.press("d")
    player.sees_on("small", "10.00 put down, not yet sent")
    keys.press("Control+z")
    player.sees_on("small", "5.00 put down, not yet sent")
    keys.press("p")
    player.sees_on("small", "your bet 5.00")

    desk.press("b")
    player.hears("No More Bets")
    for shown in ("0 of 3", "1 of 3", "2 of 3", "Tumbled 3 times"):
        expect(dealer.next_step).to_contain_text(shown)
        desk.press("Space")
    expect(dealer.next_step).to_contain_text("Lift the cover")
    desk.press("Space")
    expect(dealer.next_step).to_contain_text("Press 3 faces")
    # Hands are faster than the connection: no key press is lost.
    desk.type("123")
    desk.press("Enter")
    expect(dealer.next_step).to_contain_text("Confirm and call the result")
    desk.press("Space")
    expect(dealer.next_step).to_contain_text("Collect and pay")
    desk.press("Space")
    player.sees_balance(CREDITS + 500)


def _walk_to(player: Player, box: str) -> None:
    """Move over the layout with the arrow keys, towards a box, until it has the focus."""
    for _ in range(TABS_MAX):
        here, there = player.page.locator(":focus").bounding_box(), player.area(box).bounding_box()
        assert here is not None
        assert there is not None
        right = there["x"] - here["x"] + (there["width"] - here["width"]) / 2
        down = there["y"] - here["y"] + (there["height"] - here["height"]) / 2
        if player.page.locator(":focus").get_attribute("data-box") == box:
            return
        if abs(right) > abs(down):
            player.page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
        else:
            player.page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
    raise AssertionError(f"the arrow keys do not lead to {box}")
