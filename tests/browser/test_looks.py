"""Every screen in every language, size, theme and layout, pairwise: nothing cut, no complaints."""

import itertools
import re

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import Opener
from tests.browser.floors import PAY_TABLES
from tests.browser.looking import (
    ALL_RULES,
    BY_SIZE,
    BY_SIZE_AND_THEME,
    TARGET_PX,
    Rules,
    complaints_of_axe,
    cut_off,
    faults_of,
    smallest_area,
    spilt,
)
from tests.browser.pairs import Row, all_pairs, covering, pairs_of
from tests.browser.test_viewports import (
    LOW,
    ROOMY,
    SIDEWAYS,
    STANDING,
    reached_in_easy_view,
    reached_in_full,
)
from tests.browser.windows import (
    DESK,
    MOVING,
    Auditor,
    Dealer,
    PitStaff,
    Player,
    Staff,
    Watcher,
    Window,
    words,
)
from tests.kit.processes import RunningVenue

SIZES = {
    "phone": ViewportSize(width=390, height=844),
    "tablet": ViewportSize(width=1024, height=768),
    "4K": ViewportSize(width=3840, height=2160),
}
SHOWN = {
    "language": ("en", "zh-Hans", "zh-Hant"),
    "size": tuple(SIZES),
    "theme": ("dark", "bright"),
}
LAYOUTS = covering({"layout": PAY_TABLES, **SHOWN})
#: Every screen; of a chip table its wall with the display rack, its page in the pit, its console,
#: and the pit's views for chip tables.
NAMES = (
    *("lobby", "console", "pit", "display", "audit"),
    *("rack", "chips-page", "chips-console", "days", "cage"),
)
SCREENS = covering({"screen": NAMES, **SHOWN})
#: A printed layout of 107 areas is finer than a finger on a small screen, where the easy view and
#: the magnifier are the other ways; on a tablet it is never as fine as this.
PRINTED = ".layout-sheet .layout-area"
PRINTED_PX = {"phone": 24, "tablet": 36}


@pytest.mark.parametrize(
    ("rows", "factors"),
    [
        (LAYOUTS, {"layout": PAY_TABLES, **SHOWN}),
        (SCREENS, {"screen": NAMES, **SHOWN}),
    ],
    ids=["layouts", "screens"],
)
def test_every_pair_is_looked_at(rows: list[Row], factors: dict[str, tuple[str, ...]]) -> None:
    assert set().union(*map(pairs_of, rows)) == all_pairs(factors)
    longest, next_ = sorted(map(len, factors.values()))[-2:]
    assert len(rows) <= longest * next_ + 4


def _rows_of(rows: list[Row], factor: str, value: str) -> list[Row]:
    """Give the rows of one screen, the smallest first: at a phone's size it opens as on a phone."""
    sizes = list(SIZES)
    return sorted(
        (row for row in rows if row[factor] == value), key=lambda row: sizes.index(row["size"])
    )


def _show(window: Window, row: Row) -> None:
    """Show a screen in the size, the language and the theme of a row."""
    page = window.page
    page.set_viewport_size(SIZES[row["size"]])
    window.speak(row["language"])
    expect(page.locator("html")).to_have_attribute("lang", row["language"])
    if page.locator("html").get_attribute("data-theme") != row["theme"]:
        # A wall screen has the switch in its own corner, and the common bar out of sight.
        window.button(words(row["language"], "shell", "theme_bright")).last.click()
    expect(page.locator("html")).to_have_attribute("data-theme", row["theme"])


@pytest.mark.parametrize("layout", PAY_TABLES)
def test_chance_and_edge_are_whole_in_every_area(layout: str, window: Opener) -> None:
    player: Player = window(Player).sit(f"look-{layout.replace('/', '-')}")
    player.open_window("View", "How it is shown").get_by_label(
        re.compile("^Chances and edge")
    ).check()
    player.page.keyboard.press("Escape")
    for width, height in ((768, 1024), (1024, 768), (1280, 720), (1440, 900), (1920, 1080)):
        player.page.set_viewport_size(ViewportSize(width=width, height=height))
        expect(player.area("big").locator(".layout-edge")).to_have_text("edge 2.8%")
        assert spilt(player.page, ".play-layout .layout-area") == [], (width, height)


