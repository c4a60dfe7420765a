"""Presses every box of the densest layout at every size at which the layout scrolls.

    python -m tools.press_boxes

Phones in portrait and landscape, and a desk at twice the size, each with the whole layout: each box
is scrolled to and pressed with the mouse, and must then have a chip on it, and no other box.
"""

import tempfile
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from taisai.rulebooks import pay_table
from tests.browser.floors import Floor, Table
from tests.browser.test_viewports import DENSEST, SIDEWAYS, STANDING, press_by_hand, show_full
from tests.browser.windows import TIMEOUT_MS, Player
from tests.chromium import launch
from tests.kit.processes import running


def main() -> None:
    """Press every box, and print each size."""
    expect.set_options(timeout=TIMEOUT_MS)
    floor = Floor((Table("press", DENSEST),))
    with (
        tempfile.TemporaryDirectory() as scratch,
        running(Path(scratch), floor) as venue,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        width, height = SIDEWAYS[0]
        player = Player(browser, venue, viewport={"width": width, "height": height}).sit("press")
        show_full(player)
        player.chip(100).click()
        for size in (*SIDEWAYS, *STANDING):
            press_by_hand(player, size, [*pay_table(DENSEST).boxes])
            print(f"{size[0]:5} x {size[1]:4}: every box of {DENSEST} was pressed", flush=True)
        player.close()
        browser.close()


if __name__ == "__main__":
    main()
