"""Photographs terminal, lobby and display in windows of every size, to be looked at.

    python -m tools.window_sizes INTO [--screens play lobby display]

Each in both rooms and in three languages. The terminal has bets on the slip and on the table.
"""

import argparse
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.floors import Floor, Table
from tests.browser.test_viewports import LOW, LYING, ROOMY, STANDING
from tests.browser.windows import Dealer, Player, Watcher, Window
from tests.chromium import launch
from tests.kit.processes import running

SIZES = (*STANDING, *LYING, *LOW, *ROOMY)
ROOMS = ("dark", "bright")
LANGUAGES = ("en", "zh-Hans", "zh-Hant")
SCREENS = ("play", "lobby", "display")
#: The table that is played at, with 104 boxes.
TABLE = "Lantern"
FLOOR = Floor(
    (
        Table(TABLE, "etg8/2", maximum=500_000),
        *(Table(name, "ts6/2", maximum=500_000) for name in ("Jade", "Crane", "Fern")),
    )
)
#: A setting that a page reads when it comes.
_SET = "([name, value]) => localStorage.setItem('taisai.' + name, value)"
_DRAWN = "new Promise((end) => requestAnimationFrame(() => requestAnimationFrame(end)))"


def photograph(page: Page, into: Path, name: str) -> None:
    """Photograph a page at every size, in the room and the language that it has."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        page.evaluate(_DRAWN)
        path = into / f"{name}-{width}x{height}.png"
        page.screenshot(path=path, scale="css")


def furnish(window: Window, room: str, language: str) -> None:
    """Show a screen in a room and in a language from its next coming on."""
    window.page.evaluate(_SET, ["theme", room])
    window.page.evaluate(_SET, ["language", language])
    window.page.reload()


def ready(window: Window, screen: str) -> None:
    """Wait until a screen is there."""
    found = {"play": ".layout", "lobby": "article", "display": "article"}[screen]
    window.page.locator(found).first.wait_for()


def main(into: Path, screens: list[str]) -> None:
    """Take the pictures."""
    into.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as scratch,
        running(Path(scratch), FLOOR) as venue,
        sync_playwright() as playwright,
    ):
        browser = launch(playwright)
        dealer = Dealer(browser, venue, "dealer").stand_at(TABLE)
        dealer.goes("Open the bets")
        player = Player(browser, venue).sit(TABLE)
        player.bets({"small": 1_000, "total-9": 500})
        opened = {"play": player, "lobby": Window(browser, venue).go_to()}
        opened["display"] = Watcher(browser, venue).go_to(TABLE)
        for screen in screens:
            for room in ROOMS:
                for language in LANGUAGES:
                    furnish(opened[screen], room, language)
                    ready(opened[screen], screen)
                    if screen == "play":
                        player.area("small").click()
                    photograph(opened[screen].page, into, f"{screen}-{room}-{language}")
        browser.close()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("into", type=Path)
    options.add_argument("--screens", nargs="+", choices=SCREENS, default=[*SCREENS])
    asked = options.parse_args()
    main(asked.into, asked.screens)