@pytest.mark.parametrize("layout", PAY_TABLES)
def test_a_layout(layout: str, window: Opener) -> None:
    """Reach every box at every size, and check the looks at the rows' sizes on the way."""
    phone, *roomy = _rows_of(LAYOUTS, "layout", layout)
    player: Player = window(Player, viewport=SIZES["phone"])
    player.sit(f"look-{layout.replace('/', '-')}")
    for size in (*SIDEWAYS, *STANDING):
        reached_in_easy_view(player, size)
    _show(player, phone)
    assert faults_of(player.page) == [], phone
    # The whole layout, to be panned and zoomed, is one press away.
    player.press(words(phone["language"], "play", "full_layout"))
    expect(player.page.locator(".layout-sheet")).to_be_visible()
    _is_printed_well(player, phone, BY_SIZE_AND_THEME)
    rules = dict(zip((row["size"] for row in roomy), _asked(roomy), strict=True))
    by_size = {(SIZES[row["size"]]["width"], SIZES[row["size"]]["height"]): row for row in roomy}
    for size in (*STANDING, *SIDEWAYS, *LOW, *ROOMY):
        reached_in_full(player, size, layout)
        if row := by_size.pop(size, None):
            _show(player, row)
            _is_printed_well(player, row, rules[row["size"]])
    assert by_size == {}


def _asked(rows: list[Row]) -> list[Rules]:
    """Give the rules for each row: all once in each language, then those that may differ."""
    return [_rules_after(rows[:place], row) for place, row in enumerate(rows)]


def _rules_after(before: list[Row], row: Row) -> Rules:
    """Give the rules to check in a row, after the rows before it."""
    if row["language"] not in {each["language"] for each in before}:
        return ALL_RULES
    return BY_SIZE if row["theme"] in {each["theme"] for each in before} else BY_SIZE_AND_THEME


def _is_printed_well(player: Player, row: Row, rules: Rules) -> None:
    least = PRINTED_PX.get(row["size"])
    assert faults_of(player.page, PRINTED if least else ".none", rules) == [], row
    assert smallest_area(player.page) >= (least or TARGET_PX), row


def _open(screen: str, window: Opener, size: ViewportSize) -> Window:
    """Open a screen at a size, with a person who may see it."""
    settings = {"viewport": size}
    match screen:
        case "console":
            opened: Window = window(Dealer, "dealer", **settings).stand_at("look-ts6-3")
        case "pit":
            opened = window(PitStaff, "supervisor", **settings).arrive()
            expect(opened.page.get_by_role("article").first).to_be_visible()
        case "chips-console":
            opened = window(Dealer, "dealer", **settings).stand_at("look-chips")
        case "chips-page":
            opened = window(PitStaff, "supervisor", **settings).look_after("look-chips")
            expect(opened.page.locator(".pit-day .pit-facts")).to_be_visible()
        case "days":
            staff: PitStaff = window(PitStaff, "supervisor", **settings)
            staff.page.goto(f"{staff.venue.address}/pit?view=days")
            opened = staff.log_in()
            expect(opened.page.get_by_role("table").first).to_be_visible()
        case "cage":
            opened = window(PitStaff, "cashier", **settings).go_to(screen="cage").log_in()
            expect(opened.page.locator(".cage")).to_be_visible()
        case "audit":
            opened = window(Auditor, "auditor", **settings).arrive()
        case "rack":
            opened = window(Watcher, **settings).go_to("look-chips")
            expect(opened.page.locator(".wall-colour").first).to_be_visible()
        case "display":
            opened = window(Watcher, **settings).go_to("look-ts6-3")
            expect(opened.page.get_by_role("article")).to_be_visible()
        case _:
            opened = window(Window, **settings).go_to()
            expect(opened.page.get_by_role("article").first).to_be_visible()
    return opened


