"""Windows of every size: every box of a layout is reached, and pressed on the densest."""

import itertools
from collections.abc import Sequence

from playwright.sync_api import expect

from taisai.rulebooks import pay_table
from tests.browser.looking import (
    bring,
    complaints_of_axe,
    covered_lines,
    cut_off,
    press_all,
    reach,
    strip,
    too_small,
    with_chips,
)
from tests.browser.windows import Player

#: Phones on their side and upright, a desk at twice the size, tablets, laptops, desks, a wall.
SIDEWAYS = ((844, 390), (667, 375), (720, 450), (932, 430))
STANDING = ((390, 844),)
LOW = ((1024, 768), (1280, 720), (1366, 650))
ROOMY = ((768, 1024), (1440, 900), (1920, 1080), (3840, 2160))
#: The least size of a box for a finger, where the whole layout is seen.
BOX_PX = 36
#: The strip of the round's status in low windows, and the layout's share of the height.
STRIP_PX = 44
LAYOUT_SHARE = 2 / 3
#: The layout with the most areas: 151 for 107 boxes.
DENSEST = "ts6/3"
#: The dice beside a name, in its details.
DRAWN_PX = 32


def reached_in_easy_view(player: Player, size: tuple[int, int]) -> None:
    """Check that every box is reached on a phone, in the view that opens there."""
    _resize(player, size)
    expect(player.page.locator(".layout-easy")).to_be_visible()
    easy = reach(player.page)
    assert easy.missed == [], size
    assert easy.smallest >= BOX_PX, size
    assert easy.hinted or easy.in_view or size in STANDING, size


def reached_in_full(player: Player, size: tuple[int, int], layout: str) -> None:
    """Check that every box of the whole layout is reached."""
    _resize(player, size)
    full = reach(player.page)
    assert full.boxes == len(pay_table(layout).boxes), size
    assert full.missed == [], size
    assert full.smallest >= BOX_PX, size
    assert full.in_view == (size in LOW + ROOMY), size
    assert full.hinted != full.in_view, size


def _resize(player: Player, size: tuple[int, int]) -> None:
    player.page.set_viewport_size({"width": size[0], "height": size[1]})


def show_full(player: Player) -> None:
    """Show the whole layout, on a phone held sideways: the menu is behind one button there."""
    player.press("Menu, slip and roads")
    player.press("Full layout")
    player.press("Menu, slip and roads")
    expect(player.page.locator(".layout-sheet")).to_be_visible()


def test_where_there_is_little_height_most_of_it_is_layout(player: Player) -> None:
    player.sit(f"look-{DENSEST.replace('/', '-')}")
    for language, size in zip(("en", "zh-Hans", "zh-Hant"), LOW, strict=True):
        _resize(player, size)
        player.speak(language)
        expect(player.page.locator("html")).to_have_attribute("lang", language)
        divided = strip(player.page)
        assert divided.strip == STRIP_PX, size
        assert divided.layout >= LAYOUT_SHARE, size
        assert divided.one_row, size
        assert not divided.beside, size
        assert cut_off(player.page) == [], size
        assert too_small(player.page, ".layout-area") == [], size
    assert complaints_of_axe(player.page) == []
    languages = itertools.cycle(("zh-Hans", "zh-Hant", "en"))
    for language, size in zip(languages, SIDEWAYS, strict=False):
        _resize(player, size)
        player.speak(language)
        expect(player.page.locator(".layout-easy")).to_be_visible()
        divided = strip(player.page)
        assert divided.strip == STRIP_PX, size
        assert divided.layout >= LAYOUT_SHARE, size
        assert divided.beside, size
        # Beside the layout the chips and the tools are as large as a box must be.
        assert cut_off(player.page) == [], size
        assert too_small(player.page, ".tray-tool, .tools-tool") == [], size
    assert complaints_of_axe(player.page) == []


def press_by_hand(player: Player, size: tuple[int, int], boxes: Sequence[str]) -> None:
    """Put a chip on boxes of the densest layout by the mouse, wherever they are scrolled to.

    On a phone the slip is behind the menu, so the boxes themselves are checked.
    """
    _resize(player, size)
    for box in boxes:
        player.page.mouse.click(*bring(player.page, f".play-layout button[data-box='{box}']"))
    _have_chips(player, size, boxes)


def _have_chips(player: Player, size: tuple[int, int], boxes: Sequence[str]) -> None:
    assert with_chips(player.page) == set(boxes), size
    # A chip lies beside the lines about winning and losing, never on them.
    assert covered_lines(player.page) == [], size
    player.tool("Clear").click()
    expect(player.page.locator(".play-layout [aria-label*='put down']")).to_have_count(0)


def test_every_box_of_the_densest_layout_is_pressed(player: Player) -> None:
    """Press each box once with the mouse, in view or scrolled to; and by script at every size.

    `python -m tools.press_boxes` presses all of them by mouse wherever the layout scrolls.
    """
    player.sit(f"look-{DENSEST.replace('/', '-')}")
    player.chip(100).click()
    boxes = [*pay_table(DENSEST).boxes]
    press_by_hand(player, (1366, 650), boxes[::2])
    _resize(player, SIDEWAYS[1])
    show_full(player)
    press_by_hand(player, SIDEWAYS[1], boxes[1::2])
    # By mouse all sizes take minutes: elsewhere the element in the middle is pressed by script.
    for size in (*SIDEWAYS, *STANDING, *LOW, *ROOMY):
        _resize(player, size)
        assert press_all(player.page, boxes) == [], size
        _have_chips(player, size, boxes)


def test_a_pointer_finds_what_there_is_to_know_of_a_box(player: Player) -> None:
    player.sit("look-etg8-2")
    for box in ("double-3", "domino-13", "single-6"):
        name = player.venue.name_of(box)
        player.area(box).hover()
        player.press(f"About {name}")
        told = player.dialog(name)
        expect(told).to_contain_text("House edge")
        drawn = told.locator(".details-picture").bounding_box()
        assert drawn is not None
        assert 0 < drawn["height"] <= DRAWN_PX, box
        player.page.keyboard.press("Escape")
    # In a window of another size it covers no box except the one under the pointer.
    _resize(player, ROOMY[1])
    player.area("single-6").hover()
    expect(player.page.locator(".layout-about")).to_be_visible()
    _resize(player, ROOMY[0])
    expect(player.page.locator(".layout-about")).to_be_hidden()
    # By the keyboard it comes with the focus, one step after the box.
    player.page.mouse.move(0, 0)
    player.area("small").focus()
    player.page.keyboard.press("ArrowDown")
    player.page.keyboard.press("Tab")
    expect(player.page.locator(".layout-about")).to_be_focused()
