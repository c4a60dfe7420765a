"""The cost of an update of the totals: the changed areas are drawn, and no other."""

from playwright.sync_api import expect

from tests.browser.crowds import crowd
from tests.browser.windows import Dealer, Player
from tests.kit.processes import RunningVenue

#: Records the boxes whose areas are touched, and everything that forces a layout of the page.
WATCH = """
window.touched = new Set();
window.measured = 0;
for (const [owner, names] of [
  [HTMLElement.prototype, ["offsetWidth", "offsetHeight", "offsetTop", "offsetLeft"]],
  [Element.prototype, ["clientWidth", "clientHeight", "scrollWidth", "scrollHeight", "scrollTop"]],
]) for (const name of names) {
  const known = Object.getOwnPropertyDescriptor(owner, name);
  const get = function () { measured += 1; return known.get.call(this); };
  Object.defineProperty(owner, name, { ...known, get });
}
for (const [owner, name] of [
  [Element.prototype, "getBoundingClientRect"], [Element.prototype, "getClientRects"],
  [Element.prototype, "scrollIntoView"], [window, "getComputedStyle"],
]) {
  const known = owner[name];
  owner[name] = function (...given) { measured += 1; return known.apply(this, given); };
}
new MutationObserver((changes) => {
  for (const { target } of changes) {
    const element = target instanceof Element ? target : target.parentElement;
    touched.add(element.closest("[data-box]")?.dataset.box ?? element.className);
  }
}).observe(document.querySelector(".layout"), {
  subtree: true, childList: true, attributes: true, characterData: true,
});
"""


def test_an_update_draws_the_boxes_that_changed_and_measures_nothing(
    player: Player, dealer: Dealer, venue: RunningVenue
) -> None:
    player.sit("calm")
    dealer.stand_at("calm").goes("Open the bets")
    player.hears("Place your bets")
    shown = player.open_window("View", "How it is shown")
    shown.get_by_label("What everybody bets").check()
    player.page.keyboard.press("Escape")
    expect(shown).to_be_hidden()
    with crowd(venue.address, "calm", 1) as others:
        player.page.evaluate(WATCH)
        others.place({"small": 500, "three-136": 300})
        # Small is printed on both sides of this layout, and says its total once.
        expect(player.layout.locator("[data-box=small] .layout-total")).to_have_text(["5", ""])
        expect(player.layout.locator("[data-box=three-136] .layout-total")).to_have_text("3")
        assert set(player.page.evaluate("[...touched]")) == {"small", "three-136"}
        assert player.page.evaluate("measured") == 0