@pytest.mark.parametrize("screen", NAMES)
def test_a_screen(screen: str, window: Opener) -> None:
    rows = _rows_of(SCREENS, "screen", screen)
    opened = _open(screen, window, SIZES[rows[0]["size"]])
    # Beside the printed layout a dealer has the line to key bets into.
    but = PRINTED if screen == "chips-console" else ".none"
    for row, rules in zip(rows, _asked(rows), strict=True):
        _show(opened, row)
        assert faults_of(opened.page, but, rules) == [], row
    # At a desk there may be more than on a phone.
    opened.page.set_viewport_size(DESK)
    assert complaints_of_axe(opened.page) == []


#: The further views of a screen, each with an element that shows it is there.
VIEWS = {
    "pit?view=map": "[aria-labelledby=pit-map] li",
    "pit?view=rulings": "[aria-labelledby=pit-rulings]",
    "pit?view=alerts": "[aria-labelledby=pit-past]",
    "audit?view=find": ".audit-section form",
    "audit?view=events": ".audit-section",
    "audit?view=journal": ".audit-section button",
    "audit?view=exports": ".audit-section",
    "audit?view=meters": ".audit-section table",
    "house": "[aria-labelledby=house-people] tbody tr",
    "house?view=tables": "[aria-labelledby=house-tables] section",
    "house?view=machines": "[aria-labelledby=house-machines]",
    "house?view=settings": "[aria-labelledby=house-settings] dd",
}


@pytest.mark.parametrize(
    ("screen", "role"), [("pit", "pit manager"), ("audit", "auditor"), ("house", "shift manager")]
)
def test_the_views_of_a_screen(screen: str, role: str, window: Opener) -> None:
    """Check each view once; together they are seen in every size, language and theme.

    Axe checks each view at a desk too, and on a tablet the rules that depend on size.
    """
    rows = itertools.cycle(covering(SHOWN))
    staff: Staff = window(Staff, role)
    # Until somebody has requested one, there is no verification to report.
    staff.may_be_refused = ("/api/audit/verifications/current",)
    staff.go_to(screen=screen).log_in()
    for (view, part), row in zip(VIEWS.items(), rows, strict=False):
        if view.startswith(screen):
            staff.page.locator(f"nav a[href='/{view}']").click()
            expect(staff.page.locator(part).first).to_be_visible()
            _show(staff, row)
            assert faults_of(staff.page) == [], (view, row)
            for size, rules in ((SIZES["tablet"], BY_SIZE), (DESK, ALL_RULES)):
                staff.page.set_viewport_size(size)
                assert complaints_of_axe(staff.page, rules) == [], (view, size)


DIALOGS = {
    "Buy in": "Buy in",
    "Cash out": "Cash out",
    "Last rounds": "Last rounds",
    "View": "How it is shown",
    "Keys": "Keys",
}


def test_the_windows_of_a_terminal(window: Opener) -> None:
    player: Player = window(Player, viewport=SIZES["phone"])
    player.sit("look-etg8-2")
    for size, rules in (("phone", ALL_RULES), ("tablet", BY_SIZE)):
        player.page.set_viewport_size(SIZES[size])
        for button, title in DIALOGS.items():
            opened = player.open_window(button, title)
            assert faults_of(player.page, PRINTED, rules) == [], title
            player.page.keyboard.press("Escape")
            expect(opened).to_be_hidden()
            expect(player.button(button)).to_be_focused()


