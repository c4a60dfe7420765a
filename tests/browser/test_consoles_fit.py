"""The consoles at every size: no control is cut off or covered, whatever notice is shown."""

import re

from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.browser.chip_windows import ChipDealer
from tests.browser.conftest import Opener
from tests.browser.looking import complaints_of_axe, spilt
from tests.browser.windows import Dealer, Player, Window, words

#: Tablets, laptops, desks, walls; the last two are a desk and a laptop at 200 %.
SIZES = (
    *((768, 1024), (1024, 768), (1280, 720), (1366, 650), (1440, 900)),
    *((1920, 1080), (3840, 2160), (720, 450), (640, 360)),
)
#: Sizes at which the main line has a place of its own beside the panels.
DESKS = ((1024, 768), (1280, 720), (1366, 650), (1440, 900))
LANGUAGES = ("en", "zh-Hans", "zh-Hant")
#: Brings each control into view, and checks that a finger in its middle would hit it.
_MISSED = """
async (frames) => {
  const missed = [];
  const all = "a[href], button, input, select, textarea, summary, [role=tab], [role=radio]";
  const isThere = (each) =>
    each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !each.disabled && !each.closest(".unseen, .skip");
  for (const each of [...document.querySelectorAll(all)].filter(isThere)) {
    each.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    for (let frame = 0; frame < frames; frame += 1) await new Promise(requestAnimationFrame);
    if (!each.isConnected || !isThere(each)) continue;
    const target = each.closest("label") ?? each;
    // A link of two lines has a rectangle for each.
    const { left, right, top, bottom } = target.getClientRects()[0];
    const met = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isMet = met !== null && (target.contains(met) || each.contains(met));
    const isHigh = bottom - top >= innerHeight;
    const isLow = top < -1 || bottom > innerHeight + 1;
    const isCut = left < -1 || right > innerWidth + 1 || (!isHigh && isLow);
    const [here, over] = [each, met].map((one) => one?.outerHTML.slice(0, 120));
    if (!isMet || isCut) missed.push(`${here} under ${over}`);
  }
  scrollTo(0, 0);
  if (document.documentElement.scrollWidth > innerWidth) missed.push("the page is too wide");
  return missed;
}
"""


def missed(page: Page, frames: int = 0) -> list[str]:
    """Name the controls that a finger would miss; `frames` are drawn after each comes into view."""
    return list(page.evaluate(_MISSED, frames))


def resize(window: Window, size: tuple[int, int], place: int) -> str:
    """Resize the window; each size comes with another language and theme."""
    window.page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    language = LANGUAGES[place % 3]
    window.speak(language)
    expect(window.page.locator("html")).to_have_attribute("lang", language)
    window.button(words(language, "shell", "theme_bright")).click()
    return language


def test_no_control_of_the_game_console_is_cut_off_or_covered_by_a_notice(window: Opener) -> None:
    dealer: Dealer = window(Dealer, "dealer").stand_at("look-ts6-2")
    # A log-out that fails is reported in a notice.
    dealer.may_lose_the_venue()
    dealer.page.route("**/api/sessions/current", _lost)
    for place, size in enumerate(SIZES):
        language = resize(dealer, size, place)
        if size[0] >= 960:
            # At a desk the next step is never below the edge.
            expect(dealer.page.locator(".console-go")).to_be_in_viewport(ratio=1)
        if size[0] > 800 and size[1] > 700:
            assert missed(dealer.page) == [], size
            continue
        dealer.press(words(language, "shell", "log_out"))
        notice = dealer.page.get_by_role("region", name=words(language, "shell", "notice"))
        expect(notice).to_be_visible()
        assert missed(dealer.page, frames=2) == [], size
        if notice.is_visible():
            notice.get_by_role("button").click()
    tool = dealer.page.locator(".notice-tool")
    tool.click()
    expect(dealer.page.get_by_role("dialog").get_by_role("listitem").first).to_be_visible()


def test_every_figure_of_the_exposure_is_whole_and_that_of_the_result_too(window: Opener) -> None:
    dealer: Dealer = window(Dealer, "dealer").stand_at("dear")
    player: Player = window(Player).sit("dear")
    dealer.goes("Open the bets")
    # Triple 1 pays 195 to 1, and Small is collected: five digits.
    player.bets({"triple-1": 10_000, "small": 10_000}, chip=10_000)
    dealer.goes("Close the bets")
    dealer.tumble()
    dealer.see_flat()
    dealer.enter(1, 1, 1)
    shown = dealer.page.locator(".console-heat-cell[data-shown=true] .console-heat-amount")
    for size in (*SIZES, (390, 844)):
        dealer.page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
        expect(shown).to_have_text("−19.4K")
        assert spilt(dealer.page, ".console-heat-cell") == [], size


def _is_all_in_view(dealer: Dealer, when: str) -> None:
    """Check that the main line is all in view at every desk."""
    for width, height in DESKS:
        dealer.page.set_viewport_size(ViewportSize(width=width, height=height))
        assert below(dealer.page) == 0, (when, width, height)


def is_all_in_view_in_every_language(dealer: Dealer, when: str) -> None:
    """Check that the main line is all in view at every desk, in every language."""
    for language in (*LANGUAGES[1:], LANGUAGES[0]):
        dealer.speak(language)
        expect(dealer.page.locator("html")).to_have_attribute("lang", language)
        _is_all_in_view(dealer, f"{when}, {language}")


def _lost(route: Route) -> None:
    """Lose the request that would end a session, and no other."""
    if route.request.method == "DELETE":
        route.abort()
    else:
        route.continue_()


def below(page: Page) -> int:
    """Measure how much of a console's main line is out of sight."""
    return int(
        page.evaluate(
            "(() => { const line = document.querySelector('.console-line');"
            " return line.scrollHeight - line.clientHeight; })()"
        )
    )


def test_no_control_of_a_chip_table_is_cut_off(window: Opener) -> None:
    dealer: ChipDealer = window(ChipDealer, "dealer").stand_at("fit-chips")
    dealer.call_for_bets()
    dealer.records("1.b 5 s 5 35 5")
    for place, size in enumerate(SIZES):
        resize(dealer, size, place)
        assert missed(dealer.page) == [], size
        assert below(dealer.page) == 0, size
    resize(dealer, (1440, 900), 0)
    dealer.goes("Close the bets")
    for _ in range(3):
        dealer.goes("Tumble")
    _is_all_in_view(dealer, "after the tumbles")
    dealer.goes("Tumbled 3 times")
    dealer.goes("Lift the cover")
    _is_all_in_view(dealer, "before the dice are looked at")
    dealer.see_flat()
    dealer.enter(1, 2, 4)
    dealer.goes("Confirm and call the result")
    _is_all_in_view(dealer, "before the chips are collected")
    dealer.next_step.get_by_role("button", name=re.compile("^Losing bets collected")).click()
    expect(dealer.next_step).to_contain_text("not ticked off")
    _is_all_in_view(dealer, "unticked")
    dealer.page.locator("header select").select_option("zh-Hant")
    dealer.may_be_refused = ("/nowhere",)
    dealer.page.goto(f"{dealer.venue.address}/nowhere")
    heading = words("zh-Hant", "shell", "unknown_title")
    expect(dealer.page.get_by_role("heading", name=re.compile(heading))).to_be_visible()
    assert complaints_of_axe(dealer.page) == []