def test_a_box_tells_its_odds_chance_and_edge_on_demand(window: Opener) -> None:
    player: Player = window(Player)
    player.sit("look-ts6-3")
    player.area("any-triple").focus()
    player.page.keyboard.press("i")
    asked = player.page.get_by_role("dialog", name=re.compile("Any Triple"))
    # 6 of 216 throws at 31 to 1: the house keeps 1 - 32 * 6 / 216 = 1/9.
    for told in ("31 to 1", "1/36", "1/9"):
        expect(asked).to_contain_text(told)
    assert complaints_of_axe(player.page) == []
    player.page.keyboard.press("Escape")
    expect(player.area("any-triple")).to_be_focused()


def test_the_language_changes_live_and_bets_stay(
    player: Player, dealer: Dealer, venue: RunningVenue
) -> None:
    player.sit("tongues")
    dealer.stand_at("tongues").goes("Open the bets")
    player.bets({"small": 500})
    player.tap("big", 500)
    for language, heading in (("zh-Hans", "请下注"), ("zh-Hant", "請下注")):
        player.speak(language)
        name = re.escape(venue.name_of("small", language))
        expect(player.area("small")).to_have_accessible_name(re.compile(f"^{name}.*5.00"))
        expect(player.page.locator(".phase-heading")).to_have_text(heading)
        expect(player.balance).to_contain_text("995.00")
        assert cut_off(player.page) == []
    player.speak("en")
    player.sees_on("big", "5.00 put down, not yet sent")
    player.place()
    player.sees_on("big", "your bet 5.00")


def test_the_dice_are_called_in_the_language_of_the_moment(
    window: Opener, player: Player, dealer: Dealer
) -> None:
    watcher: Watcher = window(Watcher, reduced_motion=MOVING)
    player.sit("calls")
    watcher.go_to("calls")
    dealer.stand_at("calls").goes("Open the bets")
    dealer.goes("Close the bets")
    dealer.tumble()
    dealer.see_flat()
    dealer.enter(1, 3, 5)
    dealer.goes("Confirm and call the result")
    player.hears("1, 3, 5, total 9")
    watcher.sees("1, 3, 5, total 9")
    for each in (player, watcher):
        each.page.locator("select:visible").last.select_option("zh-Hant")
        expect(each.page.get_by_role("main")).to_contain_text(re.compile(r"1、3、5.*9"))
        expect(each.page.get_by_role("main")).not_to_contain_text("total 9")


#: How far the nearest bars are from the wall, above and below.
_UNCOVERED = """
() => {
  const wall = document.querySelector(".wall").getBoundingClientRect();
  const top = document.querySelector(".top-away");
  const over = top.matches(":hover") ? top.getBoundingClientRect().bottom : 0;
  const under = document.querySelector(".display-corner").getBoundingClientRect().top;
  return [wall.top - over, under - wall.bottom];
}
"""


def test_no_bar_covers_what_a_wall_shows(window: Opener) -> None:
    watcher: Watcher = window(Watcher).go_to("look-ts6-1")
    expect(watcher.page.get_by_role("article")).to_be_visible()
    for size in SIZES.values():
        watcher.page.set_viewport_size(size)
        for height in (size["height"] // 2, 2):
            watcher.page.mouse.move(size["width"] // 2, height)
            watcher.page.mouse.move(size["width"] // 2 + 9, height)
            expect(
                watcher.page.locator(".display-corner:not(.display-corner-gone)")
            ).to_be_visible()
            assert min(watcher.page.evaluate(_UNCOVERED)) >= 0, (size, height)


def test_reduced_motion_stills_everything(window: Opener) -> None:
    player: Player = window(Player)
    player.sit("look-ts6-1")
    moving = player.page.evaluate(
        "[...document.querySelectorAll('*')].flatMap((each) => {"
        " const { transitionDuration, animationDuration } = getComputedStyle(each);"
        " const times = `${transitionDuration},${animationDuration}`.split(',').map(parseFloat);"
        " return Math.max(...times) > 0.011 ? [each.className] : []; })"
    )
    assert moving == []
